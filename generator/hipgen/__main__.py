# SPDX-License-Identifier: MIT
"""Command line: python3 -m hipgen COMMAND."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from pathlib import Path

from hipgen.model import HipgenError

DESCRIPTION = "Reads HIP headers and writes hipshim's bindings and shim."


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="hipgen", description=DESCRIPTION)
    parser.add_argument("--root", type=Path, help="the hipshim tree (default: this one)")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    one = commands.add_parser("bindings", help="write the bindings header of one release")
    one.add_argument("--headers", type=Path, required=True, metavar="DIR", help=HEADERS)
    one.add_argument("--out", type=Path, metavar="FILE", help="default: standard output")

    one = commands.add_parser("hsa", help="write the loopback's HSA declarations")
    one.add_argument(
        "--headers", type=Path, required=True, metavar="DIR", help="a tree with hsa/hsa.h"
    )
    one.add_argument(
        "--out", type=Path, metavar="FILE", help="- is standard output; default: the tree's own"
    )

    commands.add_parser("shim", help="write everything in bindings/ anew")

    one = commands.add_parser("check", help="fail unless bindings/ is what hipgen would write")
    one.add_argument(
        "--headers",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="also compare these vendor headers with the committed bindings (repeatable)",
    )

    one = commands.add_parser("diff", help="show what changed between two releases")
    one.add_argument(
        "old",
        metavar="A",
        help="a release (6.4.43484, 43484, or 6.4 for the newest), a header or a DIR",
    )
    one.add_argument("new", metavar="B", help="likewise")
    one.add_argument("--json", action="store_true", help="for programs")

    one = commands.add_parser("add-release", help="add a release: the one step that is needed")
    one.add_argument("--headers", type=Path, required=True, metavar="DIR", help=HEADERS)
    one.add_argument("--library", type=Path, metavar="FILE", help="its libamdhip64.so.N")
    one.add_argument("--rocm", default="unknown", help="the ROCm releases that carry it")
    one.add_argument(
        "--origin", default="headers given to hipgen", help="where the headers came from"
    )
    return parser


HEADERS = "a ROCm prefix, its include directory, or a tree with hip/hip_runtime_api.h"


def run(options: argparse.Namespace) -> None:
    # Imported late, so that --help and usage errors need no libclang.
    from hipgen.project import Project

    project = Project(options.root.resolve()) if options.root else Project()
    if options.command == "bindings":
        from hipgen import bindings

        bindings.write(project, options.headers, options.out)
        return
    if options.command == "hsa":
        from hipgen import hsa

        hsa.write(project, options.headers, options.out)
        return
    from hipgen import commands

    if options.command == "shim":
        commands.shim(project)
    elif options.command == "check":
        commands.check(project, options.headers)
    elif options.command == "diff":
        commands.diff(project, options.old, options.new, options.json)
    else:
        commands.add_release(
            project, options.headers, options.library, options.rocm, options.origin
        )


def main() -> int:
    gc.disable()  # a run is short and keeps what it makes; collecting costs a tenth of it
    try:
        run(arguments().parse_args())
        sys.stdout.flush()
    except HipgenError as problem:
        print(f"hipgen: {problem}", file=sys.stderr)
        return 1
    except ImportError as problem:
        print(
            f"hipgen: {problem}: install python3-clang and python3-jinja2 (Debian's names)",
            file=sys.stderr,
        )
        return 1
    except BrokenPipeError:
        return 1
    return 0


if __name__ == "__main__":
    STATUS = main()
    sys.stderr.flush()
    os._exit(STATUS)  # to take apart all that libclang built costs a tenth of a run
