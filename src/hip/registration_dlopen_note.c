/* SPDX-License-Identifier: MIT */
#include "elf/dlopen_note.h"

HS_DLOPEN_NOTE("[{\"feature\":\"zstd\",\"description\":\"Unpacks compiled-in kernels for a HIP "
               "that does not\",\"priority\":\"suggested\",\"soname\":[\"libzstd.so.1\"]}]");
