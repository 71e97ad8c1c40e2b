/* SPDX-License-Identifier: MIT */
#include "elf/dropin_note.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#ifdef HS_DROP_IN
#define TEXT(number)    #number
#define TEXT_OF(number) TEXT(number)

/* In assembly, for the one thing that C cannot say: a distance between sections. */
__asm__(".pushsection .note.hipshim, \"a\", %note\n"
        ".balign 4\n"
        ".long 8, 12, 1\n"
        ".asciz \"hipshim\"\n"
        ".long " TEXT_OF(HS_DROP_IN) "\n"
                                     ".quad hs_dispatch_route_by_caller - .\n"
                                     ".popsection\n");
_Static_assert(sizeof(struct hs_dropin_note) == 12 + 8 + 12, "the note above");
#endif

/* Notes are small; one segment that is longer holds something else. */
enum { NOTES_ROOM = 4096 };

static size_t padded(size_t size)
{
    return (size + 3) & ~(size_t)3;
}

/* The note among others; its place, or NULL. */
static const unsigned char *find(const unsigned char *notes, size_t size)
{
    struct hs_dropin_note note;
    size_t at = 0;

    while (size - at >= sizeof note) {
        memcpy(&note, notes + at, sizeof note);
        if (note.owner_size == sizeof note.owner &&
            note.content_size == sizeof note.front + sizeof note.notify &&
            note.type == HS_DROPIN_NOTE_TYPE &&
            memcmp(note.owner, HS_DROPIN_NOTE_OWNER, sizeof note.owner) == 0) {
            return notes + at;
        }
        if (note.owner_size > size || note.content_size > size) {
            return NULL;
        }
        at += 3 * sizeof(uint32_t) + padded(note.owner_size) + padded(note.content_size);
        if (at > size) {
            return NULL;
        }
    }
    return NULL;
}

static unsigned front_of(const unsigned char *note)
{
    struct hs_dropin_note copy;

    if (!note) {
        return 0;
    }
    memcpy(&copy, note, sizeof copy);
    return copy.front;
}

unsigned hs_dropin_note_of_object(const struct dl_phdr_info *info, void (**notify)(void))
{
    const unsigned char *note = NULL;
    unsigned i;

    for (i = 0; i < info->dlpi_phnum && !note; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

        if (segment->p_type == PT_NOTE && segment->p_memsz <= NOTES_ROOM) {
            uintptr_t at = info->dlpi_addr + segment->p_vaddr;

            /* NOLINTNEXTLINE(performance-no-int-to-ptr): the linker's arithmetic */
            note = find((const unsigned char *)at, segment->p_memsz);
        }
    }
    if (notify) {
        const unsigned char *from = note ? note + offsetof(struct hs_dropin_note, notify) : NULL;
        int64_t distance = 0;

        if (from) {
            memcpy(&distance, from, sizeof distance);
        }
        *notify = NULL;
        if (distance != 0) {
            from += distance;
            memcpy(notify, &from, sizeof from);
        }
    }
    return front_of(note);
}

static unsigned find_in_file(int file)
{
    unsigned char notes[NOTES_ROOM];
    ElfW(Ehdr) header;
    ElfW(Phdr) segment;
    unsigned i, front = 0;

    if (pread(file, &header, sizeof header, 0) != (ssize_t)sizeof header ||
        memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_phentsize != sizeof segment) {
        return 0;
    }
    for (i = 0; i < header.e_phnum && front == 0; i++) {
        off_t at = (off_t)(header.e_phoff + (uint64_t)i * sizeof segment);

        if (pread(file, &segment, sizeof segment, at) != (ssize_t)sizeof segment) {
            return 0;
        }
        if (segment.p_type == PT_NOTE && segment.p_filesz <= sizeof notes) {
            ssize_t length = pread(file, notes, segment.p_filesz, (off_t)segment.p_offset);

            front = length > 0 ? front_of(find(notes, (size_t)length)) : 0;
        }
    }
    return front;
}

unsigned hs_dropin_note_of_file(const char *path)
{
    /* As in object.c: a FIFO must not keep the program waiting. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    unsigned front;

    if (file < 0) {
        return 0;
    }
    front = find_in_file(file);
    close(file);
    return front;
}
