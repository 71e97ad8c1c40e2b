# SPDX-License-Identifier: MIT
"""Command line: python3 -m hipgen COMMAND."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from dataclasses import replace
from pathlib import Path

from hipgen.model import HipgenError

DESCRIPTION = "Reads the headers of an API and writes hipshim's bindings."
ALL = "with the optional APIs, or without (default: as the last time)"
HEADERS = "a ROCm prefix, its include directory, or another directory with the headers"


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="hipgen", description=DESCRIPTION)
    parser.add_argument("--root", type=Path, help="the hipshim tree (default: this one)")
    parser.add_argument(
        "--in",
        dest="project",
        default="",
        metavar="API",
        help="a folder in generator/apis/ (default: the API whose bindings are published); "
        "generate and check always take all APIs",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    one = commands.add_parser("bindings", help="write the bindings header of one release")
    one.add_argument("--headers", type=Path, required=True, metavar="DIR", help=HEADERS)
    one.add_argument("--out", type=Path, metavar="FILE", help="default: standard output")

    one = commands.add_parser("generate", help="write all files in bindings/")
    one.add_argument("--all", action=argparse.BooleanOptionalAction, help=ALL)
    add_excerpt(commands)
    add_check(commands)

    add_diff(commands)
    add_release(commands)
    return parser


def add_diff(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    one = commands.add_parser(
        "diff", help="show the changes between two releases, or between two header trees"
    )
    release = "a release (6.4.43484, 43484, or 6.4 for its newest), a header, or a directory"
    one.add_argument("old", metavar="A", help=release)
    one.add_argument("new", metavar="B", help=release)
    one.add_argument("--json", action="store_true", help="write JSON")
    one.add_argument(
        "--fail-on",
        choices=("breaking", "any", "never"),
        default="never",
        help="exit with status 1 if a program for A needs a conversion on B or uses what B lacks"
        " (breaking), or if there is any difference; with status 2 if A or B cannot be read",
    )


def add_excerpt(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    one = commands.add_parser("excerpt", help="write the declarations of an API that hipshim uses")
    one.add_argument("--api", required=True, metavar="NAME", help="a folder in generator/apis/")
    one.add_argument("--headers", type=Path, required=True, metavar="DIR", help=HEADERS)
    one.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="- is standard output (default: the file that api.toml names)",
    )


def add_check(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    one = commands.add_parser("check", help="fail if bindings/ is not what hipgen would write")
    one.add_argument(
        "--headers",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="also compare these vendor headers with the committed bindings (repeatable)",
    )


def add_release(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    one = commands.add_parser("add-release", help="add a release, with all that depends on it")
    source = one.add_mutually_exclusive_group(required=True)
    source.add_argument("--headers", type=Path, metavar="DIR", help=HEADERS)
    source.add_argument(
        "--cython",
        type=Path,
        nargs="+",
        default=[],
        metavar="FILE",
        help="the .pxd files of published Cython bindings, in the tree where pip installed them for "
        "this version of Python",
    )
    one.add_argument(
        "--neighbour",
        metavar="RELEASE",
        help="with --cython, the known release that gives default arguments and macros",
    )
    one.add_argument(
        "--library",
        type=Path,
        metavar="FILE",
        help="the runtime library of the release; a new soname needs it for its drop-in",
    )
    one.add_argument(
        "--release", metavar="RELEASE", help="major.minor.patch, for an API whose headers lack it"
    )
    one.add_argument(
        "--soname", type=int, metavar="N", help="of the library, STEM.so.N (default: the major)"
    )
    one.add_argument("--rocm", default="unknown", help="the ROCm releases that contain it")
    one.add_argument(
        "--origin", default="headers given to hipgen", help="where the headers came from"
    )


def has_optional(root: Path) -> bool:
    """Whether the last `generate` of the tree wrote the optional APIs, which apis.mk says."""
    last = root / "bindings" / "apis.mk"
    return last.is_file() and "# Without the optional APIs;" not in last.read_text()


def run(options: argparse.Namespace) -> int:
    # These imports come late, so that --help and usage errors need no libclang.
    from hipgen.project import ROOT, Project

    name = "" if options.command in ("generate", "check", "excerpt") else options.project
    root = options.root.resolve() if options.root else ROOT
    everything = getattr(options, "all", None)
    if everything is None:
        everything = has_optional(root)
    project = Project(root, name=name, everything=everything)
    if options.command == "bindings":
        from hipgen import bindings

        bindings.write(project, options.headers, options.out)
        return 0
    if options.command == "excerpt":
        from hipgen import excerpt

        excerpt.write(project, options.api, options.headers, options.out)
        return 0
    from hipgen import commands

    if options.command == "generate":
        commands.generate(project)
    elif options.command == "check":
        commands.check(project, options.headers)
    elif options.command == "diff":
        return commands.diff(project, options.old, options.new, options.json, options.fail_on)
    else:
        source = commands.read_source(
            project, options.headers, options.cython, options.neighbour, options.release
        )
        source = replace(source, soname=options.soname)
        commands.add_release(project, source, options.library, options.rocm, options.origin)
    return 0


def main() -> int:
    gc.disable()  # a run is short; collecting would take a tenth of its time
    options = arguments().parse_args()
    # A test that asks for a difference must tell one from a failure.
    failure = 1 if getattr(options, "fail_on", "never") == "never" else 2
    try:
        status = run(options)
        sys.stdout.flush()
        return status
    except HipgenError as problem:
        print(f"hipgen: {problem}", file=sys.stderr)
    except ImportError as problem:
        print(
            f"hipgen: {problem}: install python3-clang and python3-jinja2 (Debian's names)",
            file=sys.stderr,
        )
    except BrokenPipeError:
        pass
    return failure


if __name__ == "__main__":
    STATUS = main()
    sys.stderr.flush()
    os._exit(STATUS)  # destroying libclang's objects would take a tenth of the run
