# SPDX-License-Identifier: MIT

elf_sources = \
	src/elf/dlopen_note.c \
	src/elf/dropin_note.c \
	src/elf/dropin_note.h \
	src/elf/image.c \
	src/elf/image.h

build_id_sources = \
	src/elf/build_id.c \
	src/elf/build_id.h
