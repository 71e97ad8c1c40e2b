/* SPDX-License-Identifier: MIT */
/*
 * Compiles a kernel by every action of comgr from source to machine code and back to text, with the
 * names of the header that it is compiled with.  It prints the status of each action, and what kind
 * of data comes out; not the data, which differ between compilers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FLAT /* before 5.7 */
#include <amd_comgr.h>
#else
#include <amd_comgr/amd_comgr.h>
#endif

#include "calls.h"

static const char source[] = "#define NUMBER 42\n"
                             "kernel void answer(global int *to) { *to = NUMBER; }\n";

static amd_comgr_data_set_t set_of(amd_comgr_data_kind_t kind, const char *name, const void *bytes,
                                   size_t size)
{
    amd_comgr_data_set_t set;
    amd_comgr_data_t data;
    OK(amd_comgr_create_data_set(&set));
    OK(amd_comgr_create_data(kind, &data));
    OK(amd_comgr_set_data(data, size, bytes));
    OK(amd_comgr_set_data_name(data, name));
    OK(amd_comgr_data_set_add(set, data));
    OK(amd_comgr_release_data(data));
    return set;
}

static const char *what(const char *bytes, size_t size)
{
    if (size > 4 && !memcmp(bytes,
                            "\x7f"
                            "ELF",
                            4)) {
        return bytes[16] == 1 ? "a relocatable file" : "a shared object";
    }
    if (size > 4 && !memcmp(bytes, "BC\xc0\xde", 4)) {
        return "bitcode";
    }
    return strstr(bytes, "s_endpgm")   ? "assembly"
           : strstr(bytes, "*to = 42") ? "source after the preprocessor"
                                       : "something else";
}

static void tell(amd_comgr_data_set_t set, amd_comgr_data_kind_t kind)
{
    size_t count = 0, size = 0;
    OK(amd_comgr_action_data_count(set, kind, &count));
    if (!count) {
        puts("  nothing");
        return;
    }
    amd_comgr_data_t data;
    OK(amd_comgr_action_data_get_data(set, kind, 0, &data));
    OK(amd_comgr_get_data(data, &size, NULL));
    char *bytes = calloc(1, size + 1);
    OK(amd_comgr_get_data(data, &size, bytes));
    amd_comgr_data_kind_t again;
    OK(amd_comgr_get_data_kind(data, &again));
    printf("  %s%s\n", what(bytes, size), again == kind ? "" : ", of another kind");
    free(bytes);
    OK(amd_comgr_release_data(data));
}

static amd_comgr_action_info_t how(amd_comgr_language_t language)
{
    amd_comgr_action_info_t info;
    amd_comgr_language_t again;
    OK(amd_comgr_create_action_info(&info));
    OK(amd_comgr_action_info_set_isa_name(info, "amdgcn-amd-amdhsa--gfx906"));
    OK(amd_comgr_action_info_set_language(info, language));
    OK(amd_comgr_action_info_get_language(info, &again));
    if (again != language) {
        puts("another language");
    }
    return info;
}

static amd_comgr_data_set_t act(const char *name, amd_comgr_action_kind_t action,
                                amd_comgr_language_t language, amd_comgr_data_set_t from,
                                amd_comgr_data_kind_t kind)
{
    amd_comgr_data_set_t to;
    amd_comgr_action_info_t info = how(language);
    OK(amd_comgr_create_data_set(&to));
    printf("%s %d\n", name, (int)amd_comgr_do_action(action, info, from, to));
    tell(to, kind);
    OK(amd_comgr_destroy_action_info(info));
    return to;
}

#define ACT(action, language, from, kind)                                                          \
    act(#action, AMD_COMGR_ACTION_##action, AMD_COMGR_LANGUAGE_##language, from,                   \
        AMD_COMGR_DATA_KIND_##kind)

int main(void)
{
    amd_comgr_data_set_t text =
        set_of(AMD_COMGR_DATA_KIND_SOURCE, "a.cl", source, sizeof source - 1);
    ACT(SOURCE_TO_PREPROCESSOR, OPENCL_2_0, text, SOURCE);
    amd_comgr_data_set_t code = ACT(COMPILE_SOURCE_WITH_DEVICE_LIBS_TO_BC, OPENCL_2_0, text, BC);
    amd_comgr_data_set_t linked = ACT(LINK_BC_TO_BC, OPENCL_2_0, code, BC);
    ACT(CODEGEN_BC_TO_ASSEMBLY, NONE, linked, SOURCE);
    amd_comgr_data_set_t object = ACT(CODEGEN_BC_TO_RELOCATABLE, NONE, linked, RELOCATABLE);
    ACT(LINK_RELOCATABLE_TO_RELOCATABLE, NONE, object, RELOCATABLE);
    amd_comgr_data_set_t shared = ACT(LINK_RELOCATABLE_TO_EXECUTABLE, NONE, object, EXECUTABLE);
    ACT(DISASSEMBLE_RELOCATABLE_TO_SOURCE, NONE, object, SOURCE);
    ACT(DISASSEMBLE_EXECUTABLE_TO_SOURCE, NONE, shared, SOURCE);

    static const char hip[] = "#ifdef __HIP__\n*to = 42\n#endif\n";
    amd_comgr_data_set_t text_of_hip =
        set_of(AMD_COMGR_DATA_KIND_SOURCE, "a.hip", hip, sizeof hip - 1);
    ACT(SOURCE_TO_PREPROCESSOR, HIP, text_of_hip, SOURCE);

    const char *words = NULL;
    OK(amd_comgr_status_string(AMD_COMGR_STATUS_ERROR_INVALID_ARGUMENT, &words));
    printf("%s\n", words);
    return 0;
}
