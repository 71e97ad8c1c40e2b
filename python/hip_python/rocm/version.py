# SPDX-License-Identifier: MIT
"""The versions that HIP Python has here: HIP's of hipshim's own headers, which every runtime serves.

ROCm's are major and minor of HIP's; its own third number is not known there.
"""

from hipshim import runtime

HIP_VERSION_TUPLE = hip_version_tuple = runtime.info().stable or (0, 0, 0)
HIP_VERSION_NAME = hip_version_name = ".".join(map(str, HIP_VERSION_TUPLE))
ROCM_VERSION_TUPLE = rocm_version_tuple = (*HIP_VERSION_TUPLE[:2], 0)
ROCM_VERSION_NAME = rocm_version_name = ".".join(map(str, ROCM_VERSION_TUPLE))


def _number(version: tuple[int, ...]) -> int:
    return version[0] * 10_000_000 + version[1] * 100_000 + version[2]


HIP_VERSION = _number(HIP_VERSION_TUPLE)
ROCM_VERSION = _number(ROCM_VERSION_TUPLE)
