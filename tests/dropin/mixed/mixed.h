/* SPDX-License-Identifier: MIT */
/* What a plugin of tests/dropin/mixed offers; every int is 1, or what was wrong. */
#ifndef HIPSHIM_TESTS_MIXED_MIXED_H
#define HIPSHIM_TESTS_MIXED_MIXED_H

#include <stddef.h>

struct plugin {
    int major;
    int (*sees_device)(const void *device);
    int (*copies_in)(void *device, const void *host, size_t size, void *stream);
    int (*sees_properties)(void);
};

extern const struct plugin plugin;

#endif
