/* SPDX-License-Identifier: MIT */
/* The routing of libhipshim, which needs none: every caller has hipshim's own headers. */
#include <hipshim/hipshim.h>

#include <stddef.h>

#include "elf/notes.h"
#include "engine/by_caller.h"

/* Every object that holds libhipshim has it, because the dispatcher's table refers to this file. */
static const struct hs_library_note note
    __attribute__((used, aligned(4), section(".note.hipshim"))) = {
        .owner_size = sizeof HS_NOTE_OWNER,
        .content_size = sizeof(uint32_t),
        .type = HS_LIBRARY_NOTE_TYPE,
        .owner = HS_NOTE_OWNER,
        .abi_version = HIPSHIM_ABI_VERSION,
};

const struct hs_routing hs_single_caller = {.target = NULL};
