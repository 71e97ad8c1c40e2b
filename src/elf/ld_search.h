/* SPDX-License-Identifier: MIT */
/*
 * Finds the library that the dynamic linker would find, without drop-ins.
 *
 * A drop-in has the soname of the library that it stands in for, so the dynamic linker answers
 * that soname with the drop-in again.  This walks the dynamic linker's places and returns paths.
 */
#ifndef HIPSHIM_SRC_ELF_LD_SEARCH_H
#define HIPSHIM_SRC_ELF_LD_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes the path of the first file of that name that is no drop-in, in the order of the dynamic
 * linker: the run path of the program and LD_LIBRARY_PATH, /etc/ld.so.cache in all formats that
 * glibc ever wrote, the system's directories.  False if there is none.
 */
bool hs_ld_search_find(const char *soname, char *path, size_t size);

#endif
