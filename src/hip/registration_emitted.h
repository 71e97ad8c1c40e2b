/* SPDX-License-Identifier: MIT */
/*
 * The functions of registration_emitted.c in the order of their table, for libhipshim-rocm; also
 * for the assembler.
 */
HS_FORWARD(__hipRegisterFatBinary)
HS_FORWARD(__hipRegisterFunction)
HS_FORWARD(__hipRegisterManagedVar)
HS_FORWARD(__hipRegisterSurface)
HS_FORWARD(__hipRegisterTexture)
HS_FORWARD(__hipRegisterVar)
HS_FORWARD(__hipUnregisterFatBinary)
