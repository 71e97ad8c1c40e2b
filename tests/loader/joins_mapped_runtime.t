#!/bin/sh
# SPDX-License-Identifier: MIT
# A runtime that other modules brought into the process is the one to use.

# shellcheck source=../loader/common.sh
. "$(dirname "$0")/../loader/common.sh"

build_probe ./probe

fake opt/rocm/lib/libamdhip64.so.7 libamdhip64.so.7 -DFAKE_VERSION=70253211
fake app/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60443484
fake wheel/libamdhip64-0a1b2c3d.so libamdhip64-0a1b2c3d.so -DFAKE_VERSION=60241134
fake old/libamdhip64.so.5 libamdhip64.so.5 -DFAKE_VERSION=50731921
HIP_PATH=opt/rocm
export HIP_PATH

run ./probe -l app/libamdhip64.so.6
gives 'release=6\.4\.43484' 'a runtime mapped with local names is found'
gives 'found_by=already loaded' 'and named as such'
gives "path=$scratch/app/libamdhip64\\.so\\.6" 'its relative path is made absolute'
gives 'symbol=there' 'its functions are reached'
run ./probe -g app/libamdhip64.so.6
gives 'release=6\.4\.43484' 'so is one with global names'
run ./probe -l wheel/libamdhip64-0a1b2c3d.so
gives 'release=6\.2\.41134' 'and one renamed by a wheel'

run ./probe -s -l old/libamdhip64.so.5 -g app/libamdhip64.so.6
gives 'release=6\.4\.43484' 'of two the one that plain lookups reach is used'
gives 'step already loaded\|skipped\|.*libamdhip64.so.5\|a second HIP runtime .*' \
    'and the other is reported'
run ./probe -l old/libamdhip64.so.5 -l app/libamdhip64.so.6
gives 'release=5\.7\.31921' 'if neither is reached, the one that came first'

fake tracer.so libtracer.so -DFAKE_VERSION=60100001
run ./probe -g ./tracer.so
gives 'release=7\.2\.53211' 'a tracer that defines a function or two is no runtime'
fake full.so libfull.so -DFAKE_VERSION=60140093 -DFAKE_MALLOC
run ./probe -g ./full.so
gives 'release=6\.1\.40093' 'a whole runtime under another name is one'
run ./probe -g ./full.so -l app/libamdhip64.so.6
gives 'release=6\.4\.43484' 'but what is called libamdhip64 is preferred'
fake variables.so libamdhip64-variables.so -DFAKE_VERSION=60140093 -DFAKE_DATA
run ./probe -g ./variables.so
gives 'release=7\.2\.53211' 'variables with the names of functions are no runtime'
fake dropin.so libamdhip64.so.6 -DFAKE_VERSION=60100001 -DFAKE_DROP_IN
run ./probe -s -g ./dropin.so
gives 'release=7\.2\.53211' "hipshim's own drop-in is passed over"
gives 'step already loaded\|absent\|this process\|.*' 'and not counted as a runtime'
run ./probe -g opt/rocm/lib/libamdhip64.so.7
gives 'found_by=already loaded' 'a mapped runtime is not opened by its path again'

fake user.so libuser.so -L. -Wl,--no-as-needed,-rpath,"$scratch/app" app/libamdhip64.so.6
run ./probe -l ./user.so
gives "path=$scratch/app/libamdhip64\\.so\\.6" 'a runtime that another library needs is found'

fake nine.so libamdhip64.so.9 -DFAKE_VERSION=90100000
run ./probe -l ./nine.so
gives 'reason=no usable HIP runtime: .*HIP 9 is not known.*' \
    'no second runtime is opened beside one of an unknown major'
fake broken.so libamdhip64.so.6 -DFAKE_VERSION=60443484 -DFAKE_STATUS=1
run ./probe -l ./broken.so
gives 'release=7\.2\.53211' 'a mapped library that fails is passed over'

fake sysv.so libamdhip64.so.6 -DFAKE_VERSION=60443484 -Wl,--hash-style=sysv
run ./probe -l ./sysv.so
gives 'release=6\.4\.43484' 'the old kind of symbol hash table is read too'
fake gnu.so libamdhip64.so.6 -DFAKE_VERSION=60443484 -Wl,--hash-style=gnu
run ./probe -l ./gnu.so
gives 'release=6\.4\.43484' 'and the new one alone'

finish
