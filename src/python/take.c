/* SPDX-License-Identifier: MIT */
/*
 * From Python objects to C values.
 */
#include "python/state.h"

#include <limits.h>
#include <string.h>

/* --- numbers --- */

static void refuse_number(struct hs_place *place, PyObject *number, bool is_unsigned,
                          unsigned width)
{
    PyObject *shown;
    const char *text;

    PyErr_Clear();
    shown = PyObject_Str(number);
    text = shown != NULL ? PyUnicode_AsUTF8AndSize(shown, NULL) : NULL;
    hs_refuse(place, PyExc_OverflowError, "%.40s does not fit into %s%u bits",
              text != NULL ? text : "the number", is_unsigned ? "unsigned " : "", width);
    Py_XDECREF(shown);
}

static bool take_any_integer(struct hs_place *place, unsigned kind, PyObject *number, void *to)
{
    static const uint8_t widths[] = {8, 8, 16, 16, 32, 32, 64, 64};
    unsigned width = kind == KIND_ENUM ? 32 : widths[kind];
    bool is_unsigned = kind != KIND_ENUM && kind % 2 == 1;
    uint64_t bits;
    bool fits;

    if (is_unsigned) {
        bits = PyLong_AsUnsignedLongLong(number);
        fits = bits != UINT64_MAX || !PyErr_Occurred();
        fits = fits && (width == 64 || bits >> width == 0);
    } else {
        long long value = PyLong_AsLongLong(number);
        bits = (uint64_t)value;
        fits = value != -1 || !PyErr_Occurred();
        if (width < 64) {
            /* C's enums are written as unsigned numbers, too. */
            long long bottom = -(1LL << (width - 1));
            long long top = kind == KIND_ENUM ? UINT32_MAX : -1 - bottom;
            fits = fits && value >= bottom && value <= top;
        }
    }
    if (fits) {
        memcpy(to, &bits, width / 8);
    } else {
        refuse_number(place, number, is_unsigned, width);
    }
    return fits;
}

bool hs_take_integer(struct hs_place *place, unsigned kind, PyObject *from, void *to)
{
    PyObject *number;
    bool taken;

    if (Py_TYPE(from) == &PyLong_Type || PyLong_Check(from)) {
        return take_any_integer(place, kind, from, to);
    }
    /* HIP Python takes 4.0 for a member, as in dim3(n / 64). */
    bool is_whole = place->call == NULL && PyFloat_Check(from);
    is_whole = is_whole && PyFloat_AsDouble(from) == (double)(int64_t)PyFloat_AsDouble(from);
    number = is_whole ? PyNumber_Long(from) : PyNumber_Index(from);
    if (number == NULL) {
        return hs_refuse_type(place, "an int", from);
    }
    taken = take_any_integer(place, kind, number, to);
    Py_DECREF(number);
    return taken;
}

static bool take_float(struct hs_place *place, unsigned kind, PyObject *from, void *to)
{
    double value = PyFloat_AsDouble(from);
    float narrow = (float)value;

    if (value == -1 && PyErr_Occurred()) {
        return hs_refuse_type(place, "a float", from);
    }
    if (kind == KIND_F32) {
        memcpy(to, &narrow, sizeof narrow);
    } else {
        memcpy(to, &value, sizeof value);
    }
    return true;
}

/* --- pointers --- */

bool hs_take_own_pointer(struct hs_place *place, PyObject *from, void **to)
{
    struct hs_pointer *pointer = hs_data(from, place->state->pointer);
    char name[80];

    *to = pointer->address;
    if (pointer->size > 0 && Py_TYPE(from) == place->state->pointer) {
        place->size = pointer->size; /* the library itself knows the size of its own memory */
    }
    return !pointer->is_freed || hs_refuse(place, PyExc_ValueError, "this %s was freed",
                                           hs_type_name(from, name, sizeof name));
}

/* Whether a buffer is a pointer of ctypes, to memory or to a function. */
static bool is_pointer(const Py_buffer *view)
{
    const char *format = view->format;

    if (format == NULL || view->ndim != 0) {
        return false;
    }
    format += strspn(format, "@=<>!");
    return *format == '&' || *format == 'X' || (strchr("PzZ", *format) != NULL && format[0] != 0);
}

bool hs_take_buffer(struct hs_place *place, PyObject *from, bool written, void **to, size_t *size)
{
    Py_buffer view;

    if (PyObject_GetBuffer(from, &view, PyBUF_FORMAT | PyBUF_ND) != 0) {
        return hs_refuse_type(place, "a contiguous buffer", from);
    }
    if (is_pointer(&view)) {
        memcpy(to, view.buf, sizeof *to);
        *size = SIZE_MAX;
        PyBuffer_Release(&view);
        return hs_hold(place, from);
    }
    if (written && view.readonly) {
        PyBuffer_Release(&view);
        return hs_refuse_type(place, "memory that can be written", from);
    }
    *to = view.buf;
    *size = (size_t)view.len;
    place->size = *size;
    return hs_hold_view(place, &view, from);
}

