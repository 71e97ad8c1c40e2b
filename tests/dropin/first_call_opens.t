#!/bin/sh
# SPDX-License-Identifier: MIT
# The call that opens the runtime also goes to the library that its caller needs: a plugin for a
# later rocBLAS, which brought its real library along, passes two parameters more than the drop-in
# that comes first in scope has.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

siblings=$build/dropin/siblings
[ -f "$siblings/librocblas.so.4" ] || skip_all "there are no drop-ins in $siblings"
# shellcheck disable=SC2086 # CC may be several words
compile() { ${CC:-cc} "$@"; }
mkdir "$scratch/real"
{
    echo 'int other(void) { return 0; }'
    ${NM:-nm} -D --defined-only "$siblings/librocblas.so.4" | awk '$2 == "T" && !/rocblas_ctrmm$/ {
        sub(/@.*/, "", $3); print "int " $3 "(void) __attribute__((alias(\"other\")));" }'
    cat <<'EOF'
long rocblas_ctrmm(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j,
                   long k, long l, long output, long width) {
    (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h, (void)i, (void)j;
    (void)k, (void)l;
    return 100 * output + (int)width;
}
EOF
} >"$scratch/real.c"
cat >"$scratch/plugin.c" <<'EOF'
extern int rocblas_ctrmm(long, int, int, int, int, int, int, long, long, int, long, int, long, int);
int run(void) {
    volatile int result = rocblas_ctrmm(1, 141, 121, 111, 131, 2, 2, 2, 3, 2, 4, 2, 5, 7);
    return result; /* no jump, so the return address is here */
}
EOF
cat >"$scratch/host.c" <<'EOF'
#include <dlfcn.h>
#include <stdio.h>
int main(int count, char **words) {
    void *first = dlopen("librocblas.so.3", RTLD_NOW | RTLD_GLOBAL);
    void *plugin = first && count == 2 ? dlopen(words[1], RTLD_NOW) : NULL;
    int (*run)(void) = plugin ? (int (*)(void))dlsym(plugin, "run") : NULL;
    if (!run) {
        return puts(dlerror()) < 0;
    }
    for (int i = 0; i < 2; i++) {
        printf("%d ", run());
    }
    return 0;
}
EOF
ok "a library of rocBLAS 4 is built" compile -w -shared -fPIC -o "$scratch/real/librocblas.so.4" \
    "$scratch/real.c" -Wl,-soname,librocblas.so.4
ok "a plugin for it is built" compile -shared -fPIC -o "$scratch/plugin.so" "$scratch/plugin.c" \
    "$scratch/real/librocblas.so.4" -Wl,--disable-new-dtags,-rpath,"$scratch/real"
ok "a host is built" compile -o "$scratch/host" "$scratch/host.c" -ldl
is "every call has its own output" \
    "$(LD_LIBRARY_PATH=$siblings:$build/dropin HIPSHIM_LIBRARY=/nowhere \
        "$scratch/host" "$scratch/plugin.so" 2>&1)" "507 507 "
finish
