#!/bin/sh
# SPDX-License-Identifier: MIT
# debian/ and packaging/hipshim.spec agree with what `make install` installs, with the exports of
# the libraries, and with the version: each file is in one package, and no pattern is left over.
# shellcheck source-path=SCRIPTDIR
# shellcheck disable=SC2016 # dollars and backquotes of makefiles
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

[ -f "$build/.libs/libhipshim.so" ] || skip_all "no shared library was built"
[ -f "$build/.libs/libhipshim-hipblas.so" ] || skip_all "configured with --disable-siblings"
cd "$top" || exit 99

# --- versions ---

version=$(sed -n 's/^AC_INIT(\[hipshim\], \[\([0-9.]*\)\].*/\1/p' configure.ac)
ok "configure.ac has a version" test -n "$version"
is "debian/changelog has the same" "$(sed -n '1s/^hipshim (\([^)]*\)) .*/\1/p' debian/changelog)" "$version"
is "pyproject.toml has the same" "$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)" "$version"
is "the package says so" "$(sed -n 's/^__version__ = "\(.*\)"/\1/p' python/hipshim/__init__.py)" "$version"
is "the spec has the same" "$(sed -n 's/^Version: *//p' packaging/hipshim.spec)" "$version"
is "so has the first entry of its changelog" \
    "$(sed -n '/^%changelog/{ n; s/.* - \([0-9.]*\)-.*/\1/p; }' packaging/hipshim.spec)" "$version"

# --- symbols ---

# Each file has a pattern for each node, so that a package which needs a later node depends on the
# version that has it.
nodes() { # LIBRARY
    readelf -V --wide "$build/.libs/$1.so" | sed -n 's/.*Flags: none.*Name: \(HIPSHIM_[A-Z0-9._]*\)$/\1/p' |
        LC_ALL=C sort | tr '\n' ' '
}
libraries=$(cd "$build/.libs" && echo libhipshim*.so)
for library in $libraries; do
    name=${library%.so}
    is "the nodes of $library have a line each in debian/*.symbols" \
        "$(cat debian/*.symbols | awk -v soname="$library.0" '/^lib/ { own = $1 == soname }
            own && sub(/^ [(]symver[)]/, "") { print $1 }' | LC_ALL=C sort | tr '\n' ' ')" \
        "$(nodes "$name")"
done
is "debian/*.symbols name the sonames of the libraries" \
    "$(cat debian/*.symbols | sed -n 's/^\(lib[^ ]*\) .*/\1/p' | LC_ALL=C sort | tr '\n' ' ')" \
    "$(for library in $libraries; do
        readelf -d "$build/.libs/$library" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p'
    done | LC_ALL=C sort | tr '\n' ' ')"

# --- files ---

setting() { # VARIABLE of the makefile, expanded
    printf 'include Makefile\nshow-setting:\n\t@echo $(%s)\n' "$1" |
        "${MAKE:-make}" -s --no-print-directory -C "$build" -f - show-setting
}
dest=$scratch/dest
ok "make install works" "${MAKE:-make}" -C "$build" install "DESTDIR=$dest" \
    pythondir=/python
# As in a package: prefix /usr, and libraries in a directory of the machine.
libdir=$(setting libdir)
prefix=$(setting prefix)
tree=$scratch/tree
mkdir -p "$tree/usr/lib"
mv "$dest$libdir" "$tree/usr/lib/machine" && (cd "$dest$prefix" && tar -c -f - .) | tar -x -f - -C "$tree/usr"
if [ -d "$dest/python" ]; then
    mkdir -p "$tree/usr/lib/python3" && mv "$dest/python" "$tree/usr/lib/python3/dist-packages"
else # configure had no --with-python
    mkdir -p "$tree/usr/lib/python3/dist-packages/hipshim" && : >"$tree/usr/lib/python3/dist-packages/hipshim/none"
