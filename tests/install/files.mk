# SPDX-License-Identifier: MIT

long_tests += \
	tests/install/tarball.t

shell_tests += \
	tests/install/consumers.t \
	tests/install/fetch_runtimes.t \
	tests/install/fetch_siblings.t \
	tests/install/kernel_library_shape.t \
	tests/install/library_shape.t \
	tests/install/packaging.t \
	tests/install/projects_build.t \
	tests/install/rocm_tree.t \
	tests/install/symbol_nodes.t \
	tests/install/uninstall.t

EXTRA_DIST += \
	tests/install/exports-kernel.txt \
	tests/install/exports-rocm.txt \
	tests/install/exports.sh \
	tests/install/exports.txt \
	tests/install/fetch.sh
