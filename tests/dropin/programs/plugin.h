/* SPDX-License-Identifier: MIT */
/* What a plugin of tests/dropin/plugins.t gives its host, under the name `plugin`. */
#ifndef HIPSHIM_TESTS_DROPIN_PLUGIN_H
#define HIPSHIM_TESTS_DROPIN_PLUGIN_H

#include <stddef.h>

/* Functions that answer with a text say what was wrong, or NULL. */
struct plugin {
    int major; /* of HIP, that it was built for */
    void *(*make)(void **stream, size_t size);
    const char *(*check_pointer)(const void *memory);
    const char *(*check_properties)(void);
    const char *(*fill)(void *stream, void *memory, int value, size_t size);
    const char *(*copy_out)(void *stream, const void *memory, void *host, size_t size);
    const char *(*end)(void *stream, void *memory);
};

#endif
