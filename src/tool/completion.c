/* SPDX-License-Identifier: MIT */
/*
 * hipshim completion: the words that may come next on a command line.  The scripts in
 * src/tool/completion/ ask for them and know nothing of the commands themselves.
 */
#include <hipshim/hipshim.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/release_text.h"
#include "tool/scan/code.h"
#include "tool/tool.h"

/* argp adds these to every command line. */
static const struct argp_option common[] = {
    {.name = "help", .doc = "Describe the command and its options"},
    {.name = "usage", .doc = "Print a short usage message"},
    {.name = "version", .doc = "Print the version of hipshim"},
    {0},
};

/* From main. */
static const struct tool_command *commands;
static size_t command_count;
static const struct argp_option *main_options;

void tool_completion_learn(const struct tool_command *known, size_t count,
                           const struct argp_option *before)
{
    commands = known;
    command_count = count;
    main_options = before;
}

/* What stands before the cursor. */
struct line {
    const struct tool_command *command; /* NULL: it comes next */
    const char *action;                 /* the first word after the command, or NULL */
    const struct argp_option *option;   /* the word is the value of this one, or NULL */
    bool is_help;                       /* the command is "help" */
    const char *word;                   /* of which the beginning is typed */
    int kept; /* bytes of the word that are not completed: "--arch=gfx90a," */
};

static void offer(const struct line *line, const char *word, const char *doc)
{
    const char *typed = line->word + line->kept;

    if (strncmp(word, typed, strlen(typed)) == 0) {
        printf("%.*s%s%s%s\n", line->kept, line->word, word, *doc ? "\t" : "", doc);
    }
}

/* Words with bars, or with commas and spaces, between them. */
static void offer_list(const struct line *line, const char *words)
{
    char list[128], *rest = list;

    snprintf(list, sizeof list, "%s", words);
    for (char *word; (word = strsep(&rest, "|, ")) != NULL;) {
        if (*word) {
            offer(line, word, "");
        }
    }
}

static void offer_processors(struct line *line)
{
    char name[TOOL_CODE_GPU];
    const char *comma = strrchr(line->word + line->kept, ',');

    line->kept = comma ? (int)(comma + 1 - line->word) : line->kept;
    for (unsigned machine = 0; machine < 256; machine++) {
        if (strncmp(tool_scan_code_gpu(machine, name), "gfx", 3) == 0) {
            offer(line, name, "");
        }
    }
}

/* The placeholder in the help of an option says what its value is. */
static void offer_values(struct line *line)
{
    const char *what = line->option->arg;
    char majors[32];

    if (strchr(what, '|')) {
        offer_list(line, what);
    } else if (strcmp(what, "MAJOR") == 0) {
        offer_list(line, tool_release_majors(majors, sizeof majors));
        offer(line, "auto", "the major that the program needs");
    } else if (strcmp(what, "NAME,...") == 0 || strcmp(what, "PROCESSOR") == 0) {
        offer_processors(line);
    } else if (strcmp(what, "DIR") == 0 || strcmp(what, "FILE") == 0 || strcmp(what, "PATH") == 0) {
        puts(":files");
    }
}

static void offer_options(const struct line *line, const struct argp_option *options)
{
    char word[64];

    for (const struct argp_option *one = options; one->name; one++) {
        snprintf(word, sizeof word, "--%s", one->name);
        offer(line, word, one->doc ? one->doc : "");
    }
}

static void offer_commands(const struct line *line)
{
    for (size_t i = 0; i < command_count; i++) {
        offer(line, commands[i].name, commands[i].summary);
    }
    if (!line->is_help) {
        offer(line, "help", "Describe a command");
        offer(line, "version", "Print the version of hipshim");
    }
}

static void offer_names(const struct line *line)
{
    char text[TOOL_RELEASE_TEXT];

    if (strcmp(line->action, "show") == 0) {
        for (unsigned i = 0; i < hipshim_function_count(); i++) {
            offer(line, hipshim_function_name(i), "");
        }
    } else if (strcmp(line->action, "diff") == 0) {
        for (unsigned i = 0; i < hipshim_release_count(); i++) {
            hipshim_release_info_t info = tool_release_at(i);
            offer(line, tool_release_text(text, info.release), info.rocm);
        }
    }
}

