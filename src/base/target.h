/* SPDX-License-Identifier: MIT */
/* Target names of device code, such as gfx90a:sramecc+:xnack- and gfx11-generic. */
#ifndef HIPSHIM_SRC_BASE_TARGET_H
#define HIPSHIM_SRC_BASE_TARGET_H

/*
 * A higher number for code of `target` that fits a device of `arch` better; 0 if it does not run
 * there.  A feature that the target names must be that of the device.  Negative if only a newer
 * hipshim, or the runtime, can tell: the target is a generic one that is not in the list here, or
 * has a feature that `arch` does not mention.
 */
int hs_target_fit(const char *target, const char *arch);

#endif
