# SPDX-License-Identifier: MIT
"""The functions of rccl under the name of HIP Python 10.0: the same module as hip.rccl."""

import sys

import hip.rccl

sys.modules[__name__] = hip.rccl
