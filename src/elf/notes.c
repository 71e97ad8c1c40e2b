/* SPDX-License-Identifier: MIT */
#include "elf/notes.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

_Static_assert(HS_BUILD_ID_TYPE == NT_GNU_BUILD_ID, "the number of <elf.h>");

static size_t padded(uint32_t size)
{
    return ((size_t)size + 3) & ~(size_t)3;
}

const unsigned char *hs_notes_find(const unsigned char *notes, size_t size, const char *owner,
                                   uint32_t type, size_t *content_size)
{
    size_t owner_size = strlen(owner) + 1;
    ElfW(Nhdr) note;
    while (size >= sizeof note) {
        memcpy(&note, notes, sizeof note);
        size_t name = padded(note.n_namesz), content = padded(note.n_descsz);
        if (name > size - sizeof note || content > size - sizeof note - name) {
            return NULL;
        }
        notes += sizeof note;
        if (note.n_type == type && note.n_namesz == owner_size &&
            memcmp(notes, owner, owner_size) == 0) {
            *content_size = note.n_descsz;
            return notes + name;
        }
        notes += name + content;
        size -= sizeof note + name + content;
    }
    return NULL;
}

const unsigned char *hs_notes_of_object(const struct dl_phdr_info *info, const char *owner,
                                        uint32_t type, size_t *content_size)
{
    const unsigned char *found = NULL;
    for (unsigned i = 0; i < info->dlpi_phnum && !found; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_NOTE) {
            uintptr_t at = info->dlpi_addr + segment->p_vaddr;
            /* NOLINTNEXTLINE(performance-no-int-to-ptr): ELF gives addresses as numbers */
            const unsigned char *notes = (const unsigned char *)at;
            found = hs_notes_find(notes, segment->p_memsz, owner, type, content_size);
        }
    }
    return found;
}

static const unsigned char *find_in_open_file(int file, unsigned char room[HS_NOTES_ROOM],
                                              const char *owner, uint32_t type,
                                              size_t *content_size)
{
    ElfW(Ehdr) header;
    if (pread(file, &header, sizeof header, 0) != (ssize_t)sizeof header ||
        memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_phentsize != sizeof(ElfW(Phdr))) {
        return NULL;
    }
    const unsigned char *found = NULL;
    for (unsigned i = 0; i < header.e_phnum && !found; i++) {
        ElfW(Phdr) segment;
        off_t at = (off_t)(header.e_phoff + (uint64_t)i * sizeof segment);
        if (pread(file, &segment, sizeof segment, at) != (ssize_t)sizeof segment) {
            return NULL;
        }
        if (segment.p_type == PT_NOTE) {
            size_t size = segment.p_filesz < HS_NOTES_ROOM ? segment.p_filesz : HS_NOTES_ROOM;
            ssize_t length = pread(file, room, size, (off_t)segment.p_offset);
            if (length > 0) {
                found = hs_notes_find(room, (size_t)length, owner, type, content_size);
            }
        }
    }
    return found;
}

const unsigned char *hs_notes_of_file(const char *path, unsigned char room[HS_NOTES_ROOM],
                                      const char *owner, uint32_t type, size_t *content_size)
{
    /* O_NONBLOCK, so that opening a FIFO does not block. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) {
        return NULL;
    }
    const unsigned char *found = find_in_open_file(file, room, owner, type, content_size);
    close(file);
    return found;
}

static bool read_dropin(const unsigned char *note, size_t size, struct hs_dropin *dropin)
{
    struct hs_dropin_note copy;
    if (!note || size != sizeof copy) {
        return false;
    }
    memcpy(&copy, note, sizeof copy);
    if (dropin) {
        *dropin = (struct hs_dropin){.number = copy.number};
        memcpy(dropin->api, copy.api, sizeof dropin->api - 1);
    }
    return true;
}

/* The address at the distance that a field of the note holds, or NULL. */
static const unsigned char *resolve(const unsigned char *field)
{
    int64_t distance;
    memcpy(&distance, field, sizeof distance);
    return distance != 0 ? field + distance : NULL;
}

bool hs_dropin_of_object(const struct dl_phdr_info *info, struct hs_dropin *dropin)
{
    size_t size = 0;
    const unsigned char *note = hs_notes_of_object(info, HS_NOTE_OWNER, HS_DROPIN_NOTE_TYPE, &size);
    if (!read_dropin(note, size, dropin)) {
        return false;
    }
    if (dropin) {
        const unsigned char *notify = resolve(note + offsetof(struct hs_dropin_note, notify));
        const unsigned char *library = resolve(note + offsetof(struct hs_dropin_note, library));
        memcpy(&dropin->notify, &notify, sizeof notify);
        memcpy(&dropin->library, &library, sizeof library);
    }
    return true;
}

bool hs_dropin_of_file(const char *path, struct hs_dropin *dropin)
{
    unsigned char room[HS_NOTES_ROOM];
    size_t size = 0;
    const unsigned char *note =
        hs_notes_of_file(path, room, HS_NOTE_OWNER, HS_DROPIN_NOTE_TYPE, &size);
    return read_dropin(note, size, dropin);
}

bool hs_dropin_in(const unsigned char *notes, size_t size, struct hs_dropin *dropin)
{
    size_t content = 0;
    const unsigned char *note =
        hs_notes_find(notes, size, HS_NOTE_OWNER, HS_DROPIN_NOTE_TYPE, &content);
    return read_dropin(note, content, dropin);
}
