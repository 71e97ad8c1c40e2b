/* SPDX-License-Identifier: MIT */
/*
 * A Python module over one API.  hipgen writes the tables that this header declares and a small
 * function for each one of the API; src/python converts arguments and results by the tables.
 *
 * It is written for Python's limited API, so one file serves many versions of CPython: 3.9 and
 * later with the global interpreter lock, 3.15 and later without it.
 *
 * Threads: calls hold no lock and share only the state of the module, whose members are set once.
 * The interpreter lock, where there is one, is released while a function of the API runs.
 */
#ifndef HIPSHIM_SRC_PYTHON_MODULE_H
#define HIPSHIM_SRC_PYTHON_MODULE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>
#include <stdint.h>

/* How C has a value. */
enum hs_kind {
    KIND_I8,
    KIND_U8,
    KIND_I16,
    KIND_U16,
    KIND_I32,
    KIND_U32,
    KIND_I64,
    KIND_U64,
    KIND_F32,
    KIND_F64,
    KIND_ENUM,     /* of hs_enum `number` */
    KIND_HANDLE,   /* a pointer to hs_class `number`, which only the library follows */
    KIND_MEMORY,   /* a pointer to bytes */
    KIND_TEXT,     /* a pointer to a string */
    KIND_RECORD,   /* hs_class `number` itself */
    KIND_FUNCTION, /* a pointer to a function of type `number` */
    KIND_CHARS,    /* an array of characters with a string in it */
    KIND_BYTES,    /* an array of other bytes; as a result, bytes that another parameter counts */
    KIND_NONE      /* void */
};

/* What a function does with a parameter. */
enum hs_flow {
    FLOW_IN = 1,
    FLOW_OUT = 2,
    FLOW_INOUT = 3,
    FLOW_LIST = 4,        /* points to values of the kind */
    FLOW_POINTED = 8,     /* points to a record */
    FLOW_WRITTEN = 16,    /* memory of the caller that the function may write */
    FLOW_DATA = 32,       /* the last argument of the function that is called back */
    FLOW_QUERIED = 64,    /* the length of lists, for which the function is called first */
    FLOW_BORROWED = 256,  /* a list that stays the library's */
    FLOW_ARGUMENTS = 512, /* addresses of a kernel's arguments */
    FLOW_PACKED = 1024,   /* a kernel's arguments in one buffer */
    FLOW_PITCHED = 2048,  /* memory with rows: the length is that of a row, `number` the width */
    FLOW_PLAIN = 4096,    /* a number, a handle, memory or a text that is only passed on */
    FLOW_SCALAR = 8192    /* points to one number, and a number of Python will do */
};

struct hs_parameter {
    uint16_t flow;
    uint8_t kind;
    uint8_t number;
    int8_t length; /* the parameter that counts, in items of `number` bytes for memory, where 0 is
                      1; -1 none, -1 - N always N */
};

/* What a call does not have to look for where it is not. */
enum hs_trait {
    TRAIT_QUERIED = 1,
    TRAIT_RECORDS = 2, /* results that exist before the call */
    TRAIT_STATUS = 4   /* its own result is a status, and 0 success */
};

struct hs_signature {
    const char *text; /* "name($self, first, second=None)\n--\n\ndocumentation" */
    const struct hs_parameter *params;
    uint8_t count;     /* of the parameters */
    uint8_t arguments; /* of those that Python passes */
    uint8_t required;
    uint8_t result;  /* its kind */
    uint8_t number;  /* of the result's enum or class */
    int8_t bytes;    /* the parameter with the size of the memory that is returned, or -1 */
    bool runs_once;  /* calls a function back once at most */
    uint8_t traits;  /* of hs_trait */
    uint8_t results; /* besides that of the function itself */
    int8_t freed;    /* the argument that is no more after the call, or -1 */
};

struct hs_member {
    const char *name;
    uint16_t offset; /* in bits */
    uint16_t count;  /* of an array, or 0 */
    uint8_t kind;
    uint8_t number;
    uint8_t bits; /* of a bit-field, or 0 */
};

struct hs_class {
    const char *name;
    const struct hs_member *members;
    uint32_t size; /* 0 for a handle */
    uint16_t count;
    uint8_t missing; /* the value of members that a shorter list leaves out */
    bool is_handle;  /* only the library looks into it */
    uint8_t align;
    const char *home; /* the module that has the class, or NULL for this one */
};

