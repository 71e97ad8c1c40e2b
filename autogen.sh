#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes ./configure in a fresh checkout.
set -eu
cd "$(dirname "$0")"
for tool in autoreconf automake libtoolize pkg-config; do
    command -v "$tool" >/dev/null || {
        echo "autogen.sh: $tool is missing; ./install-deps gets all that is needed" >&2
        exit 1
    }
done
exec autoreconf --install --force "$@"
