# SPDX-License-Identifier: MIT
"""What a function reads and writes: the Python module and the converters say the same."""

import unittest
from subprocess import CompletedProcess

from case import HipgenCase

from hipgen.callers import stable_caller
from hipgen.commands import declared_functions, load_overrides, make_plan, stable_set, with_declared
from hipgen.directions import Directions
from hipgen.model import Function
from hipgen.passing import EnumOut, Passing, RecordArray, RecordPointer
from hipgen.plan import Plan


def stated(passing: Passing) -> str:
    """The direction by which an adapter converts a parameter; empty if it converts no pointer."""
    if isinstance(passing, EnumOut):
        return "out"
    if isinstance(passing, (RecordArray, RecordPointer)):
        return ("in" if passing.into else "") + ("out" if passing.out else "")
    return ""


class ConvertersAgree(HipgenCase):
    def plan(self) -> Plan:
        project = self.project
        overrides = load_overrides(project.overrides_file)
        declared = declared_functions(overrides)
        api_sets = with_declared(project.api_sets, overrides, declared)
        stable = stable_set(project, api_sets, overrides)
        caller = stable_caller(project.api, stable, overrides)
        rule = project.api.python
        assert rule is not None
        self.directions = Directions(caller.api_set, overrides, rule.outputs, rule.inputs)
        return make_plan(caller.api_set, api_sets, overrides)

    def disagreements(self, function: Function, passing: Passing) -> list[str]:
        found = {p.name: self.directions.of(function, p) for p in function.params}
        mine, theirs = found.get(passing.name, ""), stated(passing)
        if not theirs or mine == theirs:
            return []
        return [f"{function.name}: {passing.name}: {mine} in Python, {theirs} in its adapter"]

    def test_every_converted_pointer_has_the_direction_of_its_adapter(self) -> None:
        plan = self.plan()
        functions = {f.name: f for f in plan.functions}
        wrong, converted = [], 0
        for adapter in plan.adapters:
            function = functions[adapter.function.name]
            for passing in adapter.passing:
                converted += stated(passing) != ""
                wrong += self.disagreements(function, passing)
        self.assertEqual(wrong, [])
        self.assertGreater(converted, 40)


class AmbiguousDirections(HipgenCase):
    """A function of which neither types nor names tell the direction stops `add-release`."""

    def add(self, declaration: str) -> CompletedProcess[str]:
        text = (self.project.bindings / "bindings_53211.h").read_text().replace("53211", "99211")
        mark = "hipError_t hipFree(void *ptr);"
        self.assertIn(mark, text)
        headers = self.header_tree(text.replace(mark, f"{mark}\n{declaration}"))
        tree = self.copy_of_tree()
        words = (
            "--root",
            tree,
            "add-release",
            "--headers",
            headers,
            "--rocm",
            "7.9.0",
            "--origin",
            "a test",
        )
        return self.hipgen(*words)

    def test_an_address_that_is_no_known_result(self) -> None:
        done = self.add("hipError_t hipNewThing(void **mystery);")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("hipNewThing: mystery: `void **` may be read or written", done.stderr)
        self.assertIn("overrides.toml", done.stderr)

    def test_a_list_with_two_counts(self) -> None:
        done = self.add(
            "hipError_t hipNewThing(size_t *sizes, size_t numThings, size_t numOthers);"
        )
        self.assertIn("hipNewThing: sizes: no rule tells which parameter counts it", done.stderr)


if __name__ == "__main__":
    unittest.main()
