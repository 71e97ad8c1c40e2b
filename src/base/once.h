/* SPDX-License-Identifier: MIT */
/*
 * Work that one thread does for the whole process, where no lock may be held meanwhile.
 *
 * Opening a library waits for the dynamic linker's lock.  A thread that holds that lock may be in
 * a constructor that makes its first HIP call.  If it waited without limit for the thread that
 * opens the runtime, while that thread waits for the dynamic linker's lock, both would hang.  The
 * wait is therefore bounded: after one second, far longer than opening a runtime takes, the
 * waiting thread does the work too, and the result that is published first is used by all.
 *
 * Invariants:
 * - `result` changes once, from NULL to the first published result, which is never freed.  Every
 *   reader therefore sees either NULL or a complete, constant result.
 * - `busy` is a hint and protects nothing.  A child of fork may inherit it set by a thread that
 *   does not exist in the child; the bounded wait covers that case.
 */
#ifndef HIPSHIM_SRC_BASE_ONCE_H
#define HIPSHIM_SRC_BASE_ONCE_H

#include <stdatomic.h>
#include <stdbool.h>

struct hs_once {
    atomic_bool busy;
    void *_Atomic result;
};

/* The published result, or NULL. */
void *hs_once_result(struct hs_once *once);

/*
 * True if the caller must do the work now and then call hs_once_publish or hs_once_abandon; false
 * if there is a published result.
 */
bool hs_once_begin(struct hs_once *once);

/* Publishes `result` unless another thread was first, and returns the published one. */
void *hs_once_publish(struct hs_once *once, void *result);

/* Ends an attempt that has no result; the next caller of hs_once_begin tries again. */
void hs_once_abandon(struct hs_once *once);

#endif
