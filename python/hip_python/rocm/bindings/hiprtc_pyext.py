# SPDX-License-Identifier: MIT
"""HIP Python's help for the options of a linker of hiprtc."""

from __future__ import annotations

import ctypes
from typing import Any

from hip import hiprtc
from hipshim import runtime

# Options that every release takes as the pointer's own bits.
PLAIN = (
    "HIPRTC_JIT_INFO_LOG_BUFFER_SIZE_BYTES",
    "HIPRTC_JIT_ERROR_LOG_BUFFER_SIZE_BYTES",
    "HIPRTC_JIT_LOG_VERBOSE",
    "HIPRTC_JIT_IR_TO_ISA_OPT_COUNT_EXT",
)
# HIP 5.7 reads other numbers where the pointer points to; HIP 6.4 does not.
FOLLOWED = (6, 4, 0)


def hiprtcLinkCreate2(**options: Any) -> tuple[Any, ...]:
    """hiprtcLinkCreate() with options by name: hiprtcLinkCreate2(HIPRTC_JIT_GENERATE_DEBUG_INFO=1)."""
    known = hiprtc.hiprtcJIT_option
    numbers = [getattr(known, name) for name in options]
    plain = [getattr(known, name) for name in PLAIN]
    is_followed = (runtime.info().release or FOLLOWED) < FOLLOWED
    values = [
        ctypes.c_long(value) if is_followed and isinstance(value, int) and n not in plain else value
        for n, value in zip(numbers, options.values())
    ]
    return hiprtc.hiprtcLinkCreate(len(numbers), numbers or None, values or None)
