/* SPDX-License-Identifier: MIT */
/* Shared by the files of `hipshim completion`: options as shells see them, and the writers. */
#ifndef HIPSHIM_SRC_TOOL_COMPLETION_COMPLETION_H
#define HIPSHIM_SRC_TOOL_COMPLETION_COMPLETION_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "tool/tool.h"

/* What the value of an option is. */
enum completion_value {
    COMPLETION_NO_VALUE, /* or one that may be left out */
    COMPLETION_TEXT,
    COMPLETION_FILE,
    COMPLETION_WORDS
};

struct completion_option {
    const char *name;
    char letter; /* 0: it has none */
    enum completion_value value;
    char words[64]; /* of COMPLETION_WORDS, with spaces between */
    const char *doc;
};

/*
 * Describes option `index` of a command line; behind its own options come those that argp adds to
 * every one.  False behind the last.
 */
bool completion_option_at(const struct argp *parser, size_t index,
                          struct completion_option *option);

/* Writes a text with a backslash before each of the `special` characters. */
void completion_write_escaped(const char *text, const char *special);

/* The actions of a command, with spaces between. */
void completion_write_actions(const struct tool_command *command);

/* What the operands of a command are: "files", "program" or "". */
const char *completion_operands(const struct tool_command *command);

/*
 * For bash and zsh, a case for each option with a value, which sets `value`.  The words of an
 * option stand between `before` and `after`.
 */
void completion_write_values(const char *before, const char *after);

void completion_write_bash(void);
void completion_write_fish(void);
void completion_write_zsh(void);

#endif
