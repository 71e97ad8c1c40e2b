/* SPDX-License-Identifier: MIT */
/*
 * hipshim/kernel.h on a machine without a runtime: arguments, and hipcc, which
 * a script stands in for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <hipshim/kernel.h>

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch[] = "/tmp/hipshim-kernel-XXXXXX", hipcc[100];

/* Says what it was given, copies the source, fails at "#error". */
static const char script[] = "#!/bin/sh\n"
                             "for one; do echo \"<$one>\"; done\n"
                             "while [ $# -gt 1 ]; do\n"
                             "    case $1 in -o) out=$2 ;; -I*) inc=${1#-I} ;; esac\n"
                             "    shift\n"
                             "done\n"
                             "[ ! -d \"$inc\" ] || cat \"$inc\"/sub/* || exit 3\n"
                             "! grep -q '#error' \"$1\" || { echo \"$1: refused\" >&2; exit 1; }\n"
                             "cp \"$1\" \"$out\"\n";

static int set_up(void **state)
{
    FILE *file;

    (void)state;
    if (!mkdtemp(scratch)) {
        return -1;
    }
    setenv("TMPDIR", scratch, 1);
    unsetenv("HIPSHIM_ARCH");
    unsetenv("HIPSHIM_HIP_VERSION");
    unsetenv("HIP_PATH");
    unsetenv("ROCM_PATH");
    unsetenv("ROCM_HOME");
    setenv("HIPSHIM_LIBRARY", "/nonexistent/libamdhip64.so.6", 1);
    snprintf(hipcc, sizeof hipcc, "%s/hipcc", scratch);
    file = fopen(hipcc, "w");
    if (!file) {
        return -1;
    }
    fputs(script, file);
    return fclose(file) == 0 && chmod(hipcc, 0700) == 0 ? 0 : -1;
}

static int tear_down(void **state)
{
    char command[100];

    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", scratch);
    return system(command);
}

#define OPTIONS(...)                                                                               \
    {                                                                                              \
        .size = sizeof(hipshim_kernel_options_t), .source = "some text\n", .arch = "gfx90a",       \
        __VA_ARGS__                                                                                \
    }

static void expect_invalid(const hipshim_kernel_options_t *options, const char *part)
{
    hipshim_kernel_t *kernel = (hipshim_kernel_t *)scratch;

    assert_int_equal(hipshim_kernel_compile(options, &kernel), HIPSHIM_ERROR_INVALID);
    assert_null(kernel);
    if (!strstr(hipshim_error_text(), part)) {
        fail_msg("no \"%s\" in \"%s\"", part, hipshim_error_text());
    }
}

static void bad_arguments_are_refused_with_a_text(void **state)
{
    static const char *const hole[] = {"-O2", NULL}, *const arch[] = {"--offload-arch=gfx90a"};
    static const hipshim_kernel_header_t header = {"name", NULL};
    hipshim_kernel_options_t options = OPTIONS(.flags = 0);

    (void)state;
    expect_invalid(NULL, "size");
    options.size = 4;
    expect_invalid(&options, "size");
    options.size = SIZE_MAX / 2; /* was never set */
    expect_invalid(&options, "size");
    options.size = sizeof options;
    options.source = NULL;
    expect_invalid(&options, "`source` is NULL");
    options.source = "text";
    options.arch = "x86";
    expect_invalid(&options, "is not an architecture");
    options.arch = "gfx90a";
    expect_invalid(&(hipshim_kernel_options_t)OPTIONS(.option_count = 1), "NULL among");
    expect_invalid(&(hipshim_kernel_options_t)OPTIONS(.options = hole, .option_count = 2),
                   "NULL among");
    expect_invalid(&(hipshim_kernel_options_t)OPTIONS(.headers = &header, .header_count = 1),
                   "`text` is NULL");
    expect_invalid(&(hipshim_kernel_options_t)OPTIONS(.options = arch, .option_count = 1),
                   "`arch`");
    expect_invalid(&(hipshim_kernel_options_t)OPTIONS(.flags = 1u << 20), "flag");
    options.size = sizeof options;
    assert_int_equal(hipshim_kernel_compile(&options, NULL), HIPSHIM_ERROR_INVALID);
}

static void nothing_is_a_kernel_without_code(void **state)
{
    size_t size = 5;

    (void)state;
    assert_null(hipshim_kernel_code(NULL, &size));
    assert_int_equal(size, 0);
    assert_null(hipshim_kernel_code(NULL, NULL));
    assert_string_equal(hipshim_kernel_log(NULL), "");
    assert_string_equal(hipshim_kernel_arch(NULL), "");
    assert_string_equal(hipshim_kernel_cache_message(NULL), "");
    assert_int_equal(hipshim_kernel_origin(NULL), HIPSHIM_KERNEL_NONE);
    assert_null(hipshim_kernel_lowered_name(NULL, "f"));
    hipshim_kernel_free(NULL);
}

