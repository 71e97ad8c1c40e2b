# SPDX-License-Identifier: MIT
"""HIP Python's adapters: every call takes what they are made of, so they only keep it."""

from hipshim._hip import DeviceArray, Pointer

CStr = NDBuffer = Pointer
ListOfBytes = ListOfPointer = ListOfInt = ListOfUnsigned = ListOfUnsignedLong = list
