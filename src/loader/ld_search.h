/* SPDX-License-Identifier: MIT */
/*
 * Where the dynamic linker would find a library, drop-ins left out.
 *
 * A drop-in has the soname of the library it stands in for, so asking the
 * dynamic linker for that name gives the drop-in again.  This walks the same
 * places in the same order, and hands out paths.
 */
#ifndef HIPSHIM_SRC_LOADER_LD_SEARCH_H
#define HIPSHIM_SRC_LOADER_LD_SEARCH_H

#include <stddef.h>

/*
 * The first file of that name that is no drop-in: in the search path of this
 * process (LD_LIBRARY_PATH and the system's directories), then in
 * /etc/ld.so.cache.  Returns 0 with its path, or -1.
 */
int hs_ld_search_find(const char *soname, char *path, size_t size);

#endif
