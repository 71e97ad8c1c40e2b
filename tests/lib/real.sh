# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Runs the programs of tests/dispatch/real, each built once, on one real HIP runtime:
#   . tests/lib/real.sh; real_main NAME
# where NAME is a tree that tests/lib/fetch-runtimes made.  Every cmocka test of
# every program is one TAP line here.  A runtime that is not there is a loud
# skip, or a failure with HIPSHIM_TEST_RUNTIMES=require (but for 7.2, whose
# suite moves most).
# shellcheck disable=SC2154 # scratch and tap_count are of tap.sh

real_programs="calls_inline compiles_kernels finds_what_dlsym_finds first_use_from_8_threads first_use_in_a_constructor
    joins_a_mapped_runtime resolves_what_is_exported tells_its_release works_after_fork"

real_missing() { # NAME REASON
    if [ "${HIPSHIM_TEST_RUNTIMES:-}" = require ] && [ "$1" != 7.2 ]; then
        plan 1
        tap_result no "the real HIP $1 runtime is there"
        tap_comment "$2"
        exit 0
    fi
    skip_all "HIP $1: $2"
}

# hipshim asks for the newest major first, and a tree's linker looks where the
# machine has its libraries, too.  For each HIP that is there, $scratch/hide has
# an empty library of its name, which has to be the last of a library path.
real_hide() {
    [ ! -d "$scratch/hide" ] || return 0
    mkdir "$scratch/hide"
    real_hidden=$({
        PATH=$PATH:/usr/sbin:/sbin ldconfig -p
        ls /lib /usr/lib /lib/x86_64-linux-gnu /usr/lib/x86_64-linux-gnu
    } 2>/dev/null | sed -n 's/.*\(libamdhip64\.so\.[0-9][0-9]*\).*/\1/p' | sort -u)
    for real_soname in $real_hidden; do
        # shellcheck disable=SC2086 # CC may be several words
        ${CC:-cc} -shared -nostdlib -x c /dev/null -o "$scratch/hide/$real_soname" || exit 99
    done
}

# Sets real_tree, real_loader and real_release.
real_find() { # NAME
    real_tree=${HIPSHIM_RUNTIMES:-$build/runtimes}/$1
    [ -d "$real_tree" ] || real_missing "$1" "no real runtime in $real_tree (tests/lib/fetch-runtimes gets it)"
    for real_loader in "$real_tree/usr/lib64/ld-linux-x86-64.so.2" \
        "$real_tree/lib64/ld-linux-x86-64.so.2"; do
        [ -f "$real_loader" ] && break
    done
    [ -f "$real_loader" ] || real_missing "$1" "$real_tree has no dynamic linker"
    real_hide
    real_release=$(sed -n 's/^#define HIP_VERSION_\(MAJOR\|MINOR\|PATCH\) *\([0-9]*\).*/\2/p' \
        "$real_tree/usr/include/hip/hip_version.h" | tr '\n' . | sed 's/\.$//')
}

# Runs a program under the tree's own C library, as that release's users do.
real_run() { # PROGRAM [ARGS]
    timeout 120 env AMD_COMGR_CACHE=0 REAL_RELEASE="$real_release" \
        "$real_loader" --inhibit-cache --library-path \
        "$build/.libs:$scratch/lib:$real_tree/usr/lib/x86_64-linux-gnu:$real_tree/lib/x86_64-linux-gnu:$scratch/hide" \
        "$@"
}

# What a cmocka program that ended with STATUS wrote to $scratch/out, a line each;
# what it skips is meant for another run of it.
real_results() { # WORDS STATUS
    while IFS= read -r real_line; do
        case $real_line in
        *"# SKIP "*) ;;
        "ok "*) tap_result yes "$1: $(real_title "$real_line")" ;;
        "not ok "*) tap_result no "$1: $(real_title "$real_line")" ;;
        *) ;;
        esac
    done <"$scratch/out"
    is "$1: ran to its end" "$2 $(sed -n 's/^1\.\.//p' "$scratch/out" | head -n 1)" \
        "0 $(grep -c '^\(not \)\{0,1\}ok ' "$scratch/out")"
    [ "$2" -eq 0 ] || cat "$scratch/out" "$scratch/err" | tail -n 40 | sed 's/^/#   /'
}

