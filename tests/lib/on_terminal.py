# SPDX-License-Identifier: MIT
"""Runs a command on a terminal: on_terminal.py FILE COMMAND [ARGUMENT...].

FILE gets all bytes that the command wrote there.  Standard output has the lines that are on the
screen at the end, and the exit status is that of the command.
"""

import os
import re
import subprocess
import sys
import threading

END = b"\0end of the command\0"


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


def read(terminal: int, written: bytearray) -> None:
    while not written.endswith(END):
        written.extend(os.read(terminal, 65536))


def main() -> int:
    written = bytearray()
    terminal, end = os.openpty()
    reader = threading.Thread(target=read, args=(terminal, written))
    reader.start()
    status = subprocess.run(sys.argv[2:], stdin=end, stdout=end, stderr=end, check=False).returncode
    os.write(end, END)  # what is not read when the last process closes a terminal may be lost
    reader.join()
    text = bytes(written[: -len(END)])
    with open(sys.argv[1], "wb") as file:
        file.write(text)
    sys.stdout.write(screen(text.decode(errors="replace")))
    return status if status >= 0 else 128 - status


sys.exit(main())
