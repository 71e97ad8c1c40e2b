/* SPDX-License-Identifier: MIT */
/* hiprtc compiles for two architectures and hands back code, log and names. */
#include "check.h"

static const char source[] = "#ifdef SAY\n#warning \"the log\"\n#endif\n"
                             "template <typename T> __global__ void twice(T *x) { *x *= 2; }\n"
                             "extern \"C\" __global__ void plain(int *x) { *x = 7; }\n";

static hiprtcProgram create(const char *text)
{
    hiprtcProgram program = NULL;
    assert_int_equal(hiprtcCreateProgram(&program, text, "k.hip", 0, NULL, NULL), HIPRTC_SUCCESS);
    assert_non_null(program);
    return program;
}

static char *log_of(hiprtcProgram program)
{
    size_t size = 0;
    assert_int_equal(hiprtcGetProgramLogSize(program, &size), HIPRTC_SUCCESS);
    char *log = calloc(1, size + 1);
    assert_non_null(log);
    assert_int_equal(hiprtcGetProgramLog(program, log), HIPRTC_SUCCESS);
    return log;
}

static void check_code(hiprtcProgram program)
{
    size_t size = 0;
    assert_int_equal(hiprtcGetCodeSize(program, &size), HIPRTC_SUCCESS);
    assert_true(size > 1000);
    unsigned char *code = malloc(size);
    assert_non_null(code);
    assert_int_equal(hiprtcGetCode(program, (char *)code), HIPRTC_SUCCESS);
    assert_memory_equal(code, "\177ELF\2", 5);
    assert_int_equal(code[18] | code[19] << 8, 224); /* EM_AMDGPU */
    free(code);
}

static void compile_for(const char *arch)
{
    hiprtcProgram program = create(source);
    char option[64];
    snprintf(option, sizeof option, "--offload-arch=%s", arch);
    const char *options[] = {option, "-DSAY"};
    const char *lowered = NULL;

    assert_int_equal(hiprtcAddNameExpression(program, "twice<float>"), HIPRTC_SUCCESS);
    assert_int_equal(hiprtcCompileProgram(program, 2, options), HIPRTC_SUCCESS);
    check_code(program);
    assert_int_equal(hiprtcGetLoweredName(program, "twice<float>", &lowered), HIPRTC_SUCCESS);
    assert_string_equal(lowered, "_Z5twiceIfEvPT_");
    char *log = log_of(program);
    assert_non_null(strstr(log, "the log"));
    free(log);
    assert_int_equal(hiprtcDestroyProgram(&program), HIPRTC_SUCCESS);
}

static void compiles_for_gfx90a(void **state)
{
    (void)state;
    compile_for("gfx90a");
}

/* HIP 5.2 does not know gfx1100, and gfx1030 is the nearest it has. */
static const char *rdna_arch(void)
{
    return strncmp(wanted_release(), "5.2.", 4) == 0 ? "gfx1030" : "gfx1100";
}

static void compiles_for_gfx1100(void **state)
{
    (void)state;
    compile_for(rdna_arch());
}

static void an_error_comes_with_its_log(void **state)
{
    (void)state;
    hiprtcProgram program = create("extern \"C\" __global__ void broken() { no_such_thing(); }\n");
    const char *options[] = {"--offload-arch=gfx90a"};
    assert_int_equal(hiprtcCompileProgram(program, 1, options), HIPRTC_ERROR_COMPILATION);
    char *log = log_of(program);
    assert_non_null(strstr(log, "no_such_thing"));
    free(log);
    assert_int_equal(hiprtcDestroyProgram(&program), HIPRTC_SUCCESS);
}

/* Without hipshim the process ends here before 7.1. */
static void an_unknown_architecture_is_an_error(void **state)
{
    (void)state;
    static const char *const archs[] = {"--offload-arch=gfx9999", "--gpu-architecture=gfx90",
                                        "--offload-arch=gfx9999:xnack+"};
    bool asks_before = strcmp(wanted_release(), "7.1") < 0;
    for (size_t i = 0; i < sizeof archs / sizeof *archs; i++) {
        hiprtcProgram program = create("extern \"C\" __global__ void f() {}\n");
        hiprtcResult wanted = asks_before ? HIPRTC_ERROR_INVALID_OPTION : HIPRTC_ERROR_COMPILATION;
        assert_int_equal(hiprtcCompileProgram(program, 1, &archs[i]), wanted);
        if (asks_before) {
            assert_non_null(strstr(hipshim_error_text(), ", gfx906, gfx908, "));
            assert_non_null(strstr(hipshim_error_text(), strchr(archs[i], '=') + 1));
        }
        assert_int_equal(hiprtcDestroyProgram(&program), HIPRTC_SUCCESS);
    }
}

/* 6.4 is the first here that knows generic targets. */
static void compiles_for_a_generic_target(void **state)
{
    (void)state;
    if (wanted_release()[0] < '6') {
        skip();
    }
    compile_for("gfx9-generic");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compiles_for_gfx90a),
        cmocka_unit_test(compiles_for_gfx1100),
        cmocka_unit_test(an_error_comes_with_its_log),
        cmocka_unit_test(an_unknown_architecture_is_an_error),
        cmocka_unit_test(compiles_for_a_generic_target),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
