/* SPDX-License-Identifier: MIT */
/*
 * Shared by the files of the loopback.  One mutex (lb_lock) guards all state.  One
 * condition variable (lb_wake, lb_wait) signals every change of a signal, a doorbell
 * or a list of work.  The caller of a function named lb_..._locked holds the mutex;
 * callbacks run without it.
 */
#ifndef LOOPBACK_INTERNAL_H
#define LOOPBACK_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "hsa.h"

enum { LB_GPUS_MAX = 8, LB_CPU = 0, LB_PAGE = 4096 };
#define LB_VRAM (UINT64_C(16) << 30)
#define LB_RAM  (UINT64_C(32) << 30)

/* --- processors.c --- */

enum { LB_FACTS = 12 };

struct lb_processor {
    const char *gfx;           /* NULL if the loopback carries out no code for it */
    uint32_t machine, generic; /* in the flags of code objects for it, and for its generation */
    /* Compute units, SIMDs of each, waves of a SIMD; registers of all waves of a SIMD, in a lane.
     */
    uint32_t units, simds, simd_waves, simd_vectors;
    uint32_t lanes; /* of a wave */
    bool is_cdna;   /* it has accumulators */
    struct {
        uint32_t attribute, number;
    } facts[LB_FACTS]; /* that the agent tells */
};
/* For any other name the facts of gfx90a, without a name. */
const struct lb_processor *lb_processor(const char *gfx);

/* --- log.c: settings, log, ends --- */

struct lb_settings {
    int gpus;
    bool strict;
    bool log;
    bool guard;
    bool check;
    bool fault_kernel;
    bool wave32;
    bool corrects; /* vector registers have error correction (sramecc) */
    bool newer;    /* the runtime asked for what HSA 1.15 has not, as HIP 7.14 does first */
    char gfx[32];
    char isa[96];
    const struct lb_processor *processor;
};
extern struct lb_settings lb_settings;

void lb_settings_read(void);
void lb_log(const char *format, ...) __attribute__((format(printf, 1, 2)));
void lb_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* For requests that the loopback does not know: ends a strict process, else logs and returns
 * status. */
