/* SPDX-License-Identifier: MIT */
/*
 * What the programs of tests/dropin_*.t share.  They are written against HIP's own headers
 * and linked to HIP's own library, as a user's program is, and compiled once
 * with each release.  They know nothing of hipshim and are told by arguments
 * which release answers it and which one it runs on.
 *
 * A check that fails says so and leaves its test, so that the next one runs.
 */
#ifndef HIPSHIM_TESTS_DROPIN_CHECK_H
#define HIPSHIM_TESTS_DROPIN_CHECK_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hip/hip_runtime_api.h>

/* Releases as 502 for 5.2. */
#define BUILT_FOR (HIP_VERSION_MAJOR * 100 + HIP_VERSION_MINOR)
extern int check_back;  /* the runtime that does the work */
extern int check_front; /* whose numbers it answers with: a drop-in's, or the runtime's own */

struct test {
    const char *words;
    void (*run)(void);
};
/* Each list ends with a test without a name. */
extern const struct test array_tests[];
extern const struct test copy_tests[];
extern const struct test graph_tests[];
extern const struct test memory_tests[];
extern const struct test module_tests[];
extern const struct test property_tests[];
extern const struct test refusal_tests[];
extern const struct test stream_tests[];
extern const struct test surface_tests[];

/*
 * Runs all tests of these lists, NULL behind the last, and says what became of
 * each, in TAP.  The program's arguments are FRONT BACK, both as 5.2: the
 * release whose numbers and layouts answer and the one that works; they are the
 * same where it runs without hipshim.  Returns 2 for other arguments, else ends
 * the process.
 */
int check_main(int count, char **arguments, const struct test *const *all);

__attribute__((format(printf, 3, 4))) void check_fails(const char *file, int line,
                                                       const char *format, ...);
/* The test is counted as one that cannot be made here. */
void check_skips(const char *why);

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            check_fails(__FILE__, __LINE__, "not so: %s", #condition);                             \
            return;                                                                                \
        }                                                                                          \
    } while (0)
#define SAME(got, wanted)                                                                          \
    do {                                                                                           \
        long long got_ = (long long)(got), wanted_ = (long long)(wanted);                          \
        if (got_ != wanted_) {                                                                     \
            check_fails(__FILE__, __LINE__, "%s is %lld, not %lld", #got, got_, wanted_);          \
            return;                                                                                \
        }                                                                                          \
    } while (0)
#define EXPECT(call, wanted)                                                                       \
    do {                                                                                           \
        hipError_t error_ = (call);                                                                \
        if (error_ != (wanted)) {                                                                  \
            check_fails(__FILE__, __LINE__, "%s: %d (%s), not %d", #call, (int)error_,             \
                        hipGetErrorName(error_), (int)(wanted));                                   \
            return;                                                                                \
        }                                                                                          \
    } while (0)
#define OK(call) EXPECT(call, hipSuccess)
/* Some error; which one follows from the driver below, but never success and never "not there". */
#define REFUSED(call)                                                                              \
    do {                                                                                           \
        hipError_t error_ = (call);                                                                \
        if (error_ == hipSuccess || error_ == hipErrorNotSupported) {                              \
            check_fails(__FILE__, __LINE__, "%s: %d (%s)", #call, (int)error_,                     \
                        hipGetErrorName(error_));                                                  \
            return;                                                                                \
        }                                                                                          \
        (void)hipGetLastError();                                                                   \
    } while (0)

/*
 * Leaves the test if the runtime below has no such function, after seeing that the
 * call, which may be of any arguments, says so; `since` is its first release.
 */
#define NEEDS(since, call)                                                                         \
    do {                                                                                           \
        if (check_back < (since)) {                                                                \
            EXPECT(call, hipErrorNotSupported);                                                    \
            EXPECT(hipPeekAtLastError(), hipErrorNotSupported);                                    \
            EXPECT(hipGetLastError(), hipErrorNotSupported);                                       \
            OK(hipPeekAtLastError());                                                              \
            return;                                                                                \
        }                                                                                          \
    } while (0)

/* Bytes that differ from place to place and from seed to seed. */
void check_fill(void *memory, size_t size, unsigned seed);
int check_device_has(const void *device, const void *wanted, size_t size);
int check_device_filled(const void *device, int value, size_t size);

/* The code object of a source for the first device; NULL after a failed check. Free it. */
void *check_compile(const char *source, size_t *size);

/* Where a stand-in for a kernel may touch what the device calls address. */
void *check_reach(const void *address);

/* A host function that the loopback calls in the place of a kernel. */
#define STAND_IN(name)                                                                             \
    void loopback_kernel_##name(const void *kernarg, const uint32_t grid[3],                       \
                                const uint32_t group[3]);                                          \
    void loopback_kernel_##name(const void *kernarg, const uint32_t grid[3],                       \
                                const uint32_t group[3])

#endif