static void without_a_compiler_it_says_what_is_missing(void **state)
{
    const hipshim_kernel_options_t options = OPTIONS(.hipcc = "/nonexistent/hipcc");
    hipshim_kernel_t *kernel;

    (void)state;
    assert_int_equal(hipshim_kernel_compile(&options, &kernel), HIPSHIM_ERROR_NO_RUNTIME);
    assert_non_null(strstr(hipshim_error_text(), "/nonexistent/libamdhip64.so.6"));
    assert_non_null(strstr(hipshim_error_text(), "hipcc"));
    assert_null(hipshim_kernel_code(kernel, NULL));
    assert_int_equal(hipshim_kernel_origin(kernel), HIPSHIM_KERNEL_NONE);
    assert_string_equal(hipshim_kernel_arch(kernel), "gfx90a");
    hipshim_kernel_free(kernel);
}

static void hipcc_stands_in(void **state)
{
    static const char *const more[] = {"-DX=a b; $(touch owned)", "-O3"};
    static const hipshim_kernel_header_t header = {"sub/given.h", "header text\n"};
    const hipshim_kernel_options_t options =
        OPTIONS(.hipcc = hipcc, .name = "dir/axpy.hip", .options = more, .option_count = 2,
                .headers = &header, .header_count = 1);
    hipshim_kernel_t *kernel;
    size_t size;
    const char *code, *log;

    (void)state;
    assert_int_equal(hipshim_kernel_compile(&options, &kernel), HIPSHIM_OK);
    assert_int_equal(hipshim_kernel_origin(kernel), HIPSHIM_KERNEL_BY_HIPCC);
    code = hipshim_kernel_code(kernel, &size);
    assert_int_equal(size, strlen("some text\n"));
    assert_memory_equal(code, "some text\n", size);
    log = hipshim_kernel_log(kernel);
    assert_non_null(strstr(log, "<--genco>\n<--offload-arch=gfx90a>\n"));
    /* What is given comes before what an option finds. */
    assert_non_null(strstr(log, "include>\n<-DX=a b; $(touch owned)>\n<-O3>\n"));
    assert_non_null(strstr(log, "/axpy.hip>"));
    assert_non_null(strstr(log, "header text\n"));
    assert_non_null(strstr(hipshim_kernel_cache_message(kernel), "hipcc"));
    assert_int_not_equal(access("owned", F_OK), 0);
    hipshim_kernel_free(kernel);
}

/* A hipcc that leaves something else than a file under the name of the output. */
static void output_that_is_no_file_is_refused(void **state)
{
    static const char *const makers[] = {"mkdir", "mkfifo", "ln -s /dev/zero", "ln -s /nowhere"};
    hipshim_kernel_options_t options = OPTIONS(.flags = 0);
    char odd[120];
    hipshim_kernel_t *kernel;

    (void)state;
    snprintf(odd, sizeof odd, "%s/odd", scratch);
    options.hipcc = odd;
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++) {
        FILE *file = fopen(odd, "w");

        assert_non_null(file);
        fprintf(file, "#!/bin/sh\nwhile [ $1 != -o ]; do shift; done\n%s \"$2\"\n", makers[i]);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(chmod(odd, 0700), 0);
        assert_int_equal(hipshim_kernel_compile(&options, &kernel), HIPSHIM_ERROR_COMPILATION);
        assert_null(hipshim_kernel_code(kernel, NULL));
        hipshim_kernel_free(kernel);
    }
    unlink(odd);
}

