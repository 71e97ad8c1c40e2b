# SPDX-License-Identifier: MIT
"""NumPy arrays go to the device and back as they are; a DeviceArray knows their shape and type.

Run: python3 numpy_in_and_out.py
"""

import numpy

from hipshim import hip
from hipshim.hip import checked

matrix = numpy.arange(12, dtype=numpy.float32).reshape(3, 4)
device = hip.DeviceArray(matrix.shape, matrix.dtype)
checked.hipMemcpy(device, matrix, matrix.nbytes, hip.hipMemcpyKind.hipMemcpyHostToDevice)

row = numpy.empty(4, numpy.float32)
checked.hipMemcpy(row, device[1], row.nbytes, hip.hipMemcpyKind.hipMemcpyDeviceToHost)
print(f"row 1 of {device.shape}: {row}")

checked.hipMemset(device[2], 0, device[2].nbytes)
checked.hipMemcpy(matrix, device, matrix.nbytes, hip.hipMemcpyKind.hipMemcpyDeviceToHost)
print(f"sum without row 2: {matrix.sum():.0f}")
