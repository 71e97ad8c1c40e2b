/* SPDX-License-Identifier: MIT */
/*
 * The classes of handles and records, which are made when they are first needed, and their objects.
 */
#include "python/state.h"

#include <stdlib.h>
#include <string.h>

struct hs_state *hs_state_of(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    PyObject *raised, *value, *traceback; /* an object may be freed while an exception is raised */
    void *state;

    PyErr_Fetch(&raised, &value, &traceback);
    /* A class that a program derives from one of ours has no state of its own. */
    while ((state = PyType_GetModuleState(type)) == NULL) {
        PyErr_Clear();
        type = PyType_GetSlot(type, Py_tp_base);
    }
    PyErr_Restore(raised, value, traceback);
    return state;
}

/* The descriptors of a class live as long as the process, because its type points to them. */
static PyGetSetDef *attributes_of(struct hs_state *state, const struct hs_class *class)
{
    PyGetSetDef *made = calloc(class->count + 1u, sizeof *made);

    for (unsigned n = 0; made != NULL && n < class->count; n++) {
        made[n] = (PyGetSetDef){class->members[n].name, state->get_member, state->set_member, NULL,
                                (void *)&class->members[n]};
    }
    return made;
}

PyObject *hs_at_home(const char *home, const char *name)
{
    PyObject *module = PyImport_ImportModule(home);
    PyObject *found = module != NULL ? PyObject_GetAttrString(module, name) : NULL;

    Py_XDECREF(module);
    return found;
}

static PyTypeObject *make_class(struct hs_state *state, unsigned number)
{
    const struct hs_class *class = &state->table->classes[number];
    bool is_record = class->size > 0 && !class->is_handle;
    PyTypeObject *base = is_record ? state->record : state->pointer;
    PyType_Slot slots[3] = {{0, NULL}, {0, NULL}, {0, NULL}};
    char name[200];
    PyObject *type, *bases;
    unsigned used = 0;

    if (class->home != NULL) {
        return (PyTypeObject *)hs_at_home(class->home, class->name);
    }
    PyOS_snprintf(name, sizeof name, "%s.%s", state->table->surfaces[0].module, class->name);
    if (is_record) {
        slots[used].slot = Py_tp_getset;
        slots[used++].pfunc = attributes_of(state, class);
        if (slots[0].pfunc == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
    }
    slots[used].slot = Py_tp_doc;
    slots[used].pfunc = is_record ? "A structure or union of C." : "A handle.";
    PyType_Spec spec = {name, 0, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    bases = PyTuple_Pack(1, base); /* 3.9 takes a tuple only */
    type = bases != NULL ? PyType_FromModuleAndSpec(state->module, &spec, bases) : NULL;
    Py_XDECREF(bases);
    if (type == NULL && is_record) {
        free(slots[0].pfunc);
    }
    if (type != NULL && strchr(class->name, '.') != NULL) {
        /* "outer.member": a struct without a name of its own */
        PyObject *bare = PyUnicode_FromString(class->name);
        if (bare != NULL) {
            PyObject_SetAttrString(type, "__name__", bare);
            PyObject_SetAttrString(type, "__qualname__", bare);
            Py_DECREF(bare);
        }
    }
    return (PyTypeObject *)type;
}

PyTypeObject *hs_class_type(struct hs_state *state, unsigned number)
{
    PyTypeObject *expected = NULL, *made;
    PyTypeObject *found = __atomic_load_n(&state->classes[number], __ATOMIC_ACQUIRE);

    if (found != NULL) {
        return found;
    }
    made = make_class(state, number);
    if (made == NULL || __atomic_compare_exchange_n(&state->classes[number], &expected, made, false,
                                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        return made;
    }
    Py_DECREF(made); /* another thread was first */
    return expected;
}

PyObject *hs_pointer_new(struct hs_state *state, PyTypeObject *type, void *address)
{
    PyObject *made = PyType_GenericAlloc(type, 0);

    if (made != NULL) {
        ((struct hs_pointer *)hs_data(made, state->pointer))->address = address;
    }
    return made;
}

PyObject *hs_record_own(struct hs_state *state, PyObject *made, size_t size)
{
    struct hs_record *record = hs_data(made, state->record);

    record->data = PyMem_Calloc(1, size);
    record->owns = true;
    if (record->data == NULL) {
        Py_DECREF(made);
        return PyErr_NoMemory();
    }
    return made;
}

PyObject *hs_record_new(struct hs_state *state, unsigned number, void *data, PyObject *owner)
{
    PyTypeObject *type = hs_class_type(state, number);
    PyObject *made = type != NULL ? PyType_GenericAlloc(type, 0) : NULL;
    struct hs_record *record;

    if (made == NULL) {
        return NULL;
    }
    if (data == NULL) {
        return hs_record_own(state, made, state->table->classes[number].size);
    }
    record = hs_data(made, state->record);
    record->data = data;
    Py_XINCREF(owner);
    record->owner = owner;
    return made;
}

size_t hs_kind_size(const struct hs_state *state, unsigned kind, unsigned number)
{
    static const uint8_t sizes[KIND_NONE + 1] = {
        [KIND_I8] = 1,  [KIND_U8] = 1,  [KIND_I16] = 2,  [KIND_U16] = 2,   [KIND_I32] = 4,
        [KIND_U32] = 4, [KIND_F32] = 4, [KIND_ENUM] = 4, [KIND_CHARS] = 1, [KIND_BYTES] = 1};

    return kind == KIND_RECORD ? state->table->classes[number].size
           : sizes[kind] > 0   ? sizes[kind]
                               : 8;
}

/* NULL for Record itself. */
const struct hs_class *hs_class_of(PyObject *self)
{
    struct hs_state *state = hs_state_of(self);

    for (PyTypeObject *type = Py_TYPE(self);;) {
        for (unsigned n = 0; n < state->table->class_count; n++) {
            if (state->classes[n] == type) {
                return &state->table->classes[n];
            }
        }
        if (type == state->record) {
            return NULL;
        }
        type = (PyTypeObject *)PyType_GetSlot(type, Py_tp_base);
    }
}
