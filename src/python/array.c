/* SPDX-License-Identifier: MIT */
/*
 * DeviceArray: memory of a device with a shape and a type, for the protocols by which array
 * libraries share it: __cuda_array_interface__ and DLPack.
 */
#include "python/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static PyObject *get_bytes(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromSize_t(hs_pointer_data(self)->size);
}

static PyObject *get_item_size(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromSize_t(hs_array_item_size(hs_pointer_data(self)));
}

static PyObject *get_items(PyObject *self, void *closure)
{
    PyObject *shape = hs_array_shape(self, NULL);
    Py_ssize_t items = shape != NULL ? hs_items_of(shape) : -1;

    (void)closure;
    Py_XDECREF(shape);
    return items < 0 ? NULL : PyLong_FromSsize_t(items);
}

static PyObject *get_interface(PyObject *self, void *closure)
{
    struct hs_pointer *data = hs_pointer_data(self);
    PyObject *shape = hs_array_shape(self, NULL), *typestr = hs_array_typestr(self, NULL);

    (void)closure;
    if (!hs_array_is_usable(data) || shape == NULL || typestr == NULL) {
        Py_XDECREF(shape);
        Py_XDECREF(typestr);
        return NULL;
    }
    return Py_BuildValue("{s:(KO),s:N,s:N,s:O,s:i}", "data",
                         (unsigned long long)(uintptr_t)data->address, Py_False, "shape", shape,
                         "typestr", typestr, "strides", Py_None, "version", 3);
}

/* --- the object --- */

static bool read_settings(PyObject *args, PyObject *keywords, const char *format, PyObject **shape,
                          char typestr[16])
{
    static char *names[] = {"shape", "typestr", "itemsize", NULL};
    PyObject *given = NULL, *type = NULL, *item_size = NULL;

    if (!PyArg_ParseTupleAndKeywords(args, keywords, format, names, &given, &type, &item_size)) {
        return false;
    }
    if (type != NULL && type != Py_None && !hs_read_type(type, typestr)) {
        return false;
    }
    *shape = given != NULL && given != Py_None ? hs_shape_of(given) : NULL;
    return *shape != NULL || given == NULL || given == Py_None;
}

static PyObject *array_make(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *shape = NULL, *made;
    char typestr[16] = "|u1";
    struct hs_pointer *data;
    Py_ssize_t items;
    int status;

    if (!read_settings(args, keywords, "O|OO:DeviceArray", &shape, typestr)) {
        return NULL;
    }
    made = PyType_GenericAlloc(type, 0);
    data = made != NULL ? hs_pointer_data(made) : NULL;
    items = shape != NULL ? hs_items_of(shape) : -1;
    if (data == NULL || items < 0 || !hs_shape_as(data, shape, typestr)) {
        Py_XDECREF(shape);
        Py_XDECREF(made);
        return NULL;
    }
    Py_DECREF(shape);
    if (__builtin_mul_overflow((size_t)items, hs_array_item_size(data), &data->size)) {
        Py_DECREF(made);
        return PyErr_NoMemory();
    }
    Py_BEGIN_ALLOW_THREADS;
    status = hs_module_table.allocate(&data->address, data->size);
    Py_END_ALLOW_THREADS;
    if (status != 0) {
        PyErr_Format(PyExc_MemoryError, "DeviceArray(): no %zu bytes: status %d", data->size,
                     status);
        Py_DECREF(made);
        return NULL;
    }
    data->process = (int)getpid();
    return made;
}

static PyObject *configure(PyObject *self, PyObject *args, PyObject *keywords)
{
    struct hs_pointer *data = hs_pointer_data(self);
    PyObject *shape = NULL, *old = hs_array_typestr(self, NULL);
    const char *text = old != NULL ? PyUnicode_AsUTF8AndSize(old, NULL) : NULL;
    char typestr[16];
    bool done = false;

    if (text != NULL) {
        PyOS_snprintf(typestr, sizeof typestr, "%s", text);
        done = read_settings(args, keywords, "|$OOO:configure", &shape, typestr) &&
               hs_shape_as(data, shape, typestr);
    }
    Py_XDECREF(old);
    Py_XDECREF(shape);
    if (!done) {
        return NULL;
    }
    Py_INCREF(self);
    return self;
}

/* DeviceArray.fromObj(object): memory of any kind as an array that keeps the object. */
static PyObject *array_from(PyObject *type, PyObject *object)
{
    PyObject *made, *kept = PyList_New(0);

    if (Py_TYPE(object) == (PyTypeObject *)type) {
        Py_XDECREF(kept);
        Py_INCREF(object);
        return object;
    }
    made = PyType_GenericAlloc((PyTypeObject *)type, 0);
    if (made == NULL || kept == NULL) {
        Py_XDECREF(made);
        Py_XDECREF(kept);
        return NULL;
    }
    struct hs_state *state = hs_state_of(made);
    struct hs_place place = {state, NULL, kept, "DeviceArray.fromObj()", SIZE_MAX};
    struct hs_pointer *data = hs_pointer_data(made);
    data->owner = kept;
    if (!hs_take_pointer(&place, object, false, &data->address)) {
        Py_DECREF(made);
        return NULL;
    }
    data->size = place.size == SIZE_MAX ? 0 : place.size;
    return made;
}

