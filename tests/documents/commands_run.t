#!/bin/sh
# SPDX-License-Identifier: MIT
# What the documents, the manual pages and the heads of the examples tell their readers to type works
# over an installed hipshim.  not_run.txt has what is not run, with the reasons.  A command that is
# neither run nor there fails, so a new snippet needs a decision.
#
# The commands of a block run in one bash, in a directory with the files that documents speak of, over
# a HIP that only pretends to compile.  Names such as PREFIX and /opt/rocm-7.2 stand for ours.
# shellcheck source-path=SCRIPTDIR disable=SC2046,SC2086 # lists of words
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../cache/common.sh
. "$top/tests/cache/common.sh"

[ -f "$build/Makefile" ] || skip_all "not configured"
command -v bash >/dev/null || skip_all "there is no bash"
python=${PYTHON:-python3}
"$python" -c 'import zipfile' 2>/dev/null || skip_all "$python cannot make a package to scan"
command -v "${PKG_CONFIG:-pkg-config}" >/dev/null || skip_all "there is no pkg-config"
with_library
documents=$top/tests/documents
extract() { # BLOCK FILE...: all commands, or one block whole
    (
        cd "${from:-$top}" || exit 99
        extract_block=$1
        shift
        awk -v "block=$extract_block" -f "$documents/commands.awk" "$@"
    )
}

# --- an installed hipshim, and the files that documents speak of ---

