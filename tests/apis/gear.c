/* SPDX-License-Identifier: MIT */
/*
 * A program of the made-up API gear, and the library with LIBRARY.  OLD: of ROCm 5.7, whose HIP has
 * other numbers for the kinds of memory, and whose gear has others for its modes.
 */
#include <stdio.h>

#ifdef OLD
enum hipMemoryType { hipMemoryTypeHost = 0, hipMemoryTypeDevice = 1 };
enum gearMode { gearFast = 4, gearSafe = 5 };
#else
enum hipMemoryType { hipMemoryTypeHost = 1, hipMemoryTypeDevice = 2 };
enum gearMode { gearFast = 0, gearSafe = 1 };
#endif

int gearOpen(void);
int gearMove(enum hipMemoryType type, enum gearMode mode, int seen[2]);
#ifdef OLD
int gearTurn(int *value, int by);
#else
int gearTurn(int value, int by, int *result);
#endif
void NAME(void);

#ifdef LIBRARY
int gearOpen(void)
{
    return 0;
}

int gearMove(enum hipMemoryType type, enum gearMode mode, int seen[2])
{
    seen[0] = (int)type;
    seen[1] = (int)mode;
    return 0;
}

#ifdef OLD
int gearTurn(int *value, int by)
{
    *value += by;
    return 0;
}
#else
int gearTurn(int value, int by, int *result)
{
    *result = value + by;
    return 0;
}
#endif
#else
/* In a program and in a plugin, each with the numbers of its own header. */
void NAME(void)
{
    int seen[2] = {-1, -1};
    int status = gearMove(hipMemoryTypeDevice, gearSafe, seen);
    int value = 40, turned;
#ifdef OLD
    turned = gearTurn(&value, 2);
#else
    turned = gearTurn(value, 2, &value);
#endif
    printf("%d: %d %d, %d: %d\n", status, seen[0], seen[1], turned, value);
}
#endif

#ifdef PROGRAM
void plugin(void) __attribute__((weak));

int main(void)
{
    program();
    if (plugin) {
        plugin();
    }
    return 0;
}
#endif
