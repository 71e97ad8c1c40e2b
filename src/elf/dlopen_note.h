/* SPDX-License-Identifier: MIT */
/*
 * Declares the libraries that an object opens at run time, in the ELF note format
 * that packaging tools read (owner "FDO", see systemd's "ELF dlopen metadata"
 * specification): dpkg-shlibdeps, rpm and the like can then suggest them.
 */
#ifndef HIPSHIM_SRC_ELF_DLOPEN_NOTE_H
#define HIPSHIM_SRC_ELF_DLOPEN_NOTE_H

#include <stdint.h>

#define HS_DLOPEN_NOTE_OWNER "FDO"
enum { HS_DLOPEN_NOTE_TYPE = 0x407c0c0a };

/* Defines the note, once in an object.  Every part of a note begins at a multiple of four bytes. */
#define HS_DLOPEN_NOTE(json)                                                                       \
    static const struct {                                                                          \
        uint32_t owner_size;                                                                       \
        uint32_t content_size;                                                                     \
        uint32_t type;                                                                             \
        char owner[sizeof HS_DLOPEN_NOTE_OWNER];                                                   \
        _Alignas(4) char content[sizeof json];                                                     \
    } hs_dlopen_note __attribute__((used, aligned(4), section(".note.dlopen"))) = {                \
        sizeof HS_DLOPEN_NOTE_OWNER, sizeof json, HS_DLOPEN_NOTE_TYPE, HS_DLOPEN_NOTE_OWNER, json}

#endif
