/* SPDX-License-Identifier: MIT */
/*
 * What the files of src/python share: the state of the module, and its objects.
 */
#ifndef HIPSHIM_SRC_PYTHON_STATE_H
#define HIPSHIM_SRC_PYTHON_STATE_H

#include "python/module.h"

/* Where an object of `base` or of a class below it has its data. */
static inline void *hs_data(PyObject *object, PyTypeObject *base)
{
#ifdef Py_TARGET_ABI3T
    return PyObject_GetTypeData(object, base);
#else
    (void)base;
    return (char *)object + sizeof(PyObject);
#endif
}

/* The basicsize of a class whose objects have `type` as their data. */
#ifdef Py_TARGET_ABI3T
#define HS_BASIC_SIZE(type) (-(int)sizeof(type))
#else
#define HS_BASIC_SIZE(type) ((int)(sizeof(PyObject) + sizeof(type)))
#endif

/* A pointer: a handle, or memory. */
struct hs_pointer {
    void *address;
    size_t size;     /* bytes, or 0 if they are unknown */
    PyObject *owner; /* keeps the memory alive, or NULL */
    PyObject *shape; /* of a DeviceArray: a tuple, and the text of its type; or NULL */
    PyObject *typestr;
    int process; /* that has to free the memory; 0 if nobody has */
    bool is_freed;
};

/* A record: its own memory, or a part of another object's. */
struct hs_record {
    char *data;
    PyObject *owner; /* NULL if the record owns `data` or nobody has to */
    PyObject *kept;  /* a dict of the objects that its pointers point to, or NULL */
    bool owns;
};

/* A module of functions: `self` of each of them. */
struct hs_surface {
    struct hs_state *state;
    const struct hs_surface_table *table;
    PyObject *module; /* keeps the state alive */
    PyObject *name;   /* of the Python module that has the functions */
    bool checked;
    bool old; /* as HIP Python up to 7.2 calls them, too */
};

struct hs_enum_state {
    PyObject *claimed; /* the type, from the moment at which a thread begins to set the others */
    PyObject *type;    /* an IntEnum; set last */
    PyObject *members; /* its members by value */
    PyObject *zero;    /* the member of 0, and a tuple that has only this */
    PyObject *zero_alone;
};

struct hs_state {
    const struct hs_module_table *table;
    PyTypeObject *pointer, *array, *record, *surface;
    PyObject *module; /* itself, which is not counted */
    PyObject *error;  /* HipError */
    PyObject *text;   /* the class of texts in records, or NULL for str */
    PyTypeObject **classes;
    getter get_member; /* of records */
    setter set_member;
    struct hs_enum_state *enums;
    unsigned callbacks; /* threads of the library that run or wait for a Python function */
    bool has_ended;     /* no more of them begin */
    int process;        /* that made the module */
};

static inline char *hs_record_data(struct hs_state *state, PyObject *record)
{
    return ((struct hs_record *)hs_data(record, state->record))->data;
}

/* These return NULL with an exception set. */
PyObject *hs_at_home(const char *home, const char *name); /* a class or enum of another module */
PyTypeObject *hs_class_type(struct hs_state *state, unsigned number);
struct hs_enum_state *hs_enum_make(struct hs_state *state, unsigned number);
static inline struct hs_enum_state *hs_enum_state(struct hs_state *state, unsigned number)
{
    struct hs_enum_state *found = &state->enums[number];

    return __atomic_load_n(&found->type, __ATOMIC_ACQUIRE) != NULL ? found
                                                                   : hs_enum_make(state, number);
}
PyObject *hs_enum_member(struct hs_state *state, unsigned number, int64_t value);
const struct hs_class *hs_class_of(PyObject *record);
PyObject *hs_pointer_new(struct hs_state *state, PyTypeObject *type, void *address);
/* With memory of its own if `data` is NULL. */
PyObject *hs_record_new(struct hs_state *state, unsigned number, void *data, PyObject *owner);
/* Gives a new record memory, zeroed; without it, releases the record. */
PyObject *hs_record_own(struct hs_state *state, PyObject *made, size_t size);

/* The attributes of records; `closure` is the hs_member. */
PyObject *hs_get_member(PyObject *self, void *closure);
int hs_set_member(PyObject *self, PyObject *value, void *closure);

/* A function of Python with its data, as the library's own data; NULL with an exception set. */
PyObject *hs_closure(PyObject *function, PyObject *data, bool once, PyObject *module);
void hs_closure_set_data(PyObject *closure, PyObject *data);
PyObject *hs_end_callbacks(PyObject *module, PyObject *unused);
/* A function of Python as a record's member. */
bool hs_set_function(struct hs_state *state, const struct hs_class *class,
                     const struct hs_member *member, PyObject *value, char *data);

extern PyType_Spec hs_pointer_spec, hs_array_spec, hs_record_spec, hs_surface_spec;

/* The state of the module that made the class of an object. */
struct hs_state *hs_state_of(PyObject *object);

static inline struct hs_pointer *hs_pointer_data(PyObject *self)
{
    return hs_data(self, hs_state_of(self)->pointer);
}

/* --- the module: module.c, for entry.c --- */

extern PyMethodDef hs_module_methods[];
int hs_module_exec(PyObject *module);
void hs_module_free(void *module);

