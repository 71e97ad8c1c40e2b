/* SPDX-License-Identifier: MIT */
/*
 * Declares the libraries hipshim opens at run time, in the ELF note format
 * that packaging tools read (owner "FDO", see systemd's "ELF dlopen metadata"
 * specification): dpkg-shlibdeps, rpm and the like can then suggest them.
 */
#include <stdint.h>

#define NOTE_OWNER "FDO"

/* A drop-in embeds nothing. */
#ifdef HS_DROP_IN
#define NOTE_ZSTD
#else
#define NOTE_ZSTD                                                                                  \
    ",{\"feature\":\"zstd\",\"description\":\"Loads embedded kernels that are compressed\","       \
    "\"priority\":\"suggested\",\"soname\":[\"libzstd.so.1\"]}"
#endif

#define NOTE_HIP                                                                                   \
    "[{\"feature\":\"hip\",\"description\":\"Runs HIP calls\","                                    \
    "\"priority\":\"recommended\","                                                                \
    "\"soname\":[\"libamdhip64.so.7\",\"libamdhip64.so.6\",\"libamdhip64.so.5\"]},"                \
    "{\"feature\":\"hiprtc\",\"description\":\"Compiles HIP kernels at run time\","                \
    "\"priority\":\"suggested\",\"soname\":[\"libhiprtc.so.7\",\"libhiprtc.so.6\"]}" NOTE_ZSTD "]"

enum { NOTE_TYPE = 0x407c0c0a };

/* Every part of a note begins at a multiple of four bytes. */
struct note {
    uint32_t owner_size;
    uint32_t content_size;
    uint32_t type;
    char owner[sizeof NOTE_OWNER];
    _Alignas(4) char content[sizeof NOTE_HIP];
};

static const struct note note __attribute__((used, aligned(4), section(".note.dlopen"))) = {
    sizeof NOTE_OWNER, sizeof NOTE_HIP, NOTE_TYPE, NOTE_OWNER, NOTE_HIP,
};
