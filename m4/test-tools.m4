# SPDX-License-Identifier: MIT

# HIPSHIM_TEST_TOOLS: what only tests and regeneration use.  All of it is
# optional: a tarball builds and installs with a C compiler alone.
AC_DEFUN([HIPSHIM_TEST_TOOLS], [
PKG_CHECK_MODULES([CMOCKA], [cmocka],
  [have_cmocka=yes hipshim_ctests_note=yes],
  [have_cmocka=no hipshim_ctests_note='skipped, no cmocka (Debian: libcmocka-dev)'])
AM_CONDITIONAL([HAVE_CMOCKA], [test $have_cmocka = yes])

# The first Python on PATH may not be the one that has Debian's modules.  One
# that is named is the only one tried.
AC_ARG_VAR([PYTHON],
  [Python 3.11 or later with jinja2, for the generated files of a checkout, and clang, to add a release])
AC_MSG_CHECKING([for a Python 3 with jinja2])
hipshim_python=
for modules in 'clang.cindex, jinja2, tomllib' 'jinja2, tomllib'; do
  for candidate in ${PYTHON:-/usr/bin/python3 python3}; do
    AS_IF([test "x$hipshim_python" = x && $candidate -c "import $modules" >/dev/null 2>&1],
      [hipshim_python=$candidate hipshim_python_note="$candidate with $modules"])
  done
done
AS_IF([test "x$hipshim_python" != x], [PYTHON=$hipshim_python],
  [PYTHON=${PYTHON:-python3}
   hipshim_python_note='cannot run, no python3 with jinja2 (a tarball builds without it)'])
AC_MSG_RESULT([${hipshim_python:-none}])
])
