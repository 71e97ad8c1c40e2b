// SPDX-License-Identifier: MIT
//
// reload_host MODE PLUGIN1 PLUGIN2: loads, runs and closes plugin 1, plugin 2 and plugin 1 again,
// and prints the result of each.  MODE is local, global, deepbind; kept, which closes none of them;
// late, where the drop-in of 7 becomes global before plugin 1 is closed, which was bound lazily;
// first, where a plugin makes the first HIP call of the process; or end, where a destructor of this
// program closes plugin 1.  (HIP 5.2 itself crashes if a plugin is loaded after that.)  With
// WITH_HIP the program itself uses HIP.
#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#ifdef WITH_HIP
#include <hip/hip_runtime_api.h>
#endif

static const char *mode;

static bool is_mode(const char *name)
{
    return std::strcmp(mode, name) == 0;
}

static void *open_and_run(const char *path)
{
    int flags = is_mode("global") ? RTLD_GLOBAL : is_mode("deepbind") ? RTLD_DEEPBIND : RTLD_LOCAL;
    void *plugin = dlopen(path, (is_mode("late") ? RTLD_LAZY : RTLD_NOW) | flags);

    if (!plugin) {
        std::printf("%s\n", dlerror());
        return nullptr;
    }
    std::printf(" %d", reinterpret_cast<int (*)()>(dlsym(plugin, "plugin_run"))());
    return plugin;
}

static void run_and_close(const char *path)
{
    void *plugin = open_and_run(path);

    if (is_mode("late") && !dlopen("libamdhip64.so.7", RTLD_NOW | RTLD_GLOBAL))
        std::printf("%s\n", dlerror());
    if (plugin && !is_mode("kept"))
        dlclose(plugin);
}

namespace
{

struct Ending {
    void *plugin = nullptr;

    ~Ending()
    {
        if (plugin)
            dlclose(plugin);
        std::printf(" end\n");
    }
};

} // namespace

int main(int count, char **arguments)
{
    if (count < 4)
        return 2;
    mode = arguments[1];
    std::setvbuf(stdout, nullptr, _IONBF, 0);
#ifdef WITH_HIP
    int devices = 0;
    if (!is_mode("first") && hipGetDeviceCount(&devices) != hipSuccess)
        return 3;
#endif
    static Ending ending;
    if (is_mode("end")) {
        ending.plugin = open_and_run(arguments[2]);
        return 0;
    }
    run_and_close(arguments[2]);
    run_and_close(arguments[3]);
    run_and_close(arguments[2]);
}
