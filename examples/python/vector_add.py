# SPDX-License-Identifier: MIT
"""Adds two vectors with a kernel that hipshim compiles once and then finds in its cache.

Run: python3 vector_add.py
"""

import array

from hipshim import hip, kernel
from hipshim.hip import checked

SOURCE = """
extern "C" __global__ void add(const float *a, const float *b, float *sum, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) sum[i] = a[i] + b[i];
}
"""
COUNT = 1000
TO_DEVICE = hip.hipMemcpyKind.hipMemcpyHostToDevice
TO_HOST = hip.hipMemcpyKind.hipMemcpyDeviceToHost

a = array.array("f", range(COUNT))
b = array.array("f", range(0, 2 * COUNT, 2))
total = array.array("f", [0] * COUNT)
device = [hip.DeviceArray(COUNT, "float32") for _ in range(3)]
checked.hipMemcpy(device[0], a, device[0].nbytes, TO_DEVICE)
checked.hipMemcpy(device[1], b, device[1].nbytes, TO_DEVICE)

with kernel.Module(SOURCE) as module:
    print(f"compiled for {module.kernel.arch}: {module.kernel.origin.name.lower()}")
    count = array.array("i", [COUNT])
    checked.hipModuleLaunchKernel(
        module.function("add"), (COUNT + 255) // 256, 1, 1, 256, 1, 1, 0, None, (*device, count), None
    )
    checked.hipMemcpy(total, device[2], device[2].nbytes, TO_HOST)

wrong = sum(total[i] != 3 * i for i in range(COUNT))
print(f"{COUNT - wrong} of {COUNT} sums are right")
