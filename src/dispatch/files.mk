# SPDX-License-Identifier: MIT

dispatch_sources = \
	src/dispatch/by_caller.c \
	src/dispatch/by_caller.h \
	src/dispatch/dispatch.c \
	src/dispatch/dispatch.h \
	src/dispatch/emulate.c \
	src/dispatch/emulate.h \
	src/dispatch/get_proc_address.c \
	src/dispatch/semantics.c \
	src/dispatch/semantics.h
