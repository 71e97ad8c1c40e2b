# SPDX-License-Identifier: MIT
"""The functions of hiprand under the name of HIP Python 10.0: the same module as hip.hiprand."""

import sys

import hip.hiprand

sys.modules[__name__] = hip.hiprand
