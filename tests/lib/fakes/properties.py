# SPDX-License-Identifier: MIT
"""Properties of every function over a generated fake of one release.

    python3 properties.py --patch PATCH --fake LIB --fake-hiprtc LIB [--seed S]
                          --library CALLER:RUNS:LIB...

Each library is tried in a process of its own.  CALLER is 0 for libhipshim, and for a
drop-in the patch number of the release whose types its callers use.  A drop-in has no
error text to check.

Each function is called with random arguments.  A value that the release can express
arrives and comes back equal, member by member.  A value that it cannot express gives
hipErrorNotSupported and an error text that names the member, and no output is
written.  A call that fails in the runtime returns the same error.  No byte beside an
argument changes.  Prints one TAP line for each function that
converts, one for those that are passed unchanged, and one for those that the release
lacks.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import random
import sys
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "generator"))

from carriers import (
    ONE_ALONE,
    VALUE,
    Argument,
    Fake,
    Maker,
    Memory,
    RecordForm,
    Wrong,
    check,
)  # noqa: E402
from hipgen.abi import flag_value, size_of  # noqa: E402
from hipgen.model import Function, HipgenError, Named, Param, Pointer, ApiSet  # noqa: E402
from hipgen.overrides import FunctionRule, Overrides, ParamRule, load_overrides  # noqa: E402
from hipgen.project import Project  # noqa: E402
from hipgen.spell import declare  # noqa: E402
from layout import REFUSED, CType, Oracle, ctype_of  # noqa: E402
from make_fake import entry_of, has_size, is_const  # noqa: E402
from parameters import (  # noqa: E402
    EnumOut,
    EnumValue,
    Flag,
    Opaque,
    Parameter,
    Records,
    Tagged,
)

INVALID_VALUE, NOT_SUPPORTED = 1, 801
INVALID_INPUT = 3  # of hiprtc
# Their meaning changes without a change of types; see src/hip/semantics.h.
MEANS_ELSE = (
    "hipDriverGetVersion",
    "hipGetLastError",
    "hipMemImportFromShareableHandle",
    "hipPeekAtLastError",
    "hipRuntimeGetVersion",
    "hiprtcCompileProgram",
    "hiprtcCreateProgram",
)
# hipshim first asks the runtime whether it knows the pointer.
ASKS_FIRST = ("hipDrvPointerGetAttributes",)
DIRECT_RUNS = 5  # of a function that converts nothing


class Subject:
    """One function of one release."""

    def __init__(self, function: Function, runtime: Function, oracle: Oracle) -> None:
        self.function, self.runtime, self.oracle = function, runtime, oracle
        self.rule = oracle.overrides.function(function.name)
        self.params = [
            self.parameter(n, mine, theirs)
            for n, (mine, theirs) in enumerate(zip(function.params, runtime.params))
        ]
        changed_in = self.rule.semantics_changed_in.removeprefix("every")
        since = [int(word) for word in changed_in.split(".")] if changed_in else []
        sides = [[s.release.major, s.release.minor] for s in (oracle.caller, oracle.runtime)]
        asks_first = function.name in ASKS_FIRST
        self.expects_older = bool(since) and sides[0] < since <= sides[1] and not asks_first
        changed = bool(since) and (sides[0] < since) != (sides[1] < since)
        self.calls = 2 if changed and asks_first else 1
        self.has_error = declare(function.result, "") in ("hipError_t", "hiprtcResult")
        self.is_compiler = declare(function.result, "") == "hiprtcResult"
        self.renumbered = self.renumbered_result()
        self.converts = bool(self.renumbered) or any(
            isinstance(p, (EnumOut, Records, Tagged, Flag))
            or isinstance(p, EnumValue)
            and p.mine != p.theirs
            for p in self.params
        )

    def renumbered_result(self) -> dict[int, int | object]:
        """The caller's value of each result of the runtime; empty if all are equal."""
        mine = self.oracle.caller.enum_of(self.function.result)
        theirs = self.oracle.runtime.enum_of(self.runtime.result)
        if not mine or not theirs:
            return {}
        values = {*mine.values.values(), *theirs.values.values()}
        results = {v: self.oracle.enum(mine, theirs, v, False) for v in sorted(values)}
        return results if any(v != w for v, w in results.items()) else {}

    def parameter(self, number: int, mine: Param, theirs: Param) -> Parameter:
        caller, runtime = self.oracle.caller, self.oracle.runtime
        rule = self.rule.params.get(mine.name, ParamRule())
        flag = self.flag(mine)
        if flag:
            return Flag(number, mine.name, ctype_of(caller, mine.type), *flag)
        if rule.tagged_by:
            return self.tagged(number, mine, rule)
        e, f = caller.enum_of(mine.type), runtime.enum_of(theirs.type)
        if e and f:
            return EnumValue(number, mine.name, e, f)
        x, y = caller.resolve(mine.type), runtime.resolve(theirs.type)
        if isinstance(x, Pointer) and isinstance(y, Pointer):
            return self.pointer(number, mine, x, y, rule)
        return Parameter(number, mine.name, ctype_of(caller, mine.type))

    def flag(self, mine: Param) -> tuple[int, int] | None:
        for name, rule in self.oracle.overrides.macros.items():
            if f"{self.function.name}.{mine.name}" in rule.params:
                here = flag_value(self.oracle.caller, name)
                there = flag_value(self.oracle.runtime, name)
                if here is not None and there is not None:
                    return here, there
        return None

    def tagged(self, number: int, mine: Param, rule: ParamRule) -> Parameter:
        (case, enum), *_ = rule.cases.items()
        tag = next(n for n, p in enumerate(self.function.params) if p.name == rule.tagged_by)
        type_ = self.oracle.caller.resolve(self.function.params[tag].type)
        tags = self.oracle.caller.enum_of(type_.target if isinstance(type_, Pointer) else type_)
        assert tags is not None
        pair = (self.oracle.caller.enums[enum], self.oracle.runtime.enums[enum])
        return Tagged(number, (tag, tags.values[case]), self.place(rule.count), pair)

    def pointer(
        self, number: int, mine: Param, x: Pointer, y: Pointer, rule: ParamRule
    ) -> Parameter:
        caller, runtime = self.oracle.caller, self.oracle.runtime
        e, f = caller.enum_of(x.target), runtime.enum_of(y.target)
        const = is_const(x.target)
        if e and f and not const and not rule.count:
            if self.oracle.overrides.enum(e.name).direction == "out":
                return EnumOut(number, mine.name, e, f)
        r, s = caller.record_of(x.target), runtime.record_of(y.target)
        known = r and s and r.complete and s.complete
        if known and r and s and not self.oracle.overrides.record(r.name).handle:
            direction = rule.direction or ("in" if const else "")
            direction = direction or self.oracle.overrides.record(r.name).direction
            if direction:
                form = RecordForm(self.oracle, r, s)
                return Records(number, mine.name, form, direction, self.place(rule.count))
        if self.oracle.overrides.function(self.function.name).same_abi_everywhere:
            return Opaque(number, mine.name, 0, False)  # the fake touches no memory, either
        known_size = has_size(caller, x.target) and not (r and not r.complete)
        size = size_of(caller, x.target) if known_size else 0
        const = const or is_const(y.target)
        filled = bool(size) and not (const or e or r or runtime.record_of(y.target))
        return Opaque(number, mine.name, size, filled and has_size(runtime, y.target))

    def place(self, name: str) -> int | None:
        found = [n for n, p in enumerate(self.function.params) if name and p.name == name]
        return found[0] if found else None


