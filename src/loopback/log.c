/* SPDX-License-Identifier: MIT */
/*
 * Settings from the environment, the log, and the functions that refuse a request or end
 * the process.  Only this file depends on strictness.  lb_unknown is for requests that the
 * loopback does not implement, so that a new release of HIP with more requests is
 * noticed; lb_refuse is for requests that it refuses on purpose.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

struct lb_settings lb_settings = {.gpus = 1, .strict = true};

/* A test with a slip in a variable would check something else, so the process ends. */
static bool setting(const char *name, bool otherwise)
{
    const char *value = getenv(name);
    if (!value || !value[0]) {
        return otherwise;
    }
    if (strcmp(value, "0") != 0 && strcmp(value, "1") != 0) {
        lb_fatal("%s=%s is not 0 or 1", name, value);
    }
    return value[0] == '1';
}

static int read_count(const char *text, int most)
{
    char *end;
    long number = strtol(text, &end, 10);
    if (*end || number < 0 || number > most) {
        lb_fatal("LOOPBACK_GPUS=%s is not 0 to %d", text, most);
    }
    return (int)number;
}

/* The length of a feature with its sign, or 0. */
static size_t feature_length(const char *text)
{
    size_t length = strncmp(text, "xnack", 5) == 0 ? 5 : strncmp(text, "sramecc", 7) == 0 ? 7 : 0;
    return length > 0 && (text[length] == '+' || text[length] == '-') ? length + 1 : 0;
}

/* A processor as LLVM names them, such as gfx90a or gfx11-generic, followed by features. */
static bool is_processor(const char *isa)
{
    size_t length = strncmp(isa, "gfx", 3) == 0 ? 3 + strspn(isa + 3, "0123456789abcdef-") : 0;
    if (length > 3 && isa[length - 1] == '-' && strncmp(isa + length, "generic", 7) == 0) {
        length += 7;
    }
    bool is_whole = length > 5;
    while (is_whole && isa[length] == ':') {
        size_t feature = feature_length(isa + length + 1);
        is_whole = feature > 0;
        length += 1 + feature;
    }
    return is_whole && isa[length] == '\0';
}

/* The features in the names of a processor's code objects. */
static const char *features(const char *gfx)
{
    static const char *const both[] = {"gfx906", "gfx908", "gfx90a", "gfx940", "gfx942", "gfx950"};
    for (size_t i = 0; i < sizeof both / sizeof both[0]; i++) {
        if (!strcmp(gfx, both[i])) {
            return ":sramecc+:xnack-";
        }
    }
    return strcmp(gfx, "gfx900") ? "" : ":xnack-";
}

void lb_settings_read(void)
{
    const char *gpus = getenv("LOOPBACK_GPUS");
    const char *isa = getenv("LOOPBACK_ISA");
    const char *fault = getenv("LOOPBACK_FAULT");
    struct lb_settings *s = &lb_settings;
    if (gpus && gpus[0]) {
        s->gpus = read_count(gpus, LB_GPUS_MAX);
    }
    if (!isa || !isa[0]) {
        isa = "gfx90a";
    }
    size_t length = strcspn(isa, ":");
    if (length >= sizeof s->gfx || strlen(isa) > 48) {
        lb_fatal("LOOPBACK_ISA=%s is too long", isa);
    }
    if (!is_processor(isa)) {
        lb_fatal("LOOPBACK_ISA=%s is no processor, such as gfx90a or gfx90a:xnack-", isa);
    }
    memcpy(s->gfx, isa, length);
    s->gfx[length] = '\0';
    snprintf(s->isa, sizeof s->isa, "amdgcn-amd-amdhsa--%s%s", isa,
             isa[length] ? "" : features(s->gfx));
    s->processor = lb_processor(s->gfx);
    s->corrects =
        strstr(s->isa, ":sramecc+") || (s->processor->is_cdna && !strstr(s->isa, ":sramecc"));
    s->wave32 = strlen(s->gfx) == 7;
    s->strict = setting("LOOPBACK_STRICT", true);
    s->log = setting("LOOPBACK_LOG", false);
    s->guard = setting("LOOPBACK_GUARD", false);
    s->check = setting("LOOPBACK_CHECK", false);
    s->fault_kernel = fault && !strcmp(fault, "kernel");
    if (fault && fault[0] && !s->fault_kernel) {
        lb_fatal("LOOPBACK_FAULT=%s is not \"kernel\"", fault);
    }
}

static void say(const char *format, va_list arguments)
{
    char text[512];
    int length = vsnprintf(text, sizeof text, format, arguments);
    if (length >= (int)sizeof text) {
        length = sizeof text - 1;
    }
    fprintf(stderr, "loopback: %.*s\n", length, text);
    fflush(stderr);
}

void lb_log(const char *format, ...)
{
    if (lb_settings.log) {
        va_list arguments;
        va_start(arguments, format);
        say(format, arguments);
        va_end(arguments);
    }
}

void lb_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

hsa_status_t lb_unknown(hsa_status_t status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    if (lb_settings.strict) {
        _exit(99);
    }
    return status;
}

hsa_status_t lb_refuse(hsa_status_t status, const char *function, const char *why)
{
    lb_log("%s: refused: %s", function, why);
    return status;
}

void lb_fatal(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    _exit(99);
}

void *lb_new(size_t size)
{
    void *memory = calloc(1, size);
    if (!memory) {
        lb_fatal("no memory for %zu bytes", size);
    }
    return memory;
}
