#!/bin/sh
# SPDX-License-Identifier: MIT
# Projects that look for HIP as they look for ROCm, by CMake, Meson, autoconf or pkg-config, find
# hipshim's tree, build with it and run.
# shellcheck disable=SC2016,SC2046,SC2086 # scripts for sh -c; flags are lists of words
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../loopback/run.sh
. "$top/tests/loopback/run.sh"
# shellcheck source=../registration/compile.sh
. "$top/tests/registration/compile.sh"

[ -e "$build/.libs/libhipshim-rocm.so" ] || skip_all "libhipshim-rocm was not built"
dest=$scratch/dest
ok "make install works" "${MAKE:-make}" -C "$build" install "DESTDIR=$dest"
pc=$(find "$dest" -name hipshim.pc)
libdir=${pc%/*/*}
rocm=$libdir/hipshim/rocm
unset ROCM_PATH HIP_PATH HIP_DIR CMAKE_PREFIX_PATH
HIPSHIM_LIBRARY=/nonexistent PKG_CONFIG_LIBDIR=${pc%/*} PKG_CONFIG_SYSROOT_DIR=$dest PKG_CONFIG_PATH=
export HIPSHIM_LIBRARY PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_PATH

# The program of each project: what it prints without a runtime, and with the GPU of the loopback.
cat >"$scratch/main.cpp" <<'SOURCE'
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>
#include <cstdio>

int main()
{
    int count = 0, major = 0, minor = 0;
    int *memory = nullptr, number = 7, back = 0;
    hipError_t status = hipGetDeviceCount(&count);

    std::printf("%s\n", hipGetErrorName(status));
    if (status == hipSuccess && hipMalloc(&memory, sizeof number) == hipSuccess &&
        hipMemcpy(memory, &number, sizeof number, hipMemcpyHostToDevice) == hipSuccess &&
        hipMemcpy(&back, memory, sizeof back, hipMemcpyDeviceToHost) == hipSuccess)
        std::printf("copied %d, hiprtc %d\n", back, hiprtcVersion(&major, &minor) == HIPRTC_SUCCESS);
    std::fflush(stdout);
    return 0;
}
SOURCE
without="hipErrorInsufficientDriver"

project() { # NAME: makes $dir, with the program
    dir=$scratch/$1
    mkdir -p "$dir" && cp "$scratch/main.cpp" "$dir"
}

# --- CMake ---

have_cmake=$(command -v cmake || :)
cmake_project() { # NAME ARGUMENTS...: 2 tests; CMakeLists.txt from standard input
    name=$1
    shift
    project "$name"
    cat >"$dir/CMakeLists.txt"
    if [ -z "$have_cmake" ]; then
        skip "CMake, $name: it builds" "there is no cmake (install-deps test)"
        skip "CMake, $name: it runs" "there is no cmake (install-deps test)"
        return
    fi
    ok "CMake, $name: it builds" sh -c '"$@" && cmake --build "$0/build"' "$dir" \
        cmake -S "$dir" -B "$dir/build" -Wno-dev "$@"
    is "CMake, $name: it runs" "$("$dir/build/main" 2>&1)" "$without"
}

cmake_project hipshim "-DCMAKE_PREFIX_PATH=${libdir%/*}" <<'SOURCE'
cmake_minimum_required(VERSION 3.18)
project(example CXX)
find_package(hipshim 0.1 REQUIRED)
add_executable(main main.cpp)
target_link_libraries(main PRIVATE hipshim::hipshim hipshim::kernel)
SOURCE
cmake_project hip_DIR "-Dhip_DIR=$rocm/lib/cmake/hip" "-Dhiprtc_DIR=$rocm/lib/cmake/hiprtc" <<'SOURCE'
cmake_minimum_required(VERSION 3.18)
project(example CXX)
find_package(hip 5.2 REQUIRED)
find_package(hiprtc REQUIRED)
foreach(name hip_VERSION HIP_INCLUDE_DIRS hip_LIBRARIES HIP_PLATFORM hiprtc_INCLUDE_DIR)
  if(NOT ${name})
    message(FATAL_ERROR "${name} is not set")
  endif()
endforeach()
if(NOT EXISTS "${HIP_INCLUDE_DIRS}/hip/hip_runtime.h" OR NOT EXISTS "${HIP_HIPCONFIG_EXECUTABLE}")
  message(FATAL_ERROR "the variables name no files")
endif()
add_executable(main main.cpp)
target_link_libraries(main PRIVATE hip::host hiprtc::hiprtc)
SOURCE
cmake_project ROCM_PATH "-DCMAKE_PREFIX_PATH=$rocm" <<'SOURCE'
cmake_minimum_required(VERSION 3.18)
project(example C CXX)
find_package(hip REQUIRED CONFIG)
include(CheckLibraryExists)
check_library_exists(amdhip64 hipMalloc "${hip_LIB_INSTALL_DIR}" HAVE_HIP_MALLOC)
check_library_exists(hiprtc hiprtcCompileProgram "${hip_LIB_INSTALL_DIR}" HAVE_HIPRTC)
find_library(HIP_LIBRARY_FILE amdhip64 REQUIRED)
if(NOT HAVE_HIP_MALLOC OR NOT HAVE_HIPRTC)
  message(FATAL_ERROR "a probe failed")
endif()
add_executable(main main.cpp)
target_include_directories(main PRIVATE "${HIP_INCLUDE_DIRS}")
target_link_libraries(main PRIVATE "${HIP_LIBRARY_FILE}")
SOURCE
if [ -e "$rocm/lib/libhipblas.so" ]; then
    mkdir "$scratch/siblings"
    cat >"$scratch/siblings/siblings.cpp" <<'SOURCE'
#include <amd_comgr/amd_comgr.h>
#include <amd_smi/amdsmi.h>
#include <cstdio>
#include <hipblas/hipblas.h>
#include <hipblaslt/hipblaslt.h>
#include <hipfft/hipfft.h>
#include <hiprand/hiprand.h>
#include <hipsolver/hipsolver.h>
#include <hipsparse/hipsparse.h>
#include <rccl/rccl.h>
#include <rocblas/rocblas.h>
#include <rocsparse/rocsparse.h>

void *const functions[] = {
    (void *)amd_comgr_get_version, (void *)amdsmi_init, (void *)hipblasLtCreate, (void *)hipfftPlan1d,
    (void *)hiprandCreateGenerator, (void *)hipsolverCreate, (void *)hipsparseCreate, (void *)ncclGetVersion,
    (void *)rocblas_create_handle, (void *)rocsparse_create_handle};

static const bool is_told = [] {
    hipblasHandle_t handle = nullptr;
    bool found = hipblasCreate(&handle) == HIPBLAS_STATUS_NOT_INITIALIZED;
    for (void *function : functions)
        found = found && function;
    return found || std::puts("hipBLAS without a library gave another status");
}();
SOURCE
    cmake_project siblings "-DCMAKE_PREFIX_PATH=$rocm" <<'SOURCE'
cmake_minimum_required(VERSION 3.18)
project(example CXX)
add_executable(main main.cpp siblings.cpp)
foreach(name roc::hipblas roc::rocblas roc::hipsparse roc::rocsparse roc::hipsolver roc::hipblaslt roc::rccl
    hip::hipfft hip::hiprand amd_comgr amd_smi)
  string(REGEX REPLACE ".*::" "" package "${name}")
  find_package(${package} REQUIRED CONFIG)
  if(NOT ${package}_LIBRARIES STREQUAL name OR NOT EXISTS "${${package}_INCLUDE_DIRS}")
    message(FATAL_ERROR "the variables of ${package}")
  endif()
  target_link_libraries(main PRIVATE ${name})
endforeach()
find_library(HIPBLAS_FILE hipblas REQUIRED)
SOURCE
else
    skip "CMake, siblings: it builds" "configured with --disable-siblings"
    skip "CMake, siblings: it runs" "configured with --disable-siblings"
fi
is "CMake: HIP later than hipshim's is not found" "$(
    [ -n "$have_cmake" ] || { echo "no cmake" && exit; }
    project too_new
    printf '%s\n' 'cmake_minimum_required(VERSION 3.18)' 'project(example NONE)' 'find_package(hip 99)' >"$dir/CMakeLists.txt"
    cmake -S "$dir" -B "$dir/build" "-Dhip_DIR=$rocm/lib/cmake/hip" >"$dir/out" 2>&1 &&
        sed -n 's/.*hip-config.cmake, version: \([0-9]*\).*/\1/p' "$dir/out"
)" "$(if [ -n "$have_cmake" ]; then sed -n '$s/\..*//p' "$top/bindings/releases.list"; else echo "no cmake"; fi)"

