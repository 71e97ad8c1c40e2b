/* SPDX-License-Identifier: MIT */
/* Texture references, which HIP has beside texture objects: what is set comes back, memory is
 * bound. */
#include "registered.h"

enum { WIDTH = 64, HEIGHT = 8 };

/* A texture of a program is a variable of that size, by which the runtime knows it. */
_Static_assert(sizeof(textureReference) == 88, "as in the program below");
static const char source[] = "__device__ long image[11];\n"
                             "extern \"C\" __global__ void look() { image[10] = image[0]; }\n";

static textureReference texture;
static hipModule_t module;

static int set_up(void **state)
{
    register_program(source);
    register_texture(&texture, "image", 2);
    module = module_of(source);
    return 0;
}

static int tear_down(void **state)
{
    OK(hipModuleUnload(module));
    unregister_program();
    return 0;
}

static void settings_come_back(void **state)
{
    textureReference reference;
    enum hipTextureAddressMode address = hipAddressModeWrap;
    enum hipTextureFilterMode filter = hipFilterModePoint;
    hipArray_Format format = HIP_AD_FORMAT_HALF;
    int channels = 0;
    unsigned flags = 77;
    memset(&reference, 0, sizeof reference);
    OK(hipTexRefSetAddressMode(&reference, 1, hipAddressModeClamp));
    OK(hipTexRefGetAddressMode(&address, &reference, 1));
    assert_int_equal(address, hipAddressModeClamp);
    OK(hipTexRefSetFilterMode(&reference, hipFilterModeLinear));
    OK(hipTexRefGetFilterMode(&filter, &reference));
    assert_int_equal(filter, hipFilterModeLinear);
    OK(hipTexRefSetFlags(&reference, HIP_TRSF_READ_AS_INTEGER));
    OK(hipTexRefGetFlags(&flags, &reference));
    OK(hipTexRefSetFormat(&reference, HIP_AD_FORMAT_UNSIGNED_INT16, 2));
    OK(hipTexRefGetFormat(&format, &channels, &reference));
    assert_int_equal(format, HIP_AD_FORMAT_UNSIGNED_INT16);
    assert_int_equal(channels, 2);
    (void)hipGetLastError();
}

/* Those of mipmaps are taken, and told only of a reference that has some. */
static void settings_of_mipmaps_are_taken(void **state)
{
    textureReference reference;
    enum hipTextureFilterMode filter = hipFilterModePoint;
    hipMipmappedArray_t mipmaps = NULL;
    float bias = 0;
    float least = 0;
    float most = 0;
    memset(&reference, 0, sizeof reference);
    OK(hipTexRefSetMipmapFilterMode(&reference, hipFilterModeLinear));
    assert_int_equal(reference.mipmapFilterMode, hipFilterModeLinear);
    EXPECT(hipTexRefGetMipmapFilterMode(&filter, &reference), hipErrorInvalidValue);
    OK(hipTexRefSetMipmapLevelBias(&reference, 1.5f));
    assert_true(reference.mipmapLevelBias == 1.5f);
    EXPECT(hipTexRefGetMipmapLevelBias(&bias, &reference), hipErrorInvalidValue);
    OK(hipTexRefSetMipmapLevelClamp(&reference, 1.0f, 3.0f));
    assert_true(reference.minMipmapLevelClamp == 1.0f && reference.maxMipmapLevelClamp == 3.0f);
    EXPECT(hipTexRefGetMipmapLevelClamp(&least, &most, &reference), hipErrorInvalidValue);
    if (HAS(hipTexRefGetMipMappedArray)) {
        EXPECT(hipTexRefGetMipMappedArray(&mipmaps, &reference), hipErrorInvalidValue);
    }
    EXPECT(hipTexRefSetMipmappedArray(&reference, NULL, 0), hipErrorInvalidValue);
    (void)hipGetLastError();
}

