# SPDX-License-Identifier: MIT
from hipshim.hipsparse import *
