#!/bin/sh
# SPDX-License-Identifier: MIT
# What `hipshim embed` can, hipshim_kernels_embed() can: with the same bytes, and
# with the errors and the compiler's log where a build script wants them.
# shellcheck source-path=SCRIPTDIR
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=../cache/common.sh
. "$top/tests/cache/common.sh"

with_library
# The program itself, not libtool's wrapper of it.
HIPSHIM_TOOL=$build/.libs/hipshim
[ -f "$HIPSHIM_TOOL" ] || HIPSHIM_TOOL=$tool
export HIPSHIM_TOOL
cd "$scratch" || exit 99
mkdir -p k include
printf '#include "a.h"\nSIZE=500\n' >k/axpy.hip
printf 'SIZE=600\n' >k/dot.hip
echo '// a' >include/a.h

cat >build.c <<'SOURCE'
#include <hipshim/embed_build.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static void print(void *context, const char *line)
{
    printf("%s: %s\n", (const char *)context, line);
    (void)hipshim_kernels_embed(NULL); /* may be called here; its error text is not the caller's */
}

static hipshim_status_t embed(const char *what, const char *output)
{
    static char heard[] = "heard";
    static const char *const sources[] = {"k"}, *const bad[] = {"k/dot.hip", "bad.hip"};
    static const char *const nothing[] = {"no such.hip"}, *const null[] = {NULL};
    static const char *const cuda[] = {"bad.cu"};
    static const char *const archs[] = {"gfx90a", "gfx1030"};
    static const char *const options[] = {"-DA=a b", "-DB=2"}, *const include[] = {"include"};
    hipshim_embed_options_t all = {.size = sizeof all,
                                   .sources = sources,
                                   .source_count = 1,
                                   .output = output,
                                   .archs = archs,
                                   .arch_count = 2,
                                   .options = options,
                                   .option_count = 2,
                                   .directories = include,
                                   .directory_count = 1,
                                   .name = "mine",
                                   .depfile = "out.d",
                                   .flags = HIPSHIM_EMBED_SOURCE,
                                   .jobs = 2,
                                   .message = print,
                                   .context = heard};

    if (strcmp(what, "bad") == 0) {
        all.sources = bad, all.source_count = 2;
    } else if (strcmp(what, "cuda") == 0) {
        all.sources = cuda;
        all.hipify = "none";
    } else if (strcmp(what, "nothing") == 0) {
        all.sources = nothing;
    } else if (strcmp(what, "null") == 0) {
        all.sources = null;
    } else if (strcmp(what, "flag") == 0) {
        all.flags = 1u << 20;
    } else if (strcmp(what, "small") == 0) {
        all.size = 4;
    } else if (strcmp(what, "quietly") == 0) {
        all.message = NULL;
    } else if (strcmp(what, "tool") == 0) {
        all.tool = "./no-such-tool";
    } else if (strcmp(what, "hipcc") == 0) {
        all.hipcc = "./no-hipcc";
        all.flags = HIPSHIM_EMBED_FORCE;
    } else if (strcmp(what, "ignored") == 0) {
        signal(SIGCHLD, SIG_IGN);
    } else if (strcmp(what, "flags") == 0) {
        all.flags = HIPSHIM_EMBED_COMPRESS | HIPSHIM_EMBED_ASSEMBLER | HIPSHIM_EMBED_FORCE;
    }
    return hipshim_kernels_embed(&all);
}

static void *thread(void *output)
{
    return embed("", output) == HIPSHIM_OK ? output : NULL;
}

int main(int argc, char **argv)
{
    hipshim_status_t status;
    char names[4][8] = {"t0", "t1", "t2", "t3"};
    pthread_t threads[4];
    void *result;

    if (argc < 2) {
        for (int i = 0; i < 4; i++)
            pthread_create(&threads[i], NULL, thread, names[i]);
        for (int i = 0; i < 4; i++)
            printf("%s\n", (pthread_join(threads[i], &result), result) ? "done" : "failed");
        return 0;
    }
    status = embed(argv[1], "out");
    printf("%s", status == HIPSHIM_OK ? "OK\n" : "");
    if (status != HIPSHIM_OK)
        printf("%s | %s\n", hipshim_status_text(status), hipshim_error_text());
    return 0;
}
SOURCE
# shellcheck disable=SC2086 # CC may be several words
ok "the build script is built" $cc -std=gnu11 -Wall -Wextra -Werror -pthread \
    -I"$top/include/hipshim" -o script build.c "$build/libhipshim-embed.a" "$build/.libs/libhipshim.so"

