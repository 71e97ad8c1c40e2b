/* SPDX-License-Identifier: MIT */
/*
 * Python functions that the library calls, on threads of its own.
 */
#include "python/state.h"

#include <string.h>

/* `closure` is a tuple: the function, its data, whether it is called once at most, and the module.
 */
void hs_call_back(void *closure, unsigned count, const uint8_t (*kinds)[2], void *const *values)
{
    PyObject *tuple = closure, *arguments, *result = NULL;
    PyGILState_STATE lock;
    bool done = true;

    if (!Py_IsInitialized()) {
        return; /* the process ends, and Python has ended */
    }
    lock = PyGILState_Ensure();
    PyObject *function = PyTuple_GetItem(tuple, 0), *data = PyTuple_GetItem(tuple, 1);
    struct hs_state *state = PyModule_GetState(PyTuple_GetItem(tuple, 3));
    arguments = PyTuple_New(count + 1);
    for (unsigned n = 0; arguments != NULL && done && n < count; n++) {
        PyObject *item = hs_give(state, kinds[n][0], kinds[n][1], values[n], NULL);
        done = item != NULL && PyTuple_SetItem(arguments, n, item) == 0;
    }
    if (arguments != NULL && done) {
        Py_INCREF(data);
        PyTuple_SetItem(arguments, count, data);
        result = PyObject_Call(function, arguments, NULL);
    }
    if (result == NULL) {
        PyErr_WriteUnraisable(function); /* nobody is there to catch it */
    }
    Py_XDECREF(result);
    Py_XDECREF(arguments);
    if (PyTuple_GetItem(tuple, 2) == Py_True) {
        Py_DECREF(tuple);
    }
    PyGILState_Release(lock);
}

/*
 * A Python function with its data: sets the pointer to the function and the one to the data, which
 * is the next pointer.  Both live as long as the process, because a graph may keep them.
 */
bool hs_set_function(PyObject *module, const struct hs_class *class, const struct hs_member *member,
                     PyObject *value, char *data)
{
    bool is_pair = PyTuple_Check(value) && PyTuple_Size(value) == 2;
    PyObject *callable = is_pair ? PyTuple_GetItem(value, 0) : value;
    PyObject *closure =
        PyTuple_Pack(4, callable, is_pair ? PyTuple_GetItem(value, 1) : Py_None, Py_False, module);

    if (closure == NULL) {
        return false;
    }
    memcpy(data + member->offset / 8, &hs_module_table.trampolines[member->number], sizeof(void *));
    for (const struct hs_member *next = member + 1; next < class->members + class->count; next++) {
        if (next->kind == KIND_MEMORY) {
            memcpy(data + next->offset / 8, &closure, sizeof closure);
            return true;
        }
    }
    Py_DECREF(closure);
    PyErr_Format(PyExc_TypeError, "%s: has no data to tell one function from another",
                 member->name);
    return false;
}
