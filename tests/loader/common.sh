# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# shellcheck disable=SC2154 # top is of tap.sh
#
# For the tests of the loader, and for those of the tool that need fake runtimes, after
# tap.sh: the scratch directory becomes the working directory, and nothing in the
# environment says where a HIP is.  `fake` builds runtimes and `build_probe` builds the
# loader on its own as ./probe.  CC and CFLAGS come from the environment.

cc=${CC:-cc}
cd "$scratch" || exit 99
# mktemp may answer with a path through a link; the loader resolves them.
scratch=$(pwd -P)

unset HIPSHIM_LIBRARY HIPSHIM_TRACE HIPSHIM_ALLOW_UNKNOWN HIPSHIM_STRICT LD_LIBRARY_PATH LD_PRELOAD
unset HIP_PATH ROCM_PATH ROCM_HOME VIRTUAL_ENV CONDA_PREFIX GUIX_ENVIRONMENT SNAP NIX_PROFILES
LC_ALL=C
export LC_ALL

# fakes_export_all: from now on `fake` gives a libamdhip64.so.N the exports of AMD's library,
# except for hiprtc.
fakes_export_all() {
    for fake_map in "$top"/bindings/dropin/*/libamdhip64.so.*.map; do
        fake_name=${fake_map##*/}
        sed -n -e '/ hiprtc/d' \
            -e 's/^ *\([A-Za-z_][A-Za-z0-9_]*\);.*/__attribute__((weak)) int \1(void) { return 0; }/p' \
            "$fake_map" >"$scratch/exports-${fake_name%.map}.c"
    done
}

# fake FILE SONAME FLAG...: builds a library from fake_runtime.c.
fake() {
    fake_file=$1
    fake_soname=$2
    shift 2
    if [ -f "$scratch/exports-$fake_soname.c" ]; then
        set -- "$@" -w "$scratch/exports-$fake_soname.c" \
            "-Wl,--version-script=$top/bindings/dropin/${fake_soname##*.}/$fake_soname.map"
    fi
    mkdir -p "$(dirname "$fake_file")"
    # The sanitizers of CFLAGS are left out: their run time must come first in
    # a process, and the fakes are mapped into programs that have none.
    # shellcheck disable=SC2086 # CC may be several words
    $cc -fPIC -shared -o "$fake_file" -Wl,-soname,"$fake_soname" "$@" \
        "$top/tests/loader/fake_runtime.c" || exit 99
}

# build_probe FILE [FLAG...]: the loader with the tests' own releases, looking
# for installs under the working directory.  The dynamic linker is asked for
# libamdhip64-of-tests.so.N, because the machine may have a libamdhip64.so.N.
build_probe() {
    probe_file=$1
    shift
    # shellcheck disable=SC2086 # CC and CFLAGS are lists of words
    $cc -std=gnu11 -D_GNU_SOURCE -DHIPSHIM_NIXOS_DRIVERS='"nixos"' \
        -DHIPSHIM_LINKER_STEM='"libamdhip64-of-tests"' \
        -I"$top/include/hipshim" -I"$top/bindings" -I"$top/src" ${CFLAGS-} "$@" -o "$probe_file" \
        "$top/tests/loader/loader_probe.c" "$top/tests/loader/loader_tables.c" \
        "$top"/src/engine/candidate.c "$top"/src/engine/companion.c "$top"/src/elf/ld_search.c \
        "$top"/src/engine/loaded_runtimes.c "$top"/src/engine/loader.c "$top"/src/engine/notice.c \
        "$top"/src/engine/release.c "$top"/src/engine/search.c "$top"/src/engine/search_log.c \
        "$top/src/engine/tables.c" "$top/src/engine/used.c" "$top/src/engine/version.c" "$top/src/elf/check.c" "$top/src/elf/image.c" "$top/src/elf/notes.c" \
        "$top/src/base/error.c" "$top/src/base/once.c" "$top/src/base/path.c" "$top/src/base/variable.c" \
        -ldl -lpthread || exit 99
}
