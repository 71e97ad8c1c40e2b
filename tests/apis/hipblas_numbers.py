# SPDX-License-Identifier: MIT
"""The numbers of hipblas.c, by the Python module, and a product of complex numbers."""

from __future__ import annotations

import ctypes
from array import array

from hipshim import hip, hipblas
from hipshim.hip import checked as checked_hip
from hipshim.hipblas import checked

N = hipblas.hipblasOperation_t.HIPBLAS_OP_N
FLOAT = hip.hipDataType.HIP_R_32F  # the same class as hipblas.hipDataType
COMPUTE = hipblas.hipblasComputeType_t.HIPBLAS_COMPUTE_32F
DEFAULT = hipblas.hipblasGemmAlgo_t.HIPBLAS_GEMM_DEFAULT
Kind = hip.hipMemcpyKind


def uploaded(values: list[float]) -> hip.DeviceArray:
    made = hip.DeviceArray((len(values),), "float32")
    checked_hip.hipMemcpy(made, array("f", values), made.nbytes, Kind.hipMemcpyHostToDevice)
    return made


def numbers(modulus: int) -> hip.DeviceArray:
    return uploaded([n % modulus - modulus // 2 for n in range(16)])


def show(title: str, values: hip.DeviceArray) -> None:
    host = array("f", bytes(values.nbytes))
    checked_hip.hipMemcpy(host, values, values.nbytes, Kind.hipMemcpyDeviceToHost)
    print(title, *(f"{value:g}" for value in host))


a, b, c = numbers(7), numbers(5), numbers(1)
handle = checked.hipblasCreate()
checked.hipblasSgemm(handle, N, N, 4, 4, 4, 1.0, a, 4, b, 4, 0.0, c, 4)
show("sgemm", c)
two, zero = ctypes.c_float(2), ctypes.c_float(
    0
)  # their type is an argument: they have no other one
checked.hipblasGemmEx(
    handle, N, N, 4, 4, 4, two, a, FLOAT, 4, b, FLOAT, 4, zero, c, FLOAT, 4, COMPUTE, DEFAULT
)
show("GemmEx", c)
checked.hipblasAxpyEx(handle, 16, two, FLOAT, a, FLOAT, 1, b, FLOAT, 1, FLOAT)
show("AxpyEx", b)
checked.hipblasScalEx(handle, 16, two, FLOAT, b, FLOAT, 1, FLOAT)
show("ScalEx", b)
checked.hipblasStrmm(
    handle,
    hipblas.hipblasSideMode_t.HIPBLAS_SIDE_LEFT,
    hipblas.hipblasFillMode_t.HIPBLAS_FILL_MODE_UPPER,
    N,
    hipblas.hipblasDiagType_t.HIPBLAS_DIAG_NON_UNIT,
    *(4, 4, 2.0, a, 4, b, 4, c, 4),
)
show("strmm", c)

one, other, product = uploaded([1, 2]), uploaded([3, 4]), uploaded([0, 0])
checked.hipblasCgemm(handle, N, N, 1, 1, 1, 1j, one, 1, other, 1, hip.float2(0, 0), product, 1)
show("i (1 + 2i) (3 + 4i)", product)
result = array("f", [0])
checked.hipblasSdot(handle, 2, one, 1, other, 1, result)
print("sdot", f"{result[0]:g}")
checked.hipblasDestroy(handle)
