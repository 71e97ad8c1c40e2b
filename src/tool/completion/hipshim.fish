# SPDX-License-Identifier: MIT
# Completion of hipshim for fish.  tests/tool/completes_commands.t compares the words with --help.
function __hipshim_releases
    hipshim abi show --json hipInit 2>/dev/null | string match -rg '"release": "(.*)",$'
end
function __hipshim_gpus
    __fish_complete_list , "printf 'gfx%s\n' 803 900 906 908 90a 940 941 942 950 1010 1011 1012 1030 1031 1032 \
        1033 1034 1035 1036 1100 1101 1102 1103 1150 1151 1152 1153 1200 1201 {9,9-4,10-1,10-3,11,12}-generic"
end
function __hipshim_in # COMMAND [ACTION]: the words before the cursor begin so
    set -l words (string match -v -- '-*' (commandline -opc))
    test "$words[2]" = $argv[1]; and begin
        test (count $argv) -eq 1; or test "$words[3]" = "$argv[2]"
    end
end
set -l commands abi cache doctor embed info run scan which
complete -c hipshim -f
complete -c hipshim -n "not __fish_seen_subcommand_from $commands" -a "$commands"
complete -c hipshim -n "not __fish_seen_subcommand_from $commands help" -a "help version"
complete -c hipshim -l help -d 'Describe the command and its options'
complete -c hipshim -l usage -d 'Print a short usage message'
complete -c hipshim -l version -d 'Print the version of hipshim'
complete -c hipshim -n "not __hipshim_in embed; and not __hipshim_in run" -l json -d 'Write JSON'

complete -c hipshim -n '__hipshim_in abi ""' -a 'list show diff export'
complete -c hipshim -n '__hipshim_in abi show' -a "(hipshim abi list 2>/dev/null | string replace -r ' .*' '')"
complete -c hipshim -n '__hipshim_in abi diff' -a '(__hipshim_releases)'
complete -c hipshim -n '__hipshim_in abi' -l fail-on -xa 'breaking any'

complete -c hipshim -n '__hipshim_in cache ""' -a 'list info verify clear warm'
complete -c hipshim -n '__hipshim_in cache warm' -F
complete -c hipshim -n '__hipshim_in cache' -s a -l arch -xa '(__hipshim_gpus)'
for option in expression name option
    complete -c hipshim -n '__hipshim_in cache' -s (string sub -l 1 $option) -l $option -x
end

complete -c hipshim -n '__hipshim_in embed' -F
complete -c hipshim -n '__hipshim_in embed' -s a -l arch -xa '(__hipshim_gpus)'
complete -c hipshim -n '__hipshim_in embed' -s o -l output -r
complete -c hipshim -n '__hipshim_in embed' -s I -l include -r
complete -c hipshim -n '__hipshim_in embed' -s j -l jobs -x
complete -c hipshim -n '__hipshim_in embed' -s D -l define -x
complete -c hipshim -n '__hipshim_in embed' -l with -xa 'hiprtc hipcc'
for option in depfile hipify rocm
    complete -c hipshim -n '__hipshim_in embed' -l $option -r
end
for option in option name
    complete -c hipshim -n '__hipshim_in embed' -l $option -x
end
for option in asm compress force quiet rust source
    complete -c hipshim -n '__hipshim_in embed' -l $option
end

complete -c hipshim -n '__hipshim_in run' \
    -xa '(__fish_complete_subcommand --fcs-skip=2 -a --abi -i --arch --isa --hip --with)'
complete -c hipshim -n '__hipshim_in run' -s a -l abi -xa 'auto (__hipshim_releases | string replace -r "\..*" "" | sort -u)'
complete -c hipshim -n '__hipshim_in run' -l hip -r
complete -c hipshim -n '__hipshim_in run' -l with -r
complete -c hipshim -n '__hipshim_in run' -s i -l arch -l isa -xa '(__hipshim_gpus)'
complete -c hipshim -n '__hipshim_in run' -s l -l loopback

complete -c hipshim -n '__hipshim_in scan' -F
