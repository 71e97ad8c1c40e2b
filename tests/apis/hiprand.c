/* SPDX-License-Identifier: MIT */
/*
 * The first random numbers of hipRAND's generators on the host, which need no GPU: four uniform
 * ones, a normal one and an integer of each.
 */
#include <stdio.h>

#include <hiprand/hiprand.h>

static const struct {
    const char *name;
    hiprandRngType_t type;
} kinds[] = {
    {"xorwow", HIPRAND_RNG_PSEUDO_XORWOW},
    {"philox", HIPRAND_RNG_PSEUDO_PHILOX4_32_10},
    {"mrg32k3a", HIPRAND_RNG_PSEUDO_MRG32K3A},
};

/* The numbers come from a function that a stream calls. */
static int done(hiprandStatus_t status)
{
    return status == HIPRAND_STATUS_SUCCESS && hipDeviceSynchronize() == hipSuccess;
}

static int show(const char *name, hiprandRngType_t type)
{
    static float uniform[4], normal[2];
    static unsigned int integer[1];
    hiprandGenerator_t generator = NULL;
    hiprandStatus_t status = hiprandCreateGeneratorHost(&generator, type);

    if (status != HIPRAND_STATUS_SUCCESS) {
        printf("%s: no generator, %d\n", name, (int)status);
        return 1;
    }
    if (!done(hiprandSetPseudoRandomGeneratorSeed(generator, 1234ULL)) ||
        !done(hiprandGenerateUniform(generator, uniform, 4)) ||
        !done(hiprandGenerateNormal(generator, normal, 2, 10.0F, 0.5F)) ||
        !done(hiprandGenerate(generator, integer, 1)) ||
        hiprandDestroyGenerator(generator) != HIPRAND_STATUS_SUCCESS) {
        printf("%s: a call failed\n", name);
        return 1;
    }
    printf("%s %.6f %.6f %.6f %.6f, %.6f, %u\n", name, (double)uniform[0], (double)uniform[1],
           (double)uniform[2], (double)uniform[3], (double)normal[0], integer[0]);
    return 0;
}

int main(void)
{
    int failed = 0;

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        failed += show(kinds[i].name, kinds[i].type);
    return failed != 0;
}
