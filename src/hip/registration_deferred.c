/* SPDX-License-Identifier: MIT */
/* The hooks in libhipshim. */
#include "hip/registration_calls.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/at_exit.h"
#include "caller_abi.h"
#include "engine/dispatch.h"
#include "engine/hooks.h"
#include "functions.h"
#include "hip/last_error.h"
#include "hip/registration.h"
#include "hip/registration_modules.h"

enum { DEVICES = 64 };

static const bool takes_registered[HS_FUNCTION_COUNT] = {
#define HS_REGISTERED(name, ...) [HS_FN_##name] = true,
#include "registered_functions.h"
};

/*
 * `is_direct` is set when a call needs what is registered: a fat binary that comes later is handed
 * over as it comes.  `is_done` is set after all that was there is handed over; from then on the
 * slots are as those of other functions.
 */
static atomic_bool is_direct;
static atomic_bool is_done;

static bool defers(unsigned function)
{
    return takes_registered[function] && !is_done;
}

struct devices {
    struct hs_registration_reader reader;
    const char *names[DEVICES];
    char text[DEVICES][sizeof((hipDeviceProp_t *)0)->gcnArchName];
};

/* The first thread's answer, which stays; NULL without a GPU or without memory. */
static const struct hs_registration_reader *find_devices(const struct hs_runtime *runtime)
{
    static struct devices *_Atomic known;
    struct devices *devices = known, *none = NULL;
    int count = 0;

    if (devices) {
        return &devices->reader;
    }
    if (HS_SLOT(hipGetDeviceCount)(&count) != hipSuccess || count < 1 ||
        !(devices = calloc(1, sizeof *devices))) {
        return NULL;
    }
    for (int i = 0; i < count && i < DEVICES; i++) {
        hipDeviceProp_t properties;

        if (HS_SLOT(hipGetDevicePropertiesR0600)(&properties, i) == hipSuccess) {
            char *text = devices->text[devices->reader.device_count];

            memcpy(text, properties.gcnArchName, sizeof properties.gcnArchName);
            devices->names[devices->reader.device_count++] = text;
        }
    }
    devices->reader.devices = devices->names;
    hs_registered_describe(&devices->reader, runtime->major, runtime->minor);
    if (!atomic_compare_exchange_strong(&known, &none, devices)) {
        free(devices);
        return &none->reader;
    }
    return &devices->reader;
}

/*
 * Without kernels the devices are not queried.  `is_direct` is set before the list is read, so that
 * a record that another thread adds meanwhile is not missed.
 */
static void hand_over_all(void)
{
    const struct hs_runtime *runtime = hs_dispatch_runtime();

    if (!runtime->handle) {
        return;
    }
    is_direct = true;
    if (hs_registration_has_any()) {
        const struct hs_registration_reader *reader = find_devices(runtime);

        if (!reader) {
            return;
        }
        hs_registration_hand_over(runtime, reader);
    }
    is_done = true;
    hs_registered_update();
}

void hs_registered_added(void)
{
    if (is_direct) {
        hand_over_all();
    }
}

/*
 * This handler is registered later than the runtime's own and so runs before them.  It is
 * registered early, so that it runs after the destructors of objects that are constructed later:
 * these may close plugins, whose kernels have to be unregistered.
 */
static void until_exit(void)
{
    hs_at_exit(hs_registration_end);
}

static void before_call(unsigned function)
{
    if (defers(function)) {
        hand_over_all();
    }
}

/*
 * The host reads a managed variable without a call, so its memory has to be there from now on.  HIP
 * 5.2 crashes over a managed variable on a thread that has made no HIP call yet.
 */
void hs_registered_managed(void)
{
    before_call(HS_FN_hipLaunchKernel);
    if (hs_dispatch_has_runtime()) {
        HS_SLOT(hipPeekAtLastError)();
    }
}

static void opened(const struct hs_runtime *runtime)
{
    hs_module_code_adapt(runtime);
    hs_registered_update();
}

const struct hs_hooks hs_hooks = {
    .before_exit_handler = until_exit,
    .runtime_opened = opened,
    .defers = defers,
    .before_call = before_call,
    .failed = hs_last_error_failed,
};
