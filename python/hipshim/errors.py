# SPDX-License-Identifier: MIT
"""The exception of the functions in `hipshim.hip.checked` and its like."""

from __future__ import annotations

from enum import IntEnum


class HipError(Exception):
    """A function returned another status than success.

    `status` is that status, `function` the name of the function, and `text` what hipshim knows of
    the reason; it is empty if the reason is the runtime's own.
    """

    def __init__(self, status: IntEnum | int, function: str, text: str) -> None:
        self.status = status
        self.function = function
        self.text = text
        name = status.name if isinstance(status, IntEnum) else f"status {status}"
        super().__init__(f"{function}(): {name}" + (f": {text}" if text else ""))
