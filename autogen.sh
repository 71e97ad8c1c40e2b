#!/bin/sh
# SPDX-License-Identifier: MIT
# autogen.sh, without arguments: makes ./configure in a fresh checkout.
set -eu
# shellcheck source=scripts/usage.sh
. "$(dirname "$0")/scripts/usage.sh"
usage_none "$@"
cd "$(dirname "$0")"
for tool in autoreconf automake libtoolize pkg-config; do
    command -v "$tool" >/dev/null || {
        echo "autogen.sh: $tool is missing; ./install-deps gets all that is needed" >&2
        exit 1
    }
done
exec autoreconf --install --force
