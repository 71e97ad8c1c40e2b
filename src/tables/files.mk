# SPDX-License-Identifier: MIT

tables_sources = \
	src/tables/names.h \
	src/tables/tables.c \
	src/tables/tables.h
