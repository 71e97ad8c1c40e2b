/* SPDX-License-Identifier: MIT */
/*
 * Slots: one function pointer for each function of the stable header.
 *
 * A slot starts at the function's resolver.  The first call of any of them
 * opens the runtime and fills all slots, with the runtime's own address where
 * the ABI is the same and with an adapter where it is not.  What the runtime
 * lacks keeps its resolver, which reports it.  Slots of hiprtc are filled by
 * the first call of an hiprtc function, because opening hiprtc is not free.
 */
#ifndef HIPSHIM_SRC_DISPATCH_DISPATCH_H
#define HIPSHIM_SRC_DISPATCH_DISPATCH_H

#include <stdbool.h>

#include "functions.h"
#include "loader/loader.h"
#include "tables/tables.h"

#define HS_PUBLIC __attribute__((visibility("default")))
#define HS_HIDDEN __attribute__((visibility("hidden")))

/* What a function really is with the runtime that was opened. */
enum hs_kind { HS_KIND_DIRECT, HS_KIND_CONVERTED, HS_KIND_EMULATED, HS_KIND_MISSING };

extern HS_HIDDEN hs_function hs_slots[HS_FUNCTION_COUNT];

/* hipshim's own exported functions, what hipGetProcAddress hands out. */
extern HS_HIDDEN const hs_function hs_entries[HS_FUNCTION_COUNT];

/* The runtime's functions that adapters call; NULL for all others. */
extern HS_HIDDEN hs_function hs_runtime_functions[HS_FUNCTION_COUNT];

/*
 * Slots change while other threads read them.  On x86-64 a plain load of an
 * aligned pointer is one access and has acquire order; written as a plain load
 * it becomes the operand of the jump.  Elsewhere, and for ThreadSanitizer,
 * which looks at the language and not the machine, it is said in full.
 */
static inline hs_function hs_dispatch_slot(enum hs_function_id function)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && !defined(HS_DISPATCH_ATOMIC)
    return hs_slots[function];
#else
    return __atomic_load_n(&hs_slots[function], __ATOMIC_ACQUIRE);
#endif
}

#define HS_SLOT(name) ((__typeof__(&name))hs_dispatch_slot(HS_FN_##name))

/*
 * What a slot's resolver calls: the function to go on to, or NULL with the
 * thread's error text set when the runtime lacks it or there is none.
 */
hs_function hs_dispatch_resolve(enum hs_function_id function);

/*
 * Where a call of the function ends up: the runtime's own function or an
 * adapter, or hipshim's entry, which reports it, where the runtime has none.
 * Never NULL; any thread.
 */
hs_function hs_dispatch_address(unsigned function);

/* The runtime's own function of that name, whatever is in between; NULL if it has none. */
hs_function hs_dispatch_raw(unsigned function);

/* The same for a name that this front does not offer; the runtime is open. */
hs_function hs_dispatch_named(const char *symbol);

/*
 * In a drop-in: from now on calls of functions that other majors have
 * differently go by who calls (mixed.h).  Any thread, any number of times.
 */
void hs_dispatch_route_by_caller(void);

/* Opens the runtime if need be.  Never NULL, valid for ever; any thread. */
const struct hs_runtime *hs_dispatch_runtime(void);

bool hs_dispatch_has_runtime(void);

/* Opens the runtime, and hiprtc for its functions, if need be; any thread. */
enum hs_kind hs_dispatch_kind(unsigned function);

/* Sets the error text: the runtime cannot express `member` of a call. */
void hs_dispatch_unrepresentable(enum hs_function_id function, const char *member);

/* Sets the error text: a call's lists did not fit in memory. */
void hs_dispatch_no_memory(enum hs_function_id function);

#endif