static void anisotropy_and_borders(void **state)
{
    textureReference reference;
    int anisotropy = 0;
    float set[4] = {0.25f, 0.5f, 0.75f, 1.0f};
    const float none[4] = {9, 9, 9, 9};
    float got[4] = {9, 9, 9, 9};
    memset(&reference, 0, sizeof reference);
    OK(hipTexRefSetMaxAnisotropy(&reference, 4));
    assert_int_equal(reference.maxAnisotropy, 4);
    EXPECT(hipTexRefGetMaxAnisotropy(&anisotropy, &reference),
           HIP_BEFORE(6, 0) ? hipErrorInvalidValue : hipSuccess);
    OK(hipTexRefSetBorderColor(&reference, set));
    if (HAS(hipTexRefGetBorderColor)) {
        OK(hipTexRefGetBorderColor(got, &reference));
        assert_memory_equal(got, none, sizeof none); /* it says so and gives nothing */
    }
    (void)hipGetLastError();
}

static void memory_is_bound(void **state)
{
    hipChannelFormatDesc format = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
    const textureReference *known = NULL;
    void *device = NULL;
    size_t offset = 77;
    OK(hipGetTextureReference(&known, &texture));
    assert_ptr_equal(known, &texture);
    texture.channelDesc = format;
    OK(hipMalloc(&device, WIDTH * HEIGHT * 4));
    OK(hipBindTexture(&offset, &texture, device, &format, WIDTH * 4));
    assert_int_equal(offset, 0);
    OK(hipGetTextureAlignmentOffset(&offset, &texture));
    assert_int_equal(offset, 0);
    OK(hipUnbindTexture(&texture));
    OK(hipBindTexture2D(&offset, &texture, device, &format, WIDTH, HEIGHT, WIDTH * 4));
    OK(hipUnbindTexture(&texture));
    OK(hipFree(device));
    (void)hipGetLastError();
}

static void arrays_are_bound(void **state)
{
    hipChannelFormatDesc format = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
    hipArray_t array = NULL;
    OK(hipMallocArray(&array, &format, WIDTH, HEIGHT, hipArrayDefault));
    OK(hipBindTextureToArray(&texture, array, &format));
    OK(hipUnbindTexture(&texture));
    OK(hipFreeArray(array));
    EXPECT(hipBindTextureToMipmappedArray(&texture, NULL, &format), hipErrorInvalidValue);
    (void)hipGetLastError();
}

/* The driver's references are those of a module. */
static void modules_have_references(void **state)
{
    textureReference *reference = NULL;
    hipArray_t array = NULL;
    hipArray_t got = NULL;
    void *device = NULL;
    hipDeviceptr_t address = NULL;
    size_t offset = 77;
    hipChannelFormatDesc format = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
    HIP_ARRAY_DESCRIPTOR description = {
        .Width = WIDTH, .Height = HEIGHT, .Format = HIP_AD_FORMAT_FLOAT, .NumChannels = 1};
    OK(hipModuleGetTexRef(&reference, module, "image"));
    assert_non_null(reference);
    OK(hipTexRefSetFormat(reference, HIP_AD_FORMAT_FLOAT, 1));
    OK(hipMallocArray(&array, &format, WIDTH, HEIGHT, hipArrayDefault));
    OK(hipTexRefSetArray(reference, array, HIP_TRSA_OVERRIDE_FORMAT));
    if (HAS(hipTexRefGetArray)) {
        OK(hipTexRefGetArray(&got, reference));
        assert_ptr_equal(got, array);
    }
    OK(hipMalloc(&device, WIDTH * HEIGHT * 4));
    OK(hipTexRefSetAddress(&offset, reference, device, WIDTH * 4));
    assert_int_equal(offset, 0);
    OK(hipTexRefGetAddress(&address, reference));
    assert_ptr_equal(address, device);
    OK(hipTexRefSetAddress2D(reference, &description, device, WIDTH * 4));
    OK(hipFree(device));
    OK(hipFreeArray(array));
    (void)hipGetLastError();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_come_back),     cmocka_unit_test(settings_of_mipmaps_are_taken),
        cmocka_unit_test(anisotropy_and_borders), cmocka_unit_test(memory_is_bound),
        cmocka_unit_test(arrays_are_bound),       cmocka_unit_test(modules_have_references),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
