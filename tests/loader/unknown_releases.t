#!/bin/sh
# SPDX-License-Identifier: MIT
# A runtime of an unknown release is used as the known one whose functions are most like its
# own; a process says so in one line, and with HIPSHIM_STRICT=1 refuses it.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=common.sh
. "$top/tests/loader/common.sh"

tool=$build/hipshim
[ -x "$tool" ] || skip_all "there is no program at $tool"

# The functions of a release are in its bindings; each returns 0 here.
runtime() { # FILE MAJOR.MINOR.PATCH PATCH [BUT]: reports that release, exports what PATCH declares
    IFS=. read -r runtime_major runtime_minor runtime_patch <<RELEASE
$2
RELEASE
    mkdir -p "$(dirname "$1")"
    {
        sed -n 's/^[a-zA-Z_].*[ *]\(hip[A-Z][A-Za-z0-9_]*\)(.*);$/int \1(void) { return 0; }/p' \
            "$top/bindings/bindings_$3.h" | grep -v -e hipRuntimeGetVersion -e " ${4:-none}("
        echo 'int hiprtcCreateProgram(void) { return 0; }'
        echo 'int hipRuntimeGetVersion(int *version)'
        echo "{ *version = $runtime_major * 10000000 + $runtime_minor * 100000 + $runtime_patch;" \
            'return 0; }'
    } >runtime.c
    $cc -w -fPIC -shared -o "$1" -Wl,-soname,"libamdhip64.so.$runtime_major" runtime.c
}

# --- the choice ---

# RELEASE FUNCTIONS-OF USED-AS: by functions first, then by the number.
while read -r release like wanted; do
    file=$scratch/$release/libamdhip64.so.${release%%.*}
    ok "HIP $release with the functions of $like is built" runtime "$file" "$release" "$like"
    HIPSHIM_LIBRARY=$file run "$tool" info
    gives "it is used as $wanted" \
        "treated as +$wanted; $release is not known to this hipshim; it is used as $wanted, .*"
done <<'CASES'
5.4.22899 22801 5.4.22804
5.3.22099 22062 5.3.22062
5.3.22060 22061 5.3.22061
5.2.22000 22062 5.3.22062
5.5.30000 20531 5.1.20532
5.9.1 31921 5.7.31921
6.3.99999 42131 6.3.42134
6.3.43480 43484 6.4.43482
7.9.1 53211 7.2.53211
CASES
HIPSHIM_LIBRARY=$scratch/6.3.43480/libamdhip64.so.6 run "$tool" info
gives 'the reason for the choice is told' \
    '.*6\.4\.43482, the known release with the most similar functions \(0 of the [0-9]+ that .*'
HIPSHIM_LIBRARY=$scratch/6.3.43480/libamdhip64.so.6 "$tool" info --json >"$scratch/output" 2>err
gives 'info --json has the choice' '  "match_text": "6\.3\.43480 is not known .* used as 6\.4\.43482.*'
gives 'and that it is not exact' '  "exact": false,'

# --- the line on stderr ---

lines() { grep -c "hipshim: $1: .* is not known .*; HIPSHIM_STRICT=1 refuses it\$" output; }
unknown=$scratch/5.4.22899/libamdhip64.so.5
cat >program.c <<'SOURCE'
#include <dlfcn.h>
#include <stdio.h>
int hipInit(unsigned flags);
int hiprtcVersion(int *major, int *minor);
/* Each argument is a library that is loaded and called, after the drop-ins below. */
int main(int count, char **arguments)
{
    int numbers[2];
    for (int round = 0; round < 2; round++) {
        hipInit(0);
        hiprtcVersion(&numbers[0], &numbers[1]);
        for (int i = 1; i < count; i++) {
            void *library = dlopen(arguments[i], RTLD_NOW);
            int (*init)(unsigned) = library ? (int (*)(unsigned))dlsym(library, "hipInit") : NULL;
            init = library && !init ? (int (*)(unsigned))dlsym(library, "hipshim_hipInit") : init;
            if (!init) {
                printf("%s\n", dlerror());
                return 1;
            }
            init(0);
        }
    }
    return 0;
}
SOURCE
# shellcheck disable=SC2086 # CC may be several words
ok 'a program of drop-ins is built' $cc -w -o program program.c "$build/dropin/libamdhip64.so.5" \
    "$build/dropin/libhiprtc.so.5" "-Wl,-rpath,$build/dropin" -ldl
