#!/bin/sh
# SPDX-License-Identifier: MIT
# hiprtc comes from the runtime itself or from the library beside it.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=common.sh
. "$top/tests/loader/common.sh"

build_probe ./probe

results() { # whether an error of hiprtc has the number of the stable headers
    # shellcheck disable=SC2086 # CC and CFLAGS are lists
    $cc ${CFLAGS:-} -I"$top/include/hipshim" -I"$top/bindings" results.c -o results -L"$build/.libs" -lhipshim &&
        HIPSHIM_LIBRARY=$scratch/lib/libamdhip64.so.5 LD_LIBRARY_PATH=$build/.libs ./results
}

# uses PATH DESCRIPTION: which library serves hiprtc.
uses() {
    HIPSHIM_LIBRARY=lib run ./probe
    gives "$2" "hiprtc=$1"
}

fake lib/libamdhip64.so.5 libamdhip64.so.5 -DFAKE_VERSION=50731921 -DFAKE_HIPRTC
uses "$scratch/lib/libamdhip64\\.so\\.5" 'up to HIP 5 it is the runtime itself'
fake lib/libhiprtc.so.5 libhiprtc.so.5 -DFAKE_HIPRTC
uses "$scratch/lib/libamdhip64\\.so\\.5" 'even with a libhiprtc beside it'
rm -r lib

fake lib/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60443484 -DFAKE_HIPRTC
uses "$scratch/lib/libamdhip64\\.so\\.6" 'in HIP 6 the runtime will do'
fake lib/libhiprtc.so.7 libhiprtc.so.7 -DFAKE_HIPRTC
uses "$scratch/lib/libamdhip64\\.so\\.6" 'a libhiprtc of another major is left alone'
fake lib/libhiprtc.so.6 libhiprtc.so.6 -DFAKE_HIPRTC
uses "$scratch/lib/libhiprtc\\.so\\.6" 'but the library beside it is preferred'
fake lib/libhiprtc.so.6 libhiprtc.so.6
uses "$scratch/lib/libamdhip64\\.so\\.6" 'unless it is not hiprtc at all'
rm -r lib

fake lib/libamdhip64.so.7 libamdhip64.so.7 -DFAKE_VERSION=70253211 -DFAKE_HIPRTC
uses none 'from HIP 7 on the runtime itself will not do'
gives 'and the reason is given' 'hiprtc_reason=.*/lib/libhiprtc\.so\.7: no such file or directory'
exits 'without hiprtc the runtime is used all the same' 0
fake elsewhere/libhiprtc.so.7 libhiprtc.so.7 -DFAKE_HIPRTC
LD_LIBRARY_PATH=elsewhere uses none 'a libhiprtc from elsewhere will not do'
echo text >lib/libhiprtc.so.7
uses none 'nor a text file'
gives 'which the reason says' 'hiprtc_reason=.*it is a text file, not a shared library'
fake lib/libhiprtc.so.7 libhiprtc.so.7 -DFAKE_HIPRTC
uses "$scratch/lib/libhiprtc\\.so\\.7" 'the library beside it is used'
HIPSHIM_LIBRARY=lib run ./probe -t
gives 'eight threads that ask first at once get the same answer' 'threads=8'
mkdir links
ln -s ../lib/libamdhip64.so.7 links/libamdhip64.so.7
HIPSHIM_LIBRARY=$scratch/links run ./probe
gives 'an absolute path is not resolved' "path=$scratch/links/libamdhip64\\.so\\.7"
gives 'also beside the file that a link leads to' "hiprtc=$scratch/lib/libhiprtc\\.so\\.7"
rm -r lib links

fake lib/libamdhip64.so libamdhip64.so -DFAKE_VERSION=70253211
fake lib/libhiprtc.so libhiprtc.so -DFAKE_HIPRTC
uses "$scratch/lib/libhiprtc\\.so" 'bare names, as in wheels, belong together'

# HIP 5.3 alone has other numbers for the errors of hiprtc, 11 in place of 10 for one of them.
cat >results.c <<'SOURCE'
#include <hip/hiprtc.h>
int main(void)
{
    hiprtcProgram program;
    return hiprtcCreateProgram(&program, "", "", 0, 0, 0) != HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}
SOURCE
for release in 50221153:10 50322061:11; do
    fake lib/libamdhip64.so.5 libamdhip64.so.5 "-DFAKE_VERSION=${release%:*}" -DFAKE_HIPRTC "-DFAKE_RESULT=${release#*:}"
    ok "the error ${release#*:} of hiprtc is the same one in release ${release%:*}" results
done
finish
