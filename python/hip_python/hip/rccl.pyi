# SPDX-License-Identifier: MIT
from hipshim.rccl import *
