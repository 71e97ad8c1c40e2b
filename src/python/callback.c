/* SPDX-License-Identifier: MIT */
/*
 * Python functions that the library calls, on threads of its own.
 */
#include "python/state.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

/* What the library gets for the data of a Python function: what it calls, and with what. */
enum { CLOSURE_FUNCTION, CLOSURE_DATA, CLOSURE_ONCE, CLOSURE_MODULE, CLOSURE_ITEMS };

PyObject *hs_closure(PyObject *function, PyObject *data, bool once, PyObject *module)
{
    return PyTuple_Pack(CLOSURE_ITEMS, function, data, once ? Py_True : Py_False, module);
}

void hs_closure_set_data(PyObject *closure, PyObject *data)
{
    Py_INCREF(data);
    PyTuple_SetItem(closure, CLOSURE_DATA, data);
}

static void call_function(PyObject *closure, unsigned count, const uint8_t (*kinds)[2],
                          void *const *values)
{
    PyObject *function = PyTuple_GetItem(closure, CLOSURE_FUNCTION);
    PyObject *data = PyTuple_GetItem(closure, CLOSURE_DATA);
    struct hs_state *state = PyModule_GetState(PyTuple_GetItem(closure, CLOSURE_MODULE));
    PyObject *arguments = PyTuple_New(count + 1), *result = NULL;
    bool done = true;

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
    if (PyTuple_GetItem(closure, CLOSURE_ONCE) == Py_True) {
        Py_DECREF(closure);
    }
}

/*
 * A thread that waits for the interpreter while that ends never returns, and the library may wait
 * for the thread: so each counts itself before, and none begins after hs_end_callbacks().
 */
void hs_call_back(void *closure, unsigned count, const uint8_t (*kinds)[2], void *const *values)
{
    struct hs_state *state;

    if (!Py_IsInitialized()) {
        return; /* the process ends, and Python has ended */
    }
    state = PyModule_GetState(
        PyTuple_GetItem(closure, CLOSURE_MODULE)); /* the library's reference keeps it */
    __atomic_add_fetch(&state->callbacks, 1, __ATOMIC_SEQ_CST);
    if (!__atomic_load_n(&state->has_ended, __ATOMIC_SEQ_CST)) {
        PyGILState_STATE lock = PyGILState_Ensure();
        call_function(closure, count, kinds, values);
        PyGILState_Release(lock);
    }
    __atomic_sub_fetch(&state->callbacks, 1, __ATOMIC_SEQ_CST);
}

/* At the interpreter's exit: the functions that are running end, and no other begins. */
PyObject *hs_end_callbacks(PyObject *module, PyObject *unused)
{
    struct hs_state *state = PyModule_GetState(module);

    (void)unused;
    __atomic_store_n(&state->has_ended, true, __ATOMIC_SEQ_CST);
    if (state->process == (int)getpid()) { /* a child of fork has no thread of the library */
        Py_BEGIN_ALLOW_THREADS;
        while (__atomic_load_n(&state->callbacks, __ATOMIC_SEQ_CST) > 0) {
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        }
        Py_END_ALLOW_THREADS;
    }
    Py_INCREF(Py_None);
    return Py_None;
}

/*
 * A Python function with its data: sets the pointer to the function and the one to the data, which
 * is the next pointer.  Both live as long as the process, because a graph may keep them.
 */
bool hs_set_function(struct hs_state *state, const struct hs_class *class,
                     const struct hs_member *member, PyObject *value, char *data)
{
    void *trampoline = state->table->trampolines[member->number];
    bool is_pair = PyTuple_Check(value) && PyTuple_Size(value) == 2;
    PyObject *callable = is_pair ? PyTuple_GetItem(value, 0) : value;
    PyObject *closure =
        hs_closure(callable, is_pair ? PyTuple_GetItem(value, 1) : Py_None, false, state->module);

    void *pointer = closure;
    if (closure == NULL) {
        return false;
    }
    memcpy(data + member->offset / 8, &trampoline, sizeof trampoline);
    for (const struct hs_member *next = member + 1; next < class->members + class->count; next++) {
        if (next->kind == KIND_MEMORY) {
            memcpy(data + next->offset / 8, &pointer, sizeof pointer);
            return true;
        }
    }
    Py_DECREF(closure);
    PyErr_Format(PyExc_TypeError, "%s: has no data to tell one function from another",
                 member->name);
    return false;
}
