/* SPDX-License-Identifier: MIT */
/* Kernels read textures and surfaces as the host computes it from the same texels. */
#include <math.h>

#include "gpu.h"

enum { WIDTH = 12, HEIGHT = 8, DEPTH = 4, COUNT = 64 };

static const char source[] =
    "struct places { float x[64], y[64], z[64]; };\n"
    "#define I unsigned i = threadIdx.x\n"
    "extern \"C\" __global__ void fetch(hipTextureObject_t t, const places *p, float4 *out) {\n"
    "    I; out[i] = tex1Dfetch<float4>(t, (int)i - 8); }\n"
    "extern \"C\" __global__ void plane(hipTextureObject_t t, const places *p, float *out) {\n"
    "    I; out[i] = tex2D<float>(t, p->x[i], p->y[i]); }\n"
    "extern \"C\" __global__ void bytes(hipTextureObject_t t, const places *p, uchar4 *out) {\n"
    "    I; out[i] = tex2D<uchar4>(t, p->x[i], p->y[i]); }\n"
    "extern \"C\" __global__ void shares(hipTextureObject_t t, const places *p, float4 *out) {\n"
    "    I; out[i] = tex2D<float4>(t, p->x[i], p->y[i]); }\n"
    "extern \"C\" __global__ void room(hipTextureObject_t t, const places *p, float *out) {\n"
    "    I; out[i] = tex3D<float>(t, p->x[i], p->y[i], p->z[i]); }\n"
    "extern \"C\" __global__ void layer(hipTextureObject_t t, const places *p, float *out) {\n"
    "    I; out[i] = tex2DLayered<float>(t, p->x[i], p->y[i], i % 4); }\n"
    "extern \"C\" __global__ void surface(hipSurfaceObject_t s, int unused, float *out) {\n"
    "    I; int x = i % 12 * 4, y = i / 12; float old;\n"
    "    surf2Dread(&old, s, x, y); out[i] = old;\n"
    "    surf2Dwrite(old * 2 + 1, s, x, y); }\n";

static hipModule_t module;
static struct {
    float x[COUNT], y[COUNT], z[COUNT];
} places;

static float texel(int x, int y, int z)
{
    return (float)((x * 7 + y * 5 + z * 3) % 32) + 0.5f;
}

/* Runs the kernel for 64 work-items, and copies what it wrote. */
static void run(const char *name, const void *object, void *result, size_t size)
{
    hipFunction_t function;
    void *out, *where;
    OK(hipMalloc(&out, size));
    OK(hipMalloc(&where, sizeof places));
    OK(hipMemcpy(where, &places, sizeof places, hipMemcpyHostToDevice));
    OK(hipModuleGetFunction(&function, module, name));
    OK(hipModuleLaunchKernel(function, 1, 1, 1, COUNT, 1, 1, 0, NULL,
                             (void *[]){&object, &where, &out}, NULL));
    OK(hipDeviceSynchronize());
    OK(hipMemcpy(result, out, size, hipMemcpyDeviceToHost));
    OK(hipFree(out));
    OK(hipFree(where));
}

/* Coordinates inside and outside of the texels, in eighths. */
static void place_all(float width, float height, float depth)
{
    for (int i = 0; i < COUNT; i++) {
        places.x[i] = (float)(i * 11 % 160 - 32) / 8 / width;
        places.y[i] = (float)(i * 7 % 96 - 16) / 8 / height;
        places.z[i] = (float)(i * 5 % 40 - 4) / 8 / depth;
    }
}

/* The index that the mode gives, or -1 for the border. */
static int index_of(int at, int count, enum hipTextureAddressMode mode)
{
    if (mode == hipAddressModeWrap) {
        return (at % count + count) % count;
    }
    if (mode == hipAddressModeMirror) {
        at = (at % (2 * count) + 2 * count) % (2 * count);
        return at < count ? at : 2 * count - 1 - at;
    }
    return at >= 0 && at < count ? at : mode == hipAddressModeBorder ? -1 : at < 0 ? 0 : count - 1;
}

typedef float texel_function(int x, int y, int z);

/* The sample at a place that counts texels. */
static double sampled(texel_function *function, const double at[3], const int counts[3],
                      const struct hipTextureDesc *how)
{
    bool is_linear = how->filterMode == hipFilterModeLinear;
    double sum = 0;
    for (int corner = 0; corner < 8; corner++) {
        int index[3];
        double weight = 1;
        for (int k = 0; k < 3; k++) {
            double low = floor(at[k] - (is_linear && counts[k] ? 0.5 : 0));
            double part = is_linear && counts[k] ? at[k] - 0.5 - low : 0;
            int side = corner >> k & 1;
            weight *= side ? part : 1 - part;
            index[k] =
                counts[k] ? index_of((int)low + side, counts[k], how->addressMode[0]) : (int)low;
        }
        bool is_border = index[0] < 0 || index[1] < 0 || index[2] < 0;
        sum += is_border ? 0 : weight * (double)function(index[0], index[1], index[2]);
    }
    return sum;
}

