/* SPDX-License-Identifier: MIT */
/*
 * Ways to reach a function.  Each way has one loop for each of the three
 * functions, spelled alike in every source, so that only the way differs.
 */
#ifndef HIPSHIM_TESTS_BENCH_CALL_H
#define HIPSHIM_TESTS_BENCH_CALL_H

enum { CALL_EMPTY, CALL_NAME, CALL_VERSION, CALL_COUNT };

/* Calls the function `count` times, a multiple of 8. */
typedef void (*call_loop)(unsigned count);

extern const call_loop call_plt[CALL_COUNT];         /* linked to libamdhip64 */
extern const call_loop call_table[CALL_COUNT];       /* pointers in the program */
extern const call_loop call_stub[CALL_COUNT];        /* as Implib.so's stubs do */
extern const call_loop call_shim[CALL_COUNT];        /* hipshim's header */
extern const call_loop call_shim_plt[CALL_COUNT];    /* hipshim without noplt */
extern const call_loop call_shim_inline[CALL_COUNT]; /* with HIPSHIM_INLINE */

/* The functions' addresses, for the peers that keep a table. */
typedef void (*call_function)(void);
extern call_function call_targets[CALL_COUNT] __attribute__((visibility("hidden")));

#define CALL_8(call)                                                                               \
    do {                                                                                           \
        call;                                                                                      \
        call;                                                                                      \
        call;                                                                                      \
        call;                                                                                      \
        call;                                                                                      \
        call;                                                                                      \
        call;                                                                                      \
        call;                                                                                      \
        count -= 8;                                                                                \
    } while (count)

#define CALL_LOOPS(way, empty, name, get_version)                                                  \
    static __attribute__((noinline, aligned(64))) void way##_empty(unsigned count)                 \
    {                                                                                              \
        CALL_8((void)empty(NULL));                                                                 \
    }                                                                                              \
    static __attribute__((noinline, aligned(64))) void way##_name(unsigned count)                  \
    {                                                                                              \
        CALL_8((void)name(hipSuccess));                                                            \
    }                                                                                              \
    static __attribute__((noinline, aligned(64))) void way##_version(unsigned count)               \
    {                                                                                              \
        int version;                                                                               \
        CALL_8((void)get_version(&version));                                                       \
    }                                                                                              \
    const call_loop way[CALL_COUNT] = {way##_empty, way##_name, way##_version}

#endif
