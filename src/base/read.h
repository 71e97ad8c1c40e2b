/* SPDX-License-Identifier: MIT */
#ifndef HIPSHIM_SRC_BASE_READ_H
#define HIPSHIM_SRC_BASE_READ_H

#include <stddef.h>

/*
 * Reads from the descriptor's offset to the end.  The result is from malloc and
 * has a zero after its last byte, which `size` does not count.  NULL with errno.
 */
char *hs_read_descriptor(int fd, size_t *size);

/* The same of a file of any kind. */
char *hs_read_file(const char *path, size_t *size);

/*
 * The number after a key such as "#define NAME " at the beginning of a line; -1 if the file cannot
 * be read or has no such line.
 */
long hs_read_number(const char *path, const char *key);

/* A file in memory, closed by exec: memfd_create, which glibc has since 2.27.  -1 with errno. */
int hs_memory_file(const char *name);

#endif
