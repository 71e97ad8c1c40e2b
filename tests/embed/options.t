#!/bin/sh
# SPDX-License-Identifier: MIT
# Each option of `hipshim embed` does what --help says, and what is written stands
# any name, any text and other outputs beside it in one program.
# shellcheck source-path=SCRIPTDIR
# shellcheck disable=SC2016 # what is written for others to expand
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../cache/common.sh
. "$top/tests/cache/common.sh"

HIPSHIM_CACHE=0
export HIPSHIM_CACHE
cd "$scratch" || exit 99
mkdir -p k include other
echo 'SIZE=64' >k/a.hip
echo 'SIZE=32 b' >k/b.hip
umask 022

embed() { # ARGUMENT...: output in $said, status in $status
    said=$("$tool" embed "$@" 2>&1)
    status=$?
}
compile() { # FILE...
    # shellcheck disable=SC2086 # CC may be several words
    $cc -std=c11 -Wall -Wextra -Werror -I"$top/include/hipshim" -I. "$@"
}

# --- what the cache knows ---

HIPSHIM_CACHE=1

again() { # WHAT ARGUMENT...: compiles with an empty cache, and the second time does not
    again_what=$1
    shift
    forget
    embed -o out k "$@"
    ok "$again_what compiles" test "$status:$(compilations)" != 0:0
    rm "$FAKE_COMPILES"
    embed -o out k "$@"
    is "$again_what, again, does not" "$status:$(compilations)" 0:0
}
again "a first time" --arch gfx90a
HIPSHIM_ARCH=gfx906
export HIPSHIM_ARCH
again "the machine's architecture"
HIPSHIM_ARCH=gfx908
again "another machine's architecture"
unset HIPSHIM_ARCH
mkdir -p rocm/lib
build_fake "$scratch/rocm/lib/libamdhip64.so.6" -DFAKE_VERSION=60240091
again "another ROCm" --arch gfx90a --rocm "$scratch/rocm"
embed -o out --arch gfx90a --rocm "$scratch/none" k
has "a ROCm that is not there is named" "$status $said" \
    "1 hipshim embed: --rocm=$scratch/none, set as HIPSHIM_LIBRARY: HIPSHIM_LIBRARY names no usable"
embed -o out --arch gfx90a --compress k
case $said in
*libzstd*) skip "compressed compiles" "no libzstd.so.1" ;;
*)
    again "compressed" --arch gfx90a --compress
    ok "and it is a zstd frame" grep -q '^40,181,47,253,' out.c
    ;;
esac
embed -o out --arch gfx90a --asm k
rm out.bin
embed -o out --arch gfx90a --asm k
ok "a code object's file that is missing is made again" test -s out.bin

# --- what the cache cannot know ---

mkdir lent
printf '#include "v.h"\nSIZE=7\n' >k/v.hip
each_time() { # WHAT ARGUMENT...: compiles the second time, too
    again_what=$1
    shift
    embed -o out --arch gfx90a "$@"
    rm "$FAKE_COMPILES"
    embed -o out --arch gfx90a "$@"
    is "$again_what: compiled each time" "$status:$(compilations)" 0:1
}
echo '// one' >lent/v.h
embed -o out --arch gfx90a --depfile v.d --option=-Ilent k/v.hip
echo '// two' >lent/v.h
rm "$FAKE_COMPILES"
embed -o out --arch gfx90a --depfile v.d --option=-Ilent k/v.hip
is "a header in a directory of --option=-I that changed is seen" "$status:$(compilations)" 0:1
ok "and is in the depfile" grep -qx '  lent/v.h' v.d
for option in -isystem/x -iquote/x -fprofile-use=x -fplugin=x -fsanitize-ignorelist=x -include/x; do
    each_time "--option=$option" --option=$option k/a.hip
done
for text in '#embed "x"' 'asm(".incbin \"x\"");' 'asm(".include \"x\"");' '#if __has_include("x.h")'; do
    printf '%s\nSIZE=7\n' "$text" >k/v.hip
    each_time "$text" k/v.hip
