/* SPDX-License-Identifier: MIT */
#include <hipshim/kernel.h>

#include <stdio.h>
#include <string.h>

#include "tool/tool.h"

static int list_actions(const char *command, const struct tool_action *actions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fprintf(stderr, "  %s %s%s%s\n", command, actions[i].name, *actions[i].arguments ? " " : "",
                actions[i].arguments);
    }
    return TOOL_USAGE;
}

int tool_action_run(const char *command, const struct tool_action *actions, size_t count,
                    char **words, int word_count, const void *request)
{
    if (word_count == 0) {
        tool_complain(command, "an action is needed:");
        return list_actions(command, actions, count);
    }
    for (size_t i = 0; i < count; i++) {
        if (strcmp(words[0], actions[i].name) != 0) {
            continue;
        }
        if (word_count - 1 != actions[i].argument_count) {
            tool_complain(command, "%s: %d argument%s given, %d needed:", words[0], word_count - 1,
                          word_count == 2 ? "" : "s", actions[i].argument_count);
            return list_actions(command, &actions[i], 1);
        }
        return actions[i].run(request, words + 1);
    }
    tool_complain(command, "%s: unknown action; the actions are:", words[0]);
    return list_actions(command, actions, count);
}

void tool_check_architecture(const char *option, const char *name, const struct argp_state *state)
{
    char arch[64];

    if (*name && hipshim_arch_detect(name, arch, sizeof arch, NULL) != HIPSHIM_OK) {
        argp_error(state, "%s: %s", option, hipshim_error_text());
    }
}

error_t tool_json_option(int key, char *argument, struct argp_state *state)
{
    bool *json = state->input;

    (void)argument;
    switch (key) {
    case 'j':
        *json = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN; /* argp itself refuses arguments that are no options */
    }
}

error_t tool_words_option(int key, char *argument, struct argp_state *state)
{
    struct tool_words *words = state->input;

    (void)argument;
    switch (key) {
    case 'j':
        words->json = true;
        return 0;
    case ARGP_KEY_ARGS:
        words->words = state->argv + state->next;
        words->count = state->argc - state->next;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
