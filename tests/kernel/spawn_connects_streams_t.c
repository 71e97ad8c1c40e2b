/* SPDX-License-Identifier: MIT */
/* A program that is started gets its streams also if this process has closed its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/spawn.h"

/* Runs a shell with the descriptors up to `last` closed, and gives what it prints. */
static void run_without(int last, char text[64])
{
    static const char *const words[] = {"sh", "-c", "echo out; echo err >&2; cat", NULL};
    int saved[3], status = -1;
    pid_t child;

    for (int i = 0; i <= last; i++) {
        saved[i] = dup(i);
        assert_true(saved[i] > 2);
    }
    for (int i = 0; i <= last; i++) {
        close(i);
    }
    int log = memfd_create("log", MFD_CLOEXEC);
    const struct hs_spawn spawn = {
        .program = "/bin/sh", .arguments = words, .output = log, .error = log};
    int error = hs_spawn_start(&spawn, &child);
    bool is_over = !error && hs_spawn_wait(child, &status);
    ssize_t size = pread(log, text, 63, 0);

    close(log);
    for (int i = 0; i <= last; i++) {
        dup2(saved[i], i);
        close(saved[i]);
    }
    text[size < 0 ? 0 : size] = '\0';
    assert_int_equal(error, 0);
    assert_true(is_over);
    assert_int_equal(status, 0);
}

static void a_program_gets_its_streams_whatever_this_process_has_closed(void **state)
{
    (void)state;
    for (int last = -1; last <= 2; last++) {
        char text[64];

        run_without(last, text);
        assert_string_equal(text, "out\nerr\n");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_gets_its_streams_whatever_this_process_has_closed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
