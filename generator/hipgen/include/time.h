/* SPDX-License-Identifier: MIT */
/* The least a HIP header needs of <time.h>; see parse.py. */
#ifndef HIPGEN_TIME_H
#define HIPGEN_TIME_H
#include <stddef.h>
struct timespec {
    long tv_sec;
    long tv_nsec;
};
#endif
