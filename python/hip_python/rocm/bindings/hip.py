# SPDX-License-Identifier: MIT
"""The functions of hip, as HIP Python 10.0 has them."""

import hip  # refuses the real ones, and gives texts their class
from hipshim._hip import DeviceArray, Pointer, Record, publish

publish(globals(), "hipshim.hip", False)
