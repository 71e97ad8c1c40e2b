/* SPDX-License-Identifier: MIT */
/* Modules whose code the runtime reads in another form only (hs_bundle_adapt). */
#ifndef HIPSHIM_SRC_DISPATCH_MODULE_CODE_H
#define HIPSHIM_SRC_DISPATCH_MODULE_CODE_H

#include "loader/loader.h"

/* Puts wrappers before the functions that load modules, if the runtime does not read all code. */
void hs_module_code_adapt(const struct hs_runtime *runtime);

#endif
