# SPDX-License-Identifier: MIT
"""hipgen: reads HIP headers, writes hipshim's bindings and its shim."""
