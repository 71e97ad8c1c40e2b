#!/bin/sh
# SPDX-License-Identifier: MIT
# The tree of ROCm's shape has what projects look for: headers, libamdhip64 and libhiprtc with
# HIP's own names, hipconfig and the version.  A program links with its libamdhip64 alone, and
# nothing that was linked with AMD's library binds to this one.
# shellcheck disable=SC2016,SC2046,SC2086 # flags are lists of words
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=exports.sh
. "$top/tests/install/exports.sh"
# shellcheck source=../lib/real.sh
. "$top/tests/lib/real.sh"
# shellcheck source=../registration/compile.sh
. "$top/tests/registration/compile.sh"

[ -e "$build/.libs/libhipshim-rocm.so" ] || skip_all "libhipshim-rocm was not built"
cc=${CC:-cc}
dest=$scratch/dest
ok "make install works" "${MAKE:-make}" -C "$build" install "DESTDIR=$dest"
pc=$(find "$dest" -name hipshim.pc)
rocm=$(PKG_CONFIG_LIBDIR=${pc%/*} PKG_CONFIG_SYSROOT_DIR='' "${PKG_CONFIG:-pkg-config}" \
    --define-variable=libdir="${pc%/*/*}" --variable=rocm_path hipshim)
release=$(printf '#include <hip/hip_version.h>\nHIP_VERSION_MAJOR.HIP_VERSION_MINOR.HIP_VERSION_PATCH\n' |
    $cc "-I$rocm/include" -E -P -x c - | tail -n 1 | tr -d ' ')
for file in include/hip/hip_runtime_api.h include/hipshim/hipshim.h lib/libamdhip64.so lib/libhiprtc.so \
    lib/libhiprtc-builtins.so bin/hipconfig .info/version lib/cmake/hip/hip-config.cmake; do
    ok "it has $file" test -f "$rocm/$file"
done
is "its files lead nowhere but into the installation" \
    "$(find -L "$rocm" -type l; find "$rocm" -type l -lname '/*')" ""
ok "the version is that of a ROCm" grep -Eqx '[0-9]+\.[0-9]+\.[0-9]+' "$rocm/.info/version"

# --- the library ---

library=$rocm/lib/libamdhip64.so
exports_of "$library" >"$scratch/exports"
{
    exports_expected HIPSHIM "$top/tests/install/exports.txt" |
        sed -n '/^hipshim_\(__\)\{0,1\}hip/{ s/@@HIPSHIM_/@@HIPSHIM_ROCM_/; p; s/^hipshim_//p; }'
    exports_expected HIPSHIM_ROCM "$top/tests/install/exports-rocm.txt"
} | LC_ALL=C sort >"$scratch/functions"
ok "it exports each function under both names, and the forms of HIP 5, in nodes of its own" \
    diff "$scratch/functions" "$scratch/exports"
is "it imports nothing of libhipshim but three tables" \
    "$(${NM:-nm} -D --undefined-only "$library" | grep -c ' U hs_forward_')" 3

printf 'char hipMalloc(void);\nint main(void) { return hipMalloc() == 0; }\n' >"$scratch/probe.c"
cat >"$scratch/program.c" <<'SOURCE'
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>
#include <stdio.h>
int main(void)
{
    int count = -1, major = 0, minor = 0;
    hipError_t status = hipGetDeviceCount(&count);

    printf("%s %d\n", hipGetErrorName(status), hiprtcVersion(&major, &minor) == HIPRTC_SUCCESS);
    return 0;
}
SOURCE
for linker in bfd gold lld; do
    command -v "ld.$linker" >/dev/null || {
        skip "a probe that declares hipMalloc itself links by $linker" "there is no ld.$linker"
        skip "a program with hipshim's headers links by $linker" "there is no ld.$linker"
        continue
    }
    ok "a probe that declares hipMalloc itself links by $linker" \
        $cc -fuse-ld=$linker "$scratch/probe.c" -o "$scratch/probe" "-L$rocm/lib" -lamdhip64
    ok "a program with hipshim's headers links by $linker" $cc -fuse-ld=$linker "-I$rocm/include" \
        "$scratch/program.c" -o "$scratch/program" "-L$rocm/lib" -lamdhip64 -lhiprtc
done
is "and runs, with no other directory to find libraries in" \
    "$(HIPSHIM_LIBRARY=/nonexistent LD_LIBRARY_PATH=$rocm/lib "$scratch/program")" "hipErrorInsufficientDriver 0"

cat >"$scratch/lookup.c" <<'SOURCE'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    void *library = dlopen(argv[1], RTLD_LAZY);
    int (*count)(int *) = library ? (int (*)(int *))dlsym(library, "hipGetDeviceCount") : 0;
    int devices = -1;

    if (!count) {
        puts(dlerror());
        return 1;
    }
    printf("%d\n", count(&devices));
    return argc - 2;
}
SOURCE
ok "a program that looks functions up compiles" $cc "$scratch/lookup.c" -o "$scratch/lookup" -ldl
for name in libamdhip64.so libhiprtc.so; do
    is "dlopen of $name and dlsym of HIP's name work" \
        "$(HIPSHIM_LIBRARY=/nonexistent "$scratch/lookup" "$rocm/lib/$name")" 35
