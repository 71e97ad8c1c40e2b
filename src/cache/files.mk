# SPDX-License-Identifier: MIT

noinst_LTLIBRARIES += libcache.la
libcache_la_SOURCES = \
	src/cache/cache.h \
	src/cache/directories.c \
	src/cache/entry.c \
	src/cache/entry.h \
	src/cache/evict.c \
	src/cache/find.c \
	src/cache/lock.c \
	src/cache/names.c \
	src/cache/store.c
