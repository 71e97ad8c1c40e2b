# SPDX-License-Identifier: MIT

# Only static: a shared library must not start its own command-line tool.
lib_LIBRARIES = libhipshim-embed.a
libhipshim_embed_a_SOURCES = \
	src/base/program.c \
	src/base/program.h \
	src/base/spawn.c \
	src/base/spawn.h \
	src/base/words.c \
	src/base/words.h \
	src/embed/build.c
libhipshim_embed_a_CPPFLAGS = $(AM_CPPFLAGS) -DHIPSHIM_TOOL_PATH='"$(bindir)/hipshim"'
