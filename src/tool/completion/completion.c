/* SPDX-License-Identifier: MIT */
/* hipshim completion: scripts for shells, made from the tables of the commands. */
#include "tool/completion/completion.h"

#include <ctype.h>
#include <string.h>

#include "tool/release_text.h"
#include "tool/tool.h"

/* --- options --- */

static const struct argp_option common[] = {
    {.name = "help", .key = '?', .doc = "Describe the command and its options"},
    {.name = "usage", .doc = "Print a short usage message"},
    {.name = "version", .key = 'V', .doc = "Print the version of hipshim"},
};
enum { COMMON_COUNT = sizeof common / sizeof common[0] };

/* The placeholders in the tables say what a value is: DIR, FILE and PATH, MAJOR, or words with
 * bars. */
static enum completion_value classify(const struct argp_option *option)
{
    if (!option->arg || (option->flags & OPTION_ARG_OPTIONAL)) {
        return COMPLETION_NO_VALUE;
    }
    if (strchr(option->arg, '|') || strcmp(option->arg, "MAJOR") == 0) {
        return COMPLETION_WORDS;
    }
    bool is_file = strcmp(option->arg, "DIR") == 0 || strcmp(option->arg, "FILE") == 0 ||
                   strcmp(option->arg, "PATH") == 0;
    return is_file ? COMPLETION_FILE : COMPLETION_TEXT;
}

bool completion_option_at(const struct argp *parser, size_t index, struct completion_option *option)
{
    size_t count = 0;

    while (parser->options[count].name) {
        count++;
    }
    if (index >= count + COMMON_COUNT) {
        return false;
    }
    const struct argp_option *one =
        index < count ? &parser->options[index] : &common[index - count];
    const struct argp_option *meaning = one;
    while (meaning->flags & OPTION_ALIAS) {
        meaning--;
    }
    *option = (struct completion_option){
        .name = one->name,
        .letter = (char)(one->key > 0 && one->key < 128 && isalpha(one->key) ? one->key : 0),
        .value = classify(meaning),
        .doc = meaning->doc,
    };
    if (option->value == COMPLETION_WORDS) {
        char majors[32];
        bool is_major = strcmp(meaning->arg, "MAJOR") == 0;
        snprintf(option->words, sizeof option->words, "%s%s",
                 is_major ? tool_release_majors(majors, sizeof majors) : meaning->arg,
                 is_major ? " auto" : "");
        for (char *bar; (bar = strchr(option->words, '|')) != NULL;) {
            *bar = ' ';
        }
        for (char *comma; (comma = strchr(option->words, ',')) != NULL;) {
            memmove(comma, comma + 1, strlen(comma));
        }
    }
    return true;
}

void completion_write_escaped(const char *text, const char *special)
{
    for (; *text; text++) {
        if (strchr(special, *text)) {
            putchar('\\');
        }
        putchar(*text);
    }
}

/* --- what bash and zsh share --- */

void completion_write_actions(const struct tool_command *command)
{
    for (size_t i = 0; command->action && command->action(i); i++) {
        printf("%s%s", i ? " " : "", command->action(i));
    }
}

const char *completion_operands(const struct tool_command *command)
{
    static const char *const words[] = {
        [TOOL_OPERANDS_NONE] = "",
        [TOOL_OPERANDS_FILES] = "files",
        [TOOL_OPERANDS_PROGRAM] = "program",
    };
    return words[command->operands];
}

static void write_value(const char *command, const struct completion_option *option,
                        const char *before, const char *after)
{
    printf("    %s--%s", command, option->name);
    if (option->letter) {
        printf(" | %s-%c", command, option->letter);
    }
    if (option->value == COMPLETION_WORDS) {
        printf(") value=words %s%s%s ;;\n", before, option->words, after);
    } else {
        printf(") value=%s ;;\n", option->value == COMPLETION_FILE ? "files" : "text");
    }
}

void completion_write_values(const char *before, const char *after)
{
    struct completion_option option;

    for (size_t i = 0; i < tool_command_count; i++) {
        const struct tool_command *command = &tool_commands[i];
        for (size_t j = 0; completion_option_at(command->parser, j, &option); j++) {
            if (option.value != COMPLETION_NO_VALUE) {
                write_value(command->name, &option, before, after);
            }
        }
    }
}

/* --- the command --- */

static int write_bash(const void *context, char **arguments)
{
    (void)context;
    (void)arguments;
    completion_write_bash();
    return TOOL_OK;
}

static int write_fish(const void *context, char **arguments)
{
    (void)context;
    (void)arguments;
    completion_write_fish();
    return TOOL_OK;
}

static int write_zsh(const void *context, char **arguments)
{
    (void)context;
    (void)arguments;
    completion_write_zsh();
    return TOOL_OK;
}

static const struct tool_action actions[] = {
    {"bash", "", 0, write_bash},
    {"fish", "", 0, write_fish},
    {"zsh", "", 0, write_zsh},
};

const char *tool_completion_action(size_t index)
{
    return index < sizeof actions / sizeof actions[0] ? actions[index].name : NULL;
}

static const struct argp_option options[] = {{0}};
const struct argp tool_completion_argp = {
    .options = options,
    .parser = tool_words_option,
    .args_doc = "bash|fish|zsh",
    .doc = "Print the script by which a shell completes the commands of hipshim, their actions and "
           "options, and the names of files.\v"
           "`make install` puts the three scripts where the shells look for them.\n\n"
           "Exit status: 0; 2 if the command line is wrong; 3 if the script cannot be written.",
};

int tool_completion_run(int argc, char **argv)
{
    struct tool_words words = {0};

    argp_parse(&tool_completion_argp, argc, argv, 0, NULL, &words);
    return tool_action_run("hipshim completion", actions, sizeof actions / sizeof actions[0],
                           words.words, words.count, NULL);
}
