// SPDX-License-Identifier: MIT
//
// A plugin that finds its host by being loaded: its constructor makes the
// first HIP call and reports.  Only the plugin is linked with hipshim.
#include <hip/hip_runtime_api.h>

extern "C" void host_register(const char *name, int devices);

namespace
{

struct registration {
    registration()
    {
        int devices = -1;

        (void)hipGetDeviceCount(&devices);
        host_register("hip", devices);
    }
} at_load;

} // namespace