done
rm k/v.hip
HIPRTC_COMPILE_OPTIONS_APPEND="-include x.h"
export HIPRTC_COMPILE_OPTIONS_APPEND
each_time "a variable that names a file" k/a.hip
unset HIPRTC_COMPILE_OPTIONS_APPEND
again "a switch of the back end" --arch gfx90a --option=-mllvm --option=-amdgpu-function-calls=false
HIPSHIM_CACHE=0

# --- depfiles ---

echo 'all: ; do not lose me' >mine.d
embed -o out --arch gfx90a --depfile mine.d k/a.hip
is "a depfile of somebody else's is not replaced" "$status $said" \
    "3 hipshim embed: mine.d is not a file that hipshim embed wrote; remove it, or give --depfile another name"
is "but left as it is" "$(cat mine.d)" "all: ; do not lose me"
: >empty.d
embed -o out --arch gfx90a --depfile empty.d k/a.hip
is "an empty file is replaced" "$status" 0
embed -o other/out --arch gfx90a --depfile empty.d k/a.hip
is "a depfile of another output is replaced" "$status" 0
mkdir -p 'm:k/50%#$x'
echo 'SIZE=7' >'m:k/50%#$x/a b.hip'
embed -o made --arch gfx90a --depfile made.d m:k
printf 'made.c:\n\ttouch made.c\n-include made.d\n' >Makefile
ok "make has nothing to do" make -q
touch -d '1 hour ago' made.c
ok "make sees a file of an odd name change" test "$(make -q >/dev/null 2>&1 || echo $?)" = 1
if command -v ninja >/dev/null; then
    printf 'rule r\n  command = touch made.c\n  depfile = made.d\nbuild made.c: r\n' >build.ninja
    ok "ninja reads the depfile" ninja
    ok "and has nothing to do then" sh -c 'ninja | grep -q "no work to do"'
else
    skip "ninja reads the depfile" "no ninja"
fi
refused() { # FILE ARGUMENT...
    refused_file=$1
    shift
    echo 'SIZE=7' >"$refused_file"
    embed -o refused --arch gfx90a --depfile refused.d "$@" "$refused_file"
    is "a depfile with the name $(printf %s "$refused_file" | tr '\n' /) is refused" \
        "$status $(printf %s "$said" | grep -c 'a depfile cannot have the name') $(find . -name 'refused.*')" "3 1 "
    embed -o plain --arch gfx90a "$refused_file"
    is "and without a depfile it is embedded" "$status" 0
    rm "$refused_file"
}
refused "$(printf 'x=1\nall:;touch${IFS}PWNED;:.hip')"
refused 'x=1.hip'
refused "$(printf 'tab\there.hip')"
embed -o 'out%' --arch gfx90a --depfile refused.d k/a.hip
has "an output that make would take for a pattern is refused" "$status $said" "3 hipshim embed: --output=out%: make takes"

# --- the command line ---

embed -o out --arch amdgcnspirv k/a.hip
has "an architecture that no device has is refused" "$status $said" \
    "2 hipshim embed: --arch=amdgcnspirv: code is chosen by the architecture of the device, and no device has this one"
embed -o out --arch gfx90a,nope k/a.hip
has "a name that no architecture has is an error of the command line" "$status $said" \
    '2 hipshim embed: --arch: "nope" is not an architecture, such as gfx90a'
for name in 9bad 'a b-c' ''; do
    embed -o out --arch gfx90a --name "$name" k/a.hip
    has "--name='$name' is refused, because C has no such variables" "$status $said" \
        "2 hipshim embed: --name=$name is no name of a variable in C"
done
embed -o out --arch "" k/a.hip
has "an empty architecture is refused" "$status $said" "2 hipshim embed: --arch is empty"
: >k/empty.hip
embed -o out --arch gfx90a k/empty.hip
is "an empty source is reported as empty" "$status $said" "2 hipshim embed: k/empty.hip: the file is empty"
rm k/empty.hip

