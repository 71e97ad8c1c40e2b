# SPDX-License-Identifier: MIT

libloader_la_CFLAGS = $(archive_cflags)
libloader_la_SOURCES = \
	src/loader/candidate.c \
	src/loader/candidate.h \
	src/loader/hiprtc.c \
	src/loader/ld_search.c \
	src/loader/ld_search.h \
	src/loader/loaded_runtimes.c \
	src/loader/loaded_runtimes.h \
	src/loader/loader.c \
	src/loader/loader.h \
	src/loader/notice.c \
	src/loader/notice.h \
	src/loader/release.c \
	src/loader/release.h \
	src/loader/search.c \
	src/loader/search.h \
	src/loader/search_log.c \
	src/loader/search_log.h \
	src/loader/targets.c \
	src/tables/tables.c \
	src/tables/tables.h