/* The structure of a caller of another age, at the end of a page that cannot be read behind. */
static void structures_of_other_ages_are_read(void **state)
{
    const long page = sysconf(_SC_PAGESIZE);
    char *pages =
        mmap(NULL, 2 * (size_t)page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    hipshim_kernel_options_t options = OPTIONS(.hipcc = hipcc, .flags = 0);
    hipshim_kernel_t *kernel;

    (void)state;
    assert_true(pages != MAP_FAILED);
    assert_int_equal(mprotect(pages + page, (size_t)page, PROT_NONE), 0);
    /* Every member is as long as a pointer, or padded to that. */
    for (size_t size = sizeof options.size; size <= sizeof options; size += sizeof(void *)) {
        void *given = pages + page - size;
        bool has_source =
            size >= offsetof(hipshim_kernel_options_t, source) + sizeof options.source;
        bool has_hipcc = size >= offsetof(hipshim_kernel_options_t, hipcc) + sizeof options.hipcc;

        options.size = size;
        memcpy(given, &options, size);
        setenv("HIPSHIM_ARCH", "gfx90a", 1);
        assert_int_equal(hipshim_kernel_compile(given, &kernel), !has_source ? HIPSHIM_ERROR_INVALID
                                                                 : has_hipcc
                                                                     ? HIPSHIM_OK
                                                                     : HIPSHIM_ERROR_NO_RUNTIME);
        assert_string_equal(hipshim_kernel_arch(kernel), has_source ? "gfx90a" : "");
        hipshim_kernel_free(kernel);
    }
    unsetenv("HIPSHIM_ARCH");
    /* A newer caller's has members that are not known here; it may not ask for anything there. */
    memset(pages, 0, (size_t)page);
    options.size = sizeof options + 64;
    memcpy(pages + page - options.size, &options, sizeof options);
    assert_int_equal(hipshim_kernel_compile((void *)(pages + page - options.size), &kernel),
                     HIPSHIM_OK);
    hipshim_kernel_free(kernel);
    pages[page - 1] = 1;
    expect_invalid((void *)(pages + page - options.size), "a member that this version");
    munmap(pages, 2 * (size_t)page);
}

static void the_compiler_goes_by_the_version_that_is_given(void **state)
{
    hipshim_kernel_options_t options = OPTIONS(.hipcc = hipcc, .hip_version = "6.4");
    hipshim_kernel_t *kernel;

    (void)state;
    setenv("HIPSHIM_HIP_VERSION", "5.7.31921", 1);
    assert_int_equal(hipshim_kernel_compile(&options, &kernel), HIPSHIM_OK);
    assert_non_null(strstr(hipshim_kernel_log(kernel), "<--hip-version=6.4.0>"));
    hipshim_kernel_free(kernel);
    options.hip_version = "";
    assert_int_equal(hipshim_kernel_compile(&options, &kernel), HIPSHIM_OK);
    assert_non_null(strstr(hipshim_kernel_log(kernel), "<--hip-version=5.7.31921>"));
    hipshim_kernel_free(kernel);
    unsetenv("HIPSHIM_HIP_VERSION");
    assert_int_equal(hipshim_kernel_compile(&options, &kernel), HIPSHIM_OK);
    assert_null(strstr(hipshim_kernel_log(kernel), "--hip-version"));
    hipshim_kernel_free(kernel);
    options.hip_version = "6.4a";
    expect_invalid(&options, "\"6.4a\" in hip_version is not a version of HIP, such as 6.4 or");
}

static void modules_need_a_runtime(void **state)
{
    const hipshim_kernel_options_t options = OPTIONS(.hipcc = hipcc);
    hipshim_module_t *module = (hipshim_module_t *)scratch;

    (void)state;
    assert_int_equal(hipshim_module_get(NULL, &module), HIPSHIM_ERROR_INVALID);
    assert_null(module);
    assert_int_equal(hipshim_module_get(&options, NULL), HIPSHIM_ERROR_INVALID);
    module = (hipshim_module_t *)scratch;
    assert_int_equal(hipshim_module_get(&options, &module), HIPSHIM_ERROR_NO_RUNTIME);
    assert_null(module);
    assert_non_null(strstr(hipshim_error_text(), "/nonexistent/libamdhip64.so.6"));
    assert_null(hipshim_module_handle(NULL));
    assert_null(hipshim_module_kernel(NULL));
    hipshim_module_release(NULL);
}

static void hipcc_says_why_not(void **state)
{
    static const char *const expressions[] = {"f<int>"};
    hipshim_kernel_options_t options = OPTIONS(.hipcc = hipcc);
    hipshim_kernel_t *kernel;

    (void)state;
    options.source = "#error\n";
    assert_int_equal(hipshim_kernel_compile(&options, &kernel), HIPSHIM_ERROR_COMPILATION);
    assert_null(hipshim_kernel_code(kernel, NULL));
    assert_non_null(strstr(hipshim_kernel_log(kernel), "kernel.hip: refused"));
    assert_non_null(strstr(hipshim_error_text(), "exit status 1"));
    hipshim_kernel_free(kernel);
    options.expressions = expressions;
    options.expression_count = 1;
    options.flags = HIPSHIM_KERNEL_HIPCC;
    assert_int_equal(hipshim_kernel_compile(&options, &kernel), HIPSHIM_ERROR_NO_COMPILER);
    assert_non_null(strstr(hipshim_error_text(), "lowered names"));
    hipshim_kernel_free(kernel);
}

static void hipcc_runs_where_children_are_ignored(void **state)
{
    hipshim_kernel_options_t options = OPTIONS(.hipcc = hipcc);
    hipshim_kernel_t *kernel;

    (void)state;
    signal(SIGCHLD, SIG_IGN);
    assert_int_equal(hipshim_kernel_compile(&options, &kernel), HIPSHIM_OK);
    hipshim_kernel_free(kernel);
    options.source = "#error\n";
    assert_int_equal(hipshim_kernel_compile(&options, &kernel), HIPSHIM_ERROR_COMPILATION);
    hipshim_kernel_free(kernel);
    signal(SIGCHLD, SIG_DFL);
}

static void headers_stay_in_their_directory(void **state)
{
    static const char *const outside[] = {"../../owned", "/owned", "a/../../owned", "..", "a/.."};
    static const char *const inside[] = {"...", "..a/b.h", "a/b../c"};
    hipshim_kernel_header_t headers[] = {{"sub/given.h", "x"}, {NULL, "x"}};
    const hipshim_kernel_options_t options =
        OPTIONS(.hipcc = hipcc, .headers = headers, .header_count = 2);
    hipshim_kernel_t *kernel;
    char text[100];

    (void)state;
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        headers[1].name = outside[i];
        snprintf(text, sizeof text, "a header's name leads out of its directory: %s", outside[i]);
        expect_invalid(&options, text);
    }
    for (size_t i = 0; i < sizeof inside / sizeof inside[0]; i++) {
        headers[1].name = inside[i];
        assert_int_not_equal(hipshim_kernel_compile(&options, &kernel), HIPSHIM_ERROR_INVALID);
        hipshim_kernel_free(kernel);
    }
}

