# SPDX-License-Identifier: MIT
"""The functions of hipblas under the name of HIP Python 10.0: the same module as hip.hipblas."""

import sys

import hip.hipblas

sys.modules[__name__] = hip.hipblas