static hipTextureObject_t texture_of(hipArray_t array, const struct hipTextureDesc *how)
{
    hipTextureObject_t texture = NULL;
    struct hipResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = array;
    OK(hipCreateTextureObject(&texture, &resource, how, NULL));
    return texture;
}

static struct hipTextureDesc how_to(enum hipTextureAddressMode mode,
                                    enum hipTextureFilterMode filter, bool normalized)
{
    struct hipTextureDesc how;
    memset(&how, 0, sizeof how);
    how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = mode;
    how.filterMode = filter;
    how.readMode = hipReadModeElementType;
    how.normalizedCoords = normalized;
    return how;
}

/* Of floats; no depth for an image of two dimensions. */
static hipArray_t array_of(unsigned depth, unsigned flags)
{
    hipArray_t array = NULL;
    hipChannelFormatDesc format = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
    static float texels[DEPTH][HEIGHT][WIDTH];
    for (int i = 0; i < WIDTH * HEIGHT * DEPTH; i++) {
        int x = i % WIDTH, y = i / WIDTH % HEIGHT, z = i / WIDTH / HEIGHT;
        texels[z][y][x] = texel(x, y, z);
    }
    if (depth == 0) {
        OK(hipMallocArray(&array, &format, WIDTH, HEIGHT, flags));
        OK(hipMemcpy2DToArray(array, 0, 0, texels, WIDTH * 4, WIDTH * 4, HEIGHT,
                              hipMemcpyHostToDevice));
        return array;
    }
    hipMemcpy3DParms copy;
    memset(&copy, 0, sizeof copy);
    hipExtent extent = {WIDTH, HEIGHT, depth};
    OK(hipMalloc3DArray(&array, &format, extent, flags));
    copy.srcPtr = (hipPitchedPtr){texels, WIDTH * 4, WIDTH, HEIGHT};
    copy.dstArray = array;
    copy.extent = extent;
    copy.kind = hipMemcpyHostToDevice;
    OK(hipMemcpy3D(&copy));
    return array;
}

static void expect_samples(const char *kernel, hipArray_t array, const struct hipTextureDesc *how,
                           const int counts[3])
{
    float got[COUNT];
    bool normalized = how->normalizedCoords;
    hipTextureObject_t texture = texture_of(array, how);
    place_all(normalized ? WIDTH : 1, normalized ? HEIGHT : 1, normalized ? DEPTH : 1);
    run(kernel, texture, got, sizeof got);
    for (int i = 0; i < COUNT; i++) {
        double at[3] = {(double)places.x[i] * (normalized ? WIDTH : 1),
                        (double)places.y[i] * (normalized ? HEIGHT : 1),
                        (double)places.z[i] * (normalized ? DEPTH : 1)};
        for (int k = 0; k < 3; k++) {
            at[k] = floor(at[k] * 256 + 0.5) / 256;
        }
        at[2] = counts[2] ? at[2] : strcmp(kernel, "layer") ? 0 : i % DEPTH;
        double wanted = sampled(texel, at, counts, how);
        if (fabs((double)got[i] - wanted) > 1e-5 * fabs(wanted)) {
            fail_msg("%s, mode %d, filter %d, at %g %g %g: %g, not %g", kernel,
                     (int)how->addressMode[0], (int)how->filterMode, at[0], at[1], at[2],
                     (double)got[i], wanted);
        }
    }
    OK(hipDestroyTextureObject(texture));
}

/* Later releases say that gfx90a does not filter arrays of three dimensions, and of layers. */
static bool filters_volumes(void)
{
    return HIP_BEFORE(5, 7);
}

static void textures_of_two_and_three_dimensions(void **state)
{
    static const enum hipTextureAddressMode modes[] = {hipAddressModeWrap, hipAddressModeClamp,
                                                       hipAddressModeMirror, hipAddressModeBorder};
    hipArray_t plane = array_of(0, 0), room = array_of(DEPTH, 0);
    for (int i = 0; i < 16; i++) {
        bool normalized = i & 1;
        struct hipTextureDesc how =
            how_to(modes[i >> 2], i & 2 ? hipFilterModeLinear : hipFilterModePoint, normalized);
        if (!normalized && how.addressMode[0] != hipAddressModeClamp &&
            how.addressMode[0] != hipAddressModeBorder) {
            continue; /* the others need coordinates from 0 to 1 */
        }
        expect_samples("plane", plane, &how, (const int[3]){WIDTH, HEIGHT, 0});
        if (how.filterMode == hipFilterModePoint || filters_volumes()) {
            expect_samples("room", room, &how, (const int[3]){WIDTH, HEIGHT, DEPTH});
        }
    }
    OK(hipFreeArray(plane));
    OK(hipFreeArray(room));
}

