# SPDX-License-Identifier: MIT
"""The functions of hiprand with HIP Python's calls: those up to 7.2, and those of 10.0."""

from hip import Text
from hipshim._hiprand import DeviceArray, Pointer, Record, publish, set_text

set_text(Text)
publish(globals(), "hipshim.hiprand", False, True)
