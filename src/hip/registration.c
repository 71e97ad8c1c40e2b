/* SPDX-License-Identifier: MIT */
#include "hip/registration.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/at_exit.h"
#include "base/error.h"
#include "hip/registration_bundle.h"

enum { LONGEST_WAIT = 10 }; /* seconds */

/* No pointer, as a record of the runtime begins with. */
#define MAGIC UINT64_C(0x9d1f5a3be2c84706)

/* A binary leaves WAITING once, by the thread that hands it over. */
typedef enum state { WAITING, IN_HAND, HANDED_OVER, REFUSED } state_t;

struct hs_fat_binary {
    /*
     * The first two members in every version, because the call that unregisters may be bound to
     * another drop-in, which became global meanwhile.  `remove` is of the library with the record.
     */
    uint64_t magic;
    void (*remove)(struct hs_fat_binary *binary);
    struct hs_fat_binary *next, *previous;
    const void *wrapper;
    state_t state;
    void **handle;  /* the runtime's own record */
    void *unpacked; /* of hs_bundle_check */
    char *reason;   /* why it was refused */
    bool is_explained;
    struct hs_registered *names;
    size_t name_count, name_capacity;
};

/* The runtime's functions, as the compiler declares them. */
struct calls {
    void **(*fat_binary)(const void *wrapper);
    void (*function)(void **binary, const void *host, const char *device, const char *name,
                     unsigned threads, void *thread, void *block, void *block_dim, void *grid_dim,
                     int *warp);
    void (*variable)(void **binary, const void *host, const char *device, const char *name,
                     int is_extern, size_t size, int is_constant, int is_global);
    void (*managed)(void **binary, const void *host, const void *initial, const char *name,
                    size_t size, unsigned alignment);
    void (*surface)(void **binary, const void *host, const char *device, const char *name, int kind,
                    int is_extern);
    void (*texture)(void **binary, const void *host, const char *device, const char *name, int kind,
                    int is_normalized, int is_extern);
    void (*unregister)(void **binary);
};

/*
 * `mutex` protects the list, the states and the names that wait.  It is not held during a call of
 * the runtime, which may open a library, or of the dynamic linker, while a thread that opens a
 * library waits for the mutex in a constructor.
 */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t handed_over = PTHREAD_COND_INITIALIZER;
static struct hs_fat_binary *first, *last;
static struct calls runtime_calls;
static const struct hs_registration_reader *reader; /* NULL before hs_registration_hand_over */
static atomic_uint refused_count;
static atomic_bool is_over; /* the runtime shuts down and must not be called any more */

static void tell_name(const struct hs_fat_binary *binary, const struct hs_registered *r)
{
    const struct calls *calls = &runtime_calls;
    void **to = binary->handle;

    switch (r->kind) {
    case HS_REGISTERED_FUNCTION:
        calls->function(to, r->host, r->name, r->name, (unsigned)r->numbers[0], NULL, NULL, NULL,
                        NULL, NULL);
        break;
    case HS_REGISTERED_VARIABLE:
        calls->variable(to, r->host, r->name, r->name, r->numbers[0], r->size, r->numbers[1],
                        r->numbers[2]);
        break;
    case HS_REGISTERED_MANAGED:
        calls->managed(to, r->host, r->initial, r->name, r->size, (unsigned)r->numbers[0]);
        break;
    case HS_REGISTERED_SURFACE:
        calls->surface(to, r->host, r->name, r->name, r->numbers[0], r->numbers[1]);
        break;
    case HS_REGISTERED_TEXTURE:
        calls->texture(to, r->host, r->name, r->name, r->numbers[0], r->numbers[1], r->numbers[2]);
        break;
    }
}

/* Takes the next name that waits, or ends the handing over if there is none. */
static bool take_name(struct hs_fat_binary *binary, size_t told, struct hs_registered *name)
{
    pthread_mutex_lock(&mutex);
    bool is_there = told < binary->name_count;
    if (is_there) {
        *name = binary->names[told];
    } else {
        binary->state = HANDED_OVER;
        pthread_cond_broadcast(&handed_over);
    }
    pthread_mutex_unlock(&mutex);
    return is_there;
}

