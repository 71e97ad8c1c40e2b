/* SPDX-License-Identifier: MIT */
/* The completion for zsh. */
#include "tool/completion/completion.h"
#include "tool/tool.h"

/* Sets `value` for the option $2 of the command $1, and `choices` if it is one of some words. */
static const char values_head[] =
    "#compdef hipshim\n"
    "# Completion of hipshim for zsh, written by `hipshim completion zsh`.\n"
    "_hipshim_value() {\n"
    "    value=\n"
    "    case $1$2 in\n";

static const char head[] =
    "    esac\n"
    "}\n"
    "_hipshim() {\n"
    "    local before=$words[CURRENT-1] word=$words[CURRENT] command= action= operands= value=\n"
    "    local -a actions options choices\n"
    "    local -i i\n"
    "    for ((i = 2; i < CURRENT; i++)); do\n"
    "        _hipshim_value \"$command\" \"$words[i-1]\"\n"
    "        if [[ -z $value && $words[i] != -* ]]; then\n"
    "            if [[ -z $command ]]; then\n"
    "                command=$words[i]\n"
    "            elif [[ -z $action ]]; then\n"
    "                action=$words[i]\n"
    "            fi\n"
    "        fi\n"
    "    done\n"
    "    case $command in\n";

static const char tail[] =
    "    esac\n"
    "    if [[ $word == --*=* && ! ($operands == program && -n $action) ]]; then\n"
    "        before=${word%%=*}\n"
    "        compset -P '*='\n"
    "        word=\n"
    "    fi\n"
    "    _hipshim_value \"$command\" \"$before\"\n"
    "    # The arguments of a program are its own.\n"
    "    [[ $operands == program && -n $action ]] && value=files\n"
    "    if [[ $value == text ]]; then\n"
    "        return 1\n"
    "    elif [[ $value == files ]]; then\n"
    "        _files\n"
    "    elif [[ $value == words ]]; then\n"
    "        compadd -a choices\n"
    "    elif [[ $word == -* ]]; then\n"
    "        _describe -o option options\n"
    "    elif [[ -n $actions && -z $action ]]; then\n"
    "        _describe command actions\n"
    "    elif [[ $operands == program ]]; then\n"
    "        _command_names -e\n"
    "        _files\n"
    "    elif [[ -n $operands ]]; then\n"
    "        _files\n"
    "    fi\n"
    "}\n"
    "_hipshim \"$@\"\n";

/* An element of an array for _describe. */
static void write_described(const char *dashes, const char *name, const char *doc)
{
    printf("            '%s%s:", dashes, name);
    for (; *doc; doc++) {
        if (*doc == '\'') {
            fputs("'\\''", stdout); /* the quoted text ends, a quote, it goes on */
        } else {
            char one[] = {*doc, '\0'};
            completion_write_escaped(one, ":\\");
        }
    }
    fputs("'\n", stdout);
}

static void write_options(const struct argp *parser)
{
    struct completion_option option;

    fputs("        options=(\n", stdout);
    for (size_t i = 0; completion_option_at(parser, i, &option); i++) {
        write_described("--", option.name, option.doc);
    }
    fputs("        )\n", stdout);
}

static void write_commands(void)
{
    for (size_t i = 0; i < tool_command_count; i++) {
        write_described("", tool_commands[i].name, tool_commands[i].summary);
    }
}

static void write_command(const struct tool_command *command)
{
    printf("    %s)\n        actions=(", command->name);
    completion_write_actions(command);
    printf(")\n        operands=%s\n", completion_operands(command));
    write_options(command->parser);
    fputs("        ;;\n", stdout);
}

void completion_write_zsh(void)
{
    fputs(values_head, stdout);
    completion_write_values("choices=(", ")");
    fputs(head, stdout);
    fputs("    '')\n        actions=(\n", stdout);
    write_commands();
    fputs("            help version\n        )\n", stdout);
    write_options(&tool_main_argp);
    fputs("        ;;\n    help)\n        actions=(\n", stdout);
    write_commands();
    fputs("        )\n        ;;\n", stdout);
    for (size_t i = 0; i < tool_command_count; i++) {
        write_command(&tool_commands[i]);
    }
    fputs(tail, stdout);
}
