/* SPDX-License-Identifier: MIT */
/*
 * Prints the differences between two HIP releases for a program that uses hipshim.  They come from
 * tables in libhipshim, so neither of the releases nor a GPU is needed.
 *
 *   cc 07_two_releases.c $(pkg-config --cflags --libs hipshim)
 *   ./a.out 5.2 7.2
 */
#include <hipshim/hipshim.h>
#include <stdio.h>
#include <stdlib.h>

static hipshim_release_info_t info(unsigned index)
{
    hipshim_release_info_t info = {.size = sizeof info};

    (void)hipshim_release_info(index, &info);
    return info;
}

/* The newest release of "MAJOR.MINOR"; hipshim_release_count() if there is none. */
static unsigned find(const char *text)
{
    unsigned major, minor;

    if (sscanf(text, "%u.%u", &major, &minor) == 2) {
        for (unsigned i = hipshim_release_count(); i-- > 0;) {
            hipshim_release_t release = info(i).release;

            if (release.major == major && release.minor == minor) {
                return i;
            }
        }
    }
    return hipshim_release_count();
}

static int newer(hipshim_release_t left, hipshim_release_t right)
{
    if (left.major != right.major) {
        return left.major > right.major;
    }
    return left.minor != right.minor ? left.minor > right.minor : left.patch > right.patch;
}

/* Prints the functions that a program can call on one of the two releases only. */
static int print_functions(unsigned from, unsigned to)
{
    static const char *const kinds[] = {"direct", "converted", "emulated", "missing"};
    unsigned counts[2][4] = {{0}}, differ = 0;

    for (unsigned i = 0; i < hipshim_function_count(); i++) {
        const char *name = hipshim_function_name(i);
        hipshim_kind_t one, two;

        if (hipshim_function_kind_on_release(name, from, &one) != HIPSHIM_OK ||
            hipshim_function_kind_on_release(name, to, &two) != HIPSHIM_OK) {
            return -1;
        }
        counts[0][one]++;
        counts[1][two]++;
        if ((one == HIPSHIM_KIND_MISSING) != (two == HIPSHIM_KIND_MISSING)) {
            printf("%c %s\n", one == HIPSHIM_KIND_MISSING ? '+' : '-', name);
            differ++;
        }
    }
    printf("%u functions are on one of the two only\n", differ);
    for (int i = 0; i < 4; i++) {
        printf("%-9s %3u then, %3u now\n", kinds[i], counts[0][i], counts[1][i]);
    }
    return counts[0][0] + counts[0][1] + counts[0][2] + counts[0][3] == hipshim_function_count()
               ? 0
               : -1;
}

static unsigned print_changes(hipshim_release_t from, hipshim_release_t to)
{
    unsigned changes = 0;

    for (unsigned i = 0; i < hipshim_change_count(); i++) {
        hipshim_change_t change = {.size = sizeof change};

        if (hipshim_change_info(i, &change) == HIPSHIM_OK && newer(change.api_set, from) &&
            !newer(change.api_set, to)) {
            printf("%u.%u.%u %s: %s\n", change.api_set.major, change.api_set.minor,
                   change.api_set.patch, change.function, change.text);
            changes++;
        }
    }
    return changes;
}

int main(int argc, char **argv)
{
    unsigned from = argc == 3 ? find(argv[1]) : 0;
    unsigned to = argc == 3 ? find(argv[2]) : hipshim_release_count() - 1;

    if (from >= hipshim_release_count() || to >= hipshim_release_count() ||
        !newer(info(to).release, info(from).release)) {
        printf("usage: %s OLDER NEWER, two releases that hipshim knows, such as 5.2 7.2\n",
               argv[0]);
        return EXIT_FAILURE;
    }
    printf("from HIP %u.%u.%u to HIP %u.%u.%u\n", info(from).release.major,
           info(from).release.minor, info(from).release.patch, info(to).release.major,
           info(to).release.minor, info(to).release.patch);
    if (print_functions(from, to) != 0) {
        printf("libhipshim gave no answer\nFAIL\n");
        return EXIT_FAILURE;
    }
    printf("%u changes of the ABI, which hipshim converts\n",
           print_changes(info(from).api_set, info(to).api_set));
    puts("PASS");
    return EXIT_SUCCESS;
}
