/* SPDX-License-Identifier: MIT */
/* Registers callbacks as tracers for HIP 5.2 do, by functions that later libraries lack. */
#include <hip/hip_runtime_api.h>
#include <stdbool.h>
#include <stdio.h>

void hipInitActivityCallback(void *id, void *operation, void *arg);
bool hipEnableActivityCallback(unsigned operation, bool enable);

enum { IDS = 300 };

static void note_call(unsigned domain, unsigned id, const void *data, void *arg)
{
    (void)domain;
    (void)id;
    (void)data;
    (void)arg;
}

int main(void)
{
    void *memory = NULL;
    hipInitActivityCallback(NULL, NULL, NULL);
    int enabled = hipEnableActivityCallback(2, true) + hipEnableActivityCallback(2, false);
    int accepted = 0, removed = 0;
    hipError_t last = hipSuccess;
    for (unsigned id = 1; id < IDS; id++) {
        hipError_t result = hipRegisterApiCallback(id, (void *)note_call, NULL);
        accepted += result == hipSuccess;
        last = result;
    }
    hipError_t status = hipMalloc(&memory, 64);
    for (unsigned id = 1; id < IDS; id++) {
        removed += hipRemoveApiCallback(id) == hipSuccess;
    }
    status = status ? status : hipFree(memory);
    printf("enabled %d, accepted %s, last %d, removed %s, status %d\n", enabled,
           accepted > 0 ? "some" : "none", last, removed > 0 ? "some" : "none", status);
    fflush(stdout);
    return 0;
}
