# SPDX-License-Identifier: MIT
"""The functions of hipsolver under the name of HIP Python 10.0: the same module as hip.hipsolver."""

import sys

import hip.hipsolver

sys.modules[__name__] = hip.hipsolver
