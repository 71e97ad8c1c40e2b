/* SPDX-License-Identifier: MIT */
/*
 * hipshim cache warm: compiles sources, so that programs find them in the cache.
 */
#include "tool/cache/cache.h"

#include <hipshim/kernel.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/read.h"
#include "tool/terminal.h"

static bool warm_one(const struct cache_request *request, const char *path, const char *text,
                     const char *arch)
{
    static const char *const origins[] = {"nothing", "compiled", "there already",
                                          "compiled by hipcc"};
    hipshim_kernel_options_t options = {.size = sizeof options,
                                        .source = text,
                                        .name = request->source_name ? request->source_name : path,
                                        .arch = arch,
                                        .options = (const char *const *)request->options.items,
                                        .option_count = request->options.count,
                                        .expressions =
                                            (const char *const *)request->expressions.items,
                                        .expression_count = request->expressions.count};
    hipshim_kernel_t *kernel;
    hipshim_status_t status = hipshim_kernel_compile(&options, &kernel);
    const char *message = hipshim_kernel_cache_message(kernel);
    bool is_kept = status == HIPSHIM_OK && !*message;

    tool_progress_end();
    fputs(hipshim_kernel_log(kernel), stderr);
    if (status != HIPSHIM_OK) {
        tool_complain(CACHE_COMMAND, "%s: %s", path, hipshim_error_text());
    } else {
        printf("%s for %s: %s%s%s\n", path, hipshim_kernel_arch(kernel),
               origins[hipshim_kernel_origin(kernel)], *message ? ", " : "", message);
    }
    hipshim_kernel_free(kernel);
    return is_kept;
}

int cache_warm(const void *context, char **sources)
{
    const struct cache_request *request = context;
    const struct hs_words *archs = &request->architectures;
    size_t count = archs->count > 0 ? archs->count : 1; /* that of this machine */
    size_t done = 0, all = count * (size_t)(request->words.count - 1);
    bool is_complete = true, is_read = true;

    /* Only the wish for no cache is an error here; hipshim_kernel_compile reports all others. */
    if (request->cache->is_disabled) {
        tool_complain(CACHE_COMMAND, "there is no cache: %s", cache_reason(request->cache));
        return TOOL_NO;
    }
    for (char **path = sources; path < sources + request->words.count - 1; path++) {
        size_t size;
        char *text = hs_read_file(*path, &size);

        if (!text) {
            tool_complain(CACHE_COMMAND, "%s: %s", *path, strerror(errno));
            is_read = false;
        }
        for (size_t j = 0; text && j < count; j++) {
            tool_progress(CACHE_COMMAND ": %zu of %zu compiled", done++, all);
            is_complete &=
                warm_one(request, *path, text, archs->count > 0 ? archs->items[j] : NULL);
        }
        free(text);
    }
    return !is_read ? TOOL_USAGE : is_complete ? TOOL_OK : TOOL_NO;
}
