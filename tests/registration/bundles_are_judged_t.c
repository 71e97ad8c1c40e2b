/* SPDX-License-Identifier: MIT */
/* Fat binaries of every form get the answer that spares the runtime what it cannot read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "base/zstd.h"
#include "hip/registration_bundle.h"

enum { ROOM = 64 * 1024, OBJECT = 4096, ZSTD = 1 };

static _Alignas(4096) char bundle[ROOM];
static char packed[ROOM];
static struct {
    uint32_t magic, version;
    const void *bundle;
    const void *unused;
} wrapper = {0x48495046, 1, bundle, NULL};

static const char *const one_gpu[] = {"gfx90a:sramecc+:xnack-"};
static const char *const two_gpus[] = {"gfx90a:sramecc+:xnack-", "gfx1100"};
static struct hs_registration_reader reader;
static char reason[HS_BUNDLE_REASON];
static void *unpacked;

static int begin(void **state)
{
    (void)state;
    reader = (struct hs_registration_reader){
        .device_count = 1, .devices = one_gpu, .newest_object = 5, .newest_bundle = 3};
    memset(bundle, 0, sizeof bundle);
    memset(packed, 0, sizeof packed);
    strcpy(reason, "none");
    wrapper.bundle = bundle;
    return 0;
}

static char *put(char *to, const void *bytes, size_t size)
{
    memcpy(to, bytes, size);
    return to + size;
}

static char *put_number(char *to, uint64_t number, size_t size)
{
    return put(to, &number, size);
}

/* The ids end with NULL; each entry is a code object of that version. */
static void make(int version, const char *const *ids)
{
    uint64_t count = 0;
    while (ids[count]) {
        count++;
    }
    char *at = put_number(put(bundle, "__CLANG_OFFLOAD_BUNDLE__", 24), count, 8);
    for (uint64_t i = 0; i < count; i++) {
        at = put_number(put_number(at, OBJECT, 8), 64, 8);
        at = put_number(at, strlen(ids[i]), 8);
        at = put(at, ids[i], strlen(ids[i]));
    }
    memcpy(bundle + OBJECT, "\177ELF\2\1\1\100", 8);
    bundle[OBJECT + 8] = (char)(version - 2);
}

#define MAKE(version, ...)                                                                         \
    make(version, (const char *const[]){"host-x86_64-unknown-linux--", __VA_ARGS__, NULL})
#define HIPV4 "hipv4-amdgcn-amd-amdhsa--"

static bool judge(void)
{
    bool is_readable = hs_bundle_check(&wrapper, &reader, &unpacked, reason);
    if (!reader.newest_bundle && unpacked) {
        return is_readable;
    }
    assert_null(unpacked);
    return is_readable;
}

static void assert_refused(const char *part)
{
    assert_false(judge());
    if (!strstr(reason, part)) {
        fail_msg("no \"%s\" in: %s", part, reason);
    }
}

static void code_for_the_gpu_is_readable(void **state)
{
    (void)state;
    MAKE(4, HIPV4 "gfx906", HIPV4 "gfx90a:sramecc+:xnack-");
    assert_true(judge());
    MAKE(4, HIPV4 "gfx90a");
    assert_true(judge());
    MAKE(4, "hip-amdgcn-amd-amdhsa-unknown-gfx90a:xnack-");
    assert_true(judge());
}

static void code_for_others_is_refused(void **state)
{
    (void)state;
    MAKE(4, HIPV4 "gfx906", HIPV4 "gfx1030");
    assert_refused("code for gfx906, gfx1030, and the GPU is gfx90a:sramecc+:xnack-; compile with "
                   "--offload-arch=gfx90a");
    MAKE(4, HIPV4 "gfx90a:xnack+");
    assert_refused("code for gfx90a:xnack+");
    make(4, (const char *const[]){"host-x86_64-unknown-linux--", NULL});
    assert_refused("code for no GPU");
}

static void generic_code_fits_its_family(void **state)
{
    static const char *const gpus[] = {"gfx1101"};
    (void)state;
    reader.newest_object = 6;
    MAKE(6, HIPV4 "gfx11-generic");
    assert_refused("code for gfx11-generic");
    reader.devices = gpus;
    assert_true(judge());
}

static void newer_code_objects_are_refused(void **state)
{
    (void)state;
    reader.newest_object = 4;
    MAKE(5, HIPV4 "gfx90a");
    assert_refused("version 5, and this HIP reads up to 4; compile with -mcode-object-version=4");
}

