/* SPDX-License-Identifier: MIT */
/*
 * Several programs of tests/loopback/gpu as one, which is as a program for HIP usually is. SUBJECTS
 * lists them as SUBJECT(copies) SUBJECT(arrays), and the main of each is main_copies here.  Runs
 * those that the arguments name, or all.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SUBJECT(name) int main_##name(void);
SUBJECTS
#undef SUBJECT

static bool is_wanted(const char *name, char **names)
{
    bool is_one = !*names;

    for (; *names; names++) {
        is_one |= strcmp(name, *names) == 0;
    }
    return is_one;
}

int main(int count, char **arguments)
{
    int failures = 0;

    (void)count;
#define SUBJECT(name)                                                                              \
    if (is_wanted(#name, arguments + 1)) {                                                         \
        printf("# %s\n", #name);                                                                   \
        failures += main_##name() != 0;                                                            \
    }
    SUBJECTS
    fflush(NULL);
    /* Without exit handlers: those of HIP 7.2 take down what its own threads may still use. */
    _exit(failures != 0);
}