fi
(cd "$tree" && find . ! -type d | sed 's|^\./||' | LC_ALL=C sort) >"$scratch/installed"
has "there are files" "$(cat "$scratch/installed")" usr/lib/machine/libhipshim.so.0

# Prints the files that match a pattern, itself or below it.
matches() { # PATTERN
    (
        cd "$tree" || exit 99
        # shellcheck disable=SC2086 # the pattern is to be expanded
        find $1 ! -type d 2>/dev/null
    )
}
# Reads patterns; notes their files in $scratch/taken, and in $scratch/empty those without any.
take() {
    : >"$scratch/taken"
    : >"$scratch/empty"
    while IFS= read -r pattern; do
        found=$(matches "$pattern")
        [ -z "$found" ] || printf '%s\n' "$found" >>"$scratch/taken"
        [ -n "$found" ] || printf '%s\n' "$pattern" >>"$scratch/empty"
    done
    LC_ALL=C sort "$scratch/taken" -o "$scratch/taken"
}
covered() { # KIND
    is "$1: every pattern has a file" "$(cat "$scratch/empty")" ""
    is "$1: no file is in two packages" "$(uniq -d "$scratch/taken")" ""
    is "$1: every installed file is in a package" \
        "$(uniq "$scratch/taken" | LC_ALL=C comm -13 - "$scratch/installed")" ""
}

cat debian/*.install debian/not-installed | sed 's/ .*//' | take
covered Debian
is "Debian: each binary package has a list of its own name" \
    "$(sed -n 's/^Package: //p' debian/control | sort | tr '\n' ' ')" \
    "$(printf '%s\n' debian/*.install | sed 's|.*/||; s|\.install||' | sort | tr '\n' ' ')"

spec_patterns() { # of %files, as paths in the tree
    sed -n '/^%files/,/^%changelog/p' packaging/hipshim.spec | grep '^%{' |
        sed 's|%{_libdir}|usr/lib/machine|; s|%{_bindir}|usr/bin|; s|%{_datadir}|usr/share|
            s|%{_docdir}|usr/share/doc|; s|%{_mandir}|usr/share/man|; s|%{_includedir}|usr/include|
            s|%{python3_sitearch}|usr/lib/python3*/*-packages|'
}
spec_patterns | take
grep -v '\.la$' "$scratch/installed" >"$scratch/kept" && mv "$scratch/kept" "$scratch/installed"
grep -v '\.la$' "$scratch/taken" >"$scratch/kept" && mv "$scratch/kept" "$scratch/taken"
covered "the spec"
is "the spec's macros are known here" "$(spec_patterns | grep '%{')" ""

# --- the tools' own readers, where they are ---

if command -v rpmspec >/dev/null; then
    is "rpmspec reads the packages of the spec" \
        "$(rpmspec -q --qf '%{name}\n' packaging/hipshim.spec 2>&1 | sort | tr '\n' ' ')" \
        "$(sed -n 's/^Name: *//p; s/^%package /hipshim-/p' packaging/hipshim.spec | sort | tr '\n' ' ')"
else
    skip "rpmspec reads the packages of the spec" "NO RPMSPEC HERE (the package rpm has it)"
fi
if command -v dpkg-parsechangelog >/dev/null; then
    is "dpkg reads the changelog" "$(dpkg-parsechangelog -l debian/changelog -S Version 2>&1)" "$version"
else
    skip "dpkg reads the changelog" "NO DPKG HERE"
fi
for script in consumer runtime; do
    ok "debian/tests/$script is in debian/tests/control and can be run" \
        sh -c "grep -qx 'Tests: $script' debian/tests/control && test -x debian/tests/$script && sh -n debian/tests/$script"
done
is "make has the target that package builds use" \
    "$(grep -ho 'check-offline' debian/rules packaging/hipshim.spec | sort | uniq -c | tr -s ' ')" " 2 check-offline"
ok "the target is there" grep -q '^check-offline:' "$build/Makefile"
finish
