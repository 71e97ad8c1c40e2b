/* SPDX-License-Identifier: MIT */
/* The completion for fish. */
#include "tool/completion/completion.h"
#include "tool/tool.h"

static void write_doc(const char *doc)
{
    fputs(" -d '", stdout);
    completion_write_escaped(doc, "\\'");
    fputs("'\n", stdout);
}

/* `condition` is that of complete -n, or NULL. */
static void write_options(const char *condition, const char *name, const struct argp *parser)
{
    struct completion_option option;

    for (size_t i = 0; completion_option_at(parser, i, &option); i++) {
        printf("complete -c hipshim -n '%s%s' -l %s", condition, name, option.name);
        if (option.letter) {
            printf(" -s %c", option.letter);
        }
        if (option.value == COMPLETION_FILE) {
            fputs(" -r -F", stdout);
        } else if (option.value == COMPLETION_WORDS) {
            printf(" -x -a '%s'", option.words);
        } else if (option.value == COMPLETION_TEXT) {
            fputs(" -x", stdout);
        }
        write_doc(option.doc);
    }
}

static void write_command(const struct tool_command *command)
{
    static const char condition[] = "__fish_seen_subcommand_from ";

    printf("complete -c hipshim -n '__fish_use_subcommand' -a %s", command->name);
    write_doc(command->summary);
    printf("complete -c hipshim -n '__fish_seen_subcommand_from help' -a %s", command->name);
    write_doc(command->summary);
    for (size_t i = 0; command->action && command->action(i); i++) {
        printf("complete -c hipshim -n '%s%s; and not __fish_seen_subcommand_from", condition,
               command->name);
        for (size_t j = 0; command->action(j); j++) {
            printf(" %s", command->action(j));
        }
        printf("' -a %s\n", command->action(i));
    }
    if (command->operands == TOOL_OPERANDS_FILES) {
        printf("complete -c hipshim -n '%s%s' -F\n", condition, command->name);
    } else if (command->operands == TOOL_OPERANDS_PROGRAM) {
        printf("complete -c hipshim -n '%s%s' -F -a '(__fish_complete_command)'\n", condition,
               command->name);
    }
    write_options(condition, command->name, command->parser);
}

void completion_write_fish(void)
{
    fputs("# Completion of hipshim for fish, written by `hipshim completion fish`.\n"
          "complete -c hipshim -f\n"
          "complete -c hipshim -n '__fish_use_subcommand' -a 'help version'\n",
          stdout);
    write_options("__fish_use_subcommand", "", &tool_main_argp);
    for (size_t i = 0; i < tool_command_count; i++) {
        write_command(&tool_commands[i]);
    }
}
