# SPDX-License-Identifier: MIT
"""The bindings agree with the results of other tools.

Sizes and values were read from the vendor headers with an independent libclang
program, for HIP 5.0 to 5.5 with gcc, and for HIP 6.2 to 6.4, 7.0 and 7.1 from
published Rust bindings, which also give those of 7.14.
"""

import unittest
from collections.abc import Iterator

from case import HipgenCase

from hipgen.model import ApiSet

# Every table says from which release on a fact holds, by patch number.
ORDER = (13601, 20531, 21153, 22061, 22062, 22801, 30201, 31921)
ORDER += (32830, 40091, 41133, 42131, 43484, 51831, 25424, 52802, 53211, 60850, 26333)

# From 6.0 to 6.3 __hipGetPCH counts as well, because the vendor's hip_version.h enables it.
FUNCTIONS = {
    13601: 337,
    20531: 339,
    21153: 393,
    22061: 428,
    22062: 424,
    22801: 427,
    30201: 438,
    31921: 452,
    32830: 444,
    40091: 455,
    41133: 467,
    42131: 475,
    43484: 487,
    51831: 490,
    25424: 514,
    52802: 514,
    53211: 519,
    60850: 554,
    26333: 555,
}

SIZES = {
    "HIP_MEMCPY3D": {13601: 128, 32830: 184},
    "HIP_RESOURCE_DESC_st": {13601: 144},
    "hipDevResource_st": {60850: 144},
    "hipExtDynDataPrefetchConfig": {60850: 72},
    "hipExternalMemoryBufferDesc_st": {13601: 24, 32830: 88},
    "hipExternalMemoryHandleDesc_st": {13601: 40, 32830: 104},
    "hipExternalSemaphoreHandleDesc_st": {13601: 32, 32830: 96},
    "hipExternalSemaphoreSignalParams_st": {13601: 136, 32830: 144},
    "hipExternalSemaphoreWaitParams_st": {13601: 136, 32830: 144},
    "hipGraphNodeParams": {40091: 256},
    "hipLaunchAttributeValue": {41133: 32, 51831: 64},
    "hipMemAllocNodeParams": {30201: 120},
    "hipMemAllocationProp": {21153: 32},
    "hipMemPoolProps": {21153: 88},
    "hipMemcpy3DParms": {13601: 160},
    "hipPointerAttribute_t": {13601: 32},
    "hip_Memcpy2D": {13601: 128},
    "hipDeviceProp_t": {13601: 792, 32830: None},
    "hipDeviceProp_tR0600": {32830: 1472},
}

VALUES = {
    "hipDeviceAttributePciChipId": {51831: 10019, 25424: 10020},
    "hipDeviceAttributeMaxAvailableVgprsPerThread": {25424: 10019},
    "hipErrorInvalidClusterSize": {60850: 1054},
    "hipErrorTbd": {13601: 1054, 60850: 1055},
    "hipFuncAttributeMax": {13601: 10, 60850: 16},
    "hipGraphNodeTypeCount": {13601: 12, 30201: 14, 43484: 15},
    "hipGraphNodeTypeKernel": {13601: 1, 22061: 0},
    "hipGraphNodeTypeMemcpyToSymbol": {13601: 11, 30201: 13},
    "hipJitOptionNumOptions": {13601: 17, 43484: 29},
    "hipLimitRange": {22061: 3, 51831: 4099},
    "hipMemoryTypeArray": {13601: 2, 32830: 10},
    "hipMemoryTypeDevice": {13601: 1, 32830: 2},
    "hipMemoryTypeHost": {13601: 0, 32830: 1},
    "hipMemoryTypeManaged": {22061: 4, 32830: 3},
    "HIPRTC_ERROR_LINKING": {22061: 7, 22801: 100},
    "HIPRTC_ERROR_INTERNAL_ERROR": {13601: 11, 22061: 12, 22801: 11},
    "hipMemoryTypeUnified": {13601: 3, 32830: 11},
}

# The patch numbers are those of hipvars.pm, or of VERSION, at ROCm/HIP's tags.
ROCM_5 = {
    13601: "5.0.0 to 5.0.2",
    20531: "5.1.0 and 5.1.1",
    20532: "5.1.3",
    21151: "5.2.0",
    21152: "5.2.1",
    21153: "5.2.3",
    22061: "5.3.0",
    22062: "5.3.1 to 5.3.3",
    22801: "5.4.0",
    22802: "5.4.1",
    22803: "5.4.2",
    22804: "5.4.3 and 5.4.4",
    30201: "5.5.0",
    30202: "5.5.1",
    31061: "5.6.0",
    31062: "5.6.1",
    31921: "5.7.0 and 5.7.1",
}
NEVER_MISSING = (41134, 42131, 42133, 42134, 43482, 43483)


def on_each(since: dict[int, int | None]) -> Iterator[tuple[int, int | None]]:
    """The patch number of every release of ORDER, with the value there or None."""
    value = None
    for patch in ORDER:
        value = since[patch] if patch in since else value
        yield patch, value


class Facts(HipgenCase):
    def of(self, patch: int) -> ApiSet:
        return next(s for r, s in self.project.api_sets.items() if r.patch == patch)

    def test_functions_are_all_there(self) -> None:
        for patch, count in FUNCTIONS.items():
            with self.subTest(patch=patch):
                self.assertEqual(len(self.of(patch).functions), count)

    def test_records_have_their_sizes(self) -> None:
        for name, sizes in SIZES.items():
            for patch, size in on_each(sizes):
                with self.subTest(record=name, patch=patch):
                    record = self.of(patch).records.get(name)
                    self.assertEqual(record.size if record else None, size)

    def test_enumerators_have_their_values(self) -> None:
        for name, values in VALUES.items():
            for patch, value in on_each(values):
                enums = self.of(patch).enums.values()
                found = [e.values[name] for e in enums if name in e.values]
                with self.subTest(enumerator=name, patch=patch):
                    self.assertEqual(found, [] if value is None else [value])

    def test_the_releases_people_pin_are_there(self) -> None:
        patches = {entry.release.patch for entry in self.project.entries}
        for patch in NEVER_MISSING:
            with self.subTest(patch=patch):
                self.assertIn(patch, patches)
                self.assertTrue((self.project.bindings / f"bindings_{patch}.h").is_file())

    def test_every_release_of_rocm_5_is_known(self) -> None:
        entries = [e for e in self.project.entries if e.release.major == 5]
        self.assertEqual({e.release.patch: e.rocm for e in entries}, ROCM_5)
        for entry in entries:
            with self.subTest(release=str(entry.release)):
                minors = {word.rpartition(".")[0] for word in entry.rocm.split() if "." in word}
                self.assertEqual(minors, {f"5.{entry.release.minor}"})

    def test_the_stable_api_set_has_every_function(self) -> None:
        from hipgen.overrides import load_overrides

        overrides = load_overrides(self.project.overrides_file)
        stable = self.project.frozen
        assert stable is not None
        for api_set in self.project.api_sets.values():
            for name in api_set.functions:
                if name not in stable.functions:
                    self.assertTrue(overrides.function(name).absent, name)


if __name__ == "__main__":
    unittest.main()