static void textures_with_layers(void **state)
{
    hipArray_t layers = array_of(DEPTH, hipArrayLayered);
    enum hipTextureFilterMode filter = filters_volumes() ? hipFilterModeLinear : hipFilterModePoint;
    struct hipTextureDesc how = how_to(hipAddressModeClamp, filter, false);
    expect_samples("layer", layers, &how, (const int[3]){WIDTH, HEIGHT, 0});
    OK(hipFreeArray(layers));
}

static void textures_of_memory(void **state)
{
    float got[COUNT][4], values[48][4];
    void *memory;
    hipTextureObject_t texture = NULL;
    struct hipResourceDesc resource;
    struct hipTextureDesc how = how_to(hipAddressModeClamp, hipFilterModePoint, false);
    memset(&resource, 0, sizeof resource);
    for (int i = 0; i < 48 * 4; i++) {
        values[i / 4][i % 4] = (float)i * 0.75f - 3;
    }
    OK(hipMalloc(&memory, sizeof values));
    OK(hipMemcpy(memory, values, sizeof values, hipMemcpyHostToDevice));
    resource.resType = hipResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = hipCreateChannelDesc(32, 32, 32, 32, hipChannelFormatKindFloat);
    resource.res.linear.sizeInBytes = sizeof values;
    OK(hipCreateTextureObject(&texture, &resource, &how, NULL));
    run("fetch", texture, got, sizeof got);
    for (int i = 0; i < COUNT; i++) { /* nothing is read outside of the texture */
        static const float zeros[4];
        const float *wanted = i >= 8 && i < 56 ? values[i - 8] : zeros;
        assert_memory_equal(got[i], wanted, 3 * sizeof(float));
        assert_true(got[i][3] == wanted[3]);
    }
    OK(hipDestroyTextureObject(texture));
    OK(hipFree(memory));
}

static void textures_of_bytes(void **state)
{
    unsigned char texels[HEIGHT][WIDTH][4], got[COUNT][4];
    float shares[COUNT][4];
    hipArray_t array = NULL;
    hipChannelFormatDesc format = hipCreateChannelDesc(8, 8, 8, 8, hipChannelFormatKindUnsigned);
    pattern(texels, sizeof texels, 3);
    OK(hipMallocArray(&array, &format, WIDTH, HEIGHT, 0));
    OK(hipMemcpy2DToArray(array, 0, 0, texels, WIDTH * 4, WIDTH * 4, HEIGHT,
                          hipMemcpyHostToDevice));
    struct hipTextureDesc how = how_to(hipAddressModeClamp, hipFilterModePoint, false);
    hipTextureObject_t texture = texture_of(array, &how);
    how.readMode = hipReadModeNormalizedFloat;
    hipTextureObject_t normalized = texture_of(array, &how);
    place_all(1, 1, 1);
    run("bytes", texture, got, sizeof got);
    run("shares", normalized, shares, sizeof shares);
    for (int i = 0; i < COUNT; i++) {
        int x = index_of((int)floorf(places.x[i]), WIDTH, hipAddressModeClamp);
        int y = index_of((int)floorf(places.y[i]), HEIGHT, hipAddressModeClamp);
        assert_memory_equal(got[i], texels[y][x], 4);
        for (int k = 0; k < 4; k++) {
            assert_true(fabsf(shares[i][k] - (float)texels[y][x][k] / 255) < 1e-6f);
        }
    }
    OK(hipDestroyTextureObject(texture));
    OK(hipDestroyTextureObject(normalized));
    OK(hipFreeArray(array));
}

static void surfaces_are_read_and_written(void **state)
{
    NEEDS(hipCreateSurfaceObject);
    float got[COUNT], after[HEIGHT][WIDTH];
    hipArray_t array = array_of(0, HIP_BEFORE(5, 7) ? 0 : hipArraySurfaceLoadStore);
    hipSurfaceObject_t surface = NULL;
    struct hipResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = array;
    OK(hipCreateSurfaceObject(&surface, &resource));
    run("surface", surface, got, sizeof got);
    OK(hipMemcpy2DFromArray(after, WIDTH * 4, array, 0, 0, WIDTH * 4, HEIGHT,
                            hipMemcpyDeviceToHost));
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        float old = texel(i % WIDTH, i / WIDTH, 0);
        assert_true(i >= COUNT || got[i] == old);
        assert_true(after[i / WIDTH][i % WIDTH] == (i < COUNT ? old * 2 + 1 : old));
    }
    OK(hipDestroySurfaceObject(surface));
    OK(hipFreeArray(array));
}

static int load(void **state)
{
    module = module_of(source);
    return 0;
}

static int unload(void **state)
{
    OK(hipModuleUnload(module));
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(textures_of_two_and_three_dimensions),
        cmocka_unit_test(textures_with_layers),
        cmocka_unit_test(textures_of_memory),
        cmocka_unit_test(textures_of_bytes),
        cmocka_unit_test(surfaces_are_read_and_written),
    };
    return cmocka_run_group_tests_name("kernels read textures", tests, load, unload);
}