HIPSHIM_LIBRARY=$unknown run ./program
is 'a program with two drop-ins says it once' "$status $(lines "$unknown")" '0 1'
HIPSHIM_LIBRARY=$unknown run ./program "$build/.libs/libhipshim.so.0" "$build/dropin/libamdhip64.so.7"
is 'libhipshim and another drop-in do not repeat it' "$status $(lines "$unknown")" '0 1'
run runtime known/libamdhip64.so.5 5.4.22803 22801
HIPSHIM_LIBRARY=$scratch/known/libamdhip64.so.5 run ./program
is 'a known release is used without a word' "$status $(cat output)" '0 '

# --- functions ---

cat >calls.c <<'SOURCE'
#include <hipshim/hipshim.h>
#include <hip/hip_runtime_api.h>
#include <stdio.h>
int main(void)
{
    hipshim_function_t function = {.size = sizeof function};
    hipshim_function_info("hipUserObjectRelease", &function);
    printf("kind %d, error %d\n", function.kind, hipUserObjectRelease(NULL, 1));
    puts(hipshim_error_text());
    printf("error %d\n", hipGraphNodeSetEnabled(NULL, NULL, 0));
    puts(hipshim_error_text());
    return 0;
}
SOURCE
# shellcheck disable=SC2086 # CC may be several words
ok 'a program of libhipshim is built' $cc -w -o calls calls.c -I"$top/include/hipshim" \
    -I"$top/bindings" -L"$build/.libs" -lhipshim "-Wl,-rpath,$build/.libs"
run runtime less/libamdhip64.so.5 5.4.22805 22801 hipUserObjectRelease
HIPSHIM_LIBRARY=$scratch/less/libamdhip64.so.5 run ./calls
gives 'a function that it does not export is missing' 'kind 3, error 801'
gives 'and a call says so' \
    'hipUserObjectRelease is not exported by this build of HIP 5\.4\.22805 \(used as 5\.4\.22804\) at .*'
gives 'a function of later releases is missing' 'error 801'
gives 'and a call names both releases' \
    'hipGraphNodeSetEnabled needs HIP 5\.5; this is 5\.4\.22805 \(used as 5\.4\.22804\) at .*'
run runtime foreign/libamdhip64.so.7 7.2.53211 53211 hipUserObjectRelease
HIPSHIM_LIBRARY=$scratch/foreign/libamdhip64.so.7 run ./calls
gives "another vendor's runtime is used with what it exports" 'error 0'
gives 'and what it does not export is missing, although that release has it' 'kind 3, error 801'
gives 'and the call says so' \
    "hipUserObjectRelease is not exported by this build of HIP 7\.2\.53211 at .*"

# --- HIPSHIM_STRICT ---

HIPSHIM_LIBRARY=$unknown HIPSHIM_STRICT=1 run "$tool" info
exits 'HIPSHIM_STRICT=1 refuses an unknown release' 1
gives 'it gives the reason' ".*$unknown: 5\\.4\\.22899 is not known to this hipshim, and HIPSHIM_STRICT=1 refuses unknown releases; a newer hipshim may know it.*"
HIPSHIM_LIBRARY=$unknown HIPSHIM_STRICT=0 run "$tool" info
exits 'HIPSHIM_STRICT=0 does not' 0
HIPSHIM_LIBRARY=$scratch/known HIPSHIM_STRICT=1 run "$tool" info
exits 'HIPSHIM_STRICT=1 takes a known release' 0
HIPSHIM_LIBRARY=$unknown HIPSHIM_STRICT=1 run ./program
gives 'a drop-in gives the reason on stderr' 'hipshim: libamdhip64\.so\.5: .* HIPSHIM_STRICT=1 refuses .*'
mkdir -p first/lib second/lib
cp "$unknown" first/lib && cp known/libamdhip64.so.5 second/lib
HIP_PATH=first ROCM_PATH=second HIPSHIM_STRICT=1 run "$tool" info
gives 'the search goes on to a known release' 'HIP +5\.4\.22803'
finish
