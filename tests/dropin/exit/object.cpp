// SPDX-License-Identifier: MIT
// Uses HIP in the destructors of a global object and of a thread's own object.
#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <thread>

struct Buffer {
    void *memory = nullptr;
    hipEvent_t event = nullptr;

    bool make() { return hipMalloc(&memory, 4096) == hipSuccess && hipEventCreate(&event) == hipSuccess; }

    ~Buffer()
    {
        const int destroyed = hipEventDestroy(event);
        std::printf("exit: %d %d\n", destroyed, static_cast<int>(hipFree(memory)));
    }
};

static Buffer global;

static void work()
{
    static thread_local Buffer own;
    own.make();
}

int main()
{
    const bool made = global.make();
    std::thread(work).join();
    return made ? 0 : 1;
}
