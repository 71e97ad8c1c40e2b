/* SPDX-License-Identifier: MIT */
/*
 * Shared by the files of `hipshim cache`.
 */
#ifndef HIPSHIM_SRC_TOOL_CACHE_H
#define HIPSHIM_SRC_TOOL_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "cache/cache.h"

enum { CACHE_ARCHITECTURES = 64 };

struct cache_action;

struct cache_request {
    const char *command; /* for messages */
    const struct cache_action *action;
    const char *source_name; /* the name that programs give the source, or NULL */
    char **sources;
    int source_count;
    char *architectures[CACHE_ARCHITECTURES];
    size_t architecture_count;
    const char **options, **expressions;
    size_t option_count, expression_count;
    bool json, remove;
    int warm_option; /* an option that only warm takes, or 0 */
};

/* Each returns the exit status. */
int cache_list(const struct cache_request *request, struct hs_cache *cache);
int cache_info(const struct cache_request *request, struct hs_cache *cache);
int cache_verify(const struct cache_request *request, struct hs_cache *cache);
int cache_clear(const struct cache_request *request, struct hs_cache *cache);
int cache_warm(const struct cache_request *request, struct hs_cache *cache);

/* The reason why the cache is not used. */
const char *cache_reason(const struct hs_cache *cache);

#endif
