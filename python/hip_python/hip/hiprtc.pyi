# SPDX-License-Identifier: MIT
from hipshim.hiprtc import *
from rocm.bindings import hiprtc_pyext as ext
