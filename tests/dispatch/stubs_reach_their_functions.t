#!/bin/sh
# SPDX-License-Identifier: MIT
# Every stub reaches the function of its own name, at the first call and after.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
[ -f "$build/.libs/libhipshim.so" ] || skip_all "no shared library was built"
newest=$(sed -n 's/.*\.\([0-9]*\) \([0-9]*\) .*/\2/p' "$top/bindings/releases.list" | tail -n 1)
version=$(sed -n 's/^\([0-9]*\)\.\([0-9]*\)\.\([0-9]*\) .*/\1 \2 \3/p' "$top/bindings/releases.list" |
    tail -n 1 | awk '{ print $1 * 10000000 + $2 * 100000 + $3 }')
# The newest release converts nothing.  hipCreateChannelDesc returns a struct;
# the entry point functions answer by themselves.
sed -n 's/^[a-z][A-Za-z0-9_ ]*[ *]\(_*hip[A-Za-z0-9_]*\)(.*;$/\1/p' "$top/bindings/bindings_$newest.h" |
    grep -v '^hipCreateChannelDesc$\|^hipGetProcAddress\(_spt\)\?$\|^hipGetDriverEntryPoint' >"$scratch/names"
{
    echo 'const char *fake_last;'
    sed 's/.*/long &(int *v) { fake_last = "&"; if (VERSION(&)) *v = NEWEST; return 0; }/' "$scratch/names"
} | sed 's/VERSION(hipRuntimeGetVersion)/v/; s/VERSION([A-Za-z0-9_]*)/0/' >"$scratch/fake.c"
sed 's/.*/    "&",/' "$scratch/names" >"$scratch/names.inc"
cat >"$scratch/main.c" <<'SOURCE'
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
static const char *const names[] = {
#include "names.inc"
};
int main(int argc, char **argv)
{
    void *shim = dlopen(argv[1], RTLD_NOW), *fake = dlopen(argv[2], RTLD_NOW);
    const char **last = dlsym(fake, "fake_last");
    int bad = 0;
    for (int round = 0; round < 2; round++) {
        for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
            char symbol[128];
            snprintf(symbol, sizeof symbol, "hipshim_%s", names[i]);
            long (*call)(long, long, long, long, long, long) = dlsym(shim, symbol);
            *last = "nothing";
            call(0, 0, 0, 0, 0, 0);
            if (strcmp(*last, names[i])) {
                printf("%s reached %s\n", names[i], *last);
                bad = 1;
            }
        }
    }
    return bad;
}
SOURCE
${CC:-cc} -w -shared -fPIC "-DNEWEST=$version" "$scratch/fake.c" -o "$scratch/libamdhip64.so.7"
ln "$scratch/libamdhip64.so.7" "$scratch/libhiprtc.so.7" # one file is one library
${CC:-cc} -w "$scratch/main.c" -ldl -o "$scratch/main"
calls() {
    HIPSHIM_LIBRARY=$scratch/libamdhip64.so.7 "$scratch/main" "$build/.libs/libhipshim.so" \
        "$scratch/libamdhip64.so.7"
}
ok "every stub reaches its function, twice" calls
wrong=$(awk '/^HIPSHIM_LOCAL .*[ *]hipshim_first_[A-Za-z0-9_]*\(.*\)$/ {
        n = $0; sub(/.*hipshim_first_/, "", n); sub(/\(.*/, "", n) }
    /hipshim_function_address\("/ { m = $0; sub(/.*address\("/, "", m); sub(/".*/, "", m)
        if (m != n) print n " asks for " m }' "$top/bindings/inline.h")
is "inline.h asks for each function by its own name" "$wrong" ""
wrong=$(awk '/^(HS_PUBLIC|static) .*[ *](resolve_)?_*hip[A-Za-z0-9_]*\(.*\)$/ {
        n = $0; sub(/\(.*/, "", n); sub(/.*[ *]/, "", n); sub(/^resolve_/, "", n) }
    match($0, /HS_(SLOT\(|FN_)[A-Za-z0-9_]+/) {
        m = substr($0, RSTART, RLENGTH); sub(/HS_(SLOT\(|FN_)/, "", m); if (m != n) print n " uses " m }' "$top/bindings/stable/stubs.c")
is "every stub and resolver uses its own slot" "$wrong" ""
finish
