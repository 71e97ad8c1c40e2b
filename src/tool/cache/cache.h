/* SPDX-License-Identifier: MIT */
/*
 * Shared by the files of `hipshim cache`.
 */
#ifndef HIPSHIM_SRC_TOOL_CACHE_H
#define HIPSHIM_SRC_TOOL_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "cache/cache.h"
#include "tool/list.h"
#include "tool/tool.h"

#define CACHE_COMMAND "hipshim cache"

struct cache_request {
    struct tool_words words; /* first, for tool_words_option */
    struct hs_cache *cache;
    const char *source_name; /* the name that programs give the source, or NULL */
    struct hs_words architectures, options, expressions;
};

/* The actions; see tool.h.  Their request is a struct cache_request. */
int cache_list(const void *request, char **arguments);
int cache_info(const void *request, char **arguments);
int cache_verify(const void *request, char **arguments);
int cache_clear(const void *request, char **arguments);
int cache_warm(const void *request, char **sources);

/* The reason why the cache is not used. */
const char *cache_reason(const struct hs_cache *cache);

#endif
