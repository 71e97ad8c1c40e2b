/* SPDX-License-Identifier: MIT */
#include "elf/build_id.h"

#include <elf.h>
#include <link.h>
#include <string.h>

const unsigned char *hs_build_id_find(const unsigned char *notes, size_t size, size_t *length)
{
    ElfW(Nhdr) note;

    while (size >= sizeof note) {
        size_t name, content;

        memcpy(&note, notes, sizeof note);
        name = ((size_t)note.n_namesz + 3) & ~(size_t)3;
        content = ((size_t)note.n_descsz + 3) & ~(size_t)3;
        if (name > size - sizeof note || content > size - sizeof note - name) {
            return NULL;
        }
        notes += sizeof note;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(notes, "GNU", 4) == 0) {
            *length = note.n_descsz;
            return notes + name;
        }
        notes += name + content;
        size -= sizeof note + name + content;
    }
    return NULL;
}
