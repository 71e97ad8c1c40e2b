#!/bin/sh
# SPDX-License-Identifier: MIT
# Under `hipshim run --abi` a program finds the drop-ins in the place of the HIP
# it was linked to, a DT_RPATH or not, and says what keeps it from that.
# shellcheck source-path=SCRIPTDIR disable=SC2016,SC2086
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../lib/real.sh
. "$top/tests/lib/real.sh"
# shellcheck source=../dropin/programs/run.sh
. "$top/tests/dropin/programs/run.sh"

tool=$build/hipshim
[ -x "$tool" ] || skip_all "there is no program at $tool"
cc=${CC:-cc}
unset LD_PRELOAD LD_LIBRARY_PATH HIPSHIM_DROPIN HIPSHIM_LIBRARY HIP_PATH ROCM_PATH

run() { # ARGUMENTS of hipshim run
    output=$(timeout 60 "$tool" run "$@" 2>&1)
    status=$?
}
fails() { # DESCRIPTION PART: with one line
    is "$1: exit status" $status 125
    is "$1: one line" "$(printf '%s\n' "$output" | grep -c .)" 1
    has "$1: which says why" "$output" "$2"
}

# The number of the runtime shows that a call reached it.
HIPSHIM_DROPIN_VERSION=installed
export HIPSHIM_DROPIN_VERSION

# --- a runtime of HIP 6, and a program that was linked to another of HIP 5 ---

runtime() { # MAJOR VERSION
    mkdir -p "$scratch/hip$1" && $cc -shared -fPIC -w -DFAKE_VERSION="$2" \
        -o "$scratch/hip$1/libamdhip64.so.$1" -Wl,-soname,"libamdhip64.so.$1" \
        "$top/tests/loader/fake_runtime.c"
}
cat >"$scratch/asks.c" <<'SOURCE'
#include <stdio.h>
int hipRuntimeGetVersion(int *version);
int hipStreamDestroy(void *stream);
int main(void)
{
    int version = 0;
    int error = hipRuntimeGetVersion(&version);
    printf("%d (%d)\n", version, error);
    return 0;
}
SOURCE
# shellcheck disable=SC2086 # a list
asks() { # NAME TAGS...
    asks_name=$1
    shift
    $cc -o "$scratch/$asks_name" "$scratch/asks.c" "$scratch/hip5/libamdhip64.so.5" "$@"
}
ok "a runtime of HIP 5 is built" runtime 5 50731921
ok "a runtime of HIP 6 is built" runtime 6 60443484
ok "a program for HIP 5 is built" asks none
ok "one with a DT_RUNPATH is built" asks runpath -Wl,--enable-new-dtags -Wl,-rpath,"$scratch/hip5"
ok "one with a DT_RPATH is built" asks rpath -Wl,--disable-new-dtags -Wl,-rpath,"$scratch/hip5"
alone=$("$scratch/none" 2>&1)
status=$?
if [ $status -eq 0 ]; then
    lacks "alone, the program does not reach HIP 6" "$alone" "60443484"
    skip "alone, the program does not start" "this machine has a HIP 5: $alone"
else
    is "alone, the program does not start" $status 127
fi
is "alone, those with a path use HIP 5" "$("$scratch/rpath")" "50731921 (0)"
six=$scratch/hip6/libamdhip64.so.6
for program in none runpath rpath; do
    for abi in 5 auto; do
        run --abi $abi --hip "$six" "$scratch/$program"
        is "--abi $abi: HIP 6 serves the program with a path of kind $program" "$output" "60443484 (0)"
    done
done
(cd "$scratch" && "$tool" run --abi auto --hip hip6 ./none) >"$scratch/out" 2>&1
is "--hip may be a directory, by a relative name" "$(cat "$scratch/out")" "60443484 (0)"
printf 'int main(void) { return 0; }\n' >"$scratch/shim.c"
ok "a program with libhipshim is built" $cc -o "$scratch/shim" "$scratch/shim.c" -Wl,--no-as-needed \
    -L"$build/.libs" -lhipshim -Wl,-rpath,"$build/.libs"
run --abi auto --hip "$six" "$scratch/shim"
is "--abi auto has no advice for it" "$status $output" "0 "
run --abi 5 --hip "$six" sh -c 'printf "%s\n" "$HIPSHIM_LIBRARY" "${LD_PRELOAD:-none}"; cd /; '"$scratch/none"
is "a script passes it on, and nothing is preloaded for it" "$output" "$six
none
60443484 (0)"
LD_LIBRARY_PATH=/behind
export LD_LIBRARY_PATH
run --abi 7 sh -c 'echo "$LD_LIBRARY_PATH"'
unset LD_LIBRARY_PATH
# libtool's wrapper of an uninstalled program has its own in between.
is "what LD_LIBRARY_PATH had comes after the tree of the major and the drop-ins" \
    "$(printf '%s\n' "$output" | cut -d : -f 1,2) ${output##*:}" "$build/rocm-7/lib:$build/dropin /behind"
