/* SPDX-License-Identifier: MIT */
/*
 * Before a call: the conversion of its arguments, in the order of C's parameters.
 */
#include "python/state.h"

#include <string.h>

enum { NO_LENGTH = -1, FIRST_PAGE = 4096 /* no address lies in it */ };

void hs_release(struct hs_call *call)
{
    if (call->nodes != NULL) {
        hs_release_nodes(call->nodes);
    }
    while (call->view_count > 0) {
        PyBuffer_Release(&call->views[--call->view_count]);
    }
    Py_CLEAR(call->closure);
    if (call->signature->traits & TRAIT_RECORDS) {
        for (unsigned n = 0; n < call->signature->count; n++) {
            Py_CLEAR(call->made[n]);
        }
    }
}

static bool take_callback(struct hs_place *place, const struct hs_parameter *param, PyObject *from,
                          union hs_value *to)
{
    struct hs_call *call = place->call;

    if (from != Py_None && PyCallable_Check(from) && !PyObject_CheckBuffer(from)) {
        call->closure = hs_closure(from, Py_None, call->signature->runs_once, call->state->module);
        to->p = call->state->table->trampolines[param->number];
        return call->closure != NULL;
    }
    return hs_take_foreign(place, from, false, &to->p);
}

static bool take_list(struct hs_place *place, const struct hs_parameter *param, PyObject *from,
                      union hs_value *to)
{
    size_t count = SIZE_MAX;
    bool is_record = param->kind == KIND_RECORD;

    if (!(is_record ? hs_take_record(place, param->number, from, &to->p, &count)
                    : hs_take_list(place, param->kind, param->number, from, &to->p, &count))) {
        return false;
    }
    place->size = count; /* the parameter that counts may come later: see has_room() */
    return count > 0 || param->length != NO_LENGTH ||
           hs_refuse(place, PyExc_ValueError, "is an empty list");
}

/* A number that the function reads through a pointer: a float or complex of Python, or memory. */
static bool take_scalar(struct hs_place *place, const struct hs_parameter *param, PyObject *from,
                        union hs_value *to)
{
    bool is_complex = param->kind == KIND_RECORD;
    size_t size = (size_t)(NO_LENGTH - param->length);

    if (PyFloat_Check(from) || (is_complex && PyComplex_Check(from))) {
        double wide[] = {PyComplex_RealAsDouble(from), PyComplex_ImagAsDouble(from)};
        float narrow[] = {(float)wide[0], (float)wide[1]};
        to->p = hs_room(place, size);
        if (to->p != NULL) {
            memcpy(to->p, size == (is_complex ? 8 : 4) ? (void *)narrow : (void *)wide, size);
        }
        return to->p != NULL;
    }
    if (PyUnicode_Check(from) || PyComplex_Check(from)) {
        return hs_refuse_type(place, "a float, or memory with the number", from);
    }
    return hs_take_pointer(place, from, false, &to->p) &&
           (!PyLong_Check(from) || (uintptr_t)to->p >= FIRST_PAGE ||
            hs_refuse(place, PyExc_ValueError, "an int is an address; a number is a float"));
}

static bool take_one(struct hs_place *place, const struct hs_parameter *param, PyObject *from,
                     union hs_value *to)
{
    if (param->flow & FLOW_SCALAR) {
        return take_scalar(place, param, from, to);
    }
    if (param->flow & FLOW_ARGUMENTS) {
        return hs_take_arguments(place, from, &to->p);
    }
    if (param->flow & FLOW_PACKED) {
        return hs_take_packed(place, from, &to->p);
    }
    if (param->kind == KIND_FUNCTION) {
        return take_callback(place, param, from, to);
    }
    if (param->flow & (FLOW_LIST | FLOW_POINTED)) {
        return take_list(place, param, from, to);
    }
    if (param->kind == KIND_RECORD) {
        return hs_take_value(place, param->number, from, &to->p);
    }
    return hs_take(place, param->flow, param->kind, param->number, from, to);
}

/* Whether its size is in bytes. */
static bool is_memory(const struct hs_parameter *param)
{
    return (param->kind == KIND_MEMORY && !(param->flow & FLOW_LIST)) ||
           (param->flow & FLOW_SCALAR);
}

/* The bytes or items of the caller's that the function reads or writes. */
static uint64_t wanted_of(const struct hs_call *call, const struct hs_parameter *param)
{
    uint64_t wanted = hs_length_of(call, param);

    if (param->flow & FLOW_PITCHED) {
        uint64_t width = call->v[param->number].u64, rows = call->v[param->number + 1].u64;
        if (rows == 0 || width == 0) {
            return 0;
        }
        if (__builtin_mul_overflow(wanted, rows - 1, &wanted) ||
            __builtin_add_overflow(wanted, width, &wanted)) {
            return UINT64_MAX;
        }
    } else if (param->kind == KIND_MEMORY && is_memory(param) && param->number > 1 &&
               __builtin_mul_overflow(wanted, param->number, &wanted)) {
        return UINT64_MAX;
    }
    return wanted;
}