forget
embed -f -o out --arch gfx90a,gfx90a --arch gfx90a k/a.hip
is "an architecture that is named twice is compiled once" "$(compilations)" 1
embed -q -f -o out --arch gfx90a k
is "--quiet says nothing" "$status$said" 0
is "others may read what is written" "$(stat -c %a out.c out.h | tr '\n' ' ')" "644 644 "
printf '#warning\n' >k/c.hip
embed -f -o out --arch gfx90a k
has "warnings of what compiles are shown" "$status $said" "0 warning: as asked for"
rm k/c.hip
printf '#error\n' | tee other/x.hip >other/y.hip
embed -o out --arch gfx90a,gfx906 other
is "all that does not compile is named" \
    "$(printf '%s\n' "$said" | sed -n 's/^hipshim embed: \(.*\) does not compile for \(gfx[0-9a]*\) .*/\1 \2/p')" \
    "other/x.hip gfx90a
other/x.hip gfx906
other/y.hip gfx90a
other/y.hip gfx906"

# --- jobs and include directories, as a compiler sees them ---

cat >hipcc <<SCRIPT
#!/bin/sh
printf '%s\\n' "\$@" >"$scratch/arguments"
touch "$scratch/running/\$\$"
n=0
while [ "\$(ls "$scratch/running" | wc -l)" -lt "\$WANTED" ] && [ \$n -lt 200 ]; do
    sleep 0.05
    n=\$((n + 1))
done
sleep 0.2
ls "$scratch/running" | wc -l >>"$scratch/most"
while [ "\$1" != -o ]; do shift; done
echo code >"\$2"
[ "\$WANTED" -gt 1 ] || rm "$scratch/running/\$\$"
SCRIPT
chmod +x hipcc
mkdir running
WANTED=4 embed -f -j4 --with=hipcc=./hipcc --arch gfx90a,gfx906 -I include -o out k
is "-j4: four at once" "$status $(sort -n most | tail -n 1)" "0 4"
ok "-I is for the compiler" grep -qx -- "-I$scratch/include" arguments
rm -r running most
mkdir running
WANTED=1 embed -f -j1 --with=hipcc=./hipcc --arch gfx90a,gfx906 -o out k
is "-j1: one after the other" "$status $(sort -n most | tail -n 1)" "0 1"

# --- what the cache may know ---

HIPSHIM_CACHE=1
echo '// known' >other/known.h
printf '#include "known.h"\n#include "not_there.h"\nSIZE=9\n' >other/x.hip
rm other/y.hip
forget
embed -o out --arch gfx90a other
embed -o out --arch gfx90a other
is "a source that includes what was not found is compiled each time" "$(compilations)" 2
printf '#include "known.h"\n#define NAME "not_there.h"\n#include NAME\nSIZE=9\n' >other/x.hip
forget
embed -o out --arch gfx90a other
embed -o out --arch gfx90a other
is "a source that includes by a macro is compiled each time" "$(compilations)" 2
forget
printf '#include "known.h"\nSIZE=9\n' >k/c.hip
cp other/known.h k/
embed -o out --arch gfx90a k
embed -o out --arch gfx90a k
is "all other sources are found in the cache" "$(compilations)" 3
embed -f -o out --arch gfx90a k
is "--force compiles without the cache" "$(compilations)" 6
rm k/c.hip k/known.h
HIPSHIM_CACHE=0

# --- names and texts ---

mkdir -p 'odd $dir'
printf '#include "odd name.h"\n// "??=\\ \303\244 \\n" \t%%d\n' >'odd $dir/q?"uote.hip'
echo '// $' >'odd $dir/odd name.h'
embed --source --asm --arch gfx90a --depfile odd.d --option='-DS="a\b??/"' -o 'o dd' 'odd $dir'
is "odd names are embedded" "$status" 0
ok "the depfile has make's escapes" grep -qF 'odd\ $$dir/odd\ name.h' odd.d
cat >text.c <<'SOURCE'
#include "o dd.h"
#include <stdio.h>
int main(void)
{
    printf("%s%s", o_dd.sources[0].text, o_dd.sources[0].options[0]);
    return o_dd.source_count != 1 || fputs(o_dd.codes[0].kernel, stderr) < 0;
}
SOURCE
for sign in -fsigned-char -funsigned-char; do
    ok "what is written compiles with $sign and trigraphs" \
        compile $sign -trigraphs -o text text.c 'o dd.c' 'o dd.S'
    is "and has the text as it was" "$(./text 2>/dev/null)" \
        "$(sed 's,"odd name.h","hipshim-0/odd name.h",' 'odd $dir/q?"uote.hip')
