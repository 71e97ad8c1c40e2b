# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154 # real_* are of real.sh
# shellcheck source-path=SCRIPTDIR
#
# The programs of tests/dispatch/real hold on the real HIP runtime that the name of the
# test says, and hipshim says what is wrong with a HIPSHIM_LIBRARY that names another file.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../lib/real.sh
. "$top/tests/lib/real.sh"

program() { # NAME
    binary=$(real_built "tests/dispatch/real/$1")
    preload=$real_preload
    if [ "$1" = resolves_what_is_exported_t ]; then
        # It compares addresses of functions with hipshim's, and would see the recorder's.
        [ -z "$preload" ] || real_run "$binary" >/dev/null 2>&1
        real_preload=
    fi
    real_run "$binary" >"$scratch/out" 2>"$scratch/err"
    relay "${1%_t}" $?
    real_preload=$preload
}

pin() { # DESCRIPTION VALUE PART-OF-TEXT STATUS
    text=$(HIPSHIM_LIBRARY=$2 real_run "$(real_tool)" info 2>&1)
    status=$?
    has "HIPSHIM_LIBRARY $1: the text names the cause" "$text" "$3"
    is "HIPSHIM_LIBRARY $1: the exit status is right" $status "$4"
}

pins() {
    printf 'not a library\n' >"$scratch/text.so"
    mkdir -p "$scratch/empty-dir"
    # An ELF header is enough: 32-bit x86, then 64-bit AArch64.
    printf '\177ELF\001\001\001\0\0\0\0\0\0\0\0\0\003\0\003\0\001\0\0\0%052d' 0 >"$scratch/i386.so"
    printf '\177ELF\002\001\001\0\0\0\0\0\0\0\0\0\003\0\267\0\001\0\0\0%052d' 0 >"$scratch/arm.so"
    pin "is empty, so it counts as unset" "" "$real_release" 0
    pin "names no file" "$scratch/absent.so" "absent.so" 1
    pin "names a directory without a runtime" "$scratch/empty-dir" "empty-dir" 1
    pin "names a text file" "$scratch/text.so" "text file" 1
    pin "names a 32-bit library" "$scratch/i386.so" "32-bit" 1
    pin "names a library for another machine" "$scratch/arm.so" "AArch64" 1
    pin "names the runtime itself" \
        "$(ls "$real_tree"/usr/lib/x86_64-linux-gnu/libamdhip64.so.[0-9])" "$real_release" 0
    pin "names the runtime's prefix" "$real_tree/usr" "$real_release" 0
}

real_name=$(real_release_of_test)
real_find "$real_name"
real_lend_cmocka
tap_comment "HIP $real_release from $real_tree"
real_record_begin real
for source in "$top"/tests/dispatch/real/*_t.c; do
    program "$(basename "$source" .c)"
done
real_record_end real
pins
has "the example compiles for gfx90a" \
    "$(real_run "$(real_built examples/hiprtc_compile)" gfx90a 2>&1)" "axpy<float> for gfx90a: "
finish
