# SPDX-License-Identifier: MIT

api_sources = \
	src/api/find.h \
	src/api/forward.c \
	src/api/releases.c \
	src/api/runtime.c

EXTRA_DIST += \
	src/api/libhipshim.map
