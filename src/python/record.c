/* SPDX-License-Identifier: MIT */
/*
 * Records: structs and unions with their members as attributes.  A class is made from the tables
 * when it is first needed; its objects have C's bytes, which the functions read and write in place.
 */
#include "python/state.h"

#include <string.h>

static const struct hs_member *find_member(const struct hs_class *class, const char *name)
{
    for (unsigned n = 0; n < class->count; n++) {
        if (strcmp(class->members[n].name, name) == 0) {
            return &class->members[n];
        }
    }
    return NULL;
}

static void record_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    struct hs_record *record = hs_data(self, hs_state_of(self)->record);
    freefunc free_object = (freefunc)PyType_GetSlot(type, Py_tp_free);

    if (record->owns) {
        PyMem_Free(record->data);
    }
    Py_XDECREF(record->owner);
    Py_XDECREF(record->kept);
    free_object(self);
    Py_DECREF(type);
}

/* --- members --- */

static PyObject *get_array(struct hs_state *state, PyObject *self, const struct hs_member *member,
                           char *at)
{
    size_t size = hs_kind_size(state, member->kind, member->number);
    PyObject *tuple = PyTuple_New(member->count);

    for (unsigned n = 0; tuple != NULL && n < member->count; n++) {
        PyObject *item = hs_give(state, member->kind, member->number, at + n * size, self);
        if (item == NULL) {
            Py_CLEAR(tuple);
        } else {
            PyTuple_SetItem(tuple, n, item);
        }
    }
    return tuple;
}

static PyObject *get_bits(const struct hs_member *member, const char *data)
{
    uint32_t word;

    memcpy(&word, data + (size_t)member->offset / 32 * 4, sizeof word);
    word >>= member->offset % 32;
    return PyLong_FromUnsignedLong(word & ((1ULL << member->bits) - 1));
}

static PyObject *get_text(struct hs_state *state, const char *from, size_t size)
{
    PyObject *text = PyUnicode_DecodeUTF8(from, (Py_ssize_t)size, "surrogateescape");
    PyObject *made = text;

    if (text != NULL && state->text != NULL) {
        made = PyObject_CallFunctionObjArgs(state->text, text, NULL);
        Py_DECREF(text);
    }
    return made;
}

PyObject *hs_get_member(PyObject *self, void *closure)
{
    const struct hs_member *member = closure;
    struct hs_state *state = hs_state_of(self);
    struct hs_record *record = hs_data(self, state->record);
    char *at = record->data + member->offset / 8;

    if (member->bits > 0) {
        return get_bits(member, record->data);
    }
    if (member->kind == KIND_CHARS) {
        return get_text(state, at, strnlen(at, member->count));
    }
    if (member->kind == KIND_BYTES) {
        return PyBytes_FromStringAndSize(at, member->count);
    }
    if (member->count > 0) {
        return get_array(state, self, member, at);
    }
    return hs_give(state, member->kind, member->number, at, self);
}

static int set_bits(struct hs_place *place, const struct hs_member *member, char *data,
                    PyObject *value)
{
    uint32_t word, bits, mask = (uint32_t)((1ULL << member->bits) - 1);

    if (!hs_take(place, FLOW_IN, KIND_U32, 0, value, &bits)) {
        return -1;
    }
    if (bits & ~mask) {
        hs_refuse(place, PyExc_OverflowError, "%u does not fit into %u bits", bits, member->bits);
        return -1;
    }
    memcpy(&word, data + (size_t)member->offset / 32 * 4, sizeof word);
    word &= ~(mask << member->offset % 32);
    word |= bits << member->offset % 32;
    memcpy(data + (size_t)member->offset / 32 * 4, &word, sizeof word);
    return 0;
}

static int set_bytes(struct hs_place *place, const struct hs_member *member, char *at,
                     PyObject *value)
{
    Py_ssize_t size;
    const char *from;
    char *bytes;

    if (PyUnicode_Check(value)) {
        from = PyUnicode_AsUTF8AndSize(value, &size);
    } else {
        from = PyBytes_AsStringAndSize(value, &bytes, &size) == 0 ? bytes : NULL;
    }
    if (from == NULL) {
        return -1;
    }
    size_t room = member->count - (member->kind == KIND_CHARS ? 1 : 0);
    if ((size_t)size > room) {
        hs_refuse(place, PyExc_ValueError, "%zd bytes, there is room for %zu", size, room);
        return -1;
    }
    memset(at, 0, member->count);
    memcpy(at, from, (size_t)size);
    return 0;
}