static void assert_adapted(int number)
{
    assert_true(hs_bundle_check(&wrapper, &reader, &unpacked, reason));
    assert_non_null(unpacked);
    const char *const *copy = (const char *const *)((char *)unpacked + 8);
    assert_int_equal((*copy)[OBJECT + 8], number - 2);
    assert_int_equal(bundle[OBJECT + 8], 6 - 2);
    assert_memory_equal(*copy, bundle, OBJECT + 8);
    hs_bundle_free(unpacked);
}

static void version_6_becomes_version_5(void **state)
{
    (void)state;
    MAKE(6, HIPV4 "gfx90a");
    assert_adapted(5);
    reader.device_count = 0;
    assert_adapted(5);
    put_number(bundle + OBJECT + 48, 1u << 24, 4); /* the flags of a generic target */
    assert_refused("version 6, and this HIP reads up to 5");
    put_number(bundle + OBJECT + 48, 0, 4);
    reader.newest_object = 4;
    assert_refused("version 6, and this HIP reads up to 4");
}

static void a_code_object_alone_is_adapted(void **state)
{
    void *copy = NULL;

    (void)state;
    reader.device_count = 0;
    MAKE(6, HIPV4 "gfx90a");
    assert_true(hs_bundle_adapt(bundle + OBJECT, 64, &reader, &copy, reason));
    assert_non_null(copy);
    assert_int_equal(((char *)copy)[8], 5 - 2);
    free(copy);
    put_number(bundle + OBJECT + 40, 4096, 8); /* its section headers */
    assert_false(hs_bundle_adapt(bundle + OBJECT, 64, &reader, &copy, reason));
    assert_string_equal(reason, "its code object ends too early");
}

static void code_of_unknown_devices_is_judged_by_its_form(void **state)
{
    (void)state;
    reader.device_count = 0;
    MAKE(4, HIPV4 "gfx1030");
    assert_true(judge());
    reader.newest_object = 4;
    MAKE(5, HIPV4 "gfx1030");
    assert_refused("version 5");
}