/* Reads a key: the first item and the shape of the view; NULL with an exception set. */
static PyObject *read_key(PyObject *key, PyObject *shape, Py_ssize_t *start)
{
    Py_ssize_t length = PyLong_AsSsize_t(PyTuple_GetItem(shape, 0)), stop, step = 1;
    PyObject *rest = PyTuple_GetSlice(shape, 1, PyTuple_Size(shape)), *first, *whole;

    if (rest == NULL) {
        return NULL;
    }
    if (!PySlice_Check(key)) {
        *start = PyNumber_AsSsize_t(key, PyExc_IndexError);
        *start += *start < 0 ? length : 0;
        if (!PyErr_Occurred() && (*start < 0 || *start >= length)) {
            PyErr_Format(PyExc_IndexError, "index %zd, the length is %zd", *start, length);
        }
        if (PyErr_Occurred()) {
            Py_CLEAR(rest);
        }
        return rest;
    }
    if (PySlice_Unpack(key, start, &stop, &step) == 0 && step != 1) {
        PyErr_SetString(PyExc_ValueError, "the items of a DeviceArray lie side by side: no step");
    }
    PySlice_AdjustIndices(length, start, &stop, step);
    first = PyErr_Occurred() ? NULL : Py_BuildValue("(n)", stop < *start ? 0 : stop - *start);
    whole = first != NULL ? PySequence_Concat(first, rest) : NULL;
    Py_XDECREF(first);
    Py_DECREF(rest);
    return whole;
}

/* array[n] and array[from:to] along the first dimension: a view that keeps the array. */
static PyObject *array_item(PyObject *self, PyObject *key)
{
    struct hs_state *state = hs_state_of(self);
    struct hs_pointer *data = hs_pointer_data(self), *view;
    PyObject *shape = hs_array_shape(self, NULL), *typestr = hs_array_typestr(self, NULL);
    PyObject *rest = NULL, *made = NULL;
    Py_ssize_t start = 0;

    if (shape != NULL && typestr != NULL && hs_array_is_usable(data)) {
        if (PyTuple_Size(shape) == 0) {
            PyErr_SetString(PyExc_IndexError, "the array has no dimension");
        } else {
            rest = read_key(key, shape, &start);
        }
    }
    if (rest != NULL) {
        size_t all = (size_t)hs_items_of(shape) * hs_array_item_size(data);
        Py_ssize_t length = PyLong_AsSsize_t(PyTuple_GetItem(shape, 0));
        size_t stride = length > 0 ? all / (size_t)length : 0;
        made = hs_pointer_new(state, state->array, (char *)data->address + (size_t)start * stride);
    }
    if (made != NULL) {
        view = hs_pointer_data(made);
        Py_INCREF(self);
        view->owner = self;
        view->size = (size_t)hs_items_of(rest) * hs_array_item_size(data);
        if (!hs_shape_as(view, rest, PyUnicode_AsUTF8AndSize(typestr, NULL))) {
            Py_CLEAR(made);
        }
    }
    Py_XDECREF(rest);
    Py_XDECREF(shape);
    Py_XDECREF(typestr);
    return made;
}

static Py_ssize_t array_length(PyObject *self)
{
    PyObject *shape = hs_array_shape(self, NULL);
    Py_ssize_t length =
        shape != NULL && PyTuple_Size(shape) > 0 ? PyLong_AsSsize_t(PyTuple_GetItem(shape, 0)) : 0;

    Py_XDECREF(shape);
    return PyErr_Occurred() ? -1 : length;
}

static PyGetSetDef array_attributes[] = {
    {"__cuda_array_interface__", get_interface, NULL, NULL, NULL},
    {"shape", hs_array_shape, NULL, "The lengths of the dimensions, in items.", NULL},
    {"typestr", hs_array_typestr, NULL, "The type of an item, as NumPy writes it.", NULL},
    {"nbytes", get_bytes, NULL, "The size in bytes; 0 if it is not known.", NULL},
    {"itemsize", get_item_size, NULL, "The bytes of an item.", NULL},
    {"size", get_items, NULL, "The number of items.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef array_methods[] = {
    {"configure", (PyCFunction)(void (*)(void))configure, METH_VARARGS | METH_KEYWORDS,
     "configure($self, *, shape=None, typestr=None)\n--\n\nSets shape and type; returns the "
     "array."},
    {"fromObj", array_from, METH_O | METH_CLASS,
     "fromObj($type, object)\n--\n\nThe memory of any kind of address as an array."},
    {"__dlpack__", (PyCFunction)(void (*)(void))hs_array_dlpack, METH_VARARGS | METH_KEYWORDS,
     NULL},
    {"__dlpack_device__", hs_array_dlpack_device, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot array_slots[] = {
    {Py_tp_doc,
     "DeviceArray(shape, typestr='|u1')\n--\n\n"
     "Memory of the current device, which is freed with the object.  `shape` is an int or a "
     "tuple,\nand `typestr` the type of an item, such as '<f4' or 'float32'."},
    {Py_tp_new, array_make},
    {Py_mp_subscript, array_item},
    {Py_mp_length, array_length},
    {Py_tp_getset, array_attributes},
    {Py_tp_methods, array_methods},
    {0, NULL},
};

PyType_Spec hs_array_spec = {"hipshim.DeviceArray", 0, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                             array_slots};
