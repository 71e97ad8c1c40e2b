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

/* An option that the action does not take, or NULL. */
static const char *find_stray(const struct tool_action *action, const struct tool_words *words,
                              const struct argp_option *options)
{
    for (; options->name; options++) {
        if (words->given[options->key] && !strchr(action->options, options->key)) {
            return options->name;
        }
    }
    return NULL;
}

int tool_action_run(const char *command, const struct argp *argp, const struct tool_action *actions,
                    size_t count, const struct tool_words *words)
{
    int arguments = words->count - 1;

    if (words->count == 0) {
        tool_complain(command, "an action is needed:");
        return list_actions(command, actions, count);
    }
    for (size_t i = 0; i < count; i++) {
        const struct tool_action *action = &actions[i];
        const char *stray = find_stray(action, words, argp->options);

        if (strcmp(words->words[0], action->name) != 0) {
            continue;
        }
        if (stray) {
            tool_complain(command, "%s does not take --%s", action->name, stray);
            return TOOL_USAGE;
        }
        if (action->argument_count < 0 ? arguments == 0 : arguments != action->argument_count) {
            tool_complain(command, "%s: %d argument%s given, it needs:", action->name, arguments,
                          arguments == 1 ? "" : "s");
            return list_actions(command, action, 1);
        }
        return action->run(words, words->words + 1);
    }
    tool_complain(command, "%s: unknown action; the actions are:", words->words[0]);
    return list_actions(command, actions, count);
}

void tool_check_architecture(const char *option, const char *name, const struct argp_state *state)
{
    char arch[64];

    if (*name && hipshim_arch_detect(name, arch, sizeof arch, NULL) != HIPSHIM_OK) {
        argp_error(state, "%s: %s", option, hipshim_error_text());
    }
}

error_t tool_words_option(int key, char *argument, struct argp_state *state)
{
    struct tool_words *words = state->input;

    (void)argument;
    if (key == ARGP_KEY_ARGS && !words->is_closed) {
        words->words = state->argv + state->next;
        words->count = state->argc - state->next;
        return 0;
    }
    if (key <= 0 || key >= TOOL_WORDS_KEYS) {
        return ARGP_ERR_UNKNOWN;
    }
    words->json |= key == 'j';
    words->given[key] = true;
    return 0;
}