class Runner:
    def __init__(
        self, oracle: Oracle, hipshim: ctypes.CDLL, fakes: tuple[Fake, Fake], prefix: str
    ) -> None:
        self.oracle, self.hipshim, self.fakes, self.prefix = oracle, hipshim, fakes, prefix
        if prefix:
            hipshim.hipshim_error_text.restype = ctypes.c_char_p

    def fake_of(self, name: str) -> Fake:
        return self.fakes[name.startswith("hiprtc")]

    def entry(self, function: Function) -> CType:
        entry = getattr(self.hipshim, self.prefix + function.name)
        result = self.oracle.caller.resolve(function.result)
        void = isinstance(result, Named) and result.name == "void"
        entry.restype = None if void else ctype_of(self.oracle.caller, function.result)
        entry.argtypes = [ctype_of(self.oracle.caller, p.type) for p in function.params]
        return entry

    def run(self, subject: Subject, maker: Maker, wild: float, fail: int) -> None:
        fake = self.fake_of(subject.function.name)
        fake.reset(subject.function.name)
        arguments = [p.make(maker, fake, wild) for p in subject.params]
        for parameter in subject.params:
            parameter.settle(arguments, subject.params)
        if fail:
            fake.fail(subject.calls, fail)
        result = self.entry(subject.function)(*(a.passed for a in arguments))
        self.judge(subject, arguments, result, fail)
        for argument in arguments:
            for block in argument.memory:
                block.release()

    def judge(self, subject: Subject, arguments: list[Argument], result: object, fail: int) -> None:
        fake = self.fake_of(subject.function.name)
        unrepresentable = [path for a in arguments for path in a.unrepresentable]
        if unrepresentable:
            check(
                fake.count == 0,
                f"called although {unrepresentable} cannot be expressed: "
                f"{[a.passed for a in arguments]}",
            )
            self.refused(subject, arguments, result, unrepresentable)
            return
        calls = fake.count
        check(calls == subject.calls, f"the runtime's function was called {calls} times")
        for parameter, argument in zip(subject.params, arguments):
            parameter.arrived(argument, fake)
        if fail:
            wanted = subject.renumbered.get(fail, fail)
            if wanted is REFUSED:
                return self.refused(subject, arguments, result, ["result"])
            check(result == wanted, f"returned {result} for {fail}, not {wanted}")
            return self.check_untouched(subject, arguments)
        unrepresentable = [path for a in arguments for path in a.unrepresentable_out]
        if unrepresentable:
            return self.refused(subject, arguments, result, unrepresentable)
        if subject.has_error:
            check(result == 0, f"returned {result}: {self.text() if self.prefix else ''}")
        if subject.function.name == "hipRuntimeGetVersion":
            return  # the only output that the fake sets itself
        for parameter, argument in zip(subject.params, arguments):
            parameter.came_out(argument, fake)

    def text(self) -> str:
        return str(self.hipshim.hipshim_error_text().decode())

    def refused(
        self,
        subject: Subject,
        arguments: list[Argument],
        result: object,
        unrepresentable: list[str],
    ) -> None:
        # The error of older releases for a value without a name.
        wanted = INVALID_VALUE if subject.expects_older else NOT_SUPPORTED
        wanted = INVALID_INPUT if subject.is_compiler else wanted
        if isinstance(result, int) and not subject.has_error:
            result, wanted = len(ctypes.string_at(result)), 0  # a text, which is empty
        check(result == wanted, f"returned {result} though {unrepresentable} cannot be expressed")
        if not subject.function.name.startswith("hiprtc"):
            recorded = self.fake_of(subject.function.name).recorded
            check(recorded > 0, "the error is not the last error of the thread")
        if self.prefix:
            text = self.text()
            check(text.startswith(f"{subject.function.name}: "), f"the text is `{text}`")
            words = [word for path in unrepresentable for word in path.split(".")]
            named = any(word in text for word in words) or "ATTRIBUTE" in text
            check(named, f"the text names none of {unrepresentable}: `{text}`")
        self.check_untouched(subject, arguments)

    def check_untouched(self, subject: Subject, arguments: list[Argument]) -> None:
        fake = self.fake_of(subject.function.name)
        for parameter, argument in zip(subject.params, arguments):
            # The runtime may write to a pointer that was passed on.
            seen = fake.taken(VALUE + parameter.number) if fake.count else None
            if seen is None or seen != parameter.wanted(argument):
                check(parameter.untouched(argument), f"{parameter.name}: written on failure")

    def missing(self, function: Function) -> None:
        fake = self.fake_of(function.name)
        fake.reset(function.name)
        arguments = [
            ctype_of(self.oracle.caller, p.type).from_buffer_copy(
                bytes(ctypes.sizeof(ctype_of(self.oracle.caller, p.type)))
            )
            for p in function.params
        ]
        result = self.entry(function)(*arguments)
        check(fake.count == 0, f"{function.name}: another function was called in its place")
        if declare(function.result, "") == "hipError_t":
            check(result == NOT_SUPPORTED, f"{function.name}: returned {result}")
            check(fake.recorded == 1, f"{function.name}: {fake.recorded} errors were recorded")
        if self.prefix:
            text = self.text()
            named = function.name in text and "HIP" in text
            check(named, f"{function.name}: the text is `{text}`")


