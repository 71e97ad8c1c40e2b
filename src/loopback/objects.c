/* SPDX-License-Identifier: MIT */
/*
 * Code objects: ELF files for AMD GPUs, mapped into GPU memory and relocated, so
 * that variables have addresses and initial values.  Kernels are the symbols
 * NAME.kd, 64-byte descriptors; a dispatch names its kernel by the descriptor's
 * address.  The runtime may have the bytes from a user, so
 * every offset is checked.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum { ABS32_LO = 1, ABS32_HI = 2, ABS64 = 3, ABS32 = 6, RELATIVE64 = 13 };

struct reader {
    const char *bytes;
    size_t size;
};

struct symbol {
    char *name;
    bool kernel, constant;
    uint64_t address;
    uint64_t size;
    struct lb_kernel *code;
    struct executable *owner;
    struct symbol *next;
};

struct executable {
    struct symbol *symbols;
    struct defined {
        char *name;
        uint64_t address;
        struct defined *next;
    } * defined;
    struct lb_block *block;
    struct isa_code *code;
    int agent;
};

/* A code object while it is loaded. */
struct object {
    const char *bytes;
    size_t size;
    char *image; /* where it may be written */
    uint64_t base;
    size_t extent;
    const Elf64_Sym *symbols;
    size_t symbol_count;
    const char *names;
    size_t names_size;
};

static struct lb_kernel *kernels;
static _Atomic uint64_t loads;

uint64_t loopback_code_objects(void)
{
    return loads;
}

const struct lb_kernel *lb_kernel_find(uint64_t object)
{
    lb_lock();
    struct lb_kernel *kernel = kernels;
    while (kernel && kernel->object != object) {
        kernel = kernel->next;
    }
    lb_unlock();
    return kernel;
}

hsa_status_t hsa_code_object_reader_create_from_memory(const void *bytes, size_t size,
                                                       hsa_code_object_reader_t *result)
{
    if (!bytes || size == 0 || !result) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    struct reader *reader = lb_new(sizeof *reader);
    reader->bytes = bytes;
    reader->size = size;
    result->handle = (uint64_t)reader;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_code_object_reader_destroy(hsa_code_object_reader_t reader)
{
    free((void *)reader.handle); /* NOLINT: the handle is an address */
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_executable_create_alt(hsa_profile_t profile,
                                       hsa_default_float_rounding_mode_t rounding,
                                       const char *options, hsa_executable_t *result)
{
    (void)profile;
    (void)rounding;
    (void)options;
    result->handle = (uint64_t)lb_new(sizeof(struct executable));
    return HSA_STATUS_SUCCESS;
}

static struct executable *executable_of(hsa_executable_t handle)
{
    return (struct executable *)handle.handle; /* NOLINT: the handle is an address */
}

static void kernel_remove_locked(struct lb_kernel *kernel)
{
    for (struct lb_kernel **at = &kernels; *at; at = &(*at)->next) {
        if (*at == kernel) {
            *at = kernel->next;
            break;
        }
    }
    free(kernel->name);
    free(kernel);
}

hsa_status_t hsa_executable_destroy(hsa_executable_t handle)
{
    struct executable *executable = executable_of(handle);
    if (!executable) {
        return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    }
    lb_lock();
    while (executable->symbols) {
        struct symbol *symbol = executable->symbols;
        executable->symbols = symbol->next;
        if (symbol->code) {
            kernel_remove_locked(symbol->code);
        }
        free(symbol->name);
        free(symbol);
    }
    while (executable->defined) {
        struct defined *defined = executable->defined;
        executable->defined = defined->next;
        free(defined->name);
        free(defined);
    }
    lb_isa_code_free(executable->code);
    if (executable->block) {
        lb_gpu_free_locked(executable->block);
    }
    lb_unlock();
    free(executable);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_executable_freeze(hsa_executable_t handle, const char *options)
{
    (void)options;
    return handle.handle ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_EXECUTABLE;
}

hsa_status_t hsa_executable_agent_global_variable_define(hsa_executable_t handle, hsa_agent_t agent,
                                                         const char *name, void *address)
{
    struct executable *executable = executable_of(handle);
    if (!executable || lb_agent_index(agent) < 1) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    struct defined *defined = lb_new(sizeof *defined);
    defined->name = strdup(name);
    defined->address = (uint64_t)address;
    defined->next = executable->defined;
    executable->defined = defined;
    return HSA_STATUS_SUCCESS;
}

/* --- loading --- */

static bool has(const struct object *object, uint64_t offset, uint64_t size)
{
    return offset <= object->size && size <= object->size - offset;
}

static const Elf64_Shdr *section(const struct object *object, unsigned index)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)object->bytes;
    if (index >= header->e_shnum) {
        return NULL;
    }
    uint64_t offset = header->e_shoff + (uint64_t)index * sizeof(Elf64_Shdr);
    if (!has(object, offset, sizeof(Elf64_Shdr))) {
        return NULL;
    }
    const Elf64_Shdr *found = (const Elf64_Shdr *)(object->bytes + offset);
    return found->sh_type == SHT_NOBITS || has(object, found->sh_offset, found->sh_size) ? found
                                                                                         : NULL;
}

static bool is_object(const struct object *object)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)object->bytes;
    return object->size >= sizeof *header && !memcmp(header->e_ident, ELFMAG, SELFMAG) &&
           header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_phentsize == sizeof(Elf64_Phdr) &&
           has(object, header->e_phoff, (uint64_t)header->e_phnum * sizeof(Elf64_Phdr));
}

