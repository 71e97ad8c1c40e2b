/* SPDX-License-Identifier: MIT */
/*
 * The functions of an API's own code that the dispatcher calls.  None of them lies on the way of a
 * call whose slot is filled.
 */
#ifndef HIPSHIM_SRC_ENGINE_HOOKS_H
#define HIPSHIM_SRC_ENGINE_HOOKS_H

#include <stdbool.h>

#include "engine/loader.h"
#include "engine/tables.h"

/* Why a call fails without the runtime; the thread's error text says more. */
enum hs_failure {
    HS_FAILURE_MISSING,         /* the runtime lacks the function */
    HS_FAILURE_NO_RUNTIME,      /* there is no runtime */
    HS_FAILURE_UNREPRESENTABLE, /* the runtime has no way to express an argument or a result */
    HS_FAILURE_NO_MEMORY        /* no memory for the lists of the call */
};

/* Each may be NULL, which does nothing. */
struct hs_hooks {
    /* Right after the runtime was opened, before the handler that ends the slots is registered. */
    void (*before_exit_handler)(void);

    /* After the slots are filled. */
    void (*runtime_opened)(const struct hs_runtime *runtime);

    /* True if the slot of the function keeps its resolver for now, although there is a target. */
    bool (*defers)(unsigned function);

    /* Before a resolver goes on to the target, the runtime being open; with no lock held. */
    void (*before_call)(unsigned function);

    /*
     * The function that serves a call with a library that was opened early and may not be
     * initialised yet, or NULL if `function` has to wait for that.
     */
    hs_function (*early_entry)(const struct hs_runtime *early, unsigned function);

    /* After the error text is set, on the thread whose call fails. */
    void (*failed)(unsigned function, enum hs_failure kind);
};

/* The API's own code defines it. */
extern const struct hs_hooks hs_hooks;

#endif
