# SPDX-License-Identifier: MIT
from hipshim.hiprand import *
