# SPDX-License-Identifier: MIT
"""HIP on any ROCm release.

hipshim.hip and hipshim.hiprtc have HIP's functions, and their submodules `checked` the same ones,
which raise HipError; hipshim.hipblas and others are those of the libraries beside HIP.
hipshim.kernel compiles and caches kernels, and hipshim.runtime tells which runtime is in use.
"""

from __future__ import annotations

import os
import sys

__version__ = "0.1.0"


def _refuse_other_abi() -> None:
    """A free-threaded CPython before 3.15 would load a file for other ones, and crash."""
    if "t" not in getattr(sys, "abiflags", "") or sys.version_info >= (3, 15):
        return
    tag = f"cpython-{sys.version_info.major}{sys.version_info.minor}t"
    here = os.path.dirname(os.path.abspath(__file__))
    if not any(name.startswith(f"_hip.{tag}") for name in os.listdir(here)):
        raise ImportError(
            f"hipshim: no file _hip.{tag}*.so in {here}: this package was not built for the free-threaded "
            f"CPython {sys.version_info.major}.{sys.version_info.minor}; use another interpreter, or a wheel "
            "that has the file"
        )


def get_include() -> str:
    """The directory of the headers <hip/hip_runtime.h> and <hipshim/hipshim.h> in the wheel."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "include")


_refuse_other_abi()
