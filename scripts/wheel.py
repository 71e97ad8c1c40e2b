#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the wheels of the Python package: one for every CPython from 3.9 on, and HIP Python's names.

    scripts/wheel.py [--headers=VERSION:DIR[:DIR]]... [--require-all] [--output=DIR]

Run in the source tree, after autogen.sh.  DIR (./wheels) receives the wheels, and build/ with what they
are made of.  zig, the compiler (pip install ziglang), links for glibc 2.17; CC names another one.

A wheel has up to four files for each module, and an interpreter takes the one whose suffix it knows:
.abi3.so (3.9 and later, with the global lock), .abi3t.so (3.15 and later without it), and one for each
of 3.13t and 3.14t.  They need the headers of 3.11, 3.15, 3.13 and 3.14: those of interpreters on
PATH, and of --headers, such as 3.13t:/usr/include/python3.13.  Exit status 1 if the first cannot be
built, or with --require-all any.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

TOP = Path(__file__).resolve().parents[1]
TAG = "py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64"
LIBRARIES = ("libhipshim", "libhipshim-kernel", "libhipshim-roctx")
VERSION = re.search(r"AC_INIT\(\[hipshim\], \[([^]]+)\]", (TOP / "configure.ac").read_text())[1]  # type: ignore[index]
EPOCH = (2020, 1, 1, 0, 0, 0)  # of every member, so that a wheel is the same file for everybody


@dataclass(frozen=True)
class Variant:
    """A file of a module: its suffix, the defines that choose its ABI, and headers that serve."""

    suffix: str
    defines: tuple[str, ...]
    headers: tuple[str, ...]


VARIANTS = (
    Variant(".abi3.so", ("-DPy_LIMITED_API=0x030B0000",), ("3.11", "3.12", "3.13", "3.14")),
    Variant(".abi3t.so", ("-DPy_TARGET_ABI3T=0x030F0000",), ("3.15", "3.15t", "3.16", "3.16t")),
    Variant(".cpython-313t-x86_64-linux-gnu.so", ("-DPy_GIL_DISABLED=1",), ("3.13t", "3.13")),
    Variant(".cpython-314t-x86_64-linux-gnu.so", ("-DPy_GIL_DISABLED=1",), ("3.14t", "3.14")),
)
WRAPPER = """#!/bin/sh
# zig takes a library by its name only, not as an argument of the link editor.
for arg; do
    shift
    case $arg in -Wl,*.so) arg=${{arg#-Wl,}} ;; esac
    set -- "$@" "$arg"
done
exec {command} "$@"
"""


def found_headers(given: list[str]) -> dict[str, list[str]]:
    """The include directories of each version: those given, then those of interpreters on PATH."""
    found = {}
    for entry in given:
        version, *directories = entry.split(":")
        found[version] = directories
    program = "import sysconfig as s; print(s.get_paths()['include'], s.get_paths()['platinclude'])"
    for minor in range(11, 17):
        for suffix in ("", "t"):
            name = f"3.{minor}{suffix}"
            path = shutil.which(f"python{name}")
            if path and name not in found:
                output = subprocess.run([path, "-c", program], capture_output=True, text=True)
                directories = list(dict.fromkeys(output.stdout.split()))
                if directories and Path(directories[0], "Python.h").exists():
                    found[name] = directories
    return found


def compiler(build: Path) -> str:
    """The command of the compiler, behind a script where it is zig."""
    if "CC" in os.environ:
        return os.environ["CC"]
    command = f"{sys.executable} -m ziglang cc -target x86_64-linux-gnu.2.17"
    try:
        subprocess.run([*command.split(), "--version"], check=True, capture_output=True)
    except subprocess.CalledProcessError:
        raise SystemExit("wheel.py: no zig; pip install ziglang, or set CC to a compiler") from None
    wrapper = build / "cc"
    wrapper.write_text(WRAPPER.format(command=command))
    wrapper.chmod(0o755)
    return str(wrapper)


