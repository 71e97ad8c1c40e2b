# SPDX-License-Identifier: MIT
from hipshim.hipblas import *
