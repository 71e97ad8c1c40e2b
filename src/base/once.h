/* SPDX-License-Identifier: MIT */
/*
 * Whose turn it is to do something once, where a lock must not be held.
 *
 * Opening a library waits for the dynamic linker's lock.  A thread that has it
 * may be in a constructor which makes its first HIP call: were it to wait for
 * a thread that is opening the runtime, and that one for the linker's lock,
 * neither would go on.  So waiting has an end: after a second, far longer than
 * opening a runtime takes, the second thread does the work as well, and the
 * result that is published first is the one that counts.
 *
 * No lock of ours is held at any time, so a child of fork finds none held.
 */
#ifndef HIPSHIM_SRC_BASE_ONCE_H
#define HIPSHIM_SRC_BASE_ONCE_H

#include <stdatomic.h>

struct hs_once {
    atomic_int taken;
};

/*
 * True if the caller is to do the work now and then call hs_once_end; false if
 * another thread has done it meanwhile: `*result` is no longer NULL.
 */
int hs_once_begin(struct hs_once *turn, void *_Atomic *result);

void hs_once_end(struct hs_once *turn);

#endif