run --hip "$six" sh -c 'echo "$HIPSHIM_LIBRARY; $LD_LIBRARY_PATH"'
is "--hip alone is for programs with libhipshim" "${output%%;*}" "$six"
lacks "and sets no path" "$output" "dropin"
is "the program's own environment has nothing of it" "${HIPSHIM_LIBRARY:-none}" none

# --- programs that open HIP by a name without a number, as interpreters do ---

cat >"$scratch/opens.c" <<'SOURCE'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    void *library = dlopen(argv[argc - 1], RTLD_NOW);
    int (*function)(int *) = library ? (int (*)(int *))dlsym(library, "hipRuntimeGetVersion") : NULL;
    int version = 0;
    Dl_info info;
    if (!function || !dladdr((void *)function, &info)) {
        puts(dlerror());
        return 1;
    }
    int error = function(&version);
    printf("%s %d (%d)\n", realpath(info.dli_fname, NULL), version, error);
    return 0;
}
SOURCE
ok "a program that opens HIP by name is built" $cc -o "$scratch/opens" "$scratch/opens.c" -ldl
ln -s libamdhip64.so.6 "$scratch/hip6/libamdhip64.so"
LD_LIBRARY_PATH=$scratch/hip6
export LD_LIBRARY_PATH
is "alone, it finds the installed library" "$("$scratch/opens" libamdhip64.so)" "$six 60443484 (0)"
for major in 5 6 7; do
    run --abi $major --hip "$six" "$scratch/opens" libamdhip64.so
    is "--abi $major: libamdhip64.so is the drop-in of $major" "${output%% *}" "$build/dropin/libamdhip64.so.$major"
done
for name in libamdhip64.so libhiprtc.so libhiprtc.so.6; do
    run --abi 6 --hip "$six" "$scratch/opens" $name
    lacks "--abi 6: $name is not the installed library" "$output" "$scratch/hip6"
    has "--abi 6: $name is a drop-in" "${output%%:*}" "$build/"
done
unset LD_LIBRARY_PATH

# --- libraries of the program's own ROCm ---

mkdir "$scratch/old" "$scratch/older"
echo 'int sibling(void) { return 5; }' >"$scratch/sibling.c"
$cc -shared -fPIC -w -o "$scratch/old/libhipblas.so.0" "$scratch/sibling.c" -Wl,-soname,libhipblas.so.0
printf 'int sibling(void);\nint hipRuntimeGetVersion(int *);\nint main(void) { int v = 0; return hipRuntimeGetVersion(&v) + sibling() + v / 10000000; }\n' \
    >"$scratch/needs.c"
ok "a program that needs a library of HIP 5's ROCm is built" $cc -o "$scratch/needs" "$scratch/needs.c" \
    "$scratch/hip5/libamdhip64.so.5" "$scratch/old/libhipblas.so.0"
run --abi auto --hip "$six" "$scratch/needs"
is "without that library it does not start" $status 127
for abi in 5 auto; do
    run --abi $abi --hip "$six" --with "$scratch/old" "$scratch/needs"
    is "--abi $abi --with DIR: it starts, over HIP 6" $status 11
done
run --abi 5 --with "$scratch/absent" true
fails "--with a directory that is not there" "$scratch/absent: No such file"
run --abi auto --with "$scratch/old" true
has "--with and no known major" "$output" "--with=$scratch/old: needs the major of these libraries"
run --with "$scratch/old" true
has "--with without --abi" "$output" "--with needs --abi"
ln -s "$scratch/hip5/libamdhip64.so.5" "$scratch/old/"
run --abi 5 --with "$scratch/old" "$scratch/needs"
fails "--with a directory that has a HIP runtime" "name the one to use by --hip"
run --abi 5 --hip "$six" --with "$scratch/old" "$scratch/needs"
is "with --hip, the drop-in comes before that runtime" $status 11

# --- the release that a drop-in answers ---

unset HIPSHIM_DROPIN_VERSION
for pair in 5:50731921 6:60443484 7:71460850; do
    run --abi ${pair%:*} --hip "$six" "$scratch/opens" libamdhip64.so
    is "over HIP 6.4.43484, the drop-in of ${pair%:*} answers its own release" "${output#* }" "${pair#*:} (0)"
