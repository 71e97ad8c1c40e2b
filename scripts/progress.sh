# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Sourced by scripts whose commands take long:
#   progress TEXT LOG COMMAND...   adds the command's output to LOG, and returns its status; on a
#                                  terminal one line has TEXT, the number of lines until now, and the
#                                  last of them, and is erased at the end

progress_lines() { # TEXT LOG
    progress_count=0
    while IFS= read -r progress_line || [ -n "$progress_line" ]; do
        printf '%s\n' "$progress_line" >>"$2"
        progress_count=$((progress_count + 1))
        printf '\r\033[K%s: %d, %.50s' "$1" $progress_count "$progress_line" >&2
    done
    printf '\r\033[K' >&2
}

progress() { # TEXT LOG COMMAND...
    progress_text=$1
    progress_log=$2
    shift 2
    if [ ! -t 2 ]; then
        "$@" >>"$progress_log" 2>&1
        return
    fi
    # The status of a pipe is that of its end, so the command's is the first line of a third stream.
    progress_status=$({ { "$@" 2>&1 3>&- || echo $? >&3; } | progress_lines "$progress_text" "$progress_log" 3>&-; } 3>&1)
    return "${progress_status:-0}"
}
