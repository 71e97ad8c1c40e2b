/* SPDX-License-Identifier: MIT */
/*
 * hipshim/kernel.h with a real hipcc, run by hipcc_compiles.t in a
 * directory of its own.  KERNEL_HIPCC is "asked" where hiprtc is there too, or
 * "instead" where it is not.  KERNEL_DEVICE: there is a GPU, if only the loopback.
 * KERNEL_CLANG: it is clang++ that is found.  KERNEL_PARTS=runtime: only what the runtime takes
 * part in.
 */
#include "../loopback/gpu/gpu.h"

#include <hipshim/kernel.h>

#include <signal.h>
#include <sys/stat.h>

/* What a shell would act upon in all ways it knows. */
#define ODD  "a b'c\"d$(touch owned)`touch owned`;touch owned&|*?[x]#~!{}\\"
#define TEXT "a b'$(touch owned)`touch owned`;|&"

static const char source[] = "#include <hip/hip_runtime.h>\n"
                             "extern \"C\" __global__ void plain(int *x) { *x = 7; }\n";
/* Without the headers, which take most of the time. */
static const char short_source[] =
    "extern \"C\" __attribute__((global)) void plain(int *x) { *x = 7; }\n";

static int instead(void)
{
    const char *how = getenv("KERNEL_HIPCC");

    return how && strcmp(how, "instead") == 0;
}

static hipshim_kernel_options_t request(const char *text, const char *arch)
{
    return (hipshim_kernel_options_t){.size = sizeof(hipshim_kernel_options_t),
                                      .source = text,
                                      .name = "plain.hip",
                                      .arch = arch,
                                      .flags = instead() ? 0 : HIPSHIM_KERNEL_HIPCC};
}

static hipshim_kernel_t *by_hipcc(const hipshim_kernel_options_t *options)
{
    hipshim_kernel_t *kernel;

    if (hipshim_kernel_compile(options, &kernel) != HIPSHIM_OK) {
        fail_msg("%s\n%s", hipshim_error_text(), hipshim_kernel_log(kernel));
    }
    assert_int_equal(hipshim_kernel_origin(kernel), HIPSHIM_KERNEL_BY_HIPCC);
    return kernel;
}

static uint64_t number(const unsigned char *at)
{
    uint64_t value;

    memcpy(&value, at, sizeof value);
    return value;
}

/* The ELF file for a GPU in a bundle: its size, and the processor in its flags. */
static size_t find_elf(const hipshim_kernel_t *kernel, const char *arch, unsigned *processor)
{
    static const char magic[] = "__CLANG_OFFLOAD_BUNDLE__";
    size_t size, length = strlen(arch);
    const unsigned char *code = hipshim_kernel_code(kernel, &size), *at = code + 32;

    assert_non_null(code);
    assert_true(size > 200);
    assert_memory_equal(code, magic, 24);
    for (uint64_t left = number(code + 24); left > 0; left--) {
        uint64_t offset = number(at), bytes = number(at + 8), name = number(at + 16);

        assert_true(offset <= size && bytes <= size - offset);
        if (name > length && memcmp(at + 24 + name - length, arch, length) == 0) {
            assert_memory_equal(code + offset, "\177ELF\2", 5);
            assert_int_equal(code[offset + 18] | code[offset + 19] << 8, 224); /* EM_AMDGPU */
            *processor = code[offset + 48];
            return (size_t)bytes;
        }
        at += 24 + name;
    }
    fail_msg("the bundle has nothing for %s", arch);
    return 0;
}

static void it_compiles_for_each_architecture(void **state)
{
    static const struct {
        const char *arch;
        unsigned processor; /* EF_AMDGPU_MACH */
    } wanted[] = {{"gfx90a", 0x3f}, {"gfx1030", 0x36}};

    for (size_t i = 0; i < 2; i++) {
        const hipshim_kernel_options_t options = request(source, wanted[i].arch);
        hipshim_kernel_t *kernel = by_hipcc(&options);
        unsigned processor = 0;

        assert_true(find_elf(kernel, wanted[i].arch, &processor) > 1000);
        assert_int_equal(processor, wanted[i].processor);
        assert_string_equal(hipshim_kernel_arch(kernel), wanted[i].arch);
        assert_string_equal(hipshim_kernel_log(kernel), "");
        if (!strstr(hipshim_kernel_cache_message(kernel),
                    "not kept in the kernel cache: output of clang++ or hipcc is not cached")) {
            fail_msg("the note is \"%s\"", hipshim_kernel_cache_message(kernel));
        }
        hipshim_kernel_free(kernel);
    }
}

