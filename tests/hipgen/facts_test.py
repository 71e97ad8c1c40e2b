# SPDX-License-Identifier: MIT
"""The bindings agree with the results of other tools.

Sizes and values were read from the vendor headers with an independent libclang
program and, for HIP 6.2 to 6.4, from published Rust bindings.
"""

import unittest

from case import HipgenCase

ALL = (21153, 31921, 32830, 40091, 41133, 42131, 43484, 53211)

# From 6.0 to 6.3 __hipGetPCH counts as well, because the vendor's hip_version.h enables it.
FUNCTIONS = (393, 452, 444, 455, 467, 475, 487, 519)

SIZES = {
    "HIP_MEMCPY3D": (128, 128, 184, 184, 184, 184, 184, 184),
    "HIP_RESOURCE_DESC_st": (144, 144, 144, 144, 144, 144, 144, 144),
    "hipExternalMemoryBufferDesc_st": (24, 24, 88, 88, 88, 88, 88, 88),
    "hipExternalMemoryHandleDesc_st": (40, 40, 104, 104, 104, 104, 104, 104),
    "hipExternalSemaphoreHandleDesc_st": (32, 32, 96, 96, 96, 96, 96, 96),
    "hipExternalSemaphoreSignalParams_st": (136, 136, 144, 144, 144, 144, 144, 144),
    "hipExternalSemaphoreWaitParams_st": (136, 136, 144, 144, 144, 144, 144, 144),
    "hipGraphNodeParams": (None, None, None, 256, 256, 256, 256, 256),
    "hipLaunchAttributeValue": (None, None, None, None, 32, 32, 32, 64),
    "hipMemAllocNodeParams": (None, 120, 120, 120, 120, 120, 120, 120),
    "hipMemAllocationProp": (32, 32, 32, 32, 32, 32, 32, 32),
    "hipMemPoolProps": (88, 88, 88, 88, 88, 88, 88, 88),
    "hipMemcpy3DParms": (160, 160, 160, 160, 160, 160, 160, 160),
    "hipPointerAttribute_t": (32, 32, 32, 32, 32, 32, 32, 32),
    "hip_Memcpy2D": (128, 128, 128, 128, 128, 128, 128, 128),
    "hipDeviceProp_t": (792, 792, None, None, None, None, None, None),
    "hipDeviceProp_tR0600": (None, None, 1472, 1472, 1472, 1472, 1472, 1472),
}

VALUES = {
    "hipGraphNodeTypeCount": (12, 14, 14, 14, 14, 14, 15, 15),
    "hipGraphNodeTypeKernel": (1, 0, 0, 0, 0, 0, 0, 0),
    "hipGraphNodeTypeMemcpyToSymbol": (11, 13, 13, 13, 13, 13, 13, 13),
    "hipJitOptionNumOptions": (17, 17, 17, 17, 17, 17, 29, 29),
    "hipLimitRange": (None, 3, 3, 3, 3, 3, 3, 4099),
    "hipMemoryTypeArray": (2, 2, 10, 10, 10, 10, 10, 10),
    "hipMemoryTypeDevice": (1, 1, 2, 2, 2, 2, 2, 2),
    "hipMemoryTypeHost": (0, 0, 1, 1, 1, 1, 1, 1),
    "hipMemoryTypeManaged": (None, 4, 3, 3, 3, 3, 3, 3),
    "hipMemoryTypeUnified": (3, 3, 11, 11, 11, 11, 11, 11),
}

NEVER_MISSING = (41134, 42131, 42133, 42134, 43482, 43483)


class Facts(HipgenCase):
    def test_functions_are_all_there(self) -> None:
        for patch, count in zip(ALL, FUNCTIONS):
            with self.subTest(patch=patch):
                self.assertEqual(len(self.project.api_sets[patch].functions), count)

    def test_records_have_their_sizes(self) -> None:
        for name, sizes in SIZES.items():
            for patch, size in zip(ALL, sizes):
                with self.subTest(record=name, patch=patch):
                    record = self.project.api_sets[patch].records.get(name)
                    self.assertEqual(record.size if record else None, size)

    def test_enumerators_have_their_values(self) -> None:
        for name, values in VALUES.items():
            for patch, value in zip(ALL, values):
                enums = self.project.api_sets[patch].enums.values()
                found = [e.values[name] for e in enums if name in e.values]
                with self.subTest(enumerator=name, patch=patch):
                    self.assertEqual(found, [] if value is None else [value])

    def test_the_releases_people_pin_are_there(self) -> None:
        patches = {entry.release.patch for entry in self.project.entries}
        for patch in NEVER_MISSING:
            with self.subTest(patch=patch):
                self.assertIn(patch, patches)
                self.assertTrue((self.project.bindings / f"bindings_{patch}.h").is_file())

    def test_the_stable_api_set_has_every_function(self) -> None:
        from hipgen.overrides import load_overrides
        from hipgen.headers import parse_bindings

        overrides = load_overrides(self.project.overrides_file)
        stable = parse_bindings(self.project.api, self.project.stable_header)
        for api_set in self.project.api_sets.values():
            for name in api_set.functions:
                if name not in stable.functions:
                    self.assertTrue(overrides.function(name).absent, name)


if __name__ == "__main__":
    unittest.main()
