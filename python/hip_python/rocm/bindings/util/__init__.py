# SPDX-License-Identifier: MIT
from rocm.bindings.util import types
