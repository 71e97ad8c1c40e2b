#!/bin/sh
# SPDX-License-Identifier: MIT
# Whatever HIPSHIM_LIBRARY or a prefix holds: nothing crashes, the reason is
# given, and a wrong pin never falls through to another runtime.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=common.sh
. "$top/tests/loader/common.sh"

build_probe ./probe

# Something that would be found if a pin fell through.
fake opt/rocm/lib/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60443484
good=$scratch/opt/rocm/lib/libamdhip64.so.6

# bytes FILE AT OCTAL...: a copy of the good library with bytes replaced.
bytes() {
    cp "$good" "$1"
    at=$2
    file=$1
    shift 2
    for byte; do
        # shellcheck disable=SC2059 # the escape is the point
        printf "\\$byte" | dd of="$file" bs=1 seek="$at" conv=notrunc 2>dd-errors || exit 99
        at=$((at + 1))
    done
}

# refuses PIN PATTERN DESCRIPTION
refuses() {
    HIPSHIM_LIBRARY=$1 run ./probe -s
    gives "$3" "reason=HIPSHIM_LIBRARY names no usable HIP runtime; .*$2.*"
    tap_run_result "and no other runtime is taken instead" none_taken
}
none_taken() { [ "$status" -eq 1 ] && grep -q '^path=none$' output && ! grep -q '|used|' output; }

HIPSHIM_LIBRARY='' run ./probe -s
exits 'an empty HIPSHIM_LIBRARY counts as not set' 0
gives 'and that is recorded' 'step HIPSHIM_LIBRARY\|skipped\|HIPSHIM_LIBRARY\|set but empty, .*'
HIPSHIM_LIBRARY=$good run ./probe
gives 'a file is used' "path=$good"
HIPSHIM_LIBRARY=opt/rocm run ./probe
gives 'a prefix is searched' "path=$good"
HIPSHIM_LIBRARY=opt/rocm/lib run ./probe
gives 'a library directory is searched' "path=$good"
HIPSHIM_LIBRARY=libamdhip64.so.6 LD_LIBRARY_PATH=opt/rocm/lib run ./probe
gives 'a bare name is for the dynamic linker' "path=$good"
cp "$good" my-hip.so
HIPSHIM_LIBRARY=my-hip.so run ./probe
gives 'unless such a file is there' "path=$scratch/my-hip\\.so"

refuses "$scratch/missing.so" 'no such file or directory' 'a missing file is said to be missing'
refuses libamdhip64-missing.so 'libamdhip64-missing.so' 'a name the linker does not know is refused'
mkdir empty
refuses "$scratch/empty" 'no libamdhip64 in this directory' 'a directory without a runtime'
echo 'INPUT(-lamdhip64)' >script.so
refuses "$scratch/script.so" 'it is a text file' 'a text file'
: >empty.so
refuses "$scratch/empty.so" 'the file is empty' 'an empty file'
head -c 40 "$good" >header.so
refuses "$scratch/header.so" 'cut short inside its ELF header' 'a file cut inside its ELF header'
head -c 100 "$good" >segments.so
refuses "$scratch/segments.so" 'cut short inside its program headers' \
    'a file cut inside its program headers'
head -c 5000 "$good" >short.so
refuses "$scratch/short.so" 'the file is cut short: 5000 bytes' \
    'a file cut behind its headers, which would make dlopen die of SIGBUS'
head -c 4000 /dev/zero >binary.so
refuses "$scratch/binary.so" 'some other kind of file' 'a file of no known kind'
ln -s nowhere.so dangling.so
refuses "$scratch/dangling.so" 'a link to a file that does not exist' 'a dangling link'
mkfifo fifo.so
refuses "$scratch/fifo.so" 'not a regular file' 'a FIFO, without waiting for a writer'
refuses "$scratch/$(head -c 5000 /dev/zero | tr '\0' a)" 'cannot be opened: File name too long' 'a path that is too long'

class=$(od -An -tu1 -j4 -N1 "$good" | tr -d ' ')
if [ "$class" -eq 2 ]; then
    bytes bits.so 4 1
    refuses "$scratch/bits.so" 'it is a 32-bit library and this is a 64-bit process' \
        'a library of the other word size'
else
    skip 'a library of the other word size' 'this is no 64-bit machine'
fi
bytes order.so 5 2
refuses "$scratch/order.so" 'other byte order' 'a library of the other byte order'
bytes machine.so 18 26 0
refuses "$scratch/machine.so" 'it is a library for S/390 and this process is .*' \
    'a library for another machine'
bytes program.so 16 2 0
refuses "$scratch/program.so" 'not a shared library' 'an ELF file that is no library'

fake other.so libother.so
refuses "$scratch/other.so" 'does not define hipRuntimeGetVersion' 'some other library'
fake data.so libdata.so -DFAKE_VERSION=60443484 -DFAKE_DATA
refuses "$scratch/data.so" 'does not define hipRuntimeGetVersion' \
    'a variable of the name is not called'
