# SPDX-License-Identifier: MIT
# Completion of hipshim for fish; `hipshim completion` knows the words.
function __hipshim_words
    set -l words (commandline -opc) (commandline -ct)
    set -l prefix (string match -r -- '^--[^=]*=' $words[-1])
    for reply in (hipshim completion -- $words[2..-1] 2>/dev/null)
        switch $reply
            case :files
                string replace -r -- '^' "$prefix" (__fish_complete_path (string replace -- "$prefix" '' $words[-1]))
            case :program
                __fish_complete_command
                __fish_complete_path $words[-1]
            case '*'
                echo $reply
        end
    end
end
complete -c hipshim -f -a '(__hipshim_words)'