static bool set_one(struct hs_place *place, const struct hs_member *member, PyObject *value,
                    char *at)
{
    void *made;
    size_t count;

    switch (member->kind) {
    case KIND_RECORD:
        return hs_fill_record(place, member->number, value, at);
    case KIND_FUNCTION:
        return hs_take_foreign(place, value, false, (void **)at);
    case KIND_MEMORY:
        if (PyList_Check(value) || PyTuple_Check(value)) {
            bool taken = member->number == 1 ? hs_take_arguments(place, value, &made)
                         : member->number == 2
                             ? hs_take_packed(place, value, &made)
                             : hs_take_list(place, KIND_MEMORY, 0, value, &made, &count);
            memcpy(at, &made, taken ? sizeof made : 0);
            return taken;
        }
        break;
    case KIND_HANDLE:
        if (PyList_Check(value)) {
            bool taken = hs_take_record(place, member->number, value, &made, &count);
            memcpy(at, &made, taken ? sizeof made : 0);
            return taken;
        }
        break;
    default:
        break;
    }
    return hs_take(place, FLOW_IN, member->kind, member->number, value, at);
}

static int set_array(struct hs_place *place, const struct hs_member *member, PyObject *value,
                     char *at)
{
    size_t size = hs_kind_size(place->state, member->kind, member->number);

    if (PySequence_Size(value) != member->count) {
        PyErr_Clear();
        hs_refuse(place, PyExc_ValueError, "expected %u items", member->count);
        return -1;
    }
    for (unsigned n = 0; n < member->count; n++) {
        PyObject *item = PySequence_GetItem(value, n);
        bool taken = item != NULL && set_one(place, member, item, at + n * size);
        Py_XDECREF(item);
        if (!taken) {
            return -1;
        }
    }
    return 0;
}

static bool is_function(PyObject *value)
{
    PyObject *callable = value;

    if (PyTuple_Check(value)) {
        callable = PyTuple_Size(value) == 2 ? PyTuple_GetItem(value, 0) : Py_None;
    }
    return PyCallable_Check(callable) && !PyObject_CheckBuffer(callable);
}

static int set_value(struct hs_place *place, PyObject *self, const struct hs_member *member,
                     PyObject *value)
{
    struct hs_state *state = place->state;
    struct hs_record *record = hs_data(self, state->record);
    char *at = record->data + member->offset / 8;

    if (member->bits > 0) {
        return set_bits(place, member, record->data, value);
    }
    if (member->kind == KIND_CHARS || member->kind == KIND_BYTES) {
        return set_bytes(place, member, at, value);
    }
    if (member->kind == KIND_FUNCTION && is_function(value)) {
        return hs_set_function(state, hs_class_of(self), member, value, record->data) ? 0 : -1;
    }
    if (member->count == 0) {
        return set_one(place, member, value, at) ? 0 : -1;
    }
    return set_array(place, member, value, at);
}

int hs_set_member(PyObject *self, PyObject *value, void *closure)
{
    const struct hs_member *member = closure;
    struct hs_state *state = hs_state_of(self);
    struct hs_record *record = hs_data(self, state->record);
    struct hs_place place = {.state = state, .what = member->name};
    int status = -1;

    if (value == NULL) {
        PyErr_Format(PyExc_AttributeError, "%s: a member cannot be deleted", member->name);
        return -1;
    }
    if (record->kept == NULL) {
        record->kept = PyDict_New();
    }
    place.kept = PyList_New(0);
    if (record->kept != NULL && place.kept != NULL) {
        status = set_value(&place, self, member, value);
    }
    /* What the old value pointed to goes only now. */
    if (status == 0 && (PyList_Size(place.kept) > 0 || PyDict_Size(record->kept) > 0)) {
        status = PyDict_SetItemString(record->kept, member->name, place.kept);
    }
    Py_XDECREF(place.kept);
    return status;
}

/* --- the class --- */

