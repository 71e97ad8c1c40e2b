/* SPDX-License-Identifier: MIT */
/* The plugin of plugin_t.c. */
#include <hip/hip_runtime_api.h>

void plugin_starts(void);

int plugin_error = -1;

__attribute__((constructor)) static void call_hip(void)
{
    int version = 0;
    plugin_starts();
    plugin_error = hipRuntimeGetVersion(&version);
}
