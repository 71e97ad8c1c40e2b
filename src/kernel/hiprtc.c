/* SPDX-License-Identifier: MIT */
#include "kernel/kernel.h"

#include <hip/hiprtc.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { OWN_OPTIONS = 2 }; /* architecture and version */

static hipshim_status_t no_memory(void)
{
    hs_error_set("hipshim_kernel_compile: no memory");
    return HIPSHIM_ERROR_NO_MEMORY;
}

static hipshim_status_t fail(const struct hs_kernel_job *job, const char *call, hiprtcResult result,
                             const struct hs_kernel_output *output)
{
    bool has_log = output->log && *output->log;

    if (result == HIPRTC_ERROR_OUT_OF_MEMORY) {
        return no_memory();
    }
    if (result == HIPRTC_ERROR_INVALID_OPTION && *hs_error_get()) {
        hs_error_set("%.100s does not compile for %s with HIP %s: %s", job->options.name, job->arch,
                     job->release, hs_error_get());
    } else if (result == HIPRTC_ERROR_COMPILATION) {
        hs_error_set("%.100s does not compile for %s with HIP %s; %s", job->options.name, job->arch,
                     job->release,
                     has_log ? "the log has the reason"
                             : "the compiler gives no reason; it may not know this architecture");
    } else {
        hs_error_set("%.100s for %s with HIP %s: %s says %s%s", job->options.name, job->arch,
                     job->release, call, hiprtcGetErrorString(result),
                     has_log ? "; the log may have the reason" : "");
    }
    return HIPSHIM_ERROR_COMPILATION;
}

static void take_log(hiprtcProgram program, struct hs_kernel_output *output)
{
    size_t size = 0;

    if (hiprtcGetProgramLogSize(program, &size) != HIPRTC_SUCCESS || size == 0) {
        return;
    }
    output->log = calloc(1, size + 1); /* only some releases count the final zero */
    if (output->log && hiprtcGetProgramLog(program, output->log) != HIPRTC_SUCCESS) {
        output->log[0] = '\0';
    }
}

static hipshim_status_t take_code(const struct hs_kernel_job *job, hiprtcProgram program,
                                  struct hs_kernel_output *output)
{
    hiprtcResult result = hiprtcGetCodeSize(program, &output->code_size);

    if (result != HIPRTC_SUCCESS || output->code_size == 0) {
        return fail(job, "hiprtcGetCodeSize", result, output);
    }
    output->code = malloc(output->code_size);
    if (!output->code) {
        output->code_size = 0;
        return no_memory();
    }
    result = hiprtcGetCode(program, output->code);
    return result == HIPRTC_SUCCESS ? HIPSHIM_OK : fail(job, "hiprtcGetCode", result, output);
}

static hipshim_status_t take_names(const struct hs_kernel_job *job, hiprtcProgram program,
                                   struct hs_kernel_output *output)
{
    if (job->options.expression_count == 0) {
        return HIPSHIM_OK;
    }
    FILE *stream = open_memstream(&output->names, &output->names_size);
    if (!stream) {
        return no_memory();
    }
    for (size_t i = 0; i < job->options.expression_count; i++) {
        const char *expression = job->options.expressions[i], *lowered = NULL;
        hiprtcResult result = hiprtcGetLoweredName(program, expression, &lowered);

        if (result != HIPRTC_SUCCESS || !lowered) {
            fclose(stream);
            hs_error_set("%.100s: hiprtc has no name for \"%.100s\": %s", job->options.name,
                         expression, hiprtcGetErrorString(result));
            return HIPSHIM_ERROR_COMPILATION;
        }
        fwrite(expression, 1, strlen(expression) + 1, stream);
        fwrite(lowered, 1, strlen(lowered) + 1, stream);
    }
    bool is_broken = ferror(stream) != 0;

    return fclose(stream) != 0 || is_broken ? no_memory() : HIPSHIM_OK;
}

static hipshim_status_t run(const struct hs_kernel_job *job, hiprtcProgram program,
                            const char **options, struct hs_kernel_output *output)
{
    char arch[HS_ARCH_ROOM + 20], version[HS_KERNEL_RELEASE + 20];
    hiprtcResult result;
    hipshim_status_t status;
    size_t count = job->options.option_count;

    for (size_t i = 0; i < job->options.expression_count; i++) {
        result = hiprtcAddNameExpression(program, job->options.expressions[i]);
        if (result != HIPRTC_SUCCESS) {
            return fail(job, "hiprtcAddNameExpression", result, output);
        }
    }
    snprintf(arch, sizeof arch, "--offload-arch=%s", job->arch);
    if (count > 0) {
        memcpy(options, job->options.options, count * sizeof *options);
    }
    options[count++] = arch;
    if (job->is_release_given) {
        snprintf(version, sizeof version, "--hip-version=%s", job->release);
        options[count++] = version;
    }
    hs_error_set("%s", "");
    result = hiprtcCompileProgram(program, (int)count, options);
    take_log(program, output);
    if (result != HIPRTC_SUCCESS) {
        return fail(job, "hiprtcCompileProgram", result, output);
    }
    status = take_code(job, program, output);
    return status == HIPSHIM_OK ? take_names(job, program, output) : status;
}

static void rename_source(struct hs_kernel_output *output, const char *inner, const char *name)
{
    char *log = output->log ? hs_log_paths_rename(output->log, inner, name) : NULL;

    if (log) {
        free(output->log);
        output->log = log;
    }
}

/*
 * hiprtc writes the source under its name below a temporary directory; ".." in it
 * would lead out of that, to files of other compilations.
 */
static char *inner_name(const char *name)
{
    char *inner = strdup(name);

    for (char *at = inner; at && (at = strstr(at, "..")) != NULL; at += 2) {
        if ((at == inner || at[-1] == '/') && (at[2] == '/' || !at[2])) {
            memset(at, '_', 2);
        }
    }
    return inner;
}

hipshim_status_t hs_hiprtc_compile(const struct hs_kernel_job *job, struct hs_kernel_output *output)
{
    static const char built_in[] = HS_KERNEL_BUILT_IN;
    size_t given = job->options.header_count;
    size_t headers = given + !hs_kernel_options_give(&job->options, built_in, sizeof built_in - 1);
    const char **lists =
        calloc(2 * headers + job->options.option_count + OWN_OPTIONS, sizeof *lists);
    char *name = inner_name(job->options.name);
    hiprtcProgram program = NULL;
    hipshim_status_t status;

    memset(output, 0, sizeof *output);
    if (!lists || !name) {
        free(lists);
        free(name);
        return no_memory();
    }
    for (size_t i = 0; i < headers; i++) {
        lists[i] = i < given ? job->options.headers[i].text : "\n";
        lists[headers + i] = i < given ? job->options.headers[i].name : built_in;
    }
    hiprtcResult result = hiprtcCreateProgram(&program, job->options.source, name, (int)headers,
                                              lists, lists + headers);

    if (result != HIPRTC_SUCCESS) {
        status = fail(job, "hiprtcCreateProgram", result, output);
    } else {
        status = run(job, program, lists + 2 * headers, output);
        rename_source(output, name, job->options.name);
        hiprtcDestroyProgram(&program);
    }
    free(name);
    free(lists);
    return status;
}
