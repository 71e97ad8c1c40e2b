/* SPDX-License-Identifier: MIT */
/*
 * Python functions that the library calls, on threads of its own.
 */
#include "python/state.h"

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
