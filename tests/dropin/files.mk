# SPDX-License-Identifier: MIT

long_tests += \
	tests/dropin/mpi_layers.t \
	tests/dropin/pairs.t \
	tests/dropin/plugins.t \
	tests/dropin/registers_kernels.t

shell_tests += \
	tests/dropin/adapts_code.t \
	tests/dropin/bare_name.t \
	tests/dropin/calls_while_exiting.t \
	tests/dropin/exports.t \
	tests/dropin/first_call_opens.t \
	tests/dropin/hiprtc_types.t \
	tests/dropin/initialises_at_first_call.t \
	tests/dropin/last_error.t \
	tests/dropin/surfaces_of_5_0.t \
	tests/dropin/tracers.t

EXTRA_DIST += \
	tests/dropin/exit/child.c \
	tests/dropin/exit/handler.c \
	tests/dropin/exit/last.c \
	tests/dropin/exit/object.cpp \
	tests/dropin/exit/quick.c \
	tests/dropin/exit/thread.c \
	tests/dropin/mpi/application.c \
	tests/dropin/mpi/layer.c \
	tests/dropin/mpi/layer.h \
	tests/dropin/programs/compiled.hip \
	tests/dropin/programs/elf_mutations.c \
	tests/dropin/programs/fat.c \
	tests/dropin/programs/first_call.c \
	tests/dropin/programs/forms.c \
	tests/dropin/programs/last_error.c \
	tests/dropin/programs/load_code.c \
	tests/dropin/programs/plugin.c \
	tests/dropin/programs/plugin.h \
	tests/dropin/programs/plugin_host.c \
	tests/dropin/programs/recode.py \
	tests/dropin/programs/run.sh \
	tests/dropin/programs/suite.c \
	tests/dropin/programs/surface_number.c \
	tests/dropin/programs/tracer.c \
	tests/dropin/programs/types.c