done
ok "a runtime of HIP 6.1 is built" runtime 6 60140092
run --abi 6 --hip "$six" "$scratch/opens" libamdhip64.so
is "over an older release of its major, it answers that" "${output#* }" "60140092 (0)"
run --abi 7 --hip "$six" env HIPSHIM_DROPIN_VERSION=installed "$scratch/opens" libamdhip64.so
is "HIPSHIM_DROPIN_VERSION=installed: it answers the installed release" "${output#* }" "60140092 (0)"
run --abi 7 --hip "$six" env HIPSHIM_DROPIN_VERSION=old "$scratch/opens" libamdhip64.so
has "another value is not used, aloud" "$output" "HIPSHIM_DROPIN_VERSION=old is not used; it takes \`installed\`"

ok "the runtime of HIP 6.4 is built again" runtime 6 60443484
HIPSHIM_DROPIN_VERSION=installed
export HIPSHIM_DROPIN_VERSION

# --- what is said ---

run --abi auto true
is "a program that needs no HIP is started" $status 0
has "and it is told that it needs none" "$output" "needs no HIP library itself"
has "and how to name the major that modules open by libamdhip64.so" "$output" "(5, 6, 7) by --abi=MAJOR"
run --abi 6 --hip "$six" "$scratch/none"
has "a program of another major is told, and runs" "$output" "needs HIP 5, not 6"
has "with the right one" "$output" "60443484 (0)"
run --abi 5 --hip "$scratch/absent" "$scratch/none"
fails "--hip at nothing" "--hip=$scratch/absent: No such file"
run --abi 5 --hip "$build/dropin/libamdhip64.so.6" "$scratch/none"
fails "--hip at a drop-in" "is one of hipshim's drop-ins, not a HIP runtime"
run --abi 4 true
is "--abi of no known major" $status 125
has "--abi of no known major: is told" "$output" "--abi=4: not auto and not one of 5, 6, 7"
for directory in "$scratch/absent" "$scratch/hip5"; do
    HIPSHIM_DROPIN=$directory
    export HIPSHIM_DROPIN
    run --abi auto "$scratch/none"
    unset HIPSHIM_DROPIN
    fails "without drop-ins in ${directory##*/}" "$directory/libamdhip64.so.5: "
done
printf 'int main(void) { return 0; }\n' >"$scratch/empty.c"
if $cc -static -o "$scratch/static" "$scratch/empty.c" 2>/dev/null; then
    run --abi auto "$scratch/static"
    fails "a static program" "is a static program, which loads no drop-in"
else
    skip "a static program" "this compiler makes none"
fi

# --- real runtimes, with and without a GPU of the loopback's ---

unset HIPSHIM_DROPIN_VERSION

HIPSHIM_LOOPBACK=$build/src/loopback/.libs AMD_COMGR_CACHE=1 AMD_COMGR_CACHE_DIR=$scratch/comgr
export HIPSHIM_LOOPBACK AMD_COMGR_CACHE AMD_COMGR_CACHE_DIR
# The linker of the tree is what is run, which takes its path from its arguments.
wrapper() { # RELEASE
    dropin_find "$1"
    cat >"$scratch/wrapper" <<END
#!/bin/sh
exec "$real_loader" --library-path "\$LD_LIBRARY_PATH:$dropin_libraries:$real_tree/lib/x86_64-linux-gnu:$scratch/hide:$scratch/lib:$(dirname "$(readlink -f "$real_loader")")" "\$@"
END
    chmod +x "$scratch/wrapper"
}
for back in $real_releases $real_wheels; do
    for built in $real_releases; do
        if ! [ -d "$real_runtimes/$back" ] ||
            ! [ -d "$real_runtimes/$built" ]; then
            skip "HIP $built over $back" "no real runtimes of them (tests/lib/fetch-runtimes gets them)"
            continue
        fi
        if ! dropin_lend_cmocka; then
            skip "HIP $built over $back" "no cmocka, which the program needs"
            continue
        fi
        dropin_compile "$built" "$scratch/fat" -DOWN_HEADERS "$top/tests/dropin/programs/fat.c" -lcmocka ||
            tap_result no "HIP $built: the program is built"
        wrapper "$back"
        # Without --hip: the runtime is found behind the drop-ins, in the same path.
        dropin_tell "$(dropin_front "$built" "${back%-amd}")" "$back"
        run --abi "${built%%.*}" --loopback "$scratch/wrapper" "$scratch/fat"
        is "HIP $built over $back: runs, with a GPU" "$status, $(printf '%s\n' "$output" | grep -c '^ok ')" "0, 4"
    done
done
finish
