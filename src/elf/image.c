/* SPDX-License-Identifier: MIT */
#include "elf/image.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Our own ELF header, placed by the linker: the measure of what fits. */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

static const char *machine_name(unsigned machine, char *buffer, size_t size)
{
    static const struct {
        unsigned machine;
        const char *name;
    } names[] = {
        {EM_386, "32-bit x86"},  {EM_X86_64, "x86-64"},   {EM_ARM, "32-bit ARM"},
        {EM_AARCH64, "AArch64"}, {EM_PPC64, "PowerPC64"}, {EM_RISCV, "RISC-V"},
        {EM_S390, "S/390"},      {EM_MIPS, "MIPS"},       {258, "LoongArch"},
        {224, "AMD GPU"},
    };
    size_t i;

    for (i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].machine == machine) {
            return names[i].name;
        }
    }
    snprintf(buffer, size, "machine %u", machine);
    return buffer;
}

static int is_text(const unsigned char *bytes, size_t length)
{
    size_t i;

    for (i = 0; i < length; i++) {
        if (bytes[i] < 0x20 && !strchr("\t\n\r\f", bytes[i])) {
            return 0;
        }
        if (bytes[i] == 0) {
            return 0;
        }
    }
    return 1;
}

static int check_ident(const ElfW(Ehdr) * header, size_t length, char *reason, size_t size)
{
    const ElfW(Ehdr) *own = &__ehdr_start;
    int own_bits = own->e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32;

    if (length == 0) {
        snprintf(reason, size, "the file is empty");
    } else if (length < SELFMAG || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) {
        snprintf(reason, size, "it is %s, not a shared library",
                 is_text((const unsigned char *)header, length) ? "a text file"
                                                                : "some other kind of file");
    } else if (length < sizeof *header) {
        snprintf(reason, size, "the file is cut short inside its ELF header");
    } else if (header->e_ident[EI_CLASS] != own->e_ident[EI_CLASS]) {
        snprintf(reason, size, "it is a %d-bit library and this is a %d-bit process",
                 own_bits == 64 ? 32 : 64, own_bits);
    } else if (header->e_ident[EI_DATA] != own->e_ident[EI_DATA]) {
        snprintf(reason, size, "it is a library for machines of the other byte order");
    } else {
        return 0;
    }
    return -1;
}

static int check_kind(const ElfW(Ehdr) * header, char *reason, size_t size)
{
    const ElfW(Ehdr) *own = &__ehdr_start;
    char theirs[32], ours[32];

    if (header->e_machine != own->e_machine) {
        snprintf(reason, size, "it is a library for %s and this process is %s",
                 machine_name(header->e_machine, theirs, sizeof theirs),
                 machine_name(own->e_machine, ours, sizeof ours));
    } else if (header->e_type != ET_DYN) {
        snprintf(reason, size, "it is an ELF file but not a shared library");
    } else if (header->e_phnum == 0 || header->e_phentsize != sizeof(ElfW(Phdr))) {
        snprintf(reason, size, "it has no program headers: a file of debugging symbols?");
    } else {
        return 0;
    }
    return -1;
}

/* Mapping a segment that the file does not hold is what raises SIGBUS. */
static int check_segments(int file, const ElfW(Ehdr) * header, uint64_t length, char *reason,
                          size_t size)
{
    ElfW(Phdr) segment;
    unsigned i;

    for (i = 0; i < header->e_phnum; i++) {
        uint64_t at = header->e_phoff + (uint64_t)i * sizeof segment;

        if (pread(file, &segment, sizeof segment, (off_t)at) != (ssize_t)sizeof segment) {
            snprintf(reason, size, "the file is cut short inside its program headers");
            return -1;
        }
        if (segment.p_type == PT_LOAD &&
            (segment.p_filesz > length || segment.p_offset > length - segment.p_filesz)) {
            snprintf(reason, size,
                     "the file is cut short: %" PRIu64 " bytes, segment %u needs %" PRIu64, length,
                     i, (uint64_t)segment.p_offset + segment.p_filesz);
            return -1;
        }
    }
    return 0;
}

static void fail_with_errno(char *reason, size_t size, const char *what)
{
    char text[128];

    snprintf(reason, size, "%s: %s", what, strerror_r(errno, text, sizeof text));
}

static int check_open_file(int file, char *reason, size_t size)
{
    ElfW(Ehdr) header;
    struct stat status;
    ssize_t length;

    if (fstat(file, &status) != 0) {
        fail_with_errno(reason, size, "cannot be examined");
        return -1;
    }
    if (!S_ISREG(status.st_mode)) {
        snprintf(reason, size, "it is not a regular file");
        return -1;
    }
    memset(&header, 0, sizeof header);
    length = pread(file, &header, sizeof header, 0);
    if (length < 0) {
        fail_with_errno(reason, size, "cannot be read");
        return -1;
    }
    if (check_ident(&header, (size_t)length, reason, size) != 0 ||
        check_kind(&header, reason, size) != 0) {
        return -1;
    }
    return check_segments(file, &header, (uint64_t)status.st_size, reason, size);
}

