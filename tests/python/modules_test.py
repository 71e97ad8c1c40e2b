# SPDX-License-Identifier: MIT
"""The modules as Python programs look into them: names, copies and pickles."""

from __future__ import annotations

import copy
import inspect
import pickle
import sys
from types import ModuleType
from typing import Any

from case import HipCase, hip, unittest
from hipshim import hiprtc, roctx
from hipshim.hip import checked

MODULES: list[ModuleType] = [hip, hiprtc, checked, roctx]


class Modules(HipCase):
    def test_an_import_of_all_names_has_the_types(self) -> None:
        for module in MODULES:
            names: dict[str, Any] = {}
            exec(f"from {module.__name__} import *", names)
            self.assertEqual(set(dir(module)) - set(names), set())
            self.assertNotIn("publish", names)
        self.assertIn("hipError_t", dir(hip))
        self.assertIn("DeviceArray", dir(checked))

    def test_every_function_has_a_signature(self) -> None:
        for module in MODULES:
            functions = [getattr(module, n) for n in dir(module)]
            for function in filter(inspect.isbuiltin, functions):
                self.assertEqual(function.__module__, module.__name__)
                self.assertIn("(", str(inspect.signature(function)))

    def test_functions_and_members_of_enums_are_pickled(self) -> None:
        for one in (hip.hipMalloc, checked.hipMalloc, hip.hipError_t.hipErrorInvalidValue):
            again = pickle.loads(pickle.dumps(one))
            self.assertEqual((again, type(again)), (one, type(one)))
        self.refused(TypeError, "pickle", lambda: pickle.dumps(hip.DeviceArray(1)))
        self.refused(TypeError, "pickle", lambda: pickle.dumps(hip.dim3(1)))

    def test_records_are_copied(self) -> None:
        size = hip.hipExtent(1, 2, 3)
        ways: list[Any] = [copy.copy, copy.deepcopy]
        for make in ways:
            made = make(size)
            made.width = 7
            self.assertEqual((list(made), size.width, type(made)), ([7, 2, 3], 1, hip.hipExtent))

    def test_a_copy_keeps_what_its_pointers_point_to(self) -> None:
        memory = bytearray(8)
        made = copy.copy(hip.hipMemcpy3DParms(srcPtr=hip.hipPitchedPtr(memory)))
        node = hip.hipKernelNodeParams(func=memory)
        again = copy.copy(node)
        count = sys.getrefcount(memory)
        del node
        self.assertEqual(sys.getrefcount(memory), count)
        self.assertEqual(again.func, hip.Pointer(memory))
        del again, made
        memory.clear()

    def test_keywords_are_known_or_refused(self) -> None:
        wrong: dict[str, Any] = {"address": 1}
        self.refused(TypeError, "address", lambda: hip.Pointer(**wrong))


if __name__ == "__main__":
    unittest.main()