static const Elf64_Phdr *segments(const struct object *object, unsigned *count)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)object->bytes;
    *count = header->e_phnum;
    return (const Elf64_Phdr *)(object->bytes + header->e_phoff);
}

static bool map(struct object *object, struct executable *executable)
{
    unsigned count;
    const Elf64_Phdr *segment = segments(object, &count);
    for (unsigned i = 0; i < count; i++) {
        if (segment[i].p_type == PT_LOAD &&
            segment[i].p_vaddr + segment[i].p_memsz > object->extent) {
            object->extent = segment[i].p_vaddr + segment[i].p_memsz;
        }
    }
    if (object->extent == 0 || object->extent > LB_VRAM) {
        return false;
    }
    lb_lock();
    executable->block = lb_gpu_new_locked(executable->agent, object->extent,
                                          HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED);
    lb_unlock();
    if (!executable->block) {
        return false;
    }
    object->image = executable->block->backing;
    object->base = (uint64_t)executable->block->base;
    for (unsigned i = 0; i < count; i++) {
        if (segment[i].p_type == PT_LOAD) {
            if (segment[i].p_filesz > segment[i].p_memsz ||
                !has(object, segment[i].p_offset, segment[i].p_filesz)) {
                return false;
            }
            memcpy(object->image + segment[i].p_vaddr, object->bytes + segment[i].p_offset,
                   segment[i].p_filesz);
        }
    }
    return true;
}

static bool find_symbols(struct object *object)
{
    for (unsigned i = 0; i < ((const Elf64_Ehdr *)object->bytes)->e_shnum; i++) {
        const Elf64_Shdr *one = section(object, i);
        const Elf64_Shdr *names = one ? section(object, one->sh_link) : NULL;
        if (one && one->sh_type == SHT_DYNSYM && names && names->sh_size &&
            object->bytes[names->sh_offset + names->sh_size - 1] == '\0') {
            object->symbols = (const Elf64_Sym *)(object->bytes + one->sh_offset);
            object->symbol_count = one->sh_size / sizeof(Elf64_Sym);
            object->names = object->bytes + names->sh_offset;
            object->names_size = names->sh_size;
            return true;
        }
    }
    return false;
}

static const char *name_of(const struct object *object, const Elf64_Sym *symbol)
{
    return symbol->st_name < object->names_size ? object->names + symbol->st_name : "";
}

static uint64_t address_of(const struct object *object, const struct executable *executable,
                           const Elf64_Sym *symbol)
{
    if (symbol->st_shndx != SHN_UNDEF) {
        return object->base + symbol->st_value;
    }
    for (const struct defined *one = executable->defined; one; one = one->next) {
        if (!strcmp(one->name, name_of(object, symbol))) {
            return one->address;
        }
    }
    return 0;
}

