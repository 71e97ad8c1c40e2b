/* SPDX-License-Identifier: MIT */
/* All mnemonics that the loopback knows. */
#include <string.h>

#include "isa.h"

static const struct isa_row *const tables[] = {
    isa_scalar_rows, isa_vector_rows, isa_wide_rows, isa_compare_rows, isa_memory_rows,
    isa_lds_rows,    isa_atomic_rows, isa_half_rows, isa_image_rows,   isa_matrix_rows,
};

const struct isa_row *isa_row_find(const char *mnemonic)
{
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        for (const struct isa_row *row = tables[i]; row->name; row++) {
            if (!strcmp(row->name, mnemonic)) {
                return row;
            }
        }
    }
    return NULL;
}
