# SPDX-License-Identifier: MIT

shell_tests += \
	tests/cache/evicts_the_oldest.t \
	tests/cache/keeps_what_it_knows.t \
	tests/cache/serves_what_was_asked.t \
	tests/cache/survives_full_disks.t \
	tests/cache/survives_kills.t \
	tests/cache/tool_answers.t \
	tests/cache/trusts_only_its_own.t

c_tests += \
	tests/cache/damage_is_seen_t \
	tests/cache/sums_are_sha256_t

EXTRA_DIST += \
	tests/cache/common.sh \
	tests/cache/meddle.c

tests_cache_damage_is_seen_t_LDADD = libcache.la libkernelbase.la $(LDADD)
tests_cache_damage_is_seen_t_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_cache_sums_are_sha256_t_LDADD = libkernelbase.la $(LDADD)
tests_cache_sums_are_sha256_t_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
