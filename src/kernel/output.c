/* SPDX-License-Identifier: MIT */
#include "kernel/kernel.h"

#include <stdlib.h>
#include <string.h>

void hs_kernel_output_free(struct hs_kernel_output *output)
{
    free(output->code);
    free(output->log);
    free(output->names);
    memset(output, 0, sizeof *output);
}
