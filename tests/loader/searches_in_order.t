#!/bin/sh
# SPDX-License-Identifier: MIT
# The places are tried in the documented order, versions as numbers.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=common.sh
. "$top/tests/loader/common.sh"

build_probe ./probe -DHIPSHIM_CONFIGURED_PREFIX='"configured"'

# One runtime in every place; each is told from the others by its minor, and
# each test takes the winner of the one before away.
fake pin/lib/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60100001
fake mapped/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60200002
fake configured/lib/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60300003
fake hip/lib64/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60400004
fake rocm/lib/multi-arch/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60500005
fake home/hip/lib/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60600006
fake conda/lib/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60700007
fake venv/lib/python3.9/site-packages/_rocm_sdk_core/lib/libamdhip64.so.7 libamdhip64.so.7 -DFAKE_VERSION=71500020
fake venv/lib/python3.11/site-packages/_rocm_sdk_core_7_16/lib/libamdhip64.so.7 libamdhip64.so.7 -DFAKE_VERSION=71600021
fake venv/lib/python3.11/site-packages/torch/lib/libamdhip64.so libamdhip64.so.7 -DFAKE_VERSION=71700022
fake venv/lib/python3.11/site-packages/triton/backends/amd/lib/libamdhip64.so libamdhip64.so.7 -DFAKE_VERSION=72000028
fake conda/lib/python3.12/site-packages/torch/lib/libamdhip64.so libamdhip64.so.7 -DFAKE_VERSION=71800023
fake guix/lib/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=61000024
fake snap/lib/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=61100025
mkdir -p python/site-packages/torch/lib
$cc -shared -nostdlib -o python/site-packages/torch/lib/libother.so -x c /dev/null || exit 99
fake python/site-packages/_rocm_sdk_core/lib/libamdhip64.so.7 libamdhip64.so.7 -DFAKE_VERSION=71900026
mkdir -p debian/dist-packages/torch/lib
cp python/site-packages/torch/lib/libother.so debian/dist-packages/torch/lib/libother.so
fake debian/dist-packages/torch/lib/libamdhip64.so libamdhip64.so.7 -DFAKE_VERSION=72100032
fake wsl/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=61200027
fake nix/user/lib/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=61300029
fake nix/system/lib/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=61400030
fake nixos/lib/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=61500031
fake linker/libamdhip64-of-tests.so.7 libamdhip64.so.7 -DFAKE_VERSION=70000008
fake linker/libamdhip64-of-tests.so.6 libamdhip64.so.6 -DFAKE_VERSION=60800009
fake linker/libamdhip64-of-tests.so.5 libamdhip64.so.5 -DFAKE_VERSION=50000010
fake opt/rocm/core/lib/libamdhip64.so.7 libamdhip64.so.7 -DFAKE_VERSION=71000011
fake opt/rocm/core-7.9/lib/libamdhip64.so.7 libamdhip64.so.7 -DFAKE_VERSION=70900012
fake opt/rocm/core-7.12/lib/libamdhip64.so.7 libamdhip64.so.7 -DFAKE_VERSION=71200013
fake opt/rocm/core-10.1/lib/libamdhip64.so.7 libamdhip64.so.7 -DFAKE_VERSION=71300014
fake opt/rocm/lib/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60900015
fake opt/rocm-6.4.9/lib/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60400916
fake opt/rocm-6.4.10/lib/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60401017
fake opt/rocm-5.7.1/lib/libamdhip64.so.5 libamdhip64.so.5 -DFAKE_VERSION=50700118
fake compat/rocm-6.1/lib/libamdhip64.so.6 libamdhip64.so.6 -DFAKE_VERSION=60100019

HIP_PATH=hip ROCM_PATH=rocm ROCM_HOME=home VIRTUAL_ENV=venv CONDA_PREFIX=conda
GUIX_ENVIRONMENT=guix SNAP=snap NIX_PROFILES='nix/system  nix/user'
export NIX_PROFILES
export VIRTUAL_ENV GUIX_ENVIRONMENT SNAP
HIPSHIM_LIBRARY=pin LD_LIBRARY_PATH=$scratch/linker
export HIP_PATH ROCM_PATH ROCM_HOME CONDA_PREFIX HIPSHIM_LIBRARY LD_LIBRARY_PATH

run ./probe -l mapped/libamdhip64.so.6
gives 'HIPSHIM_LIBRARY comes before everything' 'release=6\.1\.1'
gives 'and is named as what found the runtime' 'found_by=HIPSHIM_LIBRARY'
unset HIPSHIM_LIBRARY
run ./probe -l mapped/libamdhip64.so.6
gives 'a mapped runtime comes second' 'release=6\.2\.2'
gives 'and says so' 'found_by=already loaded'
run ./probe
gives 'the configured prefix comes third' 'release=6\.3\.3'
gives 'and its path is made absolute' "path=$scratch/configured/lib/libamdhip64\\.so\\.6"
rm -r configured
run ./probe
gives 'HIP_PATH comes before ROCM_PATH, lib64 is looked into' 'release=6\.4\.4'
gives 'and the environment is named' 'found_by=environment'
rm -r hip
run ./probe -s
gives 'ROCM_PATH is next, lib/<triple> is looked into' 'release=6\.5\.5'
gives 'a stale HIP_PATH is reported' 'step environment\|absent\|HIP_PATH=hip\|no such directory'
rm -r rocm/lib/multi-arch
run ./probe -s
gives 'ROCM_HOME is next, hip/lib is looked into' 'release=6\.6\.6'
gives 'a prefix without a runtime is reported' \
    'step environment\|absent\|ROCM_PATH=rocm\|no libamdhip64 in its lib.*'
