#!/bin/sh
# SPDX-License-Identifier: MIT
# hipshim_embedded_load() goes on where the runtime refuses, compiles the source of
# just the kernel that is asked for, with its options and headers, and says what the
# compiler said.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../cache/common.sh
. "$top/tests/cache/common.sh"

with_library

cat >"$scratch/load.c" <<'SOURCE'
#include <hipshim/embed.h>
#include <stdio.h>
#include "fake.h"

static const char bad[] = "#error\nSIZE=20", one[] = "SIZE=16 one", two[] = "SIZE=16 two";
static const char *const options[] = {"-DX=1", "-DY=2"}, *const headers[] = {"a.h", "// a\n"};
static const hipshim_embedded_code_t codes[] = {
    {"one", "gfx90a:xnack-", "Refused, 16 byte", 16, 0},
    {"one", "gfx90a", "gfx90a, 16 bytes", 16, 0},
    {"one", "gfx9-generic", "generic, 16 byte", 16, 0},
    {"two", "gfx90a", "Refused, 16 byte", 16, 0},
    {"zip", "gfx90a", "no zstd at all  ", 16, 20},
    {"all", "gfx90a", "Refused, 16 byte", 16, 0},
    {"tie", "gfx90a:xnack-", "Refused, 16 byte", 16, 0},
    {"tie", "gfx90a:sramecc+", "sramecc, 16 byte", 16, 0},
    {"tie", "gfx90a", "gfx90a, 16 bytes", 16, 0},
};
static const hipshim_embedded_source_t sources[] = {
    {"one", "one.hip", one, NULL, 0, NULL, 0},
    {"two", "two.hip", two, NULL, 0, headers, 1},
    {"bad", "bad.hip", bad, options, 2, NULL, 0},
};
static const hipshim_embedded_t kernels = {sizeof kernels, HIPSHIM_EMBEDDED_VERSION, codes, 9,
                                           sources,        3};

int main(int argc, char **argv)
{
    struct ihipModule_t *module;
    unsigned char wanted[16];
    hipshim_status_t status = hipshim_embedded_load(&kernels, argv[1], argv[2], &module);

    if (status != HIPSHIM_OK) {
        printf("%s | %s\n", hipshim_status_text(status), hipshim_error_text());
        return module != NULL || argc != 3;
    }
    for (int i = 0; i < 2; i++) {
        fake_code(i ? two : one, argv[2], wanted, sizeof wanted);
        if (memcmp(module, wanted, sizeof wanted) == 0)
            puts(i ? "source of two" : "source of one");
    }
    printf("%.7s\n", (const char *)module);
    free(module);
    return 0;
}
SOURCE
# shellcheck disable=SC2086 # CC may be several words
ok "the program is built" $cc -std=c11 -Wall -Wextra -Werror -I"$top/include/hipshim" -I"$top/tests/kernel" \
    -o "$scratch/load" "$scratch/load.c" "$build/.libs/libhipshim-kernel.so" "$build/.libs/libhipshim.so"
load() { # KERNEL ARCHITECTURE
    said=$("$scratch/load" "$@" 2>&1)
}

load one gfx90a
is "what fits is loaded" "$said" "gfx90a,"
load one gfx90a:sramecc+:xnack-
is "if the best is refused, the second is loaded" "$said" "gfx90a,"
load tie gfx90a:sramecc+:xnack-
is "also if it fits just as well as the first" "$said" "sramecc"
load tie gfx90a:sramecc-:xnack-
is "and it goes on to what fits less well" "$said" "gfx90a,"
load one gfx906
is "what is for all of a family is loaded" "$said" "generic"
load one gfx1030
has "if nothing fits, the source is compiled" "$said" "source of one"
load two gfx90a
has "if all is refused, the source is compiled: that of this kernel" "$said" "source of two"
load bad gfx90a
has "a source that does not compile says so" "$said" \
    "the compiler refused the kernel | bad.hip does not compile for gfx90a"
has "with the compiler's log, and its own options" "$said" \
    "error: as asked for
<-DX=1><-DY=2>"
load all gfx90a
has "what is refused, without a source, has HIP's name of the error" "$said" \
    "the runtime refuses the kernel \"all\" for gfx90a: hipErrorInvalidImage"
load all gfx1030
has "what does not fit, without a source, says what there is" "$said" \
    "no embedded code object fits the device | the kernel \"all\" is embedded for gfx90a, and none of its code fits"
load zip gfx90a
has "what is no frame says so" "$said" "the embedded kernel \"zip\" for gfx90a is compressed: "
finish
