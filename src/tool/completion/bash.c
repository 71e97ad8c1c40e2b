/* SPDX-License-Identifier: MIT */
/* The completion for bash. */
#include "tool/completion/completion.h"
#include "tool/tool.h"

/* Sets `value` for the option $2 of the command $1, and `actions` if it is one of some words. */
static const char values_head[] =
    "# Completion of hipshim for bash, written by `hipshim completion bash`.\n"
    "_hipshim_value() {\n"
    "    value=\n"
    "    case $1$2 in\n";

static const char head[] =
    "    esac\n"
    "}\n"
    "_hipshim() {\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} i\n"
    "    local command= action= actions= options= operands= value=\n"
    "    # bash makes a word of its own of the \"=\" between an option and its value.\n"
    "    if [[ $word == = ]]; then\n"
    "        word=\n"
    "    elif [[ $before == = ]]; then\n"
    "        before=${COMP_WORDS[COMP_CWORD-2]}\n"
    "    fi\n"
    "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
    "        _hipshim_value \"$command\" \"${COMP_WORDS[i-1]}\"\n"
    "        if [[ ! $value && ${COMP_WORDS[i-1]} != = && ${COMP_WORDS[i]} != [-=]* ]]; then\n"
    "            if [[ ! $command ]]; then\n"
    "                command=${COMP_WORDS[i]}\n"
    "            elif [[ ! $action ]]; then\n"
    "                action=${COMP_WORDS[i]}\n"
    "            fi\n"
    "        fi\n"
    "    done\n"
    "    case $command in\n";

static const char tail[] =
    "    esac\n"
    "    COMPREPLY=()\n"
    "    _hipshim_value \"$command\" \"$before\"\n"
    "    [[ $operands == program && $action ]] && value=files # the program's own arguments\n"
    "    if [[ $value == text ]]; then\n"
    "        return\n"
    "    elif [[ $value == files ]]; then\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
    "    elif [[ $value == words ]]; then\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$actions\" -- \"$word\")\n"
    "    elif [[ $word == -* ]]; then\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
    "    elif [[ $actions && ! $action ]]; then\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$actions\" -- \"$word\")\n"
    "    elif [[ $operands == program ]]; then\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        mapfile -t COMPREPLY < <(compgen -c -- \"$word\"; compgen -d -- \"$word\")\n"
    "    elif [[ $operands ]]; then\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
    "    fi\n"
    "}\n"
    "complete -F _hipshim hipshim\n";

static void write_commands(void)
{
    for (size_t i = 0; i < tool_command_count; i++) {
        printf("%s%s", i ? " " : "", tool_commands[i].name);
    }
}

static void write_options(const struct argp *parser)
{
    struct completion_option option;

    for (size_t i = 0; completion_option_at(parser, i, &option); i++) {
        printf("%s--%s", i ? " " : "", option.name);
    }
}

static void write_command(const struct tool_command *command)
{
    printf("    %s)\n        actions='", command->name);
    completion_write_actions(command);
    fputs("' options='", stdout);
    write_options(command->parser);
    printf("' operands=%s ;;\n", completion_operands(command));
}

void completion_write_bash(void)
{
    fputs(values_head, stdout);
    completion_write_values("actions='", "'");
    fputs(head, stdout);
    fputs("    '')\n        actions='", stdout);
    write_commands();
    fputs(" help version' options='", stdout);
    write_options(&tool_main_argp);
    fputs("' ;;\n    help)\n        actions='", stdout);
    write_commands();
    fputs("' ;;\n", stdout);
    for (size_t i = 0; i < tool_command_count; i++) {
        write_command(&tool_commands[i]);
    }
    fputs(tail, stdout);
}