static void the_device_loads_what_comes_out(void **state)
{
    const hipshim_kernel_options_t options = request(source, NULL);
    hipshim_kernel_t *kernel;
    hipModule_t module;
    hipFunction_t function;

    if (!getenv("KERNEL_DEVICE")) {
        skip();
    }
    kernel = by_hipcc(&options);
    OK(hipModuleLoadData(&module, hipshim_kernel_code(kernel, NULL)));
    OK(hipModuleGetFunction(&function, module, "plain"));
    assert_int_not_equal(hipModuleGetFunction(&function, module, "no_such"), hipSuccess);
    OK(hipModuleUnload(module));
    hipshim_kernel_free(kernel);
}

static void broken_source_comes_with_its_log(void **state)
{
    hipshim_kernel_options_t options =
        request("\n__global__ void broken() { no_such_thing(); }\n", "gfx90a");
    hipshim_kernel_t *kernel;

    options.name = "src/my kernel's.hip";
    assert_int_equal(hipshim_kernel_compile(&options, &kernel), HIPSHIM_ERROR_COMPILATION);
    assert_null(hipshim_kernel_code(kernel, NULL));
    assert_int_equal(hipshim_kernel_origin(kernel), HIPSHIM_KERNEL_NONE);
    assert_non_null(strstr(hipshim_kernel_log(kernel), "src/my kernel's.hip:2:28: error: "));
    assert_non_null(strstr(hipshim_kernel_log(kernel), "no_such_thing"));
    assert_null(strstr(hipshim_kernel_log(kernel), "hipshim-"));
    assert_non_null(strstr(hipshim_error_text(), "src/my kernel's.hip does not compile"));
    hipshim_kernel_free(kernel);
}

static void headers_are_given(void **state)
{
    static const hipshim_kernel_header_t headers[] = {
        {"sub/good.h", "#define VALUE 7\n"}, {"sub/bad.h", "#define VALUE\n#error \"so it is\"\n"}};
    hipshim_kernel_options_t options = request("#include \"sub/good.h\"\n"
                                               "static_assert(VALUE == 7, \"\");\n",
                                               "gfx90a");
    hipshim_kernel_t *kernel;

    options.headers = headers;
    options.header_count = 2;
    hipshim_kernel_free(by_hipcc(&options));
    options.source = "#include \"sub/bad.h\"\n";
    assert_int_equal(hipshim_kernel_compile(&options, &kernel), HIPSHIM_ERROR_COMPILATION);
    assert_non_null(strstr(hipshim_kernel_log(kernel), "\nsub/bad.h:2:2: error: "));
    assert_non_null(strstr(hipshim_kernel_log(kernel), "In file included from plain.hip:1:"));
    hipshim_kernel_free(kernel);
}

static void odd_characters_reach_the_compiler(void **state)
{
    char length[40];
    const char *const given[] = {"-I" ODD, "-DTEXT=\"" TEXT "\"", length, "-O1"};
    hipshim_kernel_options_t options =
        request("#include \"odd.h\"\n"
                "static_assert(sizeof(TEXT) == LENGTH && ODD == 5, \"\");\n"
                "extern \"C\" __global__ void plain(int *x) { *x = ODD; }\n",
                "gfx90a");
    const char *tmp = getenv("TMPDIR");
    char *old = strdup(tmp ? tmp : "/tmp"), *directory = NULL;
    FILE *file;

    snprintf(length, sizeof length, "-DLENGTH=%zu", sizeof TEXT);
    mkdir(ODD, 0700);
    file = fopen(ODD "/odd.h", "w");
    assert_non_null(file);
    fputs("#define ODD 5\n", file);
    fclose(file);
    directory = realpath(ODD, NULL);
    assert_non_null(directory);
    setenv("TMPDIR", directory, 1);
    options.name = "dir/" ODD ".hip";
    options.options = given;
    options.option_count = 4;
    hipshim_kernel_free(by_hipcc(&options));
    setenv("TMPDIR", old, 1);
    assert_int_not_equal(access("owned", F_OK), 0);
    free(directory);
    free(old);
}

static void what_a_shell_would_get_is_refused(void **state)
{
    static const char *const risky[] = {"-DX=$(touch owned).a",
                                        "$(touch owned).lo",
                                        "@$(touch owned)",
                                        "-Wl,@$(touch owned)",
                                        "--amdgpu-target=gfx90a;touch owned",
                                        "--amdhsa-code-object-version=5;touch owned",
                                        "-DX=1\n2"};
    static const char *const output[] = {"-o", "$(touch owned)"};
    hipshim_kernel_options_t options = request(short_source, "gfx90a");
    hipshim_kernel_t *kernel;

    if (getenv("KERNEL_CLANG")) {
        skip(); /* no shell takes part, so nothing need be refused */
    }
    for (size_t i = 0; i <= sizeof risky / sizeof risky[0]; i++) {
        options.options = i < sizeof risky / sizeof risky[0] ? &risky[i] : output;
        options.option_count = i < sizeof risky / sizeof risky[0] ? 1 : 2;
        assert_int_equal(hipshim_kernel_compile(&options, &kernel), HIPSHIM_ERROR_SYSTEM);
        assert_non_null(strstr(hipshim_error_text(), "to a shell"));
        assert_int_not_equal(access("owned", F_OK), 0);
        hipshim_kernel_free(kernel);
    }
}

