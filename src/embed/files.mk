# SPDX-License-Identifier: MIT

embed_sources = \
	src/embed/build.c \
	src/embed/embedded.c
