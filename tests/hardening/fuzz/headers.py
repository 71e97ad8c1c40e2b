# SPDX-License-Identifier: MIT
"""headers.py [COUNT [SEED [TREE...]]]: damaged headers for the generator.

COUNT headers (200), most made from a small one with every kind of declaration,
one in SHARE from those of the vendor trees, if any are named.  hipgen must refuse
a header with an error of its own, or take it; and of what it takes, the bindings
that it would write must say the same when they are read again, and the compiler
must have had nothing against it.  A traceback, a hang or anything else fails.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import tempfile
import traceback
from collections import Counter
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "generator"))

from clang import cindex  # noqa: E402

from hipgen.bindings import unknown_entry  # noqa: E402
from hipgen.model import Declaration, Function, HipgenError, ApiSet  # noqa: E402
from hipgen.headers import parse_bindings, parse_headers  # noqa: E402
from hipgen.parse import SYSTEM  # noqa: E402
from hipgen.project import Project  # noqa: E402
from hipgen.render import render_bindings  # noqa: E402

API = Project().api
SHARE = 50  # a real header takes that much longer
BATCH = 100  # headers a process: libclang keeps memory
LIMIT = 20  # seconds a header

SMALL = """\
#ifndef HIP_RUNTIME_API_H
#define HIP_RUNTIME_API_H
#include <stdint.h>
#include <stddef.h>
#define HIP_VERSION_MAJOR 6
#define HIP_VERSION_MINOR 9
#define HIP_VERSION_PATCH 99999
#define hipStreamNonBlocking 0x01
#define hipBoth (hipStreamNonBlocking | 2u)
#define __dparm(x)
typedef enum hipError_t { hipSuccess = 0, hipErrorOther = 999, hipErrorLow = -1 } hipError_t;
typedef enum { hipFirst, hipSecond = 5 } hipOrder;
enum { hipUnnamed = 1u << 31 };
struct ihipStream_t;
typedef struct ihipStream_t *hipStream_t;
typedef void (*hipCallback)(hipStream_t stream, hipError_t status, void *data);
typedef struct dim3 { uint32_t x; uint32_t y; uint32_t z; } dim3;
typedef struct hipThing {
    char name[256];
    unsigned bits : 3, more : 29;
    union { int whole; struct { short low, high; }; };
    struct { size_t width; double rate[2][3]; } shape;
    const void *const *list;
    hipCallback call;
    hipOrder order;
} hipThing;
union hipEither { float f; uint64_t u; hipThing *t; };
/** Says what it is. */
hipError_t hipRuntimeGetVersion(int *version);
hipError_t hipThingGet(hipThing *thing, const union hipEither *either, dim3 grid);
hipError_t hipAdd(hipStream_t stream __dparm(0), hipCallback call, void *data, unsigned flags);
hipError_t hipArrays(int sizes[3], const char *const names[], void (**out)(int));
const char *hipName(hipError_t error);
static inline int helper(int x) { return x + hipUnnamed; }
#endif
"""
WORDS = (
    "struct union enum typedef const volatile void int unsigned long char short double float "
    "static inline extern { } ( ) [ ] ; , * = : ... 0 1 -1 0xffffffffffffffff 1e9 'a' \"s\" "
    "#define #include #if #endif #else #undef // /* */ \\ __attribute__((packed)) "
    "__attribute__((aligned(64))) _Static_assert _Bool _Complex __int128 _Atomic hipThing dim3 "
    "hipSuccess HIP_VERSION_MAJOR sizeof typeof _Alignas(32) 1[ ](void) &&x %: ??= @ $ `"
).split()


def one_damage(text: bytearray, chance: random.Random) -> None:
    """Changes the text in one of a dozen ways."""
    at = chance.randrange(len(text) + 1)
    end = min(len(text), at + chance.choice((1, 2, 8, 40, 200)))
    way = chance.randrange(8)
    if way == 0 and at < len(text):
        text[at] = chance.randrange(256)
    elif way == 1:
        del text[at:end]
    elif way == 2:
        text[at:at] = text[at:end] * chance.choice((1, 2, 50))
    elif way == 3:
        text[at:at] = f" {chance.choice(WORDS)} ".encode()
    elif way == 4:
        del text[at:]
    elif way == 5:
        line = bytes(text).splitlines(keepends=True)
        chance.shuffle(line)
        text[:] = b"".join(line)
    elif way == 6:
        digits = [i for i, c in enumerate(text) if chr(c).isdigit()]
        if digits:
            text[chance.choice(digits)] = ord(chance.choice("0123456789abx-"))
    else:
        text[at:at] = chance.choice((b"{", b"(", b"[", b"*", b"/*", b"#if 1\n")) * chance.choice(
            (1, 3, 300)
        )


def damaged(text: bytes, chance: random.Random) -> bytes:
    out = bytearray(text)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
        if out:
            one_damage(out, chance)
    return bytes(out)


def compiler_complains(tree: Path) -> bool:
    """What libclang says of the same header, asked without hipgen."""
    text = "#include <hip/hip_runtime_api.h>\n#include <hip/hiprtc.h>\n"
    flags = ["-x", "c", "-std=c11", "--target=x86_64-linux-gnu", "-nostdinc", "-w"]
    flags += [f"-isystem{SYSTEM}", *API.flags, f"-I{tree}"]
    # Bodies of inline functions declare nothing, and hipgen does not read them either.
    options = cindex.TranslationUnit.PARSE_SKIP_FUNCTION_BODIES
    unit = cindex.Index.create().parse("judge.c", flags, [("judge.c", text)], options)
    return any(d.severity >= cindex.Diagnostic.Error for d in unit.diagnostics)


def named(api_set: ApiSet) -> dict[tuple[str, str], Declaration]:
    """The declarations; a parameter without a name gets one when it is written."""
    found = dict(api_set.by_key)
    for key, function in found.items():
        if isinstance(function, Function):
            params = enumerate(function.params)
            own = tuple(replace(p, name=p.name or f"arg{n}") for n, p in params)
            found[key] = replace(function, params=own)
    return found


def judge(tree: Path) -> str:
    """A word for the statistics; anything else than a HipgenError is a finding."""
    try:
        api_set = parse_headers(API, tree)
    except HipgenError as problem:
        assert str(problem).strip() and "\n" not in str(problem), f"no clear error: {problem!r}"
        return "refused"
    assert api_set.functions, "taken without a function"
    assert not compiler_complains(tree), "taken, though the compiler complains"
    again = tree / "bindings_again.h"
    again.write_text(render_bindings(API, api_set, unknown_entry(api_set.release)))
    try:
        same = named(parse_bindings(API, again)) == named(api_set)
    except HipgenError as problem:
        raise AssertionError(f"taken, but its bindings are refused: {problem}") from None
    assert same, "taken, but its bindings say something else"
    return "taken"


def hung(_signal: int, _frame: object) -> None:
    raise TimeoutError(f"not done after {LIMIT} s")


def run_one(number: int, seed: int, trees: list[Path], tree: Path) -> str:
    chance = random.Random(f"{seed}/{number}")
    hip = tree / "hip"
    shutil.rmtree(hip, ignore_errors=True)
    if trees and number % SHARE == SHARE - 1:
        shutil.copytree(chance.choice(trees) / "hip", hip)
        chosen = hip / chance.choice(("hip_runtime_api.h", "driver_types.h", "hiprtc.h"))
        original = chosen.read_bytes()
    else:
        hip.mkdir(parents=True)
        (hip / "hiprtc.h").write_text("")
        chosen, original = hip / "hip_runtime_api.h", SMALL.encode()
    chosen.write_bytes(damaged(original, chance))
    signal.alarm(LIMIT)
    try:
        return judge(tree)
    finally:
        signal.alarm(0)


def run_batch(numbers: range, seed: int, trees: list[Path], keep: Path) -> Counter[str]:
    found: Counter[str] = Counter()
    tree = Path(tempfile.mkdtemp(prefix="hipshim-fuzz."))
    signal.signal(signal.SIGALRM, hung)
    for number in numbers:
        try:
            found[run_one(number, seed, trees, tree)] += 1
        except Exception as problem:
            found["findings"] += 1
            kept = keep / f"{seed}-{number}"
            shutil.copytree(tree, kept, dirs_exist_ok=True)
            where = traceback.extract_tb(problem.__traceback__)[-1]
            place = f"{Path(where.filename).name}:{where.lineno}"
            print(f"seed {seed} number {number}: {type(problem).__name__} at {place}: {problem}")
            print(f"    kept in {kept}")
    shutil.rmtree(tree)
    return found


def in_a_child(numbers: range, seed: int, trees: list[Path], keep: Path) -> Counter[str]:
    """One batch in a process of its own; a crash of it is a finding, too."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        found = run_batch(numbers, seed, trees, keep)
        os.write(writer, " ".join(f"{n}={found[n]}" for n in found).encode())
        sys.stdout.flush()
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as stream:
        text = stream.read()
    _, status = os.waitpid(child, 0)
    if status != 0:
        print(f"seed {seed} numbers {numbers}: the process ended with status {status}")
        return Counter(findings=1)
    return Counter({n: int(c) for n, c in (word.split("=") for word in text.split())})


def main(words: list[str]) -> int:
    count = int(words[0]) if words else 200
    seed = int(words[1]) if len(words) > 1 else 1
    trees = [Path(w) for w in words[2:]]
    keep = Path(os.environ.get("HIPSHIM_FUZZ_FINDINGS", tempfile.gettempdir())) / "hipshim-findings"
    total: Counter[str] = Counter()
    for first in range(0, count, BATCH):
        sys.stdout.flush()
        numbers = range(first, min(count, first + BATCH))
        total += in_a_child(numbers, seed, trees, keep)
    print(
        f"{count} headers: "
        + ", ".join(f"{total[n]} {n}" for n in ("taken", "refused", "findings"))
    )
    return 1 if total["findings"] or not total["taken"] or not total["refused"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
