/* SPDX-License-Identifier: MIT */
/* A library that exports a pointer to its table: prototype, see call.h. */
#include "call.h"

static call_function table[CALL_COUNT];
call_function *call_library_table = table;
