# SPDX-License-Identifier: MIT
"""Writes C for a test of two libraries, of which one calls the other, such as hipBLAS and rocBLAS.

    record_calls.py recorder API RELEASE [NAME...] > recorder.c
    record_calls.py caller API RELEASE HEADER > caller.c
    record_calls.py compare THIS OTHER EXCEPT [PATTERN=REPLACEMENT...]

The recorder has every function of the lower API and prints each call; NAME are symbols that the
upper library needs and the API does not declare.  The caller calls every function of the upper
API: once for each enumerator of each parameter, with the same one in all others.  An argument
that is no enumerator depends on its place alone, so callers of two releases pass the same.
The caller's header is the vendor's: names, values and prototypes do not come from api.def.

`compare` prints each call of which THIS, the output of one caller, has other results than OTHER; then
how many calls it compared.  It leaves out functions that match EXCEPT.  The replacements, of the names of
functions and enumerators, apply to both.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "generator"))

from hipgen import bindings  # noqa: E402
from hipgen.model import ApiSet, Enum, Function, Named, Param, Pointer, Type  # noqa: E402
from hipgen.project import Project  # noqa: E402
from hipgen.spell import declare  # noqa: E402

# Both are in one process; the recorder prints pointers as places in the caller's memory.
COMMON = """\
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARENA ((char *)0x700000000000)
#define ARENA_SIZE (64 << 12)
"""

RECORDER = """
static void show(const void *pointer)
{
    const char *at = pointer;
    if (at >= ARENA && at < ARENA + ARENA_SIZE) {
        printf(" @%ld", (long)(at - ARENA) >> 12);
    } else {
        printf(at ? " elsewhere" : " null");
    }
}
"""

NAMES = """
struct name {
    const char *text;
    long value;
};

struct function {
    const char *name;
    void (*call)(const long *values);
    const struct name *enums[8];
};

static const char *name_of(const struct name *names, long value)
{
    for (; names->text; names++) {
        if (names->value == value) {
            return names->text;
        }
    }
    return "unnamed";
}
"""

CALLER = """
/* A fault in the library is a result like others, since the arguments are no real objects. */
static sigjmp_buf fault;
static volatile sig_atomic_t has_faulted;

static void on_fault(int number)
{
    has_faulted = 1;
    siglongjmp(fault, number);
}

static void call(const struct function *function, int varied, const struct name *to)
{
    long values[8] = {0};
    for (int i = 0; i < 8 && function->enums[i]; i++) {
        values[i] = i == varied ? to->value : function->enums[i]->value;
    }
    memset(ARENA, 0, ARENA_SIZE);
    printf("== %s %d %s\\n", function->name, varied, to ? to->text : "-");
    int number = sigsetjmp(fault, 1);
    if (number) {
        puts("fault");
    } else {
        function->call(values);
    }
}

static void call_all(const struct function *function)
{
    if (!function->enums[0]) {
        call(function, 0, NULL);
    }
    for (int i = 0; i < 8 && function->enums[i]; i++) {
        for (const struct name *to = function->enums[i]; to->text; to++) {
            call(function, i, to);
        }
    }
    fflush(stdout);
}

/* A child goes on until a function has faulted, after which the library may be in any state. */
static void call_from(int begin, volatile int *done)
{
    for (int i = 0; i < 4; i++) {
        signal((const int[]){SIGSEGV, SIGBUS, SIGABRT, SIGFPE}[i], on_fault);
    }
    while (functions[begin].name && !has_faulted) {
        *done = begin + 1;
        call_all(&functions[begin++]);
    }
    _exit(0);
}

