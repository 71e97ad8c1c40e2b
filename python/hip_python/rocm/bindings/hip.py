# SPDX-License-Identifier: MIT
"""The functions of hip under the name of HIP Python 10.0: the same module as hip.hip."""

import sys

import hip

sys.modules[__name__] = hip.hip
