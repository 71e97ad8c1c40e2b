/* SPDX-License-Identifier: MIT */
/*
 * Slots: one function pointer for each function of the caller ABI.
 *
 * A slot starts at the function's resolver.  The first call of any function opens the runtime and
 * fills all slots: with the runtime's own address where the ABI is the same, and with an adapter
 * where it is not.  A function that the runtime lacks keeps its resolver, which reports that.
 * The first call of a companion's function fills the slots of that library, because opening it
 * may take long.
 *
 * Invariants of the slots, which threads read while another thread fills them:
 * - A slot always holds a function that may be called at any time as one of its type.
 * - A slot changes from its resolver to its target.  It changes back once: when calls begin to go
 * by their caller (by_caller.h), or when the process exits and the runtime is about to end, which
 * the resolver then reports.
 * - A thread that reads an old value calls the resolver, which waits for the filling and then
 *   calls the target: the call has the same effect, once with a detour.
 */
#ifndef HIPSHIM_SRC_ENGINE_DISPATCH_H
#define HIPSHIM_SRC_ENGINE_DISPATCH_H

#include <stdbool.h>

#include "engine/loader.h"
#include "engine/resolvers.h"
#include "engine/tables.h"

#define HS_PUBLIC __attribute__((visibility("default")))
#define HS_HIDDEN __attribute__((visibility("hidden")))

/* In resolvers.S, with as many members as there are functions. */
extern HS_HIDDEN hs_function hs_slots[];

/* This library's own exported functions, which functions that return functions hand out. */
extern HS_HIDDEN const hs_function hs_entries[];

/*
 * The function that each slot resolves to; NULL if the runtime lacks it.  Filled once, except that
 * hooks may change some of them later while threads read them.
 */
extern HS_HIDDEN hs_function hs_targets[];

/* The functions whose calls go by their caller. */
extern HS_HIDDEN bool hs_routed[];

/* Functions that return the error of a result type, and which of them each function has. */
extern HS_HIDDEN const hs_function hs_failures[];
extern HS_HIDDEN const uint8_t hs_failure_of[];

/* The runtime's functions that adapters call; NULL for all others. */
extern HS_HIDDEN hs_function hs_runtime_functions[];

/*
 * On x86-64 a plain load of an aligned pointer is one access with acquire order, and as a plain
 * load it becomes the operand of the jump.  Other machines, and ThreadSanitizer, which checks the
 * language and not the machine, get the atomic load.
 */
static inline hs_function hs_dispatch_slot(unsigned function)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && !defined(HS_DISPATCH_ATOMIC)
    return hs_slots[function];
#else
    return __atomic_load_n(&hs_slots[function], __ATOMIC_ACQUIRE);
#endif
}

#define HS_SLOT(name) ((__typeof__(&name))hs_dispatch_slot(HS_FN_##name))

/*
 * The resolver of a slot calls this; `caller` is the return address of its call.  Returns the
 * function to go on to.  If the runtime lacks it or there is no runtime, the thread's error text is
 * set, and that function returns the error.  Never NULL.
 */
HS_HIDDEN hs_function hs_dispatch_enter(unsigned function, const void *caller);

/* From now on, the function's calls go by their caller, see hs_api.routing; any thread. */
void hs_dispatch_route(unsigned function);

/*
 * Where a call of the function ends: the runtime's own function or an adapter, or this library's
 * entry, which reports the error, if the runtime has none.  Never NULL; any thread.
 */
hs_function hs_dispatch_address(unsigned function);

/* Where calls of the function go now, or NULL; its slot may differ (registration_calls.h). */
hs_function hs_dispatch_target(unsigned function);

/* Makes calls of the function go there; NULL changes nothing. */
void hs_dispatch_set_target(unsigned function, hs_function target);

/* Puts a wrapper before where they go, which `*next` becomes, unless they go nowhere or to it. */
void hs_dispatch_wrap(unsigned function, hs_function wrapper, hs_function *next);

/* The runtime's own function behind every adapter; NULL if it has none. */
hs_function hs_dispatch_runtime_function(unsigned function);

/* The same for a name that the caller ABI does not offer; the runtime is open. */
hs_function hs_dispatch_runtime_symbol(const char *symbol);

/*
 * Opens the runtime's library without initialising it, so that it ends after what the program
 * registers later; NULL if there is none.  For a constructor; see hs_loader_preopen.
 */
const struct hs_runtime *hs_dispatch_preopen(void);

/* Opens the runtime if need be.  Never NULL, valid for ever; any thread. */
const struct hs_runtime *hs_dispatch_runtime(void);

bool hs_dispatch_has_runtime(void);

/* True if calls go to the runtime's own functions without conversion, as the process is now. */
bool hs_dispatch_is_native(const struct hs_runtime *runtime);

/* True once the runtime is about to end, while the process exits; nothing may call it then. */
bool hs_dispatch_has_ended(void);

/* Opens the runtime, and the function's library, if need be; any thread. */
hipshim_kind_t hs_dispatch_kind(unsigned function);

/* Sets the error text: the runtime cannot represent `member` of a call. */
void hs_dispatch_unrepresentable(unsigned function, const char *member);

/* Sets the error text: no memory for the lists of a call. */
void hs_dispatch_no_memory(unsigned function);

#endif
