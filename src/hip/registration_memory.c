/* SPDX-License-Identifier: MIT */
#include "hip/registration_memory.h"

#include <errno.h>
#include <link.h>
#include <sys/syscall.h>
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

/*
 * The kernel reads the set of signals before it refuses an unknown operation, so EFAULT tells where
 * a read would crash.  process_vm_readv() tells it, too, but is forbidden in some containers.
 */
bool hs_memory_is_readable(const char *start, uint64_t size)
{
    enum { NO_OPERATION = -1, SET = 8 };
    uintptr_t unit = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t page = (uintptr_t)start & ~(unit - 1);

    for (; page < (uintptr_t)start + size; page += unit) {
        if (syscall(SYS_rt_sigprocmask, NO_OPERATION, page, NULL, SET) != 0 && errno == EFAULT) {
            return false;
        }
    }
    return true;
}
