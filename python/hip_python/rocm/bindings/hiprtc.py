# SPDX-License-Identifier: MIT
"""The functions of hiprtc under the name of HIP Python 10.0: the same module as hip.hiprtc."""

import sys

import hip

sys.modules[__name__] = hip.hiprtc
