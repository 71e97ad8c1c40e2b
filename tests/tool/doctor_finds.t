#!/bin/sh
# SPDX-License-Identifier: MIT
# `hipshim doctor` names the cause of each of these faults, and nothing else; it is silent about a
# sound machine.  The machines are trees of files, in place of this machine's own in a namespace,
# with fake runtimes.
# shellcheck source-path=SCRIPTDIR
# shellcheck disable=SC2016,SC2086 # $ORIGIN is for the linker; lists of settings for env
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../loader/common.sh
. "$top/tests/loader/common.sh"

tool=$build/hipshim
[ -x "$tool" ] || skip_all "there is no program at $tool"
for variable in AMD_LOG_LEVEL AMD_SERIALIZE_KERNEL GPU_DEVICE_ORDINAL GPU_MAX_HW_QUEUES \
    HIP_LAUNCH_BLOCKING HIP_VISIBLE_DEVICES HSA_ENABLE_SDMA HSA_OVERRIDE_GFX_VERSION HSA_XNACK \
    HIPSHIM_CACHE HIPSHIM_CACHE_DIR HIPSHIM_CACHE_SIZE ROCR_VISIBLE_DEVICES XDG_CACHE_HOME; do
    unset $variable
done
HOME=$scratch/home
export HOME
mkdir home empty
# shellcheck disable=SC3045 # dash, bash and busybox know it
ulimit -l unlimited 2>/dev/null || ulimit -l 8192 2>/dev/null ||
    skip_all "the limit of locked memory is below 8 MiB here"