# A HIP compiler gets hipshim's headers first and links no runtime of its own.  Without device
# libraries it compiles only host code, which is enough to see that.
mkdir -p "$scratch/amd/include/hip" "$scratch/amd/lib"
echo '#error "the headers of ROCm come first"' >"$scratch/amd/include/hip/hip_runtime_api.h"
hip_compiler="-nogpulib -nogpuinc --cuda-host-only --rocm-path=$scratch/amd"
hip_source() { # FILE
    sed 's|hip/hip_runtime.h|hip/hip_runtime_api.h|' "$scratch/main.cpp" >"$1"
}
if command -v clang++ >/dev/null && [ -n "$have_cmake" ]; then
    mkdir "$scratch/language"
    hip_source "$scratch/language/main.hip"
    cp "$scratch/main.cpp" "$scratch/main.keep"
    hip_source "$scratch/main.hip" && mv "$scratch/main.hip" "$scratch/main.cpp"
    for targets in hip::device "hipshim::device hip::device"; do
        cmake_project "${targets%%:*}_device" "-Dhip_DIR=$rocm/lib/cmake/hip" -DCMAKE_CXX_COMPILER=clang++ \
            "-DCMAKE_CXX_FLAGS=$hip_compiler -isystem $scratch/amd/include" -DGPU_TARGETS=gfx90a <<SOURCE