hsa_status_t lb_unknown(hsa_status_t status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* For requests that it refuses, as a machine without the feature does: logs and returns status. */
hsa_status_t lb_refuse(hsa_status_t status, const char *function, const char *why);
/* For a violated contract, or no memory for the loopback: ends the process. */
void lb_fatal(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
void *lb_new(size_t size);

/* --- handles.c, pools.c --- */

/* The index of an agent: 0 for the CPU, from 1 on for GPUs, -1 for no agent. */
int lb_agent_index(hsa_agent_t agent);
hsa_agent_t lb_agent(int index);

enum lb_pool_kind {
    LB_POOL_FINE,
    LB_POOL_KERNARG,
    LB_POOL_COARSE,
    LB_POOL_GPU_COARSE,
    LB_POOL_GPU_FINE,
    LB_POOL_GROUP,
};
/* False if the handle is not a pool. */
bool lb_pool(hsa_amd_memory_pool_t pool, int *agent, enum lb_pool_kind *kind);
uint32_t lb_pool_flags(enum lb_pool_kind kind);

/* Copies an answer to `value` in exactly the width that the HSA headers document. */
static inline hsa_status_t lb_answer(void *value, const void *answer, size_t size)
{
    memcpy(value, answer, size);
    return HSA_STATUS_SUCCESS;
}

#define ANSWER(type, what) lb_answer(value, (type[]){what}, sizeof(type))

/* --- memory.c: ranges of memory and their owners --- */

enum lb_kind { LB_HOST, LB_GPU, LB_LOCKED, LB_IPC, LB_RESERVED, LB_VMEM };

struct lb_block {
    char *base;    /* as agents see it */
    char *host;    /* as the host sees it; `base` except for locked memory */
    char *backing; /* where the loopback accesses it; differs in guard mode */
    size_t size;   /* as requested */
    size_t mapped; /* whole pages */
    enum lb_kind kind;
    int agent;
    uint32_t flags;
    uint64_t offset; /* in the GPU memory file */
    int locks;
    bool closed; /* agents have no access */
    struct lb_block *next;
};

/* Finds a block by an address of the agents or of the host. */
struct lb_block *lb_block_find_locked(const void *address);
/* The block that is nearest to an address of the agents, and how far it is. */
const struct lb_block *lb_block_nearest_locked(const void *address, uint64_t *distance);
void lb_block_add_locked(struct lb_block *block);
void lb_block_remove_locked(struct lb_block *block);
/* The address where the loopback accesses `size` bytes at an agent's address. */
void *lb_host_address(const void *address, size_t size);
/* Maps GPU memory; NULL if there is none left. */
struct lb_block *lb_gpu_new_locked(int agent, size_t size, uint32_t flags);
void lb_gpu_free_locked(struct lb_block *block);
int lb_gpu_file(void);
uint64_t lb_gpu_used(int agent);
/* Changes with every range that comes, goes or gets other access. */
extern uint64_t lb_range_changes;
static inline uint64_t lb_generation(void)
{
    return __atomic_load_n(&lb_range_changes, __ATOMIC_ACQUIRE);
}
void lb_ranges_changed(void);
size_t lb_pages(size_t size);

/* --- ranges.c, svm.c: what a kernel may access --- */

/* The range of memory around an address that a kernel may access, and where the loopback accesses
 * it; false if there is none. */
bool lb_range(const void *address, uint64_t *start, uint64_t *size, char **bytes);
/* Says by how much an address misses the nearest block, or nothing if there is none near. */
void lb_miss(const void *address, char *text, size_t room);
/* The same for pages with attributes of shared memory, whose addresses are the host's. */
bool lb_svm_range_locked(const void *address, uint64_t *start, uint64_t *size);

/* --- clock.c --- */

void lb_lock(void);
void lb_unlock(void);
void lb_wake_locked(void);
/* Waits for the next lb_wake, at most so long. */
void lb_wait_locked(unsigned microseconds);
uint64_t lb_now(void);
void lb_thread_start(void *(*body)(void *), void *argument);
/* The exit handler of exit.c, which waits until all work is done.  Register it again after
 * something was loaded without which the work cannot go on. */
extern void (*lb_settle)(void);

/* --- signals.c --- */

/* The signal in which an address lies, or NULL. */
void *lb_signal_at(const void *address);
int64_t lb_signal_value(hsa_signal_t signal);
bool lb_condition(hsa_signal_condition32_t condition, int64_t value, int64_t wanted);
/* Sets the times, decrements the signal, and wakes; does nothing for a null handle. */
void lb_signal_complete(hsa_signal_t signal, uint64_t start);

/* --- exit.c: the end of the process, and whether all work is done --- */

void lb_settle_at_exit(void);
/* True in a handler, which need not wait for itself. */
bool lb_handlers_idle_locked(void);
bool lb_copies_idle_locked(void);
bool lb_queues_idle_locked(void);

/* --- copies.c --- */

struct lb_copy {
    const hsa_signal_t *waits;
    uint32_t wait_count;
    hsa_signal_t done;
    void *dst;
    const void *src;
    size_t size; /* bytes of a row */
    size_t rows, slices;
    size_t dst_pitch, dst_slice, src_pitch, src_slice;
};
hsa_status_t lb_copy_submit(const struct lb_copy *copy);

/* --- objects.c --- */

struct lb_kernel {
    char *name; /* without .kd */
    uint64_t object;
    uint32_t group, private_size, kernarg;
    struct isa_code *code; /* NULL if the loopback cannot run it */
    struct lb_kernel *next;
};
const struct lb_kernel *lb_kernel_find(uint64_t object);
/* The number of code objects loaded so far, without those of the runtime itself.  Tests find the
 * function by dlsym, and `hipshim doctor` knows the loopback by it. */
uint64_t loopback_code_objects(void);
/* Whether the runtime itself brings the kernel, for copies, fills and waits. */
bool lb_is_of_runtime(const struct lb_kernel *kernel);

/* --- isa/: carries out kernels --- */

struct isa_launch {
    const struct lb_kernel *kernel;
    const hsa_kernel_dispatch_packet_t *packet;
    const amd_queue_v2_t *queue;
    uint64_t id;
};
/* The code of an ELF file that was checked and copied to the block; NULL if there is none for
 * the processor, or no disassembler. */
struct isa_code *lb_isa_code_new(const char *elf, const struct lb_block *block);
void lb_isa_code_free(struct isa_code *code);
/* Runs the whole grid.  Any other status than success is one for the queue's callback; the reason
 * was printed. */
hsa_status_t lb_isa_launch(const struct isa_launch *launch);

/* --- images.c --- */

struct lb_image {
    char *data;
    size_t row, slice, element;
    size_t width, height, depth;
    uint32_t type, order;
    unsigned channels, dimensions; /* without that of layers */
    bool is_layered;
};
/* The image whose descriptor has these four words first; NULL if there is none, or if its format
 * is not known to texels.c. */
const struct lb_image *lb_image_described(const uint32_t words[4]);

/* A sampler's words: three bits for the mode of each dimension, and flags. */
enum { LB_ADDRESS_BORDER = 2, LB_ADDRESS_REPEAT = 3, LB_ADDRESS_MIRROR = 4 };
enum { LB_SAMPLER_TEXELS = 1 << 15 }; /* word 0: coordinates count texels */
enum { LB_SAMPLER_LINEAR = 1 << 20 }; /* word 2 */

/* --- texels.c --- */

bool lb_image_is_float(const struct lb_image *image);
/* The numbers of a texel as floats or integers; the last one that is not there is 1. */
void lb_texel_read(const struct lb_image *image, const char *bytes, uint32_t texel[4]);
void lb_texel_write(const struct lb_image *image, const uint32_t texel[4], char *bytes);

/* A texel of a sample: its offset in the data, or LB_BORDER for one that is 0. */
struct lb_tap {
    size_t offset;
    float weight;
};
#define LB_BORDER SIZE_MAX
/* The offset of the texel with these indices, or LB_BORDER. */
size_t lb_image_offset(const struct lb_image *image, const uint32_t at[4]);
unsigned lb_image_taps(const struct lb_image *image, const uint32_t sampler[4],
                       const float coordinates[4], struct lb_tap taps[8]);

#endif
