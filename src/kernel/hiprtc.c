/* SPDX-License-Identifier: MIT */
#include "kernel/kernel.h"

#include "dispatch/dispatch.h"
#include "base/error.h"

#include <hip/hiprtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hs_kernel_output_free(struct hs_kernel_output *output)
{
    free(output->code);
    free(output->log);
    free(output->names);
    memset(output, 0, sizeof *output);
}

static hipshim_status_t no_memory(void)
{
    hs_error_set("no memory to compile a kernel");
    return HIPSHIM_ERROR_NO_MEMORY;
}

static hipshim_status_t failed(const struct hs_kernel_job *job, const char *call,
                               hiprtcResult result, const struct hs_kernel_output *output)
{
    int has_log = output->log && *output->log;

    if (result == HIPRTC_ERROR_OUT_OF_MEMORY) {
        return no_memory();
    }
    if (result == HIPRTC_ERROR_COMPILATION) {
        hs_error_set("%.100s does not compile for %s with HIP %s; %s", job->options.name, job->arch,
                     job->release,
                     has_log ? "the log says why"
                             : "its compiler gives no reason; it may not know that architecture");
    } else {
        hs_error_set("%.100s for %s with HIP %s: %s says %s%s", job->options.name, job->arch,
                     job->release, call, hiprtcGetErrorString(result),
                     has_log ? "; the log may say more" : "");
    }
    return HIPSHIM_ERROR_COMPILATION;
}

static void take_log(hiprtcProgram program, struct hs_kernel_output *output)
{
    size_t size = 0;

    if (hiprtcGetProgramLogSize(program, &size) != HIPRTC_SUCCESS || size == 0) {
        return;
    }
    output->log = calloc(1, size + 1); /* the size counts the null on some releases only */
    if (output->log && hiprtcGetProgramLog(program, output->log) != HIPRTC_SUCCESS) {
        output->log[0] = '\0';
    }
}

static hipshim_status_t take_code(const struct hs_kernel_job *job, hiprtcProgram program,
                                  struct hs_kernel_output *output)
{
    hiprtcResult result = hiprtcGetCodeSize(program, &output->code_size);

    if (result != HIPRTC_SUCCESS || output->code_size == 0) {
        return failed(job, "hiprtcGetCodeSize", result, output);
    }
    output->code = malloc(output->code_size);
    if (!output->code) {
        return no_memory();
    }
    result = hiprtcGetCode(program, output->code);
    return result == HIPRTC_SUCCESS ? HIPSHIM_OK : failed(job, "hiprtcGetCode", result, output);
}

static hipshim_status_t take_names(const struct hs_kernel_job *job, hiprtcProgram program,
                                   struct hs_kernel_output *output)
{
    FILE *stream;
    int broken;

    if (job->options.expression_count == 0) {
        return HIPSHIM_OK;
    }
    stream = open_memstream(&output->names, &output->names_size);
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
    broken = ferror(stream);
    return fclose(stream) != 0 || broken ? no_memory() : HIPSHIM_OK;
}

static hipshim_status_t run(const struct hs_kernel_job *job, hiprtcProgram program,
                            const char **options, struct hs_kernel_output *output)
{
    char arch[HS_ARCH_ROOM + 20];
    hiprtcResult result;
    hipshim_status_t status;
    size_t count = job->options.option_count;

    for (size_t i = 0; i < job->options.expression_count; i++) {
        result = hiprtcAddNameExpression(program, job->options.expressions[i]);
        if (result != HIPRTC_SUCCESS) {
            return failed(job, "hiprtcAddNameExpression", result, output);
        }
    }
    snprintf(arch, sizeof arch, "--offload-arch=%s", job->arch);
    if (count > 0) {
        memcpy(options, job->options.options, count * sizeof *options);
    }
    options[count] = arch;
    result = hiprtcCompileProgram(program, (int)count + 1, options);
    take_log(program, output);
    if (result != HIPRTC_SUCCESS) {
        return failed(job, "hiprtcCompileProgram", result, output);
    }
    status = take_code(job, program, output);
    return status == HIPSHIM_OK ? take_names(job, program, output) : status;
}

/*
 * What this header declares hiprtc has built in, but some releases look for the
 * file all the same when a source includes it, and do not find it.
 */
static const char built_in[] = "hip/hip_runtime.h";

static int is_given(const struct hs_kernel_job *job, const char *name)
{
    for (size_t i = 0; i < job->options.header_count; i++) {
        if (strcmp(job->options.headers[i].name, name) == 0) {
            return 1;
        }
    }
    return 0;
}

static void name_source(struct hs_kernel_output *output, const char *inner, const char *name)
{
    char *log = output->log ? hs_log_paths_rename(output->log, inner, name) : NULL;

    if (log) {
        free(output->log);
        output->log = log;
    }
}

/*
 * hiprtc writes the source, and its objects, by this name below a directory of its
 * own; ".." would lead out of that, to files of others and of other compilations.
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

hipshim_status_t hs_hiprtc_compile(const struct hs_kernel_job *job,
                                       struct hs_kernel_output *output)
{
    size_t given = job->options.header_count, headers = given + !is_given(job, built_in);
    const char **lists = calloc(2 * headers + job->options.option_count + 1, sizeof *lists);
    char *name = inner_name(job->options.name);
    hiprtcProgram program = NULL;
    hipshim_status_t status;
    hiprtcResult result;

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
    result = hiprtcCreateProgram(&program, job->options.source, name, (int)headers, lists,
                                 lists + headers);
    if (result != HIPRTC_SUCCESS) {
        status = failed(job, "hiprtcCreateProgram", result, output);
    } else {
        status = run(job, program, lists + 2 * headers, output);
        name_source(output, name, job->options.name);
        hiprtcDestroyProgram(&program);
    }
    free(name);
    free(lists);
    return status;
}
