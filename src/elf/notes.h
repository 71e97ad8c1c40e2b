/* SPDX-License-Identifier: MIT */
/*
 * Notes of ELF objects: the build-id, the note by which drop-ins are told from real
 * libraries, and the one by which an object that libhipshim was linked into is recognised.
 *
 * A drop-in exports exactly the symbols of the real library of its name, so no symbol can tell
 * the two apart.  The search for a runtime skips objects that carry the note: a drop-in that was
 * opened as the runtime behind another drop-in, or behind itself, would call in circles.
 */
#ifndef HIPSHIM_SRC_ELF_NOTES_H
#define HIPSHIM_SRC_ELF_NOTES_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The content of the first note with this owner and type in a list of notes, and its size in
 * bytes; NULL if there is none.  The bytes may have any content and end anywhere.
 */
const unsigned char *hs_notes_find(const unsigned char *notes, size_t size, const char *owner,
                                   uint32_t type, size_t *content_size);

/* The same among all notes of a loaded object. */
const unsigned char *hs_notes_of_object(const struct dl_phdr_info *info, const char *owner,
                                        uint32_t type, size_t *content_size);

/*
 * The same in a file, of each segment as far as the room reaches.  The result points into `room`.
 * A file need not be the one that is loaded from its path, because it may have been replaced.
 */
enum { HS_NOTES_ROOM = 4096 };
const unsigned char *hs_notes_of_file(const char *path, unsigned char room[HS_NOTES_ROOM],
                                      const char *owner, uint32_t type, size_t *content_size);

/* The owner and type of the build-id, by which the linker identifies its output. */
#define HS_BUILD_ID_OWNER "GNU"
enum { HS_BUILD_ID_TYPE = 3 };

#define HS_NOTE_OWNER "hipshim"
/* The last one is in libhipshim and in drop-ins; src/engine/notice.c has its content. */
enum { HS_DROPIN_NOTE_TYPE = 1, HS_LIBRARY_NOTE_TYPE = 2, HS_NOTICE_NOTE_TYPE = 3 };

enum { HS_DROPIN_API = 16 };

/*
 * The content of a drop-in's note.  The last two are distances, from the field itself to a
 * function.  Each is one number of 64 bits in two halves, because notes are aligned to 4 bytes
 * only.
 */
struct hs_dropin_note {
    uint32_t number;
    char api[HS_DROPIN_API];
    uint32_t notify[2];
    uint32_t library[2];
};

/* What a drop-in stands in for, and its functions if it is loaded. */
struct hs_dropin {
    unsigned number;         /* N of the soname STEM.so.N */
    char api[HS_DROPIN_API]; /* its name */
    void (*notify)(void);    /* other drop-ins of the API call it when they are loaded */
    /*
     * The path of the real library, or NULL.  It opens the library; with `settles` it also asks it
     * for its release, which may initialise it.
     */
    const char *(*library)(bool settles);
};

/* False if the loaded object is no drop-in.  `dropin` may be NULL, here and below. */
bool hs_dropin_of_object(const struct dl_phdr_info *info, struct hs_dropin *dropin);

/* The same for a file, without functions; false also if it is not an ELF file of this machine. */
bool hs_dropin_of_file(const char *path, struct hs_dropin *dropin);

/* The same in a list of notes. */
bool hs_dropin_in(const unsigned char *notes, size_t size, struct hs_dropin *dropin);

/*
 * The note of libhipshim.  It is loaded with the object, so that it stays in a program that the
 * static library was linked into, and that was stripped.
 */
struct hs_library_note {
    uint32_t owner_size, content_size, type;
    char owner[8];
    uint32_t abi_version; /* HIPSHIM_ABI_VERSION */
};

#endif
