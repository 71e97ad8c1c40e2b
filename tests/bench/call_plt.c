/* SPDX-License-Identifier: MIT */
/* Calls that do not involve hipshim: the peers. */
#include <stddef.h>

#include "bindings_43484.h"

#include "call.h"

CALL_LOOPS(call_plt, hipCtxDestroy, hipGetErrorName, hipRuntimeGetVersion);

call_function call_targets[CALL_COUNT];

#define TARGET(name, which) ((__typeof__(&name))call_targets[which])
CALL_LOOPS(call_table, TARGET(hipCtxDestroy, CALL_EMPTY), TARGET(hipGetErrorName, CALL_NAME),
           TARGET(hipRuntimeGetVersion, CALL_VERSION));

#ifdef __x86_64__
/* Load the table's entry, go to the resolver while it is empty, else jump. */
#define STUB(name, offset)                                                                         \
    __asm__(".text\n"                                                                              \
            ".balign 16\n"                                                                         \
            ".type " #name ", @function\n" #name ":\n"                                             \
            "cmpq $0, call_targets+" #offset "(%rip)\n"                                            \
            "je 1f\n"                                                                              \
            "jmp *call_targets+" #offset "(%rip)\n"                                                \
            "1: ud2\n"                                                                             \
            ".size " #name ", . - " #name "\n")
STUB(stub_empty, 0);
STUB(stub_name, 8);
STUB(stub_version, 16);

hipError_t stub_empty(hipCtx_t ctx) __attribute__((visibility("hidden")));
const char *stub_name(hipError_t error) __attribute__((visibility("hidden")));
hipError_t stub_version(int *version) __attribute__((visibility("hidden")));
CALL_LOOPS(call_stub, stub_empty, stub_name, stub_version);
#else
const call_loop call_stub[CALL_COUNT] = {NULL, NULL, NULL};
#endif
