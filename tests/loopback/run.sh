# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Runs the programs of tests/loopback/gpu, each built once, on one real HIP runtime with
# the loopback for a GPU, each in a process of its own with a time limit:
#   . tests/lib/real.sh; . tests/loopback/run.sh; loopback_main NAME
# where NAME is a tree that tests/lib/fetch-runtimes made.  Every cmocka test of
# every program is one TAP line here.  A runtime that is not there is a loud
# skip, or a failure with HIPSHIM_TEST_RUNTIMES=require (see real_missing).
# shellcheck disable=SC2154 # scratch and tap_count are of tap.sh, real_* of real.sh

loopback_programs="array_copies arrays callbacks contexts copies copy_forms devices errors_tracing external faults fills
    graph_capture graph_driver graph_params graph_structure graphs guarded ipc launches linking managed
    memory missing_functions modules_launch pointer_attributes properties_attributes sharing
    stream_attributes streams_events symbols texture_references textures thread_streams threads two_gpus
    virtual_memory"
loopback_guarded="copies graphs memory modules_launch streams_events"
loopback_label=

# Builds the loopback where real_run's library path comes by before the tree's.
loopback_build() { # NAME
    HIPSHIM_RUNTIMES=${HIPSHIM_RUNTIMES:-$build/runtimes} \
        sh "$top/tests/loopback/build.sh" "$scratch/lib" >"$scratch/build.log" 2>&1
    loopback_status=$?
    [ $loopback_status -ne 77 ] || real_missing "$1" "$(cat "$scratch/build.log")"
    is "the loopback compiles" $loopback_status 0
    [ $loopback_status -eq 0 ] || tap_comment "$(cat "$scratch/build.log")"
}

# The host's cmocka alone, not the directory it lies in.
loopback_lend_cmocka() {
    mkdir -p "$scratch/lib"
    loopback_cmocka=$(ldd "$(loopback_binary memory)" 2>/dev/null |
        sed -n 's/.*libcmocka[^ ]* => \([^ ]*\).*/\1/p')
    [ -z "$loopback_cmocka" ] || ln -s "$loopback_cmocka" "$scratch/lib/"
}

loopback_binary() { # NAME
    if [ -f "$build/tests/loopback/gpu/.libs/$1_t" ]; then
        printf '%s\n' "$build/tests/loopback/gpu/.libs/$1_t"
    else
        printf '%s\n' "$build/tests/loopback/gpu/$1_t"
    fi
}

# In the scratch directory: the runtimes leave files where they run.
loopback_run() { # PROGRAM [ARGS]
    (
        cd "$scratch" || exit 99
        timeout -k 5 60 env HOME="$scratch" TMPDIR="$scratch" AMD_COMGR_CACHE=0 \
            REAL_RELEASE="$real_release" CMOCKA_MESSAGE_OUTPUT=TAP \
            "$real_loader" --inhibit-cache --library-path \
            "$scratch/lib:$build/.libs:$real_tree/usr/lib/x86_64-linux-gnu:$real_tree/lib/x86_64-linux-gnu:$scratch/hide" \
            "$@"
    )
}

# cmocka says "not ok 3 # SKIP name" of a test that skips itself.
loopback_line() { # WORDS LINE
    case $2 in
    *"# SKIP "*) skip "$1: $(printf '%s\n' "${2##*# SKIP }" | tr _ ' ')" "this release has no such function" ;;
    "ok "*) tap_result yes "$1: $(real_title "$2")" ;;
    "not ok "*) tap_result no "$1: $(real_title "$2")" ;;
    *) ;;
    esac
}

loopback_settings() { # NAME
    LOOPBACK_GPUS=1 LOOPBACK_FAULT='' LOOPBACK_GUARD=0
    case $1 in
    faults) LOOPBACK_FAULT=kernel ;;
    guarded) LOOPBACK_GUARD=1 ;;
    two_gpus) LOOPBACK_GPUS=2 ;;
    *) ;;
    esac
    export LOOPBACK_GPUS LOOPBACK_FAULT LOOPBACK_GUARD
}

loopback_program() { # NAME
    loopback_run "$(loopback_binary "$1")" >"$scratch/out" 2>"$scratch/err"
    loopback_status=$?
    loopback_words=$loopback_label$(printf '%s' "$1" | tr _ ' ')
    while IFS= read -r loopback_one; do
        loopback_line "$loopback_words" "$loopback_one"
    done <"$scratch/out"
    if [ $loopback_status -ne 0 ]; then
        tap_comment "$1: exit status $loopback_status"
        cat "$scratch/out" "$scratch/err" | tail -n 40 | sed 's/^/#   /'
    fi
    # A crash, a hang or an exit leaves fewer lines than planned.
    loopback_planned=$(sed -n 's/^1\.\.\([0-9]*\)$/\1/p' "$scratch/out" | head -n 1)
    loopback_seen=$(grep -c '^\(not \)\{0,1\}ok ' "$scratch/out")
    if [ "${loopback_planned:-none}" != "$loopback_seen" ] || [ $loopback_status -gt 1 ]; then
        tap_result no "$loopback_words: ran to its end"
    fi
}

loopback_main() { # NAME
    real_find "$1"
    loopback_lend_cmocka
    loopback_build "$1"
    tap_comment "HIP $real_release from $real_tree, with the loopback"
    for loopback_name in $loopback_programs; do
        loopback_settings "$loopback_name"
        loopback_program "$loopback_name"
    done
    # Again with memory that the host cannot touch: nothing may have relied on it.
    LOOPBACK_GUARD=1 LOOPBACK_FAULT='' LOOPBACK_GPUS=1
    export LOOPBACK_GUARD LOOPBACK_FAULT LOOPBACK_GPUS
    loopback_label="under guard, "
    for loopback_name in $loopback_guarded; do
        loopback_program "$loopback_name"
    done
    printf '1..%d\n' "$tap_count"
}