/* Other libraries' objects, and pointers of ctypes. */
bool hs_take_foreign(struct hs_place *place, PyObject *from, bool written, void **to)
{
    bool is_known, taken;
    size_t size;

    if (from == Py_None) {
        *to = NULL;
        return true;
    }
    if (PyLong_Check(from)) {
        return hs_take_address(place, from, to);
    }
    taken = hs_take_by_protocol(place, from, written, to, &is_known);
    if (is_known) {
        return taken;
    }
    if (PyObject_CheckBuffer(from)) {
        return hs_take_buffer(place, from, written, to, &size);
    }
    return hs_refuse_type(place, "an address, a handle or None", from);
}

bool hs_take_pointer(struct hs_place *place, PyObject *from, bool written, void **to)
{
    struct hs_state *state = place->state;
    size_t size;

    if (from == Py_None) {
        *to = NULL;
        return true;
    }
    if (PyLong_Check(from)) {
        return hs_take_address(place, from, to);
    }
    if (Py_TYPE(from) != state->array && PyObject_CheckBuffer(from)) {
        return hs_take_buffer(place, from, written, to, &size);
    }
    if (Py_TYPE(from) == state->array || PyObject_TypeCheck(from, state->pointer)) {
        return hs_take_own_pointer(place, from, to) &&
               (place->call != NULL || hs_keep(place, from));
    }
    if (PyObject_TypeCheck(from, state->record)) {
        *to = hs_record_data(state, from);
        place->size = hs_class_of(from)->size;
        return place->call != NULL || hs_keep(place, from);
    }
    return hs_take_foreign(place, from, written, to);
}

bool hs_take_handle(struct hs_place *place, unsigned number, PyObject *from, void **to)
{
    struct hs_state *state = place->state;
    const char *wanted = state->table->classes[number].name;
    char expected[120];

    if (from == Py_None) {
        *to = NULL;
        return true;
    }
    if (Py_TYPE(from) == state->classes[number] || Py_TYPE(from) == state->pointer) {
        return hs_take_own_pointer(place, from, to);
    }
    bool is_record = PyObject_TypeCheck(from, state->record);
    if (is_record || PyObject_TypeCheck(from, state->pointer)) {
        PyTypeObject *type = hs_class_type(state, number);
        if (type == NULL) {
            return false;
        }
        if (PyObject_TypeCheck(from, type)) {
            return is_record ? hs_take_pointer(place, from, false, to)
                             : hs_take_own_pointer(place, from, to);
        }
    } else if (!PyUnicode_Check(from) && !PyBytes_Check(from)) {
        return hs_take_foreign(place, from, false, to);
    }
    PyOS_snprintf(expected, sizeof expected, "a %s", wanted);
    return hs_refuse_type(place, expected, from);
}

static bool take_text(struct hs_place *place, PyObject *from, const char **to)
{
    Py_ssize_t size = 0;
    void *address = NULL;
    char *bytes;

    if (PyUnicode_Check(from)) {
        *to = PyUnicode_AsUTF8AndSize(from, &size);
    } else if (PyBytes_Check(from) && PyBytes_AsStringAndSize(from, &bytes, &size) == 0) {
        *to = bytes;
    } else if (from == Py_None ||
               /* A member is read as a text later, so no number may be in it. */
               (place->call != NULL &&
                (PyLong_Check(from) || PyObject_TypeCheck(from, place->state->pointer)))) {
        bool taken = hs_take_pointer(place, from, false, &address);
        *to = address;
        return taken;
    } else if (PyByteArray_Check(from)) {
        /* Python ends it with a zero, too. */
        *to = PyByteArray_AsString(from);
        size = (Py_ssize_t)strlen(*to);
    } else {
        return hs_refuse_type(place, "a str or bytes", from);
    }
    if (*to == NULL) {
        return false;
    }
    if (strlen(*to) != (size_t)size) {
        return hs_refuse(place, PyExc_ValueError, "the text has a zero in it");
    }
    return place->call != NULL || hs_keep(place, from);
}

bool hs_take(struct hs_place *place, unsigned flow, unsigned kind, unsigned number, PyObject *from,
             void *to)
{
    switch (kind) {
    case KIND_F32:
    case KIND_F64:
        return take_float(place, kind, from, to);
    case KIND_HANDLE:
        return hs_take_handle(place, number, from, to);
    case KIND_MEMORY:
        return hs_take_pointer(place, from, (flow & FLOW_WRITTEN) != 0, to);
    case KIND_TEXT:
        return take_text(place, from, to);
    case KIND_FUNCTION:
        return hs_take_foreign(place, from, false, to);
    default:
        return hs_take_integer(place, kind, from, to);
    }
}
