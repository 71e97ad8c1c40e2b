# SPDX-License-Identifier: MIT
"""A type that differs is never passed unchanged, and one without a rule is refused."""

import unittest

from case import HipgenCase

from hipgen.abi import Pair
from hipgen.model import HipgenError, ApiSet
from hipgen.overrides import EnumRule, FunctionRule, Overrides, RecordRule, ResultRule
from hipgen.parse import Parser
from hipgen.plan import MISSING, make_plan
from hipgen.project import Project
from hipgen.stable import merge
from hipgen.steps import Narrow

API = Project().api
RESULT = {"int": ResultRule("-1", "-2", "-3", "-4", "-5")}


def api_set(text: str, patch: int = 1) -> ApiSet:
    head = f"#define HIP_VERSION_MAJOR 6\n#define HIP_VERSION_MINOR {patch}\n"
    return Parser(API, f"{head}#define HIP_VERSION_PATCH {patch}\n{text}\n", [], "toy").api_set()


# The caller's and the runtime's declarations of hipF, whose parameter must be converted.
DIFFERENT = {
    "member moved": (
        "struct S { int a, b; }; int hipF(struct S *s);",
        "struct S { int b, a; }; int hipF(struct S *s);",
    ),
    "member gone": (
        "struct S { long a; int b; }; int hipF(struct S *s);",
        "struct S { long a; }; int hipF(struct S *s);",
    ),
    "member's type": (
        "struct S { float a; }; int hipF(struct S *s);",
        "struct S { int a; }; int hipF(struct S *s);",
    ),
    "array length": (
        "struct S { int a[2], b; }; int hipF(struct S *s);",
        "struct S { int a[1], c, b; }; int hipF(struct S *s);",
    ),
    "array of pointers": ("int hipF(int (*s)[2]);", "int hipF(int (*s)[3]);"),
    "width behind a pointer": ("int hipF(long *s);", "int hipF(int *s);"),
    "int and float": ("int hipF(int s);", "int hipF(float s);"),
    "pointer and number": ("int hipF(long *s);", "int hipF(long s);"),
    "void pointer and number": ("int hipF(void *s);", "int hipF(long s);"),
    "int pointer and struct": ("int hipF(int *s);", "struct T { int a; }; int hipF(struct T *s);"),
    "callback's count": (
        "typedef void (*C)(int); int hipF(C s);",
        "typedef void (*C)(int, int); int hipF(C s);",
    ),
    "callback's type": (
        "typedef void (*C)(int); int hipF(C s);",
        "typedef void (*C)(long); int hipF(C s);",
    ),
    "enum renumbered": (
        "enum E { A, B }; int hipF(enum E s);",
        "enum E { B, A }; int hipF(enum E s);",
    ),
    "enum's value taken": (
        "enum E { A, B }; int hipF(enum E s);",
        "enum E { A, C }; int hipF(enum E s);",
    ),
    "enum of another name": (
        "enum E { A = 1 }; int hipF(enum E *s);",
        "enum F { C = 150 }; int hipF(enum F *s);",
    ),
    "union member's type": (
        "union U { int a; }; int hipF(union U *s);",
        "union U { float a; }; int hipF(union U *s);",
    ),
    # Commit 1d128f2 did not refuse the following ones.
    "union of other members": (
        "union U { long a; }; int hipF(union U *s);",
        "union U { double b; }; int hipF(union U *s);",
    ),
    "named union inside": (
        "struct S { int a; union { long x; } u; }; int hipF(struct S *s);",
        "struct S { int a; union { double y; } u; }; int hipF(struct S *s);",
    ),
    "member in our padding": (
        "struct S { long a; int b; }; int hipF(struct S *s);",
        "struct S { long a; int b, c; }; int hipF(struct S *s);",
    ),
    "char pointer and struct": (
        "int hipF(char *s);",
        "struct T { int a; }; int hipF(struct T *s);",
    ),
}


