#!/bin/sh
# SPDX-License-Identifier: MIT
# Plugins with kernels that are closed and opened again launch their own kernels, and their
# destructors free device memory, however hipshim is linked to them and to the program.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../dropin/programs/run.sh
. "$top/tests/dropin/programs/run.sh"
# shellcheck source=compile.sh
. "$top/tests/registration/compile.sh"

here=$top/tests/registration
compile_find || skip_all "NO HIP COMPILER HERE (tests/lib/fetch-hipcc gets hipcc)"
compile_use "${compilers%% *}"
dropin_prepare
archive=$build/.libs/libhipshim.a
[ -f "$archive" ] || skip_all "libhipshim.a was not built (--disable-static)"

# With the headers of 5.2, for the drop-in of 5; hipcc would link the library of its tree.
# shellcheck disable=SC2086 # compile_flags is a list
compile_for_5() { # SOURCE OBJECT FLAGS...
    compile_clang -x hip --rocm-path="$compile_rocm" $compile_flags -D__HIP_PLATFORM_AMD__ \
        --rocm-device-lib-path="$compile_tree/usr/lib/x86_64-linux-gnu/amdgcn/bitcode" \
        --offload-arch=gfx90a "$3" -c "$1" -o "$2"
}
# shellcheck disable=SC2086 # CXX may be several words
link() { # KIND OUTPUT WORDS...: the kinds are shared, static, open and dropin
    link_kind=$1
    shift
    case $link_kind in
    shared) set -- "$@" -L"$build/.libs" -lhipshim ;;
    static) set -- "$@" "$archive" -Wl,--exclude-libs,libhipshim.a -pthread ;;
    open) set -- "$@" "$archive" -pthread ;; # its symbols are those of the program's, if it has them
    dropin) set -- "$@" "$build/dropin/libamdhip64.so.5" ;;
    esac
    ${CXX:-c++} -std=c++17 -rdynamic -Wall -Wextra -o "$@" -ldl
}

for number in 1 2; do
    ok "plugin $number compiles with hipshim's headers" compile_device "$here/reloaded.hip" \
        "$scratch/plugin$number.o" --offload-arch=gfx90a -mcode-object-version=4 -DNUMBER=$number
    ok "plugin $number compiles with the headers of HIP 5.2" compile_for_5 "$here/reloaded.hip" \
        "$scratch/dropin$number.o" -DNUMBER=$number
    for kind in shared static open; do
        ok "plugin $number is linked ($kind)" link $kind "$scratch/$kind$number.so" -shared "$scratch/plugin$number.o"
    done
    ok "plugin $number is linked (dropin)" link dropin "$scratch/dropin$number.so" -shared "$scratch/dropin$number.o"
done
ours="-I$top/include/hipshim -I$top/bindings"
# shellcheck disable=SC2086 # two words
for kind in shared static; do
    ok "the program is linked ($kind)" link $kind "$scratch/host-$kind" -DWITH_HIP $ours "$here/reload_host.cc"
done
ok "the program is linked (dropin)" link dropin "$scratch/host-dropin" -DWITH_HIP -D__HIP_PLATFORM_AMD__ \
    -isystem "$compile_tree/usr/include" "$here/reload_host.cc"
ok "the program is linked (without HIP)" link none "$scratch/host-none" "$here/reload_host.cc"

reloads() { # HOST PLUGIN MODE...
    reloads_host=$1 reloads_plugin=$2
    shift 2
    for reloads_mode; do
        reloads_said=$(MALLOC_PERTURB_=165 HIPSHIM_LIBRARY=$dropin_hip dropin_run "$release" "$build/.libs:$build/dropin" \
            "$scratch/host-$reloads_host" "$reloads_mode" "$scratch/${reloads_plugin}1.so" \
            "$scratch/${reloads_plugin}2.so" 2>&1)
        # The runtime may have ended when destructors run after main.
        case $reloads_mode in
        kept) reloads_wanted=" 1 -1 1 freed - freed - end" reloads_said=$(printf '%s' "$reloads_said" | sed 's/freed [04]/freed -/g') ;;
        end) reloads_wanted=" 1 freed - end" reloads_said=$(printf '%s' "$reloads_said" | sed 's/freed [04]/freed -/g') ;;
        *) reloads_wanted=" 1 freed 0 -1 freed 0 1 freed 0 end" ;;
        esac
        is "HIP $release: a program ($reloads_host) reloads plugins ($reloads_plugin, $reloads_mode)" \
            "$reloads_said" "$reloads_wanted"
    done
}

# Freed memory is filled, so that its use is seen.  All 384 combinations without `late` were right when
# this was written; these are those that differ in their way.
for release in $dropin_releases; do
    dropin_find "$release"
    for host in none shared static dropin; do
        reloads $host static local kept
        case $release in
        5.2 | 7.2)
            reloads $host static global deepbind first end
            reloads $host open local deepbind
            reloads $host shared local
            reloads $host dropin local late
            ;;
        esac
    done
done
finish
