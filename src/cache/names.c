/* SPDX-License-Identifier: MIT */
/* The names of groups and files, and whether a file still has its name. */
#include "cache/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/random.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/hex.h"

void hs_cache_name(const unsigned char key[HS_CACHE_KEY], const char *suffix,
                   char name[HS_CACHE_NAME])
{
    hs_hex_write(name, key, HS_CACHE_KEY);
    snprintf(name + HS_CACHE_HEX - 1, HS_CACHE_NAME - HS_CACHE_HEX + 1, "%s", suffix);
}

uint64_t hs_cache_random(void)
{
    static _Atomic uint64_t other = 0;
    uint64_t random;

    /* glibc has a function for it since 2.25 only. */
    if (syscall(SYS_getrandom, &random, sizeof random, GRND_NONBLOCK) != sizeof random) {
        random = (++other << 32) + (uint64_t)clock() * 31 + (uint64_t)getpid();
    }
    return random;
}

bool hs_cache_has_name(int fd, int at, const char *name)
{
    struct stat open_file, named_file;

    return fstat(fd, &open_file) == 0 && fstatat(at, name, &named_file, AT_SYMLINK_NOFOLLOW) == 0 &&
           open_file.st_dev == named_file.st_dev && open_file.st_ino == named_file.st_ino;
}

int hs_cache_open_group(struct hs_cache *cache, const char *group)
{
    int at = cache->directories[0].fd, fd = hs_cache_open_directory(at, group);

    if (fd < 0 && errno == ENOENT && (mkdirat(at, group, 0700) == 0 || errno == EEXIST)) {
        fd = hs_cache_open_directory(at, group);
    }
    if (fd < 0) {
        hs_cache_set_note(cache, "%.150s/%.80s: %s", cache->directories[0].path, group,
                          errno == EPERM ? "another user may write to it" : strerror(errno));
    }
    return fd;
}
