/* SPDX-License-Identifier: MIT */
#ifndef HIPSHIM_SRC_ELF_CHECK_H
#define HIPSHIM_SRC_ELF_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/*
 * True if the file can be a shared library for this process; else `reason` gets one line.
 * `absent` is set if there is no such file at all, as opposed to a file that cannot be used.
 *
 * The loader asks this before dlopen.  The messages of dlopen ("wrong ELF class: ELFCLASS32") help
 * few people, and dlopen of a file that is cut short behind its headers ends the process by SIGBUS.
 */
bool hs_elf_check(const char *path, char *reason, size_t size, bool *absent);

#endif
