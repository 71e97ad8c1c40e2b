# SPDX-License-Identifier: MIT
"""The numbers of hipsparse.c, by the Python module."""

from __future__ import annotations

import ctypes
from array import array

from hipshim import hip, hipsparse
from hipshim.hip import checked as checked_hip
from hipshim.hipsparse import checked

SAME = hipsparse.hipsparseOperation_t.HIPSPARSE_OPERATION_NON_TRANSPOSE
INDEX = hipsparse.hipsparseIndexType_t.HIPSPARSE_INDEX_32I
ZERO_BASED = hipsparse.hipsparseIndexBase_t.HIPSPARSE_INDEX_BASE_ZERO
BY_ROW = hipsparse.hipsparseOrder_t.HIPSPARSE_ORDER_ROW
ALGORITHM = hipsparse.hipsparseSpMVAlg_t
PRODUCT = hipsparse.hipsparseSpMMAlg_t.HIPSPARSE_SPMM_CSR_ALG1
SOLUTION = hipsparse.hipsparseSpSVAlg_t.HIPSPARSE_SPSV_ALG_DEFAULT
FLOAT = hip.hipDataType.HIP_R_32F
ONE, ZERO = ctypes.c_float(1), ctypes.c_float(0)
Kind = hip.hipMemcpyKind


def uploaded(values: list[float] | list[int], code: str = "f") -> hip.DeviceArray:
    made = hip.DeviceArray((len(values),), "float32" if code == "f" else "int32")
    checked_hip.hipMemcpy(made, array(code, values), made.nbytes, Kind.hipMemcpyHostToDevice)
    return made


def show(title: str, values: hip.DeviceArray) -> None:
    host = array("f", bytes(values.nbytes))
    checked_hip.hipMemcpy(host, values, values.nbytes, Kind.hipMemcpyDeviceToHost)
    print(title, *(f"{value:g}" for value in host))


def buffer(size: int) -> hip.DeviceArray | None:
    """None if no buffer is needed: only 7 refuses another one, and older ones want it."""
    _, release = hip.hipRuntimeGetVersion()
    size += 0 if release >= 70000000 else 16
    return hip.DeviceArray((size,), "uint8") if size else None


def solve(
    handle: hipsparse.hipsparseHandle_t | None,
    matrix: hipsparse.hipsparseSpMatDescr_st | None,
    x: hipsparse.hipsparseDnVecDescr_t | None,
    y: hipsparse.hipsparseDnVecDescr_t | None,
) -> None:
    lower = array("i", [hipsparse.hipsparseFillMode_t.HIPSPARSE_FILL_MODE_LOWER])
    attribute = hipsparse.hipsparseSpMatAttribute_t.HIPSPARSE_SPMAT_FILL_MODE
    checked.hipsparseSpMatSetAttribute(matrix, attribute, lower, 4)
    plan = checked.hipsparseSpSV_createDescr()
    size = checked.hipsparseSpSV_bufferSize(handle, SAME, ONE, matrix, x, y, FLOAT, SOLUTION, plan)
    work = buffer(size)
    checked.hipsparseSpSV_analysis(handle, SAME, ONE, matrix, x, y, FLOAT, SOLUTION, plan, work)
    checked.hipsparseSpSV_solve(handle, SAME, ONE, matrix, x, y, FLOAT, SOLUTION, plan)


def multiply(
    handle: hipsparse.hipsparseHandle_t | None, matrix: hipsparse.hipsparseSpMatDescr_st | None
) -> None:
    factor, to = uploaded([1, 2, 3, 4, 5, 6, 7, 8]), uploaded([0] * 8)
    dense = checked.hipsparseCreateDnMat(4, 2, 2, factor, FLOAT, BY_ROW)
    product = checked.hipsparseCreateDnMat(4, 2, 2, to, FLOAT, BY_ROW)
    given = (handle, SAME, SAME, ONE, matrix, dense, ZERO, product, FLOAT, PRODUCT)
    size = checked.hipsparseSpMM_bufferSize(*given)
    checked.hipsparseSpMM(*given, buffer(size))
    show("SpMM", to)
    _, _, _, _, _, order = checked.hipsparseDnMatGet(product)
    print("by row" if order == BY_ROW else "not by row")


at, of = uploaded([0, 1, 3, 5, 8], "i"), uploaded([0, 0, 1, 1, 2, 0, 2, 3], "i")
matrix = uploaded([2, 1, 3, 4, 5, 6, 7, 8])
x, y = uploaded([1, 2, 3, 4]), uploaded([0] * 4)
handle = checked.hipsparseCreate()
kind = checked.hipsparseCreateMatDescr()
checked.hipsparseScsrmv(handle, SAME, 4, 4, 8, 1.0, kind, matrix, at, of, x, 0.0, y)
show("csrmv", y)
sparse = checked.hipsparseCreateCsr(4, 4, 8, at, of, matrix, INDEX, INDEX, ZERO_BASED, FLOAT)
before, after = checked.hipsparseCreateDnVec(4, x, FLOAT), checked.hipsparseCreateDnVec(4, y, FLOAT)
given = (handle, SAME, ONE, sparse, before, ZERO, after, FLOAT)
work = buffer(checked.hipsparseSpMV_bufferSize(*given, ALGORITHM.HIPSPARSE_SPMV_CSR_ALG1))
for algorithm in (ALGORITHM.HIPSPARSE_SPMV_CSR_ALG1, ALGORITHM.HIPSPARSE_MV_ALG_DEFAULT):
    checked.hipsparseSpMV(*given, algorithm, work)
    show("SpMV", y)
multiply(handle, sparse)
solve(handle, sparse, before, after)
show("SpSV", y)
checked.hipsparseDestroy(handle)
