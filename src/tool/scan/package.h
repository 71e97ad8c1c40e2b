/* SPDX-License-Identifier: MIT */
/*
 * The programs and libraries in a package: a wheel or another zip file, a Debian or RPM package, a
 * tar archive.  libarchive unpacks them, opened at run time like libzstd, because only `scan`
 * needs it.  Nothing is written to a file, and of a member only the bytes up to the last one that
 * is asked for are unpacked.  What is unpacked, also again, counts against a limit.
 *
 * A package may have any content.
 */
#ifndef HIPSHIM_SRC_TOOL_PACKAGE_H
#define HIPSHIM_SRC_TOOL_PACKAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "elf/file.h"

struct tool_package;

/* From malloc, before the first member; NULL with one line in `reason`. */
struct tool_package *tool_package_open(const char *path, char *reason, size_t size);
void tool_package_close(struct tool_package *package);

/*
 * Goes to the next member that may be a program or library by its name and mode.  1, 0 after the
 * last one, or -1 with one line in `reason`.  The name and the source are valid until the next
 * call.
 */
int tool_package_next(struct tool_package *package, char *reason, size_t size);
/* True for the name of a text that may open libraries by name: a Python program. */
bool tool_package_is_text(const char *name);
const char *tool_package_name(const struct tool_package *package);
const struct hs_elf_source *tool_package_source(struct tool_package *package);

#endif
