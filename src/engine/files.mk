# SPDX-License-Identifier: MIT

libengine_la_CFLAGS = $(archive_cflags)
libengine_la_SOURCES = \
	src/engine/api.h \
	src/engine/by_caller.h \
	src/engine/candidate.c \
	src/engine/candidate.h \
	src/engine/companion.c \
	src/engine/dispatch.c \
	src/engine/dispatch.h \
	src/engine/hooks.h \
	src/engine/loaded_runtimes.c \
	src/engine/loaded_runtimes.h \
	src/engine/loader.c \
	src/engine/loader.h \
	src/engine/notice.c \
	src/engine/notice.h \
	src/engine/release.c \
	src/engine/release.h \
	src/engine/resolvers.h \
	src/engine/search.c \
	src/engine/search.h \
	src/engine/search_log.c \
	src/engine/search_log.h \
	src/engine/tables.c \
	src/engine/tables.h \
	src/engine/used.c \
	src/engine/used.h \
	src/engine/version.c \
	src/engine/version.h

# Compiled for each library, because it has as many parts as the library has functions.
library_sources = src/engine/resolvers.S

# What the link chooses, for libhipshim and for the drop-ins.
single_caller_sources = src/engine/single_caller.c
libbycaller_la_CFLAGS = $(archive_cflags)
libbycaller_la_SOURCES = src/engine/by_caller.c