/* --- a call: arguments.c, call.c, results.c --- */

int hs_function_length(const struct hs_signature *signature); /* of the name in its text */
/* Whether Python passes the parameter. */
static inline bool hs_is_argument(const struct hs_parameter *param)
{
    return (param->flow & (FLOW_IN | FLOW_QUERIED)) == FLOW_IN;
}

bool hs_arrange(struct hs_call *call, PyObject *const *args, Py_ssize_t given, PyObject *names);
void hs_release(struct hs_call *call); /* what the call holds */
static inline PyObject *hs_abandon(struct hs_call *call)
{
    if (call->nodes != NULL || call->view_count > 0 || call->closure != NULL ||
        (call->signature->traits & TRAIT_RECORDS)) {
        hs_release(call);
    }
    return NULL;
}
uint64_t hs_length_of(const struct hs_call *call, const struct hs_parameter *param);

/* --- values --- */

size_t hs_kind_size(const struct hs_state *state, unsigned kind, unsigned number);
/* The Python object of a value; `owner` has the memory of a record. */
PyObject *hs_give(struct hs_state *state, unsigned kind, unsigned number, void *value,
                  PyObject *owner);

/* Where converted arguments live: until the call ends, or for a record's member as long as it. */
struct hs_place {
    struct hs_state *state;
    struct hs_call *call; /* NULL for a member */
    PyObject *kept;       /* a list of what a member points to */
    const char *what;     /* for error texts: the member's name */
    size_t size;          /* the bytes of the caller's memory that was converted last */
};

/* something that a call holds */
void *hs_room(struct hs_place *place, size_t size);     /* zeroed */
bool hs_hold(struct hs_place *place, PyObject *object); /* a new reference of its own */
/* An item of a list, which may lose it in another thread; a tuple keeps its items. */
static inline bool hs_hold_item(struct hs_place *place, PyObject *list, PyObject *item)
{
    return (place->call != NULL && PyTuple_Check(list)) || hs_hold(place, item);
}
bool hs_keep(struct hs_place *place, PyObject *object); /* for a member */
/* Takes the view over; a member keeps the object instead. */
bool hs_hold_view(struct hs_place *place, Py_buffer *view, PyObject *from);
void hs_release_nodes(struct hs_node *nodes);

/* Sets an exception of this type that begins with the function and the argument. */
bool hs_refuse(struct hs_place *place, PyObject *type, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "expected ..., got the class of `found`" */
bool hs_refuse_type(struct hs_place *place, const char *expected, PyObject *found);
const char *hs_type_name(PyObject *object, char *room, size_t size);

bool hs_take(struct hs_place *place, unsigned flow, unsigned kind, unsigned number, PyObject *from,
             void *to);
bool hs_take_integer(struct hs_place *place, unsigned kind, PyObject *from, void *to);
bool hs_take_own_pointer(struct hs_place *place, PyObject *from, void **to);
bool hs_take_handle(struct hs_place *place, unsigned number, PyObject *from, void **to);
/* The bytes of a buffer; for a pointer of ctypes, what it points to, with SIZE_MAX. */
bool hs_take_buffer(struct hs_place *place, PyObject *from, bool written, void **to, size_t *size);
/* By an interface of other libraries' arrays and streams; *is_known is false without one. */
bool hs_take_by_protocol(struct hs_place *place, PyObject *from, bool written, void **to,
                         bool *is_known);
bool hs_take_address(struct hs_place *place, PyObject *from, void **to);
bool hs_take_pointer(struct hs_place *place, PyObject *from, bool written, void **to);
bool hs_take_list(struct hs_place *place, unsigned kind, unsigned number, PyObject *from, void **to,
                  size_t *count);
bool hs_take_arguments(struct hs_place *place, PyObject *from, void **to);
bool hs_take_packed(struct hs_place *place, PyObject *from, void **to);
bool hs_take_record(struct hs_place *place, unsigned number, PyObject *from, void **to,
                    size_t *count);
/* A record by value: a record, the values of its members, or the first one alone. */
bool hs_take_value(struct hs_place *place, unsigned number, PyObject *from, void **to);
bool hs_fill_record(struct hs_place *place, unsigned number, PyObject *from, void *to);
bool hs_take_foreign(struct hs_place *place, PyObject *from, bool written, void **to);
/* Room for the lists that the function fills: those whose length it told, or the others. */
bool hs_make_lists(struct hs_place *place, bool queried);

/* --- a DeviceArray: array.c, dlpack.c --- */

PyObject *hs_array_shape(PyObject *self, void *unused); /* a tuple of ints */
PyObject *hs_array_typestr(PyObject *self, void *unused);
size_t hs_array_item_size(const struct hs_pointer *data);
/* These set an exception for a type that is none, and a shape that is none or too large. */
bool hs_read_type(PyObject *from, char room[16]);
PyObject *hs_shape_of(PyObject *from);
Py_ssize_t hs_items_of(PyObject *shape); /* -1 */
bool hs_shape_as(struct hs_pointer *data, PyObject *shape, const char *typestr);
bool hs_array_is_usable(const struct hs_pointer *data); /* false with an exception set */
PyObject *hs_array_dlpack(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *hs_array_dlpack_device(PyObject *self, PyObject *unused);

#endif
