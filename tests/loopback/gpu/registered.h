/* SPDX-License-Identifier: MIT */
/*
 * What a compiler of device code puts into a program: a bundle of code objects
 * that is registered when the program starts, and kernels, variables and
 * textures that the host knows by addresses of its own.  The functions that
 * register belong to the runtime's ABI with that compiler, not to its headers;
 * they are the runtime's own here.
 */
#ifndef HIPSHIM_TESTS_GPU_REGISTERED_H
#define HIPSHIM_TESTS_GPU_REGISTERED_H

#include "gpu.h"

static void **registered;

static inline void *runtime_symbol(const char *name)
{
    hipshim_runtime_t info = {.size = sizeof info};
    assert_int_equal(hipshim_runtime_info(&info), HIPSHIM_OK);
    void *library = dlopen(info.path, RTLD_NOW | RTLD_NOLOAD);
    void *address = library ? dlsym(library, name) : NULL;
    if (!address) {
        fail_msg("no %s in %s", name, info.path);
    }
    return address;
}

static inline char *put(char *to, const void *bytes, size_t size)
{
    memcpy(to, bytes, size);
    return to + size;
}

static inline char *put_entry(char *to, uint64_t offset, uint64_t size, const char *target)
{
    uint64_t length = strlen(target);
    to = put(to, &offset, sizeof offset);
    to = put(to, &size, sizeof size);
    to = put(to, &length, sizeof length);
    return put(to, target, length);
}

/* A clang offload bundle of source, compiled for the first device.  Never freed: the runtime keeps
 * it. */
static inline void *bundle_of(const char *source)
{
    enum { CODE = 4096 };
    hipDeviceProp_t properties;
    char target[320];
    size_t size = 0;
    uint64_t count = 2;
    void *bundle = NULL;
    void *code = compile_sized(source, &size);
    OK(hipGetDeviceProperties(&properties, 0));
    snprintf(target, sizeof target, "hipv4-amdgcn-amd-amdhsa--%s", properties.gcnArchName);
    assert_int_equal(posix_memalign(&bundle, CODE, CODE + size), 0);
    memset(bundle, 0, CODE);
    char *to = put(bundle, "__CLANG_OFFLOAD_BUNDLE__", 24);
    to = put(to, &count, sizeof count);
    to = put_entry(to, CODE, 0, "host-x86_64-unknown-linux--");
    put_entry(to, CODE, size, target);
    memcpy((char *)bundle + CODE, code, size);
    free(code);
    return bundle;
}

static inline void register_program(const char *source)
{
    static struct {
        uint32_t magic, version;
        const void *bundle;
        void *unused;
    } wrapper = {0x48495046, 1, NULL, NULL};
    void **(*call)(const void *);
    *(void **)&call = runtime_symbol("__hipRegisterFatBinary");
    wrapper.bundle = bundle_of(source);
    registered = call(&wrapper);
    assert_non_null(registered);
}

static inline void register_kernel(const void *host, const char *name)
{
    void (*call)(void **, const void *, char *, const char *, unsigned, void *, void *, dim3 *,
                 dim3 *, int *);
    *(void **)&call = runtime_symbol("__hipRegisterFunction");
    call(registered, host, (char *)name, name, (unsigned)-1, NULL, NULL, NULL, NULL, NULL);
}

static inline void register_variable(void *host, const char *name, size_t size)
{
    void (*call)(void **, void *, char *, char *, int, size_t, int, int);
    *(void **)&call = runtime_symbol("__hipRegisterVar");
    call(registered, host, (char *)name, (char *)name, 0, size, 0, 0);
}

static inline void register_texture(textureReference *host, const char *name, int dimensions)
{
    void (*call)(void **, void *, char *, char *, int, int, int);
    *(void **)&call = runtime_symbol("__hipRegisterTexture");
    call(registered, host, (char *)name, (char *)name, dimensions, 0, 0);
}

static inline void unregister_program(void)
{
    void (*call)(void **);
    *(void **)&call = runtime_symbol("__hipUnregisterFatBinary");
    call(registered);
}

#endif
