# SPDX-License-Identifier: MIT

# Programs of other projects, which the tests download: not in `make check`, because they need package
# registries, pip and cargo.
product_tests = \
	tests/products/cubecl_hip_sys.t \
	tests/products/hip_python.t \
	tests/products/openmm.t

EXTRA_DIST += \
	$(product_tests) \
	tests/products/common.sh \
	tests/products/hip_python_client.py \
	tests/products/openmm_client.py \
	tests/products/table.sh

check-products: all
	$(MAKE) check TESTS='$(product_tests)'

# Writes the table of doc/products.md anew.
products-table: check-products
	$(SHELL) $(srcdir)/tests/products/table.sh products/results $(srcdir)/doc/products.md

.PHONY: check-products products-table