def build_libraries(build: Path, cc: str) -> None:
    if not (build / "Makefile").exists():
        run(
            [TOP / "configure", "--quiet", "--disable-static", "--disable-siblings", f"CC={cc}"],
            build,
        )
    targets = [f"{name}.la" for name in LIBRARIES]
    # The libraries and the program find each other, wherever the package is.
    rpaths = "LDFLAGS=-Wl,-rpath,'$$ORIGIN' -Wl,-rpath,'$$ORIGIN/../lib'"
    run(["make", "-s", f"-j{os.cpu_count()}", rpaths, *targets, "hipshim"], build)


def run(command: list[str | Path], directory: Path) -> None:
    with open(directory / "wheel.log", "ab") as log:
        status = subprocess.run(command, cwd=directory, stdout=log, stderr=log).returncode
    if status != 0:
        text = (directory / "wheel.log").read_text(errors="replace")
        print(*text.splitlines()[-20:], sep="\n", file=sys.stderr)
        raise SystemExit(f"wheel.py: {command[0]} ended with status {status}")


def python_folders() -> list[Path]:
    """The generated files of the modules over LIBRARIES; those of others would make the wheel large."""
    names = [name.removeprefix("libhipshim-") for name in LIBRARIES]
    found = [TOP / "bindings" / name / "python" for name in names]
    return [TOP / "bindings/python", *(folder for folder in found if folder.is_dir())]


def sources() -> dict[str, tuple[list[Path], str, list[str]]]:
    """Of each module its files in C, the library that it calls, and its include directories."""
    common = sorted(TOP.glob("src/python/*.c"))
    found = {}
    for folder in python_folders():
        module = re.search(r"HS_PYTHON_MODULE=(\w+)", (folder / "files.mk").read_text())[1]  # type: ignore[index]
        own = folder.parent != TOP / "bindings"
        library = f"libhipshim-{folder.parent.name}" if own else "libhipshim"
        include = [f"-I{folder.parent}"] if own else []
        found[module] = ([*common, *sorted(folder.glob("*.c"))], library, include)
    return found


def build_module(build: Path, cc: str, module: str, variant: Variant, headers: list[str]) -> Path:
    files, library, include = sources()[module]
    made = build / f"{module}{variant.suffix}"
    flags = ["-std=gnu11", "-O2", "-fPIC", "-fvisibility=hidden", "-fno-strict-aliasing", "-shared"]
    flags += [f"-DHS_PYTHON_MODULE={module}", *variant.defines, *include]
    flags += [
        f"-I{one}" for one in (*headers, TOP / "src", TOP / "include/hipshim", TOP / "bindings")
    ]
    flags += [f"-I{TOP}/bindings/stable", "-s", "-Wl,-z,relro", "-Wl,-rpath,$ORIGIN/lib"]
    run([*cc.split(), *flags, "-o", made, *files, build / f".libs/{library}.so"], build)
    return made


def package_files(build: Path, modules: list[Path]) -> dict[str, Path]:
    """The members of the wheel, by their names."""
    found = {f"hipshim/{path.name}": path for path in modules}
    for top in (TOP / "python", *python_folders()):
        for pattern in ("hipshim/**/*.py", "hipshim/**/*.pyi", "hipshim/py.typed"):
            found |= {str(path.relative_to(top)): path for path in top.glob(pattern)}
    for name in LIBRARIES:
        (library,) = build.glob(f".libs/{name}.so.0.*.*")
        found[f"hipshim/lib/{name}.so.0"] = stripped(library, build)
    program = build / ".libs/hipshim"
    found["hipshim/bin/hipshim"] = stripped(
        program if program.exists() else build / "hipshim", build
    )
    for header in (TOP / "include/hipshim").rglob("*.h"):
        found[f"hipshim/include/{header.relative_to(TOP / 'include/hipshim')}"] = header
    for header in (TOP / "bindings").glob("*able.h"):
        found[f"hipshim/include/{header.name}"] = header
    return found


