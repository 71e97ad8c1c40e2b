/* SPDX-License-Identifier: MIT */
/*
 * The module itself: its state, the classes that are made when they are first needed, and the
 * namespaces of functions that the Python files of the package publish.
 */
#include "python/state.h"

#include <string.h>
#include <unistd.h>

/* --- a namespace of functions --- */

static const struct hs_name *find_name(const struct hs_surface_table *table, const char *name)
{
    unsigned from = 0, to = table->name_count;

    while (from < to) {
        unsigned middle = (from + to) / 2;
        int order = strcmp(name, table->names[middle].name);
        if (order == 0) {
            return &table->names[middle];
        }
        *(order < 0 ? &to : &from) = order < 0 ? middle : middle + 1;
    }
    return NULL;
}

static PyObject *named_object(struct hs_state *state, const struct hs_name *name)
{
    PyObject *found = NULL;

    switch (name->meaning) {
    case HS_NAMES_CLASS:
        found = (PyObject *)hs_class_type(state, name->number);
        break;
    case HS_NAMES_ENUM:
        if (hs_enum_state(state, name->number) != NULL) {
            found = state->enums[name->number].type;
        }
        break;
    case HS_NAMES_ENUMERATOR:
        return hs_enum_member(state, name->number, name->value);
    default:
        return PyLong_FromLongLong(name->value);
    }
    Py_XINCREF(found);
    return found;
}

static PyObject *surface_dir(PyObject *self, PyObject *unused);

static const char *const class_names[] = {"DeviceArray", "Pointer", "Record"};
enum { CLASS_COUNT = sizeof class_names / sizeof *class_names };

/* What every module has besides the names of the API; NULL without an exception if it is none. */
static PyObject *common_object(PyObject *self, const char *name)
{
    struct hs_state *state = ((struct hs_surface *)hs_data(self, Py_TYPE(self)))->state;
    PyTypeObject *const classes[] = {state->array, state->pointer, state->record};

    if (strcmp(name, "__all__") == 0) {
        return surface_dir(self, NULL);
    }
    for (unsigned n = 0; n < CLASS_COUNT; n++) {
        if (strcmp(name, class_names[n]) == 0) {
            Py_INCREF((PyObject *)classes[n]);
            return (PyObject *)classes[n];
        }
    }
    return NULL;
}

static PyObject *surface_getattr(PyObject *self, PyObject *wanted)
{
    struct hs_surface *surface = hs_data(self, Py_TYPE(self));
    const char *name = PyUnicode_AsUTF8AndSize(wanted, NULL);
    const struct hs_name *found = name != NULL ? find_name(surface->table, name) : NULL;

    if (found == NULL) {
        PyObject *common = name != NULL ? common_object(self, name) : NULL;
        if (common != NULL) {
            return common;
        }
        if (name != NULL && !PyErr_Occurred()) {
            PyErr_Format(PyExc_AttributeError, "module '%s' has no attribute '%s'",
                         surface->table->module, name);
        }
        return NULL;
    }
    return named_object(surface->state, found);
}

static bool append_name(PyObject *list, const char *name)
{
    PyObject *text = PyUnicode_FromString(name);
    bool done = text != NULL && PyList_Append(list, text) == 0;

    Py_XDECREF(text);
    return done;
}

/* For dir(), and for `from ... import *`. */
static PyObject *surface_dir(PyObject *self, PyObject *unused)
{
    struct hs_surface *surface = hs_data(self, Py_TYPE(self));
    PyObject *list = PyList_New(0);
    bool done = list != NULL;

    (void)unused;
    for (unsigned n = 0; done && n < CLASS_COUNT; n++) {
        done = append_name(list, class_names[n]);
    }
    for (const PyMethodDef *m = surface->table->methods; done && m->ml_name != NULL; m++) {
        done = append_name(list, m->ml_name);
    }
    for (unsigned n = 0; done && n < surface->table->name_count; n++) {
        done = append_name(list, surface->table->names[n].name);
    }
    if (!done) {
        Py_CLEAR(list);
    }
    return list;
}

