# SPDX-License-Identifier: MIT

# Compiled once for each caller ABI.
dispatch_sources = \
	src/dispatch/by_caller.h \
	src/dispatch/dispatch.c \
	src/dispatch/dispatch.h \
	src/dispatch/emulate.c \
	src/dispatch/emulate.h \
	src/dispatch/emulate_older.c \
	src/dispatch/get_proc_address.c \
	src/dispatch/last_error.c \
	src/dispatch/last_error.h \
	src/dispatch/emitted.c \
	src/dispatch/emitted.h \
	src/dispatch/module_code.c \
	src/dispatch/module_code.h \
	src/dispatch/registered.c \
	src/dispatch/registered.h \
	src/dispatch/semantics.c \
	src/dispatch/semantics.h

# The hooks of by_caller.h and registered.h, for libhipshim and for the drop-ins.
single_caller_sources = \
	src/dispatch/deferred.c \
	src/dispatch/single_caller.c
by_caller_sources = \
	src/dispatch/at_once.c \
	src/dispatch/by_caller.c