static bool refuse_room(struct hs_place *place, unsigned n, uint64_t wanted)
{
    struct hs_call *call = place->call;
    const struct hs_parameter *param = &call->signature->params[n];

    call->argument = 0;
    for (const struct hs_parameter *before = call->signature->params; before < param; before++) {
        call->argument += hs_is_argument(before);
    }
    return hs_refuse(place, PyExc_ValueError, "has %zu %s, and the function %s %llu",
                     call->sizes[n], is_memory(param) ? "bytes" : "items",
                     param->flow & FLOW_WRITTEN ? "writes" : "reads", (unsigned long long)wanted);
}

/* Whether the caller's lists and memory have what the function reads and writes of them. */
static bool has_room(struct hs_place *place)
{
    struct hs_call *call = place->call;

    for (uint32_t sized = call->sized; sized != 0; sized &= sized - 1) {
        unsigned n = (unsigned)__builtin_ctz(sized);
        uint64_t wanted = wanted_of(call, &call->signature->params[n]);
        if (call->sizes[n] < wanted) {
            return refuse_room(place, n, wanted);
        }
    }
    return true;
}

/* The data of a function that is called back: an object, if the function is Python's. */
static bool take_data(struct hs_place *place, unsigned param, unsigned argument)
{
    struct hs_call *call = place->call;
    PyObject *data = call->in[argument];

    call->argument = (uint8_t)argument;
    if (call->closure == NULL) {
        return data == NULL || hs_take_pointer(place, data, false, &call->v[param].p);
    }
    if (data != NULL) {
        hs_closure_set_data(call->closure, data);
    }
    call->v[param].p = call->closure;
    return true;
}

/* The record of a result: a new one, or the one that the caller gave. */
static bool make_result(struct hs_place *place, unsigned n)
{
    struct hs_call *call = place->call;
    const struct hs_parameter *param = &call->signature->params[n];
    size_t count;

    if (param->flow & FLOW_LIST) {
        return true;
    }
    if (call->made[n] != NULL) {
        return hs_take_record(place, param->number, call->made[n], &call->v[n].p, &count);
    }
    call->made[n] = hs_record_new(call->state, param->number, NULL, NULL);
    if (call->made[n] == NULL) {
        return false;
    }
    call->v[n].p = hs_record_data(call->state, call->made[n]);
    return true;
}

static bool is_counted_by_input(const struct hs_signature *signature, unsigned n)
{
    const struct hs_parameter *param = &signature->params[n];

    return (param->flow & (FLOW_LIST | FLOW_INOUT)) == (FLOW_LIST | FLOW_OUT) &&
           (param->length < NO_LENGTH || !(signature->params[param->length].flow & FLOW_QUERIED));
}

uint64_t hs_length_of(const struct hs_call *call, const struct hs_parameter *param)
{
    if (param->length < NO_LENGTH) {
        return (uint64_t)(-1 - param->length);
    }
    return call->v[param->length].u64;
}

bool hs_make_lists(struct hs_place *place, bool queried)
{
    struct hs_call *call = place->call;
    const struct hs_signature *signature = call->signature;

    for (unsigned n = 0; n < signature->count; n++) {
        const struct hs_parameter *param = &signature->params[n];
        if ((param->flow & (FLOW_LIST | FLOW_INOUT)) != (FLOW_LIST | FLOW_OUT) ||
            is_counted_by_input(signature, n) == queried) {
            continue;
        }
        uint64_t length = hs_length_of(call, param);
        size_t size = hs_kind_size(call->state, param->kind, param->number);
        if (length > PTRDIFF_MAX / (size + 1)) {
            PyErr_NoMemory();
            return false;
        }
        call->v[n].p = hs_room(place, length * size);
        if (call->v[n].p == NULL) {
            return false;
        }
    }
    return true;
}

static bool is_usual_int(PyObject *from, union hs_value *to)
{
    long value = PyLong_AsLong(from);

    if (value == (int32_t)value && value != -1) {
        to->i64 = value;
        return true;
    }
    PyErr_Clear();
    return false;
}

static bool is_usual_size(PyObject *from, union hs_value *to)
{
    to->u64 = PyLong_AsUnsignedLongLong(from);
    if (to->u64 != UINT64_MAX) {
        return true;
    }
    PyErr_Clear();
    return false;
}

