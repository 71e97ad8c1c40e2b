#!/bin/sh
# SPDX-License-Identifier: MIT
# A runtime that other modules brought into the process is the one to use.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=common.sh
. "$top/tests/loader/common.sh"

build_probe ./probe

fake opt/rocm/lib/libamdhip64.so.7 libamdhip64.so.7 -DFAKE_VERSION=70253211
fake app/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60443484
fake wheel/libamdhip64-0a1b2c3d.so libamdhip64-0a1b2c3d.so -DFAKE_VERSION=60241134
fake old/libamdhip64.so.5 libamdhip64.so.5 -DFAKE_VERSION=50731921
HIP_PATH=opt/rocm
export HIP_PATH

run ./probe -l app/libamdhip64.so.6
gives 'a runtime mapped with local names is found' 'release=6\.4\.43484'
gives 'and named as such' 'found_by=already loaded'
gives 'its relative path is made absolute' "path=$scratch/app/libamdhip64\\.so\\.6"
gives 'its functions are reached' 'symbol=there'
run ./probe -g app/libamdhip64.so.6
gives 'so is one with global names' 'release=6\.4\.43484'
run ./probe -l wheel/libamdhip64-0a1b2c3d.so
gives 'and one renamed by a wheel' 'release=6\.2\.41134'

run ./probe -s -l old/libamdhip64.so.5 -g app/libamdhip64.so.6
gives 'of two the one that plain lookups reach is used' 'release=6\.4\.43484'
gives 'and the other is reported' 'step already loaded\|skipped\|.*libamdhip64.so.5\|a second HIP runtime .*'
run ./probe -l old/libamdhip64.so.5 -l app/libamdhip64.so.6
gives 'if neither is reached, the one that came first' 'release=5\.7\.31921'

fake tracer.so libtracer.so -DFAKE_VERSION=60100001
run ./probe -g ./tracer.so
gives 'a tracer that defines a function or two is no runtime' 'release=7\.2\.53211'
fake full.so libfull.so -DFAKE_VERSION=60140093 -DFAKE_MALLOC
run ./probe -g ./full.so
gives 'a whole runtime under another name is one' 'release=6\.1\.40093'
run ./probe -g ./full.so -l app/libamdhip64.so.6
gives 'but what is called libamdhip64 is preferred' 'release=6\.4\.43484'
fake variables.so libamdhip64-variables.so -DFAKE_VERSION=60140093 -DFAKE_DATA
run ./probe -g ./variables.so
gives 'variables with the names of functions are no runtime' 'release=7\.2\.53211'
fake dropin.so libamdhip64.so.6 -DFAKE_VERSION=60100001 -DFAKE_DROP_IN
run ./probe -s -g ./dropin.so
gives "hipshim's own drop-in is passed over" 'release=7\.2\.53211'
gives 'and not counted as a runtime' 'step already loaded\|absent\|this process\|.*'
run ./probe -g opt/rocm/lib/libamdhip64.so.7
gives 'a mapped runtime is not opened by its path again' 'found_by=already loaded'

fake user.so libuser.so -L. -Wl,--no-as-needed,-rpath,"$scratch/app" app/libamdhip64.so.6
run ./probe -l ./user.so
gives 'a runtime that another library needs is found' "path=$scratch/app/libamdhip64\\.so\\.6"

fake nine.so libamdhip64.so.9 -DFAKE_VERSION=90100000
run ./probe -l ./nine.so
gives 'no second runtime is opened beside one of an unknown major' \
    'reason=no usable HIP runtime.*HIP 9 is not known.*'
fake broken.so libamdhip64.so.6 -DFAKE_VERSION=60443484 -DFAKE_STATUS=1
run ./probe -l ./broken.so
gives 'a mapped library that fails is passed over' 'release=7\.2\.53211'

fake sysv.so libamdhip64.so.6 -DFAKE_VERSION=60443484 -Wl,--hash-style=sysv
run ./probe -l ./sysv.so
gives 'the old kind of symbol hash table is read too' 'release=6\.4\.43484'
fake gnu.so libamdhip64.so.6 -DFAKE_VERSION=60443484 -Wl,--hash-style=gnu
run ./probe -l ./gnu.so
gives 'and the new one alone' 'release=6\.4\.43484'

finish
