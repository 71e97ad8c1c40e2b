# SPDX-License-Identifier: MIT
"""Finds the files that are equal for several callers, so that each is written once.

A file that only one caller has goes to the folder of the caller.  A file that
several callers have with the same text goes to a folder that is named after these
callers.  A caller is compiled with its own folder and its shared folders in the
include path; each header is in exactly one of them.  `#include "x.h"` first looks in
the folder of the including file, which is right as well: if x.h is in that folder,
then all callers that share the including file share x.h.
"""

from __future__ import annotations

from dataclasses import dataclass, field

SHARED = "common"


@dataclass
class SharedFiles:
    """The files of all callers, each once."""

    texts: dict[str, str] = field(default_factory=dict)  # by path below bindings/
    paths: dict[str, list[str]] = field(default_factory=dict)  # by caller: its files
    folders: dict[str, list[str]] = field(default_factory=dict)  # by caller: its include path


def share(files: dict[str, dict[str, str]], folders: dict[str, str]) -> SharedFiles:
    """`files` has a text by caller and file name, `folders` the own folder of each caller."""
    result = SharedFiles()
    users: dict[tuple[str, str], list[str]] = {}
    for caller, texts in files.items():
        for name, text in texts.items():
            users.setdefault((name, text), []).append(caller)
    for (name, text), callers in users.items():
        shared = f"{SHARED}/{'_'.join(callers)}"
        folder = shared if len(callers) > 1 else folders[callers[0]]
        result.texts[f"{folder}/{name}"] = text
        for caller in callers:
            result.paths.setdefault(caller, []).append(f"{folder}/{name}")
            path = result.folders.setdefault(caller, [])
            if folder not in path:
                path.append(folder)
    for caller in files:
        result.paths[caller].sort()
        result.folders[caller].sort()
    return result
