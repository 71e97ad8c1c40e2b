# SPDX-License-Identifier: MIT
from hipshim.hipsolver import *
