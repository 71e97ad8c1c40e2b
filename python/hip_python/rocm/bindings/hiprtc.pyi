# SPDX-License-Identifier: MIT
from hipshim.hiprtc import *
