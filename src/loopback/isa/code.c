/* SPDX-License-Identifier: MIT */
/* The instructions of a loaded code object, each decoded when it is first reached. */
#include <elf.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "isa.h"

enum { MACHINE = 0xff };

struct isa_code *lb_isa_code_new(const char *elf, const struct lb_block *block)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)elf;
    const Elf64_Phdr *segments = (const Elf64_Phdr *)(elf + header->e_phoff);
    const struct lb_processor *processor = lb_settings.processor;
    uint32_t machine = header->e_flags & MACHINE;
    if (!processor->gfx || !isa_comgr_find() ||
        (machine != processor->machine && machine != processor->generic)) {
        return NULL;
    }
    for (unsigned i = 0; i < header->e_phnum; i++) {
        const Elf64_Phdr *segment = segments + i;
        if (segment->p_type == PT_LOAD && segment->p_flags & PF_X) {
            struct isa_code *code = lb_new(sizeof *code);
            code->start = block->base + segment->p_vaddr;
            code->bytes = block->backing + segment->p_vaddr;
            code->size = segment->p_filesz & ~UINT64_C(3);
            code->at = lb_new((code->size / 4 + 1) * sizeof(void *));
            return code;
        }
    }
    return NULL;
}

void lb_isa_code_free(struct isa_code *code)
{
    for (size_t i = 0; code && i < code->size / 4; i++) {
        if (code->at[i]) {
            free(code->at[i]->dual);
            free(code->at[i]->text);
            free(code->at[i]);
        }
    }
    free(code ? code->at : NULL);
    free(code);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* Decodes the instruction at an index of the code, once. */
static struct instruction *decode(struct isa_code *code, size_t index)
{
    char text[256];
    pthread_mutex_lock(&mutex);
    struct instruction *in = code->at[index];
    if (!in) {
        in = lb_new(sizeof *in);
        size_t length =
            isa_disassemble(code->bytes + 4 * index, code->size - 4 * index, text, sizeof text);
        in->length = (uint8_t)length;
        if (length == 0 || !isa_decode(in, text)) {
            in->run = NULL;
        }
        in->text = strdup(length ? text : "bytes that are no instruction");
        __atomic_store_n(&code->at[index], in, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&mutex);
    return in;
}

const struct instruction *isa_fetch(struct isa_code *code, const char *pc)
{
    size_t offset = (size_t)(pc - code->start);
    if (offset >= code->size || offset % 4) {
        return NULL;
    }
    struct instruction *in = __atomic_load_n(&code->at[offset / 4], __ATOMIC_ACQUIRE);
    return in ? in : decode(code, offset / 4);
}
