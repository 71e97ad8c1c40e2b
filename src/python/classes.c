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
    void *state;

    /* A class that a program derives from one of ours has no state of its own. */
    while ((state = PyType_GetModuleState(type)) == NULL) {
        PyErr_Clear();
        type = PyType_GetSlot(type, Py_tp_base);
    }
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

static PyTypeObject *make_class(struct hs_state *state, unsigned number)
{
    const struct hs_class *class = &hs_module_table.classes[number];
    bool is_record = class->size > 0 && !class->is_handle;
    PyTypeObject *base = is_record ? state->record : state->pointer;
    PyType_Slot slots[3] = {{0, NULL}, {0, NULL}, {0, NULL}};
    char name[200];
    PyObject *type, *bases;
    unsigned used = 0;

    PyOS_snprintf(name, sizeof name, "%s.%s", hs_module_table.surfaces[0].module, class->name);
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
        return hs_record_own(state, made, hs_module_table.classes[number].size);
    }
    record = hs_data(made, state->record);
    record->data = data;
    Py_XINCREF(owner);
    record->owner = owner;
    return made;
}

size_t hs_kind_size(unsigned kind, unsigned number)
{
    switch (kind) {
    case KIND_I8:
    case KIND_U8:
    case KIND_CHARS:
    case KIND_BYTES:
        return 1;
    case KIND_I16:
    case KIND_U16:
        return 2;
    case KIND_I32:
    case KIND_U32:
    case KIND_F32:
    case KIND_ENUM:
        return 4;
    case KIND_RECORD:
        return hs_module_table.classes[number].size;
    default:
        return 8;
    }
}

static size_t align_of(const struct hs_class *class)
{
    size_t align = 1;

    for (unsigned n = 0; n < class->count; n++) {
        const struct hs_member *member = &class->members[n];
        size_t own = member->kind == KIND_RECORD
                         ? align_of(&hs_module_table.classes[member->number])
                     : member->bits > 0 ? sizeof(unsigned)
                                        : hs_kind_size(member->kind, member->number);
        align = own > align ? own : align;
    }
    return align;
}

/* NULL for Record itself. */
const struct hs_class *hs_class_of(struct hs_state *state, PyObject *self)
{
    for (PyTypeObject *type = Py_TYPE(self);;) {
        for (unsigned n = 0; n < hs_module_table.class_count; n++) {
            if (state->classes[n] == type) {
                return &hs_module_table.classes[n];
            }
        }
        if (type == state->record) {
            return NULL;
        }
        type = (PyTypeObject *)PyType_GetSlot(type, Py_tp_base);
    }
}

size_t hs_record_size(struct hs_state *state, PyObject *record)
{
    return hs_class_of(state, record)->size;
}

size_t hs_record_align(struct hs_state *state, PyObject *record)
{
    return align_of(hs_class_of(state, record));
}