cmake_minimum_required(VERSION 3.18)
project(example CXX)
find_package(hip REQUIRED)
add_executable(main main.cpp)
target_link_libraries(main PRIVATE $targets -lhiprtc)
SOURCE
    done
    cmake_project language -DCMAKE_HIP_COMPILER=$(command -v clang++) "-DCMAKE_HIP_COMPILER_ROCM_ROOT=$rocm" \
        "-Dhip_DIR=$rocm/lib/cmake/hip" \
        "-DCMAKE_HIP_FLAGS=$hip_compiler -isystem $scratch/amd/include" -DCMAKE_HIP_ARCHITECTURES=gfx90a <<'SOURCE'
cmake_minimum_required(VERSION 3.21)
project(example HIP)
find_package(hip REQUIRED)
add_executable(main main.hip)
target_link_libraries(main PRIVATE hip::host)
SOURCE
    mkdir "$scratch/library"
    sed 's/int main/int part/' "$scratch/main.cpp" >"$scratch/library/part.hip"
    echo 'int part(); int main() { return part(); }' >"$scratch/main.cpp"
    cmake_project library -DCMAKE_HIP_COMPILER=$(command -v clang++) "-DCMAKE_HIP_COMPILER_ROCM_ROOT=$rocm" \
        "-DCMAKE_HIP_FLAGS=$hip_compiler -isystem $scratch/amd/include" -DCMAKE_HIP_ARCHITECTURES=gfx90a \
        "-DCMAKE_BUILD_RPATH=$libdir" <<'SOURCE'
cmake_minimum_required(VERSION 3.21)
project(example HIP CXX)
add_library(part STATIC part.hip)
add_executable(main main.cpp)
target_link_libraries(main PRIVATE part)
set_target_properties(main PROPERTIES LINKER_LANGUAGE CXX)
SOURCE
    mv "$scratch/main.keep" "$scratch/main.cpp"
    for name in hip_device language; do
        lacks "CMake, $name: no library of ROCm's is needed" \
            "$(readelf -d "$scratch/$name/build/main" | grep NEEDED)" libamdhip64
    done
else
    for name in hip::device hipshim::device "the language HIP" "a library in HIP"; do
        skip "CMake, $name" "there is no clang++ or no cmake (install-deps test)"
    done
fi

# --- Meson ---

if command -v meson >/dev/null && command -v ninja >/dev/null; then
    project meson
    cat >"$dir/meson.build" <<'SOURCE'
project('example', 'cpp')
executable('main', 'main.cpp', dependencies: dependency('hipshim'))
compiler = meson.get_compiler('cpp')
rocm = dependency('hipshim').get_variable('rocm_path')
SOURCE
    ok "Meson: it builds" sh -c 'meson setup "$0/build" "$0" && ninja -C "$0/build"' "$dir"
    is "Meson: it runs" "$("$dir/build/main" 2>&1)" "$without"
else
    skip "Meson: it builds" "there is no meson or ninja (install-deps test)"
    skip "Meson: it runs" "there is no meson or ninja (install-deps test)"
fi

# --- autoconf, as projects with --with-rocm=DIR do it ---

