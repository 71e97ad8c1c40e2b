/* SPDX-License-Identifier: MIT */
/* The hooks of by_caller.h in libhipshim: every caller was built with hipshim's own headers. */
#include <hipshim/hipshim.h>

#include <stddef.h>

#include "elf/notes.h"
#include "engine/by_caller.h"

/* Every object that holds libhipshim has it, because all that resolves calls needs this file. */
static const struct hs_library_note note
    __attribute__((used, aligned(4), section(".note.hipshim"))) = {
        .owner_size = sizeof HS_NOTE_OWNER,
        .content_size = sizeof(uint32_t),
        .type = HS_LIBRARY_NOTE_TYPE,
        .owner = HS_NOTE_OWNER,
        .abi_version = HIPSHIM_ABI_VERSION,
};

void hs_by_caller_runtime_opened(const struct hs_runtime *runtime)
{
    (void)runtime;
}

bool hs_by_caller_is_native(const struct hs_runtime *runtime)
{
    (void)runtime;
    return false;
}

hs_function hs_by_caller_wrapper(unsigned function)
{
    (void)function;
    return NULL;
}
