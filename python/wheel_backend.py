# SPDX-License-Identifier: MIT
"""What pip calls for pyproject.toml: a wheel for this machine and for the Python that runs it.

It needs what ./configure needs, and the headers of the Python.  scripts/wheel.py builds those to publish.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path

import wheel

PLATFORM = sysconfig.get_platform().replace("-", "_").replace(".", "_")


def build_wheel(
    wheel_directory: str,
    config_settings: object = None,
    metadata_directory: str | None = None,
) -> str:
    os.environ.setdefault("CC", "cc")
    suffix = "t" if "t" in sys.abiflags else ""
    version = f"{sys.version_info.major}.{sys.version_info.minor}{suffix}"
    include = sysconfig.get_paths()["include"]
    variants = [
        v for v in wheel.VARIANTS if version in v.headers and (suffix != "t" or "t" in v.suffix)
    ]
    # The limited API of 3.11 is in the headers of every later one; 3.9 and 3.10 have less.
    variant = variants[0] if variants else None
    if variant is None or not Path(include, "Python.h").exists():
        raise SystemExit(
            f"hipshim: no {include}/Python.h of a Python 3.11 or later; install its headers (Debian: python3-dev)"
        )
    build = Path("build-wheel").resolve()
    build.mkdir(exist_ok=True)
    cc = wheel.compiler(build)
    wheel.build_libraries(build, cc)
    modules = [wheel.build_module(build, cc, m, variant, [include]) for m in wheel.sources()]
    files = wheel.package_files(build, modules)
    tag = f"py3-none-{PLATFORM}"
    return wheel.pack(Path(wheel_directory), "hipshim", tag, files, wheel.METADATA).name


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    raise SystemExit("hipshim: `make dist` makes the tarball, which pip takes")
