#!/bin/sh
# SPDX-License-Identifier: MIT
#
# release-check.sh, without arguments: says what keeps this source tree from being published as the
# version in its configure.ac; HACKING.md has the steps.  `make release-check` runs it after
# `check-generated`.  PYTHON names a Python with clang and jinja2.
#
# Exit status: 0 nothing, 1 something, 2 usage.
set -u
# shellcheck source=usage.sh
. "$(dirname "$0")/usage.sh"
usage_none "$@"
cd "$(dirname "$0")/.." || exit 2

status=0
refuse() {
    echo "$*" >&2
    status=1
}
same() { # FILE FOUND HINT
    [ "$2" = "$version" ] || refuse "$1: the version is \"$2\", but configure.ac has $version; $3"
}

version=$(sed -n 's/^AC_INIT(\[hipshim\], \[\([0-9.]*\)\].*/\1/p' configure.ac)
case $version in
[0-9]*.[0-9]*.[0-9]*) ;;
*) refuse "configure.ac: the version \"$version\" is not MAJOR.MINOR.PATCH" ;;
esac
same debian/changelog "$(sed -n '1s/^hipshim (\([^)]*\)) .*/\1/p' debian/changelog)" "add an entry"
same packaging/hipshim.spec "$(sed -n 's/^Version: *//p' packaging/hipshim.spec)" "set Version"
same packaging/hipshim.spec "$(sed -n '/^%changelog/{ n; s/.* - \([0-9.]*\)-.*/\1/p; }' packaging/hipshim.spec)" \
    "add an entry to %changelog"
same ChangeLog "$(sed -n '1s/^hipshim \([^ ]*\).*/\1/p' ChangeLog)" "its first line has the version and the date"
sed -n 1p ChangeLog | grep -q '([0-9]\{4\}-[0-9][0-9]-[0-9][0-9])$' ||
    refuse "ChangeLog: the first line has no date, such as \"hipshim $version (2027-01-31)\""
! sed -n 1p debian/changelog | grep -q UNRELEASED ||
    refuse "debian/changelog: the first entry is UNRELEASED; name the distribution"
! grep -q 'packages\.invalid' debian/control debian/changelog packaging/hipshim.spec ||
    refuse "debian/control: the address of the maintainer is a placeholder; HACKING.md lists the places"

sed -n 3p README.md | grep -q "^$version, " || refuse "README.md: line 3 does not begin with \"$version, \""
grep -q '^Homepage:' debian/control || refuse "debian/control: there is no Homepage; HACKING.md lists the places"
grep -q '^Source:' debian/copyright || refuse "debian/copyright: there is no Source"
grep -q '^Source0: *https' packaging/hipshim.spec || refuse "packaging/hipshim.spec: Source0 is not a URL"

record=tests/hipgen/promised.txt
if promised=$("${PYTHON:-python3}" tests/hipgen/promised.py); then
    [ "$promised" = "$(cat $record)" ] ||
        refuse "$record: lacks what this version adds; write the output of tests/hipgen/promised.py to it"
else
    refuse "$record: cannot be compared; PYTHON must name a Python with clang and jinja2"
fi

if [ -e .git ]; then
    [ -z "$(git status --porcelain)" ] || refuse "git: there are changes that are not committed"
    tagged=$(git rev-parse -q --verify "v$version^{commit}")
    [ -z "$tagged" ] || [ "$tagged" = "$(git rev-parse HEAD)" ] ||
        refuse "git: the tag v$version is another commit; give configure.ac a new version"
    first=v${version%.*}.0
    if [ "$first" != "v$version" ] && git rev-parse -q --verify "$first" >/dev/null; then
        added=$(git show "$first:$record" | grep '^export ' | grep -vxFf - "$record" | grep -c '^export ')
        [ "$added" -eq 0 ] ||
            refuse "$record: $added exports are newer than $first; a version that adds names has another minor number"
    fi
fi
[ $status -ne 0 ] || echo "hipshim $version can be published"
exit $status
