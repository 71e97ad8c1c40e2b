/* SPDX-License-Identifier: MIT */
/*
 * How drop-ins are told from real HIP runtimes.
 *
 * A drop-in exports exactly what the real library of its major does, so no
 * symbol can give it away; an ELF note does.  Whatever looks for a runtime
 * skips what carries the note: a drop-in opened as the runtime behind another,
 * or behind itself, would call in circles.
 */
#ifndef HIPSHIM_SRC_ELF_DROPIN_NOTE_H
#define HIPSHIM_SRC_ELF_DROPIN_NOTE_H

#include <link.h>
#include <stdint.h>

#define HS_DROPIN_NOTE_OWNER "hipshim"
enum { HS_DROPIN_NOTE_TYPE = 1 };

/*
 * The note.  `front` is the HIP major that the library stands in for; `notify`
 * is where hs_dispatch_route_by_caller is, from the field itself, or 0.
 */
struct hs_dropin_note {
    uint32_t owner_size;
    uint32_t content_size;
    uint32_t type;
    char owner[sizeof HS_DROPIN_NOTE_OWNER];
    uint32_t front;
    uint32_t notify[2]; /* one number of 64 bits; notes are aligned to 4 bytes */
};

/*
 * The major that a loaded object stands in for; 0 if it is no drop-in.  Sets
 * `notify`, unless it is NULL, to the object's function, or to NULL.
 */
unsigned hs_dropin_note_of_object(const struct dl_phdr_info *info, void (**notify)(void));

/* The same of a file; 0 also for what is no ELF file of this machine. */
unsigned hs_dropin_note_of_file(const char *path);

#endif
