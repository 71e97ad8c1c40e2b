# SPDX-License-Identifier: MIT
"""A stream calls a Python function when it has come so far.

Run: python3 stream_callback.py
"""

import threading

from hipshim import hip
from hipshim.hip import checked

done = threading.Event()


def finished(stream: object, status: hip.hipError_t, name: str) -> None:
    print(f"{name}: {status.name}")
    done.set()


stream = checked.hipStreamCreate()
memory = hip.DeviceArray(1 << 20)
checked.hipMemsetAsync(memory, 7, memory.nbytes, stream)
checked.hipStreamAddCallback(stream, finished, "filled", 0)
print("called back" if done.wait(10) else "not called back")
checked.hipStreamDestroy(stream)
