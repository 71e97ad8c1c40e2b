# SPDX-License-Identifier: MIT

libelf_la_CFLAGS = $(archive_cflags)
libelf_la_SOURCES = \
	src/elf/check.c \
	src/elf/check.h \
	src/elf/image.c \
	src/elf/image.h \
	src/elf/ld_search.c \
	src/elf/ld_search.h \
	src/elf/notes.c \
	src/elf/notes.h

# For the program only: libhipshim needs no symbols of files.
libelffile_la_CFLAGS = $(archive_cflags)
libelffile_la_SOURCES = \
	src/elf/file.c \
	src/elf/file.h \
	src/elf/file_reader.c \
	src/elf/file_reader.h \
	src/elf/file_symbols.c

# Compiled with the sonames of the caller ABI.
dlopen_note_sources = src/elf/dlopen_note.c src/elf/dlopen_note.h