static bool relocate_one(struct object *object, const struct executable *executable,
                         const Elf64_Rela *one)
{
    unsigned type = (unsigned)ELF64_R_TYPE(one->r_info);
    size_t index = ELF64_R_SYM(one->r_info);
    size_t width = type == ABS64 || type == RELATIVE64 ? 8 : 4;
    if (index >= object->symbol_count || one->r_offset > object->extent - width) {
        return false;
    }
    uint64_t value = (uint64_t)one->r_addend;
    if (type == RELATIVE64) {
        value += object->base;
    } else {
        uint64_t address = address_of(object, executable, object->symbols + index);
        if (!address && ELF64_ST_BIND(object->symbols[index].st_info) != STB_WEAK) {
            lb_log("undefined variable %s", name_of(object, object->symbols + index));
            return false;
        }
        value += address;
    }
    if (type == ABS32_HI) {
        value >>= 32;
    } else if (type != ABS64 && type != RELATIVE64 && type != ABS32 && type != ABS32_LO) {
        lb_unknown(HSA_STATUS_ERROR, "unknown relocation %u", type);
        return false;
    }
    memcpy(object->image + one->r_offset, &value, width);
    return true;
}

static bool relocate(struct object *object, const struct executable *executable)
{
    for (unsigned i = 0; i < ((const Elf64_Ehdr *)object->bytes)->e_shnum; i++) {
        const Elf64_Shdr *one = section(object, i);
        if (!one || one->sh_type != SHT_RELA) {
            continue;
        }
        const Elf64_Rela *rela = (const Elf64_Rela *)(object->bytes + one->sh_offset);
        for (size_t k = 0; k < one->sh_size / sizeof *rela; k++) {
            if (!relocate_one(object, executable, rela + k)) {
                return false;
            }
        }
    }
    return true;
}

static void add_kernel(const struct object *object, struct symbol *symbol, uint64_t at)
{
    struct lb_kernel *kernel = lb_new(sizeof *kernel);
    memcpy(&kernel->group, object->image + at, 4);
    memcpy(&kernel->private_size, object->image + at + 4, 4);
    memcpy(&kernel->kernarg, object->image + at + 8, 4);
    kernel->name = strndup(symbol->name, strlen(symbol->name) - 3);
    kernel->object = symbol->address;
    kernel->code = symbol->owner->code;
    symbol->code = kernel;
    lb_lock();
    kernel->next = kernels;
    kernels = kernel;
    lb_unlock();
}

static void add_symbols(const struct object *object, struct executable *executable)
{
    for (size_t i = 0; i < object->symbol_count; i++) {
        const Elf64_Sym *one = object->symbols + i;
        const char *name = name_of(object, one);
        size_t length = strlen(name);
        if (ELF64_ST_TYPE(one->st_info) != STT_OBJECT || one->st_shndx == SHN_UNDEF ||
            one->st_value >= object->extent) {
            continue;
        }
        struct symbol *symbol = lb_new(sizeof *symbol);
        symbol->name = strdup(name);
        symbol->address = object->base + one->st_value;
        symbol->size = one->st_size;
        symbol->owner = executable;
        const Elf64_Shdr *home = section(object, one->st_shndx);
        symbol->constant = home && !(home->sh_flags & SHF_WRITE);
        symbol->kernel = length > 3 && !strcmp(name + length - 3, ".kd");
        if (symbol->kernel && object->extent - one->st_value >= 64) {
            add_kernel(object, symbol, one->st_value);
        }
        symbol->next = executable->symbols;
        executable->symbols = symbol;
    }
}

bool lb_is_of_runtime(const struct lb_kernel *kernel)
{
    static const char prefix[] = "__amd_rocclr_";
    return !strncmp(kernel->name, prefix, sizeof prefix - 1);
}

static bool has_kernel_of_runtime(const struct executable *executable)
{
    const struct symbol *symbol = executable->symbols;
    while (symbol && !(symbol->code && lb_is_of_runtime(symbol->code))) {
        symbol = symbol->next;
    }
    return symbol != NULL;
}

