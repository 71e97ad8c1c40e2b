# SPDX-License-Identifier: MIT
"""The functions of hip with HIP Python's calls: those up to 7.2, and those of 10.0."""

from hipshim._hip import DeviceArray, Pointer, Record, publish

publish(globals(), "hipshim.hip", False, True)
