# SPDX-License-Identifier: MIT
"""Forms in which a header may declare its functions, and which mean the same."""

import unittest

from case import HipgenCase

from hipgen import compare
from hipgen.headers import parse_headers
from hipgen.model import ApiSet

TYPES = """
#include <stddef.h>
#define HIP_VERSION_MAJOR 7
#define HIP_VERSION_MINOR 17
#define HIP_VERSION_PATCH 0
typedef enum hipError_t { hipSuccess } hipError_t;
typedef struct hipPropR5 { char name[8]; } hipPropR5;
typedef struct hipPropR6 { char name[16]; } hipPropR6;
"""
PLAIN = """
typedef hipPropR6 hipProp;
hipError_t hipMalloc(void **ptr, size_t size);
hipError_t hipGetPropR5(hipPropR5 *prop, int device);
hipError_t hipGetPropR6(hipPropR6 *prop, int device);
"""
# The version of the API chooses among functions that only headers have.
INLINE = """
#define HIP_API_SYMBOL(name) hip##name
hipError_t HIP_API_SYMBOL(Malloc)(void **ptr, size_t size);
hipError_t HIP_API_SYMBOL(GetPropR5)(hipPropR5 *prop, int device);
hipError_t HIP_API_SYMBOL(GetPropR6)(hipPropR6 *prop, int device);
#ifndef HIP_ABI_IMPL
#if defined(HIP_FORCE_API_VERSION) && HIP_FORCE_API_VERSION < 600
typedef hipPropR5 hipProp;
static inline hipError_t hipGetProp(hipProp *prop, int device) {
    return hipGetPropR5(prop, device);
}
#else
typedef hipPropR6 hipProp;
static inline hipError_t hipGetProp(hipProp *prop, int device) {
    return hipGetPropR6(prop, device);
}
#endif
#endif
"""


class HeaderForms(HipgenCase):
    def read(self, text: str) -> ApiSet:
        return parse_headers(self.project.api, self.header_tree(TYPES + text))

    def test_inline_variants_and_names_by_macro(self) -> None:
        difference = compare.compare(self.read(PLAIN), self.read(INLINE))
        self.assertTrue(compare.is_empty(difference), compare.as_text(difference))

    def test_a_symbol_that_changes_is_seen(self) -> None:
        changed = INLINE.replace("(GetPropR6)(hipPropR6", "(GetPropR6)(hipPropR5")
        changed = changed.replace(
            "return hipGetPropR6(prop", "return hipGetPropR6((hipPropR5 *)prop"
        )
        difference = compare.compare(self.read(PLAIN), self.read(changed))
        self.assertIn("hipGetPropR6", difference["function"]["changed"])


if __name__ == "__main__":
    unittest.main()