# The host's cmocka alone, not the directory it lies in.
real_lend_cmocka() {
    mkdir -p "$scratch/lib"
    real_cmocka=$(ldd "$build/tests/dispatch/real/tells_its_release_t" 2>/dev/null |
        sed -n 's/.*libcmocka[^ ]* => \([^ ]*\).*/\1/p')
    if [ -n "$real_cmocka" ]; then
        ln -s "$real_cmocka" "$scratch/lib/"
    fi
}

# The program itself, not libtool's wrapper of it.
real_binary() { # NAME
    if [ -f "$build/tests/dispatch/real/.libs/$1_t" ]; then
        printf '%s\n' "$build/tests/dispatch/real/.libs/$1_t"
    else
        printf '%s\n' "$build/tests/dispatch/real/$1_t"
    fi
}

real_program() { # NAME
    CMOCKA_MESSAGE_OUTPUT=TAP real_run "$(real_binary "$1")" >"$scratch/out" 2>"$scratch/err"
    real_status=$?
    real_words=$(printf '%s' "$1" | tr _ ' ')
    while IFS= read -r real_line; do
        case $real_line in
        "ok "*) tap_result yes "$real_words: $(real_title "$real_line")" ;;
        "not ok "*) tap_result no "$real_words: $(real_title "$real_line")" ;;
        *) ;;
        esac
    done <"$scratch/out"
    if [ $real_status -ne 0 ]; then
        tap_comment "$1: exit status $real_status"
        cat "$scratch/out" "$scratch/err" | tail -n 40 | sed 's/^/#   /'
    fi
    # A crash leaves fewer lines than planned, which must not pass unseen.
    real_planned=$(sed -n 's/^1\.\.\([0-9]*\)$/\1/p' "$scratch/out" | head -n 1)
    real_seen=$(grep -c '^\(not \)\{0,1\}ok ' "$scratch/out")
    if [ "${real_planned:-none}" != "$real_seen" ]; then
        tap_result no "$real_words: ran to its end"
    fi
}

real_title() { printf '%s\n' "$1" | sed 's/^[a-z ]*[0-9]* - //; s/_/ /g'; }

real_pin() { # DESCRIPTION VALUE PART-OF-TEXT
    real_text=$(HIPSHIM_LIBRARY=$2 real_run "$(real_tool)" info 2>&1)
    real_status=$?
    has "HIPSHIM_LIBRARY $1: the text says what is wrong" "$real_text" "$3"
    is "HIPSHIM_LIBRARY $1: exit status" $real_status "$4"
}

real_tool() {
    if [ -f "$build/.libs/hipshim" ]; then
        printf '%s\n' "$build/.libs/hipshim"
    else
        printf '%s\n' "$build/hipshim"
    fi
}

# A real runtime is at hand, yet the user pins something else.
real_pins() {
    printf 'not a library\n' >"$scratch/text.so"
    mkdir -p "$scratch/empty-dir"
    # An ELF header is enough: 32-bit x86, then 64-bit AArch64.
    printf '\177ELF\001\001\001\0\0\0\0\0\0\0\0\0\003\0\003\0\001\0\0\0%052d' 0 >"$scratch/i386.so"
    printf '\177ELF\002\001\001\0\0\0\0\0\0\0\0\0\003\0\267\0\001\0\0\0%052d' 0 >"$scratch/arm.so"
    real_pin "unset by being empty" "" "$real_release" 0
    real_pin "naming nothing" "$scratch/absent.so" "absent.so" 1
    real_pin "at a directory without one" "$scratch/empty-dir" "empty-dir" 1
    real_pin "at a text file" "$scratch/text.so" "text file" 1
    real_pin "at a 32-bit library" "$scratch/i386.so" "32-bit" 1
    real_pin "at a library for another machine" "$scratch/arm.so" "AArch64" 1
    real_pin "at the runtime itself" \
        "$(ls "$real_tree"/usr/lib/x86_64-linux-gnu/libamdhip64.so.[567])" "$real_release" 0
    real_pin "at its prefix" "$real_tree/usr" "$real_release" 0
}

real_main() { # NAME
    real_find "$1"
    real_lend_cmocka
    tap_comment "HIP $real_release from $real_tree"
    for real_one in $real_programs; do
        real_program "$real_one"
    done
    real_pins
    real_example=$(real_run "$build/examples/.libs/hiprtc_compile" gfx90a 2>&1)
    has "the example compiles for gfx90a" "$real_example" "axpy<float> for gfx90a: "
    printf '1..%d\n' "$tap_count"
}
