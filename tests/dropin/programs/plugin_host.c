/* SPDX-License-Identifier: MIT */
/*
 * plugin_host local|global PLUGIN...: loads plugins in this order; the first
 * makes a stream and memory, each fills and reads them, the last gives them back.
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

static int load(const struct plugin **plugins, int count, char **files, int flags)
{
    for (int i = 0; i < count; i++) {
        void *library = dlopen(files[i], RTLD_NOW | flags);

        plugins[i] = library ? dlsym(library, "plugin") : NULL;
        if (!plugins[i]) {
            puts(dlerror());
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
    status = count > 2 && count - 2 <= MOST ? run(count - 2, arguments) : 2;
    if (status == 0) {
        puts("all is shared");
    }
    fflush(NULL);
    _exit(status);
}
