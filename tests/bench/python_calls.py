# SPDX-License-Identifier: MIT
"""python_calls.py BINDING [LIBRARY]: nanoseconds of the calling thread for each call, one a line.

BINDING is hipshim, ctypes over LIBRARY, or hip_python: HIP Python's modules.
"""

import array
import ctypes
import sys
import time
from collections.abc import Callable
from typing import Any

ROUNDS, CALLS = 25, 10000


def least(call: Callable[[], object]) -> float:
    """The least time of a call in all rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        begin = time.thread_time_ns()
        for _ in range(CALLS):
            call()
        best = min(best, (time.thread_time_ns() - begin) / CALLS)
    return best


def of_ctypes(path: str) -> dict[str, Callable[[], object]]:
    library = ctypes.CDLL(path)
    library.hipMemcpyAsync.argtypes = [ctypes.c_void_p] * 2 + [
        ctypes.c_size_t,
        ctypes.c_int,
        ctypes.c_void_p,
    ]
    library.hipMalloc.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    library.hipFree.argtypes = [ctypes.c_void_p]
    library.hipGetDevice.argtypes = [ctypes.c_void_p]
    room = (ctypes.c_char * 1472)()

    def get_device() -> object:
        number = ctypes.c_int()
        return library.hipGetDevice(ctypes.byref(number)), number.value

    def malloc_and_free() -> None:
        pointer = ctypes.c_void_p()
        library.hipMalloc(ctypes.byref(pointer), 1024)
        library.hipFree(pointer)

    def launch() -> None:
        values = (ctypes.c_void_p(4096), ctypes.c_void_p(4096), ctypes.c_void_p(4096))
        numbers = (ctypes.c_float(2), ctypes.c_int(3), ctypes.c_int(4))
        pointers = [ctypes.cast(ctypes.byref(one), ctypes.c_void_p) for one in (*values, *numbers)]
        library.hipModuleLaunchKernel(
            None, 1, 1, 1, 64, 1, 1, 0, None, (ctypes.c_void_p * 6)(*pointers), None
        )

    return {
        "hipGetDevice": get_device,
        "hipSetDevice": lambda: library.hipSetDevice(0),
        "hipMemcpyAsync": lambda: library.hipMemcpyAsync(
            4096, ctypes.addressof(room), 1024, 1, None
        ),
        "hipMalloc and hipFree": malloc_and_free,
        "hipModuleLaunchKernel, six new arguments": launch,
    }


def of_module(hip: Any) -> dict[str, Callable[[], object]]:
    array_ = hip.hipMalloc(1024)[1]
    source = array.array("f", range(256))
    kind = hip.hipMemcpyKind.hipMemcpyHostToDevice
    function = hip.ihipModuleSymbol_t.fromObj(4096)

    def launch() -> None:
        hip.hipModuleLaunchKernel(
            function, gridDimX=1, gridDimY=1, gridDimZ=1, blockDimX=64, blockDimY=1, blockDimZ=1, sharedMemBytes=0,
            stream=None, kernelParams=None,
            extra=(array_, array_, array_, ctypes.c_float(2), ctypes.c_int(3), ctypes.c_int(4)),
        )  # fmt: skip

    return {
        "hipGetDevice": lambda: hip.hipGetDevice(),
        "hipSetDevice": lambda: hip.hipSetDevice(0),
        "hipMemcpyAsync": lambda: hip.hipMemcpyAsync(array_, source, 1024, kind, None),
        "hipMalloc and hipFree": lambda: hip.hipFree(hip.hipMalloc(1024)[1]),
        "hipModuleLaunchKernel, six new arguments": launch,
    }


def of_hipshim() -> dict[str, Callable[[], object]]:
    from hipshim import hip

    def five_members() -> None:
        found = hip.hipGetDeviceProperties(0)[1]
        found.name, found.totalGlobalMem, found.warpSize, found.gcnArchName, found.sharedMemPerBlock

    calls = of_module(hip)
    return {
        **calls,
        "properties": lambda: hip.hipGetDeviceProperties(0),
        "properties and five members": five_members,
    }


def main() -> None:
    binding = sys.argv[1]
    if binding == "ctypes":
        calls = of_ctypes(sys.argv[2])
    elif binding == "hipshim":
        calls = of_hipshim()
    else:
        from hip import hip

        calls = of_module(hip)
    empty = least(lambda: None)
    for name, call in calls.items():
        print(f"{max(least(call) - empty, 0.1):.1f} {name}")


if __name__ == "__main__":
    main()
