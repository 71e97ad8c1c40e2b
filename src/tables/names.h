/* SPDX-License-Identifier: MIT */
/* Names that bindings/names.c knows without a runtime. */
#ifndef HIPSHIM_SRC_TABLES_NAMES_H
#define HIPSHIM_SRC_TABLES_NAMES_H

/* The function that a name from an older release stands for, or -1. */
int hs_names_alias(const char *name);

/* The other symbol under which a library may export a function, or NULL. */
const char *hs_names_exported(unsigned function);

/* The enumerator of an error, or NULL for a number that is none; static storage. */
const char *hs_names_hipError_t(int error);
const char *hs_names_hiprtcResult(int error);

#endif
