# SPDX-License-Identifier: MIT

cache_sources = \
	src/cache/cache.h \
	src/cache/directories.c \
	src/cache/entry.c \
	src/cache/entry.h \
	src/cache/evict.c \
	src/cache/store.c
