# SPDX-License-Identifier: MIT
"""A flag whose value changed arrives as the same flag, or hipgen refuses the release."""

import ctypes
import os
import subprocess
import unittest
from collections.abc import Callable

from abi_test import RESULT, plan
from case import HipgenCase

from hipgen.model import HipgenError
from hipgen.overrides import EnumRule, MacroRule, Overrides
from hipgen.passing import Flags, LoneFlag
from hipgen.plan import Plan
from hipgen.render import environment

FUNCTION = "int hipF(unsigned int flags);"
REFUSED = -1


def header(**flags: int) -> str:
    return "".join(f"#define {name} {value}\n" for name, value in flags.items()) + FUNCTION


def plan_flags(caller: str, runtime: str, alone: bool = False) -> Plan:
    rule = MacroRule(params=("hipF.flags",), alone=alone)
    macros = {name: rule for name in ("hipA", "hipB") if name in caller}
    return plan(caller, runtime, Overrides(macros=macros, results=RESULT))


class FlagValues(HipgenCase):
    def converter(self, caller: str, runtime: str, alone: bool = False) -> Callable[[int], int]:
        """The compiled conversion of the parameter, which returns REFUSED for some words."""
        (adapter,) = plan_flags(caller, runtime, alone).adapters
        (passing,) = adapter.passing
        macros = environment().get_template("passing.c.j2").module
        body = getattr(macros, passing.local)(passing) + getattr(macros, passing.before)(passing)
        source = self.scratch / "flags.c"
        source.write_text(
            f"#include <stddef.h>\n{caller}\nlong convert(unsigned int flags) {{\n"
            f"const char *unrepresentable = NULL;\n{body}"
            f"return unrepresentable ? {REFUSED} : (long)runtime_flags;\n}}\n"
        )
        library = self.scratch / "flags.so"
        compiler = os.environ.get("CC", "cc").split()
        subprocess.run([*compiler, "-shared", "-fPIC", "-o", library, source], check=True)
        convert = ctypes.CDLL(str(library)).convert
        convert.restype = ctypes.c_long
        return convert

    def test_flags_that_change_places_arrive_both(self) -> None:
        convert = self.converter(header(hipA=1, hipB=2), header(hipA=2, hipB=1))
        arrived = [convert(word) for word in (0, 1, 2, 3, 4, 7)]
        self.assertEqual(arrived, [0, 2, 1, 3, 4, 7])

    def test_a_flag_of_several_bits_is_one_flag(self) -> None:
        convert = self.converter(header(hipA=6), header(hipA=16))
        arrived = [convert(word) for word in (6, 7, 2, 4, 1)]
        self.assertEqual(arrived, [16, 17, 2, 4, 1])

    def test_a_bit_without_a_name_becomes_no_flag(self) -> None:
        convert = self.converter(header(hipA=1), header(hipA=8))
        arrived = [convert(word) for word in (1, 2, 8, 9)]
        self.assertEqual(arrived, [8, 2, REFUSED, REFUSED])

    def test_a_lone_flag_may_be_zero(self) -> None:
        old, new = header(hipA=0), header(hipA=1)
        self.assertEqual(
            [self.converter(old, new, alone=True)(word) for word in (0, 1, 2)], [1, REFUSED, 2]
        )

    def test_a_lone_flag_may_become_zero(self) -> None:
        old, new = header(hipA=0), header(hipA=1)
        self.assertEqual(
            [self.converter(new, old, alone=True)(word) for word in (0, 1, 2)], [REFUSED, 0, 2]
        )

    def test_the_plan_has_a_form_for_each(self) -> None:
        (adapter,) = plan_flags(header(hipA=1), header(hipA=2)).adapters
        self.assertIsInstance(adapter.passing[0], Flags)
        (adapter,) = plan_flags(header(hipA=1), header(hipA=0), alone=True).adapters
        self.assertIsInstance(adapter.passing[0], LoneFlag)


class Refused(HipgenCase):
    def refused(self, caller: str, runtime: str, saying: str, **rules: object) -> None:
        for one, two in ((caller, runtime), (runtime, caller)):
            with self.subTest(reversed=one is runtime), self.assertRaises(HipgenError) as caught:
                plan(one, two, Overrides(results=RESULT, **rules))  # type: ignore[arg-type]
            self.assertIn(saying, str(caught.exception))

    def test_zero_among_other_flags(self) -> None:
        rule = {"hipA": MacroRule(params=("hipF.flags",))}
        self.refused(header(hipA=0), header(hipA=1), "it needs `alone`", macros=rule)

    def test_a_flag_without_a_rule(self) -> None:
        self.refused(header(hipA=0), header(hipA=1), "no rule covers it")

    def test_enumerators_that_are_passed_as_integers(self) -> None:
        one, two = "enum E { hipA = 1, hipB };", "enum E { hipA = 2, hipB = 1 };"
        self.refused(one + FUNCTION, two + FUNCTION, "hipA, hipB: another value")

    def test_a_set_of_enumerators(self) -> None:
        function = "int hipF(enum E flags);"
        one = "enum E { hipA = 1, hipB = 2, hipC = 4 };"
        two = "enum E { hipA = 2, hipB = 1, hipC = 4 };"
        self.refused(one + function, two + function, "E is a set of flags")

    def test_a_count_of_enumerators_is_no_value(self) -> None:
        one, two = "enum E { hipA, hipCount };", "enum E { hipA, hipB, hipCount };"
        overrides = Overrides(enums={"E": EnumRule(ignore=("hipCount",))}, results=RESULT)
        plan(one + FUNCTION, two + FUNCTION, overrides)


if __name__ == "__main__":
    unittest.main()