static bool is_usual_pointer(struct hs_state *state, PyTypeObject *type, PyObject *from,
                             union hs_value *to)
{
    struct hs_pointer *pointer;

    if (from == Py_None) {
        to->p = NULL;
        return true;
    }
    if (Py_TYPE(from) != type) {
        return false;
    }
    pointer = hs_data(from, state->pointer);
    to->p = pointer->address;
    return !pointer->is_freed;
}

/*
 * Takes the objects that most calls pass, without a function in between and without an error; false
 * for every other one, which take_argument() takes or refuses.
 */
static bool is_usual(struct hs_call *call, unsigned n, PyObject *from)
{
    const struct hs_parameter *param = &call->signature->params[n];
    union hs_value *to = &call->v[n];
    struct hs_enum_state *enums = call->state->enums;

    if (from == NULL) {
        return true; /* the default */
    }
    PyObject *type = (PyObject *)Py_TYPE(from);
    switch (param->kind) {
    case KIND_ENUM:
        return type == __atomic_load_n(&enums[param->number].type, __ATOMIC_RELAXED) &&
               is_usual_int(from, to);
    case KIND_I32:
        return type == (PyObject *)&PyLong_Type && is_usual_int(from, to);
    case KIND_U64:
        return type == (PyObject *)&PyLong_Type && is_usual_size(from, to);
    case KIND_HANDLE:
        return is_usual_pointer(call->state, call->state->classes[param->number], from, to);
    case KIND_MEMORY:
        return is_usual_pointer(call->state, call->state->array, from, to);
    default:
        return false;
    }
}

static bool take_argument(struct hs_place *place, unsigned n, unsigned argument)
{
    struct hs_call *call = place->call;
    const struct hs_parameter *param = &call->signature->params[n];
    PyObject *from = call->in[argument];
    bool taken = true;

    place->size = SIZE_MAX;
    call->argument = (uint8_t)argument;
    if (param->flow & FLOW_PLAIN) {
        taken = hs_take(place, param->flow, param->kind, param->number, from, &call->v[n]);
    } else if (from != NULL) {
        taken = take_one(place, param, from, &call->v[n]);
    }
    if (place->size != SIZE_MAX && param->length != NO_LENGTH) {
        call->sizes[n] = place->size;
        call->sized |= 1u << n;
    }
    return taken;
}

static bool convert(struct hs_call *call)
{
    struct hs_place place = {.state = call->state, .call = call};
    const struct hs_signature *signature = call->signature;
    unsigned data = 0, data_argument = 0;
    bool has_data = false, has_list = false;

    for (unsigned n = 0, argument = 0; n < signature->count; n++) {
        const struct hs_parameter *param = &signature->params[n];
        if ((param->flow & FLOW_PLAIN) && is_usual(call, n, call->in[argument])) {
            argument++;
            continue;
        }
        if (param->flow & FLOW_QUERIED) {
            continue;
        }
        if (!(param->flow & FLOW_IN)) {
            has_list |= (param->flow & FLOW_LIST) != 0;
            if (param->kind == KIND_RECORD && !make_result(&place, n)) {
                return false;
            }
            continue;
        }
        if (param->flow & FLOW_DATA) {
            has_data = true;
            data = n;
            data_argument = argument++;
            continue;
        }
        if (!take_argument(&place, n, argument++)) {
            return false;
        }
    }
    if ((call->sized != 0 && !has_room(&place)) ||
        (has_data && !take_data(&place, data, data_argument)) ||
        (has_list && !hs_make_lists(&place, false))) {
        return false;
    }
    Py_XINCREF(call->closure); /* the library's own reference */
    return true;
}

bool hs_begin(struct hs_call *call, PyObject *self, const struct hs_signature *signature,
              union hs_value *v, PyObject *const *args, Py_ssize_t given, PyObject *names)
{
    struct hs_surface *surface = hs_data(self, Py_TYPE(self));

    call->state = surface->state;
    call->signature = signature;
    call->v = v;
    call->nodes = NULL;
    call->closure = NULL;
    call->asked = call->failed = false;
    call->view_count = 0;
    call->checked = surface->checked;
    call->old = surface->old;
    call->is_filled = call->is_short = false;
    call->sized = 0;
    if (signature->traits & TRAIT_RECORDS) {
        memset(call->made, 0, signature->count * sizeof(void *));
    }
    call->in = args;
    if (((names != NULL || given != signature->arguments) &&
         !hs_arrange(call, args, given, names)) ||
        !convert(call)) {
        hs_abandon(call);
        return false;
    }
    return true;
}