said=$(./script "")
has "it embeds" "$said" "heard: out.c: 2 kernels for gfx90a, gfx1030: written
OK"
mkdir by-program
cp out.c out.h out.d by-program/
rm out.*
"$tool" embed -q --output out --arch gfx90a,gfx1030 '--option=-DA=a b' --option=-DB=2 -Iinclude \
    --name mine --depfile out.d --source -j2 k
ok "the program writes the same bytes" cmp out.c by-program/out.c
ok "and the same header" cmp out.h by-program/out.h
ok "and the same depfile" cmp out.d by-program/out.d

echo '#error' >bad.hip
said=$(./script bad)
has "a source that does not compile is said to be that" "$said" "the compiler refused the kernel"
has "its file and the architecture are in the text" "$said" "| bad.hip does not compile for gfx90a"
has "the compiler's own log is heard" "$said" "heard: error: as asked for"
printf '#error\ncudaNoSuchThing\n' >bad.cu
has "a warning is not taken for the error" "$(./script cuda)" "| bad.cu does not compile for"
has "a source that is not there is named" "$(./script nothing)" \
    "invalid argument | no such.hip: No such file or directory"
has "NULL is refused" "$(./script null)" "invalid argument | hipshim_kernels_embed: NULL among"
# shellcheck disable=SC2016 # the text has these quotes
has "so is an unknown flag" "$(./script flag)" '`flags` has an unknown bit'
# shellcheck disable=SC2016 # the text has these quotes
has "so is a size too small" "$(./script small)" 'its `size` is not set'
is "without a function for messages they are on standard error" \
    "$(./script quietly 2>&1 >/dev/null)" "out.c: 2 kernels for gfx90a, gfx1030: written"
has "a program that is not there is named" "$(./script tool)" \
    "the operating system refused a request | ./no-such-tool cannot be run: No such file"
has "a hipcc that is named is used, without a flag" "$(./script hipcc)" "./no-hipcc"
rm -f out.*
has "a caller that ignores SIGCHLD is told what that costs" "$(./script ignored)" \
    "is SIGCHLD ignored?"
ok "but its files are written" test -s out.c
said=$(./script flags)
if [ -s out.bin ]; then
    has "what is compressed and assembled is" "$(grep -c incbin out.S) $said" "4 "
else
    has "without libzstd that is said" "$said" libzstd
fi
is "four threads at once, each its own" "$(./script | grep -c '^done$')" 4
for n in 0 1 2 3; do
    ok "thread $n has written all" test -s "t$n.c"
done
mkdir doc doc/gpu
cp k/dot.hip doc/gpu/
awk '/^<!-- snippet c: build.c -->$/ { found = 1; next }
    found && /^```/ { if (inside) exit; inside = 1; next }
    inside' "$top/doc/embed.md" >doc/build.c
cd doc || exit 99
# shellcheck disable=SC2086 # CC may be several words
ok "the program in doc/embed.md is built" $cc -std=c11 -Wall -Wextra -Werror \
    -I"$top/include/hipshim" -o script build.c "$build/libhipshim-embed.a" "$build/.libs/libhipshim.so"
is "and embeds" "$(./script 2>&1)" "kernels.c: 1 kernel for gfx90a, gfx1030: written"
echo '#error' >gpu/bad.hip
has "and says what does not compile" "$(./script 2>/dev/null)" \
    "not built: gpu/bad.hip does not compile for gfx90a with HIP"
cd .. || exit 99
HIPSHIM_TOOL=/nowhere/hipshim
has "HIPSHIM_TOOL names the program" "$(./script "")" "/nowhere/hipshim cannot be run"
PATH=$build:$PATH
HIPSHIM_TOOL=
has "an empty HIPSHIM_TOOL counts as not set" "$(./script "" 2>&1)" "OK"
unset HIPSHIM_TOOL
has "else it is found by PATH" "$(./script "" 2>&1)" "OK"
finish
