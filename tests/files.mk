# SPDX-License-Identifier: MIT

# TAP all of them.  Each folder adds its own to these lists.  long_tests are shell tests that
# take more than 20 seconds of an idle processor: they start first, so that all are busy to the end.
long_tests =
shell_tests =
python_tests =
c_tests =

# Not tests themselves: shell tests run each on a real or a fake runtime.
real_programs =

# What the tests of the kernel cache run.
kernel_programs =

# The same with calls that need a GPU, on real runtimes over the loopback.
gpu_programs =

EXTRA_DIST += tests/bench

include $(srcdir)/tests/apis/files.mk
include $(srcdir)/tests/cache/files.mk
include $(srcdir)/tests/configure/files.mk
include $(srcdir)/tests/dispatch/files.mk
include $(srcdir)/tests/documents/files.mk
include $(srcdir)/tests/dropin/files.mk
include $(srcdir)/tests/embed/files.mk
include $(srcdir)/tests/hardening/files.mk
include $(srcdir)/tests/headers/files.mk
include $(srcdir)/tests/hipgen/files.mk
include $(srcdir)/tests/install/files.mk
include $(srcdir)/tests/kernel/files.mk
include $(srcdir)/tests/lib/files.mk
include $(srcdir)/tests/loader/files.mk
include $(srcdir)/tests/loopback/files.mk
include $(srcdir)/tests/products/files.mk
include $(srcdir)/tests/python/files.mk
include $(srcdir)/tests/registration/files.mk
include $(srcdir)/tests/structure/files.mk
include $(srcdir)/tests/tool/files.mk

if HAVE_CMOCKA
check_PROGRAMS = $(c_tests) $(gpu_programs) $(kernel_programs) $(real_programs)
built_c_tests = $(c_tests)
else
# Says on its own line how many tests are not there.
built_c_tests = tests/lib/without_cmocka.t
endif

TESTS = $(long_tests) $(shell_tests) $(python_tests) $(built_c_tests)
TEST_EXTENSIONS = .t .py

# -no-install: a plain executable, which a test may run under another loader.
AM_LDFLAGS = -no-install
LDADD = libhipshim.la $(CMOCKA_LIBS)

tap_driver = env AM_TAP_AWK='$(AWK)' \
	$(SHELL) $(top_srcdir)/tests/lib/timed-driver $(top_srcdir)/build-aux/tap-driver.sh
LOG_DRIVER = $(tap_driver)
T_LOG_DRIVER = $(tap_driver)
PY_LOG_DRIVER = $(tap_driver)
T_LOG_COMPILER = $(SHELL)
PY_LOG_COMPILER = $(SHELL) $(srcdir)/tests/lib/run-python

AM_TESTS_ENVIRONMENT = \
	CMOCKA_MESSAGE_OUTPUT=TAP; export CMOCKA_MESSAGE_OUTPUT; \
	ASAN_OPTIONS=allocator_may_return_null=1; \
	TSAN_OPTIONS="allocator_may_return_null=1 suppressions=$(abs_srcdir)/tests/lib/tsan.supp"; \
	export ASAN_OPTIONS TSAN_OPTIONS; \
	HIPSHIM_RUNTIMES=$${HIPSHIM_RUNTIMES:-$(abs_builddir)/runtimes}; export HIPSHIM_RUNTIMES; \
	abs_srcdir=$(abs_srcdir); export abs_srcdir; \
	abs_builddir=$(abs_builddir); export abs_builddir; \
	COVERAGE_RECORDS=$(abs_builddir)/tests/loopback/records; export COVERAGE_RECORDS; \
	c_tests='$(c_tests)'; export c_tests; \
	AWK='$(AWK)'; CC='$(CC)'; CFLAGS='$(CFLAGS)'; CXX='$(CXX)'; MAKE='$(MAKE)'; NM='$(NM)'; \
	PKG_CONFIG='$(PKG_CONFIG)'; PYTHON='$(PYTHON)'; \
	export AWK CC CFLAGS CXX MAKE NM PKG_CONFIG PYTHON; \
	unset MAKEFLAGS MAKEOVERRIDES MFLAGS CONDA_PREFIX GUIX_ENVIRONMENT HIP_PATH NIX_PROFILES ROCM_HOME ROCM_PATH SNAP VIRTUAL_ENV \
	  HIPSHIM_HIP_VERSION HIPSHIM_LIBRARY;

# The library, its loader and its conversions under gcc's sanitizers; ThreadSanitizer where there are threads.
threaded_tests = \
	$(built_c_tests) \
	tests/cache/evicts_the_oldest.t \
	tests/cache/keeps_what_it_knows.t \
	tests/cache/serves_what_was_asked.t \
	tests/dispatch/threads_share_first_use.t \
	tests/kernel/modules_are_shared.t \
	tests/loader/first_use_cannot_deadlock.t \
	tests/loader/joins_mapped_runtime.t \
	tests/loader/pairs_hiprtc.t \
	tests/registration/threads_register.t
sanitized_tests = \
	$(threaded_tests) \
	tests/cache/survives_kills.t \
	tests/cache/trusts_only_its_own.t \
	tests/dispatch/fakes_hold_properties.t \
	tests/embed/options.t \
	tests/embed/writes.t \
	tests/loader/says_what_is_wrong.t \
	tests/loader/searches_in_order.t \
	tests/tool/info_tells_all.t

# The same without sanitizers, and the exports, for package builds.
offline_tests = \
	$(sanitized_tests) \
	tests/install/kernel_library_shape.t \
	tests/install/library_shape.t \
	tests/install/symbol_nodes.t
