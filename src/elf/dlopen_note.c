/* SPDX-License-Identifier: MIT */
#include "elf/dlopen_note.h"

#include "sonames.h"

HS_DLOPEN_NOTE("[{\"feature\":\"hip\",\"description\":\"Runs HIP calls\","
               "\"priority\":\"recommended\",\"soname\":[" HS_SONAMES_0 "]},"
               "{\"feature\":\"hiprtc\",\"description\":\"Compiles HIP kernels at run time\","
               "\"priority\":\"suggested\",\"soname\":[" HS_SONAMES_1 "]}]");
