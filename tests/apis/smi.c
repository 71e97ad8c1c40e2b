/* SPDX-License-Identifier: MIT */
/* What ROCm SMI answers on a machine without a GPU; its declarations are the same in all releases.
 */
#include <stdint.h>
#include <stdio.h>

struct version {
    uint32_t major, minor, patch;
    const char *build;
};
int rsmi_init(uint64_t flags);
int rsmi_status_string(int status, const char **text);
int rsmi_version_get(struct version *version);

int main(void)
{
    const char *text = "";
    struct version version = {77, 77, 77, ""};

    printf("init %d\n", rsmi_init(0));
    for (int status = 0; status < 20; status++) {
        int got = rsmi_status_string(status, &text);
        printf("status %d: %d, %s\n", status, got, text);
    }
    printf("version %d, ", rsmi_version_get(&version));
    printf("%u.%u.%u\n", version.major, version.minor, version.patch);
    return 0;
}
