/* SPDX-License-Identifier: MIT */
/*
 * Memory and streams of other libraries' objects: __cuda_array_interface__, __cuda_stream__ and
 * DLPack.
 */
#include "python/state.h"

static bool refuse_interface(struct hs_place *place, const char *what)
{
    PyErr_Clear();
    return hs_refuse(place, PyExc_TypeError, "expected an address in the object's %s", what);
}

/* The address that is item `n` of a tuple. */
static bool take_item(struct hs_place *place, PyObject *tuple, Py_ssize_t n, const char *what,
                      void **to)
{
    PyObject *item = PySequence_GetItem(tuple, n);
    PyObject *number = item != NULL ? PyNumber_Index(item) : NULL;
    bool taken =
        number != NULL ? hs_take_address(place, number, to) : refuse_interface(place, what);

    Py_XDECREF(number);
    Py_XDECREF(item);
    return taken;
}

static bool is_true(PyObject *tuple, Py_ssize_t n)
{
    PyObject *item = PySequence_GetItem(tuple, n);
    int answer = item != NULL ? PyObject_IsTrue(item) : 0;

    PyErr_Clear();
    Py_XDECREF(item);
    return answer == 1;
}

static bool take_array(struct hs_place *place, PyObject *interface, PyObject *from, bool written,
                       void **to)
{
    static const char what[] = "__cuda_array_interface__";
    PyObject *data = PyMapping_Check(interface) ? PyMapping_GetItemString(interface, "data") : NULL;
    bool taken = data != NULL ? take_item(place, data, 0, what, to) : refuse_interface(place, what);

    if (taken && written && is_true(data, 1)) {
        taken = hs_refuse_type(place, "memory that can be written", from);
    }
    Py_XDECREF(data);
    return taken && hs_hold(place, from);
}

/* A method that returns a version and an address; some have the pair itself as the attribute. */
static bool take_stream(struct hs_place *place, PyObject *found, PyObject *from, void **to)
{
    PyObject *pair = NULL;
    bool taken;

    if (PyCallable_Check(found)) {
        pair = PyObject_CallObject(found, NULL);
        if (pair == NULL) {
            return false;
        }
    } else {
        Py_INCREF(found);
        pair = found;
    }
    taken = take_item(place, pair, 1, "__cuda_stream__", to);
    Py_DECREF(pair);
    return taken && hs_hold(place, from);
}

/* The first members of DLPack's tensor: the only ones that a reader of its address needs. */
struct tensor {
    void *data;
    int32_t device_type, device_id;
    int32_t dimensions;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides;
    uint64_t byte_offset;
};

/* DLPack since 1.0 puts this before the tensor. */
struct versioned {
    uint32_t major, minor;
    void *context;
    void (*delete)(struct versioned *);
    uint64_t flags; /* the first one: read only */
    struct tensor tensor;
};

static bool is_reachable(int type)
{
    enum { CPU = 1, CUDA = 2, CUDA_HOST = 3, ROCM = 10, ROCM_HOST = 11, CUDA_MANAGED = 13 };

    return type == CPU || type == CUDA || type == CUDA_HOST || type == ROCM || type == ROCM_HOST ||
           type == CUDA_MANAGED;
}

static bool take_tensor(struct hs_place *place, PyObject *found, PyObject *from, bool written,
                        void **to)
{
    PyObject *capsule = PyObject_CallObject(found, NULL);
    struct tensor *tensor = NULL;
    bool is_constant = false, is_held;

    if (capsule == NULL) {
        return false;
    }
    if (PyCapsule_IsValid(capsule, "dltensor")) {
        tensor = PyCapsule_GetPointer(capsule, "dltensor");
    } else if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
        struct versioned *managed = PyCapsule_GetPointer(capsule, "dltensor_versioned");
        tensor = managed->major == 1 ? &managed->tensor : NULL;
        is_constant = managed->major == 1 && (managed->flags & 1);
    }
    if (tensor == NULL) {
        Py_DECREF(capsule);
        return hs_refuse_type(place, "a DLPack tensor", from);
    }
    int type = tensor->device_type;
    *to = (char *)tensor->data + tensor->byte_offset;
    is_held = hs_hold(place, capsule); /* its destructor frees the tensor */
    Py_DECREF(capsule);
    if (!is_reachable(type)) {
        return hs_refuse(place, PyExc_ValueError, "the tensor is on a device of DLPack's type %d",
                         type);
    }
    if (written && is_constant) {
        return hs_refuse_type(place, "memory that can be written", from);
    }
    return is_held;
}

bool hs_take_by_protocol(struct hs_place *place, PyObject *from, bool written, void **to,
                         bool *is_known)
{
    static const char *const names[] = {"__cuda_array_interface__", "__cuda_stream__",
                                        "__dlpack__"};
    PyObject *found = NULL;
    bool taken;
    unsigned n;

    *is_known = true;
    for (n = 0; n < 3 && found == NULL; n++) {
        found = PyObject_GetAttrString(from, names[n]);
        if (found == NULL && !PyErr_ExceptionMatches(PyExc_AttributeError)) {
            return false; /* the object's own reason */
        }
        if (found == NULL) {
            PyErr_Clear();
        }
    }
    if (found == NULL) {
        *is_known = false;
        return false;
    }
    taken = n == 1   ? take_array(place, found, from, written, to)
            : n == 2 ? take_stream(place, found, from, to)
                     : take_tensor(place, found, from, written, to);
    Py_DECREF(found);
    return taken;
}