int main(void)
{
    volatile int *done = mmap(NULL, sizeof *done, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (done == MAP_FAILED ||
        mmap(ARENA, ARENA_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != ARENA) {
        return 1;
    }
    while (functions[*done].name) {
        int begin = *done, status = 0;
        pid_t child = fork();
        if (child == 0) {
            call_from(begin, done);
        }
        if (child < 0 || waitpid(child, &status, 0) != child || *done == begin) {
            return 1;
        }
        if (status) {
            printf("== %s ended %d\\n", functions[*done - 1].name, status);
            fflush(stdout);
        }
    }
    return 0;
}
"""


def base_first(enum: Enum) -> list[str]:
    """The enumerators, and first the one that most calls have; every release has that."""
    names = sorted(name for name, _ in enum.enumerators)
    usual = re.compile(r"(_R|COMPUTE)_32F$|_f32_r$|_DEFAULT$|_default$|_LOWER$|_LEFT$")
    return sorted(names, key=lambda name: (not usual.search(name), name.endswith("_auto")))


class Writer:
    def __init__(self, api_set: ApiSet) -> None:
        self.api_set = api_set

    def enum_of(self, type_: Type) -> Enum | None:
        found = self.api_set.enum_of(type_)
        return found if found and found.enumerators else None

    def output_behind(self, type_: Type) -> Type | None:
        """The type to which a parameter points that is no input."""
        found = self.api_set.resolve(type_)
        if not isinstance(found, Pointer) or getattr(found.target, "const", False):
            return None
        return found.target

    def enum_behind(self, type_: Type) -> Enum | None:
        target = self.output_behind(type_)
        return self.enum_of(target) if target else None

    # --- the recorder ---

    def recorder(self, declarations: str, names: list[str]) -> str:
        lines = [COMMON, declarations, RECORDER]
        for function in self.api_set.functions.values():
            params = ", ".join(declare(p.type, f"p{i}") for i, p in enumerate(function.params))
            lines += [f"{declare(function.result, function.name)}({params or 'void'})", "{"]
            lines += [f'    printf("{function.name}");']
            lines += [self.shown(i, p) for i, p in enumerate(function.params)]
            lines += ['    puts("");']
            lines += [line for i, p in enumerate(function.params) for line in self.filled(i, p)]
            lines += [self.answer(function.result), "}"]
        for name in sorted(set(names) - self.api_set.functions.keys()):
            lines += [f"int {name}(void)", "{", f'    puts("{name}");', "    return 0;", "}"]
        return "\n".join(lines) + "\n"

    def shown(self, index: int, param: Param) -> str:
        found = self.api_set.resolve(param.type)
        if isinstance(found, Pointer):
            return f"    show((const void *)p{index});"
        if isinstance(found, Named) and found.name in ("float", "double"):
            return f'    printf(" %g", (double)p{index});'
        if self.api_set.record_of(found):
            return f'    printf(" %zu bytes", sizeof p{index});'
        return f'    printf(" %" PRId64, (int64_t)p{index});'

    def filled(self, index: int, param: Param) -> list[str]:
        """What the function writes behind a pointer, so that what comes back is seen, too."""
        output = self.output_behind(param.type)
        if not output:
            return []
        enum = self.enum_of(output)
        target = self.api_set.resolve(output)
        if enum:
            value = next((name for name in base_first(enum) if enum.values[name]), "0")
        elif isinstance(target, Pointer):
            value = "(void *)(ARENA + (63 << 12))"
        elif isinstance(target, Named) and target.name in ("size_t", "int", "int32_t", "int64_t"):
            value = "7"
        else:
            return []
        return [f"    if (p{index}) {{", f"        *p{index} = {value};", "    }"]

    def answer(self, result: Type) -> str:
        found = self.api_set.resolve(result)
        if isinstance(found, Pointer):
            return '    return "a text";'
        if isinstance(found, Named) and found.name == "void":
            return "    return;"
        enum = self.enum_of(result)
        return f"    return {enum.enumerators[0][0] if enum else 0};"

    # --- the caller ---

    def caller(self, header: str) -> str:
        used: dict[str, Enum] = {}
        calls, rows = [], []
        for function in self.api_set.functions.values():
            enums = [e for p in function.params if (e := self.enum_of(p.type))]
            result = self.enum_of(function.result)
            outputs = [e for p in function.params if (e := self.enum_behind(p.type))]
            used |= {e.name: e for e in [*enums, *outputs, *([result] if result else [])]}
            calls += self.call(function, result)
            tables = ", ".join(f"enum_{e.name}" for e in enums[:8]) or "NULL"
            rows.append(f'    {{"{function.name}", call_{function.name}, {{{tables}}}}},')
        lines = [f"#include <{header}>", COMMON, NAMES]
        for name, enum in used.items():
            lines.append(f"static const struct name enum_{name}[] = {{")
            lines += [f'    {{"{n}", (long){n}}},' for n in base_first(enum)]
            lines.append("    {NULL, 0}};")
        lines += [*calls, "static const struct function functions[] = {", *rows]
        return "\n".join([*lines, "    {NULL, NULL, {NULL}}};", CALLER])

    def call(self, function: Function, result: Enum | None) -> list[str]:
        arguments, seen = [], 0
        for index, param in enumerate(function.params):
            found = self.api_set.resolve(param.type)
            if self.enum_of(param.type) and seen < 8:
                arguments.append(f"({declare(param.type, '').strip()})values[{seen}]")
                seen += 1
            elif isinstance(found, Pointer):
                arguments.append(f"(void *)(ARENA + ({index + 1} << 12))")
            elif self.api_set.record_of(found):
                arguments.append(f"({declare(param.type, '').strip()}){{0}}")
            else:
                arguments.append(str(index + 2))
        text = f"{function.name}({', '.join(arguments)})"
        shown = f'printf("= %ld\\n", (long){text});'
        if result:
            shown = f'printf("= %s\\n", name_of(enum_{result.name}, (long){text}));'
        elif isinstance(self.api_set.resolve(function.result), Pointer):
            shown = f'printf("= %.40s\\n", {text});'
        elif function.result == Named("void"):
            shown = f"{text};"
        head = f"static void call_{function.name}(const long *values)"
        return [head, "{", "    (void)values;", f"    {shown}", *self.outputs(function), "}"]

    def outputs(self, function: Function) -> list[str]:
        """What came back in enums."""
        lines = []
        for index, param in enumerate(function.params):
            enum = self.enum_behind(param.type)
            if enum:
                value = f"*(int *)(ARENA + ({index + 1} << 12))"
                lines.append(f'    printf("out %s\\n", name_of(enum_{enum.name}, (long){value}));')
        return lines


def records(path: str, renames: Iterable[str]) -> dict[str, list[list[str]]]:
    """The lines after each call, by what was called."""
    found: dict[str, list[list[str]]] = defaultdict(list)
    lines: list[str] = []
    for line in Path(path).read_text(errors="replace").splitlines():
        if line.startswith(("== ", "out ")):
            for rename in renames:
                line = re.sub(*rename.split("=", 1), line)
        if line.startswith("== "):
            lines = []
            found[line].append(lines)
        else:
            lines.append(line)
    return found


def compare(this: str, other: str, without: str, *renames: str) -> None:
    ours, theirs = records(this, renames), records(other, renames)
    compared = 0
    for label in sorted(ours.keys() & theirs.keys()):
        if re.search(without, label):
            continue
        for lines in ours[label]:
            compared += 1
            if lines not in theirs[label]:
                print(f"{label}\n  {lines}\n  {theirs[label][0]}")
    print(f"{compared} calls")


def main() -> None:
    kind, name, release = sys.argv[1:4]
    if kind == "compare":
        compare(*sys.argv[2:])
        return
    project = Project(ROOT, name=name)
    entry = next(e for e in project.entries if str(e.release) == release)
    writer = Writer(project.api_sets[project.api_set_entry(entry).release])
    if kind == "caller":
        print(writer.caller(sys.argv[4]), end="")
    else:
        declarations = bindings.text_of(project, writer.api_set, entry)
        print(writer.recorder(declarations, sys.argv[4:]), end="")


main()
