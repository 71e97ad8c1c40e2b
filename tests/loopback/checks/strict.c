/* SPDX-License-Identifier: MIT */
/* What nothing was written for: strict CASE asks the loopback for it, without a HIP runtime. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "hsa.h"

static hsa_agent_t agents[9];
static int agent_count;

static hsa_status_t take(hsa_agent_t agent, void *data)
{
    (void)data;
    agents[agent_count++] = agent;
    return HSA_STATUS_SUCCESS;
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
    if (!strcmp(what, "free")) {
        return hsa_amd_memory_pool_free(room);
    }
    if (!strcmp(what, "signal")) {
        return hsa_amd_signal_create(0, 0, NULL, UINT64_C(1) << 40, &signal);
    }
    if (!strcmp(what, "dmabuf")) {
        return hsa_amd_portable_export_dmabuf(room, sizeof room, NULL, NULL);
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
