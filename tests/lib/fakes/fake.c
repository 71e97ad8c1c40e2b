/* SPDX-License-Identifier: MIT */
/* See fake.h. */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct block {
    unsigned char *bytes;
    size_t size;
    size_t room;
    bool there;
};

static struct block taken[FAKE_SLOTS];
static struct block given[FAKE_SLOTS];
static unsigned long count;
static unsigned long failing_call;
static int failing_error;
static const char *last = "";
static char under_test[128];
static unsigned long recorded;

static void keep(struct block *block, const void *bytes, size_t size)
{
    if (size > block->room) {
        block->bytes = realloc(block->bytes, size);
        block->room = size;
        if (!block->bytes) {
            abort();
        }
    }
    if (size) {
        memcpy(block->bytes, bytes, size);
    }
    block->size = size;
    block->there = true;
}

bool fake_begin(const char *function)
{
    for (unsigned slot = 0; slot < FAKE_SLOTS; slot++) {
        taken[slot].there = false;
    }
    last = function;
    count++;
    return count != failing_call;
}

void fake_take(unsigned slot, const void *bytes, size_t size)
{
    if (bytes) {
        keep(&taken[slot], bytes, size);
    }
}

void fake_fill(unsigned slot, void *bytes, size_t size)
{
    if (!bytes) {
        return;
    }
    memset(bytes, FAKE_BYTE, size);
    if (count != failing_call && given[slot].there) {
        memcpy(bytes, given[slot].bytes, size < given[slot].size ? size : given[slot].size);
    }
}

int fake_end(void)
{
    return count == failing_call ? failing_error : 0;
}

void fake_trap(const char *function)
{
    fprintf(stderr, "fake: %s must not be called on this release\n", function);
    abort();
}

bool fake_helps(const char *function)
{
    return strcmp(function, under_test) != 0;
}

bool fake_records(const char *function)
{
    recorded += fake_helps(function);
    return fake_helps(function);
}

void fake_reset(const char *function)
{
    snprintf(under_test, sizeof under_test, "%s", function);
    recorded = 0;
    for (unsigned slot = 0; slot < FAKE_SLOTS; slot++) {
        taken[slot].there = given[slot].there = false;
    }
    count = failing_call = 0;
    last = "";
}

void fake_give(unsigned slot, const void *bytes, size_t size)
{
    keep(&given[slot], bytes, size);
}

const void *fake_taken(unsigned slot, size_t *size)
{
    *size = taken[slot].size;
    return taken[slot].there ? taken[slot].bytes : NULL;
}

void fake_fail(unsigned long nth, int error)
{
    failing_call = count + nth;
    failing_error = error;
}

unsigned long fake_count(void)
{
    return count;
}

unsigned long fake_recorded(void)
{
    return recorded;
}

const char *fake_last(void)
{
    return last;
}
