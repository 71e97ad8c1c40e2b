/* SPDX-License-Identifier: MIT */
#include "registration/memory.h"

#include <link.h>
#include <sys/uio.h>
#include <unistd.h>

struct segment_search {
    uintptr_t address;
    size_t room; /* bytes from there to the end of its segment */
};

static int visit_object(struct dl_phdr_info *info, size_t size, void *context)
{
    struct segment_search *search = context;

    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;

        if (segment->p_type == PT_LOAD && search->address - start < segment->p_memsz) {
            search->room = segment->p_memsz - (search->address - start);
            return 1;
        }
    }
    return 0;
}

size_t hs_memory_room(const void *start)
{
    struct segment_search search = {.address = (uintptr_t)start};

    dl_iterate_phdr(visit_object, &search);
    return search.room;
}

/* The kernel copies a byte of each page, which fails where a read would crash. */
bool hs_memory_is_readable(const char *start, uint64_t size)
{
    uintptr_t unit = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t page = (uintptr_t)start & ~(unit - 1);
    char seen;

    for (; page < (uintptr_t)start + size; page += unit) {
        struct iovec to = {&seen, 1};
        /* NOLINTNEXTLINE(performance-no-int-to-ptr): a page that may not exist */
        struct iovec from = {(void *)page, 1};

        if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != 1) {
            return false;
        }
    }
    return true;
}
