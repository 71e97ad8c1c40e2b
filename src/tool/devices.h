/* SPDX-License-Identifier: MIT */
/* The devices that HIP finds, and the settings of the loopback that decide it. */
#ifndef HIPSHIM_SRC_TOOL_DEVICES_H
#define HIPSHIM_SRC_TOOL_DEVICES_H

#include <hipshim/hipshim.h>

#include <stdbool.h>

#include "tool/tool.h"

enum {
    TOOL_NO_DEVICE = 100,     /* hipErrorNoDevice */
    TOOL_DEVICES_SECONDS = 15 /* a machine with eight GPUs needs two or three */
};

struct tool_devices {
    int error; /* of hipInit, or else of hipGetDeviceCount */
    int count;
};

/* In a process of its own, because a runtime starts threads, may crash and may never return. */
struct tool_devices tool_devices_ask(void);

/* The runtime works and finds no device. */
static inline bool tool_devices_none(const struct tool_devices *devices)
{
    return devices->error == TOOL_NO_DEVICE || (devices->error == 0 && devices->count == 0);
}

/* Keeps what a runtime prints from the user; returns a copy of standard error, or -1. */
int tool_devices_silence(void);

/* A variable hides devices of the machine or of the loopback. */
bool tool_devices_hidden(void);

/* The GPUs that the loopback has by its variables; 0 if their number cannot be read. */
unsigned tool_devices_of_loopback(void);

/*
 * Writes why the runtime finds no device though there are some, with a remedy after "; ".  False
 * if the reason is not the compiler library, libamd_comgr, but the processor of the loopback.
 */
enum { TOOL_DEVICES_TEXT = 256 };
bool tool_devices_lack_compiler(const hipshim_runtime_t *runtime, char text[TOOL_DEVICES_TEXT]);

/* The variable and directory where AMD's compiler cannot write its files, or NULL. */
const char *tool_devices_bad_tmpdir(char room[TOOL_PATH_ROOM]);

#endif
