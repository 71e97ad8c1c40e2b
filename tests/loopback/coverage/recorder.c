/* SPDX-License-Identifier: MIT */
/*
 * Preloaded before libhipshim, notes which functions a program calls through
 * the stable header and which of them returned 0: each is here under hipshim's
 * name for it, as a thunk that calls the next library's.  A thunk touches r10
 * and r11 only before the call, which no argument is passed in; the caller's
 * return address waits in a stack of the thread's own meanwhile, so that
 * arguments on the stack are where the function looks for them.
 *
 * COVERAGE_RECORD names the file: a byte for each function, in the order of
 * bindings/stable/functions.h, 1 for called, and a page later 1 for returned 0.  It is
 * mapped shared, so that nothing is lost when a program crashes or ends by
 * _exit, and runs add to each other.
 *
 * coverage_names.h has FUNCTION(name, number) for each; tests/loopback/coverage/build.sh
 * makes it from bindings/stable/functions.h.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "stable/functions.h"

#define PAGE 4096

/* Named by the thunks: hidden, so that they reach them without the GOT. */
#define HIDDEN __attribute__((visibility("hidden"), used))
HIDDEN unsigned char coverage_called[2 * PAGE] __attribute__((aligned(PAGE)));
HIDDEN void *coverage_next[HS_FUNCTION_COUNT];

/* Of calls within calls: `top` bytes of what follows it are in use. */
HIDDEN _Thread_local struct {
    size_t top;
    void *returns[255];
} coverage_stack __attribute__((tls_model("initial-exec")));

_Static_assert((int)HS_FUNCTION_COUNT <= PAGE, "one page holds all");

#define FUNCTION(name, number)                                                                     \
    __asm__(".text\n"                                                                              \
            ".globl hipshim_" #name "\n"                                                           \
            ".type hipshim_" #name ", @function\n"                                                 \
            "hipshim_" #name ":\n"                                                                 \
            "movb $1, coverage_called+" #number "(%rip)\n"                                         \
            "popq %r11\n"                                                                          \
            "movq coverage_stack@gottpoff(%rip), %r10\n"                                           \
            "addq $8, %fs:(%r10)\n"                                                                \
            "addq %fs:(%r10), %r10\n"                                                              \
            "movq %r11, %fs:(%r10)\n"                                                              \
            "call *coverage_next+8*" #number "(%rip)\n"                                            \
            "testl %eax, %eax\n"                                                                   \
            "jnz 1f\n"                                                                             \
            "movb $1, coverage_called+4096+" #number "(%rip)\n"                                    \
            "1: movq coverage_stack@gottpoff(%rip), %r10\n"                                        \
            "movq %r10, %r11\n"                                                                    \
            "addq %fs:(%r10), %r11\n"                                                              \
            "subq $8, %fs:(%r10)\n"                                                                \
            "jmp *%fs:(%r11)\n"                                                                    \
            ".size hipshim_" #name ", .-hipshim_" #name "\n");
#include "coverage_names.h"
#undef FUNCTION

static const char *const names[] = {
#define FUNCTION(name, number) [number] = "hipshim_" #name,
#include "coverage_names.h"
#undef FUNCTION
};

/* No file, no record: the program must not pass for one that was recorded. */
static void fail(const char *what)
{
    perror(what);
    _exit(98);
}

__attribute__((constructor)) static void start(void)
{
    const char *path = getenv("COVERAGE_RECORD");
    int file = open(path ? path : "", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0 || ftruncate(file, sizeof coverage_called) != 0 ||
        mmap(coverage_called, sizeof coverage_called, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) {
        fail("COVERAGE_RECORD");
    }
    close(file);
    for (int i = 0; i < HS_FUNCTION_COUNT; i++) {
        coverage_next[i] = dlsym(RTLD_NEXT, names[i]);
        if (!coverage_next[i]) {
            fail(names[i]);
        }
    }
}
