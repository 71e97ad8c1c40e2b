# SPDX-License-Identifier: MIT

registration_sources = \
	src/registration/bundle.c \
	src/registration/bundle.h \
	src/registration/dlopen_note.c \
	src/registration/registration.c \
	src/registration/registration.h
