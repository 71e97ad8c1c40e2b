/* SPDX-License-Identifier: MIT */
/*
 * Pointer, and DeviceArray below it.  A handle's class is below Pointer, too (module.c).
 *
 * A Pointer of a call's result owns nothing: the program frees it, as in C.  DeviceArray(...)
 * allocates memory and frees it with the object.
 */
#include "python/state.h"

#include <string.h>
#include <structmember.h>
#include <unistd.h>

static void pointer_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    struct hs_pointer *data = hs_pointer_data(self);
    freefunc free_object = (freefunc)PyType_GetSlot(type, Py_tp_free);

    /* A child of fork does not own what its parent allocated. */
    if (data->process != 0 && data->process == (int)getpid() && !data->is_freed) {
        PyObject *type_, *value, *traceback;
        PyErr_Fetch(&type_, &value, &traceback);
        Py_BEGIN_ALLOW_THREADS;
        hs_module_table.release(data->address);
        Py_END_ALLOW_THREADS;
        PyErr_Restore(type_, value, traceback);
    }
    Py_XDECREF(data->owner);
    Py_XDECREF(data->shape);
    Py_XDECREF(data->typestr);
    free_object(self);
    Py_DECREF(type);
}

/* Pointer(object): the address of whatever a call takes for a pointer. */
static PyObject *pointer_make(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    struct hs_state *state;
    PyObject *from = Py_None, *made = PyType_GenericAlloc(type, 0);

    static char *names[] = {"object", NULL};
    if (made == NULL || !PyArg_ParseTupleAndKeywords(args, keywords, "|O:Pointer", names, &from)) {
        Py_XDECREF(made);
        return NULL;
    }
    state = hs_state_of(made);
    PyObject *kept = PyList_New(0);
    struct hs_place place = {state, NULL, kept, "Pointer()", SIZE_MAX};
    struct hs_pointer *data = hs_data(made, state->pointer);
    if (kept == NULL || !hs_take_pointer(&place, from, false, &data->address)) {
        Py_XDECREF(kept);
        Py_DECREF(made);
        return NULL;
    }
    data->owner = kept;
    data->size = place.size == SIZE_MAX ? 0 : place.size;
    return made;
}

static PyObject *pointer_int(PyObject *self)
{
    struct hs_pointer *data = hs_pointer_data(self);

    if (data->is_freed) {
        PyErr_Format(PyExc_ValueError, "this %s was freed", "Pointer");
        return NULL;
    }
    return PyLong_FromVoidPtr(data->address);
}

static int pointer_bool(PyObject *self)
{
    return hs_pointer_data(self)->address != NULL;
}

static Py_hash_t pointer_hash(PyObject *self)
{
    Py_hash_t hash = (Py_hash_t)((uintptr_t)hs_pointer_data(self)->address >> 4);

    return hash == -1 ? -2 : hash;
}

static PyObject *pointer_compare(PyObject *self, PyObject *other, int operation)
{
    struct hs_state *state = hs_state_of(self);
    bool is_equal;

    if ((operation != Py_EQ && operation != Py_NE) || !PyObject_TypeCheck(other, state->pointer)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    is_equal = hs_pointer_data(self)->address ==
               ((struct hs_pointer *)hs_data(other, state->pointer))->address;
    return PyBool_FromLong(is_equal == (operation == Py_EQ));
}

static PyObject *pointer_repr(PyObject *self)
{
    struct hs_pointer *data = hs_pointer_data(self);
    PyObject *name = PyObject_GetAttrString((PyObject *)Py_TYPE(self), "__name__");
    PyObject *text = NULL;

    if (name != NULL) {
        text =
            PyUnicode_FromFormat("<%U %p%s>", name, data->address, data->is_freed ? ", freed" : "");
        Py_DECREF(name);
    }
    return text;
}

static PyObject *pointer_ref(PyObject *self, PyObject *unused)
{
    struct hs_pointer *data = hs_pointer_data(self);
    struct hs_state *state = hs_state_of(self);
    PyObject *bytes = PyBytes_FromStringAndSize((char *)&data->address, sizeof data->address);
    PyObject *made;

    (void)unused;
    if (bytes == NULL) {
        return NULL;
    }
    made = hs_pointer_new(state, state->pointer, PyBytes_AsString(bytes));
    if (made == NULL) {
        Py_DECREF(bytes);
        return NULL;
    }
    ((struct hs_pointer *)hs_data(made, state->pointer))->owner = bytes;
    return made;
}

static PyObject *pointer_from(PyObject *type, PyObject *object)
{
    return PyObject_CallFunctionObjArgs(type, object, NULL);
}

static PyMethodDef pointer_methods[] = {
    {"createRef", pointer_ref, METH_NOARGS, "createRef($self)\n--\n\nA pointer to the address."},
    {"fromObj", pointer_from, METH_O | METH_CLASS,
     "fromObj($type, object)\n--\n\nThe object of this class for any kind of address."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot pointer_slots[] = {
    {Py_tp_doc, "Pointer(object=None)\n--\n\nAn address: of memory, or of what a handle names."},
    {Py_tp_new, pointer_make},
    {Py_tp_dealloc, pointer_dealloc},
    {Py_tp_repr, pointer_repr},
    {Py_tp_hash, pointer_hash},
    {Py_tp_richcompare, pointer_compare},
    {Py_nb_int, pointer_int},
    {Py_nb_index, pointer_int},
    {Py_nb_bool, pointer_bool},
    {Py_tp_methods, pointer_methods},
    {0, NULL},
};

PyType_Spec hs_pointer_spec = {"hipshim.Pointer", HS_BASIC_SIZE(struct hs_pointer), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, pointer_slots};