def stripped(path: Path, build: Path) -> Path:
    made = build / "stripped" / path.name
    made.parent.mkdir(exist_ok=True)
    run(["strip", "-o", made, path], build)
    return made


def digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def pack(output: Path, name: str, tag: str, files: dict[str, Path], metadata: str) -> Path:
    """Writes a wheel: a zip with the files, and their names and digests in RECORD."""
    info = f"{name}-{VERSION}.dist-info"
    pure = str(tag.endswith("-any")).lower()
    wheel = f"Wheel-Version: 1.0\nGenerator: hipshim\nRoot-Is-Purelib: {pure}\n"
    wheel += "".join(f"Tag: py3-none-{one}\n" for one in tag.removeprefix("py3-none-").split("."))
    members = {member: path.read_bytes() for member, path in sorted(files.items())}
    modes = {member: path.stat().st_mode & 0o777 for member, path in files.items()}
    members[f"{info}/METADATA"] = metadata.encode()
    members[f"{info}/WHEEL"] = wheel.encode()
    members[f"{info}/licenses/COPYING"] = (TOP / "COPYING").read_bytes()
    record = "".join(f"{m},sha256={digest(d)},{len(d)}\n" for m, d in members.items())
    members[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    path = output / f"{name}-{VERSION}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for member, data in members.items():
            entry = zipfile.ZipInfo(member, EPOCH)
            entry.external_attr = (0o100755 if modes.get(member, 0) & 0o100 else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    print(f"{path}: {path.stat().st_size:,} bytes")
    return path


def metadata(name: str, summary: str, requires: str) -> str:
    lines = ["Metadata-Version: 2.4", f"Name: {name}", f"Version: {VERSION}", f"Summary: {summary}"]
    lines += [
        "License-Expression: MIT",
        "License-File: COPYING",
        "Requires-Python: >=3.9",
        requires,
    ]
    return "\n".join(line for line in lines if line) + "\n"


def build_modules(build: Path, cc: str, given: list[str], require_all: bool) -> list[Path]:
    """The files of all modules for every variant whose headers are there."""
    headers = found_headers(given)
    modules, missing = [], []
    for variant in VARIANTS:
        version = next((one for one in variant.headers if one in headers), None)
        if version is None:
            missing.append(variant.suffix)
            print(f"wheel.py: no {variant.suffix}: no headers of {' or '.join(variant.headers)}")
            continue
        modules += [build_module(build, cc, m, variant, headers[version]) for m in sources()]
    if VARIANTS[0].suffix in missing or (missing and require_all):
        raise SystemExit(f"wheel.py: the wheel would lack {', '.join(missing)}")
    return modules


METADATA = metadata(
    "hipshim", "HIP on any ROCm release: all functions, kernels and their cache", ""
)


class Parser(argparse.ArgumentParser):
    """Refuses an argument in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"wheel.py: {message}; see --help\n")


def read_arguments() -> argparse.Namespace:
    title, rest = (__doc__ or "").split("\n", 1)
    parser = Parser(
        "wheel.py", None, title, rest, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--headers", action="append", default=[], metavar="VERSION:DIR[:DIR]")
    parser.add_argument("--require-all", action="store_true")
    parser.add_argument("--output", type=Path, default=Path("wheels"), metavar="DIR")
    return parser.parse_args()


def main() -> int:
    request = read_arguments()
    build = (request.output / "build").resolve()
    build.mkdir(parents=True, exist_ok=True)
    cc = compiler(build)
    build_libraries(build, cc)
    modules = build_modules(build, cc, request.headers, request.require_all)
    pack(request.output, "hipshim", TAG, package_files(build, modules), METADATA)
    names = TOP / "python/hip_python"
    files = {
        str(path.relative_to(names)): path
        for path in names.rglob("*.py*")
        if path.suffix in (".py", ".pyi", ".typed")
    }
    text = metadata(
        "hipshim-hip-python",
        "HIP Python's modules over hipshim",
        f"Requires-Dist: hipshim=={VERSION}",
    )
    pack(request.output, "hipshim_hip_python", "py3-none-any", files, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