static void any_name_will_do(void **state)
{
    static const char *const names[] = {"dir/kernel.a", "kernel.lo", "dir/", "two\nlines.hip"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        hipshim_kernel_options_t options = request(short_source, "gfx90a");

        options.name = names[i];
        hipshim_kernel_free(by_hipcc(&options));
    }
}

static void the_same_gives_the_same_bytes(void **state)
{
    hipshim_kernel_options_t options =
        request("extern \"C\" __attribute__((global)) void plain(const char **x)"
                "{ *x = __FILE__; }\n",
                "gfx90a");
    hipshim_kernel_t *one, *two;
    const void *code;
    size_t size, other;

    options.name = "dir/the name.hip";
    one = by_hipcc(&options);
    two = by_hipcc(&options);
    code = hipshim_kernel_code(one, &size);
    hipshim_kernel_code(two, &other);
    assert_int_equal(size, other);
    assert_memory_equal(code, hipshim_kernel_code(two, NULL), size);
    assert_non_null(memmem(code, size, "dir/the name.hip", 17));
    hipshim_kernel_free(one);
    hipshim_kernel_free(two);
}

/* A hipcc that notes which signals it was started with. */
static void write_witness(const char *path)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs("#!/bin/sh\n"
          /* Nothing but what is built in: a shell that waits for a process blocks signals. */
          "while read -r name set; do\n"
          "  case $name in SigBlk: | SigIgn:) echo \"$set\" ;; esac\n"
          "done </proc/$$/status >signals\n"
          "exec hipcc \"$@\"\n",
          file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0700), 0);
}

static void the_signals_of_the_caller_do_not_matter(void **state)
{
    unsigned long long blocked = 1, ignored = ~0ull;
    FILE *noted;
    hipshim_kernel_options_t options = request(short_source, "gfx90a");
    hipshim_kernel_t *kernel;
    sigset_t all, old;

    write_witness("witness");
    options.hipcc = "./witness";
    sigfillset(&all);
    signal(SIGCHLD, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    sigprocmask(SIG_BLOCK, &all, &old);
    kernel = by_hipcc(&options);
    assert_string_equal(hipshim_kernel_log(kernel), "");
    hipshim_kernel_free(kernel);
    noted = fopen("signals", "r");
    assert_non_null(noted);
    assert_int_equal(fscanf(noted, "%llx %llx", &blocked, &ignored), 2);
    fclose(noted);
    assert_int_equal(blocked, 0);
    assert_int_equal(ignored & (1ull << (SIGCHLD - 1) | 1ull << (SIGPIPE - 1)), 0);
    options.source = "#error \"so it is\"\n";
    assert_int_equal(hipshim_kernel_compile(&options, &kernel), HIPSHIM_ERROR_COMPILATION);
    assert_non_null(strstr(hipshim_kernel_log(kernel), "so it is"));
    assert_null(strstr(hipshim_kernel_log(kernel), "No child processes"));
    hipshim_kernel_free(kernel);
    sigprocmask(SIG_SETMASK, &old, NULL);
    signal(SIGCHLD, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
}

static void lowered_names_are_not_to_be_had(void **state)
{
    static const char *const expressions[] = {"plain"};
    hipshim_kernel_options_t options = request(short_source, "gfx90a");
    hipshim_kernel_t *kernel;

    options.expressions = expressions;
    options.expression_count = 1;
    assert_int_not_equal(hipshim_kernel_compile(&options, &kernel), HIPSHIM_OK);
    assert_non_null(strstr(hipshim_error_text(), "clang++ and hipcc report no lowered names"));
    assert_null(hipshim_kernel_code(kernel, NULL));
    hipshim_kernel_free(kernel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_compiles_for_each_architecture),
        cmocka_unit_test(the_device_loads_what_comes_out),
        cmocka_unit_test(broken_source_comes_with_its_log),
        cmocka_unit_test(headers_are_given),
        cmocka_unit_test(odd_characters_reach_the_compiler),
        cmocka_unit_test(what_a_shell_would_get_is_refused),
        cmocka_unit_test(any_name_will_do),
        cmocka_unit_test(the_same_gives_the_same_bytes),
        cmocka_unit_test(the_signals_of_the_caller_do_not_matter),
        cmocka_unit_test(lowered_names_are_not_to_be_had),
    };
    const struct CMUnitTest of_runtime[] = {cmocka_unit_test(the_device_loads_what_comes_out)};

    const char *parts = getenv("KERNEL_PARTS");

    if (parts && strcmp(parts, "runtime") == 0) {
        return cmocka_run_group_tests(of_runtime, NULL, NULL);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
