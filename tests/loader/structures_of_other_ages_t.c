/* SPDX-License-Identifier: MIT */
/*
 * Every structure of hipshim/hipshim.h is filled for programs of other ages: for each size that an
 * older or a newer header could give it, the known bytes are the same, the rest is zero, and no
 * byte behind the structure is written.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <hipshim/hipshim.h>

#include <stdlib.h>
#include <string.h>

enum { UNTOUCHED = 0xa5, GROWTH = 40, GUARD = 16, ROOM = 512 };

typedef hipshim_status_t (*fill_function)(void *structure);

static hipshim_status_t fill_runtime(void *structure)
{
    return hipshim_runtime_info(structure);
}

static hipshim_status_t fill_step(void *structure)
{
    return hipshim_step_info(0, structure);
}

static hipshim_status_t fill_function_info(void *structure)
{
    return hipshim_function_info("hipMalloc", structure);
}

static hipshim_status_t fill_release(void *structure)
{
    return hipshim_release_info(0, structure);
}

static hipshim_status_t fill_change(void *structure)
{
    return hipshim_change_info(0, structure);
}

struct buffer {
    _Alignas(max_align_t) unsigned char bytes[ROOM];
};

static hipshim_status_t fill(fill_function function, size_t size, struct buffer *buffer)
{
    memset(buffer, UNTOUCHED, sizeof *buffer);
    memcpy(buffer->bytes, &size, sizeof size);
    return function(buffer->bytes);
}

static void check_size(fill_function function, size_t size, size_t known,
                       const struct buffer *whole, hipshim_status_t status)
{
    struct buffer buffer;
    assert_int_equal(fill(function, size, &buffer), status);
    assert_memory_equal(buffer.bytes, &size, sizeof size);
    size_t shared = size < known ? size : known;
    assert_memory_equal(buffer.bytes + sizeof size, whole->bytes + sizeof size,
                        shared - sizeof size);
    for (size_t i = shared; i < size; i++) {
        assert_int_equal(buffer.bytes[i], 0);
    }
    for (size_t i = size; i < size + GUARD; i++) {
        assert_int_equal(buffer.bytes[i], UNTOUCHED);
    }
}

static void check_structure(fill_function function, size_t known)
{
    struct buffer whole, small;

    assert_true(known + GROWTH + GUARD <= ROOM);
    hipshim_status_t status = fill(function, known, &whole);
    for (size_t size = sizeof(size_t); size <= known + GROWTH; size++) {
        check_size(function, size, known, &whole, status);
    }
    for (size_t size = 0; size < sizeof(size_t); size++) {
        assert_int_equal(fill(function, size, &small), HIPSHIM_ERROR_INVALID);
        assert_int_equal(small.bytes[sizeof(size_t)], UNTOUCHED);
        assert_true(strlen(hipshim_error_text()) > 0);
    }
    assert_int_equal(function(NULL), HIPSHIM_ERROR_INVALID);
}

static void the_runtime(void **state)
{
    (void)state;
    check_structure(fill_runtime, sizeof(hipshim_runtime_t));
}

static void a_step(void **state)
{
    (void)state;
    check_structure(fill_step, sizeof(hipshim_step_t));
}

static void a_function(void **state)
{
    (void)state;
    check_structure(fill_function_info, sizeof(hipshim_function_t));
}

static void a_release(void **state)
{
    (void)state;
    check_structure(fill_release, sizeof(hipshim_release_info_t));
}

static void a_change(void **state)
{
    (void)state;
    check_structure(fill_change, sizeof(hipshim_change_t));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_runtime), cmocka_unit_test(a_step),   cmocka_unit_test(a_function),
        cmocka_unit_test(a_release),   cmocka_unit_test(a_change),
    };

    setenv("HIPSHIM_LIBRARY", "/nonexistent/libamdhip64.so.6", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
