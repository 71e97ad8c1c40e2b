/* SPDX-License-Identifier: MIT */
#include "engine/used.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf/notes.h"
#include "engine/api.h"

static int find_dropin(struct dl_phdr_info *info, size_t size, void *found)
{
    (void)size;
    return hs_dropin_of_object(info, found) &&
           strcmp(((struct hs_dropin *)found)->api, hs_api.uses->name) == 0;
}

bool hs_used_find(struct hs_loaded_runtime list[HS_LOADED_RUNTIMES_ROOM], char *path, size_t size)
{
    struct hs_dropin dropin;
    const char *found = NULL;
    bool in_program;

    if (!hs_api.uses) {
        return false;
    }
    /* Asked with no lock held, because it may open the library. */
    if (dl_iterate_phdr(find_dropin, &dropin) && dropin.library) {
        found = dropin.library(false);
    }
    if (!found && hs_loaded_runtimes_find(&hs_api.uses->library, list, &in_program) > 0) {
        found = list[0].path;
    }
    if (!found) {
        found = secure_getenv(hs_api.uses->pin);
    }
    return found && strchr(found, '/') && snprintf(path, size, "%s", found) < (int)size;
}
