# SPDX-License-Identifier: MIT
"""The numbers of hiprand.c, by the Python module."""

from __future__ import annotations

from array import array

from hipshim.hip import checked as hip
from hipshim.hiprand import checked, hiprandRngType

KINDS = {
    "xorwow": hiprandRngType.HIPRAND_RNG_PSEUDO_XORWOW,
    "philox": hiprandRngType.HIPRAND_RNG_PSEUDO_PHILOX4_32_10,
    "mrg32k3a": hiprandRngType.HIPRAND_RNG_PSEUDO_MRG32K3A,
}


def numbers(kind: hiprandRngType) -> tuple[array[float], array[float], array[int]]:
    """The numbers come from a function that a stream calls."""
    uniform, normal, integer = array("f", [0] * 4), array("f", [0] * 2), array("I", [0])
    generator = checked.hiprandCreateGeneratorHost(kind)
    checked.hiprandSetPseudoRandomGeneratorSeed(generator, 1234)
    checked.hiprandGenerateUniform(generator, uniform, 4)
    hip.hipDeviceSynchronize()
    checked.hiprandGenerateNormal(generator, normal, 2, 10.0, 0.5)
    hip.hipDeviceSynchronize()
    checked.hiprandGenerate(generator, integer, 1)
    hip.hipDeviceSynchronize()
    checked.hiprandDestroyGenerator(generator)
    return uniform, normal, integer


for name, kind in KINDS.items():
    uniform, normal, integer = numbers(kind)
    shown = " ".join(f"{one:.6f}" for one in uniform)
    print(f"{name} {shown}, {normal[0]:.6f}, {integer[0]}")
