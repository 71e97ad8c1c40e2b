# SPDX-License-Identifier: MIT

long_tests += \
	tests/embed/runs.t

shell_tests += \
	tests/embed/builds.t \
	tests/embed/from_c.t \
	tests/embed/loads.t \
	tests/embed/options.t \
	tests/embed/rust.t \
	tests/embed/writes.t

c_tests += \
	tests/embed/finds_the_best_t \
	tests/embed/zstd_unpacks_what_was_packed_t

tests_embed_finds_the_best_t_LDADD = libhipshim-kernel.la $(LDADD)
tests_embed_zstd_unpacks_what_was_packed_t_LDADD = libkernelbase.la $(LDADD)
tests_embed_zstd_unpacks_what_was_packed_t_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
