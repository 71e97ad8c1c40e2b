#!/bin/sh
# SPDX-License-Identifier: MIT
# HIP Python opens `libamdhip64.so`, a name without a number, or that file below ROCM_PATH. Over the tree of
# its major it does on every runtime what it does on its own.
# shellcheck source-path=SCRIPTDIR disable=SC2154
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../dropin/programs/run.sh
. "$top/tests/dropin/programs/run.sh"
# shellcheck source=common.sh
. "$top/tests/products/common.sh"
product_python

package() { # CLIENT NAME SPECIFICATION MAJOR RELEASE
    product_pip "$2" "$3"
    package_client=$1
    package_major=$4
    product_native "$package_client" "$5" "$python" "$top/tests/products/hip_python_client.py" || return
    for release in $dropin_releases; do
        product_through "$package_client" "$release" "$package_major" \
            "$python" "$top/tests/products/hip_python_client.py"
    done
    # The name without a number is a link to whatever is installed.
    for release in $dropin_releases; do
        [ "${release%%.*}" = "$package_major" ] || product_linked "$package_client" "$release" "$package_major" \
            "$python" "$top/tests/products/hip_python_client.py"
    done
}
product_pip hip-python-6.4 'hip-python==6.4.4.*' # before the first line of TAP
product_pip hip-python-10.0 'rocm-bindings-hip==10.0.*'
product_prepare
package 'HIP Python 6.4' hip-python-6.4 'hip-python==6.4.4.*' 6 6.4
package 'HIP Python 10.0' hip-python-10.0 'rocm-bindings-hip==10.0.*' 7 7.2
finish
