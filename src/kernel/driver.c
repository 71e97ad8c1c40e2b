/* SPDX-License-Identifier: MIT */
/*
 * Finds the compiler to start in a process of its own: ROCm's clang++, or hipcc
 * where there is no such clang++.  hipcc starts the same clang++, but is a script
 * in some releases, which passes words to a shell.
 */
#include "kernel/kernel.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/program.h"
#include "base/texts.h"
#include "base/variable.h"

/* <prefix>/lib/<triple>/libamdhip64.so is three directories below the prefix. */
enum { LIBRARY_DEPTH = 3 };

static bool exists(const char *prefix, const char *below)
{
    char path[PATH_MAX];

    return snprintf(path, sizeof path, "%s/%s", prefix, below) < PATH_MAX &&
           access(path, R_OK) == 0;
}

static bool set_program(struct hs_driver *driver, const char *directory, const char *name)
{
    return snprintf(driver->program, sizeof driver->program, "%s/%s", directory, name) < PATH_MAX &&
           hs_program_is_executable(driver->program);
}

/* The last match in the order of version numbers; false if there is none. */
static bool find_newest(const char *prefix, const char *pattern, char path[PATH_MAX])
{
    char whole[PATH_MAX];
    glob_t found;
    const char *newest = NULL;

    if (snprintf(whole, sizeof whole, "%s/%s", prefix, pattern) >= PATH_MAX ||
        glob(whole, GLOB_NOSORT, NULL, &found) != 0) {
        return false;
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *one = found.gl_pathv[i];

        newest = !newest || strverscmp(one, newest) > 0 ? one : newest;
    }
    bool fits = newest && snprintf(path, PATH_MAX, "%s", newest) < PATH_MAX;

    globfree(&found);
    return fits;
}

/*
 * Distributions have ROCm in /usr, where a clang++ is LLVM's own.  It compiles for
 * GPUs only with the device libraries.
 */
static bool find_distribution_clang(struct hs_driver *driver, const char *prefix)
{
    static const char *const device_libs[] = {"lib/*/amdgcn/bitcode", "amdgcn/bitcode",
                                              "lib/llvm-*/lib/clang/*/amdgcn/bitcode"};
    char bin[PATH_MAX];

    if (!find_newest(prefix, "lib/llvm-*/bin", bin) || !set_program(driver, bin, "clang++")) {
        return false;
    }
    for (size_t i = 0; i < sizeof device_libs / sizeof device_libs[0]; i++) {
        if (find_newest(prefix, device_libs[i], driver->device_libs)) {
            return true;
        }
    }
    return false;
}

static bool find_clang(struct hs_driver *driver, const char *prefix)
{
    static const char *const directories[] = {"llvm/bin", "lib/llvm/bin"};
    const char *chosen = hs_variable_path("HIP_CLANG_PATH");
    char path[PATH_MAX];
    bool is_found = chosen && set_program(driver, chosen, "clang++");

    if (chosen && !is_found) {
        hs_variable_refuse("HIP_CLANG_PATH", chosen, "a directory with a clang++");
    }
    for (size_t i = 0; i < sizeof directories / sizeof directories[0] && !is_found; i++) {
        is_found = snprintf(path, sizeof path, "%s/%s", prefix, directories[i]) < PATH_MAX &&
                   set_program(driver, path, "clang++");
    }
    is_found = is_found || find_distribution_clang(driver, prefix);
    return is_found && snprintf(driver->rocm, sizeof driver->rocm, "%s", prefix) < PATH_MAX;
}

/* Either compiler of a ROCm prefix. */
static bool find_in(struct hs_driver *driver, const char *prefix)
{
    char bin[PATH_MAX];

    *driver = (struct hs_driver){0};
    if (*prefix != '/') {
        return false; /* it would depend on the current directory */
    }
    if (exists(prefix, "include/hip/hip_runtime.h") && find_clang(driver, prefix)) {
        return true;
    }
    *driver = (struct hs_driver){.is_hipcc = true};
    return snprintf(bin, sizeof bin, "%s/bin", prefix) < PATH_MAX &&
           set_program(driver, bin, "hipcc");
}

static bool find_above(struct hs_driver *driver, const char *file, int depth)
{
    char prefix[PATH_MAX];

    if (!file || snprintf(prefix, sizeof prefix, "%s", file) >= PATH_MAX) {
        return false;
    }
    for (int up = 0; up < depth; up++) {
        char *slash = strrchr(prefix, '/');

        if (!slash || slash == prefix) {
            return false;
        }
        *slash = '\0';
        if (find_in(driver, prefix)) {
            return true;
        }
    }
    return false;
}

/* hipcc in PATH, or the clang++ of the ROCm that it belongs to. */
static bool find_by_path(struct hs_driver *driver)
{
    char hipcc[PATH_MAX], target[PATH_MAX];

    if (!hs_program_find("hipcc", hipcc)) {
        return false;
    }
    if (realpath(hipcc, target) && find_above(driver, target, LIBRARY_DEPTH) && !driver->is_hipcc) {
        return true;
    }
    *driver = (struct hs_driver){.is_hipcc = true};
    memcpy(driver->program, hipcc, sizeof hipcc);
    return true;
}

bool hs_driver_find(const struct hs_kernel_job *job, struct hs_driver *driver)
{
    static const char *const prefixes[] = {"HIP_PATH", "ROCM_PATH", "ROCM_HOME"};

    *driver = (struct hs_driver){.is_hipcc = true};
    if (job->options.hipcc) {
        return (size_t)snprintf(driver->program, PATH_MAX, "%s", job->options.hipcc) < PATH_MAX &&
               hs_program_is_executable(driver->program);
    }
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        const char *prefix = secure_getenv(prefixes[i]);

        if (prefix && find_in(driver, prefix)) {
            return true;
        }
    }
    return find_above(driver, job->runtime, LIBRARY_DEPTH) || find_by_path(driver) ||
           find_in(driver, "/usr");
}

/*
 * hipcc of HIP 5 quotes most words for its shell.  It does not quote those that it
 * takes for libraries, lists of arguments, architectures or outputs, and it loses
 * line ends.
 */
bool hs_driver_is_risky(const char *word, const char *before)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_=:+,@./";

    if (strchr(word, '\n')) {
        return true;
    }
    return word[strspn(word, plain)] != '\0' &&
           (hs_text_ends(word, ".a") || hs_text_ends(word, ".lo") || hs_text_begins(word, "@") ||
            hs_text_begins(word, "-Wl,@") || hs_text_begins(word, "--amdgpu-target=") ||
            strstr(word, "--amdhsa-code-object-version=") || strcmp(before, "-o") == 0);
}