static void refuse(struct hs_fat_binary *binary, const char *reason)
{
    pthread_mutex_lock(&mutex);
    binary->reason = strdup(reason);
    binary->state = REFUSED;
    refused_count++;
    pthread_cond_broadcast(&handed_over);
    pthread_mutex_unlock(&mutex);
}

/* The caller set IN_HAND, and holds no lock. */
static void hand_over(struct hs_fat_binary *binary)
{
    char reason[HS_BUNDLE_REASON];
    struct hs_registered name;

    if (!hs_bundle_check(binary->wrapper, reader, &binary->unpacked, reason)) {
        refuse(binary, reason);
        return;
    }
    binary->handle =
        runtime_calls.fat_binary(binary->unpacked ? binary->unpacked : binary->wrapper);
    if (!binary->handle) {
        refuse(binary, "the HIP runtime refuses it");
        return;
    }
    for (size_t told = 0; take_name(binary, told, &name); told++) {
        tell_name(binary, &name);
    }
}

static bool find_calls(const struct hs_runtime *runtime)
{
    const struct {
        const char *name;
        void **to;
    } wanted[] = {
        {"__hipRegisterFatBinary", (void **)&runtime_calls.fat_binary},
        {"__hipRegisterFunction", (void **)&runtime_calls.function},
        {"__hipRegisterVar", (void **)&runtime_calls.variable},
        {"__hipRegisterManagedVar", (void **)&runtime_calls.managed},
        {"__hipRegisterSurface", (void **)&runtime_calls.surface},
        {"__hipRegisterTexture", (void **)&runtime_calls.texture},
        {"__hipUnregisterFatBinary", (void **)&runtime_calls.unregister},
    };

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        *wanted[i].to = hs_loader_symbol(runtime, wanted[i].name, 0);
        if (!*wanted[i].to) {
            return false;
        }
    }
    return true;
}

/* The first binary in that state, or NULL. */
static struct hs_fat_binary *find_in(state_t state)
{
    struct hs_fat_binary *binary = first;

    while (binary && binary->state != state) {
        binary = binary->next;
    }
    return binary;
}

/*
 * Waits for what other threads hand over, but not for ever: this thread may hold the dynamic
 * linker's lock, for which the other one waits (base/once.h).  The wait is long, because a runtime
 * may take seconds to unpack a large bundle, and after it the kernel of this thread is unknown.
 */
static void wait_for_others(void)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += LONGEST_WAIT;
    while (find_in(IN_HAND) && pthread_cond_timedwait(&handed_over, &mutex, &until) == 0) {
    }
}

void hs_registration_hand_over(const struct hs_runtime *runtime,
                               const struct hs_registration_reader *new_reader)
{
    struct hs_fat_binary *binary;

    pthread_mutex_lock(&mutex);
    if (!reader && find_calls(runtime)) {
        reader = new_reader;
    }
    while (reader && !is_over && (binary = find_in(WAITING))) {
        binary->state = IN_HAND;
        pthread_mutex_unlock(&mutex);
        hand_over(binary);
        pthread_mutex_lock(&mutex);
    }
    wait_for_others();
    pthread_mutex_unlock(&mutex);
}

void hs_registration_end(void)
{
    is_over = hs_at_exit_is_now();
}

bool hs_registration_has_any(void)
{
    pthread_mutex_lock(&mutex);
    bool is_any = first;
    pthread_mutex_unlock(&mutex);
    return is_any;
}

bool hs_registration_has_refused(void)
{
    return refused_count;
}

static bool keep_name(struct hs_fat_binary *binary, const struct hs_registered *registered)
{
    if (binary->name_count == binary->name_capacity) {
        size_t capacity = binary->name_capacity ? 2 * binary->name_capacity : 16;
        struct hs_registered *names = realloc(binary->names, capacity * sizeof *names);

        if (!names) {
            return false;
        }
        binary->names = names;
        binary->name_capacity = capacity;
    }
    binary->names[binary->name_count++] = *registered;
    return true;
}

