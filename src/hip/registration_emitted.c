/* SPDX-License-Identifier: MIT */
/*
 * The functions that a HIP compiler calls before main.  The emitted calls have plain names;
 * hip/hipshim_device.h leads them here, and in a drop-in dropin_hooks.c does.
 */
#include "hip/registration.h"

#include <stdlib.h>
#include <string.h>

#include "caller_abi.h"
#include "engine/dispatch.h"
#include "hip/registration_calls.h"

#define SYMBOL(name) __asm__("hipshim_" #name)

HS_PUBLIC void **__hipRegisterFatBinary(const void *wrapper) SYMBOL(__hipRegisterFatBinary);
HS_PUBLIC void __hipRegisterFunction(void **binary, const void *host, char *device,
                                     const char *name, unsigned threads, void *thread, void *block,
                                     void *block_dim, void *grid_dim, int *warp)
    SYMBOL(__hipRegisterFunction);
HS_PUBLIC void __hipRegisterVar(void **binary, void *host, char *device, char *name, int is_extern,
                                size_t size, int is_constant, int is_global)
    SYMBOL(__hipRegisterVar);
HS_PUBLIC void __hipRegisterManagedVar(void *binary, void **host, void *initial, const char *name,
                                       size_t size, unsigned alignment)
    SYMBOL(__hipRegisterManagedVar);
HS_PUBLIC void __hipRegisterSurface(void **binary, void *host, char *device, char *name, int kind,
                                    int is_extern) SYMBOL(__hipRegisterSurface);
HS_PUBLIC void __hipRegisterTexture(void **binary, void *host, char *device, char *name, int kind,
                                    int is_normalized, int is_extern) SYMBOL(__hipRegisterTexture);
HS_PUBLIC void __hipUnregisterFatBinary(void **binary) SYMBOL(__hipUnregisterFatBinary);

void **__hipRegisterFatBinary(const void *wrapper)
{
    struct hs_fat_binary *binary = hs_registration_add(wrapper);

    hs_registered_added();
    return (void **)binary;
}

/* A compiler passes the kernel's name twice, and null pointers for what follows its limit. */
void __hipRegisterFunction(void **binary, const void *host, char *device, const char *name,
                           unsigned threads, void *thread, void *block, void *block_dim,
                           void *grid_dim, int *warp)
{
    (void)device, (void)thread, (void)block, (void)block_dim, (void)grid_dim, (void)warp;
    hs_registration_name((struct hs_fat_binary *)binary, &(struct hs_registered){
                                                             .kind = HS_REGISTERED_FUNCTION,
                                                             .host = host,
                                                             .name = name,
                                                             .numbers = {(int)threads},
                                                         });
}

void __hipRegisterVar(void **binary, void *host, char *device, char *name, int is_extern,
                      size_t size, int is_constant, int is_global)
{
    (void)device;
    hs_registration_name((struct hs_fat_binary *)binary,
                         &(struct hs_registered){
                             .kind = HS_REGISTERED_VARIABLE,
                             .host = host,
                             .name = name,
                             .size = size,
                             .numbers = {is_extern, is_constant, is_global},
                         });
}

/*
 * The host reads a managed variable through the pointer at `host`, without a call, and so the
 * memory has to be there from now on.  Without a runtime it is plain memory.
 */
void __hipRegisterManagedVar(void *binary, void **host, void *initial, const char *name,
                             size_t size, unsigned alignment)
{
    hs_registered_managed();
    hs_registration_name(binary, &(struct hs_registered){
                                     .kind = HS_REGISTERED_MANAGED,
                                     .host = host,
                                     .name = name,
                                     .initial = initial,
                                     .size = size,
                                     .numbers = {(int)alignment},
                                 });
    if (!*host && (*host = aligned_alloc(alignment, (size + alignment - 1) & -(size_t)alignment))) {
        memcpy(*host, initial, size);
    }
}

void __hipRegisterSurface(void **binary, void *host, char *device, char *name, int kind,
                          int is_extern)
{
    (void)device;
    hs_registration_name((struct hs_fat_binary *)binary, &(struct hs_registered){
                                                             .kind = HS_REGISTERED_SURFACE,
                                                             .host = host,
                                                             .name = name,
                                                             .numbers = {kind, is_extern},
                                                         });
}

void __hipRegisterTexture(void **binary, void *host, char *device, char *name, int kind,
                          int is_normalized, int is_extern)
{
    (void)device;
    hs_registration_name((struct hs_fat_binary *)binary,
                         &(struct hs_registered){
                             .kind = HS_REGISTERED_TEXTURE,
                             .host = host,
                             .name = name,
                             .numbers = {kind, is_normalized, is_extern},
                         });
}

void __hipUnregisterFatBinary(void **binary)
{
    hs_registration_remove((struct hs_fat_binary *)binary);
}

static const hs_function table[] = {
#define HS_FORWARD(name) (hs_function) name,
#include "hip/registration_emitted.h"
};

/* Of libhipshim-rocm, as HS_FORWARD_TABLE (rocm/forward_tables.c). */
extern const hs_function *const hs_forward_emitted;
HS_PUBLIC const hs_function *const hs_forward_emitted = table;
