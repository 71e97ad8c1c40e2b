# SPDX-License-Identifier: MIT
"""Runs a command on a terminal: on_terminal.py FILE COMMAND [ARGUMENT...].

FILE gets all bytes that the command wrote there.  Standard output has the lines that are on the
screen at the end, and the exit status is that of the command.
"""

import os
import pty
import re
import sys


def screen(text: str) -> str:
    """The lines that are left: \\r goes to the beginning of one, ESC [ K erases it from there."""
    lines = []
    for line in text.replace("\r\n", "\n").split("\n"):
        shown, column = "", 0
        for part in re.split("(\r|\033\\[K)", line):
            if part == "\r":
                column = 0
            elif part == "\033[K":
                shown = shown[:column]
            else:
                shown = shown[:column] + part + shown[column + len(part) :]
                column += len(part)
        lines.append(shown)
    return "\n".join(lines)


def main() -> int:
    written = bytearray()
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(sys.argv[2], sys.argv[2:])
    while True:
        try:
            data = os.read(terminal, 65536)
        except OSError:  # Linux says so when the last process has closed the terminal
            data = b""
        if not data:
            break
        written.extend(data)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with open(sys.argv[1], "wb") as file:
        file.write(written)
    sys.stdout.write(screen(written.decode(errors="replace")))
    return status if status >= 0 else 128 - status


sys.exit(main())
