/* SPDX-License-Identifier: MIT */
/*
 * Kernels and variables that a HIP compiler put into programs and shared libraries.
 *
 * Such an object registers a fat binary (its code objects) and the names in it before main, and
 * unregisters it when it is unloaded.  The records wait here until the program first uses a kernel
 * or a variable, are then handed over to the runtime, and from then on each registration goes on to
 * it at once.  So a program that makes no HIP call opens no runtime, HIP is not initialised before
 * main, and a fat binary that the runtime cannot read is an error of the calls that need it.
 *
 * Threads: any, since libraries with kernels may be loaded by several threads at once.  One thread
 * registers one fat binary, which is its constructor's.
 */
#ifndef HIPSHIM_SRC_HIP_REGISTRATION_H
#define HIPSHIM_SRC_HIP_REGISTRATION_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/loader.h"

struct hs_fat_binary;

/* What the runtime and its devices can read. */
struct hs_registration_reader {
    unsigned device_count;      /* at most 64; 0 if they are not known */
    const char *const *devices; /* their architectures, gfx90a:sramecc+:xnack- */
    int newest_object;          /* the newest version of code objects */
    int newest_bundle;          /* the newest format of compressed bundles; 0 for none */
    bool needs_all_devices;     /* it ends the process unless a bundle has code for each device */
};

enum { HS_BUNDLE_REASON = 512 };

/*
 * True if the runtime can read the code for one of the devices, or for any if the reader names no
 * devices; else false, with the reason.  `code` is a bundle, a compressed bundle or a code object
 * of `size` bytes, or 0 if the size is not known.  If the runtime reads it in another form only,
 * `*adapted` becomes that form, which is from malloc and must live as long as the code is in use;
 * otherwise NULL.
 */
bool hs_bundle_adapt(const void *code, size_t size, const struct hs_registration_reader *reader,
                     void **adapted, char reason[HS_BUNDLE_REASON]);

typedef enum hs_registered_kind {
    HS_REGISTERED_FUNCTION,
    HS_REGISTERED_VARIABLE,
    HS_REGISTERED_MANAGED,
    HS_REGISTERED_SURFACE,
    HS_REGISTERED_TEXTURE
} hs_registered_kind_t;

/* One name of a fat binary, with the arguments of the call that registers it. */
struct hs_registered {
    hs_registered_kind_t kind;
    const void *host;    /* the address that stands for it on the host */
    const char *name;    /* in the object that registers */
    const void *initial; /* of a managed variable */
    size_t size;         /* of a variable */
    int numbers[3];      /* the other integers, in the order of the call */
};

/* A record of a fat binary, NULL without memory. */
struct hs_fat_binary *hs_registration_add(const void *wrapper);

/* Adds a name to the fat binary; `binary` may be NULL. */
void hs_registration_name(struct hs_fat_binary *binary, const struct hs_registered *registered);

/* Ends the record, and unregisters it unless the runtime has ended; `binary` may be NULL. */
void hs_registration_remove(struct hs_fat_binary *binary);

/*
 * Hands all records over to the runtime, and those that come later as they come.  HIP must be
 * initialised, because several runtimes end the process while they initialise if a bundle has no
 * code for the device.  What `reader` points to stays valid.  Returns when all are handed over,
 * also those that another thread hands over.  Call it with no lock held.
 */
void hs_registration_hand_over(const struct hs_runtime *runtime,
                               const struct hs_registration_reader *reader);

/*
 * A handler for hs_at_exit: from then on the runtime is told neither of new records nor of the end
 * of others.
 */
void hs_registration_end(void);

/* True if a fat binary is registered. */
bool hs_registration_has_any(void);

/* True if a fat binary was refused. */
bool hs_registration_has_refused(void);

/*
 * True, with the error text set, if `host` is of a fat binary that was refused; `*is_first` is then
 * true the first time for that binary.
 */
bool hs_registration_explain(const void *host, bool *is_first);

#endif
