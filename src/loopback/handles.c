/* SPDX-License-Identifier: MIT */
/* The handles of agents. */
#include "internal.h"

hsa_agent_t lb_agent(int index)
{
    hsa_agent_t agent = {0x100 + (uint64_t)index};
    return agent;
}

int lb_agent_index(hsa_agent_t agent)
{
    return agent.handle >= 0x100 && agent.handle <= 0x100 + (uint64_t)lb_settings.gpus
               ? (int)(agent.handle - 0x100)
               : -1;
}
