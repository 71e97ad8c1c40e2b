// SPDX-License-Identifier: MIT
//
// plugin_host PLUGIN1 PLUGIN2: a program without kernels that loads shared objects which
// have some, unloads them, and loads them from several threads at once.
#include <dlfcn.h>
#include <thread>
#include <vector>

#include "check.h"

using step_t = int(int *);

static step_t *step_of(void *plugin)
{
    return reinterpret_cast<step_t *>(plugin ? dlsym(plugin, "plugin_step") : nullptr);
}

static bool has(int *device, int wanted)
{
    int got = 0;
    return hipMemcpy(&got, device, sizeof got, hipMemcpyDeviceToHost) == hipSuccess &&
           hipMemset(device, 0, sizeof got) == hipSuccess && got == wanted;
}

// The plugin's file may go away; what was registered must not be used any more.
static void load_and_unload(const char *path, int *device)
{
    bool all = true;
    for (int i = 0; i < 5; i++) {
        void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        step_t *step = step_of(plugin);
        all = all && step && step(device) == 11 && step(device) == 12 && has(device, 2);
        all = all && dlclose(plugin) == 0 && !dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    }
    CHECK(all, "a plugin works each time that it is loaded anew");
}

static void load_by_threads(char **paths)
{
    std::vector<std::thread> threads;
    int results[8] = {};

    for (int i = 0; i < 8; i++)
        threads.emplace_back([&results, paths, i] {
            int *device = nullptr;
            for (int round = 0; round < 10; round++) {
                void *plugin = dlopen(paths[i % 2], RTLD_NOW | RTLD_LOCAL);
                step_t *step = step_of(plugin);
                if (step && hipMalloc(&device, 4) == hipSuccess)
                    results[i] += step(device) > 0 && hipFree(device) == hipSuccess;
            }
        });
    for (std::thread &thread : threads)
        thread.join();
    bool all = true;
    for (int result : results)
        all = all && result == 10;
    CHECK(all, "eight threads load and use two plugins");
}

static void nothing(hipStream_t, hipError_t, void *)
{
}

// The runtimes deadlock if a plugin is unloaded, under the dynamic linker's lock, before their
// thread of callbacks has run once; natively, too.
static bool runs_a_callback()
{
    return hipStreamAddCallback(nullptr, nothing, nullptr, 0) == hipSuccess &&
           hipDeviceSynchronize() == hipSuccess;
}

int main(int count, char **arguments)
{
    int *device = nullptr;

    if (count < 3)
        return 2;
    // Registered before the runtime is there, and after.
    void *first = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    CHECK(first, "a plugin is loaded before the first call");
    CHECK(hipMalloc(&device, 4) == hipSuccess && hipMemset(device, 0, 4) == hipSuccess,
          "there is memory");
    CHECK(runs_a_callback(), "a callback runs");
    CHECK(step_of(first) && step_of(first)(device) == 11 && has(device, 1), "it works");
    void *second = dlopen(arguments[2], RTLD_NOW | RTLD_LOCAL);
    CHECK(step_of(second) && step_of(second)(device) == 22 && has(device, 2 * 2),
          "another one with the same names has its own kernel and variables");
    CHECK(step_of(first) && step_of(first)(device) == 12 && has(device, 1),
          "the first still works");
    CHECK(first && dlclose(first) == 0, "it is unloaded");
    load_and_unload(arguments[1], device);
    CHECK(step_of(second) && step_of(second)(device) == 23 && has(device, 2 * 2),
          "the other one still works");
    load_by_threads(arguments + 1);
    CHECK(hipFree(device) == hipSuccess, "the memory is freed");
    return check_end();
}
