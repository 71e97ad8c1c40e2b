/* SPDX-License-Identifier: MIT */
/* The rich program: every test of check.h. */
#include "check.h"

int main(int count, char **arguments)
{
    static const struct test *const all[] = {
        property_tests, memory_tests, copy_tests,    array_tests,   stream_tests,
        graph_tests,    module_tests, refusal_tests, surface_tests, NULL,
    };
    return check_main(count, arguments, all);
}
