/* SPDX-License-Identifier: MIT */
#include "elf/dlopen_note.h"

HS_DLOPEN_NOTE(
    "[{\"feature\":\"zstd\",\"description\":\"Loads embedded kernels that are compressed\","
    "\"priority\":\"suggested\",\"soname\":[\"libzstd.so.1\"]}]");
