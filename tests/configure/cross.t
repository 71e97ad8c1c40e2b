#!/bin/sh
# SPDX-License-Identifier: MIT
# A cross build runs no program that it has built for the other machine.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

[ -x "$build/hipshim" ] || skip_all "there is no program at $build/hipshim"
[ -x "$top/configure" ] || skip_all "there is no configure; ./autogen.sh makes it"
compiler=aarch64-linux-gnu-gcc
command -v $compiler >/dev/null || skip_all "there is no $compiler (gcc-aarch64-linux-gnu has it)"
unset CC CXX CFLAGS LDFLAGS HIPSHIM_FOR_BUILD

cross() { # DIRECTORY [ARGUMENT...]: configures; the commands of `make` are in $commands then
    mkdir "$scratch/$1"
    cd "$scratch/$1" || exit 99
    shift
    CONFIG_SHELL=/bin/sh PATH=$path "$top/configure" --host=aarch64-linux-gnu --without-hip \
        --disable-dependency-tracking "$@" >output 2>&1
    status=$?
    commands=$(make -n 2>&1)
}
# Neither a program of this machine nor of another one is found by its name.
path=
for directory in $(printf '%s' "$PATH" | tr : ' '); do
    [ -x "$directory/hipshim" ] || path=$path${path:+:}$directory
done

cross alone
is "a cross build is configured" $status 0
has "... and a warning names what it leaves out" "$(cat output)" \
    "a cross build without abi.json and the example 06"
has "... its libraries are built" "$commands" libhipshim.la
lacks "... it does not run the program that it builds" "$commands" "hipshim embed"

# The program of this build is a script of libtool, which its directory need not know.
cross together HIPSHIM_FOR_BUILD="$build/hipshim"
is "a cross build with a program of this machine is configured" $status 0
has "... it runs that program for abi.json" "$commands" "$build/hipshim abi export"
has "... and for the example" "$commands" "$build/hipshim embed"
printf '#!/bin/sh\necho hipshim 0.0.1\n' >"$scratch/older"
chmod +x "$scratch/older"
cross old HIPSHIM_FOR_BUILD="$scratch/older"
is "a program of another version is refused" $status 1
has "... by name" "$(cat output)" "HIPSHIM_FOR_BUILD=$scratch/older is not hipshim"
finish
