/* SPDX-License-Identifier: MIT */
/*
 * A library of the shape of AMD's libroctx64; with OLD that of ROCm 5.0 to 5.2.
 * MAJOR and MINOR are the version that it answers; without them it is like the library of a
 * profiler, which answers none.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef MAJOR
uint32_t roctx_version_major(void)
{
    return MAJOR;
}

uint32_t roctx_version_minor(void)
{
    return MINOR;
}
#endif

void roctxMarkA(const char *message)
{
    (void)message;
}

int roctxRangePushA(const char *message)
{
    return message[0];
}

int roctxRangePop(void)
{
    return 7;
}

uint64_t roctxRangeStartA(const char *message)
{
    return (uint64_t)message[0] << 40;
}

void roctxRangeStop(uint64_t id)
{
    (void)id;
}

#ifdef OLD
const char *roctracer_error_string(void)
{
    return strdup("of the library");
}

bool RegisterApiCallback(uint32_t op, void *callback, void *arg)
{
    return op && callback && arg;
}

bool RemoveApiCallback(uint32_t op)
{
    return op;
}

void RangeStackIterate(void *callback, void *arg)
{
    (void)callback;
    (void)arg;
}
#endif