class Same(HipgenCase):
    def test_differences_are_seen(self) -> None:
        for name, (caller, runtime) in DIFFERENT.items():
            for one, two in ((caller, runtime), (runtime, caller)):
                if name == "enum's value taken" and one is runtime:
                    continue
                with self.subTest(name, reversed=one is runtime):
                    a, b = api_set(one), api_set(two, 2)
                    pair = Pair(a, b, Overrides())
                    x, y = a.functions["hipF"].params[0].type, b.functions["hipF"].params[0].type
                    self.assertFalse(pair.same(x, y))

    def test_spelling_alone_is_no_difference(self) -> None:
        caller = (
            "typedef unsigned long size_t; struct S { size_t a; }; int hipF(struct S *s, void *p);"
        )
        runtime = "struct S { unsigned long long a; }; int hipF(struct S *s, void *p);"
        a, b = api_set(caller), api_set(runtime, 2)
        pair = Pair(a, b, Overrides())
        for x, y in zip(a.functions["hipF"].params, b.functions["hipF"].params):
            self.assertTrue(pair.same(x.type, y.type))


def plan(caller: str, runtime: str, overrides: Overrides):
    return make_plan(api_set(caller, 2), {1: api_set(runtime, 1)}, overrides)


class Planned(HipgenCase):
    def refused(self, caller: str, runtime: str, *saying: str, **rules: object) -> None:
        with self.assertRaises(HipgenError) as caught:
            plan(caller, runtime, Overrides(results=RESULT, **rules))  # type: ignore[arg-type]
        for part in saying:
            self.assertIn(part, str(caught.exception))

    def test_another_number_of_parameters(self) -> None:
        self.refused("int hipF(int a, int b);", "int hipF(int a);", "hipF: 1 parameters")

    def test_another_result(self) -> None:
        self.refused("int hipF(int a);", "long hipF(int a);", "result type changed")

    def test_an_enum_that_goes_in_through_a_pointer(self) -> None:
        rule = {"E": EnumRule(direction="inout")}
        caller, runtime = DIFFERENT["enum renumbered"]
        self.refused(
            caller.replace("E s", "E *s"), runtime.replace("E s", "E *s"), "no rule", enums=rule
        )

    def test_a_renamed_member_needs_a_rule(self) -> None:
        rule = {"S": RecordRule(direction="in")}
        for runtime in ("struct S { long b; };", "struct S { int z; struct { int a; } in; };"):
            caller = "struct S { long a; int z2; }; int hipF(struct S *s);"
            self.refused(
                caller.replace(" int z2;", "") if "b" in runtime else caller,
                runtime + " int hipF(struct S *s);",
                "may be",
                records=rule,
            )

    def test_enums_without_a_common_name_are_a_question(self) -> None:
        one, two = (
            "enum E { A = 150, B }; int hipF(enum E e);",
            "enum F { C, D }; int hipF(enum F e);",
        )
        for caller, runtime in ((one, two), (two, one)):
            self.refused(caller, runtime, "no rule covers it; [enum] `enumerator_maps_to`")

    def test_a_rule_between_enums_holds_in_both_directions(self) -> None:
        one, two = (
            "enum E { A = 150, B }; int hipF(enum E e);",
            "enum F { C, D }; int hipF(enum F e);",
        )
        rule = EnumRule(enumerator_maps_to={"A": "C", "B": "D"})
        for caller, runtime, cases in (
            (one, two, [("A", 150, 0), ("B", 151, 1)]),
            (two, one, [("C", 0, 150), ("D", 1, 151)]),
        ):
            found = plan(caller, runtime, Overrides(enums={"F": rule}, results=RESULT))
            (enum,) = found.enums
            self.assertEqual(list(enum.cases), cases)

    def test_a_list_is_not_handed_back(self) -> None:
        rule = {"N": RecordRule(direction="out", arrays={"list": "n"})}
        caller = "struct I { long a; }; struct N { struct I *list; int n; }; int hipF(struct N *s);"
        self.refused(
            caller, caller.replace("long a", "int a"), "cannot be handed back", records=rule
        )

    def test_a_union_with_a_changed_member_is_no_prefix(self) -> None:
        rule = {"U": RecordRule(direction="in", union="prefix")}
        caller = "union U { long a; char pad[16]; }; int hipF(union U *s);"
        self.refused(
            caller, "union U { double a; }; int hipF(union U *s);", "no prefix union", records=rule
        )

    def test_missing_and_unrelated(self) -> None:
        overrides = Overrides(functions={"hipF": FunctionRule(unrelated=True)}, results=RESULT)
        found = plan("int hipF(int a); int hipG(int a);", "int hipF(int a, int b);", overrides)
        self.assertEqual(found.actions[1], [MISSING, MISSING])

    def test_a_missing_member_is_rejected_and_a_narrower_one_checked(self) -> None:
        rule = {"S": RecordRule(direction="in")}
        caller = "struct S { long a; int b; }; int hipF(struct S *s);"
        found = plan(
            caller,
            "struct S { int a; }; int hipF(struct S *s);",
            Overrides(records=rule, results=RESULT),
        )
        steps = found.records[0].into_steps
        self.assertEqual(steps, (Narrow("a", "a", "int"),))
        self.assertEqual([reject.source for reject in found.records[0].rejects], ["b"])

    def test_a_taken_value_is_refused(self) -> None:
        a, b = api_set(DIFFERENT["enum's value taken"][0]), api_set(
            DIFFERENT["enum's value taken"][1], 2
        )
        mapping = Pair(a, b, Overrides()).enum_map(a.enums["E"], b.enums["E"], True)
        self.assertEqual(mapping.refused, [1])

    def test_the_span_is_first_and_last(self) -> None:
        f, g = "int hipF(int a);", "int hipG(int a);"
        api_sets = {1: api_set(g, 1), 2: api_set(f + g, 2), 3: api_set(f + g, 3), 4: api_set(g, 4)}
        made = make_plan(api_set(f + g, 5), api_sets, Overrides(results=RESULT))
        self.assertEqual(made.span(made.functions[0], Overrides()), (1, 2))