void hs_registration_name(struct hs_fat_binary *binary, const struct hs_registered *registered)
{
    if (!binary) {
        return;
    }
    pthread_mutex_lock(&mutex);
    bool is_direct = binary->state == HANDED_OVER;
    if (!is_direct && !keep_name(binary, registered)) {
        hs_error_set("%s: no memory to register it", registered->name);
    }
    pthread_mutex_unlock(&mutex);
    if (is_direct) {
        tell_name(binary, registered);
    }
}

static void unlink_binary(struct hs_fat_binary *binary)
{
    *(binary->previous ? &binary->previous->next : &first) = binary->next;
    *(binary->next ? &binary->next->previous : &last) = binary->previous;
    refused_count -= binary->state == REFUSED;
}

static void remove_binary(struct hs_fat_binary *binary)
{
    pthread_mutex_lock(&mutex);
    if (binary->state == IN_HAND) {
        wait_for_others();
    }
    if (binary->state == IN_HAND) {
        pthread_mutex_unlock(&mutex); /* the other thread still uses the record: it stays */
        return;
    }
    unlink_binary(binary);
    pthread_mutex_unlock(&mutex);
    if (binary->handle && !is_over) {
        runtime_calls.unregister(binary->handle);
        hs_bundle_free(binary->unpacked);
    }
    free(binary->reason);
    free(binary->names);
    free(binary);
}

struct hs_fat_binary *hs_registration_add(const void *wrapper)
{
    struct hs_fat_binary *binary = calloc(1, sizeof *binary);

    if (!binary) {
        return NULL;
    }
    binary->magic = MAGIC;
    binary->remove = remove_binary;
    binary->wrapper = wrapper;
    pthread_mutex_lock(&mutex);
    binary->previous = last;
    *(last ? &last->next : &first) = binary;
    last = binary;
    bool is_direct = reader && !is_over;
    binary->state = is_direct ? IN_HAND : WAITING;
    pthread_mutex_unlock(&mutex);
    if (is_direct) {
        hand_over(binary);
    }
    return binary;
}

void hs_registration_remove(struct hs_fat_binary *binary)
{
    if (binary && binary->magic == MAGIC) {
        binary->remove(binary);
    } else if (binary && runtime_calls.unregister && !is_over) {
        runtime_calls.unregister((void **)binary); /* registered before there was a drop-in */
    }
}

/* Why a kernel or variable is refused; copies, because the record may go. */
struct refusal {
    bool is_first;
    const char *name;
    const void *wrapper;
    char reason[HS_BUNDLE_REASON];
};

static bool find_refused(const void *host, struct refusal *refusal)
{
    for (struct hs_fat_binary *binary = first; binary; binary = binary->next) {
        for (size_t i = 0; binary->state == REFUSED && i < binary->name_count; i++) {
            if (binary->names[i].host == host) {
                refusal->is_first = !binary->is_explained;
                binary->is_explained = true;
                refusal->name = binary->names[i].name;
                refusal->wrapper = binary->wrapper;
                snprintf(refusal->reason, sizeof refusal->reason, "%s",
                         binary->reason ? binary->reason : "the runtime cannot read it");
                return true;
            }
        }
    }
    return false;
}

bool hs_registration_explain(const void *host, bool *is_first)
{
    struct refusal refusal;
    Dl_info object;

    pthread_mutex_lock(&mutex);
    bool is_refused = find_refused(host, &refusal);
    pthread_mutex_unlock(&mutex);
    if (is_refused) {
        /* Without the mutex: dladdr takes the dynamic linker's lock. */
        *is_first = refusal.is_first;
        bool is_known = dladdr(refusal.wrapper, &object) && object.dli_fname;

        hs_error_set("%s of %s: %s", refusal.name, is_known ? object.dli_fname : "the program",
                     refusal.reason);
    }
    return is_refused;
}
