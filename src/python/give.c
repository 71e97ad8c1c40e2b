/* SPDX-License-Identifier: MIT */
/*
 * From C values to Python objects: numbers, members of enums, handles, texts and records.
 */
#include "python/state.h"

#include <string.h>

static PyObject *give_integer(unsigned kind, const void *from)
{
    size_t size = hs_kind_size(NULL, kind, 0), unused = 64 - 8 * size;
    uint64_t bits = 0;

    memcpy(&bits, from, size);
    /* In the list of kinds each signed integer is followed by the unsigned one. */
    return (kind - KIND_I8) % 2 == 0 ? PyLong_FromLongLong((int64_t)(bits << unused) >> unused)
                                     : PyLong_FromUnsignedLongLong(bits);
}

/* A handle, a record of the library, or plain memory. */
static PyObject *give_pointer(struct hs_state *state, unsigned kind, unsigned number, void *address,
                              PyObject *owner)
{
    const struct hs_class *class = &state->table->classes[number];
    PyTypeObject *type;

    if (address == NULL) {
        Py_RETURN_NONE;
    }
    /* The program wrote a member: it may be any number, and is not followed. */
    bool is_record = kind == KIND_HANDLE && class->size > 0 && !class->is_handle;
    if (kind != KIND_HANDLE || (is_record && owner != NULL)) {
        return hs_pointer_new(state, state->pointer, address);
    }
    if (is_record) {
        return hs_record_new(state, number, address, Py_None);
    }
    type = hs_class_type(state, number);
    return type != NULL ? hs_pointer_new(state, type, address) : NULL;
}

PyObject *hs_give(struct hs_state *state, unsigned kind, unsigned number, void *value,
                  PyObject *owner)
{
    int32_t small;
    double wide;
    float narrow;
    void *address;

    switch (kind) {
    case KIND_F32:
        memcpy(&narrow, value, sizeof narrow);
        return PyFloat_FromDouble((double)narrow);
    case KIND_F64:
        memcpy(&wide, value, sizeof wide);
        return PyFloat_FromDouble(wide);
    case KIND_ENUM:
        memcpy(&small, value, sizeof small);
        return hs_enum_member(state, number, small);
    case KIND_RECORD:
        return hs_record_new(state, number, value, owner);
    case KIND_TEXT:
        memcpy(&address, value, sizeof address);
        if (address != NULL) {
            return PyUnicode_DecodeUTF8(address, (Py_ssize_t)strlen(address), "surrogateescape");
        }
        Py_RETURN_NONE;
    case KIND_HANDLE:
    case KIND_MEMORY:
    case KIND_FUNCTION:
        memcpy(&address, value, sizeof address);
        return give_pointer(state, kind, number, address, owner);
    default:
        return give_integer(kind, value);
    }
}

/* --- enums: IntEnum, made when one is first needed --- */

/* The first thread's type is everybody's. */
static struct hs_enum_state *publish(struct hs_enum_state *to, PyObject *type)
{
    struct hs_enum_state made = {0};
    PyObject *expected = NULL, *zero = PyLong_FromLong(0);

    made.members = PyObject_GetAttrString(type, "_value2member_map_");
    if (made.members != NULL && zero != NULL) {
        made.zero = PyDict_GetItemWithError(made.members, zero);
        Py_XINCREF(made.zero);
    }
    if (made.zero == NULL && zero != NULL) {
        made.zero = zero;
        Py_INCREF(zero);
    }
    Py_XDECREF(zero);
    made.zero_alone = made.zero != NULL ? PyTuple_Pack(1, made.zero) : NULL;
    if (made.members == NULL || made.zero_alone == NULL) {
        Py_XDECREF(made.members);
        Py_XDECREF(made.zero);
        Py_DECREF(type);
        return NULL;
    }
    if (__atomic_compare_exchange_n(&to->claimed, &expected, type, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE)) {
        to->members = made.members;
        to->zero = made.zero;
        to->zero_alone = made.zero_alone;
        __atomic_store_n(&to->type, type, __ATOMIC_RELEASE);
        return to;
    }
    Py_DECREF(made.members);
    Py_DECREF(made.zero);
    Py_DECREF(made.zero_alone);
    Py_DECREF(type);
    while (__atomic_load_n(&to->type, __ATOMIC_ACQUIRE) == NULL) {
        /* Another thread is between its two stores above. */
    }
    return to;
}

static PyObject *make_enum(struct hs_state *state, const struct hs_enum *table)
{
    PyObject *base = hs_at_home("enum", "IntEnum"), *pairs = PyList_New(table->count);
    PyObject *type = NULL, *arguments = NULL, *keywords = NULL;

    for (unsigned n = 0; pairs != NULL && n < table->count; n++) {
        PyObject *pair = Py_BuildValue("sL", table->names[n], (long long)table->values[n]);
        if (pair == NULL || PyList_SetItem(pairs, n, pair) != 0) {
            Py_CLEAR(pairs);
        }
    }
    if (base != NULL && pairs != NULL) {
        arguments = Py_BuildValue("(sO)", table->name, pairs);
        keywords = Py_BuildValue("{ss}", "module", state->table->surfaces[0].module);
        if (arguments != NULL && keywords != NULL) {
            type = PyObject_Call(base, arguments, keywords);
        }
    }
    Py_XDECREF(base);
    Py_XDECREF(pairs);
    Py_XDECREF(arguments);
    Py_XDECREF(keywords);
    return type;
}

struct hs_enum_state *hs_enum_make(struct hs_state *state, unsigned number)
{
    const struct hs_enum *table = &state->table->enums[number];
    PyObject *type =
        table->home != NULL ? hs_at_home(table->home, table->name) : make_enum(state, table);

    return type != NULL ? publish(&state->enums[number], type) : NULL;
}

PyObject *hs_enum_member(struct hs_state *state, unsigned number, int64_t value)
{
    struct hs_enum_state *found = hs_enum_state(state, number);
    PyObject *key, *member;

    if (found == NULL) {
        return NULL;
    }
    key = PyLong_FromLongLong(value);
    if (key == NULL) {
        return NULL;
    }
    member = PyDict_GetItemWithError(found->members, key);
    if (member == NULL && !PyErr_Occurred()) {
        return key; /* of a newer release: a plain number */
    }
    Py_XINCREF(member);
    Py_DECREF(key);
    return member;
}
