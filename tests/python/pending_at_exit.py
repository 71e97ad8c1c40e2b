# SPDX-License-Identifier: MIT
"""Ends while functions wait in a stream; so does a child of fork, which has no thread of HIP."""

import atexit
import os
import time

from hipshim import hip

stream = hip.hipStreamCreate()[1]
array = hip.DeviceArray(16)
for _ in range(50):
    hip.hipLaunchHostFunc(stream, lambda data: time.sleep(0.005), None)
child = os.fork()
if child == 0:
    raise SystemExit(7)
assert os.waitpid(child, 0)[1] == 7 << 8
atexit.register(lambda: print(hip.hipGetDeviceCount()[1], "device"))