class Report:
    def __init__(self, words: str) -> None:
        self.words, self.failed = words, False

    def line(self, title: str, problem: str = "") -> None:
        print(f"{'not ok' if problem else 'ok'} - {self.words}: {title}")
        if problem:
            print(f"# {problem}")
            self.failed = True


def subjects(
    oracle: Oracle, hipshim: ctypes.CDLL, prefix: str
) -> tuple[list[Subject], list[Function], list[str]]:
    """The functions that reach the runtime, those that it lacks, the hand-written ones."""
    reach, lacking, by_hand = [], [], []
    for function in oracle.caller.functions.values():
        rule = oracle.overrides.function(function.name)
        names = [n for n in rule.symbols or (function.name,) if n in oracle.runtime.functions]
        emulated = rule.emulate or function.name.endswith(oracle.overrides.per_thread.suffix)
        if rule.adapter or emulated and not names or function.name in MEANS_ELSE:
            by_hand.append(function.name)
        elif rule.assume_exported and not names or not hasattr(hipshim, prefix + function.name):
            continue  # another header declares it, or the real library does not export it
        elif not names or rule.unrelated and not alike(oracle, function, names[0]):
            lacking.append(function)
        else:
            reach.append(Subject(function, oracle.runtime.functions[names[0]], oracle))
    return reach, lacking, by_hand


