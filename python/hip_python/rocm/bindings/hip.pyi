# SPDX-License-Identifier: MIT
from hipshim.hip import *
