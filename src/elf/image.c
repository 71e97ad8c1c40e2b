/* SPDX-License-Identifier: MIT */
#include "elf/image.h"

#include <elf.h>
#include <string.h>
#include <sys/auxv.h>

/* ELF gives addresses as numbers. */
static const void *pointer_to(uintptr_t address)
{
    return (const void *)address; /* NOLINT(performance-no-int-to-ptr): see above */
}

/*
 * glibc adds the load address to these entries on most machines.  It leaves them unchanged on
 * some machines and in the vdso; only an unchanged entry can lie below the base.
 */
static const void *entry_pointer(uintptr_t base, const ElfW(Dyn) * entry)
{
    uintptr_t value = (uintptr_t)entry->d_un.d_ptr;
    return pointer_to(value < base ? base + value : value);
}

bool hs_image_view(struct hs_image *image, uintptr_t base, const ElfW(Dyn) * dynamic)
{
    ElfW(Xword) soname = 0;

    *image = (struct hs_image){.base = base, .dynamic = dynamic};
    for (const ElfW(Dyn) *entry = dynamic; entry && entry->d_tag != DT_NULL; entry++) {
        switch (entry->d_tag) {
        case DT_SYMTAB:
            image->symbols = entry_pointer(base, entry);
            break;
        case DT_STRTAB:
            image->strings = entry_pointer(base, entry);
            break;
        case DT_GNU_HASH:
            image->gnu_hash = entry_pointer(base, entry);
            break;
        case DT_HASH:
            image->sysv_hash = entry_pointer(base, entry);
            break;
        case DT_VERSYM:
            image->versions = entry_pointer(base, entry);
            break;
        case DT_VERNEED:
            image->needed_versions = entry_pointer(base, entry);
            break;
        case DT_SONAME:
            soname = entry->d_un.d_val;
            break;
        default:
            break;
        }
    }
    if (!image->symbols || !image->strings || (!image->gnu_hash && !image->sysv_hash)) {
        return false;
    }
    image->soname = soname ? image->strings + soname : NULL;
    return true;
}

bool hs_image_view_info(struct hs_image *image, const struct dl_phdr_info *info)
{
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) {
            uintptr_t at = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            return hs_image_view(image, info->dlpi_addr, pointer_to(at));
        }
    }
    return false;
}

bool hs_image_view_needed(struct hs_image *image, uintptr_t base, const ElfW(Dyn) * dynamic)
{
    image->dynamic = dynamic;
    for (const ElfW(Dyn) *entry = dynamic; entry && entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_STRTAB) {
            image->strings = entry_pointer(base, entry);
            return true;
        }
    }
    return false;
}

const char *hs_image_needed(const struct hs_image *image, const ElfW(Dyn) * *at)
{
    for (*at = *at ? *at + 1 : image->dynamic; (*at)->d_tag != DT_NULL; (*at)++) {
        if ((*at)->d_tag == DT_NEEDED) {
            return image->strings + (*at)->d_un.d_val;
        }
    }
    *at = NULL;
    return NULL;
}

void hs_image_visit_versions(const struct hs_image *image, const char *soname,
                             void (*visit)(const char *version, void *context), void *context)
{
    /* The entries of both lists give the distance to the next one in bytes, 0 in the last. */
    const char *at = (const char *)image->needed_versions;
    for (Elf64_Word step = 1; at && step != 0; at += step) {
        const ElfW(Verneed) *library = (const ElfW(Verneed) *)(const void *)at;
        step = library->vn_next;
        if (strcmp(image->strings + library->vn_file, soname) != 0) {
            continue;
        }
        const char *inner = at + library->vn_aux;
        for (unsigned i = 0; i < library->vn_cnt; i++) {
            const ElfW(Vernaux) *version = (const ElfW(Vernaux) *)(const void *)inner;
            visit(image->strings + version->vna_name, context);
            inner += version->vna_next;
        }
    }
}

