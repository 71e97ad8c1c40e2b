# SPDX-License-Identifier: MIT

libbase_la_CFLAGS = $(archive_cflags)
libbase_la_SOURCES = \
	src/base/arena.c \
	src/base/arena.h \
	src/base/at_exit.c \
	src/base/at_exit.h \
	src/base/error.c \
	src/base/error.h \
	src/base/once.c \
	src/base/once.h \
	src/base/path.c \
	src/base/path.h \
	src/base/structure.h \
	src/base/target.c \
	src/base/target.h \
	src/base/variable.c \
	src/base/variable.h \
	src/base/zstd.c \
	src/base/zstd.h

# The part of base for libhipshim-kernel and the tool.  It starts processes, so
# libhipshim must not contain it.
noinst_LTLIBRARIES += libkernelbase.la
libkernelbase_la_CFLAGS = $(archive_cflags)
libkernelbase_la_SOURCES = \
	src/base/c_lexer.c \
	src/base/c_lexer.h \
	src/base/compiler_inputs.c \
	src/base/compiler_inputs.h \
	src/base/file_stamp.c \
	src/base/file_stamp.h \
	src/base/hex.c \
	src/base/hex.h \
	src/base/program.c \
	src/base/program.h \
	src/base/read.c \
	src/base/read.h \
	src/base/sha256.c \
	src/base/sha256.h \
	src/base/spawn.c \
	src/base/spawn.h \
	src/base/target.c \
	src/base/target.h \
	src/base/texts.h \
	src/base/utf8.h \
	src/base/variable.c \
	src/base/variable.h \
	src/base/words.c \
	src/base/words.h \
	src/base/zstd.c \
	src/base/zstd.h