/* Name(first, ..., member=value) */
static int record_init(PyObject *self, PyObject *args, PyObject *keywords)
{
    struct hs_state *state = hs_state_of(self);
    const struct hs_class *class = hs_class_of(self);
    Py_ssize_t given = PyTuple_Size(args), at = 0;
    PyObject *key, *value;

    if (given > class->count) {
        PyErr_Format(PyExc_TypeError, "%s() takes up to %u values, got %zd", class->name,
                     class->count, given);
        return -1;
    }
    for (unsigned n = 0; n < class->count; n++) {
        const struct hs_member *member = &class->members[n];
        char *to = hs_record_data(state, self) + member->offset / 8;
        if (n < given && hs_set_member(self, PyTuple_GetItem(args, n), (void *)member) != 0) {
            return -1;
        }
        if (n >= given && class->missing != 0) {
            memcpy(to, &class->missing, sizeof class->missing);
        }
    }
    while (keywords != NULL && PyDict_Next(keywords, &at, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
        const struct hs_member *member = name != NULL ? find_member(class, name) : NULL;
        if (member == NULL) {
            PyErr_Format(PyExc_TypeError, "%s has no member %R", class->name, key);
            return -1;
        }
        if (hs_set_member(self, value, (void *)member) != 0) {
            return -1;
        }
    }
    return 0;
}

static PyObject *record_make(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *made = PyType_GenericAlloc(type, 0);
    const struct hs_class *class;
    struct hs_state *state;

    (void)args;
    (void)keywords;
    if (made == NULL) {
        return NULL;
    }
    state = hs_state_of(made);
    class = hs_class_of(made);
    if (class == NULL) {
        Py_DECREF(made);
        PyErr_SetString(PyExc_TypeError, "Record() has no members: make one of a class below it");
        return NULL;
    }
    return hs_record_own(state, made, class->size);
}

static PyObject *record_repr(PyObject *self)
{
    const struct hs_class *class = hs_class_of(self);
    PyObject *parts = PyList_New(0), *comma = PyUnicode_FromString(", "), *text = NULL;

    for (unsigned n = 0; parts != NULL && n < class->count; n++) {
        PyObject *value = hs_get_member(self, (void *)&class->members[n]);
        PyObject *part =
            value != NULL ? PyUnicode_FromFormat("%s=%R", class->members[n].name, value) : NULL;
        Py_XDECREF(value);
        if (part == NULL || PyList_Append(parts, part) != 0) {
            Py_CLEAR(parts);
        }
        Py_XDECREF(part);
    }
    if (parts != NULL && comma != NULL) {
        PyObject *joined = PyUnicode_Join(comma, parts);
        text = joined != NULL ? PyUnicode_FromFormat("%s(%U)", class->name, joined) : NULL;
        Py_XDECREF(joined);
    }
    Py_XDECREF(parts);
    Py_XDECREF(comma);
    return text;
}

static Py_ssize_t record_length(PyObject *self)
{
    return hs_class_of(self)->count;
}

static PyObject *record_item(PyObject *self, Py_ssize_t n)
{
    const struct hs_class *class = hs_class_of(self);

    if (n < 0 || n >= class->count) {
        PyErr_SetString(PyExc_IndexError, "the record has fewer members");
        return NULL;
    }
    return hs_get_member(self, (void *)&class->members[n]);
}

static PyObject *record_size(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromUnsignedLong(hs_class_of(self)->size);
}

static PyObject *record_address(PyObject *self)
{
    return PyLong_FromVoidPtr(hs_record_data(hs_state_of(self), self));
}

static PyObject *record_bytes(PyObject *self, PyObject *unused)
{
    struct hs_state *state = hs_state_of(self);
    struct hs_record *record = hs_data(self, state->record);

    (void)unused;
    return PyBytes_FromStringAndSize(record->data, hs_class_of(self)->size);
}

static PyObject *record_properties(PyObject *self, PyObject *unused)
{
    const struct hs_class *class = hs_class_of(self);
    PyObject *names = PyList_New(class->count);

    (void)unused;
    for (unsigned n = 0; names != NULL && n < class->count; n++) {
        PyObject *name = PyUnicode_FromString(class->members[n].name);
        if (name == NULL || PyList_SetItem(names, n, name) != 0) {
            Py_CLEAR(names);
        }
    }
    return names;
}

/* A record of its own with the same bytes, which keeps what its pointers point to. */
static PyObject *record_copy(PyObject *self, PyObject *unused)
{
    struct hs_state *state = hs_state_of(self);
    struct hs_record *from = hs_data(self, state->record), *to;
    PyObject *made = record_make(Py_TYPE(self), NULL, NULL);

    (void)unused;
    if (made != NULL) {
        to = hs_data(made, state->record);
        memcpy(to->data, from->data, hs_class_of(self)->size);
        to->kept = from->kept != NULL ? PyDict_Copy(from->kept) : NULL;
        if (from->kept != NULL && to->kept == NULL) {
            Py_CLEAR(made);
        }
    }
    return made;
}

static PyGetSetDef record_attributes[] = {
    {"nbytes", record_size, NULL, "The size of the record in bytes.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef record_methods[] = {
    {"__bytes__", record_bytes, METH_NOARGS, "__bytes__($self)\n--\n\nThe record as C has it."},
    {"__copy__", record_copy, METH_NOARGS, "__copy__($self)\n--\n\nA copy of the record."},
    {"__deepcopy__", record_copy, METH_O,
     "__deepcopy__($self, memo)\n--\n\nA copy of the record; what it points to is not copied."},
    {"PROPERTIES", record_properties, METH_NOARGS,
     "PROPERTIES($self)\n--\n\nThe names of the members."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot record_slots[] = {
    {Py_tp_doc, "A struct or union of C."},
    {Py_tp_new, record_make},
    {Py_tp_init, record_init},
    {Py_tp_dealloc, record_dealloc},
    {Py_tp_repr, record_repr},
    {Py_sq_length, record_length},
    {Py_sq_item, record_item},
    {Py_nb_int, record_address},
    {Py_tp_getset, record_attributes},
    {Py_tp_methods, record_methods},
    {0, NULL},
};

PyType_Spec hs_record_spec = {"hipshim.Record", HS_BASIC_SIZE(struct hs_record), 0,
                              Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, record_slots};
