/* SPDX-License-Identifier: MIT */
/*
 * What tool_json.h writes is JSON, whatever the texts are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <hipshim/hipshim.h>

#include "tool/json.h"

#include <stdlib.h>
#include <string.h>

static void expect_text(const char *text, const char *wanted)
{
    struct tool_json json = {NULL, 0, 0};
    char *output = NULL;
    size_t size;

    json.stream = open_memstream(&output, &size);
    assert_non_null(json.stream);
    tool_json_write(&json, "s", text);
    assert_int_equal(fclose(json.stream), 0);
    assert_string_equal(output, wanted);
    free(output);
}

static void plain_text_is_quoted(void **state)
{
    (void)state;
    expect_text("", "\"\"");
    expect_text("/usr/lib/libamdhip64.so.6", "\"/usr/lib/libamdhip64.so.6\"");
    expect_text(NULL, "null");
}

static void special_characters_are_escaped(void **state)
{
    (void)state;
    expect_text("a\"b\\c", "\"a\\\"b\\\\c\"");
    expect_text("\n\t\x01\x7f", "\"\\u000a\\u0009\\u0001\\u007f\"");
}

static void utf8_passes_and_other_bytes_are_replaced(void **state)
{
    (void)state;
    expect_text("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"");
    expect_text("a\xff z", "\"a\\ufffd z\"");
    expect_text("\xc3", "\"\\ufffd\"");
    expect_text("\xc3(", "\"\\ufffd(\"");
    expect_text("\xe2\x82", "\"\\ufffd\\ufffd\"");
    expect_text("\xc0\x80", "\"\\ufffd\\ufffd\"");            /* overlong */
    expect_text("\xe0\x80\x80", "\"\\ufffd\\ufffd\\ufffd\""); /* overlong */
    expect_text("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""); /* surrogate */
    expect_text("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
}

static void structures_nest(void **state)
{
    struct tool_json json = {NULL, 0, 0};
    char *output = NULL;
    size_t size;

    (void)state;
    json.stream = open_memstream(&output, &size);
    assert_non_null(json.stream);
    tool_json_write(&json, "{n:n empty:[] list:[b", UINT64_MAX, true);
    tool_json_write(&json, "{k:s} u r]", "v", 7u, (hipshim_release_t){6, 4, 43484});
    tool_json_write(&json, "none:r}", (hipshim_release_t){0});
    assert_int_equal(fclose(json.stream), 0);
    assert_string_equal(
        output, "{\n  \"n\": 18446744073709551615,\n  \"empty\": [],\n  \"list\": [\n    true,\n"
                "    {\n      \"k\": \"v\"\n    },\n    7,\n    \"6.4.43484\"\n  ],\n  \"none\": "
                "null\n}\n");
    free(output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_text_is_quoted),
        cmocka_unit_test(special_characters_are_escaped),
        cmocka_unit_test(utf8_passes_and_other_bytes_are_replaced),
        cmocka_unit_test(structures_nest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