fake fails.so libamdhip64.so.6 -DFAKE_VERSION=60443484 -DFAKE_STATUS=3
refuses "$scratch/fails.so" 'fails with HIP error 3' 'a runtime that cannot say its release'
fake odd.so libamdhip64.so.6 -DFAKE_VERSION=42
refuses "$scratch/odd.so" 'returns 42, which is not a release' 'a release that makes no sense'
fake lazy.so libamdhip64.so.6 -DFAKE_VERSION=60443484 -DFAKE_NEEDS=no_such_function
refuses "$scratch/lazy.so" 'no_such_function' 'a runtime with an undefined symbol'
fake libdep.so libdep.so -DFAKE_MALLOC
fake needy.so libamdhip64.so.6 -DFAKE_VERSION=60443484 -L. -Wl,--no-as-needed -ldep
refuses "$scratch/needy.so" 'it is in the same directory: add .* to LD_LIBRARY_PATH' \
    'a dependency beside the runtime, where nobody looks, is pointed out'
rm libdep.so
# More zeros than a process has addresses.
echo '__asm__(".bss; .zero 0x7ffffffff000; .text");' >large.c
${CC:-cc} -shared -fPIC -o libdep.so large.c || exit 99
# shellcheck disable=SC2016 # the dynamic linker expands it
fake found.so libamdhip64.so.6 -DFAKE_VERSION=60443484 -L. -Wl,--no-as-needed -ldep -Wl,-rpath,'$ORIGIN'
refuses "$scratch/found.so" 'failed to map segment from shared object \(from HIPSHIM_LIBRARY\)' \
    'a dependency that is found but does not fit gets no such advice'
rm libdep.so
refuses "$scratch/needy.so" 'libdep.so' 'a runtime whose dependency is missing names it'
fake dropin.so libamdhip64.so.6 -DFAKE_VERSION=60443484 -DFAKE_DROP_IN
refuses "$scratch/dropin.so" 'it is hipshim itself' "hipshim's own drop-in"
fake nine.so libamdhip64.so.9 -DFAKE_VERSION=90100000
refuses "$scratch/nine.so" 'HIP 9 is not known .*HIPSHIM_ALLOW_UNKNOWN=1' 'an unknown major'
HIPSHIM_LIBRARY=$scratch/nine.so HIPSHIM_ALLOW_UNKNOWN=1 run ./probe
gives 'HIPSHIM_ALLOW_UNKNOWN=1 takes it as the newest release' 'used_as=7\.2\.53211'
HIPSHIM_LIBRARY=$scratch/nine.so HIPSHIM_ALLOW_UNKNOWN=0 run ./probe
exits 'HIPSHIM_ALLOW_UNKNOWN=0 does not' 1
HIPSHIM_LIBRARY=$scratch/nine.so HIPSHIM_ALLOW_UNKNOWN=yes run ./probe
exits 'nor does a value that is neither 0 nor 1' 1
gives '... and one line says so' \
    'hipshim: HIPSHIM_ALLOW_UNKNOWN=yes is not used; it takes 0 or 1, and counts as 0'
fake next.so libamdhip64.so.6 -DFAKE_VERSION=60499999
HIPSHIM_LIBRARY=$scratch/next.so run ./probe
exits 'an unknown release is used' 0
for value in 1 yes true; do
    HIPSHIM_LIBRARY=$scratch/next.so HIPSHIM_STRICT=$value run ./probe
    exits "HIPSHIM_STRICT=$value refuses it" 1
done
gives '... and one line says that the value is odd' \
    'hipshim: HIPSHIM_STRICT=true is not used; it takes 0 or 1, and counts as 1'
HIPSHIM_LIBRARY=$scratch/next.so HIPSHIM_STRICT=0 run ./probe
exits 'HIPSHIM_STRICT=0 does not refuse it' 0

# Outside the pin a bad library is passed over, and recorded.
mkdir -p stale/lib
cp short.so stale/lib/libamdhip64.so.7
HIP_PATH=stale run ./probe -s
gives 'a broken library under HIP_PATH does not stop the search' "path=$good"
gives 'and is reported with the variable it comes from' \
    'step environment\|rejected\|stale/lib/libamdhip64.so.7\|.*cut short.*HIP_PATH.*'
fake ahead/lib/libamdhip64.so.8 libamdhip64.so.8 -DFAKE_VERSION=80000000
HIP_PATH=ahead run ./probe -s
gives 'a runtime newer than hipshim is named' \
    'step environment\|rejected\|ahead/lib/libamdhip64.so.8\|HIP 8 is not known.*'

run ./probe
never 'nothing is printed without HIPSHIM_TRACE' 'hipshim: .*'
HIPSHIM_TRACE=0 run ./probe
never 'nor with HIPSHIM_TRACE=0' 'hipshim: .*'
HIPSHIM_TRACE=1 run ./probe
gives 'HIPSHIM_TRACE=1 prints the steps' "hipshim: well-known directory: $good: used: 6.4.43484 is known.*"

finish
