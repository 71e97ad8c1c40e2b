# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# shellcheck disable=SC2154 # of tap.sh, real.sh and tests/dropin/programs/run.sh
#
# Programs that other people built, as their ordinary clients (pip, cargo) download them, over every
# runtime and the loopback.  Each prints one line for each step; these lines are compared with those
# of the same program without hipshim on the runtime of its own release.
#   product_prepare            the releases, the loopback
#   product_python             sets python, an interpreter with pip, or skips all
#   product_pip NAME WORDS...  the packages in $products/NAME
#   product_native CLIENT RELEASE WORDS...       runs it without hipshim, keeps the lines
#   product_through CLIENT RELEASE MAJOR WORDS...   runs it by `hipshim run --abi`, compares
#   product_linked CLIENT RELEASE MAJOR WORDS...    with symbolic links in place of hipshim
# Downloads stay in $products. table.sh makes doc/products.md of what is noted in $product_results.

products=$build/products
product_results=$products/results/$(basename "$0" .t)
product_preload=
# A test that is skipped leaves no result of an earlier run.
mkdir -p "$products/results"
: >"$product_results"

product_prepare() {
    dropin_prepare
    for product_one in ${real_wheels:-}; do
        [ ! -d "$real_runtimes/$product_one" ] || dropin_releases="$dropin_releases $product_one"
    done
    product_preload=$scratch/lib/libhsa-runtime64.so.1
    HIPSHIM_DROPIN=$build/dropin
    PYTHONNOUSERSITE=1
    export HIPSHIM_DROPIN PYTHONNOUSERSITE
}

product_note() { # CLIENT COLUMN WORDS
    printf '%s|%s|%s\n' "$1" "$2" "$3" >>"$product_results"
}

# The interpreter itself, since a wrapper would not run under the linker of a runtime.
product_python() {
    for product_one in python3 "${PYTHON:-python3}"; do
        "$product_one" -m pip --version >/dev/null 2>&1 || continue
        python=$("$product_one" -c 'import os, sys; print(os.path.realpath(sys.executable))')
        return 0
    done
    skip_all "no python3 with pip, which downloads the packages"
}

product_pip() { # NAME WORDS...
    product_name=$1
    shift
    product_wanted="$("$python" --version 2>&1) $*"
    if [ "$(cat "$products/$product_name/.complete" 2>/dev/null)" != "$product_wanted" ]; then
        rm -rf "${products:?}/$product_name"
        timeout 300 "$python" -m pip install --quiet --disable-pip-version-check --only-binary :all: \
            --target "$products/$product_name" "$@" >"$scratch/pip.log" 2>&1 ||
            skip_all "pip did not get $*: $(grep -m 1 ERROR "$scratch/pip.log" || tail -n 1 "$scratch/pip.log")"
        printf '%s\n' "$product_wanted" >"$products/$product_name/.complete"
    fi
    PYTHONPATH=$products/$product_name
    export PYTHONPATH
}

# OpenMM keeps compiled kernels in TMPDIR under the number of the release that it sees, which a
# drop-in answers alike on every runtime.
product_run() { # RELEASE PLACES WORDS...: the lines in $scratch/said
    rm -f "$scratch"/openmm-hip-*
    product_release=$1
    product_places=$2
    shift 2
    dropin_run "$product_release" "$product_places" --preload "$product_preload" "$@" \
        >"$scratch/said" 2>"$scratch/err"
    product_status=$?
}

# What was built for this machine does not run in a tree with an older C library.
product_too_new() { # TITLE
    grep -q 'version `GLIBC' "$scratch/err" || return 1
    skip "$1" "$(grep -m 1 'version `GLIBC' "$scratch/err" | sed 's|.*/||')"
}

# Version numbers and free memory may differ; all else may not.
product_lines() { # FILE
    grep -v -E '^(runtime version|free memory|test result)' "$1"
}

product_native() { # CLIENT RELEASE WORDS...
    product_client=$1
    product_release=$2
    shift 2
    product_own=$scratch/native.$product_release
    product_title="$product_client runs without hipshim on HIP $product_release"
    if ! [ -d "$real_runtimes/$product_release" ]; then
        skip "$product_title" "no real runtime of it"
        return 1
    fi
    # A bare name and ROCM_PATH/lib, as a ROCm has them.
    dropin_find "$product_release"
    mkdir -p "$product_own"
    ln -sfn "$dropin_libraries" "$product_own/lib"
    ROCM_PATH=$product_own product_run "$product_release" "$product_own/lib" "$@"
    if product_too_new "$product_title"; then
        return 1
    elif [ "$product_status" -ne 0 ]; then
        tap_result no "$product_title"
        tail -n 20 "$scratch/said" "$scratch/err" | sed 's/^/# /'
        return 1
    fi
    tap_result yes "$product_title"
    product_lines "$scratch/said" >"$scratch/native"
    product_note "$product_client" natively "$(grep -c . "$scratch/native") lines on $product_release"
}

product_through() { # CLIENT RELEASE MAJOR WORDS...
    product_client=$1
    dropin_find "$2"
    product_places=$("$build/hipshim" run --abi "$3" --hip "$dropin_hip" printenv LD_LIBRARY_PATH)
    product_title="$product_client on HIP $2 through hipshim does what it does on its own release"
    product_release=$2
    product_tree=$build/rocm-$3
    shift 3
    ROCM_PATH=$product_tree HIPSHIM_LIBRARY=$dropin_hip HIPSHIM_TRACE=1 \
        product_run "$product_release" "$product_places" "$@"
    ! product_too_new "$product_title" || return 0
    product_lines "$scratch/said" >"$scratch/lines"
    # The same lines prove nothing if the program found the runtime without hipshim.
    grep -q "^hipshim: HIPSHIM_LIBRARY: .* used" "$scratch/err" || echo "hipshim was not used" >>"$scratch/lines"
    is "$product_title" "$(cat "$scratch/lines")" "$(cat "$scratch/native")"
    tail -n 5 "$scratch/err" | sed 's/^/# /'
    product_judge
    product_note "$product_client" "$product_release" "$product_words"
}

product_judge() { # sets product_words
    if cmp -s "$scratch/lines" "$scratch/native"; then
        product_words=equal
    elif [ "$product_status" -ge 124 ]; then
        product_words="ends with status $product_status"
    else
        # The first line that is another, or else the last of the errors; without directories.
        product_words=$({
            grep -v -x -F -f "$scratch/native" "$scratch/lines" || tail -n 1 "$scratch/err"
        } | sed "s|/[^ :]*/||g; s|\`|'|g; s|'*: b'.*||; s| (required by.*||" | head -n 1)
    fi
}

# What people do instead. It is noted and no test, since nothing depends on its result.
product_linked() { # CLIENT RELEASE MAJOR WORDS...
    product_client=$1
    product_release=$2
    product_place=$scratch/link-$2-$3
    dropin_disguise "$2" "$3" "$product_place"
    ln -sfn "$dropin_libraries" "$product_place/lib"
    shift 3
    ROCM_PATH=$product_place product_run "$product_release" "$product_place" "$@"
    product_lines "$scratch/said" >"$scratch/lines"
    product_judge
    product_note "$product_client, a symbolic link instead" "$product_release" "$product_words"
    tap_comment "a symbolic link on HIP $product_release gives: $product_words"
}