dest=$scratch/dest
ok "make install works" "${MAKE:-make}" -C "$build" install "DESTDIR=$dest"
pc=$(find "$dest" -name hipshim.pc)
libdir=${pc%/*/*}
tool=$(find "$dest" -type f -name hipshim -perm -100)
PKG_CONFIG_LIBDIR=${pc%/*} PKG_CONFIG_SYSROOT_DIR=$dest PKG_CONFIG_PATH=
LD_LIBRARY_PATH=$libdir:$scratch/hip HIPSHIM_DROPIN=$libdir/hipshim/dropin HIPSHIM_LOOPBACK=$libdir/hipshim/loopback
PATH=$scratch/bin:${tool%/*}:$PATH
export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_PATH LD_LIBRARY_PATH HIPSHIM_DROPIN
export HIPSHIM_LOOPBACK PATH
unset HIPSHIM_CACHE HIPSHIM_CACHE_DIR CFLAGS LDFLAGS LIBS DESTDIR

mkdir -p "$scratch/bin" "$scratch/files/src/kernels" \
    "$scratch/opt/rocm/lib" "$scratch/opt/app" "$scratch/opt/old"
hipcc=${HIPSHIM_RUNTIMES:-$build/runtimes}/hipcc/bin/hipcc
[ ! -x "$hipcc" ] || printf '#!/bin/sh\nexec "%s" "$@"\n' "$hipcc" >"$scratch/bin/hipcc"
for launcher in srun mpirun; do printf '#!/bin/sh\nexec "$@"\n' >"$scratch/bin/$launcher"; done
chmod +x "$scratch/bin"/*
ln -s "$HIPSHIM_LIBRARY" "$scratch/opt/rocm/lib/"
build_fake "$scratch/opt/hip5/libamdhip64.so.5" -DFAKE_VERSION=50731921
cd "$scratch/files" || exit 99
cp -R "$top"/examples/* .
printf '__global__ void axpy() {}\n' | tee axpy.hip >src/kernels/axpy.hip
printf '#include <hip/hip_runtime.h>\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n' >program.hip
printf 'print("trained")\n' | tee program.py >train.py
printf '#!/bin/sh\nexec ./solver5\n' >start.sh
chmod +x start.sh
cat >program.c <<'SOURCE'
#if __has_include(<hipshim/hipshim.h>)
#include <hip/hip_runtime.h>
#else
#include "bindings.h"
#endif
int main(void) { return sizeof(hipDeviceProp_t) == 0; }
SOURCE
echo 'int hipRuntimeGetVersion(int *); int main(void) { int v; return hipRuntimeGetVersion(&v); }' >old.c
$cc -o solver5 old.c "$scratch/opt/hip5/libamdhip64.so.5" || exit 99
$cc -o solver old.c "$HIPSHIM_LIBRARY" || exit 99
layer=$scratch/opt/cray/pe/mpich/VERSION/gtl/lib
mkdir -p "$layer"
for file in program application unit-tests libsolver.so "$scratch/opt/app/server" "$scratch/opt/solver" "$layer/libmpi_gtl_hsa.so"; do
    cp solver "$file"
done
(cd "$scratch/opt/app" && "$python" -m zipfile -c "$scratch/files/package.whl" server) || exit 99
for file in torch-2.9.whl torch-2.9.1-cp313-cp313-linux_x86_64.whl; do cp package.whl "$file"; done
cp program.c test.c

# --- the decisions ---

# Lines of REASON, a tab, PATTERN.
awk '/^#/ || /^$/ { next } !/^ / { reason = $0; next } { sub(/^ +/, ""); print reason "\t" $0 }' \
    "$documents/not_run.txt" >"$scratch/decisions"
: >"$scratch/used"

# Sets `reason` if a command is not run, and `right` to the statuses besides 0 that are right.
decide() { # COMMAND
    reason='' right=''
    while IFS='	' read -r decided pattern; do
        # shellcheck disable=SC2254 # it is a pattern
        case $1 in
        $pattern) printf '%s\n' "$pattern" >>"$scratch/used" ;;
        *) continue ;;
        esac
        case $decided in
        needs\ *) command -v "${decided#needs }" >/dev/null || reason="there is no ${decided#needs }" ;;
        status\ *) right=${decided#status } right=" ${right%%:*} " ;;
        *) reason=$decided ;;
        esac
    done <"$scratch/decisions"
}

ours() { # COMMAND: with our own names in it
    printf '%s\n' "$1" | sed -e "s|PREFIX/lib|$libdir|g; s|PREFIX/share|${tool%/bin/*}/share|g; s|--abi N|--abi 6|g; s|rocm-N|rocm-6|g" -e "s|/opt/rocm[-0-9.]*|/opt/rocm|g" \
        -e "s|/opt/|$scratch/opt/|g" -e "s|/shared/|\$HOME/|g"
}

# Runs what is to run of one block, in a directory of its own.
run_block() { # FILE:LINE
    rm -rf "$scratch/work"
    cp -R "$scratch/files" "$scratch/work"
    cat >"$scratch/script" <<'HEAD'
set -o pipefail
HOME=$PWD/home
check() { # STATUS RIGHT NUMBER
    case " 0 $2 " in *" $1 "*) return 0 ;; esac
    echo "status $1: $(sed -n "$3p" ../texts)"
    exit 1
}
HEAD
    : >"$scratch/texts"
    commands=0
    while IFS='	' read -r _ kind text; do
        if [ "$kind" = c ] && extract "$1" "${1%:*}" | grep -q 'int main('; then
            extract "$1" "${1%:*}" >"$scratch/work/block.c"
            ok "$1: the program compiles" $cc -Wall -Wextra -Werror -o "$scratch/work/block" \
                "$scratch/work/block.c" $(pkg-config --cflags --libs hipshim-kernel)
            continue
        fi
        [ "$kind" = sh ] || text="$kind $text"
        decide "$text"
        if [ -n "$reason" ]; then
            case $reason in there\ is\ no\ *) skip "$1: $text" "$reason" ;; esac
        elif [ "$kind" = sh ]; then
            commands=$((commands + 1))
            printf '%s\n' "$text" >>"$scratch/texts"
            printf '%s\ncheck $? "%s" %d\n' "$(ours "$text")" "$right" $commands >>"$scratch/script"
        else
            tap_result no "$1: someone has decided about: $text"
            tap_comment "run it here, or give the reason in tests/documents/not_run.txt"
        fi
    done
    [ "$commands" -eq 0 ] || ok "$1: what it says to type works, commands: $commands" \
        sh -c "cd '$scratch/work' && exec bash '$scratch/script'"
}

run_all() { # FILE...
    extract "" "$@" >"$scratch/list"
    for place in $(cut -f 1 "$scratch/list" | uniq); do
        grep -F "$place	" "$scratch/list" >"$scratch/block"
        run_block "$place" <"$scratch/block"
    done
}

cd "$top" || exit 99
run_all README.md HACKING.md doc/*.md doc/man/*.[0-9] $(ls examples/*.c examples/*.hip)
# The last one is 08_whole_program.hip; a HIP compiler that links would add ROCm's own runtime.
if command -v hipcc >/dev/null; then
    needed=$(readelf -d "$scratch/work/a.out" | grep NEEDED)
    has "the program of example 08 needs libhipshim" "$needed" libhipshim.so
    lacks "and no libamdhip64, so it starts on every release" "$needed" amdhip
else
    skip "the program of example 08 needs libhipshim and no libamdhip64" "there is no hipcc"
fi
sort -u -o "$scratch/used" "$scratch/used"
is "every decision is about something that documents say" \
    "$(cut -f 2 "$scratch/decisions" | sort -u | comm -23 - "$scratch/used")" ""

# --- the same sees what is wrong ---

from=$scratch/wrong
mkdir -p "$from/doc"
fails() { # DESCRIPTION PART: with what is on standard input as a document
    cat >"$from/doc/wrong.md"
    has "$1" "$(tap_count=0 run_all doc/wrong.md)" "$2"
}
fails "a command that fails is found" "not ok 1 - doc/wrong.md:1: what it says" <<'TEXT'
    hipshim info --no-such-option
TEXT
fails "a command that is not there is found" "status 127: hipshim-tool info" <<'TEXT'
```sh
hipshim info
hipshim-tool info
```
TEXT
fails "a command of a workflow that fails is found" "status 2: hipshim which surplus" <<'TEXT'
```yaml
      - run: hipshim info
      - run: hipshim which surplus      # fails
```
TEXT
fails "a loop that fails is found" "status 2: for one in info which; do hipshim" <<'TEXT'
    for one in info which; do
        hipshim "$one" surplus
    done
TEXT
fails "a pipe that breaks is found" "status 2: hipshim which --no-such | cat" <<'TEXT'
    $ hipshim which --no-such | cat
    output
TEXT
fails "a block of another language needs a decision" "not ok 1 - doc/wrong.md:2: someone has decided" <<'TEXT'
```python
import hip
```
TEXT
fails "a program in C that does not compile is found" "not ok 1 - doc/wrong.md:2: the program compiles" <<'TEXT'
```c
int main(void) { return hipNoSuchFunction(); }
```
TEXT
finish
