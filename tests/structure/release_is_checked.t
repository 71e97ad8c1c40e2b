#!/bin/sh
# SPDX-License-Identifier: MIT
# `make release-check` accepts a tree that is ready to be published, and names each thing that is not.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

tree=$scratch/tree
record=tests/hipgen/promised.txt
# The tree is small, and this "Python" prints the promises of configure.ac's version.
printf '#!/bin/sh\ncat %s/promises\n' "$scratch" >"$scratch/python"
chmod +x "$scratch/python"
printf 'enum hipE unsigned: a = 0\nexport hipF@@HIPSHIM_0.1\n' >"$scratch/promises"
git_of() {
    git -C "$tree" -c user.name=test -c user.email=test@example.com -c commit.gpgsign=false "$@" >/dev/null 2>&1
}
prepare() {
    rm -rf "$tree"
    mkdir -p "$tree/scripts" "$tree/debian" "$tree/packaging" "$tree/tests/hipgen"
    cp "$top/scripts/usage.sh" "$top/scripts/release-check.sh" "$tree/scripts"
    cd "$tree" || exit 99
    echo 'AC_INIT([hipshim], [0.1.0], [], [hipshim])' >configure.ac
    echo 'hipshim 0.1.0 (2027-01-31)' >ChangeLog
    echo 'hipshim (0.1.0) unstable; urgency=medium' >debian/changelog
    printf 'Maintainer: A <a@example.org>\nHomepage: https://example.org\n' >debian/control
    echo 'Source: https://example.org' >debian/copyright
    printf 'hipshim\n\n0.1.0, MIT license\n' >README.md
    printf '%s\n' 'Version:        0.1.0' 'Source0: https://example.org/hipshim.tar.xz' %changelog '* Sun Jan 31 2027 A <a@example.org> - 0.1.0-1' \
        >packaging/hipshim.spec
    cp "$scratch/promises" $record
    ! command -v git >/dev/null || { git_of init && commit; }
}
commit() { git_of add -A && git_of commit -m change; }
check() {
    run env PYTHON="$scratch/python" sh "$tree/scripts/release-check.sh"
}

prepare
check
exits "a tree that is ready is accepted" 0
gives "and its version is said" "hipshim 0.1.0 can be published"

refuses() { # FILE SED WANTED: a change of one file is refused for a reason
    prepare
    sed -i "$2" "$1"
    ! command -v git >/dev/null || commit
    check
    is "$1 that is not ready: $2" "$status $(grep -c -- "$3" "$scratch/output")" "1 1"
}
refuses configure.ac 's/0\.1\.0/0.2.0/' '^ChangeLog: the version is "0.1.0", but configure.ac has 0.2.0'
refuses configure.ac 's/0\.1\.0/0.2/' '^configure.ac: the version "0.2" is not MAJOR'
refuses ChangeLog 's/(.*/(unreleased)/' '^ChangeLog: the first line has no date'
refuses debian/changelog 's/unstable/UNRELEASED/' '^debian/changelog: the first entry is UNRELEASED'
refuses debian/changelog 's/0\.1\.0/0.0.9/' '^debian/changelog: the version is "0.0.9"'
refuses debian/control 's/example.org/packages.invalid/' '^debian/control: the address'
refuses packaging/hipshim.spec 's/^Version: .*/Version: 0.0.9/' '^packaging/hipshim.spec: the version is "0.0.9".*set Version'
refuses packaging/hipshim.spec 's/0\.1\.0-1/0.0.9-1/' '^packaging/hipshim.spec: the version is "0.0.9".*changelog'
refuses README.md 's/0.1.0/0.1.0 (unreleased)/' '^README.md: line 3'
refuses debian/control /Homepage/d '^debian/control: there is no Homepage'
refuses debian/copyright 1d '^debian/copyright: there is no Source'
refuses packaging/hipshim.spec s/https:.*/hipshim.tar.xz/ '^packaging/hipshim.spec: Source0'
refuses $record 1d "^$record: lacks what this version adds"

if command -v git >/dev/null; then
    prepare
    echo >>ChangeLog
    check
    gives "a change that is not committed is refused" "git: there are changes .*"
    prepare
    git_of tag v0.1.0
    check
    exits "the tag may be there already" 0
    echo more >>ChangeLog
    commit
    check
    gives "but not at another commit" "git: the tag v0.1.0 is another commit; .*"
    sed -i 's/0\.1\.0/0.1.1/' configure.ac ChangeLog README.md debian/changelog packaging/hipshim.spec
    commit
    check
    exits "a version with the same names and another patch number is accepted" 0
    echo 'export hipG@@HIPSHIM_0.1' >>"$scratch/promises"
    cp "$scratch/promises" $record
    commit
    check
    gives "one with another name is not" "$record: 1 exports are newer than v0.1.0; .*"
else
    for title in "a change that is not committed is refused" "the tag may be there already" \
        "but not at another commit" "a version with the same names and another patch number is accepted" \
        "one with another name is not"; do
        skip "$title" "there is no git (install-deps test)"
    done
fi
finish