static void offer_operands(const struct line *line)
{
    const struct tool_command *command = line->command;

    if (command->action && !line->action) {
        for (size_t i = 0; command->action(i); i++) {
            offer(line, command->action(i), "");
        }
    } else if (command->operands == TOOL_OPERANDS_PROGRAM && !line->action) {
        puts(":program");
    } else if (command->operands != TOOL_OPERANDS_NONE) {
        puts(":files");
    } else if (line->action && command->action == tool_abi_action) {
        offer_names(line);
    }
}

/* The option of that spelling, "--abi" or "-a", if it has a value as its next word. */
static const struct argp_option *find_option(const struct line *line, const char *word,
                                             size_t length)
{
    const struct argp_option *options =
        line->command ? line->command->parser->options : main_options;
    const struct argp_option *meaning = options; /* the first is no alias */

    for (const struct argp_option *one = options; one->name; one++) {
        bool is_long = length > 2 && strlen(one->name) == length - 2 &&
                       strncmp(word, "--", 2) == 0 && strncmp(word + 2, one->name, length - 2) == 0;
        meaning = one->flags & OPTION_ALIAS ? meaning : one;
        if (is_long || (length == 2 && word[0] == '-' && word[1] == one->key)) {
            return meaning->arg && !(meaning->flags & OPTION_ARG_OPTIONAL) ? meaning : NULL;
        }
    }
    return NULL;
}

static void read_word(struct line *line, const char *word)
{
    bool is_value = line->option != NULL;

    line->option = NULL;
    if (is_value) {
        return;
    }
    if (*word == '-') {
        line->option = find_option(line, word, strlen(word));
        return;
    }
    for (size_t i = 0; !line->command && !line->is_help && i < command_count; i++) {
        if (strcmp(word, commands[i].name) == 0) {
            line->command = &commands[i];
            return;
        }
    }
    line->is_help = line->is_help || (!line->command && strcmp(word, "help") == 0);
    line->action = line->command && !line->action ? word : line->action;
}

static void complete(struct line *line)
{
    const char *equals = strncmp(line->word, "--", 2) == 0 ? strchr(line->word, '=') : NULL;
    bool is_programs =
        line->command && line->action && line->command->operands == TOOL_OPERANDS_PROGRAM;

    if (equals && !is_programs) {
        line->option = find_option(line, line->word, (size_t)(equals - line->word));
        line->kept = (int)(equals + 1 - line->word);
    }
    if (line->option) {
        offer_values(line);
    } else if (is_programs) {
        puts(":files"); /* its arguments are its own */
    } else if (*line->word == '-') {
        offer_options(line, line->command ? line->command->parser->options : main_options);
        offer_options(line, common);
    } else if (line->command) {
        offer_operands(line);
    } else {
        offer_commands(line);
    }
}

static const struct argp_option options[] = {{0}};
const struct argp tool_completion_argp = {
    .options = options,
    .parser = tool_words_option,
    .args_doc = "-- [WORD...]",
    .doc =
        "Print the words that may come next on a command line of hipshim, for the completion of "
        "bash, fish and zsh.\v"
        "The words are those after \"hipshim\" up to the cursor, of which the last may be empty. "
        "Each line is a word, which may have a tab and a description; \":files\" stands for "
        "names of files, and \":program\" for those and for programs.\n\n"
        "Exit status: 0; 2 if the command line is wrong; 3 if the words cannot be written.",
};

int tool_completion_run(int argc, char **argv)
{
    struct tool_words words = {0};
    struct line line = {.word = ""};

    argp_parse(&tool_completion_argp, argc, argv, 0, NULL, &words);
    if (words.count == 0) {
        tool_complain("hipshim completion", "the words of a command line are needed, after --");
        return TOOL_USAGE;
    }
    for (int i = 0; i < words.count - 1; i++) {
        read_word(&line, words.words[i]);
    }
    line.word = words.words[words.count - 1];
    complete(&line);
    return TOOL_OK;
}
