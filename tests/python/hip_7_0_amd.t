#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck source=release.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/python/release.sh"
