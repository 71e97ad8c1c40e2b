/* SPDX-License-Identifier: MIT */
/* Modules whose code the runtime reads in another form only (hs_bundle_adapt). */
#ifndef HIPSHIM_SRC_HIP_REGISTRATION_MODULES_H
#define HIPSHIM_SRC_HIP_REGISTRATION_MODULES_H

#include "engine/loader.h"

/* Puts wrappers before the functions that load modules, if the runtime does not read all code. */
void hs_module_code_adapt(const struct hs_runtime *runtime);

#endif
