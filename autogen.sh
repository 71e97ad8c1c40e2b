#!/bin/sh
# SPDX-License-Identifier: MIT
# autogen.sh [--without-siblings]: makes ./configure and the generated files of bindings/ in a fresh
# checkout, or only those of HIP and roctx, which is faster: those of hipBLAS and others are then not built.
# PYTHON is a Python 3.11 or later with jinja2 (default: the first one found).
set -eu
# shellcheck source=scripts/usage.sh
. "$(dirname "$0")/scripts/usage.sh"
all=--all
[ "${1-}" != --without-siblings ] || { all=--no-all && shift; }
usage_none "$@"
cd "$(dirname "$0")"
for tool in autoreconf automake libtoolize pkg-config; do
    command -v "$tool" >/dev/null || {
        echo "autogen.sh: $tool is missing; ./install-deps gets all that is needed" >&2
        exit 1
    }
done
for python in ${PYTHON:-/usr/bin/python3 python3}; do
    "$python" -c 'import jinja2, tomllib' 2>/dev/null && break
    python=
done
[ -n "$python" ] || {
    echo "autogen.sh: ${PYTHON:+PYTHON=$PYTHON is }no Python 3.11 or later with jinja2; ./install-deps gets it (Debian: python3-jinja2)," \
        "or set PYTHON to one" >&2
    exit 1
}
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=generator "$python" -m hipgen generate $all >/dev/null
touch bindings/.stamp
exec autoreconf --install --force