/* What is no code, or is cut off, may be for a GPU that is not there. */
static void an_entry_for_another_gpu_may_be_damaged(void **state)
{
    void *copy = NULL;

    (void)state;
    MAKE(6, HIPV4 "gfx90a", HIPV4 "gfx906");
    put_number(bundle + 32 + 24 + 27 + 24 + strlen(HIPV4 "gfx90a"), ROOM + 4096, 8); /* gfx906 */
    assert_adapted(5);
    reader.device_count = 0;
    assert_adapted(5);
    /* In memory whose end is not known, with nothing after it. */
    char *memory = mmap(NULL, 2 * ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(memory != MAP_FAILED);
    assert_int_equal(mprotect(memory + ROOM, ROOM, PROT_NONE), 0);
    memcpy(memory, bundle, ROOM);
    assert_true(hs_bundle_adapt(memory, 0, &reader, &copy, reason));
    assert_non_null(copy);
    free(copy);
    munmap(memory, 2 * ROOM);
}

static void several_gpus_need_one_or_all(void **state)
{
    (void)state;
    reader.devices = two_gpus;
    reader.device_count = 2;
    MAKE(4, HIPV4 "gfx90a");
    assert_true(judge());
    reader.needs_all_devices = true;
    assert_refused("HIP_VISIBLE_DEVICES");
    MAKE(4, HIPV4 "gfx90a", HIPV4 "gfx90a", HIPV4 "gfx1100");
    assert_true(judge());
}

static void what_is_not_known_is_left_to_the_runtime(void **state)
{
    (void)state;
    MAKE(4, "hip-spirv64-amd-amdhsa--amdgcnspirv");
    assert_true(judge());
    MAKE(4, HIPV4 "gfx12-5-generic");
    assert_true(judge());
    MAKE(4, HIPV4 "gfx90a:gfx90a-b0-specific+");
    assert_true(judge());
    memcpy(bundle, "something else", 14);
    assert_true(judge());
    wrapper.bundle = NULL;
    assert_true(judge());
    wrapper.bundle = bundle;
    wrapper.magic = 1;
    assert_true(judge());
    wrapper.magic = 0x48495046;
}

static void damage_is_refused(void **state)
{
    (void)state;
    MAKE(4, HIPV4 "gfx90a");
    put_number(bundle + 24, UINT64_MAX, 8);
    assert_refused("damaged");
    put_number(bundle + 24, 4000, 8);
    assert_refused("damaged");
    MAKE(4, HIPV4 "gfx90a");
    put_number(bundle + 48, UINT64_MAX - 4, 8); /* the length of the first id */
    assert_refused("damaged");
    MAKE(4, HIPV4 "gfx90a");
    put_number(bundle + 32 + 24 + 27, UINT64_MAX - 8, 8); /* where the second object begins */
    assert_refused("damaged");
    MAKE(4, HIPV4 "gfx90a");
    bundle[OBJECT] = 'x'; /* not ELF */
    assert_refused("damaged");
}

/* Packs the bundle as clang does. */
static void pack(unsigned version, unsigned method)
{
    size_t size = 0;
    void *frame = hs_zstd_pack(bundle, ROOM, &size, reason);
    if (!frame) {
        print_message("no libzstd.so.1 here\n");
        skip();
    }
    size_t head = version == 1 ? 20 : version == 2 ? 24 : 32, field = version == 3 ? 8 : 4;
    char *at = put_number(put_number(put(packed, "CCOB", 4), version, 2), method, 2);
    if (version > 1) {
        at = put_number(at, head + size, field);
    }
    at = put_number(put_number(at, ROOM, field), 0, 8); /* the size and a hash */
    put(at, frame, size);
    free(frame);
    wrapper.bundle = packed;
}

static void compressed_bundles_are_unpacked(void **state)
{
    (void)state;
    for (unsigned version = 1; version <= 3; version++) {
        MAKE(4, HIPV4 "gfx90a");
        pack(version, ZSTD);
        reader.newest_bundle = 3;
        assert_true(judge());
        reader.newest_bundle = 0;
        assert_true(judge());
        assert_non_null(unpacked);
        const void *const *plain = (const void *const *)((char *)unpacked + 8);
        assert_memory_equal(*plain, bundle, ROOM);
        assert_int_equal((uintptr_t)*plain % 4096, 0);
        hs_bundle_free(unpacked);
    }
}

static void compressed_bundles_are_looked_into(void **state)
{
    (void)state;
    MAKE(4, HIPV4 "gfx1030");
    pack(2, ZSTD);
    assert_refused("code for gfx1030");
    reader.newest_bundle = 0;
    assert_refused("code for gfx1030");
}

static void other_compression_is_refused(void **state)
{
    (void)state;
    MAKE(4, HIPV4 "gfx90a");
    pack(2, 0);
    assert_true(judge()); /* a runtime that reads it may know the method */
    reader.newest_bundle = 0;
    assert_refused("not compressed by zstd; compile with --no-offload-compress");
    pack(2, ZSTD);
    put_number(packed + 4, 9, 2);
    assert_refused("format is not known");
    pack(2, ZSTD);
    put_number(packed + 8, 40, 4); /* the end of the frame */
    assert_refused("ends too early");
    put_number(packed + 8, UINT32_MAX, 4);
    assert_refused("ends too early");
    put_number(packed + 8, 3, 4);
    assert_refused("damaged");
    reader.newest_bundle = 3; /* such a runtime may crash over it */
    assert_refused("damaged");
    put_number(packed + 8, UINT32_MAX, 4);
    assert_refused("ends too early");
}

static void impossible_sizes_are_refused(void **state)
{
    (void)state;
    MAKE(4, HIPV4 "gfx90a");
    pack(3, ZSTD);
    put_number(packed + 16, UINT64_MAX - 8, 8); /* rounded up to pages it would be small */
    reader.newest_bundle = 0;
    assert_refused("no memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(code_for_the_gpu_is_readable, begin),
        cmocka_unit_test_setup(code_for_others_is_refused, begin),
        cmocka_unit_test_setup(generic_code_fits_its_family, begin),
        cmocka_unit_test_setup(newer_code_objects_are_refused, begin),
        cmocka_unit_test_setup(version_6_becomes_version_5, begin),
        cmocka_unit_test_setup(a_code_object_alone_is_adapted, begin),
        cmocka_unit_test_setup(code_of_unknown_devices_is_judged_by_its_form, begin),
        cmocka_unit_test_setup(an_entry_for_another_gpu_may_be_damaged, begin),
        cmocka_unit_test_setup(several_gpus_need_one_or_all, begin),
        cmocka_unit_test_setup(what_is_not_known_is_left_to_the_runtime, begin),
        cmocka_unit_test_setup(damage_is_refused, begin),
        cmocka_unit_test_setup(compressed_bundles_are_unpacked, begin),
        cmocka_unit_test_setup(compressed_bundles_are_looked_into, begin),
        cmocka_unit_test_setup(other_compression_is_refused, begin),
        cmocka_unit_test_setup(impossible_sizes_are_refused, begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
