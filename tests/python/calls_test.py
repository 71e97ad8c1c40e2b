# SPDX-License-Identifier: MIT
"""Arguments and results of functions."""

from __future__ import annotations

import array
from typing import Any

from case import HipCase, ctypes, has, hip, unittest
from hipshim import hiprtc
from hipshim.errors import HipError
from hipshim.hip import checked

ERROR = hip.hipError_t


class Results(HipCase):
    def test_a_tuple_has_the_status_first(self) -> None:
        self.assertEqual(hip.hipGetDeviceCount(), (ERROR.hipSuccess, 1))
        self.assertIsInstance(hip.hipGetDeviceCount()[0], ERROR)
        self.assertEqual(hip.hipSetDevice(0), (ERROR.hipSuccess,))

    def test_a_failure_has_as_many_results(self) -> None:
        error, properties = hip.hipGetDeviceProperties(99)
        self.assertEqual(error, ERROR.hipErrorInvalidDevice)
        self.assertIsInstance(properties, hip.hipDeviceProp_t)

    def test_a_function_without_a_status_returns_a_tuple_too(self) -> None:
        self.assertEqual(hip.hipGetErrorName(1), ("hipErrorInvalidValue",))

    def test_checked_functions_return_bare_results_and_raise(self) -> None:
        self.assertEqual(checked.hipGetDeviceCount(), 1)
        nothing: Any = checked.hipSetDevice
        self.assertIsNone(nothing(0))
        with self.assertRaises(HipError) as raised:
            checked.hipSetDevice(99)
        self.assertEqual(raised.exception.status, ERROR.hipErrorInvalidDevice)
        self.assertIn("hipSetDevice()", str(raised.exception))

    def test_a_missing_function_says_which_release_has_it(self) -> None:
        missing = next((n for n in ("hipGreenCtxCreate", "hipLibraryLoadData") if not has(n)), "")
        if not missing:
            self.skipTest("this release has every function")
        names = {
            "hipGreenCtxCreate": (None, 0, 0),
            "hipLibraryLoadData": (b"", None, None, 0, None, None, 0),
        }
        with self.assertRaises(HipError) as raised:
            getattr(checked, missing)(*names[missing])
        self.assertEqual(raised.exception.status, ERROR.hipErrorNotSupported)
        self.assertIn(missing, raised.exception.text)

    def test_an_unknown_enumerator_is_a_number(self) -> None:
        self.assertEqual(
            hip.hipGetErrorName(123456)[0], hip.hipGetErrorName(hip.hipError_t.hipErrorUnknown)[0]
        )


class Arguments(HipCase):
    def test_names_and_positions_mix(self) -> None:
        memory = hip.hipMalloc(16)[1]
        source = array.array("f", range(4))
        kind = hip.hipMemcpyKind.hipMemcpyHostToDevice
        self.assertEqual(hip.hipMemcpyAsync(memory, kind=kind, sizeBytes=16, src=source), (0,))
        self.assertEqual(hip.hipMemcpyAsync(memory, source, 16, kind, stream=None), (0,))
        self.assertEqual(hip.hipFree(memory), (0,))

    def test_a_wrong_number_of_arguments_shows_the_signature(self) -> None:
        self.refused(TypeError, "hipMalloc(size) got 0 arguments", lambda: hip.hipMalloc())  # type: ignore[call-arg]
        self.refused(TypeError, "got 2 arguments", lambda: hip.hipMalloc(1, 2))  # type: ignore[call-arg]
        self.refused(TypeError, "has no argument 'bytes'", lambda: hip.hipMalloc(bytes=1))  # type: ignore[call-arg]
        wrong: Any = {"size": 1}
        self.refused(TypeError, "got 2 arguments", lambda: hip.hipMalloc(1, **wrong))

    def test_errors_name_the_parameter(self) -> None:
        self.refused(TypeError, "hipMalloc(): size: expected an int, got str", lambda: hip.hipMalloc("1"))  # type: ignore[arg-type]
        self.refused(OverflowError, "hipMalloc(): size: -1", lambda: hip.hipMalloc(-1))
        self.refused(OverflowError, "deviceId: 4294967296", lambda: hip.hipSetDevice(1 << 32))
        self.refused(TypeError, "ptr: expected", lambda: hip.hipFree(object()))  # type: ignore[arg-type]

    def test_a_handle_of_another_kind_is_refused(self) -> None:
        event = hip.hipEventCreate()[1]
        self.refused(
            TypeError,
            "expected a ihipStream_t, got ihipEvent_t",
            lambda: hip.hipStreamSynchronize(event),
        )
        self.assertEqual(hip.hipStreamSynchronize(0), (0,))
        self.assertEqual(hip.hipStreamSynchronize(ctypes.c_void_p(None)), (0,))
        self.assertEqual(hip.hipEventDestroy(event), (0,))

    def test_what_was_freed_is_refused(self) -> None:
        stream = hip.hipStreamCreate()[1]
        self.assertEqual(hip.hipStreamDestroy(stream), (0,))
        self.refused(
            ValueError,
            "stream: this ihipStream_t was freed",
            lambda: hip.hipStreamSynchronize(stream),
        )

    def test_a_short_list_is_refused(self) -> None:
        self.refused(
            ValueError,
            "options: has 1 items, and the function reads 2",
            lambda: hiprtc.hiprtcCompileProgram(0, 2, ["-O3"]),
        )

    def test_read_only_memory_is_not_written(self) -> None:
        memory = hip.hipMalloc(4)[1]
        to_host = hip.hipMemcpyKind.hipMemcpyDeviceToHost
        self.refused(
            TypeError,
            "dst: expected memory that can be written",
            lambda: hip.hipMemcpy(b"1234", memory, 4, to_host),
        )
        self.assertEqual(hip.hipFree(memory), (0,))

    def test_text_with_a_zero_is_refused(self) -> None:
        self.refused(ValueError, "has a zero in it", lambda: hip.hipModuleLoad("a\0b"))


