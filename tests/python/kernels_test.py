# SPDX-License-Identifier: MIT
"""Compiling, the cache, modules, launches, and what the runtime in use is."""

from __future__ import annotations

import struct

from case import INFO, SOURCE, HipCase, copied, ctypes, has, hip, unittest
from hipshim import hiprtc, kernel, roctx, runtime
from hipshim.hip import checked


class Kernels(HipCase):
    def test_hiprtc_compiles(self) -> None:
        error, program = hiprtc.hiprtcCreateProgram(SOURCE, "fill", 0, None, None)
        self.assertEqual(error, 0)
        options = ["--offload-arch=gfx90a"]
        self.assertEqual(hiprtc.hiprtcCompileProgram(program, len(options), options), (0,))
        error, size = hiprtc.hiprtcGetCodeSize(program)
        code = bytearray(size)
        self.assertEqual(hiprtc.hiprtcGetCode(program, code), (0,))
        self.assertEqual(code[:4], b"\x7fELF")
        self.assertEqual(hiprtc.hiprtcDestroyProgram(program), (0,))

    def test_the_cache_serves_a_second_request(self) -> None:
        first = kernel.compile(SOURCE, arch="gfx90a", options=["-O2"])
        second = kernel.compile(SOURCE, arch="gfx90a", options=["-O2"])
        self.assertEqual(
            (first.origin, second.origin), (kernel.Origin.COMPILED, kernel.Origin.CACHED)
        )
        self.assertEqual(first.code, second.code)
        third = kernel.compile(SOURCE, arch="gfx90a", options=["-O2"], cache=False)
        self.assertEqual(third.origin, kernel.Origin.COMPILED)

    def test_expressions_headers_and_logs(self) -> None:
        text = '#include "my.h"\ntemplate <class T> __global__ void one(T *to) { *to = VALUE; }'
        made = kernel.compile(
            text, arch="gfx90a", headers={"my.h": "#define VALUE 1"}, expressions=["one<int>"]
        )
        self.assertIn("one", made.names["one<int>"])
        with self.assertRaises(kernel.KernelError) as raised:
            kernel.compile("not a kernel", arch="gfx90a")
        self.assertIn("error:", raised.exception.log)

    def test_a_module_is_launched_with_both_forms_of_arguments(self) -> None:
        array = hip.DeviceArray(4, "float32")
        with kernel.Module(SOURCE) as module:
            function = module.function("fill")
            extra = (array, ctypes.c_int(4), ctypes.c_float(2))
            checked.hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, None, None, extra)
            self.assertEqual(copied(array, 16), struct.pack("4f", 2, 2, 2, 2))
            other = (array, ctypes.c_int(3), ctypes.c_float(5))
            checked.hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, None, other, None)
            self.assertEqual(copied(array, 16), struct.pack("4f", 5, 5, 5, 2))
        self.refused(ValueError, "was released", lambda: module.handle)

    def test_embedded_code_that_fits_is_loaded(self) -> None:
        code = kernel.compile(SOURCE, arch="gfx90a").code
        codes = kernel.Embedded(
            [kernel.Code("fill", "gfx1100", b"none"), kernel.Code("fill", "gfx90a", code)]
        )
        self.assertEqual(codes.find("fill", "gfx90a").code, code)
        array = hip.DeviceArray(4, "float32")
        with codes.module("fill") as module:
            extra = (array, ctypes.c_int(4), ctypes.c_float(3))
            function = module.function("fill")
            checked.hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, None, None, extra)
            self.assertEqual(copied(array, 16), struct.pack("4f", 3, 3, 3, 3))
        self.refused(kernel.KernelError, "gfx1100", lambda: codes.find("fill", "gfx803"))
        self.refused(kernel.KernelError, "fill", lambda: codes.find("axpy", "gfx90a"))
        self.refused(
            ValueError, "kernels", lambda: kernel.Embedded.in_library("libm.so.6", "kernels")
        )

    def test_the_architecture_is_found(self) -> None:
        self.assertTrue(kernel.detect_arch().startswith("gfx90a"))
        self.assertEqual(kernel.detect_arch("gfx1100"), "gfx1100")


class Runtime(HipCase):
    def test_info_tells_the_runtime(self) -> None:
        self.assertEqual(INFO.path, runtime.which())
        self.assertEqual(runtime.steps()[-1].outcome, runtime.Outcome.USED)
        self.assertEqual(sum(INFO.kinds.values()), 564)
        major, minor, patch = INFO.release or (0, 0, 0)
        self.assertEqual(
            checked.hipRuntimeGetVersion(), major * 10_000_000 + minor * 100_000 + patch
        )

    def test_functions_tell_how_they_are_served(self) -> None:
        self.assertEqual(runtime.function("hipMalloc").kind, runtime.Kind.DIRECT)
        self.assertEqual(has("hipGreenCtxCreate"), (INFO.release or (0,))[0] >= 8)
        self.assertRaises(KeyError, runtime.function, "hipNoSuch")

    def test_documentation_tells_it_too(self) -> None:
        text = hip.hipMemcpyAsync.__doc__ or ""
        self.assertIn("hipError_t hipMemcpyAsync(void *dst,", text)
        self.assertIn("Since HIP 5.0", text)
        self.assertIn("dst: memory of sizeBytes bytes, written\n", text)
        self.assertIn("sizeBytes: a number of bytes\n", text)
        self.assertIn("raised as HipError", text)
        text = hip.hipMemcpy2D.__doc__ or ""
        self.assertIn("src: memory, height rows of width bytes, each spitch bytes", text)

    def test_another_api_has_its_module(self) -> None:
        depth = roctx.roctxRangePushA("outer")[0]
        self.assertEqual(roctx.roctxRangePop()[0], depth)


if __name__ == "__main__":
    unittest.main()
