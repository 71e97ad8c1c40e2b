/* SPDX-License-Identifier: MIT */
/* Names of architectures, and the order in which they are looked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "kernel/kernel.h"

/* This program has an arch.c of its own, whose topology is the directory "nodes". */
const char *hipshim_runtime_path(void)
{
    return NULL;
}

static char scratch[] = "/tmp/hipshim-arch-XXXXXX";

static int set_up(void **state)
{
    (void)state;
    unsetenv("HIPSHIM_ARCH");
    return mkdtemp(scratch) && chdir(scratch) == 0 ? 0 : -1;
}

static int tear_down(void **state)
{
    char command[100];

    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", scratch);
    return system(command);
}

static void node(unsigned number, const char *properties)
{
    char path[100];
    FILE *file;

    mkdir("nodes", 0700);
    snprintf(path, sizeof path, "nodes/%u", number);
    mkdir(path, 0700);
    strcat(path, "/properties");
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(properties, file);
    fclose(file);
}

static void forget_nodes(void)
{
    assert_int_equal(system("rm -rf nodes"), 0);
}

static void names_are_told_from_others(void **state)
{
    static const char *const good[] = {
        "gfx90a",        "gfx1100", "gfx942:sramecc+:xnack-", "gfx9-4-generic", "gfx11-generic",
        "gfx90a:xnack+", "gfx1201", "gfx9-generic:xnack+",    "amdgcnspirv"};
    static const char *const bad[] = {"",          "gfx",          "sm_80",        "gfx90a ",
                                      "gfx90a/..", "gfx90a:",      "gfx90a:xnack", "gfx90a:+",
                                      "-gfx90a",   "gfx90a;ls",    "gfx90a-",      "gfx90a,gfx942",
                                      "gfx90A",    "amdgcnspirv2", "gfx90a\n"};
    char longer[200] = "gfx90a";

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(hs_arch_is_name(good[i]));
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (hs_arch_is_name(bad[i])) {
            fail_msg("\"%s\" counts as an architecture", bad[i]);
        }
    }
    memset(longer + 6, '0', 100);
    assert_false(hs_arch_is_name(longer));
}

static void expect_node(const char *version, const char *wanted)
{
    char properties[200], arch[HS_ARCH_ROOM];

    snprintf(properties, sizeof properties,
             "cpu_cores_count 0\nsimd_count 440\n"
             "gfx_target_version %s\ndrm_render_minor 128\n",
             version);
    node(0, properties);
    assert_true(hs_arch_of_topology("nodes", arch));
    assert_string_equal(arch, wanted);
    forget_nodes();
}

static void versions_of_the_driver_have_names(void **state)
{
    (void)state;
    expect_node("90010", "gfx90a");
    expect_node("90008", "gfx908");
    expect_node("90012", "gfx90c");
    expect_node("90402", "gfx942");
    expect_node("90500", "gfx950");
    expect_node("100300", "gfx1030");
    expect_node("110000", "gfx1100");
    expect_node("110501", "gfx1151");
    expect_node("120001", "gfx1201");
    expect_node("80003", "gfx803");
}

static void the_first_gpu_counts(void **state)
{
    char arch[HS_ARCH_ROOM];

    (void)state;
    assert_false(hs_arch_of_topology("nodes", arch)); /* no driver */
    node(0, "cpu_cores_count 64\ngfx_target_version 0\n");
    assert_false(hs_arch_of_topology("nodes", arch)); /* no GPU */
    node(10, "gfx_target_version 110000\n");
    node(2, "gfx_target_version 90402\n"); /* after 10 in the order of texts */
    assert_true(hs_arch_of_topology("nodes", arch));
    assert_string_equal(arch, "gfx942");
    node(1, "not_gfx_target_version 90010\ngfx_target_version garbage\n");
    assert_true(hs_arch_of_topology("nodes", arch));
    assert_string_equal(arch, "gfx942");
    forget_nodes();
}

static void expect_found(const char *wanted, hipshim_arch_source_t by, const char *name)
{
    char arch[HS_ARCH_ROOM];
    hipshim_arch_source_t found;

    assert_int_equal(hipshim_arch_detect(wanted, arch, sizeof arch, &found), HIPSHIM_OK);
    assert_string_equal(arch, name);
    assert_int_equal(found, by);
}

static void the_argument_goes_first(void **state)
{
    char arch[HS_ARCH_ROOM];
    hipshim_arch_source_t found;

    (void)state;
    assert_int_equal(hipshim_arch_detect(NULL, arch, sizeof arch, &found), HIPSHIM_ERROR_NO_ARCH);
    assert_string_equal(arch, "");
    assert_int_equal(found, HIPSHIM_ARCH_SOURCE_NONE);
    assert_non_null(strstr(hs_error_get(), "HIPSHIM_ARCH"));
    node(1, "gfx_target_version 90010\n");
    expect_found(NULL, HIPSHIM_ARCH_SOURCE_TOPOLOGY, "gfx90a");
    setenv("HIPSHIM_ARCH", "gfx1100", 1);
    expect_found("", HIPSHIM_ARCH_SOURCE_ENVIRONMENT, "gfx1100");
    expect_found("gfx942:xnack-", HIPSHIM_ARCH_SOURCE_ARGUMENT, "gfx942:xnack-");
    setenv("HIPSHIM_ARCH", "", 1);
    expect_found(NULL, HIPSHIM_ARCH_SOURCE_TOPOLOGY, "gfx90a");
    forget_nodes();
}

static void bad_ones_are_refused_with_a_text(void **state)
{
    char arch[HS_ARCH_ROOM] = "x";

    (void)state;
    assert_int_equal(hipshim_arch_detect("sm_80", arch, sizeof arch, NULL), HIPSHIM_ERROR_INVALID);
    assert_non_null(strstr(hs_error_get(), "\"sm_80\" is not an architecture"));
    assert_string_equal(arch, "");
    setenv("HIPSHIM_ARCH", "native", 1);
    assert_int_equal(hipshim_arch_detect(NULL, arch, sizeof arch, NULL), HIPSHIM_ERROR_INVALID);
    assert_non_null(strstr(hs_error_get(), "in HIPSHIM_ARCH"));
    unsetenv("HIPSHIM_ARCH");
    assert_int_equal(hipshim_arch_detect("gfx90a", arch, 6, NULL), HIPSHIM_ERROR_INVALID);
    assert_string_equal(arch, "");
    assert_int_equal(hipshim_arch_detect("gfx90a", arch, 7, NULL), HIPSHIM_OK);
    assert_int_equal(hipshim_arch_detect("gfx90a", NULL, 7, NULL), HIPSHIM_ERROR_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_told_from_others),
        cmocka_unit_test(versions_of_the_driver_have_names),
        cmocka_unit_test(the_first_gpu_counts),
        cmocka_unit_test(the_argument_goes_first),
        cmocka_unit_test(bad_ones_are_refused_with_a_text),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
