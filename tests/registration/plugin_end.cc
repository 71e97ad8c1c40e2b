// SPDX-License-Identifier: MIT
//
// plugin_end PLUGIN: a global object whose destructor unloads a plugin that was used, and loads it
// again.  With PLUGINS_EARLY in the environment the object's constructor opens the runtime, which
// is then still there in the destructor; without, the runtime has ended by then.
#include <dlfcn.h>

#include <cstdlib>

#include "check.h"

namespace
{

class Plugins
{
    void *plugin = nullptr;
    int *device = nullptr;

  public:
    const char *path = nullptr;
    bool is_early = std::getenv("PLUGINS_EARLY") && allocate();

    bool allocate()
    {
        return hipMalloc(&device, sizeof *device) == hipSuccess;
    }

    bool use()
    {
        plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        auto *step =
            reinterpret_cast<int (*)(int *)>(plugin ? dlsym(plugin, "plugin_step") : nullptr);
        return step && step(device) == 11;
    }

    ~Plugins()
    {
        bool is_ended = hipFree(nullptr) == hipErrorDeinitialized;

        for (int i = 0; i < 3; i++) {
            bool is_unloaded = dlclose(plugin) == 0;
            CHECK(is_unloaded && use() != is_ended,
                  is_ended ? "after the runtime's end it fails" : "it works after main");
        }
        check_end();
    }
};

Plugins plugins;

} // namespace

int main(int, char **arguments)
{
    plugins.path = arguments[1];
    CHECK((plugins.is_early || plugins.allocate()) && plugins.use(), "a plugin works");
}
