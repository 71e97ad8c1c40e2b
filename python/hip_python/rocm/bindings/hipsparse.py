# SPDX-License-Identifier: MIT
"""The functions of hipsparse under the name of HIP Python 10.0: the same module as hip.hipsparse."""

import sys

import hip.hipsparse

sys.modules[__name__] = hip.hipsparse
