# SPDX-License-Identifier: MIT

base_sources = \
	src/base/arena.c \
	src/base/arena.h \
	src/base/error.c \
	src/base/error.h \
	src/base/file_stamp.c \
	src/base/file_stamp.h \
	src/base/directory.c \
	src/base/directory.h \
	src/base/once.c \
	src/base/once.h

base_kernel_sources = \
	src/base/path.c \
	src/base/path.h \
	src/base/sha256.c \
	src/base/sha256.h \
	src/base/zstd.c \
	src/base/zstd.h
