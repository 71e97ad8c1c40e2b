/* SPDX-License-Identifier: MIT */
/*
 * The hooks in drop-ins: what a program registers goes on to the runtime at once,
 * as without hipshim, but in a form that the runtime reads.
 */
#include "hip/registration_calls.h"

#include <pthread.h>
#include <stddef.h>

#include "caller_abi.h"
#include "engine/dispatch.h"
#include "engine/hooks.h"
#include "engine/version.h"
#include "functions.h"
#include "hip/last_error.h"
#include "hip/registration.h"
#include "hip/registration_modules.h"

/* In registration_emitted.c; the plain names are those of this library's stubs. */
#define HS_FORWARD(name) extern __typeof__(name) hs_emitted_##name __asm__("hipshim_" #name);
#include "hip/registration_emitted.h"
#undef HS_FORWARD

static struct hs_registration_reader reader;
static bool is_needed;

/* The devices are not asked for, because that would initialise HIP before main. */
static void describe_runtime(void)
{
    const struct hs_runtime *early = hs_loader_preopened();
    hipshim_release_t release = hs_version_of_exports(&early->image);

    is_needed = hs_registered_describe(&reader, (int)release.major, (int)release.minor);
    if (is_needed) {
        hs_registration_hand_over(early, &reader);
    }
}

/*
 * Compilers register kernels before main, which must not initialise HIP, and every release
 * registers them alike.
 */
static hs_function early_entry(const struct hs_runtime *early, unsigned function)
{
    static const struct {
        unsigned function;
        hs_function entry;
    } entries[] = {
#define HS_FORWARD(name) {HS_FN_##name, (hs_function)hs_emitted_##name},
#include "hip/registration_emitted.h"
    };
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (entries[i].function == function) {
            pthread_once(&once, describe_runtime);
            return is_needed ? entries[i].entry
                             : (hs_function)hs_loader_symbol(early, hs_tables_name(function), 0);
        }
    }
    return NULL;
}

static void opened(const struct hs_runtime *runtime)
{
    hs_module_code_adapt(runtime);
    hs_registered_update();
}

const struct hs_hooks hs_hooks = {
    .runtime_opened = opened,
    .early_entry = early_entry,
    .failed = hs_last_error_failed,
};
