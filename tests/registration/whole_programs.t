#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs with kernels compiled in, by the compilers that are there, run on each real
# runtime: one build for all.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../loopback/run.sh
. "$top/tests/loopback/run.sh"
# shellcheck source=compile.sh
. "$top/tests/registration/compile.sh"

here=$top/tests/registration
compile_find || skip_all "NO HIP COMPILER HERE (tests/lib/fetch-hipcc gets hipcc)"
loopback_build any
unset HIPSHIM_LIBRARY
LOOPBACK_GPUS=1
AMD_COMGR_CACHE=1
export LOOPBACK_GPUS AMD_COMGR_CACHE
target=--offload-arch=gfx90a

# Calls the function for each real runtime that is there.
on_each() { # FUNCTION ARGS...
    for release in $real_releases $real_wheels; do
        if [ -d "$real_runtimes/$release" ]; then
            real_find "$release"
            "$@"
        else
            skip "$* on HIP $release" "no real runtime (tests/lib/fetch-runtimes gets it)"
        fi
    done
}

relay_run() { # WORDS PROGRAM ARGS...
    words=$1
    shift
    loopback_run "$@" >"$scratch/out" 2>"$scratch/err"
    relay "HIP $release: $words" $?
}

without_gpu() { # WORDS PROGRAM ARGS...
    mv "$scratch/lib" "$scratch/unused"
    mkdir "$scratch/lib"
    relay_run "$@"
    rmdir "$scratch/lib"
    mv "$scratch/unused" "$scratch/lib"
}

example_passes() { # PROGRAM WORDS
    said=$(loopback_run "$1" 2>&1)
    has "HIP $release: the example by $2 is right" "$said" "PASS: all numbers and their sum are right"
}

example_is_refused() { # PROGRAM WORDS, of an architecture that is not there
    said=$(loopback_run "$1" 2>&1)
    is "HIP $release: $2 ends with the example's own failure" "$?" 1
    has "HIP $release: $2 says what there is" "$said" "it has code for gfx1030, gfx906, and the GPU is gfx90a"
    has "HIP $release: $2 names the program" "$said" "of $1: "
    has "HIP $release: $2 says what helps" "$said" "--offload-arch=gfx90a"
    # HIP 5.2 has no words for it.
    has "HIP $release: $2 has HIP's own error" \
        "$(printf '%s\n' "$said" | sed 's/hipErrorNoBinaryForGpu/no kernel image/')" "no kernel image"
}

for compiler in $compilers; do
    compile_use "$compiler"
    words=$(printf %s "$compiler" | tr _ ' ')
    tap_comment "$words"
    ok "$words compiles the example" compile_device "$top/examples/08_whole_program.hip" "$scratch/example.o" $target
    ok "it is linked" compile_link "$scratch/example" "$scratch/example.o"
    on_each example_passes "$scratch/example" "$words"
done

compile_use "${compilers%% *}"
lacks "nothing of the compiler's names is exported" \
    "$(nm -D --defined-only "$scratch/example")" hipRegister
lacks "nor the launch" "$(nm -D --defined-only "$scratch/example")" " hipLaunchKernel"

ok "the example for two GPUs that are not there" compile_device "$top/examples/08_whole_program.hip" \
    "$scratch/other.o" --offload-arch=gfx1030 --offload-arch=gfx906
ok "it is linked" compile_link "$scratch/other" "$scratch/other.o"
on_each example_is_refused "$scratch/other" "code for other GPUs"

ok "a program with code for another GPU" compile_device "$here/refused.hip" "$scratch/refused.o" \
    --offload-arch=gfx1030
ok "it is linked" compile_link "$scratch/refused" "$scratch/refused.o"
on_each relay_run "no code" "$scratch/refused"

ok "the example for several GPUs" compile_device "$top/examples/08_whole_program.hip" "$scratch/list.o" \
    --offload-arch=gfx906 --offload-arch=gfx90a:xnack- --offload-arch=gfx1030
ok "it is linked" compile_link "$scratch/list" "$scratch/list.o"
on_each example_passes "$scratch/list" "a list of GPUs"

ok "the example with a stream for each thread" compile_device "$top/examples/08_whole_program.hip" \
    "$scratch/threads.o" $target -fgpu-default-stream=per-thread
