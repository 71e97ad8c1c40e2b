/* SPDX-License-Identifier: MIT */
/* The release of a library, from its own answer or from what can be seen without a call. */
#ifndef HIPSHIM_SRC_ENGINE_VERSION_H
#define HIPSHIM_SRC_ENGINE_VERSION_H

#include <hipshim/hipshim.h>

#include <stdbool.h>
#include <stddef.h>

#include "elf/image.h"

/* N of a soname STEM.so.N of the first library; -1 of another soname or NULL. */
int hs_version_of_soname(const char *soname);

/*
 * The known release whose functions are most like those that the library exports, without a call of
 * any of them; only the major of the soname, if that is not known.
 */
hipshim_release_t hs_version_of_exports(const struct hs_image *image);

/*
 * The release that the library reports by the API's version function, or by its exports if the API
 * has none.  False, with a reason, if it does not tell.
 */
bool hs_version_ask(void *handle, const struct hs_image *image, hipshim_release_t *release,
                    char *reason, size_t size);

/* Whether the library, a struct hs_image, exports the function; for hs_release_request. */
bool hs_version_exports(const void *library, const char *symbol);

#endif