done

# A libhipshim of another build has another table, under another name.
mkdir "$scratch/other"
echo 'HIPSHIM_PRIVATE { global: hs_forward_*; };' >"$scratch/other.map"
echo 'int hs_forward_0;' >"$scratch/other.c"
ok "a libhipshim with another list of functions compiles" $cc -shared -fPIC "$scratch/other.c" \
    -o "$scratch/other/libhipshim.so.0" -Wl,-soname,libhipshim.so.0 -Wl,--version-script="$scratch/other.map"
has "with it, the library does not load, instead of calling wrong functions" \
    "$(LD_LIBRARY_PATH=$scratch/other "$scratch/lookup" "$library")" "undefined symbol: hs_forward_"
if command -v clang >/dev/null; then
    ok "the jumps assemble for aarch64" clang --target=aarch64-linux-gnu "-I$top/bindings/stable" "-I$top/src" \
        -c "$top/src/rocm/forward.S" -o "$scratch/forward.o"
else
    skip "the jumps assemble for aarch64" "there is no clang"
fi

# AMD's library as another library needs it: by its own version node.
mkdir "$scratch/amd"
echo 'hip_4.2 { global: hip*; local: *; };' >"$scratch/amd.map"
echo 'const char *hipGetErrorName(int e); const char *hipGetErrorName(int e) { return e ? "AMD" : "amd"; }' >"$scratch/amd.c"
echo 'const char *hipGetErrorName(int e); const char *name(void); const char *name(void) { return hipGetErrorName(1); }' \
    >"$scratch/user.c"
cat >"$scratch/both.c" <<'SOURCE'
#include <hip/hip_runtime_api.h>
#include <stdio.h>
const char *name(void);
int main(void)
{
    printf("%s %s\n", name(), hipGetErrorName(hipSuccess));
    return 0;
}
SOURCE
ok "AMD's library, one that needs it, and a program with both compile" sh -c "
    $cc -shared -fPIC '$scratch/amd.c' -o '$scratch/amd/libamdhip64.so.6' \
        -Wl,-soname,libamdhip64.so.6 -Wl,--version-script='$scratch/amd.map' &&
    $cc -shared -fPIC '$scratch/user.c' -o '$scratch/amd/libuser.so' '$scratch/amd/libamdhip64.so.6' &&
    $cc '-I$rocm/include' '$scratch/both.c' -o '$scratch/both' '-L$rocm/lib' '-L$scratch/amd' -lamdhip64 \
        -luser -Wl,-rpath-link,'$scratch/amd'"
is "each calls the library that it was linked with" \
    "$(HIPSHIM_LIBRARY=/nonexistent LD_LIBRARY_PATH=$rocm/lib:$scratch/amd "$scratch/both")" "AMD hipSuccess"

# --- hipconfig ---

answer() { "$rocm/bin/hipconfig" "$@"; }
is "hipconfig --version is HIP_VERSION of the headers" "$(answer --version)" "$release-0"
is "hipconfig --path" "$(answer --path)" "$rocm"
is "hipconfig --rocmpath, through a link" \
    "$(ln -s "$rocm/bin/hipconfig" "$scratch/link" && "$scratch/link" -R)" "$rocm"
is "hipconfig --platform --compiler --runtime" "$(answer --platform; answer -c; answer -r)" amdclangrocclr
is "hipconfig --cpp_config has options that compile" \
    "$($cc $(answer --cpp_config) -fsyntax-only "$scratch/program.c" 2>&1)" ""
mkdir -p "$scratch/opt/llvm/bin" && : >"$scratch/opt/llvm/bin/clang++" && chmod +x "$scratch/opt/llvm/bin/clang++"
is "hipconfig --hipclangpath is that of ROCm" \
    "$(ROCM_PATH=$scratch/opt HIP_CLANG_PATH='' answer -l)" "$scratch/opt/llvm/bin"
is "and is inside the tree where there is no ROCm" \
    "$(ROCM_PATH=/nonexistent HIP_CLANG_PATH='' answer -l)" "$rocm/lib/llvm/bin"
has "hipconfig prints all" "$(answer)" "HIP_PATH     : $rocm"
has "hipconfig refuses an unknown option" "$(answer --verson 2>&1 || echo "status $?")" "--verson: unknown option"

