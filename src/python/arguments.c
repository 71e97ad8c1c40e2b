/* SPDX-License-Identifier: MIT */
/*
 * The arguments of a call by position and name, and errors about them.
 */
#include "python/state.h"

#include <string.h>

/* The length of the name that begins here in a signature. */
static size_t name_length(const char *text)
{
    return strcspn(text, ",)=");
}

/* The name after this one, or the end of the list. */
static const char *next_name(const char *text)
{
    text += strcspn(text, ",)");
    return *text == ',' ? text + 2 : text;
}

/* The names of the arguments in "name($self, first, second=None)". */
static const char *first_name(const struct hs_signature *signature)
{
    return next_name(strchr(signature->text, '(') + 1);
}

int hs_function_length(const struct hs_signature *signature)
{
    return (int)strcspn(signature->text, "(");
}

bool hs_refuse(struct hs_place *place, PyObject *type, const char *format, ...)
{
    va_list arguments;
    char reason[300];

    va_start(arguments, format);
    PyOS_vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    if (place->call == NULL) {
        PyErr_Format(type, "%s: %s", place->what, reason);
    } else {
        const struct hs_signature *signature = place->call->signature;
        const char *name = first_name(signature);
        char text[128];

        for (unsigned n = place->call->argument; n > 0; n--) {
            name = next_name(name);
        }
        PyOS_snprintf(text, sizeof text, "%.*s(): %.*s", hs_function_length(signature),
                      signature->text, (int)name_length(name), name);
        PyErr_Format(type, "%s: %s", text, reason);
    }
    return false;
}

static bool refuse_call(const struct hs_signature *signature, const char *format, PyObject *object)
{
    PyObject *reason = PyUnicode_FromFormat(format, object);
    char name[100];

    PyOS_snprintf(name, sizeof name, "%.*s", hs_function_length(signature), signature->text);
    if (reason != NULL) {
        PyErr_Format(PyExc_TypeError, "%s() %U", name, reason);
        Py_DECREF(reason);
    }
    return false;
}

/* Puts one argument that has a name into its slot.  Names mostly come in order: *at is the next. */
static bool place_named(struct hs_call *call, PyObject *name, PyObject *value, unsigned *at)
{
    const struct hs_signature *signature = call->signature;
    Py_ssize_t length;
    const char *wanted = PyUnicode_AsUTF8AndSize(name, &length);
    const char *found = first_name(signature);

    if (wanted == NULL) {
        return false;
    }
    for (unsigned n = 0; n < *at; n++) {
        found = next_name(found);
    }
    for (unsigned tried = 0; tried < signature->arguments; tried++) {
        if (*at == signature->arguments) {
            *at = 0;
            found = first_name(signature);
        }
        unsigned here = (*at)++;
        if (name_length(found) == (size_t)length && memcmp(found, wanted, (size_t)length) == 0) {
            if (call->slots[here] != NULL) {
                return refuse_call(signature, "got two values for %R", name);
            }
            call->slots[here] = value;
            return true;
        }
        found = next_name(found);
    }
    return refuse_call(signature, "has no argument %R", name);
}

static bool refuse_count(const struct hs_signature *signature, Py_ssize_t given)
{
    char text[200];
    int length = (int)strcspn(signature->text, "\n");
    const char *self = strchr(signature->text, '(') + 1;
    const char *rest = self + name_length(self);

    rest += *rest == ',' ? 2 : 0;
    PyOS_snprintf(text, sizeof text, "%.*s(%.*s", hs_function_length(signature), signature->text,
                  length - (int)(rest - signature->text), rest);
    PyErr_Format(PyExc_TypeError, "%s got %zd arguments", text, given);
    return false;
}

/*
 * HIP Python up to 7.2 passes records that a function fills, in C's order, and no list of handles
 * that a graph's node depends on.  The number of arguments tells these calls from its later ones.
 */
static bool arrange_old(struct hs_call *call, PyObject *const *args, Py_ssize_t given)
{
    const struct hs_signature *signature = call->signature;
    Py_ssize_t filled = 0, lists = 0;

    for (unsigned n = 0; n < signature->count; n++) {
        const struct hs_parameter *param = &signature->params[n];
        filled += (param->flow & FLOW_INOUT) == FLOW_OUT && param->kind == KIND_RECORD;
        lists += (param->flow & FLOW_IN) && (param->flow & FLOW_LIST) && param->kind == KIND_HANDLE;
    }
    bool is_filled = filled > 0 && given == signature->arguments + filled;
    if (!is_filled && (lists == 0 || given != signature->arguments - lists)) {
        return false;
    }
    call->in = call->slots;
    for (unsigned n = 0, at = 0, argument = 0; n < signature->count; n++) {
        const struct hs_parameter *param = &signature->params[n];
        bool is_list = param->kind == KIND_HANDLE && (param->flow & FLOW_LIST);
        if (!hs_is_argument(param)) {
            if (is_filled && param->kind == KIND_RECORD) {
                call->made[n] = args[at++];
                Py_INCREF(call->made[n]);
            }
        } else {
            call->slots[argument++] = is_list && !is_filled ? Py_None : args[at++];
        }
    }
    call->is_filled = is_filled;
    call->is_short = !is_filled;
    return true;
}

bool hs_arrange(struct hs_call *call, PyObject *const *args, Py_ssize_t given, PyObject *names)
{
    const struct hs_signature *signature = call->signature;
    Py_ssize_t named = names != NULL ? PyTuple_Size(names) : 0;
    unsigned at = (unsigned)given;

    if (call->old && named == 0 && arrange_old(call, args, given)) {
        return true;
    }
    if (given + named > signature->arguments) {
        return refuse_count(signature, given + named);
    }
    for (unsigned n = 0; n < signature->arguments; n++) {
        call->slots[n] = n < given ? args[n] : NULL;
    }
    for (Py_ssize_t n = 0; n < named; n++) {
        if (!place_named(call, PyTuple_GetItem(names, n), args[given + n], &at)) {
            return false;
        }
    }
    call->in = call->slots;
    for (unsigned n = 0; n < signature->required; n++) {
        if (call->slots[n] == NULL) {
            return refuse_count(signature, given + named);
        }
    }
    return true;
}
