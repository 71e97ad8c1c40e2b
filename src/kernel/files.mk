# SPDX-License-Identifier: MIT

kernel_sources = \
	src/kernel/arch.c \
	src/kernel/arch.h \
	src/kernel/compile.c \
	src/kernel/compiler_id.c \
	src/kernel/hermetic.c \
	src/kernel/hipcc.c \
	src/kernel/hiprtc.c \
	src/kernel/kernel.h \
	src/kernel/key.c \
	src/kernel/loader_inputs.c \
	src/kernel/log_paths.c \
	src/kernel/memo.c
