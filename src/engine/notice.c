/* SPDX-License-Identifier: MIT */
#include "engine/notice.h"

#include <link.h>
#include <stdbool.h>
#include <string.h>

#include "elf/notes.h"
#include "engine/search_log.h"

/* Only the assembly below refers to it by name, which link-time optimisation does not see. */
#if __has_attribute(externally_visible)
__attribute__((externally_visible))
#endif
__attribute__((used)) int hs_notice_is_given;

/* The note by which other copies find the variable: its distance from the content itself. */
__asm__(".pushsection .note.hipshim, \"a\", %note\n"
        ".balign 4\n"
        ".long 8, 8, 3\n" /* the sizes of owner and content, the type */
        ".asciz \"hipshim\"\n"
        ".quad hs_notice_is_given - .\n"
        ".popsection\n");

/* A callback of dl_iterate_phdr, which returns 1 to end the walk. */
static int finds_given(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size, (void)data;
    size_t content = 0;
    const unsigned char *note =
        hs_notes_of_object(info, HS_NOTE_OWNER, HS_NOTICE_NOTE_TYPE, &content);
    int64_t distance;
    if (!note || content != sizeof distance) {
        return 0;
    }
    memcpy(&distance, note, sizeof distance);
    const void *given = note + distance;
    return __atomic_load_n((const int *)given, __ATOMIC_RELAXED);
}

void hs_notice_unknown_release(const char *path, const char *text)
{
    if (dl_iterate_phdr(finds_given, NULL) == 0 &&
        !__atomic_exchange_n(&hs_notice_is_given, 1, __ATOMIC_RELAXED)) {
        hs_search_log_print("%s: %s; HIPSHIM_STRICT=1 refuses it", path, text);
    }
}
