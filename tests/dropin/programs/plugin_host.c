/* SPDX-License-Identifier: MIT */
/*
 * plugin_host local|global|closed PLUGIN...: loads plugins in this order; the first
 * makes a stream and memory, each fills and reads them, the last gives them back.
 * "closed" closes each plugin before it loads the next, which then often lies at the
 * same address.
 * With -DLINKED it is itself linked to a HIP library, which then comes first in
 * the scope of every plugin.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "plugin.h"

#ifdef LINKED
int hipRuntimeGetVersion(int *version);
#endif

enum { SIZE = 5000, MOST = 8 };

static int fails(const struct plugin *plugin, const char *what)
{
    if (what) {
        printf("the plugin for HIP %d: %s\n", plugin->major, what);
    }
    return what != NULL;
}

static const struct plugin *load_one(const char *file, int flags, void **library)
{
    *library = dlopen(file, RTLD_NOW | flags);
    const struct plugin *plugin = *library ? dlsym(*library, "plugin") : NULL;
    if (!plugin) {
        puts(dlerror());
    }
    return plugin;
}

static int load(const struct plugin **plugins, int count, char **files, int flags)
{
    void *library;
    for (int i = 0; i < count; i++) {
        plugins[i] = load_one(files[i], flags, &library);
        if (!plugins[i]) {
            return -1;
        }
    }
    return 0;
}

static int use(const struct plugin *plugin, void *stream, void *memory, int value)
{
    static unsigned char host[SIZE];

    if (fails(plugin, plugin->check_properties()) || fails(plugin, plugin->check_pointer(memory)) ||
        fails(plugin, plugin->fill(stream, memory, value, SIZE)) ||
        fails(plugin, plugin->copy_out(stream, memory, host, SIZE))) {
        return -1;
    }
    return fails(plugin,
                 host[0] == value && host[SIZE - 1] == value ? NULL : "other bytes came back");
}

static int run(int count, char **arguments)
{
    const struct plugin *plugins[MOST];
    void *stream = NULL, *memory;

    if (load(plugins, count, arguments + 2,
             strcmp(arguments[1], "global") == 0 ? RTLD_GLOBAL : RTLD_LOCAL) != 0) {
        return 1;
    }
    memory = plugins[0]->make(&stream, SIZE);
    if (fails(plugins[0], memory ? NULL : "no stream and no memory")) {
        return 1;
    }
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < count; i++) {
            if (use(plugins[i], stream, memory, 10 * round + i + 1) != 0) {
                return 1;
            }
        }
    }
    return fails(plugins[count - 1], plugins[count - 1]->end(stream, memory));
}

static int run_closed(int count, char **files)
{
    void *stream = NULL, *memory = NULL, *library;

    for (int i = 0; i < count; i++) {
        const struct plugin *plugin = load_one(files[i], RTLD_LOCAL, &library);
        if (!plugin) {
            return 1;
        }
        memory = i == 0 ? plugin->make(&stream, SIZE) : memory;
        if (fails(plugin, memory ? NULL : "no stream and no memory") ||
            use(plugin, stream, memory, i + 1) != 0 ||
            fails(plugin, i + 1 == count ? plugin->end(stream, memory) : NULL)) {
            return 1;
        }
        dlclose(library);
    }
    return 0;
}

int main(int count, char **arguments)
{
    int status;
#ifdef LINKED
    int version = 0;

    if (hipRuntimeGetVersion(&version) != 0) {
        puts("the host has no HIP");
        return 1;
    }
#endif
    if (count > 2 && strcmp(arguments[1], "closed") == 0) {
        status = run_closed(count - 2, arguments + 2);
    } else {
        status = count > 2 && count - 2 <= MOST ? run(count - 2, arguments) : 2;
    }
    if (status == 0) {
        puts("all is shared");
    }
    fflush(NULL);
    _exit(status);
}
