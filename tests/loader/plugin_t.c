/* SPDX-License-Identifier: MIT */
/*
 * One thread loads a plugin whose constructor calls HIP, while another makes
 * its own first call: neither may wait for the other for ever.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include "../dispatch/real/check.h"

static int in_constructor;

/* Called by the plugin's constructor, with the dynamic linker's lock held. */
__attribute__((visibility("default"))) void plugin_starts(void);
void plugin_starts(void)
{
    __atomic_store_n(&in_constructor, 1, __ATOMIC_SEQ_CST);
    usleep(100 * 1000); /* lets the other thread begin to open the runtime */
}

static void *call_meanwhile(void *result)
{
    while (!__atomic_load_n(&in_constructor, __ATOMIC_SEQ_CST)) {
        usleep(1000);
    }
    *(hipError_t *)result = hipRuntimeGetVersion(&(int){0});
    return NULL;
}

static void both_threads_go_on(void **state)
{
    (void)state;
    pthread_t thread;
    hipError_t error = hipErrorUnknown;
    alarm(20); /* a deadlock ends the program */
    assert_int_equal(pthread_create(&thread, NULL, call_meanwhile, &error), 0);
    void *plugin = dlopen(getenv("PLUGIN"), RTLD_NOW);
    assert_non_null(plugin);
    pthread_join(thread, NULL);
    assert_int_equal(error, hipSuccess);
    int *from_constructor = dlsym(plugin, "plugin_error");
    assert_non_null(from_constructor);
    assert_int_equal(*from_constructor, hipSuccess);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_threads_go_on)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
