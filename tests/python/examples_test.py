# SPDX-License-Identifier: MIT
"""The examples say what they should, with numbers that the loopback computed."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import runpy
from pathlib import Path

from case import HipCase, unittest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples/python"


class Examples(HipCase):
    def output_of(self, name: str) -> str:
        room = io.StringIO()
        with contextlib.redirect_stdout(room):
            runpy.run_path(str(EXAMPLES / name))
        return room.getvalue()

    def test_vectors_are_added(self) -> None:
        self.assertIn("1000 of 1000 sums are right", self.output_of("vector_add.py"))

    def test_a_stream_calls_back(self) -> None:
        self.assertEqual(self.output_of("stream_callback.py"), "filled: hipSuccess\ncalled back\n")

    def test_numpy_goes_in_and_out(self) -> None:
        if importlib.util.find_spec("numpy") is None:
            self.skipTest("no numpy here")
        self.assertIn("sum without row 2: 28", self.output_of("numpy_in_and_out.py"))


if __name__ == "__main__":
    unittest.main()
