/* SPDX-License-Identifier: MIT */
#ifndef HIPSHIM_SRC_TOOL_FOREIGN_H
#define HIPSHIM_SRC_TOOL_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "elf/file.h"

enum { TOOL_FOREIGN_TEXT = 256 };

/*
 * Tells a runtime that is not AMD's but has the same name, by its exports.  True with one
 * sentence, without its full stop, in `text`; else the text is empty.
 */
bool tool_foreign_describe(const struct hs_elf_file *elf, unsigned major,
                           char text[TOOL_FOREIGN_TEXT]);

/* The same for a file; false also if it cannot be read. */
bool tool_foreign_describe_file(const char *path, unsigned major, char text[TOOL_FOREIGN_TEXT]);

#endif