ok "it is linked" compile_link "$scratch/threads" "$scratch/threads.o"
on_each example_passes "$scratch/threads" "a stream for each thread"

ok "all that takes kernels compiles" compile_device "$here/features.hip" "$scratch/features.o" $target
ok "it is linked" compile_link "$scratch/features" "$scratch/features.o"
on_each relay_run "" "$scratch/features"
on_each relay_run "asked first" "$scratch/features" first

ok "a texture compiles" compile_device "$here/textures.hip" "$scratch/textures.o" --offload-arch=gfx1030 \
    -Wno-deprecated-declarations
ok "it is linked" compile_link "$scratch/textures" "$scratch/textures.o"
# Kernels for that processor do nothing.
LOOPBACK_ISA=gfx1030 LOOPBACK_STRICT=0
export LOOPBACK_ISA LOOPBACK_STRICT
on_each relay_run "a texture" "$scratch/textures"
unset LOOPBACK_ISA LOOPBACK_STRICT

ok "the kernels of global objects compile" compile_device "$here/order.hip" "$scratch/order.o" $target
# shellcheck disable=SC2086 # CXX may be several words
ok "they are linked before the objects" ${CXX:-c++} -Wall -Wextra -I "$top/include/hipshim" \
    -I "$top/bindings" -o "$scratch/order" "$scratch/order.o" "$here/order_objects.cc" -L"$build/.libs" -lhipshim
on_each relay_run "global objects" "$scratch/order"
has "their memory is freed after main" "$(loopback_run "$scratch/order" 2>&1)" "after main: hipSuccess"

ok "a program with a kernel that may not be used" compile_device "$here/lazy.hip" "$scratch/lazy.o" $target
ok "it is linked" compile_link "$scratch/lazy" "$scratch/lazy.o"
on_each relay_run "no call" "$scratch/lazy"
on_each relay_run "a launch" "$scratch/lazy" launch
on_each relay_run "launches after fork" "$scratch/lazy" fork
on_each without_gpu "no GPU" "$scratch/lazy" none
LD_LIBRARY_PATH=$build/.libs HIPSHIM_LIBRARY=$scratch/none "$scratch/lazy" none >"$scratch/out" 2>"$scratch/err"
relay "no runtime" $?

for step in 1 2; do
    ok "plugin $step compiles" compile_device "$here/plugin.hip" "$scratch/plugin$step.o" $target -DSTEP=$step
    ok "it is linked" compile_link "$scratch/plugin$step.so" "$scratch/plugin$step.o" -shared
done
# shellcheck disable=SC2086 # CXX may be several words
ok "a program that loads them" ${CXX:-c++} -std=c++17 -I "$top/include/hipshim" -I "$top/bindings" \
    -o "$scratch/host" "$here/plugin_host.cc" -L"$build/.libs" -lhipshim -ldl -pthread
on_each relay_run "plugins" "$scratch/host" "$scratch/plugin1.so" "$scratch/plugin2.so"

# HIP 5.7 crashes without hipshim, too, if a managed variable is unregistered after main.
unloads_after_main() {
    relay_run "plugins after the runtime's end" "$scratch/end" "$scratch/plugin1.so"
    if [ "$release" = 5.7 ]; then
        skip "HIP 5.7: plugins after main" "5.7 crashes here without hipshim, too"
    else
        PLUGINS_EARLY=1 relay_run "plugins after main" "$scratch/end" "$scratch/plugin1.so"
    fi
}
# shellcheck disable=SC2086 # CXX may be several words
ok "a program that unloads them after main" ${CXX:-c++} -std=c++17 -I "$top/include/hipshim" \
    -I "$top/bindings" -o "$scratch/end" "$here/plugin_end.cc" -L"$build/.libs" -lhipshim -ldl
on_each unloads_after_main

for half in kernels functions; do
    ok "the $half of a program in parts" compile_device "$here/parts_$half.hip" "$scratch/$half.o" \
        $target --offload-arch=gfx1030 -fgpu-rdc
done
ok "they are linked" compile_clang --hip-link -fgpu-rdc $target --offload-arch=gfx1030 -no-hip-rt \
    "$scratch/kernels.o" "$scratch/functions.o" -o "$scratch/parts" -L"$build/.libs" -lhipshim -lstdc++
on_each relay_run "device code in parts" "$scratch/parts"
finish
