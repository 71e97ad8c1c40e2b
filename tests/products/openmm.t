#!/bin/sh
# SPDX-License-Identifier: MIT
# OpenMM's two wheels, for HIP 6 and for HIP 7, do the same on every runtime.
# shellcheck source-path=SCRIPTDIR disable=SC2154
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../dropin/programs/run.sh
. "$top/tests/dropin/programs/run.sh"
# shellcheck source=common.sh
. "$top/tests/products/common.sh"
product_python

wheel() { # MAJOR RELEASE
    product_pip "openmm-hip-$1" "openmm==8.6.*" "openmm-hip-$1==8.6.*"
    set -- "$1" "$2" "$python" "$top/tests/products/openmm_client.py" "$PYTHONPATH/OpenMM.libs/lib/plugins"
    wheel_client="OpenMM 8.6 for HIP $1"
    wheel_major=$1
    wheel_release=$2
    shift 2
    product_native "$wheel_client" "$wheel_release" "$@" || return
    for release in $dropin_releases; do
        product_through "$wheel_client" "$release" "$wheel_major" "$@"
    done
    for release in $dropin_releases; do
        [ "${release%%.*}" = "$wheel_major" ] || product_linked "$wheel_client" "$release" "$wheel_major" "$@"
    done
}
for major in 6 7; do # before the first line of TAP
    product_pip "openmm-hip-$major" "openmm==8.6.*" "openmm-hip-$major==8.6.*"
done
product_prepare
wheel 6 6.4
wheel 7 7.2
finish