rm -r home
run ./probe
gives 'VIRTUAL_ENV is next, of the newest Python, ROCm wheels before PyTorch' 'release=7\.16\.21'
rm -r venv/lib/python3.11/site-packages/_rocm_sdk_core_7_16
run ./probe
gives 'the bare name in the wheel of PyTorch is found' 'release=7\.17\.22'
rm -r venv/lib/python3.11/site-packages/torch
run ./probe
gives 'then the one in the wheel of Triton' 'release=7\.20\.28'
rm -r venv/lib/python3.11
run ./probe
gives 'and an older Python' 'release=7\.15\.20'
rm -r venv
run ./probe
gives 'CONDA_PREFIX is a prefix first' 'release=6\.7\.7'
rm conda/lib/libamdhip64.so.6
run ./probe
gives 'and has wheels' 'release=7\.18\.23'
rm -r conda
run ./probe
gives 'GUIX_ENVIRONMENT is a prefix' 'release=6\.10\.24'
rm -r guix
run ./probe
gives 'SNAP is the last of the variables' 'release=6\.11\.25'
unset HIP_PATH ROCM_PATH ROCM_HOME VIRTUAL_ENV CONDA_PREFIX GUIX_ENVIRONMENT SNAP
run ./probe -l python/site-packages/torch/lib/libother.so
gives 'wheels beside a loaded library come before the dynamic linker' 'release=7\.19\.26'
gives 'and are named as a directory' 'found_by=well-known directory'
run ./probe -l debian/dist-packages/torch/lib/libother.so
gives 'also in the directory of the Python of Debian' 'release=7\.21\.32'
run ./probe
gives 'the dynamic linker is asked for the newest soname first' 'release=7\.0\.8'
gives 'and is named' 'found_by=dynamic linker'
rm linker/libamdhip64-of-tests.so.7
run ./probe
gives 'then for the one before' 'release=6\.8\.9'
rm linker/libamdhip64-of-tests.so.6
run ./probe
gives 'and for the oldest' 'release=5\.0\.10'
mv linker/libamdhip64-of-tests.so.5 linker/libamdhip64-of-tests.so
run ./probe
gives 'never for the bare name; core comes first of the directories' 'release=7\.10\.11'
rm -r linker opt/rocm/core
unset LD_LIBRARY_PATH
run ./probe
gives 'core-10 is newer than core-7' 'release=7\.13\.14'
rm -r opt/rocm/core-10.1
run ./probe
gives 'core-7.12 is newer than core-7.9' 'release=7\.12\.13'
rm -r opt/rocm/core-7.12 opt/rocm/core-7.9
run ./probe
gives 'then /opt/rocm itself' 'release=6\.9\.15'
rm -r opt/rocm
run ./probe
gives 'then /opt/rocm-*, where 6.4.10 is newer than 6.4.9' 'release=6\.4\.1017'
rm -r opt/rocm-6.4.10 opt/rocm-6.4.9
run ./probe
gives 'down to the oldest' 'release=5\.7\.118'
rm -r opt
run ./probe
gives 'then the compatibility builds of Fedora' 'release=6\.1\.19'
rm -r compat
run ./probe
gives 'then the libraries of WSL' 'release=6\.12\.27'
rm -r wsl
run ./probe
gives 'then the profiles of Nix, the last one first' 'release=6\.13\.29'
gives 'and the environment is named' 'found_by=environment'
rm -r nix/user
run ./probe
gives 'and the one before it' 'release=6\.14\.30'
unset NIX_PROFILES
run ./probe
gives 'and last the drivers of NixOS' 'release=6\.15\.31'
rm -r nixos
run ./probe -s
exits 'with nothing anywhere there is no runtime' 1
gives 'the reason says what helps' 'reason=no HIP runtime \(libamdhip64\) was found; install .*'
gives 'symbols of no runtime are NULL' 'symbol=none'
gives 'and there is no hiprtc' 'hiprtc_reason=there is no HIP runtime, and so no hiprtc'

fake both/lib/libamdhip64.so libamdhip64.so -DFAKE_VERSION=60443484
HIP_PATH=both run ./probe
gives 'a bare name alone in a prefix is used, as in wheels' 'path=.*/both/lib/libamdhip64\.so'
fake both/lib/libamdhip64.so.7 libamdhip64.so.7 -DFAKE_VERSION=70253211
fake both/lib/libamdhip64.so.5 libamdhip64.so.5 -DFAKE_VERSION=50731921
HIP_PATH=both run ./probe
gives 'the newest major of a prefix is preferred' 'release=7\.2\.53211'
# What comes first in LD_LIBRARY_PATH is before what the machine has.
build_probe ./outside -UHIPSHIM_LINKER_STEM
fake linker/libamdhip64.so.7 libamdhip64.so.7 -DFAKE_VERSION=70000008
LD_LIBRARY_PATH=linker run ./outside
gives 'outside these tests the dynamic linker is asked for libamdhip64' 'release=7\.0\.8'
gives 'and is named as what found it' 'found_by=dynamic linker'
HIP_PATH='' run ./probe -s
gives 'an empty variable counts as unset' 'step environment\|skipped\|HIP_PATH\|set but empty, .*'

finish
