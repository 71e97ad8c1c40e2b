# SPDX-License-Identifier: MIT

# HIPSHIM_PLACES: refuses directories that the makefiles and libtool cannot install to, before any
# other check.  `make install` would end in the middle with an error about another name.
AC_DEFUN([HIPSHIM_PLACES], [
for hipshim_place in prefix exec_prefix bindir libdir includedir datarootdir datadir mandir docdir; do
  eval "hipshim_value=\$$hipshim_place"
  hipshim_odd=`printf '%s' "$hipshim_value" | sed 's/[$]{[[A-Za-z_]]*}//g' | tr -d -c ' \011\012"$&'"'"'#(),;<>?|*\\\\\`' | tr ' \011\012' '   '`
  AS_IF([test "x$hipshim_odd" != x],
    [hipshim_option=`echo "$hipshim_place" | tr _ -`
     AC_MSG_ERROR([--$hipshim_option=$hipshim_value: make and libtool cannot install to a name with spaces, commas, quotes or characters of the shell; choose another directory])])
done
])

# HIPSHIM_SHARED: what depends on shared libraries.
AC_DEFUN([HIPSHIM_SHARED], [
AM_CONDITIONAL([SHARED], [test "x$enable_shared" = xyes])
hipshim_tree=no
AS_IF([test "x$enable_shared" = xyes], [AS_CASE([$host_cpu], [x86_64|aarch64], [hipshim_tree=yes])])
AM_CONDITIONAL([ROCM_TREE], [test $hipshim_tree = yes])
rocm_path=
hipshim_left_out=nothing
AS_IF([test -z "$HIPSHIM_FOR_BUILD"], [hipshim_left_out='abi.json and the example 06 (a cross build)'])
AS_IF([test $hipshim_tree = yes], [rocm_path='${libdir}/hipshim/rocm'],
  [test "x$enable_shared" = xyes],
    [hipshim_left_out="the tree of ROCm's shape, which knows x86_64 and aarch64"],
  [hipshim_left_out="the loopback and the tree of ROCm's shape (--disable-shared)"])
AC_SUBST([rocm_path])
])