for library in /usr/lib*/libamdhip64.so.* /usr/lib/*/libamdhip64.so.*; do
    [ ! -e "$library" ] || skip_all "this machine has a HIP runtime of its own: $library"
done
namespace="unshare -m" # root of the machine may make devices
if [ "$(id -u)" -ne 0 ] || ! $namespace true 2>/dev/null; then
    namespace="unshare -rm"
fi
$namespace true 2>/dev/null || skip_all "$namespace is not permitted here"

# The machine has the files of the tree and otherwise those of this one.  A plain file dev/kfd
# stands for a device; $odd makes another thing of it.
mkdir root
cat >within.sh <<'SOURCE'
tree=$1
shift
mount -t tmpfs tmpfs root || exit 99
for folder in /*; do
    mkdir -p "root$folder"
    case $folder in
    /dev | /opt | /run | /sys | /vendor) ;;
    *) [ ! -d "$folder" ] || mount --rbind "$folder" "root$folder" || exit 99 ;;
    esac
done
for part in opt run sys usr/local vendor etc/group etc/ld.so.conf.d; do
    [ ! -e "$tree/$part" ] || { mkdir -p "root/${part%%/*}" && mount --rbind "$tree/$part" "root/$part"; } || exit 99
done
[ ! -d "$tree/dev" ] || cp -a "$tree/dev/." root/dev/
[ ! -e "$tree/.dockerenv" ] || : >root/.dockerenv
: >root/dev/null
mount --bind /dev/null root/dev/null || exit 99
if [ "${odd-}" ]; then
    rm root/dev/kfd && $odd root/dev/kfd
elif [ -f root/dev/kfd ]; then
    mount --bind /dev/null root/dev/kfd || exit 99
fi
exec chroot root "$@"
SOURCE
within() { # TREE COMMAND...
    $namespace sh within.sh "$@"
}

# --- a sound machine ---

# What HIP says of its devices.
cat >trial.c <<'SOURCE'
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
int hipInit(unsigned flags);
int hipInit(unsigned flags)
{
    (void)flags;
    fputs("noise\n", stderr);
    if (TRIAL_INIT < 0) {
        raise(SIGSEGV);
    }
    for (; TRIAL_INIT == 1;) {
        pause();
    }
    return TRIAL_INIT;
}
int hipGetDeviceCount(int *count);
int hipGetDeviceCount(int *count)
{
    *count = TRIAL_COUNT;
    return 0;
}
SOURCE
hip() { # FILE [FLAG...]: a sound HIP 6.4 with one device
    hip_file=$1
    shift
    fake "$hip_file" libamdhip64.so.6 -DFAKE_VERSION=60443484 -DTRIAL_INIT=0 -DTRIAL_COUNT=1 trial.c "$@"
}
fake vendor/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60443484
fakes_export_all
lib=opt/rocm-6.4.3/lib
hip good/$lib/libamdhip64.so.6.4.43484
fake good/$lib/libhiprtc.so.6.4.43484 libhiprtc.so.6 -DFAKE_HIPRTC
ln -s libamdhip64.so.6.4.43484 good/$lib/libamdhip64.so.6
ln -s libhiprtc.so.6.4.43484 good/$lib/libhiprtc.so.6
ln -s rocm-6.4.3 good/opt/rocm
header() { # FILE MAJOR MINOR PATCH
    mkdir -p "${1%/*}"
    printf '#define HIP_VERSION_MAJOR %s\n#define HIP_VERSION_MINOR %s\n#define HIP_VERSION_PATCH %s\n' \
        "$2" "$3" "$4" >"$1"
}
header good/opt/rocm-6.4.3/include/hip/hip_version.h 6 4 43484
gpu() { # TREE VERSION: the driver's list has a processor and this GPU
    mkdir -p "$1/sys/class/kfd/kfd/topology/nodes/0" "$1/sys/class/kfd/kfd/topology/nodes/1"
    printf 'cpu_cores_count 8\ngfx_target_version 0\n' >"$1/sys/class/kfd/kfd/topology/nodes/0/properties"
    printf 'cpu_cores_count 0\ngfx_target_version %s\n' "$2" >"$1/sys/class/kfd/kfd/topology/nodes/1/properties"
}
gpu good 90010
mkdir -p good/dev/dri good/etc
: >good/dev/kfd
: >good/dev/dri/renderD128
chmod 666 good/dev/kfd good/dev/dri/renderD128
printf 'root:x:0:\nrender:x:4711:\n' >good/etc/group

: >seen
doctor() { # TREE [SETTING...]: output in said, JSON in json, the ids in ids (two for the names
# opt/rocm and opt/rocm-6.4.3 of one runtime are one)
    tree=$1
    shift
    said=$(within "$tree" env "$@" "$tool" doctor 2>error)
    status=$?
    json=$(within "$tree" env "$@" "$tool" doctor --json 2>error)
    json_status=$?
    ids=$(printf '%s\n' "$json" | sed -n 's/^ *"id": "\(.*\)",$/\1/p' | uniq | tr '\n' ' ')
    ids=${ids% }
    printf '%s\n' $ids >>seen
}
copy() { # TREE: a sound one, to be broken
    cp -a good "$1"
}
# The tree has these findings and no others; the text of one of them has PART, and REMEDY helps.
finds() { # TITLE TREE STATUS IDS PART REMEDY [SETTING...]
    title=$1 tree=$2 wanted="$3 $4" part=$5 remedy=$6
    shift 6
    doctor "$tree" "$@"
    is "$title" "$status $ids" "$wanted"
    has "... the cause is named" "$said" "$part"
    has "... and what helps" "$(printf '%s\n' "$said" | grep '^  do: ')" "$remedy"
}
if command -v python3 >python-path; then
    is_json() { printf '%s\n' "$json" | python3 -m json.tool >/dev/null; }
else
    is_json() { printf '%s\n' "$json" | grep -q '^{$'; }
fi

doctor good
is "a sound machine has the status 0 and no findings" "$status $json_status [$ids]" "0 0 []"
is "and one line says so" "$said" \
    "HIP 6.4.43484, /opt/rocm/lib/libamdhip64.so.6: nothing wrong was found"
is "nothing is on standard error" "$(cat error)" ""
ok "and the JSON is valid" is_json
doctor good HIP_LAUNCH_BLOCKING=0 AMD_LOG_LEVEL=0 HSA_ENABLE_SDMA=1 HIP_VISIBLE_DEVICES= HIPSHIM_CACHE=0
is "settings without effect are no findings" "$status [$ids]" "0 []"

# --- the runtime ---

copy none
rm -r none/opt
finds "there is no runtime" none 1 runtime-missing "no HIP runtime (libamdhip64) was found" "libamdhip64-N of Debian"
ok "the JSON of a finding is valid" is_json
is "and its status is the same" "$json_status" 1

copy rejected
head -c 3000 good/$lib/libamdhip64.so.6 >rejected/$lib/libamdhip64.so.6.4.43484
finds "the only runtime is cut short" rejected 1 runtime-rejected "the file is cut short" \
    "install the package that owns this file again"

copy damaged
mkdir -p damaged/usr/local/lib
head -c 3000 good/$lib/libamdhip64.so.6 >damaged/usr/local/lib/libamdhip64.so.7
doctor damaged
is "a damaged library beside a sound one is no second runtime" "$status [$ids]" "0 []"

needs() { # TREE SONAME [FLAG...]: its runtime needs a library that is not there
    copy "$1"
    fake "$2" "$2"
    tree=$1 soname=$2
    shift 2
    hip "$tree/$lib/libamdhip64.so.6.4.43484" -L. -Wl,--no-as-needed "-l:$soname" "$@"
}
needs hsa libhsa-runtime64.so.1
finds "the HSA library is not installed" hsa 1 library-missing "needs libhsa-runtime64.so.1, which is not there" \
    "libhsa-runtime64-1 of Debian or Ubuntu, or hsa-rocr of AMD"
needs comgr libamd_comgr.so.3
finds "the compiler library is not installed" comgr 1 library-missing "needs libamd_comgr.so.3" comgr
needs numa libnuma.so.1-of-tests
finds "a library that no table has is not installed" numa 1 library-missing "needs libnuma.so.1-of-tests" \
    "that has libnuma.so.1-of-tests"
needs beside libhsa-runtime64.so.1
cp libhsa-runtime64.so.1 beside/$lib/
finds "the library is beside the runtime" beside 1 library-missing "where the dynamic linker does not look" \
    "/lib to LD_LIBRARY_PATH"
needs elsewhere libhsa-runtime64.so.1
mkdir -p elsewhere/opt/rocm-5.7.1/lib
cp libhsa-runtime64.so.1 elsewhere/opt/rocm-5.7.1/lib/
finds "the library is in another installation" elsewhere 1 library-missing \
    "which is in /opt/rocm-5.7.1/lib" "add /opt/rocm-5.7.1/lib to"

needs runpath libhsa-runtime64.so.1 '-Wl,-rpath,$ORIGIN/../own' -Wl,--enable-new-dtags
mkdir runpath/opt/rocm-6.4.3/own
cp libhsa-runtime64.so.1 runpath/opt/rocm-6.4.3/own/
doctor runpath
is "a library that a DT_RUNPATH leads to is not missing" "$status [$ids]" "0 []"
# The machine may have findings of its own besides.
finds_here() { # TITLE PIN ID PART
    said=$(HIPSHIM_LIBRARY=$2 "$tool" doctor 2>error)
    has "here: $1" "$said" "[$3]"
    printf '%s\n' "$said" | sed -n 's/^[a-z]*: .* \[\(.*\)\]$/\1/p' >>seen
    has "... the cause is named" "$said" "$4"
}
fake unknown/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60499999
finds_here "the release is unknown" unknown release-unknown "6.4.99999 is not known to this hipshim"
finds_here "the runtime is cut short" rejected/$lib runtime-rejected "the file is cut short: 3000 bytes"
finds_here "a library is not installed" numa/$lib library-missing \
    "libamdhip64.so.6 needs libnuma.so.1-of-tests, which is not there"
finds_here "a library is beside the runtime" beside/$lib library-missing "where the dynamic linker does not look"
finds_here "there is nothing" empty runtime-rejected "no libamdhip64 in this directory"

copy foreign
cp vendor/libamdhip64.so.6 foreign/$lib/libamdhip64.so.6.4.43484
finds "the runtime is another vendor's" foreign 1 "runtime-foreign hip-fails" "so it is not AMD's runtime" \
    "if programs fail, install AMD's runtime"

finds_here "a runtime of another vendor" vendor runtime-foreign "so it is not AMD's runtime"
fake shim/lib/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60443484 -DFAKE_DROP_IN
said=$(HIPSHIM_LIBRARY=$scratch/shim "$tool" doctor 2>error)
has "here: a variable names hipshim's own tree" "$said" "[runtime-rejected]"
has "... the remedy leaves the file in its place" "$said" "do:  let the variable name AMD's runtime"
said=$(ROCM_PATH=$scratch/removed "$tool" doctor 2>error)
has "here: the prefix in ROCM_PATH was removed" "$said" "[prefix-missing]"
has "... the cause is named" "$said" "ROCM_PATH=$scratch/removed is set and not there"
lacks "a prefix that is there is no finding" "$(HIP_PATH=$scratch/good/opt/rocm "$tool" doctor)" \
    "[prefix-missing]"
printf 'prefix-missing\n' >>seen

copy hiprtc
mv hiprtc/$lib/libhiprtc.so.6.4.43484 hiprtc/$lib/libhiprtc.so.6.2.41134
ln -sf libhiprtc.so.6.2.41134 hiprtc/$lib/libhiprtc.so.6
finds "hiprtc is of another release" hiprtc 2 hiprtc-release "is of release 6.2.41134" \
    "from one release"
is "warnings have the status 2 in JSON, too" "$json_status" 2
copy rocm-names
for name in libamdhip64 libhiprtc; do
    mv rocm-names/$lib/$name.so.6.4.43484 rocm-names/$lib/$name.so.6.4.60403
    ln -sf $name.so.6.4.60403 rocm-names/$lib/$name.so.6
done
doctor rocm-names
is "AMD's file names have no release of HIP, and are no finding" "$status [$ids]" "0 []"
copy without
rm without/$lib/libhiprtc*
finds "there is no hiprtc" without 2 hiprtc-missing "has no usable hiprtc" "install libhiprtc"

copy headers
header headers/opt/rocm-6.4.3/include/hip/hip_version.h 5 7 31921
finds "the headers are of another release" headers 2 headers-release "belongs to HIP 5.7.31921, but" \
    "development package"

copy link
ln -s libamdhip64.so.6.4.43484 link/$lib/libamdhip64.so.5
finds "the name of a major is a link to another" link 1 soname-link \
    "libamdhip64.so.5 is a library of HIP 6" "remove the link"

copy several
fake several/usr/local/lib/libamdhip64.so.5.7.31921 libamdhip64.so.5 -DFAKE_VERSION=50731921
finds "there are two runtimes" several 2 runtime-several \
    "there are 2 HIP runtimes: /opt/rocm/lib/libamdhip64.so.6.4.43484, /usr/local" \
    "choose one by HIPSHIM_LIBRARY"
copy configured
fake configured/vendor/libamdhip64.so.7 libamdhip64.so.7 -DFAKE_VERSION=70253211
mkdir -p configured/etc/ld.so.conf.d
printf '# HIP\n/vendor\n' >configured/etc/ld.so.conf.d/hip.conf
finds "one is in a directory of the dynamic linker" configured 2 runtime-several \
    "/vendor/libamdhip64.so.7" "choose one"
copy dropin
fake dropin/usr/local/lib/libamdhip64.so.5 libamdhip64.so.5 -DFAKE_VERSION=60443484 -DFAKE_DROP_IN
doctor dropin
is "a drop-in of hipshim is no second runtime" "$status [$ids]" "0 []"

fake loaded/libamdhip64.so.5 libamdhip64.so.5 -DFAKE_VERSION=50731921
fake loaded/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60443484
said=$(LD_PRELOAD="$scratch/loaded/libamdhip64.so.5 $scratch/loaded/libamdhip64.so.6" "$tool" doctor)
has "two runtimes in one process are found" "$said" "[runtime-twice]"

# --- devices ---

copy driver
rm -r driver/dev
finds "the driver is not loaded" driver 1 kfd-missing "/dev/kfd is not there" "modprobe amdgpu"
for mark in .dockerenv run/.containerenv; do
    tree=container-${mark##*.}
    copy "$tree"
    rm -r "${tree:?}/dev"
    mkdir -p "$tree/run"
    : >"$tree/$mark"
    finds "a container without devices (/$mark)" "$tree" 1 container-devices "this is a container" \
        "--device=/dev/kfd --device=/dev/dri"
done
copy render
rm -r render/dev/dri
finds "there is no render node" render 1 render-missing "renderD*: there is no such file" "dmesg"
copy nogpu
gpu nogpu 0
finds "the driver has no GPU" nogpu 1 gpu-missing "the driver lists no GPU" "dmesg"
copy unsupported
gpu unsupported 100302
finds "the GPU is not supported" unsupported 2 gpu-unsupported "gfx1032 is not in AMD's list" "built for gfx1032"
copy wsl
rm wsl/dev/kfd
: >wsl/dev/dxg
doctor wsl
is "in WSL the GPU needs no /dev/kfd" "$status [$ids]" "0 []"

copy absurd
gpu absurd 99999999999999999999999
finds "the number of the GPU is absurd" absurd 2 gpu-odd "gfx_target_version names no GPU" dmesg

trial() { # NAME INIT COUNT: a machine with one GPU, whose hipInit and hipGetDeviceCount say this
    fake "trial-$1/libamdhip64.so.6" libamdhip64.so.6 -DFAKE_VERSION=60443484 -DTRIAL_INIT="$2" \
        -DTRIAL_COUNT="$3" trial.c
}
asks() { # NAME [SETTING]: the findings on a sound machine with that runtime
    doctor good HIPSHIM_LIBRARY="$scratch/trial-$1"
    ids=$(printf '%s\n' $ids | grep -E '^(kfd|hip|device|gpu)-')
}
trial refuses 101 0
asks refuses
is "HIP returns an error" "$ids" "hip-fails"
has "... and the number of the error is named" "$said" \
    "hipInit or hipGetDeviceCount returns 101, and the driver lists 1 GPUs"
is "... and what the runtime prints is not shown" "$(cat error)" ""
trial crashes -1 0
asks crashes
is "HIP crashes" "$ids" "hip-fails"
has "... and the signal is named" "$said" "ended the process by signal 11"
trial hangs 1 0
asks hangs
is "HIP does not return" "$ids" "hip-fails"
has "... and the limit is named" "$said" "did not return within 15 seconds"
trial counts 0 3
asks counts
is "HIP finds another number of devices" "$ids" "device-count"
has "... and both numbers are named" "$said" "hipGetDeviceCount gives 3, and the driver lists 1 GPUs"
for odd in mkdir touch mkfifo; do
    export odd
    doctor good
    is "/dev/kfd is no device ($odd)" "$ids" "kfd-odd"
done
unset odd

# Root may open every file, so another user looks.
chmod 755 "$scratch"
mkdir public
chmod 777 public
user="setpriv --reuid=65534 --regid=65534 --clear-groups"
copy denied
if [ "$namespace" = "unshare -m" ] && $user test -x "$build/hipshim" 2>/dev/null && rm denied/dev/kfd &&
    mknod -m 600 denied/dev/kfd c 1 3; then
    chgrp 4711 denied/dev/kfd
    doctor denied HIPSHIM_CACHE_DIR="$scratch/public/cache" $user
    is "this user may not open /dev/kfd" "$status $ids" "1 kfd-permission"
    has "... and its group is named" "$said" "(sudo usermod -a -G render USER"
    chmod 666 denied/dev/kfd
    chmod 0 denied/dev/dri/renderD128
    doctor denied HIPSHIM_CACHE_DIR="$scratch/public/cache2" $user
    is "this user may not open the render node" "$status $ids" "1 render-permission"
else
    for title in "this user may not open /dev/kfd" "... and its group is named" \
        "this user may not open the render node"; do
        skip "$title" "needs root, and a user without privileges who can run the program"
    done
    printf 'kfd-permission\nrender-permission\n' >>seen
fi

# --- the process ---

for setting in HIP_VISIBLE_DEVICES=1 ROCR_VISIBLE_DEVICES=0 GPU_DEVICE_ORDINAL=0 HIP_LAUNCH_BLOCKING=1 \
    AMD_SERIALIZE_KERNEL=3 HSA_ENABLE_SDMA=0 HSA_XNACK=1 GPU_MAX_HW_QUEUES=1 AMD_LOG_LEVEL=4 \
    HSA_OVERRIDE_GFX_VERSION=10.3.0; do
    finds "$setting changes something" good 2 environment "$setting is set" "unset ${setting%=*}" $setting
done
finds "every GPU is hidden" good 1 devices-hidden "HIP_VISIBLE_DEVICES=-1" "unset HIP_VISIBLE_DEVICES" \
    HIP_VISIBLE_DEVICES=-1
finds "another HSA library is preloaded" good 2 hsa-preloaded "LD_PRELOAD=$scratch/libhsa-runtime64.so.1" \
    "unset LD_PRELOAD" LD_PRELOAD="$scratch/libhsa-runtime64.so.1"
: >file
finds "the cache cannot be written" good 2 cache-unwritable "the kernel cache cannot be written" \
    "set HIPSHIM_CACHE_DIR" HIPSHIM_CACHE_DIR="$scratch/file"
finds "the directory of temporary files is not there" good 1 tmpdir-unwritable \
    "TMPDIR=$scratch/nowhere is not writable" "set TMPDIR to a directory" TMPDIR="$scratch/nowhere"
finds "it is a file" good 1 tmpdir-unwritable "TEMP=$scratch/file is" "set TMPDIR" -u TMPDIR -u TMP TEMP="$scratch/file"
finds "it is the last variable" good 1 tmpdir-unwritable "TEMPDIR=/nope is" "set TMPDIR" -u TMPDIR -u TMP -u TEMP \
    TEMPDIR=/nope
doctor good TMPDIR= TMP="$scratch/file"
is "an empty value is the working directory" "$status [$ids]" "0 []"
doctor good TMPDIR="$scratch" TMP="$scratch/file"
is "TMPDIR comes before TEMP" "$status [$ids]" "0 []"
# shellcheck disable=SC3045 # as above
limited() {
    (
        ulimit -l 64
        within good "$tool" doctor
    )
}
said=$(limited)
is "the limit of locked memory is small" "$? $said" "2 $(printf '%s' "$said" | sed '1s/.*/warning: the limit of locked memory is 64 KiB [locked-memory]/')"

