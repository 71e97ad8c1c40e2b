/* SPDX-License-Identifier: MIT */
/*
 * The arguments of a kernel: a list of their addresses, or all of them in one buffer.
 */
#include "python/state.h"

#include <string.h>

/* The address of an argument: of the object's own bytes, or of its pointer. */
static bool take_argument(struct hs_place *place, PyObject *from, void **to)
{
    struct hs_state *state = place->state;

    if (PyObject_TypeCheck(from, state->pointer)) {
        void **room = hs_room(place, sizeof *room);
        *to = room;
        return room != NULL && hs_take_own_pointer(place, from, room);
    }
    if (PyObject_CheckBuffer(from)) {
        Py_buffer view;
        if (PyObject_GetBuffer(from, &view, PyBUF_SIMPLE) != 0) {
            return hs_refuse_type(place, "an argument's bytes", from);
        }
        *to = view.buf;
        return hs_hold_view(place, &view, from);
    }
    return hs_take_pointer(place, from, false, to);
}

bool hs_take_arguments(struct hs_place *place, PyObject *from, void **to)
{
    Py_ssize_t length;
    void **room;

    if (!PyList_Check(from) && !PyTuple_Check(from)) {
        return hs_take_pointer(place, from, false, to);
    }
    length = PySequence_Size(from);
    room = length < 0 ? NULL : hs_room(place, (size_t)length * sizeof *room);
    for (Py_ssize_t n = 0; room != NULL && n < length; n++) {
        PyObject *item = PySequence_GetItem(from, n);
        bool taken =
            item != NULL && hs_hold_item(place, from, item) && take_argument(place, item, &room[n]);
        Py_XDECREF(item);
        if (!taken) {
            return false;
        }
    }
    *to = room;
    return room != NULL;
}

enum { PACKED_ROOM = 4096 };

/* A number is aligned by its size, an array by that of its items. */
static size_t align_of_size(size_t size)
{
    size_t align = size & -size;

    return align == 0 ? 1 : align > 8 ? 8 : align;
}

/* ctypes and NumPy know the alignment of their structures. */
static size_t align_of_buffer(PyObject *item, const Py_buffer *view)
{
    PyObject *module = NULL, *found = NULL;
    size_t align = 0;

    if (view->format == NULL || strchr(view->format, 'T') == NULL) {
        return align_of_size((size_t)view->itemsize);
    }
    found = PyObject_GetAttrString(item, "dtype");
    if (found != NULL) {
        PyObject *number = PyObject_GetAttrString(found, "alignment");
        align = number != NULL ? PyLong_AsSize_t(number) : 0;
        Py_XDECREF(number);
    } else {
        PyErr_Clear();
        module = PyImport_ImportModule("ctypes");
        found = module != NULL ? PyObject_CallMethod(module, "alignment", "O", item) : NULL;
        align = found != NULL ? PyLong_AsSize_t(found) : 0;
    }
    Py_XDECREF(module);
    Py_XDECREF(found);
    if (PyErr_Occurred() || align == 0 || (align & (align - 1)) != 0) {
        PyErr_Clear();
        return align_of_size((size_t)view->itemsize);
    }
    return align;
}

static bool append(struct hs_place *place, char *room, size_t *used, const void *from, size_t size,
                   size_t align)
{
    size_t at = (*used + align - 1) / align * align;

    if (at + size > PACKED_ROOM) {
        return hs_refuse(place, PyExc_ValueError, "the arguments have more than %d bytes",
                         PACKED_ROOM);
    }
    memcpy(room + at, from, size);
    *used = at + size;
    return true;
}

static bool pack(struct hs_place *place, PyObject *item, char *room, size_t *used)
{
    struct hs_state *state = place->state;
    double number;
    void *address;

    if (PyFloat_Check(item)) {
        number = PyFloat_AsDouble(item);
        return append(place, room, used, &number, sizeof number, sizeof number);
    }
    if (!PyObject_TypeCheck(item, state->pointer) && PyObject_CheckBuffer(item)) {
        Py_buffer view;
        if (PyObject_GetBuffer(item, &view, PyBUF_FORMAT | PyBUF_ND) != 0) {
            return hs_refuse_type(place, "an argument's bytes", item);
        }
        bool packed =
            append(place, room, used, view.buf, (size_t)view.len, align_of_buffer(item, &view));
        PyBuffer_Release(&view);
        return packed;
    }
    if (PyObject_TypeCheck(item, state->record)) {
        struct hs_record *record = hs_data(item, state->record);
        size_t size = hs_class_of(item)->size;
        return append(place, room, used, record->data, size, hs_class_of(item)->align);
    }
    return hs_take_pointer(place, item, false, &address) &&
           append(place, room, used, &address, sizeof address, sizeof address);
}

/* The list that HIP_LAUNCH_PARAM_BUFFER_POINTER and its like begin. */
bool hs_take_packed(struct hs_place *place, PyObject *from, void **to)
{
    struct packed {
        void *list[5];
        size_t used;
        char room[];
    } * packed;

    if (!PyList_Check(from) && !PyTuple_Check(from)) {
        return hs_take_pointer(place, from, false, to);
    }
    packed = hs_room(place, sizeof *packed + PACKED_ROOM);
    if (packed == NULL) {
        return false;
    }
    for (Py_ssize_t n = 0; n < PySequence_Size(from); n++) {
        PyObject *item = PySequence_GetItem(from, n);
        bool done = item != NULL && hs_hold_item(place, from, item) &&
                    pack(place, item, packed->room, &packed->used);
        Py_XDECREF(item);
        if (!done) {
            return false;
        }
    }
    packed->list[0] = (void *)1;
    packed->list[1] = packed->room;
    packed->list[2] = (void *)2;
    packed->list[3] = &packed->used;
    packed->list[4] = (void *)3;
    *to = packed;
    return true;
}
