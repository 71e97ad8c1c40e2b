# SPDX-License-Identifier: MIT

# HIPSHIM_SIBLINGS: whether the libraries for the APIs beside HIP are built.
AC_DEFUN([HIPSHIM_SIBLINGS], [
AC_ARG_ENABLE([siblings],
  [AS_HELP_STRING([--disable-siblings], [HIP and roctx only, without the libraries for hipBLAS and others; saves a minute])],
  [], [enable_siblings=yes])
AS_IF([test "x$enable_siblings" = xno],
  [AS_IF([test "$hipshim_left_out" = nothing], [hipshim_left_out=], [hipshim_left_out="$hipshim_left_out; "])
   hipshim_left_out="${hipshim_left_out}the libraries for hipBLAS and others (--disable-siblings)"])
AM_CONDITIONAL([SIBLINGS], [test "x$enable_siblings" != xno])
])