static void hipcc_is_found_in_the_environment(void **state)
{
    const hipshim_kernel_options_t options = OPTIONS(.flags = HIPSHIM_KERNEL_HIPCC);
    char path[8000], *old = strdup(getenv("PATH"));
    hipshim_kernel_t *kernel;

    (void)state;
    snprintf(path, sizeof path, "relative:%s:%s", scratch, old);
    setenv("PATH", path, 1);
    assert_int_equal(hipshim_kernel_compile(&options, &kernel), HIPSHIM_OK);
    hipshim_kernel_free(kernel);
    setenv("PATH", old, 1);
    snprintf(path, sizeof path, "%s/bin", scratch);
    assert_int_equal(mkdir(path, 0700), 0);
    strcat(path, "/hipcc");
    assert_int_equal(rename(hipcc, path), 0);
    setenv("ROCM_PATH", scratch, 1);
    assert_int_equal(hipshim_kernel_compile(&options, &kernel), HIPSHIM_OK);
    hipshim_kernel_free(kernel);
    free(old);
}

static void nothing_is_left_in_the_temporary_directory(void **state)
{
    char command[200];

    (void)state;
    snprintf(command, sizeof command, "test -z \"$(ls -d %s/hipshim-* 2>/dev/null)\"", scratch);
    assert_int_equal(system(command), 0);
}

static void statuses_have_texts(void **state)
{
    (void)state;
    for (int status = HIPSHIM_ERROR_NO_CODE; status <= HIPSHIM_OK; status++) {
        assert_string_not_equal(hipshim_status_text((hipshim_status_t)status), "unknown status");
    }
    assert_string_equal(hipshim_status_text((hipshim_status_t)(HIPSHIM_ERROR_NO_CODE - 1)),
                        "unknown status");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_arguments_are_refused_with_a_text),
        cmocka_unit_test(nothing_is_a_kernel_without_code),
        cmocka_unit_test(without_a_compiler_it_says_what_is_missing),
        cmocka_unit_test(hipcc_stands_in),
        cmocka_unit_test(output_that_is_no_file_is_refused),
        cmocka_unit_test(structures_of_other_ages_are_read),
        cmocka_unit_test(the_compiler_goes_by_the_version_that_is_given),
        cmocka_unit_test(modules_need_a_runtime),
        cmocka_unit_test(hipcc_says_why_not),
        cmocka_unit_test(hipcc_runs_where_children_are_ignored),
        cmocka_unit_test(headers_stay_in_their_directory),
        cmocka_unit_test(hipcc_is_found_in_the_environment),
        cmocka_unit_test(nothing_is_left_in_the_temporary_directory),
        cmocka_unit_test(statuses_have_texts),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
