/* SPDX-License-Identifier: MIT */
/*
 * A DeviceArray as a tensor of DLPack.
 */
#include "python/state.h"

#include <stdlib.h>

struct managed {
    struct {
        void *data;
        int32_t device_type, device_id, dimensions;
        uint8_t code, bits;
        uint16_t lanes;
        int64_t *shape, *strides;
        uint64_t byte_offset;
    } tensor;
    PyObject *owner;
    void (*delete)(struct managed *);
    int64_t shape[];
};

static void delete_managed(struct managed *managed)
{
    PyGILState_STATE lock;

    if (!Py_IsInitialized()) {
        return; /* the process ends, and Python has ended */
    }
    lock = PyGILState_Ensure();
    Py_DECREF(managed->owner);
    free(managed);
    PyGILState_Release(lock);
}

/* A consumer renames the capsule, and then frees the tensor itself. */
static void delete_capsule(PyObject *capsule)
{
    if (PyCapsule_IsValid(capsule, "dltensor")) {
        delete_managed(PyCapsule_GetPointer(capsule, "dltensor"));
    }
}

/* Its number; 0 if the memory is of no device. */
static int device_of(const struct hs_pointer *data)
{
    int number = data->address != NULL ? hs_module_table.device_of(data->address) : 0;

    return number < 0 ? 0 : number;
}

PyObject *hs_array_dlpack_device(PyObject *self, PyObject *unused)
{
    (void)unused;
    return hs_array_is_usable(hs_pointer_data(self))
               ? Py_BuildValue("(ii)", 10, device_of(hs_pointer_data(self)))
               : NULL;
}

static uint8_t dlpack_code(char kind)
{
    return kind == 'i' ? 0 : kind == 'u' ? 1 : kind == 'f' ? 2 : kind == 'c' ? 5 : 6;
}

/*
 * The consumer's stream is not waited for: the memory is up to date when the program says so.  The
 * tensor is the memory itself on its own device, in the form that every version of DLPack knows.
 */
static bool accept_request(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"stream", "max_version", "dl_device", "copy", NULL};
    PyObject *stream, *version, *device = Py_None, *copy = Py_None, *own;
    bool accepted = false;

    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$OOOO:__dlpack__", names, &stream, &version,
                                     &device, &copy)) {
        return false;
    }
    own = hs_array_dlpack_device(self, NULL);
    if (own != NULL) {
        int is_there = device == Py_None ? 1 : PyObject_RichCompareBool(own, device, Py_EQ);
        accepted = is_there == 1 && copy != Py_True;
        Py_DECREF(own);
    }
    if (!accepted && !PyErr_Occurred()) {
        PyErr_SetString(PyExc_BufferError,
                        "a DeviceArray is neither copied nor moved to another device by DLPack");
    }
    return accepted;
}

PyObject *hs_array_dlpack(PyObject *self, PyObject *args, PyObject *keywords)
{
    if (!accept_request(self, args, keywords)) {
        return NULL;
    }
    struct hs_pointer *data = hs_pointer_data(self);
    PyObject *shape = hs_array_shape(self, NULL), *typestr = hs_array_typestr(self, NULL),
             *capsule = NULL;
    const char *text = typestr != NULL ? PyUnicode_AsUTF8AndSize(typestr, NULL) : NULL;

    if (text != NULL && text[1] == 'V') {
        PyErr_Format(PyExc_BufferError, "DLPack has no type %U", typestr);
    } else if (text != NULL && shape != NULL && hs_array_is_usable(data)) {
        Py_ssize_t dimensions = PyTuple_Size(shape);
        struct managed *made = calloc(1, sizeof *made + (size_t)dimensions * sizeof *made->shape);
        if (made != NULL) {
            made->tensor.data = data->address;
            made->tensor.device_type = 10; /* kDLROCM */
            made->tensor.device_id = device_of(data);
            made->tensor.dimensions = (int32_t)dimensions;
            made->tensor.code = dlpack_code(text[1]);
            made->tensor.bits = (uint8_t)(hs_array_item_size(data) * 8);
            made->tensor.lanes = 1;
            made->tensor.shape = made->shape;
            for (Py_ssize_t n = 0; n < dimensions; n++) {
                made->shape[n] = PyLong_AsLongLong(PyTuple_GetItem(shape, n));
            }
            Py_INCREF(self);
            made->owner = self;
            made->delete = delete_managed;
            capsule = PyCapsule_New(made, "dltensor", delete_capsule);
        }
    }
    Py_XDECREF(shape);
    Py_XDECREF(typestr);
    return capsule != NULL || PyErr_Occurred() ? capsule : PyErr_NoMemory();
}
