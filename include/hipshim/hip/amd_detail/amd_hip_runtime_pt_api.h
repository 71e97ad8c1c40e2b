/* SPDX-License-Identifier: MIT */
/* hipshim: hip_runtime_api.h declares the functions of the stream per thread, too. */
#include "../hip_runtime_api.h"
