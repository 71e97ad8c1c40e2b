// SPDX-License-Identifier: MIT
//
// A whole HIP program: kernels in the same source, launched by <<< >>>.  Computes
// y = a x + b for a million numbers with a and b in constant memory, and sums y up in a
// device variable.  One build runs on every HIP runtime.
//
//   hipcc -c -mcode-object-version=4 08_whole_program.hip $(pkg-config --cflags hipshim)
//   c++ 08_whole_program.o $(pkg-config --libs hipshim) && ./a.out
//
// These are two steps, because a HIP compiler that links adds ROCm's own runtime.  `clang++ -x hip`
// with --offload-arch=ARCH stands for hipcc in the first.
#include <hip/hip_runtime.h>
#include <hipshim/hipshim.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__constant__ unsigned coefficients[2];
__device__ unsigned long long total;

template <typename T> __global__ void fill(T *p, T value, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] = value;
}

__global__ void line(const unsigned *x, unsigned *y, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += coefficients[0] * x[i];
}

__global__ void sum(const unsigned *y, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&total, static_cast<unsigned long long>(y[i]));
}

static void end(int status, const char *word, const char *text)
{
    std::printf("%s: %s\n", word, text);
    std::exit(status);
}

static void check(hipError_t error, const char *call)
{
    if (error != hipSuccess) {
        std::printf("%s: %s; %s\n", call, hipGetErrorString(error), hipshim_error_text());
        end(EXIT_FAILURE, "FAIL", call);
    }
}

#define HIP(call) check((call), #call)

int main()
{
    constexpr unsigned count = 1 << 20, block = 256, grid = count / block;
    const unsigned given[2] = {3, 5};
    std::vector<unsigned> x(count), y(count);
    unsigned *device_x, *device_y;
    unsigned long long sum_of_all = 0, expected = 0;
    int devices = 0;

    if (hipGetDeviceCount(&devices) != hipSuccess || devices == 0)
        end(77, "SKIP", "HIP finds no GPU");
    for (unsigned i = 0; i < count; i++) {
        x[i] = i % 1000;
        expected += given[0] * x[i] + given[1];
    }
    HIP(hipMalloc(&device_x, count * sizeof *device_x));
    HIP(hipMalloc(&device_y, count * sizeof *device_y));
    HIP(hipMemcpy(device_x, x.data(), count * sizeof *device_x, hipMemcpyHostToDevice));
    HIP(hipMemcpyToSymbol(coefficients, given, sizeof given));

    fill<<<grid, block>>>(device_y, given[1], count);
    line<<<grid, block>>>(device_x, device_y, count);
    sum<<<grid, block>>>(device_y, count);
    HIP(hipGetLastError());

    HIP(hipMemcpyFromSymbol(&sum_of_all, total, sizeof sum_of_all));
    HIP(hipMemcpy(y.data(), device_y, count * sizeof *device_y, hipMemcpyDeviceToHost));
    HIP(hipFree(device_x));
    HIP(hipFree(device_y));
    for (unsigned i = 0; i < count; i++) {
        if (y[i] != given[0] * x[i] + given[1])
            end(EXIT_FAILURE, "FAIL", "a number is wrong");
    }
    if (sum_of_all != expected)
        end(EXIT_FAILURE, "FAIL", "the sum is wrong");
    end(EXIT_SUCCESS, "PASS", "all numbers and their sum are right");
}
