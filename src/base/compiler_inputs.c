/* SPDX-License-Identifier: MIT */
#include "base/compiler_inputs.h"

#include <stdlib.h>
#include <string.h>

#include "base/file_stamp.h"
#include "base/texts.h"

/* What may follow the beginning of a harmless option. */
enum rest { NOTHING, ANYTHING, SIMPLE, WARNING, SWITCH };

static bool is_simple(const char *text)
{
    return text[strspn(
               text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+_")] == '\0';
}

/* Whether -f... or -m... without a value is known to read no file. */
static bool is_plain_switch(const char *text)
{
    static const char *const file_words[] = {"plugin", "profile", "module", "list", "file", "path",
                                             "dir",    "llvm",    "link",   "thin", "note", "seed"};

    for (size_t i = 0; i < sizeof file_words / sizeof file_words[0]; i++) {
        if (strstr(text, file_words[i])) {
            return false;
        }
    }
    return is_simple(text);
}

static bool is_harmless_rest(const char *text, enum rest rest)
{
    switch (rest) {
    case NOTHING:
        return *text == '\0';
    case ANYTHING:
        return true;
    case SIMPLE:
        return is_simple(text);
    case WARNING: /* -Wa, -Wl and -Wp pass options on, with a comma */
        return strchr(text, ',') == NULL;
    case SWITCH:
        return is_plain_switch(text);
    }
    return false;
}

/* -f... and -m... with a value are listed one by one, since the value may be a file's name. */
static const struct harmless {
    const char *begin;
    enum rest rest;
} harmless[] = {
    {"-D", ANYTHING},
    {"-U", ANYTHING},
    {"-O", SIMPLE},
    {"-W", WARNING},
    {"-w", NOTHING},
    {"-std=", SIMPLE},
    {"--std=", SIMPLE},
    {"-ansi", NOTHING},
    {"-pedantic", SIMPLE},
    {"-g", NOTHING},
    {"-g0", NOTHING},
    {"-g1", NOTHING},
    {"-g2", NOTHING},
    {"-g3", NOTHING},
    {"-ggdb", SIMPLE},
    {"-gdwarf", SIMPLE},
    {"-gline", SIMPLE},
    {"-gno-", SIMPLE},
    {"-nogpuinc", NOTHING},
    {"--cuda-device-only", NOTHING},
    {"--gpu-max-threads-per-block=", SIMPLE},
    {"-march=", SIMPLE},
    {"-mcpu=", SIMPLE},
    {"-mcode-object-version=", SIMPLE},
    {"-fbracket-depth=", SIMPLE},
    {"-fclang-abi-compat=", SIMPLE},
    {"-fconstexpr-depth=", SIMPLE},
    {"-fconstexpr-steps=", SIMPLE},
    {"-fdenormal-fp-math=", ANYTHING},
    {"-fdenormal-fp-math-f32=", ANYTHING},
    {"-ferror-limit=", SIMPLE},
    {"-ffp-contract=", SIMPLE},
    {"-ffp-exception-behavior=", SIMPLE},
    {"-ffp-model=", SIMPLE},
    {"-fgpu-default-stream=", SIMPLE},
    {"-fgpu-inline-threshold=", SIMPLE},
    {"-fmessage-length=", SIMPLE},
    {"-ftemplate-depth=", SIMPLE},
    {"-ftrivial-auto-var-init=", SIMPLE},
    {"-fvisibility=", SIMPLE},
    {"-f", SWITCH},
    {"-m", SWITCH},
};

static bool option_may_read(const char *option)
{
    for (size_t i = 0; i < sizeof harmless / sizeof harmless[0]; i++) {
        if (hs_text_begins(option, harmless[i].begin) &&
            is_harmless_rest(option + strlen(harmless[i].begin), harmless[i].rest)) {
            return false;
        }
    }
    return true;
}

/* Whether the word after -mllvm is a switch or a number of the AMDGPU back end, which read no
 * files. */
static bool is_backend_switch(const char *word)
{
    const char *value = strchr(word, '=');

    return hs_text_begins(word, "-amdgpu-") &&
           (!value || strcmp(value, "=true") == 0 || strcmp(value, "=false") == 0 ||
            value[1 + strspn(value + 1, "0123456789")] == '\0');
}

bool hs_compiler_options_may_read(const char *const *options, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool has_next = i + 1 < count;

        if (strcmp(options[i], "-D") == 0 || strcmp(options[i], "-U") == 0 ||
            (strcmp(options[i], "-mllvm") == 0 && has_next && is_backend_switch(options[i + 1]))) {
            i++; /* the next option is the macro or the switch */
        } else if (option_may_read(options[i])) {
            return true;
        }
    }
    return false;
}

/* Whether one of the words of a variable may read a file; releases split at spaces or tabs. */
static bool words_may_read(const char *text)
{
    char *copy = strdup(text), *rest = copy, *word;
    bool may_read = !copy;

    while (!may_read && (word = strsep(&rest, " \t\r\n\v\f")) != NULL) {
        may_read = *word && option_may_read(word);
    }
    free(copy);
    return may_read;
}

const char *hs_compiler_environment_options(size_t number)
{
    static const char *const variables[] = {"HIPRTC_COMPILE_OPTIONS_APPEND",
                                            "HIPRTC_LINK_OPTIONS_APPEND",
                                            "AMD_OCL_BUILD_OPTIONS_APPEND"};

    if (number >= sizeof variables / sizeof variables[0]) {
        return NULL;
    }
    const char *value = getenv(variables[number]);

    return value ? value : "";
}

/* tests/kernel/variables_are_known.t looks for others that change the code. */
void hs_compiler_environment_add(struct hs_sha256 *sum)
{
    static const char *const variables[] = {"AMD_COMGR_SAVE_LLVM_TEMPS",
                                            "AMD_COMGR_SAVE_TEMPS",
                                            "CLANG_NO_DEFAULT_CONFIG",
                                            "COMPILER_PATH",
                                            "ELF_PACKAGE_METADATA",
                                            "GPU_ENABLE_WAVE32_MODE",
                                            "GPU_ENABLE_WGP_MODE",
                                            "HIP_PATH",
                                            "HIPRTC_USE_RUNTIME_UNBUNDLER",
                                            "LLD_VERSION",
                                            "LLVM_OVERRIDE_PRODUCER",
                                            "LLVM_PATH",
                                            "ROCM_PATH",
                                            "SOURCE_DATE_EPOCH"};
    static const char *const directories[] = {"DEVICE_LIB_PATH", "HIP_DEVICE_LIB_PATH"};
    const char *value;

    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        value = getenv(variables[i]);
        value = value ? value : "";
        hs_sha256_add(sum, value, strlen(value) + 1);
    }
    for (size_t i = 0; (value = hs_compiler_environment_options(i)) != NULL; i++) {
        hs_sha256_add(sum, value, strlen(value) + 1);
    }
    for (size_t i = 0; i < sizeof directories / sizeof directories[0]; i++) {
        value = getenv(directories[i]);
        value = value ? value : "";
        hs_sha256_add(sum, value, strlen(value) + 1);
        if (*value) {
            hs_file_stamp_add_tree(sum, value);
        }
    }
}

bool hs_compiler_environment_may_read(void)
{
    static const char *const variables[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
                                            "CCC_OVERRIDE_OPTIONS"};
    const char *value;

    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        value = getenv(variables[i]);
        if (value && *value) {
            return true;
        }
    }
    for (size_t i = 0; (value = hs_compiler_environment_options(i)) != NULL; i++) {
        if (words_may_read(value)) {
            return true;
        }
    }
    return false;
}
