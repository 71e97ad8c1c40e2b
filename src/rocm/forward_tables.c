/* SPDX-License-Identifier: MIT */
/* The tables of functions that libhipshim-rocm jumps through (src/rocm/forward.S). */
#include "forward.h"

#include "base/error.h"
#include "caller_abi.h"
#include "engine/dispatch.h"

extern const hs_function *const HS_FORWARD_TABLE;

HS_PUBLIC const hs_function *const HS_FORWARD_TABLE = hs_entries;

/*
 * The functions whose structure changed in 6.0, under the names that have that of 5.x.  The headers
 * do not declare them.  Other libraries, hiprtc of 5.x for example, look them up in
 * `libamdhip64.so`; every runtime has them.
 */
static hs_function find_older(const char *name)
{
    bool is_there = !hs_dispatch_has_ended() && hs_dispatch_has_runtime();
    hs_function found = is_there ? hs_dispatch_runtime_symbol(name) : NULL;
    if (!found) {
        hs_error_set("%s: there is no HIP runtime, or it has ended", name);
    }
    return found;
}

static hipError_t no_runtime(void)
{
    return hs_dispatch_has_ended() ? hipErrorDeinitialized : hipErrorInsufficientDriver;
}

static hipError_t older_properties(void *properties, int device)
{
    hs_function found = find_older("hipGetDeviceProperties");
    return found ? ((hipError_t(*)(void *, int))found)(properties, device) : no_runtime();
}

static hipError_t older_choice(int *device, const void *properties)
{
    hs_function found = find_older("hipChooseDevice");
    return found ? ((hipError_t(*)(int *, const void *))found)(device, properties) : no_runtime();
}

/* In the order of src/rocm/forward.S. */
static const hs_function older[] = {(hs_function)older_choice, (hs_function)older_properties};

extern const hs_function *const hs_forward_older;
HS_PUBLIC const hs_function *const hs_forward_older = older;
