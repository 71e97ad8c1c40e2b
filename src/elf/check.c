/* SPDX-License-Identifier: MIT */
#include "elf/check.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* This object's own ELF header, which the linker places; libraries must match it. */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

static const char *machine_name(unsigned machine, char *buffer, size_t size)
{
    enum { MACHINE_AMD_GPU = 224, MACHINE_LOONGARCH = 258 };
    static const struct {
        unsigned machine;
        const char *name;
    } names[] = {
        {EM_386, "32-bit x86"},       {EM_X86_64, "x86-64"},   {EM_ARM, "32-bit ARM"},
        {EM_AARCH64, "AArch64"},      {EM_PPC64, "PowerPC64"}, {EM_RISCV, "RISC-V"},
        {EM_S390, "S/390"},           {EM_MIPS, "MIPS"},       {MACHINE_LOONGARCH, "LoongArch"},
        {MACHINE_AMD_GPU, "AMD GPU"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].machine == machine) {
            return names[i].name;
        }
    }
    snprintf(buffer, size, "machine %u", machine);
    return buffer;
}

static bool is_text(const unsigned char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == 0 || (bytes[i] < 0x20 && !strchr("\t\n\r\f", bytes[i]))) {
            return false;
        }
    }
    return true;
}

static bool check_ident(const ElfW(Ehdr) * header, size_t length, char *reason, size_t size)
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
        return true;
    }
    return false;
}

static bool check_type(const ElfW(Ehdr) * header, char *reason, size_t size)
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
        snprintf(reason, size, "it has no program headers; it may be a file of debugging symbols");
    } else {
        return true;
    }
    return false;
}

/* Reading a mapped page that the file does not hold raises SIGBUS. */
static bool check_segments(int file, const ElfW(Ehdr) * header, uint64_t length, char *reason,
                           size_t size)
{
    for (unsigned i = 0; i < header->e_phnum; i++) {
        ElfW(Phdr) segment;
        uint64_t at = header->e_phoff + (uint64_t)i * sizeof segment;
        if (pread(file, &segment, sizeof segment, (off_t)at) != (ssize_t)sizeof segment) {
            snprintf(reason, size, "the file is cut short inside its program headers");
            return false;
        }
        if (segment.p_type == PT_LOAD &&
            (segment.p_filesz > length || segment.p_offset > length - segment.p_filesz)) {
            snprintf(reason, size,
                     "the file is cut short: %" PRIu64 " bytes, segment %u needs %" PRIu64, length,
                     i, (uint64_t)segment.p_offset + segment.p_filesz);
            return false;
        }
    }
    return true;
}

static void explain_errno(char *reason, size_t size, const char *what)
{
    char text[128];
    snprintf(reason, size, "%s: %s", what, strerror_r(errno, text, sizeof text));
}

static bool check_open_file(int file, char *reason, size_t size)
{
    struct stat status;
    if (fstat(file, &status) != 0) {
        explain_errno(reason, size, "cannot be examined");
        return false;
    }
    if (!S_ISREG(status.st_mode)) {
        snprintf(reason, size, "it is not a regular file");
        return false;
    }
    ElfW(Ehdr) header = {0};
    ssize_t length = pread(file, &header, sizeof header, 0);
    if (length < 0) {
        explain_errno(reason, size, "cannot be read");
        return false;
    }
    return check_ident(&header, (size_t)length, reason, size) &&
           check_type(&header, reason, size) &&
           check_segments(file, &header, (uint64_t)status.st_size, reason, size);
}

static void explain_open(const char *path, int error, char *reason, size_t size, bool *absent)
{
    struct stat status;
    *absent = (error == ENOENT || error == ENOTDIR) && lstat(path, &status) != 0;
    errno = error;
    if (error == ENOENT && !*absent) {
        snprintf(reason, size, "it is a link to a file that does not exist");
    } else if (*absent) {
        snprintf(reason, size, "no such file or directory");
    } else if (error == EACCES) {
        snprintf(reason, size, "permission denied");
    } else {
        explain_errno(reason, size, "cannot be opened");
    }
}

bool hs_elf_check(const char *path, char *reason, size_t size, bool *absent)
{
    *absent = false;
    /* O_NONBLOCK, so that opening a FIFO does not wait for a writer. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) {
        explain_open(path, errno, reason, size, absent);
        return false;
    }
    bool usable = check_open_file(file, reason, size);
    close(file);
    return usable;
}
