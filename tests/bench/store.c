/* SPDX-License-Identifier: MIT */
/*
 * store ENTRIES COUNT: in an empty cache (HIPSHIM_CACHE_DIR), makes as many entries of 8 KB, which
 * take no room on the disk, and prints how many ns storing one more takes, the mean of COUNT.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache/cache.h"
#include "sample.h"

enum { SIZE = 8000 };

static void fill(int group, unsigned long count)
{
    for (unsigned long i = 0; i < count; i++) {
        unsigned char key[HS_CACHE_KEY] = {0};
        char name[HS_CACHE_NAME];

        memcpy(key, &i, sizeof i);
        hs_cache_name(key, ".kernel", name);
        int fd = openat(group, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

        if (fd < 0 || ftruncate(fd, SIZE) != 0) {
            perror(name);
            exit(1);
        }
        close(fd);
    }
}

int main(int argc, char **argv)
{
    unsigned long entries = argc > 1 ? strtoul(argv[1], NULL, 10) : 10;
    unsigned long count = argc > 2 ? strtoul(argv[2], NULL, 10) : 100;
    static const unsigned char data[SIZE];
    unsigned char key[HS_CACHE_KEY];
    struct hs_cache cache;

    memset(key, 0xff, sizeof key);
    hs_cache_open(&cache);
    int group = hs_cache_open_group(&cache, "gfx90a-1.2.3");
    if (group < 0) {
        fprintf(stderr, "store: %s\n", cache.note);
        return 1;
    }
    fill(group, entries);
    double start = sample_now();
    for (unsigned long i = 0; i < count; i++) {
        if (!hs_cache_store(&cache, "gfx90a-1.2.3", key, data, SIZE)) {
            fprintf(stderr, "store: %s\n", cache.note);
            return 1;
        }
    }
    printf("%.0f\n", (sample_now() - start) / (double)count);
    close(group);
    hs_cache_close(&cache);
    return 0;
}