class Records(HipCase):
    def test_members_are_attributes_and_keywords(self) -> None:
        extent = hip.hipExtent(1, height=2, depth=3)
        self.assertEqual((extent.width, extent.height, extent.depth), (1, 2, 3))
        self.assertEqual(list(extent), [1, 2, 3])
        self.assertEqual(tuple(hip.dim3(4)), (4, 1, 1))
        self.refused(TypeError, "has no member 'w'", lambda: hip.hipExtent(w=1))  # type: ignore[call-arg]
        self.refused(TypeError, "width: expected an int", lambda: hip.hipExtent("1"))  # type: ignore[arg-type]

    def test_a_nested_record_is_a_view_that_keeps_its_owner(self) -> None:
        copy = hip.hipMemcpy3DParms(kind=1)
        extent = copy.extent
        extent.depth = 7
        self.assertEqual(copy.extent.depth, 7)
        del copy
        self.assertEqual(extent.depth, 7)

    def test_texts_bytes_arrays_and_bits(self) -> None:
        properties = hip.hipGetDeviceProperties(0)[1]
        self.assertIsInstance(properties.name, str)
        self.assertTrue(properties.gcnArchName.startswith("gfx"))
        self.assertEqual(len(properties.uuid.bytes), 16)
        self.assertEqual(len(properties.maxGridSize), 3)
        self.assertIn(properties.arch.hasDoubles, (0, 1))

    def test_bits_do_not_touch_their_neighbours(self) -> None:
        arch = hip.hipDeviceArch_t()
        arch.hasDoubles = 1
        self.assertEqual(sum(arch), 1)
        self.refused(
            OverflowError,
            "hasDoubles: 2 does not fit into 1 bits",
            lambda: setattr(arch, "hasDoubles", 2),
        )

    def test_unions_and_structs_in_place(self) -> None:
        resource = hip.hipResourceDesc()
        resource.res.linear.sizeInBytes = 77
        self.assertEqual(resource.res.linear.sizeInBytes, 77)


class Lists(HipCase):
    def test_results_of_unknown_length_are_lists(self) -> None:
        graph = hip.hipGraphCreate(0)[1]
        first = hip.hipGraphAddEmptyNode(graph, None, 0)[1]
        second = hip.hipGraphAddEmptyNode(graph, [first], 1)[1]
        error, nodes, count = hip.hipGraphGetNodes(graph)
        self.assertEqual((error, count, set(nodes)), (0, 2, {first, second}))
        self.assertEqual(hip.hipGraphGetEdges(graph), (0, [first], [second], 1))
        self.assertEqual(hip.hipGraphDestroy(graph), (0,))


if __name__ == "__main__":
    unittest.main()
