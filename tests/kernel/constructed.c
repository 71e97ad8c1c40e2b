/* SPDX-License-Identifier: MIT */
/*
 * A library's constructor, which runs under the dynamic linker's lock, gets a module that another
 * thread is at work on; and the compiler of that thread, the fake of fake.c, needs the same lock.
 *   constructed PLUGIN
 * PLUGIN has a constructor that calls in_constructor().  FAKE_REACHED and FAKE_GO are FIFOs.
 */
#include <hipshim/kernel.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void in_constructor(void);

static hipshim_module_t *got[2];

static void get(int index)
{
    const hipshim_kernel_options_t options = {
        .size = sizeof options, .source = "// text", .arch = "gfx90a"};

    if (hipshim_module_get(&options, &got[index]) != HIPSHIM_OK) {
        puts(hipshim_error_text());
    }
}

static void *get_first(void *unused)
{
    (void)unused;
    get(0);
    return NULL;
}

/* Opening a FIFO waits for its other end. */
static void meet(const char *variable, int mode)
{
    close(open(getenv(variable), mode | O_CLOEXEC));
}

__attribute__((visibility("default"))) void in_constructor(void)
{
    meet("FAKE_GO", O_WRONLY);
    get(1);
}

int main(int argc, char **argv)
{
    pthread_t thread;

    if (argc != 2 || pthread_create(&thread, NULL, get_first, NULL) != 0) {
        return 2;
    }
    meet("FAKE_REACHED", O_RDONLY);
    if (!dlopen(argv[1], RTLD_NOW)) {
        puts(dlerror());
        return 1;
    }
    pthread_join(thread, NULL);
    if (!got[0] || got[0] != got[1]) {
        return 1;
    }
    hipshim_module_release(got[0]);
    hipshim_module_release(got[1]);
    puts("done");
    return 0;
}
