// SPDX-License-Identifier: MIT
//
// lazy [none|launch|fork]: has a kernel, and opens the runtime only if it is told to; with
// "none" there is no GPU, or no runtime.
#include <hip/hip_runtime.h>

#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static __global__ void nothing(int *)
{
}

static bool launches()
{
    nothing<<<1, 1>>>(nullptr);
    return hipGetLastError() == hipSuccess && hipDeviceSynchronize() == hipSuccess;
}

static bool launches_in_child()
{
    int status = -1;
    std::fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(launches() ? 0 : 1);
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static bool is_mapped(const char *name)
{
    char line[4096];
    bool found = false;
    std::FILE *maps = std::fopen("/proc/self/maps", "r");

    while (maps && std::fgets(line, sizeof line, maps))
        found = found || std::strstr(line, name);
    if (maps)
        std::fclose(maps);
    return found;
}

int main(int count, char **arguments)
{
    int devices = -1;

    CHECK(!is_mapped("libamdhip64"), "no runtime is open when main begins");
    if (count > 1 && std::strcmp(arguments[1], "none") == 0) {
        CHECK(hipGetDeviceCount(&devices) != hipSuccess && devices == 0, "there is no GPU");
        CHECK(!launches(), "a launch is an error");
    } else if (count > 1 && std::strcmp(arguments[1], "fork") == 0) {
        CHECK(hipshim_init() == HIPSHIM_OK && launches_in_child() && launches_in_child(),
              "children of a process that only opened the runtime launch");
    } else if (count > 1) {
        CHECK(hipGetDeviceCount(&devices) == hipSuccess && devices == 1, "a call opens it");
        CHECK(launches() && is_mapped("libamdhip64"), "a launch works");
    }
    return check_end();
}
