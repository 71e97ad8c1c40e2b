# SPDX-License-Identifier: MIT

# HIPSHIM_COMPILER_FLAGS: the warnings every file must be free of, and
# --enable-werror, which CI uses; off by default so that a newer compiler
# with a new warning does not break a user's build.
AC_DEFUN([HIPSHIM_COMPILER_FLAGS], [
AC_ARG_ENABLE([werror],
  [AS_HELP_STRING([--enable-werror], [treat compiler warnings as errors (default: no)])],
  [], [enable_werror=no])
HIPSHIM_WARNINGS='-Wall -Wextra'
AS_IF([test "x$enable_werror" = xyes], [HIPSHIM_WARNINGS="$HIPSHIM_WARNINGS -Werror"])
AC_SUBST([HIPSHIM_WARNINGS])

# Calls within a library need no look-up; some link editors know only the form for all symbols.
BSYMBOLIC=
hipshim_flags=$LDFLAGS
for flag in -Wl,-Bsymbolic-functions -Wl,-Bsymbolic; do
  AS_IF([test -z "$BSYMBOLIC"],
    [LDFLAGS="$hipshim_flags $flag"
     AC_MSG_CHECKING([whether the link editor takes $flag])
     AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])], [BSYMBOLIC=$flag; AC_MSG_RESULT([yes])], [AC_MSG_RESULT([no])])])
done
LDFLAGS=$hipshim_flags
AC_SUBST([BSYMBOLIC])
])
