/* SPDX-License-Identifier: MIT */
/*
 * How Python finds a module: the only code that is compiled for each one, because it has its name.
 */
#include "python/state.h"

#define TEXT_OF(name)          #name
#define MODULE_NAME(name)      TEXT_OF(name)
#define JOINED(a, b)           a##b
#define EXPORTED(prefix, name) JOINED(prefix, name)

#ifdef Py_TARGET_ABI3T
PyABIInfo_VAR(abi_info);
static PySlot slots[] = {
    PySlot_STATIC_DATA(Py_mod_abi, &abi_info),
    PySlot_STATIC_DATA(Py_mod_name, MODULE_NAME(HS_PYTHON_MODULE)),
    PySlot_STATIC_DATA(Py_mod_methods, hs_module_methods),
    PySlot_SIZE(Py_mod_state_size, sizeof(struct hs_state)),
    PySlot_FUNC(Py_mod_state_free, hs_module_free),
    PySlot_FUNC(Py_mod_exec, hs_module_exec),
    PySlot_DATA(Py_mod_gil, Py_MOD_GIL_NOT_USED),
    PySlot_END,
};
PyMODEXPORT_FUNC EXPORTED(PyModExport_, HS_PYTHON_MODULE)(void)
{
    return slots;
}
#else
static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, hs_module_exec},
#ifdef Py_GIL_DISABLED
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};
static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    MODULE_NAME(HS_PYTHON_MODULE),
    NULL,
    sizeof(struct hs_state),
    hs_module_methods,
    slots,
    NULL,
    NULL,
    hs_module_free,
};
PyMODINIT_FUNC EXPORTED(PyInit_, HS_PYTHON_MODULE)(void)
{
    return PyModuleDef_Init(&definition);
}
#endif
