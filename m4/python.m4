# SPDX-License-Identifier: MIT

# HIPSHIM_WITH_PYTHON: the Python package, for one interpreter and those of later versions.
AC_DEFUN([HIPSHIM_WITH_PYTHON], [
AC_ARG_WITH([python],
  [AS_HELP_STRING([--with-python@<:@=PROGRAM@:>@], [the Python package, for this Python 3.9 or later @<:@no@:>@])],
  [], [with_python=no])
AC_ARG_VAR([pythondir], [where the Python package is installed])
hipshim_package=no
AS_IF([test "x$with_python" != xno],
  [AS_IF([test "x$with_python" = xyes], [with_python=python3])
   AC_MSG_CHECKING([for the headers of $with_python])
   hipshim_found=`$with_python -c '
import sys, sysconfig
paths = sysconfig.get_paths(vars=dict(base="'"$prefix"'", platbase="'"$prefix"'") if "'"$prefix"'" != "NONE" else None)
free_threaded = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
api = "-DPy_LIMITED_API=0x030B0000" if not free_threaded else ""
suffix = ".abi3.so" if api else sysconfig.get_config_var("EXT_SUFFIX")
assert sys.version_info >= (3, 9), "older than 3.9"
print(sysconfig.get_paths().get("include"), paths.get("platlib"), suffix, api)' 2>&AS_MESSAGE_LOG_FD`
   set dummy $hipshim_found
   AS_IF([test -f "$[2]/Python.h"], [AC_MSG_RESULT([$[2]])],
     [AC_MSG_RESULT([none])
      AC_MSG_ERROR([--with-python=$with_python: no Python.h of a Python 3.9 or later; install its headers (Debian: python3-dev), or name another program])])
   AC_SUBST([PYTHON_INCLUDE], ["-I$[2]"])
   pythondir=${pythondir:-$[3]}
   AC_SUBST([PYTHON_SUFFIX], [$[4]])
   AC_SUBST([PYTHON_LIMITED], [$[5]])
   AS_IF([test "x$enable_shared" != xyes],
     [AC_MSG_ERROR([--with-python: the package needs shared libraries; leave --disable-shared out])])
   hipshim_package="$with_python, in $pythondir"])
AM_CONDITIONAL([PYTHON_PACKAGE], [test "x$with_python" != xno])
AC_SUBST([PROGRAM_OF_PYTHON], [$with_python])
])
