# SPDX-License-Identifier: MIT
from hip._util import types