mkdir "$scratch/configured"
configured() { (cd "$scratch/configured" && "$top/configure" --quiet "$@" 2>&1); }
has "configure refuses a release that is not known" "$(configured --with-tree-release=7.1)" \
    "--with-tree-release=7.1: not one of the known releases"
if [ -f "$top/config.status" ]; then
    skip "the release of the tree is chosen by configure" "THE SOURCE TREE IS CONFIGURED ITSELF"
else
    is "configure chooses the release of the tree" "$(configured --with-tree-release=7.1.52802 CC="$cc" >&2 &&
        "${MAKE:-make}" -s -C "$scratch/configured" rocm/hipconfig >&2 &&
        "$scratch/configured/rocm/hipconfig" --version)" "7.1.52802-0"
fi

# --- trees of one major ---

for tree in "$rocm"-*; do
    major=${tree##*-}
    newest=$(sed -n "s/.*: the symbols of libamdhip64.so.$major \(.*\)\.$/\1/p" \
        "$top/bindings/dropin/$major/libamdhip64.so.$major.map")
    is "the tree of $major answers the release of its drop-in" "$("$tree/bin/hipconfig" -v)" "$newest-0"
    is "hipconfig --hipclangpath is inside the tree of $major, also beside a ROCm" \
        "$(ROCM_PATH=$scratch/opt HIP_CLANG_PATH='' "$tree/bin/hipconfig" -l)" "$tree/lib/llvm/bin"
    is "its links lead nowhere but into the installation" \
        "$(find -L "$tree" -type l; find "$tree" -type l -lname '/*')" ""
    for name in libamdhip64.so libamdhip64.so.$major; do
        is "the tree of $major has the drop-in as $name" "$(readlink -f "$tree/lib/$name")" \
            "${rocm%/*}/dropin/libamdhip64.so.$major"
    done
    is "and libhiprtc.so" "$(readlink -f "$tree/lib/libhiprtc.so")" "${rocm%/*}/dropin/libhiprtc.so.$major"
    ok "CMake's package of $major has the version" \
        grep -qx "set(PACKAGE_VERSION $newest)" "$tree/lib/cmake/hip/hip-config-version.cmake"
done
is "each major has a tree" "$(echo "$rocm"-* | wc -w)" "$(find "$top/bindings/dropin" -mindepth 1 -type d | wc -l)"
if command -v cmake >/dev/null; then
    mkdir "$scratch/cmake"
    printf 'cmake_minimum_required(VERSION 3.16)\nproject(p C)\nfind_package(hip 6 REQUIRED)\nfind_package(hiprtc REQUIRED)\nfile(WRITE p.c "int hipGetDeviceCount(int *);int main(void) { return hipGetDeviceCount(0); }")\nadd_executable(p p.c)\ntarget_link_libraries(p hip::amdhip64 hiprtc::hiprtc)\nmessage("hip ${hip_VERSION}")\n' \
        >"$scratch/cmake/CMakeLists.txt"
    has "CMake finds hip and hiprtc in the tree of 6" \
        "$(cd "$scratch/cmake" && cmake -DCMAKE_PREFIX_PATH="$rocm-6" . 2>&1 && cmake --build . 2>&1)" "hip 6.4.43484"
    has "and links with the drop-in" "$(readelf -d "$scratch/cmake/p" 2>&1)" "libamdhip64.so.6"
else
    skip "CMake finds hip and hiprtc in the tree of 6" "THERE IS NO CMAKE HERE"
fi

# --- programs with kernels ---

if compile_find; then
    compile_use "${compilers%% *}"
    printf '#include <hip/hip_runtime.h>\n__global__ void k(int *) {}\nint main() { k<<<1, 1>>>(nullptr); return hipGetLastError() != hipErrorInsufficientDriver; }\n' >"$scratch/kernel.hip"
    ok "a program with a kernel compiles" compile_device "$scratch/kernel.hip" "$scratch/kernel.o" --offload-arch=gfx90a
    ok "it links with -lamdhip64 alone" ${CXX:-c++} -o "$scratch/kernel" "$scratch/kernel.o" "-L$rocm/lib" -lamdhip64
    ok "and runs" env HIPSHIM_LIBRARY=/nonexistent LD_LIBRARY_PATH="$rocm/lib" "$scratch/kernel"
else
    skip "a program with a kernel links with -lamdhip64 alone" "NO HIP COMPILER HERE"
fi

# --- moved ---

mv "$dest" "$scratch/moved"
moved=$scratch/moved${rocm#"$dest"}
is "moved as a whole, it works as before" \
    "$(HIPSHIM_LIBRARY=/nonexistent LD_LIBRARY_PATH=$moved/lib "$scratch/program")" "hipErrorInsufficientDriver 0"
is "and hipconfig knows its new place" "$("$moved/bin/hipconfig" --path)" "$moved"
finish
