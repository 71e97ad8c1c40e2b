# SPDX-License-Identifier: MIT
"""make_fake.py [API]: writes a libhipshim, or one of another API, in C whose functions read every input and write every output.

A status is success three times of four.  What it writes is plausible for the type only: counts are
small, handles and memory are addresses of its own.  So a random call cannot hurt the library, and a
sanitizer sees what the Python module does wrong.
"""

from __future__ import annotations

import sys

from hipgen.commands import all_overrides, declared_functions, stable_set, with_declared
from hipgen.project import Project
from hipgen.python_calls import Call, Calls, Parameter
from hipgen.python_types import PythonTypes
from hipgen.spell import declare, parameters

HEAD = """#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
static char memory[4096];
static unsigned seed = 1;
static unsigned drawn(void) { seed = seed * 1103515245u + 12345u; return seed >> 16; }
static volatile unsigned long seen;
/* Programs may pass numbers for addresses: what is not mapped is not read. */
static int is_mapped(const void *from, unsigned long size)
{
    char last;
    struct iovec to = {&last, 1}, at = {(char *)from + (size ? size - 1 : 0), 1};
    return process_vm_readv(getpid(), &to, 1, &at, 1, 0) == 1;
}
static void read_bytes(const void *from, unsigned long size)
{
    if (size > sizeof memory || !is_mapped(from, 1) || !is_mapped(from, size)) return;
    for (unsigned long n = 0; from && n < size; n++) seen += ((const unsigned char *)from)[n];
}
"""
OWN = """const char *hipshim_error_text(void) { return drawn() % 2 ? "a reason" : ""; }
const char *hipshim_version(void) { return "0"; }
"""


def size_of(param: Parameter, types: PythonTypes) -> str:
    if param.kind.name == "RECORD":
        return str(types.classes[param.kind.number].size)
    return {"I8": "1", "U8": "1", "I16": "2", "U16": "2", "I32": "4", "U32": "4"}.get(
        param.kind.name, "4" if param.kind.name in ("ENUM", "F32") else "8"
    )


def counted(param: Parameter, call: Call) -> str:
    """How many items the list has."""
    if param.length < -1:
        return str(-1 - param.length)
    if param.length == -1:
        return "0"
    other = call.params[param.length]
    return f"(*{other.name} % 4)" if other.direction != "in" else f"(unsigned long)({other.name})"


def lines_of(call: Call, types: PythonTypes) -> list[str]:
    lines = []
    for p in call.params:
        if p.direction == "in":
            if "SCALAR" in p.flags:
                lines.append(f"read_bytes({p.name}, {-1 - p.length});")
            elif p.is_list and p.length != -1:
                lines.append(f"read_bytes({p.name}, {counted(p, call)} * {size_of(p, types)});")
            elif "POINTED" in p.flags and p.length == -1:
                lines.append(f"read_bytes({p.name}, {size_of(p, types)});")
            elif p.kind.name == "TEXT":
                lines.append(
                    f"read_bytes({p.name}, is_mapped({p.name}, 1) ? strlen({p.name}) : 0);"
                )
            continue
        if p.direction == "inout" and p.kind.name == "RECORD":
            lines.append(f"read_bytes({p.name}, {size_of(p, types)});")
        elif "QUERIED" in p.flags:
            lines.append(f"*{p.name} = 3;")
        elif "BORROWED" in p.flags:
            lines.append(f"*{p.name} = (void *)memory;")
        elif p.is_list:
            lines.append(
                f"if ({p.name}) memset((void *){p.name}, 1, {counted(p, call)} * {size_of(p, types)});"
            )
        elif p.kind.name == "RECORD":
            lines.append(f"memset((void *){p.name}, drawn(), {size_of(p, types)});")
        elif p.kind.name in ("HANDLE", "MEMORY", "BYTES"):
            lines.append(f"*{p.name} = (void *)(drawn() % 4 ? memory : 0);")
        elif p.kind.name == "TEXT":
            lines.append(f'*{p.name} = drawn() % 4 ? "text" : 0;')
        elif p.kind.name in ("ENUM", "F32", "F64"):
            lines.append(f"*{p.name} = drawn() % 4;")
        else:
            lines.append(f"*{p.name} = drawn() % 3;")
    return lines


def main() -> None:
    project = Project(name=sys.argv[1] if len(sys.argv) > 1 else "")
    overrides = all_overrides(project)
    api_sets = with_declared(project.api_sets, overrides, declared_functions(overrides))
    stable = stable_set(project, api_sets, overrides)
    rule = project.api.python
    assert rule is not None
    types = PythonTypes(stable, overrides, rule)
    calls = Calls(stable, overrides, types, rule)
    include = f"#include <{project.api.installed_as}>"
    text = [HEAD.replace("#include <stdint.h>", f"{include}\n#include <stdint.h>", 1)]
    text += [OWN] if project.api.published else []
    for function in stable.functions.values():
        call = calls.of(function)
        head = f"{declare(function.result, function.name)}({parameters(function.params)})"
        result = {
            "ENUM": "return drawn() % 4 ? 0 : 1;",
            "TEXT": 'return "text";',
            "I32": "return 1;",
        }
        last = result.get(call.result.name, "") if call.result else ""
        if call.result and call.result.name == "RECORD":
            last = (
                f"{declare(function.result, 'made')}; memset(&made, 0, sizeof made); return made;"
            )
        text.append(f"{head}\n{{\n    " + "\n    ".join([*lines_of(call, types), last]) + "\n}")
    sys.stdout.write("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
