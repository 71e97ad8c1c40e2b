# SPDX-License-Identifier: MIT
"""hipgen reads the headers of an API and writes the bindings of hipshim."""
