# SPDX-License-Identifier: MIT
"""The functions of hipfft under the name of HIP Python 10.0: the same module as hip.hipfft."""

import sys

import hip.hipfft

sys.modules[__name__] = hip.hipfft
