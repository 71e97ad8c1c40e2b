#!/bin/sh
# SPDX-License-Identifier: MIT
# A C and a C++ program need nothing but pkg-config to use an installed
# hipshim: no ROCm to compile, to link or to start.
# shellcheck disable=SC2046,SC2086 # flags are lists of words
# shellcheck source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

[ -f "$build/Makefile" ] || skip_all "not configured"
plan 18

dest=$scratch/dest
ok "make install works" "${MAKE:-make}" -C "$build" install "DESTDIR=$dest"
pc=$(find "$dest" -name hipshim.pc)
PKG_CONFIG_LIBDIR=${pc%/*} PKG_CONFIG_SYSROOT_DIR=$dest PKG_CONFIG_PATH=
export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_PATH
pkg_config=${PKG_CONFIG:-pkg-config}
LD_LIBRARY_PATH=${pc%/*/*}
export LD_LIBRARY_PATH
strict='-Wall -Wextra -Werror'
version=$("$pkg_config" --modversion hipshim)

cat >"$scratch/consumer.c" <<'SOURCE'
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>
#include <hipshim/hipshim.h>
#include <stdio.h>

int main(void)
{
    int count = -1;
    const char *name = hipGetErrorName(hipGetDeviceCount(&count));

    printf("%s %d %d\n", hipshim_version(), count, name != NULL);
    return 0;
}
SOURCE
cat >"$scratch/consumer.cpp" <<'SOURCE'
#include <hip/hip_runtime.h>
#include <hipshim/hipshim.h>
#include <iostream>

int main()
{
    float *buffer = nullptr;
    int count = -1;
    hipError_t status = hipGetDeviceCount(&count);

    if (count > 0 && hipMalloc(&buffer, 16) == hipSuccess) // typed overload
        status = hipFree(buffer);
    std::cout << hipshim_version() << ' ' << count << ' ' << (hipGetErrorName(status) != nullptr) << '\n';
}
SOURCE

consumer() { # DESCRIPTION PROGRAM COMPILER...: compiles and runs
    description=$1 program=$2
    shift 2
    ok "a $description consumer compiles and links" "$@" -o "$program"
    has "a $description consumer runs" "$("$program" 2>&1)" "$version "
}
cflags=$("$pkg_config" --cflags hipshim)
libs=$("$pkg_config" --libs hipshim)
consumer C "$scratch/c" ${CC:-cc} -std=c11 $strict $cflags "$scratch/consumer.c" $libs
consumer C++ "$scratch/cpp" ${CXX:-c++} -std=c++17 $strict $cflags "$scratch/consumer.cpp" $libs
has "it is libhipshim that they link" "$(ldd "$scratch/c")" "libhipshim.so.0 => $LD_LIBRARY_PATH"
lacks "and no HIP" "$(ldd "$scratch/c" "$scratch/cpp")" amdhip
consumer "static C" "$scratch/static" ${CC:-cc} -std=c11 $strict $cflags "$scratch/consumer.c" \
    "$LD_LIBRARY_PATH/libhipshim.a" $("$pkg_config" --static --libs-only-l hipshim | sed 's/-lhipshim//')
lacks "a static consumer needs no libhipshim.so" "$(ldd "$scratch/static")" libhipshim

# The kernel library: shared, and both as archives.
cat >"$scratch/kernel.c" <<'SOURCE'
#include <hipshim/embed.h>
#include <hipshim/kernel.h>
#include <stdio.h>

int main(void)
{
    hipshim_kernel_t *kernel;
    const hipshim_embedded_code_t *code;

    if (hipshim_kernel_compile(NULL, &kernel) != HIPSHIM_ERROR_INVALID ||
        hipshim_embedded_find(NULL, "", "gfx90a", &code) != HIPSHIM_ERROR_INVALID)
        return 1;
    printf("%s %s\n", hipshim_version(), hipshim_error_text());
    return 0;
}
SOURCE
kernel_libs=$("$pkg_config" --libs hipshim-kernel)
consumer "kernel" "$scratch/kernel" ${CC:-cc} -std=c11 $strict $cflags "$scratch/kernel.c" $kernel_libs
has "it is libhipshim-kernel that it links" "$(ldd "$scratch/kernel")" "libhipshim-kernel.so.0 => $LD_LIBRARY_PATH"
consumer "static kernel" "$scratch/kernel-static" ${CC:-cc} -std=c11 $strict $cflags "$scratch/kernel.c" \
    -Wl,-Bstatic $("$pkg_config" --static --libs hipshim-kernel | sed 's/-lhipshim /-lhipshim -Wl,-Bdynamic /')

# Pinned: the API of one release, by the patch configure selected.
patch=$("$pkg_config" --variable=hip_patch hipshim-bindings)
cat >"$scratch/pinned.c" <<SOURCE
#include <bindings.h>
#if HIPSHIM_HIP_PATCH != $patch || HIP_VERSION_PATCH != $patch
#error other bindings than configure selected
#endif
hipError_t use(void);
hipError_t use(void) { return hipInit(0); }
SOURCE
cp "$scratch/pinned.c" "$scratch/pinned.cpp"
cflags=$("$pkg_config" --cflags hipshim-bindings)
ok "pinned bindings compile as C" ${CC:-cc} -std=c11 $strict $cflags -c "$scratch/pinned.c" -o "$scratch/pinned.o"
ok "pinned bindings compile as C++" ${CXX:-c++} -std=c++17 $strict $cflags -c "$scratch/pinned.cpp" -o "$scratch/pinned.o"
printf '#include <bindings.h>\n' >"$scratch/unknown.c"
unknown=$(${CC:-cc} $cflags -UHIPSHIM_HIP_PATCH -DHIPSHIM_HIP_PATCH=1 -c "$scratch/unknown.c" -o "$scratch/unknown.o" 2>&1)
has "an unknown pin is an error that lists the known ones" "$unknown" "$patch"