if command -v autoconf >/dev/null; then
    project autoconf
    cat >"$dir/configure.ac" <<'SOURCE'
AC_INIT([example], [1])
AC_PROG_CC
AC_ARG_WITH([rocm])
CPPFLAGS="-D__HIP_PLATFORM_AMD__ -I$with_rocm/include $CPPFLAGS"
LDFLAGS="-L$with_rocm/lib $LDFLAGS"
AC_CHECK_HEADERS([hip/hip_runtime.h], [], [AC_MSG_ERROR([no header])])
AC_CHECK_LIB([amdhip64], [hipFree], [], [AC_MSG_ERROR([no hipFree])])
AC_CHECK_LIB([hiprtc], [hiprtcCreateProgram], [], [AC_MSG_ERROR([no hiprtc])])
AC_CHECK_FUNCS([hipMallocAsync hipStreamCreate], [], [AC_MSG_ERROR([no function])])
AC_OUTPUT
SOURCE
    ok "autoconf: AC_CHECK_LIB and AC_CHECK_FUNCS find HIP's names" \
        sh -c 'cd "$0" && autoconf && ./configure "--with-rocm=$1"' "$dir" "$rocm"
else
    skip "autoconf: AC_CHECK_LIB and AC_CHECK_FUNCS find HIP's names" "there is no autoconf"
fi

# --- pkg-config ---

if command -v clang++ >/dev/null; then
    project device
    hip_source "$dir/main.hip"
    ok "pkg-config hipshim-device: a HIP compiler compiles" clang++ -x hip $hip_compiler \
        -isystem "$scratch/amd/include" $("${PKG_CONFIG:-pkg-config}" --cflags hipshim-device) \
        -c "$dir/main.hip" -o "$dir/main.o"
    ok "and links" clang++ "$dir/main.o" -o "$dir/main" $("${PKG_CONFIG:-pkg-config}" --libs hipshim-device)
    is "and the program runs" "$(LD_LIBRARY_PATH=$libdir "$dir/main" 2>&1)" "$without"
else
    skip "pkg-config hipshim-device: a HIP compiler compiles" "there is no clang++"
    skip "and links" "there is no clang++"
    skip "and the program runs" "there is no clang++"
fi

# --- on real runtimes, with the loopback for a GPU ---

unset HIPSHIM_LIBRARY
LOOPBACK_GPUS=1 AMD_COMGR_CACHE=1
export LOOPBACK_GPUS AMD_COMGR_CACHE
loopback_build any
cp -P "$libdir"/libhipshim-rocm.so* "$scratch/lib"
kernels=
if compile_find; then
    compile_use "${compilers##* }"
    # Its checks report errors by a function of hipshim's own, which this library has not.
    echo 'const char *hipshim_error_text(void); const char *hipshim_error_text(void) { return ""; }' >"$scratch/text.c"
    ok "a program with kernels compiles" compile_device "$top/tests/registration/features.hip" \
        "$scratch/kernels.o" --offload-arch=gfx90a
    ok "and links with the tree's libamdhip64 alone" sh -c "
        ${CC:-cc} -c '$scratch/text.c' -o '$scratch/text.o' &&
        ${CXX:-c++} -rdynamic '$scratch/kernels.o' '$scratch/text.o' -o '$scratch/kernels' '-L$rocm/lib' -lamdhip64"
    lacks "it needs libhipshim-rocm only" "$(readelf -d "$scratch/kernels" | grep NEEDED)" "libhipshim.so"
    kernels=$scratch/kernels
else
    skip "a program with kernels compiles" "there is no HIP compiler (tests/lib/fetch-hipcc gets hipcc)"
fi
for release in $real_releases; do
    if [ ! -d "$real_runtimes/$release" ]; then
        skip "HIP $release: the projects' programs run" "no real runtime (tests/lib/fetch-runtimes gets it)"
        continue
    fi
    real_find "$release"
    for name in hipshim hip_DIR ROCM_PATH meson; do
        program=$scratch/$name/build/main
        [ -x "$program" ] || continue
        is "HIP $release: the program of $name copies memory" "$(loopback_run "$program" 2>/dev/null)" "hipSuccess
copied 7, hiprtc 1"
    done
    if [ -n "$kernels" ]; then
        loopback_run "$kernels" >"$scratch/out" 2>"$scratch/err"
        relay "HIP $release: kernels" $?
    fi
done
finish
