# SPDX-License-Identifier: MIT
from hipshim.hipfft import *