int hs_elf_file_check(const char *path, char *reason, size_t size, int *absent)
{
    /* O_NONBLOCK: a FIFO must not keep the program waiting for a writer. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    int result;

    *absent = 0;
    if (file < 0) {
        struct stat status;
        int error = errno;

        *absent = (error == ENOENT || error == ENOTDIR) && lstat(path, &status) != 0;
        errno = error;
        if (error == ENOENT && !*absent) {
            snprintf(reason, size, "it is a link to a file that does not exist");
        } else if (*absent) {
            snprintf(reason, size, "no such file or directory");
        } else if (errno == EACCES) {
            snprintf(reason, size, "permission denied");
        } else {
            fail_with_errno(reason, size, "cannot be opened");
        }
        return -1;
    }
    result = check_open_file(file, reason, size);
    close(file);
    return result;
}

/* ELF says where things are in numbers. */
static const void *at_address(uintptr_t address)
{
    return (const void *)address; /* NOLINT(performance-no-int-to-ptr): see above */
}

/*
 * glibc adds the load address to these entries on most machines and leaves
 * them alone on some, and in the vdso; an address below the base can only be
 * one of those left alone.
 */
static const void *entry_address(uintptr_t base, const ElfW(Dyn) * entry)
{
    uintptr_t value = (uintptr_t)entry->d_un.d_ptr;

    return at_address(value < base ? base + value : value);
}

int hs_image_view(struct hs_image *object, uintptr_t base, const ElfW(Dyn) * dynamic)
{
    const ElfW(Dyn) * entry;
    ElfW(Xword) soname = 0;

    memset(object, 0, sizeof *object);
    object->base = base;
    for (entry = dynamic; entry && entry->d_tag != DT_NULL; entry++) {
        switch (entry->d_tag) {
        case DT_SYMTAB:
            object->symbols = entry_address(base, entry);
            break;
        case DT_STRTAB:
            object->strings = entry_address(base, entry);
            break;
        case DT_GNU_HASH:
            object->gnu_hash = entry_address(base, entry);
            break;
        case DT_HASH:
            object->sysv_hash = entry_address(base, entry);
            break;
        case DT_VERSYM:
            object->versions = entry_address(base, entry);
            break;
        case DT_SONAME:
            soname = entry->d_un.d_val;
            break;
        default:
            break;
        }
    }
    if (!object->symbols || !object->strings || (!object->gnu_hash && !object->sysv_hash)) {
        return -1;
    }
    object->soname = soname ? object->strings + soname : NULL;
    return 0;
}

int hs_image_view_info(struct hs_image *object, const struct dl_phdr_info *info)
{
    unsigned i;

    for (i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) {
            uintptr_t at = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

            return hs_image_view(object, info->dlpi_addr, at_address(at));
        }
    }
    return -1;
}

static int symbol_is(const struct hs_image *object, uint32_t index, const char *name)
{
    const ElfW(Sym) *symbol = &object->symbols[index];
    unsigned type = symbol->st_info & 0xf;

    return symbol->st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_GNU_IFUNC) &&
           strcmp(object->strings + symbol->st_name, name) == 0;
}

/* Bit 15 marks a version that only a reference by its name gets. */
enum { HIDDEN_VERSION = 0x8000 };

static int is_default(const struct hs_image *object, uint32_t index)
{
    return !object->versions || !(object->versions[index] & HIDDEN_VERSION);
}

/*
 * The index of the symbol, 0 if there is none.  The header is nbuckets, first
 * hashed symbol, filter words, filter shift; the filter tells at once of most
 * names that they are not there.
 */
static uint32_t gnu_hash_find(const struct hs_image *object, const char *name, int any_version)
{
    const uint32_t *table = object->gnu_hash;
    const unsigned bits = sizeof(ElfW(Addr)) * 8;
    const ElfW(Addr) *filter = (const ElfW(Addr) *)(table + 4);
    const uint32_t *buckets = (const uint32_t *)(filter + table[2]);
    const uint32_t *chain = buckets + table[0];
    const unsigned char *c;
    uint32_t hash = 5381, index;
    ElfW(Addr) word;

    for (c = (const unsigned char *)name; *c; c++) {
        hash = hash * 33 + *c;
    }
    word = table[2] ? filter[hash / bits % table[2]] : 0;
    if (!(word >> hash % bits & word >> (hash >> table[3]) % bits & 1)) {
        return 0;
    }
    index = table[0] ? buckets[hash % table[0]] : 0;
    if (index < table[1] || index == 0) {
        return 0;
    }
    for (;; index++) {
        uint32_t entry = chain[index - table[1]];

        if ((entry | 1) == (hash | 1) && symbol_is(object, index, name) &&
            (any_version || is_default(object, index))) {
            return index;
        }
        if (entry & 1) {
            return 0;
        }
    }
}

static int sysv_hash_finds(const struct hs_image *object, const char *name)
{
    const ElfW(Word) *table = object->sysv_hash;
    const unsigned char *c;
    uint32_t hash = 0, index;

    for (c = (const unsigned char *)name; *c; c++) {
        hash = (hash << 4) + *c;
        hash ^= (hash >> 24) & 0xf0;
        hash &= 0x0fffffff;
    }
    if (table[0] == 0) {
        return 0;
    }
    for (index = table[2 + hash % table[0]]; index; index = table[2 + table[0] + index]) {
        if (symbol_is(object, index, name)) {
            return 1;
        }
    }
    return 0;
}

int hs_image_defines(const struct hs_image *object, const char *name)
{
    return object->gnu_hash ? gnu_hash_find(object, name, 1) != 0 : sysv_hash_finds(object, name);
}

void *hs_image_function(const struct hs_image *object, const char *name, int *unsure)
{
    uint32_t index;

    *unsure = !object->gnu_hash;
    if (*unsure || (index = gnu_hash_find(object, name, 0)) == 0) {
        return NULL;
    }
    *unsure = (object->symbols[index].st_info & 0xf) == STT_GNU_IFUNC;
    if (*unsure) {
        return NULL;
    }
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): the linker's arithmetic, no other way. */
    return (void *)(object->base + object->symbols[index].st_value);
}