struct hs_enum {
    const char *name;
    const char *const *names;
    const int64_t *values;
    uint16_t count;
    const char *home; /* as of a class */
};

/* A name of the module that is no function. */
enum hs_meaning { HS_NAMES_CLASS, HS_NAMES_ENUM, HS_NAMES_ENUMERATOR, HS_NAMES_NUMBER };
struct hs_name {
    const char *name;
    int64_t value; /* of a number or an enumerator */
    uint8_t meaning;
    uint8_t number; /* of the class or enum */
};

/* The functions and names of one library of the API. */
struct hs_surface_table {
    const char *module; /* "hipshim.hip" */
    PyMethodDef *methods;
    const struct hs_name *names; /* sorted */
    unsigned name_count;
};

/* The generated tables of the API. */
struct hs_module_table {
    const struct hs_class *classes;
    const struct hs_enum *enums;
    const struct hs_surface_table *surfaces; /* ends with one without a module */
    void *const *trampolines;                /* by the number of the function's type */
    unsigned class_count, enum_count;
    const char *core; /* the module with the classes Pointer and Record, or NULL for this one */
    const char *(*error_text)(void); /* the library's own reason for the last failure, or NULL */

    /* Of an API with memory, else NULL: what DeviceArray needs. */
    int (*allocate)(void **memory, size_t size);
    int (*release)(void *memory);
    int (*device_of)(void *memory); /* its number, 0 if it is not known */
};
extern const struct hs_module_table hs_module_table;

/* A parameter during a call, in C's form. */
union hs_value {
    int64_t i64;
    uint64_t u64;
    float f32;
    double f64;
    void *p;
};

struct hs_state;

struct hs_call {
    struct hs_state *state;
    const struct hs_signature *signature;
    union hs_value *v;
    PyObject *const *in; /* by argument; NULL where a default is wanted */
    struct hs_node *nodes;
    Py_buffer views[2]; /* the first ones that the call holds; nodes have the others */
    uint8_t view_count;
    PyObject *closure; /* of a function that is called back */
    uint8_t argument;  /* the one that is converted now */
    bool asked;        /* the lengths are known */
    bool failed;       /* after the call, with an exception set */
    bool checked;      /* failures raise */
    bool old;          /* HIP Python's calls up to 7.2 are understood */
    bool is_filled;    /* such a call with the records to fill */
    bool is_short;     /* such a call without lists of handles */
    uint32_t sized;    /* a bit for each parameter whose size is known */
    PyObject *slots[32];
    PyObject *made[32]; /* results that exist before the call, by parameter */
    size_t sizes[32];   /* of the items or bytes that an argument has, where `sized` has a bit */
};

/* Converts the arguments; false with an exception set. */
bool hs_begin(struct hs_call *call, PyObject *self, const struct hs_signature *signature,
              union hs_value *v, PyObject *const *args, Py_ssize_t given, PyObject *names);
/* Whether the function has to be called again, now with room for its lists. */
bool hs_again(struct hs_call *call, uint64_t result);
/* The results; releases everything that the call holds. */
PyObject *hs_finish(struct hs_call *call, uint64_t result);

/* Calls a Python callable from a thread of the library; the last one is its data. */
void hs_call_back(void *closure, unsigned count, const uint8_t (*kinds)[2], void *const *values);

#define HS_INITIAL(...)                                                                            \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define HS_FUNCTION(name, index, count, initial, ...)                                              \
    static PyObject *call_##name(PyObject *self, PyObject *const *args, Py_ssize_t given,          \
                                 PyObject *names)                                                  \
    {                                                                                              \
        union hs_value v[(count) + 1] = initial;                                                   \
        struct hs_call call;                                                                       \
        uint64_t result = 0;                                                                       \
                                                                                                   \
        if (!hs_begin(&call, self, &signatures[index], v, args, given, names)) {                   \
            return NULL;                                                                           \
        }                                                                                          \
        do {                                                                                       \
            Py_BEGIN_ALLOW_THREADS;                                                                \
            __VA_ARGS__;                                                                           \
            Py_END_ALLOW_THREADS;                                                                  \
        } while ((signatures[index].traits & TRAIT_QUERIED) && hs_again(&call, result));           \
        return hs_finish(&call, result);                                                           \
    }

#endif