hsa_status_t hsa_executable_load_agent_code_object(hsa_executable_t handle, hsa_agent_t agent,
                                                   hsa_code_object_reader_t reader_handle,
                                                   const char *options,
                                                   hsa_loaded_code_object_t *loaded)
{
    struct executable *executable = executable_of(handle);
    const struct reader *reader = (const struct reader *)reader_handle.handle; /* NOLINT */
    (void)options;
    if (!executable || !reader || lb_agent_index(agent) < 1) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    if (executable->block) {
        return lb_unknown(HSA_STATUS_ERROR, "two code objects in one executable");
    }
    executable->agent = lb_agent_index(agent);
    struct object object = {.bytes = reader->bytes, .size = reader->size};
    if (!is_object(&object) || !map(&object, executable) || !find_symbols(&object) ||
        !relocate(&object, executable)) {
        return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
    }
    executable->code = lb_isa_code_new(object.bytes, executable->block);
    add_symbols(&object, executable);
    loads += !has_kernel_of_runtime(executable);
    if (loaded) {
        loaded->handle = handle.handle;
    }
    return HSA_STATUS_SUCCESS;
}

/* --- symbols --- */

hsa_status_t hsa_executable_get_symbol_by_name(hsa_executable_t handle, const char *name,
                                               const hsa_agent_t *agent,
                                               hsa_executable_symbol_t *result)
{
    (void)agent;
    struct symbol *symbol = executable_of(handle)->symbols;
    while (symbol && strcmp(symbol->name, name) != 0) {
        symbol = symbol->next;
    }
    result->handle = (uint64_t)symbol;
    return symbol ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_SYMBOL_NAME;
}

hsa_status_t hsa_executable_iterate_symbols(
    hsa_executable_t handle,
    hsa_status_t (*callback)(hsa_executable_t, hsa_executable_symbol_t, void *), void *data)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    for (struct symbol *symbol = executable_of(handle)->symbols;
         symbol && status == HSA_STATUS_SUCCESS; symbol = symbol->next) {
        hsa_executable_symbol_t one = {(uint64_t)symbol};
        status = callback(handle, one, data);
    }
    return status;
}

static hsa_status_t kernel_info(const struct symbol *symbol, unsigned attribute, void *value)
{
    const struct lb_kernel *kernel = symbol->code;
    if (!kernel) {
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    switch (attribute) {
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT:
        return ANSWER(uint64_t, kernel->object);
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE:
        return ANSWER(uint32_t, kernel->kernarg);
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT:
        return ANSWER(uint32_t, 64);
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE:
        return ANSWER(uint32_t, kernel->group);
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE:
        return ANSWER(uint32_t, kernel->private_size);
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_DYNAMIC_CALLSTACK:
        return ANSWER(bool, false);
    default:
        return lb_unknown(HSA_STATUS_ERROR_INVALID_ARGUMENT, "unknown symbol info %u", attribute);
    }
}

hsa_status_t hsa_executable_symbol_get_info(hsa_executable_symbol_t handle,
                                            hsa_executable_symbol_info_t attribute, void *value)
{
    const struct symbol *symbol = (const struct symbol *)handle.handle; /* NOLINT */
    if (!symbol) {
        return HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL;
    }
    switch (attribute) {
    case HSA_EXECUTABLE_SYMBOL_INFO_TYPE:
        return ANSWER(uint32_t, symbol->kernel ? HSA_SYMBOL_KIND_KERNEL : HSA_SYMBOL_KIND_VARIABLE);
    case HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH:
        return ANSWER(uint32_t, (uint32_t)strlen(symbol->name));
    case HSA_EXECUTABLE_SYMBOL_INFO_NAME: /* without a NUL */
        memcpy(value, symbol->name, strlen(symbol->name));
        return HSA_STATUS_SUCCESS;
    case HSA_EXECUTABLE_SYMBOL_INFO_AGENT:
        return ANSWER(hsa_agent_t, lb_agent(symbol->owner->agent));
    case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS:
        return ANSWER(uint64_t, symbol->address);
    case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE: /* 32 bits, though callers give 64 */
        return ANSWER(uint32_t, (uint32_t)symbol->size);
    case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST:
        return ANSWER(bool, symbol->constant);
    case HSA_EXECUTABLE_SYMBOL_INFO_LINKAGE:
        return ANSWER(uint32_t, HSA_SYMBOL_LINKAGE_PROGRAM);
    case HSA_EXECUTABLE_SYMBOL_INFO_IS_DEFINITION:
        return ANSWER(bool, true);
    default:
        return kernel_info(symbol, attribute, value);
    }
}
