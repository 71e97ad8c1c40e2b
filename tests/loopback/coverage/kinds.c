/* SPDX-License-Identifier: MIT */
/* Prints what each function is on the runtime that was found, a line "name kind" each. */
#include <stdio.h>

#include <hipshim/hipshim.h>

int main(void)
{
    static const char *const kinds[] = {"direct", "converted", "emulated", "missing"};
    if (hipshim_init() != HIPSHIM_OK) {
        fprintf(stderr, "%s\n", hipshim_error_text());
        return 1;
    }
    for (unsigned i = 0; i < hipshim_function_count(); i++) {
        hipshim_function_t function = {.size = sizeof function};
        hipshim_function_info(hipshim_function_name(i), &function);
        printf("%s %s\n", hipshim_function_name(i), kinds[function.kind]);
    }
    return 0;
}