# --- the loopback ---

HIPSHIM_LOOPBACK=$build/src/loopback/.libs
export HIPSHIM_LOOPBACK
said=$(within driver "$tool" run --loopback "$tool" doctor)
is "with the loopback missing devices are no findings" "$?" 0
has "... and the one line says that all is well" "$said" "nothing wrong was found"

loops() { # NAME ARGUMENTS of run: what the doctor says of the runtime trial-NAME
    name=$1
    shift
    said=$(HIPSHIM_LIBRARY=$scratch/trial-$name "$tool" run --loopback "$@" "$tool" doctor 2>error)
    status=$?
    printf '%s\n' "$said" | sed -n 's/^[a-z]*: .* \[\(.*\)\]$/\1/p' >asked
    ids=$(grep -E '^(hip|device|library)-' asked | tr '\n' ' ')
}
trial looped 0 1
loops looped
is "with the loopback, a device that HIP finds is no finding" "$ids" ""
loops looped --isa=gfx1030
is "... nor is it with another processor" "$ids" ""
LOOPBACK_GPUS=2 loops looped
is "with the loopback, HIP finds too few devices" "$ids" "device-count "
has "... and the loopback is named" "$said" "hipGetDeviceCount gives 1, and the loopback lists 2 GPUs"
echo 'const char opens[] = "libamd_comgr.so.9";' >>trial.c
trial blind 100 0
loops blind
is "HIP finds no device and not the library that it opens" "$status $ids" "1 library-missing "
has "... and that library is named" "$said" "HIP 6.4.43484 finds no device, because it cannot open its compiler library, libamd_comgr.so.9"
fake libamd_comgr.so.3 libamd_comgr.so.3
sed -i 's/comgr.so.9/comgr.so.3/' trial.c
trial picky 100 0
LD_LIBRARY_PATH=$scratch loops picky --isa=gfx90b
is "HIP does not know the processor of the loopback" "$status $ids" "1 device-count "
has "... and the processor is named" "$said" "HIP 6.4.43484 does not know gfx90b"
LOOPBACK_GPUS=0 loops picky
is "a loopback without GPUs has none to find" "$ids" ""

# --- the manual page ---

printf 'runtime-twice\nlocked-memory\n' >>seen # found above, by other commands
is "the manual page has every id of a finding, and this test meets every one" "$(sort -u seen | grep .)" \
    "$(sed -n '/^\.Ss Findings/,/^\.Sh ENVIRONMENT/s/^\.It //p' "$top/doc/man/hipshim-doctor.1" |
        tr -d ' ' | tr ',' '\n' | sort -u)"

# --- the command line ---

run "$tool" doctor surplus
exits "a surplus argument is an error of usage" 2
if [ -c /dev/full ]; then
    "$tool" doctor >/dev/full 2>error
    is "output that cannot be written is an error" $? 3
else
    skip "output that cannot be written is an error" "there is no /dev/full"
fi
finish