-DS=\"a\\b??/\""
    is "and the name" "$(./text 2>&1 >/dev/null)" 'q?"uote'
done
embed --asm --arch gfx90a -o one k/a.hip
embed --arch gfx90a -o two k/b.hip
embed --arch gfx90a -o three k/a.hip
cat >three.main.c <<'SOURCE'
#include "one.h"
#include "two.h"
#include "three.h"
int main(void)
{
    return one.code_count + two.code_count + three.code_count != 3;
}
SOURCE
ok "three outputs are built into one program" compile -o m one.c one.S two.c three.c three.main.c
ok "and are there" ./m
ok "and into a library that exports nothing else" compile -fPIC -shared -o m.so one.c one.S two.c
is "but their indices" "$(nm -D --defined-only m.so | sed -n 's/.* [DR] //p' | tr '\n' ' ')" "one two "

# --- CUDA ---

mkdir cu cv rocm/bin
printf "char c = '\"'; cudaStream_t a; char d = '\\\\''; cudaStream_t b; #include \"h.cuh\"\n" >cu/a.cu
printf '#include "h.cuh"\n' >cu/b.cu
printf '#include "h.cuh"\n' >cv/c.cu
echo 'cudaError_t of_cu; cudaNone' >cu/h.cuh
echo 'cudaEvent_t of_cv;' >cv/h.cuh
embed --source --hipify none --arch gfx90a -o cuda cu cv
is "CUDA sources are embedded" "$status" 0
is "a header of two is complained of once" "$(printf '%s\n' "$said" | grep -c 'cu/h.cuh:1: cudaNone')" 1
cat >cuda.main.c <<'SOURCE'
#include "cuda.h"
#include <stdio.h>
int main(void)
{
    for (size_t i = 0; i < cuda.source_count; i++)
        printf("%s: %s%s", cuda.sources[i].kernel, cuda.sources[i].text,
               cuda.sources[i].header_count ? cuda.sources[i].headers[1] : "");
    return 0;
}
SOURCE
ok "what is written compiles" compile -o m cuda.main.c cuda.c
is "names are mapped between character constants, headers each for itself" "$(./m)" \
    "a: char c = '\"'; hipStream_t a; char d = '\\''; hipStream_t b; #include \"h.cuh\"
b: #include \"hipshim-0/h.cuh\"
#line 1 \"cu/h.cuh\"
hipError_t of_cu; cudaNone
c: #include \"hipshim-0/h.cuh\"
#line 1 \"cv/h.cuh\"
hipEvent_t of_cv;"
printf '#!/bin/sh\necho "// hipified"\n' >rocm/bin/hipify-perl
chmod +x rocm/bin/hipify-perl
embed --source --rocm "$scratch/rocm" --arch gfx90a -o cuda cv
ok "hipify-perl of --rocm is used" grep -q "47,47,32,104,105,112,105,102,105,101,100," cuda.c
printf '#!/bin/sh\necho half\nexit 3\n' >rocm/bin/hipify-perl
embed -f --source --rocm "$scratch/rocm" --arch gfx90a -o cuda cv
has "one that fails is an error" "$status $said" "2 hipshim embed: $scratch/rocm/bin/hipify-perl fails on cv/c.cu"

# --- headers, however they are included ---

