# SPDX-License-Identifier: MIT
"""Records that getters fill: arrays of other lengths, wider numbers, lists, packed layouts."""

import tempfile
import unittest
from pathlib import Path

from abi_test import RESULT, api_set, plan

from hipgen import apitext
from hipgen.apidata import ApiData
from hipgen.convert import RecordClass
from hipgen.model import HipgenError
from hipgen.overrides import EnumRule, FunctionRule, Overrides, ParamRule, Patterns, RecordRule
from hipgen.passing import RecordArray
from hipgen.plan import Plan
from hipgen.steps import CopyText, Elements, Narrow, Saturate

FUNCTION = "int hipF(struct S *s);"


def filled(caller: str, runtime: str, **rules: object) -> RecordClass:
    """The conversion of S, which hipF fills."""
    overrides = Overrides(records={"S": RecordRule(direction="out", **rules)}, results=RESULT)
    made: Plan = plan(caller + FUNCTION, runtime + FUNCTION, overrides)
    return next(record for record in made.records if record.caller == "struct S")


class Records(unittest.TestCase):
    def test_text_of_another_length_ends_and_must_fit_on_the_way_in(self) -> None:
        found = filled("struct S { char name[8]; };", "struct S { char name[32]; };")
        self.assertEqual(found.out_steps, (CopyText("name", "name", 8, False),))
        self.assertFalse(found.out_may_fail)
        self.assertEqual(found.into_steps, (CopyText("name", "name", 8, False),))
        found = filled("struct S { char name[32]; };", "struct S { char name[8]; };")
        self.assertEqual(found.into_steps, (CopyText("name", "name", 8, True),))

    def test_elements_are_converted_one_by_one_and_counted(self) -> None:
        inner = "struct T { int a%s; }; struct S { unsigned n; struct T list[%d]; };"
        found = filled(inner % ("", 2), inner % (", b", 4), arrays={"list": "n"})
        step = found.out_steps[-1]
        assert isinstance(step, Elements)
        self.assertEqual((step.count, step.must_fit, step.counter), (2, False, "n"))
        self.assertEqual(step.element.to, "list[i]")
        into = found.into_steps[-1]
        assert isinstance(into, Elements)
        self.assertEqual((into.must_fit, into.counter), (False, ""))

    def test_the_largest_number_stays_the_largest_where_a_rule_says_so(self) -> None:
        texts = "struct S { unsigned a; };", "struct S { unsigned long a; };"
        step = filled(*texts, saturates=True).out_steps[0]
        assert isinstance(step, Saturate)
        self.assertEqual(step.largest, "unsigned int")
        self.assertIsInstance(filled(*texts).out_steps[0], Narrow)

    def test_a_pattern_gives_what_the_rule_of_a_name_leaves_open(self) -> None:
        rules = {
            "S": RecordRule(rename={"a": "b"}, ignore=Patterns(("gap",))),
            "[ST].*": RecordRule(direction="out", ignore=Patterns((r"reserved\d*",))),
        }
        overrides = Overrides(records=rules)
        found = overrides.record("S")
        self.assertEqual((found.direction, found.rename), ("out", {"a": "b"}))
        self.assertEqual([n in found.ignore for n in ("gap", "reserved2", "a")], [1, 1, 0])
        self.assertEqual(overrides.record("T2").direction, "out")
        self.assertEqual(overrides.record("U").direction, "")
        renamed = EnumRule(enumerator_maps_to={"OLD_(.*)": r"NEW_\1"})
        self.assertEqual((renamed.meaning("OLD_A"), renamed.meaning("B")), ("NEW_A", ""))

    def test_records_without_a_common_member_are_a_question(self) -> None:
        with self.assertRaisesRegex(HipgenError, "shares no member"):
            filled("struct S { long a; };", "struct S { int b, c, d; };")

    def test_a_list_that_is_filled_has_as_many_records_as_its_count_says(self) -> None:
        texts = [
            "struct S { int a%s; }; int hipF(unsigned *n, struct S *s);" % x for x in ("", ", b")
        ]
        rule = ParamRule(direction="out", count="(n ? *n : 0)")
        overrides = Overrides(functions={"hipF": FunctionRule(params={"s": rule})}, results=RESULT)
        passing = plan(texts[0], texts[1], overrides).adapters[0].passing[1]
        assert isinstance(passing, RecordArray)
        self.assertEqual((passing.into, bool(passing.out)), ("", True))

    def test_a_packed_record_comes_back_from_its_text(self) -> None:
        text = "struct __attribute__((packed)) S { char a; long b; unsigned c : 3, d : 29; };"
        read = api_set(text + FUNCTION)
        self.assertEqual((read.records["S"].packed, read.records["S"].size), (True, 13))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "toy.def")
            order = apitext.in_order([], [read])
            path.write_text(apitext.text_of("toy", {read.release: read}, order))
            again = ApiData(path, [read.release]).api_set(read.release)
        self.assertEqual(again.records["S"], read.records["S"])

    def test_numbers_of_64_bits_make_an_enum_wide(self) -> None:
        text = "enum E { A = 1, B = %s }; struct S { enum E e; int last%s; };"
        same = filled(text % ("1ull << 40", ""), text % ("1ull << 40", ", more"))
        self.assertEqual(same.out_steps[0].size, 8 + 4)
        with self.assertRaisesRegex(HipgenError, "64 bits"):
            filled(text % ("1ull << 40", ""), text % ("1ull << 41", ""))


if __name__ == "__main__":
    unittest.main()
