#!/bin/sh
# SPDX-License-Identifier: MIT
# libhipshim as a part of a plugin: loaded with local names, closed, loaded again;
# and with another runtime's names global beside it, which it must not call.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

library=$build/.libs/libhipshim.so.0
[ -f "$library" ] || skip_all "libhipshim was not built"
cc=${CC:-cc}
fixture=$top/tests/loader/fake_runtime.c

# A neighbour: every name of HIP, each of which ends the process if it is called.
sed -n 's/^    HS_FN_\([A-Za-z0-9_]*\),$/\1/p' "$top/bindings/stable/functions.h" >"$scratch/names"
{
    echo '#include <stdio.h>'
    echo '#include <unistd.h>'
    # hipRuntimeGetVersion is the fixture's.
    sed -n '/^hipRuntimeGetVersion$/!s/.*/int &(void) { puts("the neighbour was called: &"); fflush(NULL); _exit(66); }/p' \
        "$scratch/names"
} >"$scratch/neighbour.c"
cat >"$scratch/host.c" <<'SOURCE'
/* host LIBHIPSHIM [NEIGHBOUR]: uses libhipshim as a plugin that knows no other. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include <hip/hip_runtime_api.h>
#include <hipshim/hipshim.h>

static void *open_hipshim(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        puts(dlerror());
    }
    return library;
}

int main(int count, char **arguments)
{
    __typeof__(&hipRuntimeGetVersion) get_version;
    __typeof__(&hipGetDeviceCount) get_count;
    __typeof__(&hipshim_runtime_info) get_info;
    hipshim_runtime_t info = {.size = sizeof info};
    int version = 0, devices = -1;
    if (count > 2 && !dlopen(arguments[2], RTLD_NOW | RTLD_GLOBAL)) {
        puts(dlerror());
        return 1;
    }
    for (int round = 0; round < 5; round++) {
        void *library = open_hipshim(arguments[1]);
        if (!library) {
            return 1;
        }
        *(void **)&get_version = dlsym(library, "hipshim_hipRuntimeGetVersion");
        *(void **)&get_count = dlsym(library, "hipshim_hipGetDeviceCount");
        *(void **)&get_info = dlsym(library, "hipshim_runtime_info");
        hipError_t error = get_version(&version);
        hipError_t counted = get_count(&devices);
        int status = get_info(&info);
        if (round == 0) {
            printf("version %d (%d), device count: error %d, info %d: %s\n", version, (int)error,
                   (int)counted, status, info.path ? info.path : "none");
        }
        if (dlsym(RTLD_DEFAULT, "hipshim_version") ||
            (count == 2 && dlsym(RTLD_DEFAULT, "hipRuntimeGetVersion")) || dlclose(library) != 0 ||
            get_version(&version) != error) {
            printf("round %d: names got out, or closing it failed\n", round);
            return 1;
        }
    }
    return 0;
}
SOURCE

shared() { # FILE SONAME ARGUMENTS
    file=$1
    soname=$2
    shift 2
    mkdir -p "$(dirname "$file")"
    $cc -shared -fPIC -w -o "$file" -Wl,-soname,"$soname" "$@"
}
# shellcheck disable=SC2086 # CFLAGS is a list
host() {
    $cc -std=gnu11 ${CFLAGS:-} -I"$top/include/hipshim" -I"$top/bindings" -o "$scratch/host" \
        "$scratch/host.c" -ldl
}
ok "the host compiles" host
ok "a runtime compiles" shared "$scratch/six/libamdhip64.so.6" libamdhip64.so.6 \
    -DFAKE_VERSION=60443484 "$fixture"
ok "a neighbour with all names compiles" shared "$scratch/five/libamdhip64.so.5" libamdhip64.so.5 \
    -DFAKE_VERSION=50731921 "$fixture" "$scratch/neighbour.c"
ok "one that is no runtime compiles" shared "$scratch/libtracer.so" libtracer.so "$scratch/neighbour.c"

run() { # ARGUMENTS
    said=$(timeout 60 "$scratch/host" "$library" "$@" 2>&1)
    status=$?
}
HIPSHIM_LIBRARY=$scratch/six/libamdhip64.so.6
export HIPSHIM_LIBRARY
run
is "loaded with local names, closed and loaded again, five times" $status 0
has "it uses its runtime" "$said" "version 60443484 (0)"
run "$scratch/five/libamdhip64.so.5"
is "beside a global runtime of another major, its own pinned" $status 0
has "it uses the pinned one" "$said" "six/libamdhip64.so.6"
has "and tells its release" "$said" "version 60443484 (0)"
has "what the pinned one lacks is missing, not the neighbour's" "$said" "device count: error 801"
run "$scratch/libtracer.so"
is "beside a tracer that defines all names" $status 0
has "none of them is called" "$said" "version 60443484 (0)"
has "nor taken for what its runtime lacks" "$said" "device count: error 801"
unset HIPSHIM_LIBRARY
run "$scratch/six/libamdhip64.so.6"
has "not pinned, it joins the runtime that is there" "$said" "version 60443484 (0)"
finish