def alike(oracle: Oracle, function: Function, name: str) -> bool:
    runtime = oracle.runtime.functions[name]
    mine = [declare(p.type, "") for p in function.params]
    theirs = [declare(p.type, "") for p in runtime.params]
    return mine == theirs


def run_subject(runner: Runner, subject: Subject, runs: int, seed: int) -> str:
    release = runner.oracle.runtime.release
    for number in range(runs if subject.converts else min(runs, DIRECT_RUNS)):
        # Each release has calls of its own, so that all together try every member alone.
        rng = random.Random(f"{seed} {release} {subject.function.name} {number}")
        maker = Maker(runner.oracle, rng, rng.getrandbits(16))
        wild = rng.choice((0.0, 0.0, ONE_ALONE, ONE_ALONE, 0.05, 0.3))
        changed = subject.rule.semantics_changed_in
        failures: tuple[int, ...] = (2, 100, 101, 999) if changed else (1, 2, 100, 999)
        failures = tuple(v for v in subject.renumbered if v) or failures
        fail = rng.choice((0, 0, 0, 0, *failures)) if subject.has_error else 0
        try:
            runner.run(subject, maker, wild, fail)
        except Wrong as problem:
            return f"{subject.function.name}: call {number} of seed {seed}: {problem}"
    return ""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--patch", type=int, required=True)
    parser.add_argument("--fake", required=True)
    parser.add_argument("--fake-hiprtc", required=True)
    parser.add_argument("--library", action="append", required=True)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def run_lacking(runner: Runner, functions: list[Function]) -> list[str]:
    problems = []
    for function in functions:
        try:
            runner.missing(function)
        except Wrong as problem:
            problems.append(str(problem))
    return problems


def try_library(options: argparse.Namespace, project: Project, oracle: Oracle, word: str) -> bool:
    """Tries one library and returns whether all properties hold."""
    caller_patch, runs, path = word.split(":", 2)
    prefix = "hipshim_" if caller_patch == "0" else ""
    hipshim = ctypes.CDLL(path)
    runner = Runner(oracle, hipshim, (Fake(options.fake), Fake(options.fake_hiprtc)), prefix)
    opening = getattr(hipshim, prefix + "hipRuntimeGetVersion")
    opening(ctypes.byref(ctypes.c_int()))
    seen = "" if prefix else f"from HIP {oracle.caller.release}, "
    report = Report(f"{seen}HIP {entry_of(project, options.patch).release}")
    reach, lacking, by_hand = subjects(oracle, hipshim, prefix)
    plain = []
    for subject in reach:
        problem = run_subject(runner, subject, int(runs), options.seed)
        if subject.converts:
            report.line(f"{subject.function.name} carries {runs} calls", problem)
        elif problem:
            plain.append(problem)
    direct = sum(not s.converts for s in reach)
    report.line(f"{direct} functions pass as they are", "; ".join(plain))
    problems = run_lacking(runner, lacking)
    report.line(f"{len(lacking)} functions it lacks say so", "; ".join(problems))
    print(f"# by hand, tested elsewhere: {' '.join(by_hand)}")
    return not report.failed


def in_child(options: argparse.Namespace, project: Project, oracle: Oracle, word: str) -> int:
    """The exit status of a child process that tries the library."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    status = 2
    try:
        status = 0 if try_library(options, project, oracle, word) else 1
    except Exception:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def main() -> int:
    options = arguments()
    Memory.exact = "libasan" in os.environ.get("LD_PRELOAD", "")
    project = Project()
    overrides = load_overrides(project.overrides_file)
    runtime = project.committed(entry_of(project, options.patch))
    worst = 0
    for word in options.library:
        caller_patch = int(word.split(":")[0])
        if caller_patch:
            caller = project.committed(entry_of(project, caller_patch))
            oracle = Oracle(caller, runtime, overrides.seen_from(caller))
        else:
            assert project.frozen
            oracle = Oracle(project.frozen, runtime, overrides)
        status = in_child(options, project, oracle, word)
        worst = max(worst, abs(status))
    return worst


if __name__ == "__main__":
    sys.exit(main())
