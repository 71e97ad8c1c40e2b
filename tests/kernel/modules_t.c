/* SPDX-License-Identifier: MIT */
/*
 * Modules that threads share, on a real runtime with two GPUs of the loopback, which counts the
 * code objects that it loads.
 */
#include "../loopback/gpu/gpu.h"

#include <hipshim/embed.h>
#include <hipshim/kernel.h>

#include <pthread.h>

enum { THREADS = 32, KERNELS = 10, DEVICES = 2 };

static pthread_barrier_t all_hold;
static hipshim_module_t *shared[THREADS][DEVICES][KERNELS];

static uint64_t count_loads(void)
{
    static uint64_t (*count)(void);

    if (!count) {
        void *loopback = dlopen("libhsa-runtime64.so.1", RTLD_NOW | RTLD_NOLOAD);

        *(void **)&count = loopback ? dlsym(loopback, "loopback_code_objects") : NULL;
        assert_non_null(count);
    }
    return count();
}

static hipshim_status_t get(int number, hipshim_module_t **module)
{
    static const char *const expressions[] = {"twice<int>"};
    char text[200];
    const hipshim_kernel_options_t options = {
        .size = sizeof options, .source = text, .expressions = expressions, .expression_count = 1};

    snprintf(text, sizeof text,
             "template <typename T> __global__ void twice(T *x) { *x *= 2; }\n"
             "extern \"C\" __global__ void add(int *x) { *x += %d; }\n",
             number);
    return hipshim_module_get(&options, module);
}

static hipshim_module_t *get_number(int number)
{
    hipshim_module_t *module;

    if (get(number, &module) != HIPSHIM_OK) {
        fail_msg("%s", hipshim_error_text());
    }
    return module;
}

/* Looks a function up, because some releases load the code only then. */
static void use(hipshim_module_t *module)
{
    hipFunction_t function;
    const char *lowered = hipshim_kernel_lowered_name(hipshim_module_kernel(module), "twice<int>");

    assert_string_equal(lowered, "_Z5twiceIiEvPT_");
    OK(hipModuleGetFunction(&function, hipshim_module_handle(module), "add"));
    OK(hipModuleGetFunction(&function, hipshim_module_handle(module), lowered));
}

/* cmocka's assertions end only the thread that runs the tests; an exit ends all. */
static void *get_all(void *number)
{
    size_t self = (size_t)number;
    hipFunction_t function;

    for (int i = 0; i < DEVICES * KERNELS; i++) {
        int device = (int)((self + (size_t)i) % DEVICES), kernel = i / DEVICES;
        hipshim_module_t **mine = &shared[self][device][kernel];

        if (hipSetDevice(device) != hipSuccess || get(kernel, mine) != HIPSHIM_OK ||
            hipModuleGetFunction(&function, hipshim_module_handle(*mine), "add") != hipSuccess) {
            fprintf(stderr, "%s\n", hipshim_error_text());
            _exit(1);
        }
    }
    pthread_barrier_wait(&all_hold);
    return NULL;
}

static void threads_load_each_kernel_once_for_each_device(void **state)
{
    pthread_t threads[THREADS];
    uint64_t before;
    int count = 0;

    OK(hipGetDeviceCount(&count));
    assert_int_equal(count, DEVICES);
    before = count_loads();
    assert_int_equal(pthread_barrier_init(&all_hold, NULL, THREADS), 0);
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, get_all, (void *)i), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    assert_int_equal(count_loads() - before, DEVICES * KERNELS);
    for (int i = 0; i < THREADS * DEVICES * KERNELS; i++) {
        int device = i / KERNELS % DEVICES, kernel = i % KERNELS;
        hipshim_module_t *mine = shared[i / KERNELS / DEVICES][device][kernel];

        assert_ptr_equal(mine, shared[0][device][kernel]);
        hipshim_module_release(mine); /* here, for the thread's devices too */
    }
    use(get_number(1));
    assert_int_equal(count_loads() - before, DEVICES * KERNELS + 1);
    hipshim_module_release(get_number(1));
    hipshim_module_release(get_number(1));
}

static void a_module_lives_until_its_last_release(void **state)
{
    hipshim_module_t *module = get_number(100), *again = get_number(100);
    uint64_t before;

    use(module);
    assert_ptr_equal(module, again);
    before = count_loads();
    hipshim_module_release(again);
    use(module);
    assert_ptr_equal(get_number(100), module);
    assert_int_equal(count_loads(), before);
    hipshim_module_release(module);
    hipshim_module_release(module);
    module = get_number(100);
    use(module);
    assert_int_equal(count_loads(), before + 1);
    hipshim_module_release(module);
}

