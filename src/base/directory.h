/* SPDX-License-Identifier: MIT */
/*
 * Small questions about directories.
 */
#ifndef HIPSHIM_SRC_BASE_DIRECTORY_H
#define HIPSHIM_SRC_BASE_DIRECTORY_H

/* Longer names are no release directories and are passed over. */
enum { HS_PATH_NAME = 64 };

/* True for a directory and for a link to one. */
int hs_path_is_directory(const char *path);

/*
 * Lists the entries of `parent` whose name is `stem` and a digit onwards
 * ("rocm-6.4.1"), newest first: numbers compare as numbers, so that core-10
 * comes before core-7.  Returns how many were written; with more than `room`
 * of them the oldest are left out.
 */
unsigned hs_path_newest(const char *parent, const char *stem, char (*names)[HS_PATH_NAME],
                             unsigned room);

#endif
