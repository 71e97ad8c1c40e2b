# SPDX-License-Identifier: MIT

# HIPSHIM_WITH_HIP: --with-hip, --without-hip and --with-hip-patch.  The whole
# check is scripts/detect-hip.sh, so that tests can run it alone.
AC_DEFUN([HIPSHIM_WITH_HIP], [
AC_ARG_WITH([hip],
  [AS_HELP_STRING([--with-hip=PREFIX],
    [the HIP to pair with (default: HIP_PATH, ROCM_PATH, /opt/rocm*, /usr; none is fine)])],
  [], [with_hip=])
AC_ARG_WITH([hip-patch],
  [AS_HELP_STRING([--with-hip-patch=N],
    [use bindings_N.h, whatever HIP is found (default: those of the HIP found, else the newest)])],
  [AS_IF([test "x$with_hip_patch" = x],
    [AC_MSG_ERROR([--with-hip-patch=: no number; leave the option out for the default])])],
  [with_hip_patch=])
AC_ARG_VAR([HIP_PATH], [prefix of HIP, if --with-hip gives none])
AC_ARG_VAR([ROCM_PATH], [prefix of ROCm, if HIP_PATH gives none])

AC_MSG_CHECKING([for HIP])
set X "--releases=$srcdir/bindings/releases.list" \
  "--multiarch=`$CC -print-multiarch 2>/dev/null`"
shift
AS_IF([test "x$with_hip" != x], [set X "$][@" "--with-hip=$with_hip"; shift])
AS_IF([test "x$with_hip_patch" != x], [set X "$][@" "--with-hip-patch=$with_hip_patch"; shift])
export HIP_PATH ROCM_PATH
AS_IF([hip_found=`$SHELL "$srcdir/scripts/detect-hip.sh" "$][@" 2>conftest.err`],
  [eval "$hip_found"
   AC_MSG_RESULT([${hip_release:-none}])
   AS_IF([test -s conftest.err], [cat conftest.err >&2])
   rm -f conftest.err],
  [AC_MSG_RESULT([error])
   cat conftest.err >&2
   rm -f conftest.err
   AC_MSG_ERROR([no usable HIP; the reason is above])])

# Only a prefix that was asked for is built into the library's search; what
# configure found by itself may not be there where the library runs.
AS_CASE(["$with_hip"], [''|yes|no], [configured_prefix= configured_libdir=],
  [configured_prefix=$hip_prefix configured_libdir=$hip_libdir])
AC_DEFINE_UNQUOTED([HIPSHIM_CONFIGURED_PREFIX], ["$configured_prefix"],
  [The prefix --with-hip gave, or empty.])
AC_DEFINE_UNQUOTED([HIPSHIM_CONFIGURED_LIBDIR], ["$configured_libdir"],
  [Where libamdhip64 is in it, or empty.])
hip_libs_private=
AS_IF([test "x$hip_libs" != x], [hip_libs_private="-L$hip_libdir -Wl,-rpath-link,$hip_libdir $hip_libs"])
AC_SUBST([hip_prefix])
AC_SUBST([hip_bindings])
AC_SUBST([hip_libs_private])
])

# HIPSHIM_TREE_RELEASE: the release that the tree of ROCm's shape answers, since build scripts choose
# declarations by it.
AC_DEFUN([HIPSHIM_TREE_RELEASE], [
AC_ARG_WITH([tree-release],
  [AS_HELP_STRING([--with-tree-release=RELEASE],
    [the HIP release that the tree of ROCm's shape answers, such as 7.1.52802 (default: that of
     hipshim's headers)])],
  [], [with_tree_release=`$SED -n '$p' "$srcdir/bindings/releases.list"`])
TREE_RELEASE=`echo "$with_tree_release" | $SED 's/ .*//'`
AS_IF([cut -d ' ' -f 1 "$srcdir/bindings/releases.list" | grep -Fqx "$TREE_RELEASE"], [],
  [AC_MSG_ERROR([--with-tree-release=$TREE_RELEASE: not one of the known releases, which are in bindings/releases.list])])
AC_SUBST([TREE_RELEASE])
])

# HIPSHIM_SUMMARY: what was chosen, and how each was found.
AC_DEFUN([HIPSHIM_SUMMARY], [
AC_MSG_NOTICE([$PACKAGE_STRING is configured
  HIP release  ${hip_release:-none}${hip_release:+, from $hip_release_from}${hip_rocm:+ (ROCm $hip_rocm)}
  bindings     bindings_$hip_bindings.h, $hip_bindings_from
  HIP prefix   ${hip_prefix:-none}${hip_prefix:+, found by $hip_found_by}
  HIP library  ${hip_library:-none}
  installs to  $prefix
  left out     $hipshim_left_out
  C tests      $hipshim_ctests_note
  generator    $hipshim_python_note])
])
