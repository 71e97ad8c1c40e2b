/* SPDX-License-Identifier: MIT */
/*
 * strict CASE asks the loopback without a HIP runtime: for what nothing was written for, and for
 * what runtimes ask too seldom to rely on.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hsa.h"

enum { PAGE = 4096 };

static hsa_agent_t agents[9];
static int agent_count;

static hsa_status_t take(hsa_agent_t agent, void *data)
{
    (void)data;
    agents[agent_count++] = agent;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t take_pool(hsa_amd_memory_pool_t pool, void *data)
{
    *(hsa_amd_memory_pool_t *)data = pool;
    return HSA_STATUS_INFO_BREAK;
}

static void *lock(void *host, size_t size)
{
    hsa_amd_memory_pool_t pool = {0};
    void *address = NULL;
    hsa_amd_agent_iterate_memory_pools(agents[0], take_pool, &pool);
    return hsa_amd_memory_lock_to_pool(host, size, NULL, 0, pool, 0, &address) ? NULL : address;
}

/* Two locks with a page in common, of which the one that begins there goes first. */
static hsa_status_t copy_from_a_lock(void)
{
    static char memory[2 * PAGE] __attribute__((aligned(PAGE))) = "first";
    char got[sizeof "first"] = "";
    bool is_locked = lock(memory + PAGE, PAGE) != NULL;
    void *both = lock(memory, sizeof memory);
    if (!is_locked || !both || hsa_amd_memory_unlock(memory + PAGE)) {
        return HSA_STATUS_ERROR;
    }
    hsa_memory_copy(got, both, sizeof got);
    puts(got);
    hsa_status_t status = hsa_amd_memory_unlock(memory);
    bool is_left = hsa_amd_memory_unlock(memory) == HSA_STATUS_SUCCESS;
    return is_left ? HSA_STATUS_ERROR : status;
}

static int handled;

static bool handle_late(hsa_signal_value_t value, void *data)
{
    usleep(100000);
    __atomic_store_n((int *)data, 1 + (int)value, __ATOMIC_RELEASE);
    return false;
}

static hsa_status_t destroy_before_the_handler(void)
{
    hsa_queue_t *queue;
    hsa_signal_t signal;
    hsa_queue_create(agents[1], 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, 0, 0, &queue);
    hsa_signal_create(1, 0, NULL, &signal);
    hsa_amd_signal_async_handler(signal, HSA_SIGNAL_CONDITION_LT, 1, handle_late, &handled);
    hsa_signal_store_screlease(signal, 0);
    hsa_status_t status = hsa_queue_destroy(queue);
    return __atomic_load_n(&handled, __ATOMIC_ACQUIRE) ? status : HSA_STATUS_ERROR;
}

static hsa_status_t ask(const char *what)
{
    char room[256];
    bool yes;
    hsa_signal_t signal;
    (void)yes;
    if (!strcmp(what, "agent-info")) {
        return hsa_agent_get_info(agents[1], (hsa_agent_info_t)0xbeef, room);
    }
    if (!strcmp(what, "system-info")) {
        return hsa_system_get_info((hsa_system_info_t)0xbeef, room);
    }
    if (!strcmp(what, "newer-agent-info")) {
        return hsa_agent_get_info(agents[1], (hsa_agent_info_t)0xa123, room);
    }
    if (!strcmp(what, "newer-system-info")) {
        return hsa_system_get_info((hsa_system_info_t)0x209, room);
    }
    if (!strcmp(what, "free")) {
        return hsa_amd_memory_pool_free(room);
    }
    if (!strcmp(what, "signal")) {
        return hsa_amd_signal_create(0, 0, NULL, UINT64_C(1) << 40, &signal);
    }
    if (!strcmp(what, "dmabuf")) {
        return hsa_amd_portable_export_dmabuf(room, sizeof room, NULL, NULL);
    }
    if (!strcmp(what, "locks")) {
        return copy_from_a_lock();
    }
    if (!strcmp(what, "handler")) {
        return destroy_before_the_handler();
    }
    return HSA_STATUS_SUCCESS;
}

int main(int count, char **arguments)
{
    hsa_init();
    hsa_iterate_agents(take, NULL);
    hsa_status_t status = count > 1 ? ask(arguments[1]) : HSA_STATUS_SUCCESS;
    printf("%d agents, status 0x%x\n", agent_count, (unsigned)status);
    return hsa_shut_down();
}
