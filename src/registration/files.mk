# SPDX-License-Identifier: MIT

libregistration_la_CFLAGS = $(archive_cflags)
libregistration_la_SOURCES = \
	src/registration/bundle.c \
	src/registration/bundle.h \
	src/registration/memory.c \
	src/registration/memory.h \
	src/registration/registration.c \
	src/registration/registration.h

registration_note_sources = src/registration/dlopen_note.c
