/* SPDX-License-Identifier: MIT */
/* The library of the API that this one uses (api.h), beside which its own library lies. */
#ifndef HIPSHIM_SRC_ENGINE_USED_H
#define HIPSHIM_SRC_ENGINE_USED_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/loaded_runtimes.h"

/*
 * Writes the path of that library: the one that a drop-in in this process uses, which this opens if
 * need be, or one that is loaded, or the value of the API's pin, which may be a directory.
 * False if the process tells nothing, or this API uses none.  `list` is room.
 */
bool hs_used_find(struct hs_loaded_runtime list[HS_LOADED_RUNTIMES_ROOM], char *path, size_t size);

#endif
