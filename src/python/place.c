/* SPDX-License-Identifier: MIT */
/*
 * What the conversion of an argument needs: memory and references that live as long as the call, or
 * for a member as long as its record, and errors that name the argument.
 */
#include "python/state.h"

#include <string.h>

struct hs_node {
    struct hs_node *next;
    PyObject *object; /* a reference, or NULL */
    Py_buffer view;   /* held if view.obj is not NULL */
    char room[];
};

static struct hs_node *add_node(struct hs_place *place, size_t size)
{
    struct hs_node *node = PyMem_Calloc(1, sizeof *node + size);

    if (node == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    node->next = place->call->nodes;
    place->call->nodes = node;
    return node;
}

void hs_release_nodes(struct hs_node *nodes)
{
    while (nodes != NULL) {
        struct hs_node *next = nodes->next;
        Py_XDECREF(nodes->object);
        if (nodes->view.obj != NULL) {
            PyBuffer_Release(&nodes->view);
        }
        PyMem_Free(nodes);
        nodes = next;
    }
}

/* Keeps an object for a member of a record, which takes the list when it is set. */
bool hs_keep(struct hs_place *place, PyObject *object)
{
    return PyList_Append(place->kept, object) == 0;
}

bool hs_hold(struct hs_place *place, PyObject *object)
{
    struct hs_node *node;

    if (place->call == NULL) {
        return hs_keep(place, object);
    }
    node = add_node(place, 0);
    if (node == NULL) {
        return false;
    }
    Py_INCREF(object);
    node->object = object;
    return true;
}

void *hs_room(struct hs_place *place, size_t size)
{
    struct hs_node *node;

    if (place->call == NULL) {
        PyObject *bytes = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(size + 1));
        if (bytes == NULL) {
            return NULL;
        }
        memset(PyByteArray_AsString(bytes), 0, size + 1);
        bool is_kept = hs_keep(place, bytes);
        Py_DECREF(bytes);
        return is_kept ? PyByteArray_AsString(bytes) : NULL;
    }
    node = add_node(place, size + 1);
    return node != NULL ? node->room : NULL;
}

const char *hs_type_name(PyObject *object, char *room, size_t size)
{
    PyObject *name = PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__name__");
    const char *text = name != NULL ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;

    PyOS_snprintf(room, size, "%s", text != NULL ? text : "object");
    Py_XDECREF(name);
    return room;
}

bool hs_refuse_type(struct hs_place *place, const char *expected, PyObject *found)
{
    char name[80];

    PyErr_Clear();
    return hs_refuse(place, PyExc_TypeError, "expected %s, got %s", expected,
                     hs_type_name(found, name, sizeof name));
}

bool hs_hold_view(struct hs_place *place, Py_buffer *view, PyObject *from)
{
    struct hs_node *node;

    if (place->call == NULL) {
        /* The memoryview keeps the buffer from being resized. */
        PyObject *memory = PyMemoryView_FromObject(from);
        PyBuffer_Release(view);
        bool is_kept = memory != NULL && hs_keep(place, memory);
        Py_XDECREF(memory);
        return is_kept;
    }
    if (place->call->view_count < sizeof place->call->views / sizeof *place->call->views) {
        place->call->views[place->call->view_count++] = *view;
        return true;
    }
    node = add_node(place, 0);
    if (node == NULL) {
        PyBuffer_Release(view);
        return false;
    }
    node->view = *view;
    return true;
}

bool hs_take_address(struct hs_place *place, PyObject *from, void **to)
{
    *to = PyLong_AsVoidPtr(from);
    if (*to == NULL && PyErr_Occurred()) {
        PyErr_Clear();
        return hs_refuse(place, PyExc_OverflowError, "the number is no address");
    }
    return true;
}
