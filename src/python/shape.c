/* SPDX-License-Identifier: MIT */
/*
 * The shape of a DeviceArray and the type of its items.
 */
#include "python/state.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DIMENSIONS = 32 };

/* The types by the names that other libraries have for them. */
static const struct {
    const char *name, *typestr;
} named_types[] = {
    {"int8", "|i1"},    {"uint8", "|u1"},   {"int16", "<i2"},     {"uint16", "<u2"},
    {"int32", "<i4"},   {"uint32", "<u4"},  {"int64", "<i8"},     {"uint64", "<u8"},
    {"float16", "<f2"}, {"float32", "<f4"}, {"float64", "<f8"},   {"bool", "|b1"},
    {"float", "<f8"},   {"int", "<i8"},     {"complex64", "<c8"}, {"complex128", "<c16"},
};

/* Reads a type: "<f4", "float32", or an object that has it as `str`, such as NumPy's. */
bool hs_read_type(PyObject *from, char room[16])
{
    /* A class, such as float or numpy.float32, has the name of its type. */
    const char *attribute = PyType_Check(from) ? "__name__" : "str";
    PyObject *text = PyUnicode_Check(from) ? from : PyObject_GetAttrString(from, attribute);
    const char *found =
        text != NULL && PyUnicode_Check(text) ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;

    for (unsigned n = 0; found != NULL && n < sizeof named_types / sizeof *named_types; n++) {
        if (strcmp(named_types[n].name, found) == 0) {
            found = named_types[n].typestr;
        }
    }
    bool has_order = found != NULL && found[0] != '\0' && strchr("<>|=", found[0]) != NULL;
    const char *type = found != NULL ? found + has_order : "";
    char *end = NULL;
    unsigned long size = *type != '\0' ? strtoul(type + 1, &end, 10) : 0;
    bool is_known = size > 0 && size <= 65535 && *end == '\0' && !(has_order && *found == '>') &&
                    strchr("iufcbV", *type) != NULL;
    if (is_known) {
        PyOS_snprintf(room, 16, "%c%c%lu", size == 1 ? '|' : '<', *type, size);
    } else {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "typestr: %R is no type such as '<f4' or 'float32'", from);
    }
    if (text != from) {
        Py_XDECREF(text);
    }
    return is_known;
}

size_t hs_array_item_size(const struct hs_pointer *data)
{
    const char *text = data->typestr != NULL ? PyUnicode_AsUTF8AndSize(data->typestr, NULL) : "|u1";

    return strtoul(text + 2, NULL, 10);
}

/* The product of a shape; -1 with an exception set. */
Py_ssize_t hs_items_of(PyObject *shape)
{
    Py_ssize_t product = 1;

    if (PyTuple_Size(shape) > MAX_DIMENSIONS) {
        PyErr_Format(PyExc_ValueError, "shape: more than %d dimensions", MAX_DIMENSIONS);
        return -1;
    }
    for (Py_ssize_t n = 0; n < PyTuple_Size(shape); n++) {
        Py_ssize_t length = PyNumber_AsSsize_t(PyTuple_GetItem(shape, n), PyExc_OverflowError);
        if (PyErr_Occurred()) {
            return -1;
        }
        if (length < 0 || __builtin_mul_overflow(product, length, &product)) {
            PyErr_SetString(PyExc_ValueError, "shape: a length is negative, or all are too large");
            return -1;
        }
    }
    return product;
}

PyObject *hs_shape_of(PyObject *from)
{
    if (PyObject_HasAttrString(from, "__cuda_array_interface__") ||
        PyObject_HasAttrString(from, "createRef")) {
        PyErr_SetString(PyExc_TypeError,
                        "shape: expected an int or a tuple, got memory; DeviceArray.fromObj() "
                        "makes an array of it");
        return NULL;
    }
    return PyIndex_Check(from) ? PyTuple_Pack(1, from) : PySequence_Tuple(from);
}

/* Sets type and shape, which have to fit into the memory if its size is known. */
bool hs_shape_as(struct hs_pointer *data, PyObject *shape, const char *typestr)
{
    Py_ssize_t items = shape != NULL ? hs_items_of(shape) : 0;
    PyObject *text = PyUnicode_FromString(typestr);
    struct hs_pointer with = {.typestr = text};

    if (items < 0 || text == NULL) {
        Py_XDECREF(text);
        return false;
    }
    if (data->size != 0 && (size_t)items > data->size / hs_array_item_size(&with)) {
        PyErr_Format(PyExc_ValueError, "shape: %zd items of %zu bytes are more than %zu bytes",
                     items, hs_array_item_size(&with), data->size);
        Py_DECREF(text);
        return false;
    }
    Py_XDECREF(data->typestr);
    data->typestr = text;
    Py_XINCREF(shape);
    Py_XDECREF(data->shape);
    data->shape = shape;
    return true;
}

PyObject *hs_array_shape(PyObject *self, void *closure)
{
    struct hs_pointer *data = hs_pointer_data(self);

    (void)closure;
    if (data->shape == NULL) {
        return Py_BuildValue("(n)", (Py_ssize_t)(data->size / hs_array_item_size(data)));
    }
    Py_INCREF(data->shape);
    return data->shape;
}

PyObject *hs_array_typestr(PyObject *self, void *closure)
{
    struct hs_pointer *data = hs_pointer_data(self);

    (void)closure;
    return data->typestr != NULL ? PyObject_Str(data->typestr) : PyUnicode_FromString("|u1");
}

bool hs_array_is_usable(const struct hs_pointer *data)
{
    if (data->is_freed) {
        PyErr_SetString(PyExc_ValueError, "this DeviceArray was freed");
    }
    return !data->is_freed;
}
