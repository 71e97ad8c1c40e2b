# SPDX-License-Identifier: MIT
import sys

import hip

sys.modules[__name__] = hip._util
sys.modules[__name__ + ".types"] = hip._util.types