static void surface_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    struct hs_surface *surface = hs_data(self, type);
    freefunc free_object = (freefunc)PyType_GetSlot(type, Py_tp_free);

    Py_XDECREF(surface->module);
    Py_XDECREF(surface->name);
    free_object(self);
    Py_DECREF(type);
}

/* A function is pickled as an attribute of its `self`, and this as the module of the package. */
static PyObject *surface_reduce(PyObject *self, PyObject *unused)
{
    struct hs_surface *surface = hs_data(self, Py_TYPE(self));
    PyObject *import = hs_at_home("importlib", "import_module"), *made = NULL;

    (void)unused;
    if (import != NULL && surface->name != NULL) {
        made = Py_BuildValue("O(O)", import, surface->name);
    }
    Py_XDECREF(import);
    return made != NULL || PyErr_Occurred() ? made : PyErr_NoMemory();
}

static PyMethodDef surface_methods[] = {
    {"__reduce__", surface_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot surface_slots[] = {
    {Py_tp_dealloc, surface_dealloc}, {Py_tp_methods, surface_methods}, {0, NULL}};
PyType_Spec hs_surface_spec = {"hipshim.Functions", HS_BASIC_SIZE(struct hs_surface), 0,
                               Py_TPFLAGS_DEFAULT, surface_slots};

static PyMethodDef namespace_methods[] = {
    {"__getattr__", surface_getattr, METH_O, NULL},
    {"__dir__", surface_dir, METH_NOARGS, NULL},
};

static bool add_function(PyObject *namespace, PyMethodDef *method, PyObject *self, PyObject *module)
{
    PyObject *function = PyCFunction_NewEx(method, self, module);
    bool done = function != NULL && PyDict_SetItemString(namespace, method->ml_name, function) == 0;

    Py_XDECREF(function);
    return done;
}

static const struct hs_surface_table *find_surface(const char *name)
{
    for (const struct hs_surface_table *t = hs_module_table.surfaces; t->module != NULL; t++) {
        if (strcmp(t->module, name) == 0) {
            return t;
        }
    }
    PyErr_Format(PyExc_ValueError, "no functions of %s", name);
    return NULL;
}

/*
 * publish(namespace, module, checked, old=False): the functions of a module, and how its other
 * names are found; `old` ones understand the calls of HIP Python up to 7.2.
 */
static PyObject *publish(PyObject *module, PyObject *args)
{
    struct hs_state *state = PyModule_GetState(module);
    const struct hs_surface_table *table;
    PyObject *namespace, *made, *name;
    const char *text;
    int checked, old = 0;
    bool done;

    if (!PyArg_ParseTuple(args, "Osp|p", &namespace, &text, &checked, &old)) {
        return NULL;
    }
    table = find_surface(text);
    made = table != NULL ? PyType_GenericAlloc(state->surface, 0) : NULL;
    if (made == NULL) {
        return NULL;
    }
    struct hs_surface *surface = hs_data(made, state->surface);
    surface->state = state;
    surface->table = table;
    surface->checked = checked;
    surface->old = old;
    surface->module = module;
    Py_INCREF(module);
    name = PyDict_GetItemString(namespace, "__name__");
    done = name != NULL;
    Py_XINCREF(name);
    surface->name = name;
    for (PyMethodDef *m = table->methods; done && m->ml_name != NULL; m++) {
        done = add_function(namespace, m, made, name);
    }
    for (unsigned n = 0; done && n < sizeof namespace_methods / sizeof *namespace_methods; n++) {
        done = add_function(namespace, &namespace_methods[n], made, name);
    }
    Py_DECREF(made);
    return done ? Py_BuildValue("") : NULL;
}

/* set_text(class): a class below str for the texts in records; None for str itself */
static PyObject *set_text(PyObject *module, PyObject *type)
{
    struct hs_state *state = PyModule_GetState(module);
    PyObject *old = state->text;

    Py_INCREF(type);
    state->text = type == Py_None ? NULL : type;
    Py_XDECREF(old);
    Py_RETURN_NONE;
}

PyMethodDef hs_module_methods[] = {
    {"end_callbacks", hs_end_callbacks, METH_NOARGS, NULL},
    {"set_text", set_text, METH_O, NULL},
    {"publish", publish, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

/* --- the module --- */

/* The classes of another module's pointers and records are that of the first. */
static bool borrow_types(struct hs_state *state)
{
    const char *core = hs_module_table.core;

    state->pointer = (PyTypeObject *)hs_at_home(core, "Pointer");
    state->array = (PyTypeObject *)hs_at_home(core, "DeviceArray");
    state->record = (PyTypeObject *)hs_at_home(core, "Record");
    return state->pointer != NULL && state->array != NULL && state->record != NULL;
}

static bool make_types(struct hs_state *state, PyObject *module)
{
    const struct {
        PyTypeObject **to;
        PyType_Spec *spec;
        PyTypeObject **base;
    } types[] = {
        {&state->surface, &hs_surface_spec, NULL},
        {&state->pointer, &hs_pointer_spec, NULL},
        {&state->array, &hs_array_spec, &state->pointer},
        {&state->record, &hs_record_spec, NULL},
    };
    unsigned count = hs_module_table.core == NULL ? sizeof types / sizeof *types : 1;

    for (unsigned n = 0; n < count; n++) {
        PyObject *bases = types[n].base != NULL ? PyTuple_Pack(1, *types[n].base) : NULL;
        if (types[n].base == NULL || bases != NULL) {
            *types[n].to = (PyTypeObject *)PyType_FromModuleAndSpec(module, types[n].spec, bases);
        }
        Py_XDECREF(bases);
        if (*types[n].to == NULL) {
            return false;
        }
    }
    if (hs_module_table.core != NULL && !borrow_types(state)) {
        return false;
    }
    return PyObject_SetAttrString(module, "Pointer", (PyObject *)state->pointer) == 0 &&
           PyObject_SetAttrString(module, "DeviceArray", (PyObject *)state->array) == 0 &&
           PyObject_SetAttrString(module, "Record", (PyObject *)state->record) == 0;
}

/* The interpreter calls end_callbacks() before it ends. */
static bool end_at_exit(PyObject *module)
{
    PyObject *exits = PyImport_ImportModule("atexit"), *done = NULL;
    PyObject *function = PyObject_GetAttrString(module, "end_callbacks");

    if (exits != NULL && function != NULL) {
        done = PyObject_CallMethod(exits, "register", "O", function);
    }
    Py_XDECREF(done);
    Py_XDECREF(function);
    Py_XDECREF(exits);
    return done != NULL;
}

int hs_module_exec(PyObject *module)
{
    struct hs_state *state = PyModule_GetState(module);

    state->table = &hs_module_table;
    state->module = module;
    state->get_member = hs_get_member;
    state->set_member = hs_set_member;
    state->error = hs_at_home("hipshim.errors", "HipError");
    state->classes = PyMem_Calloc(hs_module_table.class_count + 1, sizeof(void *));
    state->enums = PyMem_Calloc(hs_module_table.enum_count + 1, sizeof *state->enums);
    if (state->classes == NULL || state->enums == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    state->process = (int)getpid();
    return state->error != NULL && make_types(state, module) && end_at_exit(module) ? 0 : -1;
}

void hs_module_free(void *module)
{
    struct hs_state *state = PyModule_GetState(module);

    if (state == NULL) {
        return;
    }
    for (unsigned n = 0; state->classes != NULL && n < hs_module_table.class_count; n++) {
        Py_XDECREF((PyObject *)state->classes[n]);
    }
    for (unsigned n = 0; state->enums != NULL && n < hs_module_table.enum_count; n++) {
        Py_XDECREF(state->enums[n].type);
        Py_XDECREF(state->enums[n].members);
        Py_XDECREF(state->enums[n].zero);
        Py_XDECREF(state->enums[n].zero_alone);
    }
    PyMem_Free(state->classes);
    PyMem_Free(state->enums);
    Py_XDECREF(state->error);
    Py_XDECREF(state->text);
    Py_XDECREF((PyObject *)state->pointer);
    Py_XDECREF((PyObject *)state->array);
    Py_XDECREF((PyObject *)state->record);
    Py_XDECREF((PyObject *)state->surface);
}
