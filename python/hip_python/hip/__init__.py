# SPDX-License-Identifier: MIT
"""HIP Python's names over hipshim: `from hip import hip, hiprtc` on any ROCm release.

Calls of HIP Python up to 7.2 and those of 10.0 both work; the number of arguments tells them apart.
"""

from __future__ import annotations

from importlib import metadata
from typing import Any

from hipshim import _hip

REAL = ("hip-python", "rocm-bindings-hip")


def _refuse_the_real_ones() -> None:
    for name in REAL:
        try:
            found = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        raise ImportError(
            f"hip: both {name} {found.version} and hipshim-hip-python are installed, and they have modules "
            f"of the same names; remove one: pip uninstall {name}, or pip uninstall hipshim-hip-python"
        )


class Text(str):
    """A text of a record: HIP Python up to 7.2 has bytes there, and 10.0 a str."""

    __slots__ = ()

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        return str(self)

    def __add__(self, other: str | bytes) -> str | bytes:  # type: ignore[override]
        return self.encode() + other if isinstance(other, bytes) else str.__add__(self, other)

    def __radd__(self, other: bytes) -> bytes:
        return other + self.encode()


_refuse_the_real_ones()
_hip.set_text(Text)

from hip import _util, hip, hiprtc  # noqa: E402
from rocm.bindings import hiprtc_pyext  # noqa: E402

hiprtc.ext = hiprtc_pyext
__version__ = VERSION = "0.1.0"
__all__ = ["Text", "_util", "hip", "hiprtc"]


def __getattr__(name: str) -> Any:
    """ROCM_VERSION and such, which ask the library."""
    if "version" in name.lower():
        from rocm import version

        if not name.startswith("_") and hasattr(version, name):
            return getattr(version, name)
    raise AttributeError(f"module 'hip' has no attribute {name!r}")