class Frozen(HipgenCase):
    frozen = "struct S { int a; }; enum E { A }; int hipF(struct S *s, enum E e);"
    newer = (
        "struct S { long a; }; enum E { A, B }; int hipF(struct S *s, enum E e); int hipG(int a);"
    )

    def test_frozen_declarations_stay_and_new_ones_join(self) -> None:
        frozen = api_set(self.frozen)
        merged = merge(frozen, [frozen, api_set(self.newer, 2)], Overrides())
        self.assertEqual(merged.records["S"].size, 4)
        self.assertIn("hipG", merged.functions)

    def test_enums_grow(self) -> None:  # commit 1d128f2 did not do this
        frozen = api_set(self.frozen)
        merged = merge(frozen, [frozen, api_set(self.newer, 2)], Overrides())
        self.assertEqual(merged.enums["E"].values, {"A": 0, "B": 1})

    def test_a_prefix_union_of_equal_size_grows(self) -> None:
        old = "union U { int a; char pad[8]; }; struct S { union U u; }; int hipF(struct S *s);"
        new = old.replace("char pad", "enum N n; struct { int x; } point; char pad")
        frozen, newer = api_set(old), api_set(f"enum N {{ hipA }}; {new}", 2)
        wider = api_set(f"enum N {{ hipA }}; {new}".replace("pad[8]", "pad[16]"), 2)
        rules = Overrides(records={"U": RecordRule(union="prefix")})
        merged = merge(frozen, [frozen, newer], rules)
        self.assertEqual([f.name for f in merged.records["U"].fields], ["a", "pad", "n", "point"])
        names = [d.name for d in merged.declarations]
        self.assertLess(names.index("N"), names.index("U"))
        self.assertLess(names.index("U"), names.index("S"))
        for newer_set, overrides in ((wider, rules), (newer, Overrides())):
            kept = merge(frozen, [frozen, newer_set], overrides)
            self.assertEqual(kept.records["U"], frozen.records["U"])

    def test_a_second_declaration_and_an_inline_function_do_not_count(self) -> None:
        found = api_set(
            "int hipF(int a); int hipF(int b); static inline int hipG(void) { return 1; }"
        )
        self.assertEqual(list(found.functions), ["hipF"])
        with self.assertRaises(HipgenError):
            api_set("enum E { A }; int hipF(unsigned a); int hipF(enum E a);")

    def test_unsigned_enumerators_stay_unsigned(self) -> None:
        found = api_set("enum E { A = 0x80000000u, B = 0xffffffffu }; int hipF(enum E a);")
        self.assertEqual(found.enums["E"].values, {"A": 0x80000000, "B": 0xFFFFFFFF})


if __name__ == "__main__":
    unittest.main()
