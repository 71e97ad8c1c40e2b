# SPDX-License-Identifier: MIT
"""The versions that HIP Python has here: HIP's of hipshim's own headers, which every runtime serves."""

from hipshim import runtime

HIP_VERSION_TUPLE = hip_version_tuple = runtime.info().stable or (0, 0, 0)
HIP_VERSION = (
    HIP_VERSION_TUPLE[0] * 10_000_000 + HIP_VERSION_TUPLE[1] * 100_000 + HIP_VERSION_TUPLE[2]
)
HIP_VERSION_NAME = hip_version_name = ".".join(map(str, HIP_VERSION_TUPLE))
