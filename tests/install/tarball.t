#!/bin/sh
# SPDX-License-Identifier: MIT
# The tarball holds what the repository holds, is the same file for everybody, and builds in its own
# tree, installs and runs where there is no Python.
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

[ -f "$build/Makefile" ] || skip_all "not configured"
plan 12

make=${MAKE:-make}
name=hipshim-tarball-test
# Fast, not small.
XZ_OPT=-1
export XZ_OPT
ok "make dist works" "$make" -C "$build" dist "distdir=$name"
mv "$build/$name.tar.xz" "$scratch" 2>/dev/null
ok "it unpacks" tar -x -f "$scratch/$name.tar.xz" -C "$scratch"
tree=$scratch/$name
mkdir "$scratch/again"
other_dist() {
    (umask 077 && TZ=Asia/Tokyo "$make" -C "$build" dist "distdir=$name") &&
        mv "$build/$name.tar.xz" "$scratch/again" && cmp "$scratch/$name.tar.xz" "$scratch/again/$name.tar.xz"
}
ok "another time, time zone and umask make the same file" other_dist
has "its members belong to root and have the modes of a usual umask" \
    "$(tar -t -v --numeric-owner -f "$scratch/$name.tar.xz" | awk '{ print $1, $2 }' | sort -u | tr '\n' ' ')" \
    "-rw-r--r-- 0/0 -rwxr-xr-x 0/0 drwxr-xr-x 0/0 "

# Lists of files, without those that automake and autoconf make.
if repository=$(cd "$top" && [ -e .git ] && git ls-files -co --exclude-standard 2>/dev/null); then
    printf '%s\n' "$repository" | grep -vx '\.gitignore' | sort >"$scratch/in-git"
    (cd "$tree" && find . -type f | sed 's|^\./||' |
        grep -Ev '^(bindings/(\.stamp|files\.mk|releases\.list|(apis|python)\.mk|(bindings|inline|sonames|stable)\.h|(dropins|words)\.c|[a-z]*/.*)|build-aux/.*|m4/l[t~i][a-z~-]*\.m4|configure|aclocal\.m4|Makefile\.in)$' | sort) >"$scratch/in-tar"
    is "no file of the repository is missing" "$(comm -23 "$scratch/in-git" "$scratch/in-tar")" ""
    is "no other file is in it" "$(comm -13 "$scratch/in-git" "$scratch/in-tar")" ""
else
    skip "no file of the repository is missing" "not a git checkout"
    skip "no other file is in it" "not a git checkout"
fi

# Every command of PATH but Python and the tools of a maintainer.
mkdir "$scratch/bin"
IFS=:
for dir in $PATH; do
    for command in "$dir"/*; do
        case ${command##*/} in
        *python* | *clang* | pyenv | autoconf* | automake* | aclocal* | autom4te*) continue ;;
        esac
        [ -e "$scratch/bin/${command##*/}" ] || ln -s "$command" "$scratch/bin" 2>/dev/null
    done
done
unset IFS
# configure may ask whether this is a useful Python; nothing else may.
printf '#!/bin/sh\necho "$@" >>"%s"\nexit 1\n' "$scratch/python-calls" >"$scratch/bin/no-python"
chmod +x "$scratch/bin/no-python"

prefix=$scratch/prefix
# No tests run on what is built here, so it need not be fast, and libtool need not compile each
# file a second time: no file of the tarball is for static libraries alone.
# configure prefers bash, in which libtool takes twice the time.
(cd "$tree" && find . ! -type d | sort) >"$scratch/unpacked"
in_tree() { (cd "$tree" && CONFIG_SHELL=/bin/sh PATH=$scratch/bin PYTHON=no-python "$@"); }
ok "it configures without Python" in_tree ./configure "--prefix=$prefix" --without-hip --disable-static --disable-siblings \
    --disable-dependency-tracking CFLAGS=-O0
ok "it builds without Python" in_tree make
ok "it installs" in_tree make install
(cd "$tree" && find . ! -type d | sort | comm -13 "$scratch/unpacked" -) >"$scratch/built"
title="git ignores each file of a build in the tree"
if [ -n "$repository" ]; then
    (cd "$top" && git check-ignore --stdin <"$scratch/built") >"$scratch/ignored"
    is "$title" "$(comm -23 "$scratch/built" "$scratch/ignored")" ""
else
    skip "$title" "not a git checkout"
fi
is "Python was asked for by configure only" "$(wc -l <"$scratch/python-calls" | tr -d ' ')" 2

cat >"$scratch/consumer.c" <<'SOURCE'
#include <hipshim/hipshim.h>
#include <stdio.h>
int main(void) { return puts(hipshim_version()) < 0; }
SOURCE
use() {
    # shellcheck disable=SC2046 # flags are lists of words
    ${CC:-cc} "$scratch/consumer.c" -o "$scratch/consumer" \
        $(PKG_CONFIG_PATH=$prefix/lib/pkgconfig "${PKG_CONFIG:-pkg-config}" --cflags --libs hipshim) &&
        LD_LIBRARY_PATH=$prefix/lib "$scratch/consumer"
}
ok "a program uses it from its prefix" use