static void a_reset_is_noticed(void **state)
{
    hipshim_module_t *before = get_number(200), *after, *other;
    hipDevice_t device;

    OK(hipSetDevice(1));
    other = get_number(200);
    assert_ptr_not_equal(other, before);
    OK(hipSetDevice(0));
    OK(hipDeviceReset());
    after = get_number(200);
    EXPECT(hipGetLastError(), hipSuccess);
    assert_ptr_not_equal(after, before);
    use(after);
    hipshim_module_release(before);
    use(after);
    OK(hipDeviceGet(&device, 0));
    OK(hipDevicePrimaryCtxReset(device)); /* has no effect in HIP */
    assert_ptr_equal(get_number(200), after);
    use(after);
    OK(hipSetDevice(1));
    assert_ptr_equal(get_number(200), other);
    for (int i = 0; i < 2; i++) {
        hipshim_module_release(after);
        hipshim_module_release(other);
    }
    OK(hipSetDevice(0));
}

static void contexts_of_one_device_share(void **state)
{
    hipshim_module_t *module = get_number(300);
    hipCtx_t context;

    OK(hipCtxCreate(&context, 0, 0));
    assert_ptr_equal(get_number(300), module);
    hipshim_module_release(module);
    OK(hipCtxDestroy(context));
    hipshim_module_release(module);
}

static void a_failure_has_the_log(void **state)
{
    const hipshim_kernel_options_t options = {.size = sizeof options, .source = "no_such_thing\n"};
    hipshim_module_t *module = get_number(1);

    hipshim_module_release(module);
    assert_int_equal(hipshim_module_get(&options, &module), HIPSHIM_ERROR_COMPILATION);
    assert_null(module);
    assert_non_null(strstr(hipshim_error_text(), "does not compile"));
    assert_non_null(strstr(hipshim_error_text(), "no_such_thing"));
}

static void embedded_kernels_are_shared_by_content(void **state)
{
    hipshim_module_t *first, *second, *one = get_number(400), *other = get_number(401);
    const hipshim_kernel_t *kernel = hipshim_module_kernel(one);
    hipshim_embedded_code_t code = {"add", "gfx90a", NULL, 0, 0}, copy;
    hipshim_embedded_t embedded = {sizeof embedded, HIPSHIM_EMBEDDED_VERSION, &code, 1, NULL, 0};
    hipshim_embedded_t elsewhere = embedded;
    hipFunction_t function;

    code.code = hipshim_kernel_code(kernel, &code.code_size);
    copy = code;
    elsewhere.codes = &copy;
    uint64_t before = count_loads();
    assert_int_equal(hipshim_embedded_module_get(&embedded, "add", NULL, &first), HIPSHIM_OK);
    assert_int_equal(hipshim_embedded_module_get(&elsewhere, "add", NULL, &second), HIPSHIM_OK);
    assert_ptr_equal(first, second);
    OK(hipModuleGetFunction(&function, hipshim_module_handle(first), "add"));
    assert_int_equal(count_loads(), before + 1);
    assert_null(hipshim_module_kernel(first));
    hipshim_module_release(second);
    code.code = hipshim_kernel_code(hipshim_module_kernel(other), &code.code_size);
    assert_int_equal(hipshim_embedded_module_get(&embedded, "add", NULL, &second), HIPSHIM_OK);
    assert_ptr_not_equal(first, second);
    assert_int_equal(hipshim_embedded_module_get(&embedded, "no", NULL, &other),
                     HIPSHIM_ERROR_INVALID);
    assert_null(other);
    hipshim_module_release(first);
    hipshim_module_release(second);
    hipshim_module_release(one);
}

static hipshim_module_t *released_at_exit;

static void release_at_exit(void)
{
    hipshim_module_release(released_at_exit);
}

/* With MODULES_EXIT the process ends while it holds modules, and by its exit handlers. */
static int hold_to_the_end(void)
{
    hipshim_module_t *held;

    return atexit(release_at_exit) != 0 || get(1, &released_at_exit) != HIPSHIM_OK ||
           get(2, &held) != HIPSHIM_OK;
}

int main(void)
{
    if (getenv("MODULES_EXIT")) {
        return hold_to_the_end();
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_load_each_kernel_once_for_each_device),
        cmocka_unit_test(a_module_lives_until_its_last_release),
        cmocka_unit_test(a_reset_is_noticed),
        cmocka_unit_test(contexts_of_one_device_share),
        cmocka_unit_test(a_failure_has_the_log),
        cmocka_unit_test(embedded_kernels_are_shared_by_content),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
