/* SPDX-License-Identifier: MIT */
/*
 * Lists and records from Python objects.
 */
#include "python/state.h"

#include <string.h>

static bool take_items(struct hs_place *place, unsigned kind, unsigned number, PyObject *from,
                       void **to, size_t *count)
{
    Py_ssize_t length = PySequence_Size(from);
    size_t size = hs_kind_size(place->state, kind, number);
    char *room;

    if (length < 0) {
        return false;
    }
    room = hs_room(place, (size_t)length * size);
    for (Py_ssize_t n = 0; room != NULL && n < length; n++) {
        PyObject *item = PySequence_GetItem(from, n);
        char *at = room + (size_t)n * size;
        /* The list keeps its items, but another thread may change it. */
        bool taken = item != NULL && hs_hold_item(place, from, item) &&
                     (kind == KIND_RECORD ? hs_fill_record(place, number, item, at)
                                          : hs_take(place, FLOW_IN, kind, number, item, at));
        Py_XDECREF(item);
        if (!taken) {
            return false;
        }
    }
    *to = room;
    *count = (size_t)length;
    return room != NULL;
}

bool hs_take_list(struct hs_place *place, unsigned kind, unsigned number, PyObject *from, void **to,
                  size_t *count)
{
    struct hs_state *state = place->state;

    *count = SIZE_MAX;
    if (kind == KIND_HANDLE && PyObject_TypeCheck(from, state->pointer) &&
        Py_TYPE(from) != state->pointer && Py_TYPE(from) != state->array) {
        void **room = hs_room(place, sizeof *room); /* one handle is a list of one */
        *count = 1;
        *to = room;
        return room != NULL && hs_take_handle(place, number, from, room);
    }
    if (PyList_Check(from) || PyTuple_Check(from)) {
        return take_items(place, kind, number, from, to, count);
    }
    if (PyUnicode_Check(from) || PyBytes_Check(from) || PyObject_TypeCheck(from, state->record)) {
        return hs_refuse_type(place, "a list", from);
    }
    if (PyObject_CheckBuffer(from)) {
        if (!hs_take_buffer(place, from, false, to, count)) {
            return false;
        }
        *count = *count == SIZE_MAX ? *count : *count / hs_kind_size(state, kind, number);
        return true;
    }
    return hs_take_pointer(place, from, false, to);
}

/* --- records --- */

bool hs_fill_record(struct hs_place *place, unsigned number, PyObject *from, void *to)
{
    const struct hs_class *class = &place->state->table->classes[number];
    PyTypeObject *type = hs_class_type(place->state, number);
    char expected[120];

    if (type == NULL) {
        return false;
    }
    if (!PyObject_TypeCheck(from, type)) {
        PyOS_snprintf(expected, sizeof expected, "a %s", class->name);
        return hs_refuse_type(place, expected, from);
    }
    memcpy(to, hs_record_data(place->state, from), class->size);
    return true;
}

/* A record from the values of its members: an int, or a tuple. */
static bool take_members(struct hs_place *place, unsigned number, PyObject *from, void **to)
{
    const struct hs_class *class = &place->state->table->classes[number];
    Py_ssize_t given = PyTuple_Check(from) ? PyTuple_Size(from) : 1;
    char *room = hs_room(place, class->size);

    if (room == NULL) {
        return false;
    }
    if (given > class->count) {
        return hs_refuse(place, PyExc_ValueError, "a %s has %u members", class->name, class->count);
    }
    for (unsigned n = 0; n < class->count; n++) {
        const struct hs_member *member = &class->members[n];
        if (member->count > 0 || member->bits > 0 || member->kind > KIND_U64) {
            return hs_refuse_type(place, "a record", from);
        }
        PyObject *value = PyLong_Check(from) && n == 0 ? from : NULL;
        if (PyTuple_Check(from) && n < given) {
            value = PyTuple_GetItem(from, n);
        }
        if (value == NULL) {
            memcpy(room + member->offset / 8, &class->missing,
                   hs_kind_size(place->state, member->kind, 0) < 2 ? 1 : 2);
        } else if (!hs_take_integer(place, member->kind, value, room + member->offset / 8)) {
            return false;
        }
    }
    *to = room;
    return true;
}

bool hs_take_record(struct hs_place *place, unsigned number, PyObject *from, void **to,
                    size_t *count)
{
    const struct hs_class *class = &place->state->table->classes[number];
    PyTypeObject *type = hs_class_type(place->state, number);
    char expected[160];

    *count = SIZE_MAX;
    if (type == NULL) {
        return false;
    }
    if (PyObject_TypeCheck(from, type)) {
        *to = hs_record_data(place->state, from);
        *count = 1;
        return place->call != NULL || hs_keep(place, from);
    }
    if (PyList_Check(from)) {
        return take_items(place, KIND_RECORD, number, from, to, count);
    }
    if (from == Py_None || PyLong_Check(from) || PyObject_TypeCheck(from, place->state->pointer)) {
        return hs_take_pointer(place, from, false, to);
    }
    if (PyObject_CheckBuffer(from) && !PyBytes_Check(from)) {
        size_t size;
        if (!hs_take_buffer(place, from, false, to, &size)) {
            return false;
        }
        *count = size == SIZE_MAX ? size : size / class->size;
        return *count > 0 ||
               hs_refuse(place, PyExc_ValueError, "a %s has %u bytes, the buffer has %zu",
                         class->name, (unsigned)class->size, size);
    }
    PyOS_snprintf(expected, sizeof expected, "a %s, a list of them, an address or None",
                  class->name);
    return hs_refuse_type(place, expected, from);
}

bool hs_take_value(struct hs_place *place, unsigned number, PyObject *from, void **to)
{
    const struct hs_class *class = &place->state->table->classes[number];
    char *room;

    if (PyTuple_Check(from) || (PyLong_Check(from) && class->missing)) {
        return take_members(place, number, from, to);
    }
    room = hs_room(place, class->size);
    *to = room;
    return room != NULL && hs_fill_record(place, number, from, room);
}
