# SPDX-License-Identifier: MIT
"""python -m hipshim: the program hipshim, of the package if it has one, with the same arguments."""

from __future__ import annotations

import os
import shutil
import sys

from hipshim._library import HERE


def main() -> int:
    own = os.path.join(HERE, "bin", "hipshim")
    program = own if os.path.exists(own) else shutil.which("hipshim")
    if program is None:
        print(
            f"python -m hipshim: no program {own}, and no hipshim in PATH; install the wheel or hipshim",
            file=sys.stderr,
        )
        return 127
    os.execv(program, ["hipshim", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
