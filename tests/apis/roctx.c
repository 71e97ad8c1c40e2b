/* SPDX-License-Identifier: MIT */
/*
 * Calls every function of roctx that all releases have, and prints what each returns.  Without an
 * argument; `pop` takes a range that nobody opened, which libraries before ROCm 5.3 abort at.
 */
#include <roctracer/roctx.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>

static void *use_in_thread(void *level)
{
    *(int *)level = roctxRangePush("in a thread");
    return NULL;
}

int main(int argc, char **argv)
{
    (void)argv;
    printf("version %" PRIu32 ".%" PRIu32 "\n", roctx_version_major(), roctx_version_minor());
    roctxMark("a mark");
    int outer = roctxRangePush("outer"), inner = roctxRangePush("inner"), other = -2;
    pthread_t thread;
    if (pthread_create(&thread, NULL, use_in_thread, &other) != 0 ||
        pthread_join(thread, NULL) != 0) {
        return 1;
    }
    printf("pushed %d %d, in a thread %d\n", outer, inner, other);
    inner = roctxRangePop();
    outer = roctxRangePop();
    printf("popped %d %d\n", inner, outer);
    roctx_range_id_t first = roctxRangeStart("first"), second = roctxRangeStart("second");
    roctxRangeStop(first);
    roctxRangeStop(second);
    printf("ranges %" PRIu64 " %" PRIu64 "\n", first, second);
    if (argc > 1) {
        printf("popped %d\n", roctxRangePop());
    }
    return 0;
}
