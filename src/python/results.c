/* SPDX-License-Identifier: MIT */
/*
 * After a call: the tuple of its results.
 */
#include "python/state.h"

#include <string.h>

static bool succeeded(const struct hs_call *call, uint64_t result)
{
    return !(call->signature->traits & TRAIT_STATUS) || result == 0;
}

bool hs_again(struct hs_call *call, uint64_t result)
{
    struct hs_place place = {.state = call->state, .call = call};

    if (call->asked || !succeeded(call, result)) {
        return false;
    }
    call->asked = true;
    call->failed = !hs_make_lists(&place, true);
    return !call->failed;
}

static PyObject *give_list(struct hs_call *call, const struct hs_parameter *param, const char *from)
{
    uint64_t length = from != NULL ? hs_length_of(call, param) : 0;
    size_t size = hs_kind_size(call->state, param->kind, param->number);
    PyObject *list = PyList_New((Py_ssize_t)length);

    for (uint64_t n = 0; list != NULL && n < length; n++) {
        PyObject *item;
        if (param->kind == KIND_RECORD) {
            item = hs_record_new(call->state, param->number, NULL, NULL);
            if (item != NULL) {
                memcpy(hs_record_data(call->state, item), from + n * size, size);
            }
        } else {
            item = hs_give(call->state, param->kind, param->number, (char *)from + n * size, NULL);
        }
        if (item == NULL || PyList_SetItem(list, (Py_ssize_t)n, item) != 0) {
            Py_CLEAR(list);
        }
    }
    return list;
}

/* The memory that a function returned, with its size if the signature tells which one it is. */
static PyObject *give_memory(struct hs_call *call, void *address)
{
    const int8_t bytes = call->signature->bytes;
    PyObject *made;

    if (address == NULL) {
        Py_RETURN_NONE;
    }
    made = hs_pointer_new(call->state, bytes >= 0 ? call->state->array : call->state->pointer,
                          address);
    if (made != NULL && bytes >= 0) {
        ((struct hs_pointer *)hs_data(made, call->state->pointer))->size = call->v[bytes].u64;
    }
    return made;
}

static PyObject *give_result(struct hs_call *call, unsigned n)
{
    const struct hs_parameter *param = &call->signature->params[n];
    union hs_value *value = &call->v[n];

    if (call->is_short && (param->flow & FLOW_LIST) && (param->flow & FLOW_IN)) {
        Py_RETURN_NONE; /* the list that such a call took for a result */
    }
    if ((call->signature->traits & TRAIT_RECORDS) && call->made[n] != NULL) {
        PyObject *made = call->made[n];
        call->made[n] = NULL;
        return made;
    }
    if (param->flow & (FLOW_LIST | FLOW_BORROWED)) {
        return give_list(call, param, value->p);
    }
    if (param->kind == KIND_BYTES) {
        return value->p == NULL
                   ? PyBytes_FromStringAndSize("", 0)
                   : PyBytes_FromStringAndSize(value->p, (Py_ssize_t)hs_length_of(call, param));
    }
    if (param->kind == KIND_MEMORY) {
        return give_memory(call, value->p);
    }
    return hs_give(call->state, param->kind, param->number, value, NULL);
}

/* What Python gets: every result but a record that it gave. */
static bool is_result(const struct hs_call *call, unsigned n)
{
    const struct hs_parameter *param = &call->signature->params[n];

    if (call->is_short && (param->flow & FLOW_LIST) && param->kind == KIND_HANDLE) {
        return true;
    }
    return (param->flow & FLOW_OUT) &&
           !(param->kind == KIND_RECORD && ((param->flow & FLOW_IN) || call->is_filled));
}

static void mark_freed(struct hs_call *call)
{
    PyObject *object = call->in[call->signature->freed];
    struct hs_pointer *pointer;

    if (object != NULL && (Py_TYPE(object) == call->state->array ||
                           PyObject_TypeCheck(object, call->state->pointer))) {
        pointer = hs_data(object, call->state->pointer);
        pointer->is_freed = pointer->address != NULL;
    }
}

