# SPDX-License-Identifier: MIT

dist_man1_MANS = \
	doc/man/hipshim-abi.1 \
	doc/man/hipshim-cache.1 \
	doc/man/hipshim-doctor.1 \
	doc/man/hipshim-embed.1 \
	doc/man/hipshim-info.1 \
	doc/man/hipshim-run.1 \
	doc/man/hipshim-scan.1 \
	doc/man/hipshim-which.1 \
	doc/man/hipshim.1
dist_man3_MANS = \
	doc/man/hipshim-kernel.3 \
	doc/man/hipshim.3

# Installed in the folders of the source tree, so that their links work.
nobase_dist_doc_DATA = \
	COPYING \
	ChangeLog \
	HACKING.md \
	README.md \
	bindings/abi-history.md \
	bindings/functions.md \
	doc/abi-json.md \
	doc/architecture.md \
	doc/behaviour.md \
	doc/ci.md \
	doc/cost.md \
	doc/dropin.md \
	doc/embed.md \
	doc/environment.md \
	doc/figures/majors.svg \
	doc/figures/timeline.svg \
	doc/from-your-loader.md \
	doc/hardening.md \
	doc/headers.md \
	doc/kernel.md \
	doc/loopback.md \
	doc/mpi.md \
	doc/products.md \
	doc/projects.md \
	doc/python.md \
	doc/search.md \
	doc/stable-abi.md \
	doc/whole-programs.md

# A table of every function and test program, for readers who want to know one cell.
dist_pkgdata_DATA = tests/loopback/coverage.md
