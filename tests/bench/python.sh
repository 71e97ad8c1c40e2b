# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# shellcheck disable=SC2154 # of run
#
# The section "python" of run: calls from Python, as ratios to ctypes in the same run, with
# nanoseconds beside them.  HIPSHIM_BENCH_HIP_PYTHON may name interpreters that have HIP Python.

python_of_build() { sed -n 's/^PROGRAM_OF_PYTHON = //p' "$build/Makefile"; }

python_figures() { # PYTHON BINDING
    PYTHONPATH=$build/python/package PYTHONDONTWRITEBYTECODE=1 HIPSHIM_LIBRARY=$bench/fake-python/libamdhip64.so \
        LD_LIBRARY_PATH=$bench/fake-python:$build/.libs \
        "$1" "$from/python_calls.py" "$2" "$bench/fake-python/libamdhip64.so" 2>"$bench/err"
}

# The limits are those that were wanted on a machine of 2024, in nanoseconds.
python_limit() { # CALL
    case $1 in
    hipGetDevice) echo 90 ;;
    hipMemcpyAsync) echo 90 ;;
    'hipMalloc and hipFree') echo 150 ;;
    hipModuleLaunchKernel*) echo 1100 ;;
    *) echo ;;
    esac
}

measure_python() {
    section "calls from Python" ns limit
    if [ ! -d "$build/python/package" ]; then
        note "not measured: configure had no --with-python"
        return
    fi
    mkdir -p "$bench/fake-python"
    compile fake-python/libamdhip64.so -shared -fPIC -Wl,-soname,libamdhip64.so.6 "$from/python_fake.c"
    ours=$(python_figures "$(python_of_build)" hipshim) || die "$(tail -n 1 "$bench/err")"
    others=$(python_figures "$(python_of_build)" ctypes)
    printf '%s\n' "$ours" >"$bench/out" # no pipe: row counts the limits that are missed
    while read -r figure name; do
        other=$(printf '%s\n' "$others" | sed -n "s/^\([0-9.]*\) $name\$/\1/p")
        row "$name${other:+ (ctypes $(compute %.1f "$other / $figure") times)}" "$figure" "$(python_limit "$name")"
    done <"$bench/out"
    row "import hipshim.hip, milliseconds of processor time" "$(python_import)" 8
    for interpreter in ${HIPSHIM_BENCH_HIP_PYTHON:-}; do
        python_figures "$interpreter" hip_python | while read -r figure name; do
            row "HIP Python of $interpreter: $name" "$figure"
        done
    done
}

# The least of eleven, above an empty interpreter.
python_import() {
    for statement in pass 'from hipshim import hip'; do
        for _ in 1 2 3 4 5 6 7 8 9 10 11; do
            PYTHONPATH=$build/python/package LD_LIBRARY_PATH=$build/.libs "$(python_of_build)" \
                -c "$statement; import time; print(time.process_time() * 1000)"
        done | sort -n | head -n 1
    done | awk '{ if (NR == 1) first = $1; else printf "%.1f", $1 - first }'
}