static PyObject *raise_failure(struct hs_call *call, PyObject *status)
{
    const struct hs_module_table *table = call->state->table;
    const char *text = table->error_text != NULL ? table->error_text() : "";
    char name[100];
    PyObject *error;

    PyOS_snprintf(name, sizeof name, "%.*s", hs_function_length(call->signature),
                  call->signature->text);
    error = PyObject_CallFunction(call->state->error, "Oss", status, name, text);
    if (error != NULL) {
        PyErr_SetObject(call->state->error, error);
        Py_DECREF(error);
    }
    return NULL;
}

/* `tuple` without its first item; one item alone, and None for no item. */
static PyObject *bare(PyObject *tuple, bool has_status)
{
    Py_ssize_t first = has_status ? 1 : 0, size = PyTuple_Size(tuple);
    PyObject *result;

    if (size - first > 1) {
        return PyTuple_GetSlice(tuple, first, size);
    }
    result = size == first ? Py_None : PyTuple_GetItem(tuple, first);
    Py_INCREF(result);
    return result;
}

static PyObject *collect(struct hs_call *call, PyObject *first)
{
    const struct hs_signature *signature = call->signature;
    Py_ssize_t size = first != NULL, at = 0;
    PyObject *tuple;

    if (call->is_short || call->is_filled) {
        for (unsigned n = 0; n < signature->count; n++) {
            size += is_result(call, n);
        }
    } else {
        size += signature->results;
    }
    tuple = PyTuple_New(size);
    if (tuple == NULL) {
        Py_XDECREF(first);
        return NULL;
    }
    if (first != NULL) {
        PyTuple_SetItem(tuple, at++, first);
    }
    for (unsigned n = 0; at < size; n++) {
        if (is_result(call, n)) {
            PyObject *item = give_result(call, n);
            if (item == NULL) {
                Py_DECREF(tuple);
                return NULL;
            }
            PyTuple_SetItem(tuple, at++, item);
        }
    }
    return tuple;
}

static PyObject *own_result(struct hs_call *call, uint64_t result)
{
    const struct hs_signature *signature = call->signature;
    struct hs_enum_state *state;

    if (!(signature->traits & TRAIT_STATUS) || result != 0) {
        return hs_give(call->state, signature->result, signature->number, &result, NULL);
    }
    state = hs_enum_state(call->state, signature->number);
    if (state != NULL) {
        Py_INCREF(state->zero);
    }
    return state != NULL ? state->zero : NULL;
}

/* (success,), which most calls return, and whose tuple is always the same. */
static PyObject *finish_plain(struct hs_call *call)
{
    struct hs_enum_state *state = hs_enum_state(call->state, call->signature->number);
    PyObject *tuple = state != NULL ? state->zero_alone : NULL;

    hs_abandon(call);
    Py_XINCREF(tuple);
    return tuple;
}

PyObject *hs_finish(struct hs_call *call, uint64_t result)
{
    const struct hs_signature *signature = call->signature;
    bool has_status = (signature->traits & TRAIT_STATUS) != 0;
    bool success = succeeded(call, result);
    PyObject *own = NULL, *all;

    if (call->failed) {
        return hs_abandon(call);
    }
    if (!success) {
        Py_XDECREF(call->closure);
    } else if (signature->freed >= 0) {
        mark_freed(call);
    }
    if (has_status && success && signature->results == 0 && !call->checked && !call->is_short) {
        return finish_plain(call);
    }
    if (has_status || signature->result != KIND_NONE) {
        own = own_result(call, result);
        if (own == NULL) {
            return hs_abandon(call);
        }
    }
    if (call->checked && has_status && !success) {
        raise_failure(call, own);
        Py_DECREF(own);
        return hs_abandon(call);
    }
    all = collect(call, own);
    if (all != NULL && call->checked) {
        PyObject *tuple = all;
        all = bare(tuple, has_status);
        Py_DECREF(tuple);
    } else if (all != NULL && PyTuple_Size(all) == 0) {
        Py_DECREF(all);
        all = Py_None;
        Py_INCREF(all);
    }
    hs_abandon(call);
    return all;
}
