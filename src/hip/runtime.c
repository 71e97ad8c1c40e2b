/* SPDX-License-Identifier: MIT */
/* The part of hipshim.h about the runtime in use. */
#include <hipshim/hipshim.h>

#include <hip/hip_version.h>

#include <string.h>

#include "base/error.h"
#include "engine/dispatch.h"
#include "engine/loader.h"
#include "engine/search_log.h"
#include "engine/tables.h"
#include "hip/find.h"

static hipshim_status_t check(const struct hs_runtime *runtime)
{
    if (!runtime->handle) {
        hs_error_set("%s", runtime->reason);
        return HIPSHIM_ERROR_NO_RUNTIME;
    }
    return HIPSHIM_OK;
}

hipshim_status_t hipshim_init(void)
{
    return check(hs_dispatch_runtime());
}

const char *hipshim_status_text(hipshim_status_t status)
{
    static const char *const texts[] = {
        [-HIPSHIM_OK] = "no error",
        [-HIPSHIM_ERROR_NO_RUNTIME] = "no usable HIP runtime was found",
        [-HIPSHIM_ERROR_INVALID] = "invalid argument",
        [-HIPSHIM_ERROR_UNKNOWN_FUNCTION] = "no known HIP release has this function",
        [-HIPSHIM_ERROR_COMPILATION] = "the compiler refused the kernel",
        [-HIPSHIM_ERROR_NO_COMPILER] = "there is neither hiprtc nor a HIP compiler",
        [-HIPSHIM_ERROR_NO_ARCH] = "no GPU architecture was given, and none was found",
        [-HIPSHIM_ERROR_NO_MEMORY] = "out of memory",
        [-HIPSHIM_ERROR_SYSTEM] = "the operating system refused a request",
        [-HIPSHIM_ERROR_NO_CODE] = "no embedded code object fits the device",
    };
    /* Unsigned, so that INT_MIN has a negative, too. */
    unsigned number = 0u - (unsigned)status;

    return number < sizeof texts / sizeof texts[0] ? texts[number] : "unknown status";
}

const char *hipshim_error_text(void)
{
    return hs_error_get();
}

/* API sets are named after their first release; this is the release that was matched. */
static hipshim_release_t matched_release(const struct hs_runtime *runtime)
{
    const struct hs_release *known = &hs_releases[runtime->nearest];
    return (hipshim_release_t){known->major, known->minor, known->patch};
}

static void describe_runtime(const struct hs_runtime *runtime, hipshim_runtime_t *answer)
{
    /* Without a settled answer each function would search again. */
    for (unsigned i = 0; i < hs_function_count && hs_loader_is_settled(); i++) {
        answer->kinds[hs_dispatch_kind(i)]++;
    }
    const struct hs_companion *hiprtc = hs_loader_companion(runtime, 1);
    answer->match = runtime->match;
    answer->match_text = runtime->match_text;
    answer->found_by = runtime->found_by;
    answer->path = runtime->path;
    answer->soname = runtime->soname;
    answer->hiprtc_path = hiprtc->path;
    answer->hiprtc_text = hiprtc->reason;
    answer->no_runtime_text = runtime->reason;
    if (runtime->handle) {
        answer->release =
            (hipshim_release_t){(unsigned)runtime->major, (unsigned)runtime->minor, runtime->patch};
        answer->api_set = hs_tables_api_set((unsigned)runtime->api_set);
        answer->used_as = matched_release(runtime);
    }
}

hipshim_status_t hipshim_runtime_info(hipshim_runtime_t *info)
{
    hipshim_runtime_t answer = {
        .stable = {HIP_VERSION_MAJOR, HIP_VERSION_MINOR, HIP_VERSION_PATCH},
    };
    if (!info || info->size < sizeof info->size) {
        return hs_api_give(info, &answer, sizeof answer,
                           "hipshim_runtime_info"); /* before it opens */
    }
    /* A search that lacked memory is repeated by the next call, so this one asks once. */
    const struct hs_runtime *runtime = hs_dispatch_runtime();

    describe_runtime(runtime, &answer);
    hs_api_give(info, &answer, sizeof answer, "hipshim_runtime_info");
    return check(runtime);
}

const char *hipshim_runtime_path(void)
{
    const struct hs_runtime *runtime = hs_dispatch_runtime();

    return runtime->handle ? runtime->path : NULL;
}

unsigned hipshim_step_count(void)
{
    hs_dispatch_runtime();
    return hs_search_log_count();
}

hipshim_status_t hipshim_step_info(unsigned index, hipshim_step_t *info)
{
    hs_dispatch_runtime();
    const struct hs_search_step *step = hs_search_log_get(index);
    if (!step) {
        hs_error_set("hipshim_step_info: index %u is not below %u", index, hs_search_log_count());
        return HIPSHIM_ERROR_INVALID;
    }
    const hipshim_step_t answer = {
        .source = step->source,
        .outcome = step->outcome,
        .subject = step->subject,
        .reason = step->reason,
    };
    return hs_api_give(info, &answer, sizeof answer, "hipshim_step_info");
}

hipshim_status_t hipshim_function_info(const char *name, hipshim_function_t *info)
{
    unsigned function;
    hipshim_status_t status = hs_api_find("hipshim_function_info", name, &function);
    if (status != HIPSHIM_OK) {
        return status;
    }
    const struct hs_function_entry *entry = &hs_function_entries[function];
    hipshim_function_t answer;
    memset(&answer, 0, sizeof answer); /* also the padding, which an initializer leaves as it is */
    answer.kind = hs_dispatch_kind(function);
    answer.since = hs_tables_api_set(entry->first);
    answer.removed = hs_tables_api_set(entry->last + 1u);
    answer.name = hs_tables_name(function);
    return hs_api_give(info, &answer, sizeof answer, "hipshim_function_info");
}

hipshim_address_t hipshim_function_address(const char *name)
{
    unsigned function;
    hipshim_status_t status = hs_api_find("hipshim_function_address", name, &function);
    return status == HIPSHIM_OK ? hs_dispatch_address(function) : NULL;
}

unsigned hipshim_function_count(void)
{
    return hs_function_count;
}

const char *hipshim_function_name(unsigned index)
{
    return index < hs_function_count ? hs_tables_name(index) : NULL;
}
