#!/bin/sh
# SPDX-License-Identifier: MIT
# `hipshim run` starts a program as env(1) does: its arguments, exit status and
# environment are its own except for what was asked for.
# shellcheck source-path=SCRIPTDIR disable=SC2016
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

tool=$build/hipshim
[ -x "$tool" ] || skip_all "there is no program at $tool"
HIPSHIM_LOOPBACK=$build/src/loopback/.libs
export HIPSHIM_LOOPBACK
unset LD_PRELOAD LOOPBACK_GPUS LOOPBACK_ISA ASAN_OPTIONS

run() { # ARGUMENTS of hipshim run
    output=$("$tool" run "$@" 2>&1)
    status=$?
}
one_line() { # DESCRIPTION
    is "$1" "$(printf '%s\n' "$output" | grep -c .)" 1
}

run --loopback sh -c 'exit 42'
is "the status is the program's" $status 42
run --loopback sh -c 'kill -9 $$'
is "so is the signal that ends it" $status 137
run --loopback printf '[%s]' --help -x -- ''
is "options behind the program are the program's" "$output" "[--help][-x][--][]"
run --loopback -- printf '[%s]' --loopback
is "-- ends the options" "$output" "[--loopback]"
printf '#!/bin/sh\necho "$@"\n' >"$scratch/-odd"
chmod +x "$scratch/-odd"
output=$(PATH=$scratch:$PATH "$tool" run --loopback -- -odd -y 2>&1)
is "behind it, a program may be named like an option" "$output" -y
printf 'echo as a script\n' >"$scratch/bare"
chmod +x "$scratch/bare"
run --loopback "$scratch/bare"
is "a script without #! runs in the shell" "$output" "as a script"
output=$(cd "$scratch" && PATH=":$PATH" "$tool" run --loopback bare 2>&1)
is "an empty place in PATH is the working directory" "$output" "as a script"

run --loopback "$scratch/none"
is "no such file: 127" $status 127
one_line "said in one line"
run --loopback no-such-program-anywhere
is "not in PATH: 127" $status 127
has "it is named" "$output" "hipshim run: no-such-program-anywhere: No such file or directory"
: >"$scratch/plain"
run --loopback "$scratch/plain"
is "not executable: 126" $status 126
run --loopback "$scratch"
is "a directory: 126" $status 126
printf '#!/no/such/interpreter\n' >"$scratch/lost"
chmod +x "$scratch/lost"
run --loopback "$scratch/lost"
is "an interpreter that is not there: 127" $status 127
has "... and the interpreter is named" "$output" "lost: its interpreter /no/such/interpreter is not there"
one_line "... in one line"
printf 'int main(void) { return 0; }\n' >"$scratch/static.c"
if ${CC:-cc} -static -o "$scratch/static" "$scratch/static.c" 2>/dev/null; then
    run --loopback "$scratch/static"
    is "a static program runs with --loopback" $status 0
    has "... after a warning" "$output" \
        "static is a static program; only programs that it starts get the loopback"
else
    skip "a static program runs with --loopback" "this compiler links no static programs"
fi

for wrong in --loopback=9 --loopback=2x --loopback= --isa=gfx90a --arch=gfx90a --no-such-option; do
    run "$wrong" true
    is "$wrong is refused" $status 125
    has "$wrong: help is pointed to" "$output" "hipshim run --help"
done
run true
is "a program and nothing to set is refused" $status 125
run --loopback
is "no program is refused" $status 125
for wrong in '' nope gfxnope 'gfx90a;rm' gfx90a:foo; do
    run --loopback --arch="$wrong" true
    is "--arch='$wrong' is no processor, and refused" $status 125
done
HIPSHIM_LOOPBACK=$scratch run --loopback true
is "no loopback: 125" $status 125
has "its file is named" "$output" "$scratch/libhsa-runtime64.so.1: No such file or directory"
one_line "in one line"
mkdir "$scratch/a space"
cp "$HIPSHIM_LOOPBACK/libhsa-runtime64.so.1" "$scratch/a space"
HIPSHIM_LOOPBACK="$scratch/a space" run --loopback true
is "a name that LD_PRELOAD cannot hold is refused" $status 125
run --help
is "--help works" $status 0
has "help says what it is not" "$output" "nothing about races, hardware or speed"

library=$HIPSHIM_LOOPBACK/libhsa-runtime64.so.1
run --loopback --arch gfx942 sh -c 'echo "$LOOPBACK_ISA"'
is "--arch is the processor" "$output" gfx942
run --loopback=3 --isa=gfx1030 sh -c 'echo "$LOOPBACK_GPUS $LOOPBACK_ISA $LD_PRELOAD"'
is "the settings are there" "$output" "3 gfx1030 $library"
run --loopback sh -c 'echo "$LOOPBACK_GPUS ${LOOPBACK_ISA-unset}"'
is "one GPU of the usual kind, unless asked" "$output" "1 unset"
LOOPBACK_GPUS=two LOOPBACK_ISA=gfx908 run --loopback sh -c 'echo "$LOOPBACK_GPUS $LOOPBACK_ISA"'
is "without a number of GPUs, LOOPBACK_GPUS stays as it is" "$output" "two gfx908"
LOOPBACK_GPUS=two run --loopback=0 sh -c 'echo "$LOOPBACK_GPUS"'
is "a number of GPUs comes before it, also 0" "$output" 0
output=$(LD_PRELOAD=$library LD_LIBRARY_PATH=/x ASAN_OPTIONS=a=1 "$tool" run --loopback \
    sh -c 'echo "$LD_PRELOAD $LD_LIBRARY_PATH $ASAN_OPTIONS"')
has "what was preloaded stays first" "$output" "$library:$library "
has "the library path is put before the old one" "$output" " $HIPSHIM_LOOPBACK:"
has "the old one stays" "$output" ":/x a=1:"
is "this process has none of it" "${LD_PRELOAD-none}${LOOPBACK_GPUS-none}" nonenone

if [ "$(id -u)" -eq 0 ] && id nobody >/dev/null 2>&1; then
    cp /bin/true "$scratch/other"
    chown nobody "$scratch/other"
    chmod 4755 "$scratch/other"
    run --loopback "$scratch/other"
    is "a setuid program is refused" $status 125
    has "with the reason" "$output" "is setuid; such programs ignore these settings"
    chown "0:$(id -g nobody)" "$scratch/other"
    chmod 2755 "$scratch/other"
    run --loopback "$scratch/other"
    is "a setgid program is refused" $status 125
    chown 0:0 "$scratch/other"
    chmod 6755 "$scratch/other"
    run --loopback "$scratch/other"
    is "bits that change nothing are no reason" $status 0
else
    skip "a setuid program is refused" "only root can make one"
    skip "with the reason" "only root can make one"
    skip "a setgid program is refused" "only root can make one"
    skip "bits that change nothing are no reason" "only root can make one"
fi
finish
