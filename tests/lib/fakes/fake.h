/* SPDX-License-Identifier: MIT */
/*
 * What the functions of a generated fake (make_fake.py) share.
 *
 * A fake takes down what each call was given, byte for byte, and hands out what
 * it was told to.  It is loaded into the process under test as its HIP runtime,
 * and the test drives it through the fake_ functions that it exports.  A slot
 * numbers a parameter: the value itself is FAKE_VALUE + n, the memory behind it
 * FAKE_MEMORY + n, a list that hangs on that memory FAKE_LIST + n.
 *
 * For one thread at a time.
 */
#ifndef HIPSHIM_TESTS_FAKES_FAKE_H
#define HIPSHIM_TESTS_FAKES_FAKE_H

#include <stdbool.h>
#include <stddef.h>

enum { FAKE_VALUE = 0, FAKE_MEMORY = 32, FAKE_LIST = 64, FAKE_RESULT = 96, FAKE_SLOTS };

/* What an output holds where nothing was given for it. */
enum { FAKE_BYTE = 0xa5 };

#define FAKE_EXPORT __attribute__((visibility("default")))

/* For the generated functions */

/* Starts a call; false: it is to fail. */
bool fake_begin(const char *function);

/* Takes down `size` bytes; they are all read, so a short block shows under ASan. */
void fake_take(unsigned slot, const void *bytes, size_t size);

/* Poisons an output, then fills it with what was given, unless the call fails. */
void fake_fill(unsigned slot, void *bytes, size_t size);

/* What the call returns: 0, or the error of fake_fail. */
int fake_end(void);

/*
 * True if this call only records an error that hipshim returns: the function under test is another
 * one.  Such calls are counted apart.
 */
bool fake_records(const char *function);

/* True if this call only completes the function under test; such calls are not counted. */
bool fake_helps(const char *function);

/* Called for a name that hipshim must never call on this release. */
void fake_trap(const char *function);

/* For the test */

/* Forgets calls, what was taken and what is to be given.  `function` is the one under test. */
FAKE_EXPORT void fake_reset(const char *function);

/* Bytes that the output of `slot` gets from now on. */
FAKE_EXPORT void fake_give(unsigned slot, const void *bytes, size_t size);

/* The bytes of `slot` in the last call, and how many; NULL: none. */
FAKE_EXPORT const void *fake_taken(unsigned slot, size_t *size);

/* The n-th call from now (1 is the next) fails with `error`. */
FAKE_EXPORT void fake_fail(unsigned long nth, int error);

/* Calls since the reset, and the name of the last one; "" if there was none. */
FAKE_EXPORT unsigned long fake_count(void);
FAKE_EXPORT const char *fake_last(void);
FAKE_EXPORT unsigned long fake_recorded(void);

#endif
