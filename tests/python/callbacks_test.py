# SPDX-License-Identifier: MIT
"""Python functions that HIP calls."""

from __future__ import annotations

import gc
import sys
import threading
import time
from typing import Any

from case import HipCase, hip, unittest


class Callbacks(HipCase):
    def setUp(self) -> None:
        self.stream = hip.hipStreamCreate()[1]
        self.seen: list[object] = []

    def tearDown(self) -> None:
        self.assertEqual(hip.hipStreamSynchronize(self.stream), (0,))
        self.assertEqual(hip.hipStreamDestroy(self.stream), (0,))

    def test_a_stream_calls_back_with_its_arguments(self) -> None:
        def note(stream: object, status: object, data: object) -> None:
            self.seen.append((stream, status, data))

        self.assertEqual(hip.hipStreamAddCallback(self.stream, note, {"a": 1}, 0), (0,))
        hip.hipStreamSynchronize(self.stream)
        self.assertEqual(self.seen, [(self.stream, 0, {"a": 1})])

    def test_the_data_lives_until_the_call(self) -> None:
        class Data:
            pass

        for _ in range(20):
            hip.hipStreamAddCallback(
                self.stream, lambda s, e, data: self.seen.append(type(data)), Data(), 0
            )
            gc.collect()
        hip.hipStreamSynchronize(self.stream)
        self.assertEqual(self.seen, [Data] * 20)
        gc.collect()
        self.assertEqual([o for o in gc.get_objects() if isinstance(o, Data)], [])

    def test_host_functions_and_graph_nodes(self) -> None:
        self.assertEqual(hip.hipLaunchHostFunc(self.stream, self.seen.append, "now"), (0,))
        hip.hipStreamSynchronize(self.stream)
        graph = hip.hipGraphCreate(0)[1]
        node: Any = hip.hipHostNodeParams()
        node.fn = (self.seen.append, "node")
        self.assertEqual(hip.hipGraphAddHostNode(graph, None, 0, node)[0], 0)
        executable = hip.hipGraphInstantiate(graph, None, 0)[1]
        for _ in range(2):
            self.assertEqual(hip.hipGraphLaunch(executable, self.stream), (0,))
            hip.hipStreamSynchronize(self.stream)
        self.assertEqual(self.seen, ["now", "node", "node"])

    def test_an_exception_is_reported_and_harms_nobody(self) -> None:
        reported: list[object] = []
        old, sys.unraisablehook = sys.unraisablehook, lambda args: reported.append(args.exc_type)
        try:
            hip.hipLaunchHostFunc(self.stream, lambda data: 1 // 0, None)
            hip.hipStreamSynchronize(self.stream)
        finally:
            sys.unraisablehook = old
        self.assertEqual(reported, [ZeroDivisionError])

    def test_other_threads_run_while_a_call_blocks(self) -> None:
        hip.hipLaunchHostFunc(self.stream, lambda data: time.sleep(0.3), None)
        steps = 0
        waiter = threading.Thread(target=hip.hipStreamSynchronize, args=(self.stream,))
        waiter.start()
        while waiter.is_alive():
            time.sleep(0.001)
            steps += 1
        waiter.join()
        self.assertGreater(steps, 20)


if __name__ == "__main__":
    unittest.main()
