/* SPDX-License-Identifier: MIT */
#include "kernel/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/structure.h"
#include "base/texts.h"

/* Far more than any caller has; keeps sums of these numbers from overflowing. */
enum { MOST_ITEMS = 1 << 20 };

static hipshim_status_t invalid(const char *reason)
{
    hs_error_set("hipshim_kernel_compile: %s", reason);
    return HIPSHIM_ERROR_INVALID;
}

/*
 * Compilers write a header under its name below a temporary directory, so the
 * name must not lead out of that.
 */
static bool leads_out(const char *name)
{
    const char *at = name;
    size_t length = strcspn(at, "/");

    while (at[length] && (length != 2 || memcmp(at, "..", 2) != 0)) {
        at += length + 1;
        length = strcspn(at, "/");
    }
    return *name == '/' || (length == 2 && memcmp(at, "..", 2) == 0);
}

bool hs_kernel_options_give(const hipshim_kernel_options_t *options, const char *name,
                            size_t length)
{
    for (size_t i = 0; i < options->header_count; i++) {
        const char *given = options->headers[i].name;

        if (strlen(given) == length && memcmp(given, name, length) == 0) {
            return true;
        }
    }
    return false;
}

static hipshim_status_t check_headers(const hipshim_kernel_options_t *options)
{
    for (size_t i = 0; i < options->header_count; i++) {
        if (!options->headers[i].name || !options->headers[i].text) {
            return invalid("a header's `name` or `text` is NULL");
        }
        if (leads_out(options->headers[i].name)) {
            hs_error_set("hipshim_kernel_compile: a header's name leads out of its directory: "
                         "%.200s",
                         options->headers[i].name);
            return HIPSHIM_ERROR_INVALID;
        }
    }
    return HIPSHIM_OK;
}

static hipshim_status_t check_lists(const hipshim_kernel_options_t *options)
{
    if ((options->option_count | options->header_count | options->expression_count |
         options->file_count) > MOST_ITEMS) {
        return invalid("too many options, headers, expressions or files");
    }
    if (!hs_texts_are_set(options->options, options->option_count) ||
        !hs_texts_are_set(options->expressions, options->expression_count) ||
        !hs_texts_are_set(options->files, options->file_count) ||
        (!options->headers && options->header_count > 0)) {
        return invalid("NULL among the options, expressions, headers or files");
    }
    for (size_t i = 0; i < options->option_count; i++) {
        if (strstr(options->options[i], "-offload-arch") ||
            strstr(options->options[i], "--gpu-architecture")) {
            return invalid("an option names the architecture, which belongs in `arch`");
        }
    }
    return check_headers(options);
}

/* "6.4" or "6.4.43484"; each number has the room that it has in hipRuntimeGetVersion. */
static bool read_release(const char *text, char release[HS_KERNEL_RELEASE])
{
    static const unsigned long limits[] = {99, 99, 99999};
    unsigned long numbers[3] = {0};
    size_t count = 0;
    char *end;

    do {
        if (*text < '0' || *text > '9') {
            return false;
        }
        numbers[count] = strtoul(text, &end, 10);
        if (numbers[count] > limits[count]) {
            return false;
        }
        text = end + 1;
    } while (++count < 3 && *end == '.');
    snprintf(release, HS_KERNEL_RELEASE, "%lu.%lu.%lu", numbers[0], numbers[1], numbers[2]);
    return !*end && count > 1;
}

/* The release that counts instead of the runtime's: the caller's, or the environment's. */
static hipshim_status_t take_release(struct hs_kernel_job *job)
{
    const char *given = job->options.hip_version, *place = "hip_version";

    if (!given || !*given) {
        given = secure_getenv("HIPSHIM_HIP_VERSION");
        place = "HIPSHIM_HIP_VERSION";
    }
    job->is_release_given = given && *given;
    if (job->is_release_given && !read_release(given, job->release)) {
        hs_error_set("\"%.100s\" in %s is not a version of HIP, such as 6.4 or 6.4.43484", given,
                     place);
        return HIPSHIM_ERROR_INVALID;
    }
    return HIPSHIM_OK;
}

hipshim_status_t hs_kernel_options_read(struct hs_kernel_job *job,
                                        const hipshim_kernel_options_t *given)
{
    hipshim_kernel_options_t *options = &job->options;

    memset(job, 0, sizeof *job);
    const char *why = hs_structure_take(options, sizeof *options, given);
    if (why) {
        return invalid(why);
    }
    options->name = options->name && *options->name ? options->name : "kernel.hip";
    if (!options->source) {
        return invalid("`source` is NULL");
    }
    if (options->flags & ~(unsigned)(HIPSHIM_KERNEL_NO_CACHE | HIPSHIM_KERNEL_HIPCC)) {
        return invalid("`flags` has an unknown bit");
    }
    hipshim_status_t status = check_lists(options);

    return status == HIPSHIM_OK ? take_release(job) : status;
}