static bool symbol_is(const struct hs_image *image, uint32_t index, const char *name)
{
    const ElfW(Sym) *symbol = &image->symbols[index];
    unsigned type = symbol->st_info & 0xf;
    return symbol->st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_GNU_IFUNC) &&
           strcmp(image->strings + symbol->st_name, name) == 0;
}

static bool has_default_version(const struct hs_image *image, uint32_t index)
{
    /* Bit 15 marks a version that only a reference by its name gets. */
    enum { HIDDEN_VERSION = 0x8000 };
    return !image->versions || !(image->versions[index] & HIDDEN_VERSION);
}

static uint32_t gnu_hash_of(const char *name)
{
    uint32_t hash = 5381;
    for (const unsigned char *c = (const unsigned char *)name; *c; c++) {
        hash = hash * 33 + *c;
    }
    return hash;
}

/*
 * The index of the symbol, 0 if there is none.  The table begins with the number of buckets, the
 * first hashed symbol, the number of filter words and the shift of the filter.  The filter
 * rejects most absent names without a look at the symbols.
 */
static uint32_t gnu_hash_find(const struct hs_image *image, const char *name, bool any_version)
{
    const uint32_t *table = image->gnu_hash;
    const unsigned bits = sizeof(ElfW(Addr)) * 8;
    const ElfW(Addr) *filter = (const ElfW(Addr) *)(table + 4);
    const uint32_t *buckets = (const uint32_t *)(filter + table[2]);
    const uint32_t *chain = buckets + table[0];
    uint32_t hash = gnu_hash_of(name);

    ElfW(Addr) word = table[2] ? filter[hash / bits % table[2]] : 0;
    if (!(word >> hash % bits & word >> (hash >> table[3]) % bits & 1)) {
        return 0;
    }
    uint32_t index = table[0] ? buckets[hash % table[0]] : 0;
    if (index < table[1] || index == 0) {
        return 0;
    }
    for (;; index++) {
        uint32_t entry = chain[index - table[1]];
        if ((entry | 1) == (hash | 1) && symbol_is(image, index, name) &&
            (any_version || has_default_version(image, index))) {
            return index;
        }
        if (entry & 1) {
            return 0;
        }
    }
}

/* The same in the older table: the numbers of buckets and of symbols, the buckets, the chains. */
static uint32_t sysv_hash_find(const struct hs_image *image, const char *name, bool any_version)
{
    const ElfW(Word) *table = image->sysv_hash;
    uint32_t hash = 0;

    for (const unsigned char *c = (const unsigned char *)name; *c; c++) {
        hash = (hash << 4) + *c;
        hash ^= (hash >> 24) & 0xf0;
        hash &= 0x0fffffff;
    }
    uint32_t index = table[0] ? table[2 + hash % table[0]] : 0;
    while (index &&
           !(symbol_is(image, index, name) && (any_version || has_default_version(image, index)))) {
        index = table[2 + table[0] + index];
    }
    return index;
}

static uint32_t find_symbol(const struct hs_image *image, const char *name, bool any_version)
{
    if (image->gnu_hash) {
        return gnu_hash_find(image, name, any_version);
    }
    return image->sysv_hash ? sysv_hash_find(image, name, any_version) : 0;
}

bool hs_image_defines(const struct hs_image *image, const char *name)
{
    return find_symbol(image, name, true) != 0;
}

void *hs_image_function(const struct hs_image *image, const char *name)
{
    uint32_t index = find_symbol(image, name, false);

    if (index == 0) {
        return NULL;
    }
    const ElfW(Sym) *symbol = &image->symbols[index];
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): ELF gives addresses as numbers */
    void *address = (void *)(image->base + symbol->st_value);

    if ((symbol->st_info & 0xf) == STT_GNU_IFUNC) {
        /* Some machines pass the processor's capabilities; the others ignore the argument. */
        void *(*choose)(unsigned long) = NULL;

        memcpy(&choose, &address, sizeof choose);
        address = choose(getauxval(AT_HWCAP));
    }
    return address;
}