mkdir spelled
include() { # FORM: x.h is seen, and seen to change
    printf "%b\\nSIZE=7\\n" "$1" >spelled/s.hip
    echo '// one' >spelled/x.h
    embed --arch gfx90a --depfile spelled.d -o sp spelled
    echo '// two' >spelled/x.h
    forget
    embed --arch gfx90a --depfile spelled.d -o sp spelled
    is "included by $(printf '%s' "$1" | tr '\134' '/')" \
        "$status $(compilations) $(grep -c 'spelled/x.h' spelled.d)" "0 1 2"
}
include '  #  include"x.h"'
include '/* c */ #include "x.h"'
include '/* c\n */#/**/include/**/"x.h" // y'
include '%:include "x.h"'
include '#inc\\\nlude \\\n"x.h"'
include '#import "x.h"'
include "int a = 1'000; char c = '\"'; // \"\n#include \"x.h\""
include 'const char *s = R"a(/*)a";\n#include "x.h"'
include '#if 0\n#include <x.h>\n#endif\n#include "x.h"'
printf '// #include "y.h"\n/*\n#include "y.h"\n*/ const char *s = "\\\n#include <y.h>";\nSIZE=7\n' >spelled/s.hip
embed --arch gfx90a --depfile spelled.d -o sp spelled
lacks "an include in a comment or a string is none" "$(cat spelled.d)" y.h
printf 'SIZE=7\n' >spelled/s.hip
embed --arch gfx90a --option=-include --option=spelled/x.h -o sp spelled
forget
embed --arch gfx90a --option=-include --option=spelled/x.h -o sp spelled
is "an option that names a file: compiled each time" "$(compilations)" 1
mkdir -p rocm/include/hip
echo '// of HIP' >rocm/include/hip/hip_fp16.h
printf '#include <hip/hip_fp16.h>\nSIZE=7\n' >spelled/s.hip
embed --source --arch gfx90a --depfile spelled.d -I rocm/include -o sp spelled
is "a header of HIP's is not taken along" "$status $(grep -c hip_fp16 spelled.d) $(grep -c hipshim_header sp.c)" "0 0 0"
rm -r spelled/x.h

# --- directories and names ---

mkdir -p 'links/a*' links/b
ln -s .. links/b/up
ln -s ../b links/b/again
echo 'SIZE=5' >'links/a*/one.hip'
embed --arch gfx90a -o links.out links
is "links that lead around are followed once" "$status $said" "0 links.out.c: 1 kernel for gfx90a: written"
ok "a name like the end of a comment is none" compile -c links.out.c
ln -s nowhere links/b/lost.hip
embed --arch gfx90a -o links.out links
has "a link that leads nowhere is named" "$status $said" "2 hipshim embed: links/b/lost.hip: No such file"
for name in sources options codes; do
    embed --source --arch gfx90a --option=-DX -o $name k/a.hip
    ok "$name can be the name of an index" compile -c $name.c
done
mkdir empty
embed --arch gfx90a -o empty/ k/a.hip
has "nor nothing" "$status $said" "2 hipshim embed: --output ends in the name of a directory"
said=$(trap '' CHLD && "$tool" embed -f --arch gfx90a -o out k 2>&1)
has "a parent that ignores SIGCHLD can start it" "$said" written
embed --asm --arch gfx90a -o out k
cp out.bin bin
embed --asm --arch gfx906 -o out k
cp bin out.bin
embed --asm --arch gfx906 -o out k
has "the codes of another run are not current" "$said" written

# --- headers that include each other ---

mkdir -p round/k round/up
printf '#include "../up/x.h"\nSIZE=8\n' >round/k/r.hip
printf '#pragma once\n#include "../k/y.h"\n' >round/up/x.h
printf '#pragma once\n#include "../up/x.h"\n' >round/k/y.h
if command -v timeout >/dev/null; then
    timeout 20 "$tool" embed --arch gfx90a --depfile round.d -o round.out round/k >said 2>&1
    is "headers that include each other by \"..\" come to an end" "$? $(cat said)" \
        "0 round.out.c: 1 kernel for gfx90a: written"
else
    skip "headers that include each other by \"..\" come to an end" "no timeout"
fi

# --- names of outputs that C cannot include ---

for odd in 'x"y' "$(printf 'x\ny')" "$(printf 'dir\001/x')"; do
    embed --arch gfx90a -o "$odd" k
    is "-o with a quote or a control character is refused" "$status" 2
    has "... with a reason" "$said" "hipshim embed: --output has a "
done
is "... and nothing is written" "$(find . -name 'x?y*')" ""
embed --arch gfx90a -o "x'y \\z" k
is "other odd names are taken" "$status" 0
ok "... and what is written compiles" compile -c -o odd.o "./x'y \\z.c"
finish
