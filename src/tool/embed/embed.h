/* SPDX-License-Identifier: MIT */
/*
 * What the files of `hipshim embed' share.
 */
#ifndef HIPSHIM_SRC_TOOL_EMBED_EMBED_H
#define HIPSHIM_SRC_TOOL_EMBED_EMBED_H

#include <hipshim/kernel.h>

#include <stddef.h>
#include <stdio.h>

enum { EMBED_STAMP = 65, EMBED_ARCH = 64, EMBED_SYMBOL = 256 };

/* Strings from malloc. */
struct embed_list {
    char **items;
    size_t count;
};

/* A source file. */
struct embed_source {
    char *path;   /* as given, or below the directory given */
    char *kernel; /* its name in the index */
    char *text;   /* in HIP */
    /*
     * Headers that it includes, found beside it or in -I directories: where, and
     * the same without links; and how they travel: by names and texts of ours.
     */
    struct embed_list header_paths, header_files, header_names, header_texts;
    char *lent_text;     /* includes them by those names */
    int unknown_headers; /* it includes others that were not found */
    int was_cuda;        /* so were its headers: they cannot be read from their files */
};

/* What came out of one source for one architecture. */
struct embed_result {
    hipshim_status_t status; /* or 1: the compiler ended its process */
    char arch[EMBED_ARCH];
    char *log, *error; /* never NULL once it ran */
    unsigned char *code;
    size_t code_size;
    size_t plain_size; /* 0: the code is not compressed */
};

struct embed_request {
    const char *name;    /* of the program, for messages */
    const char *output;  /* without a suffix */
    const char *symbol;  /* of the index in C; NULL: from the output's name */
    const char *depfile; /* or NULL */
    const char *hipcc;   /* path, "" to look for it; NULL: hiprtc */
    const char *hipify;  /* path of hipify-perl, "none"; NULL: looked for */
    const char *rocm;    /* or NULL */
    int assembler, with_source, compress, force, quiet;
    int unsure; /* the stamp cannot know all that the sources read */
    unsigned jobs;
    struct embed_list architectures; /* none: sources alone */
    struct embed_list options, directories;
    struct embed_list searched;                   /* directories: a file in one may come or go */
    struct embed_list mapped_paths, mapped_texts; /* what was CUDA, as HIP */
    struct embed_source *sources;
    size_t source_count;
    struct embed_result *results; /* source_count * architectures.count, by source */
};

/*
 * tool_embed.c: prints "hipshim embed: ..." and a line end, with "warning: " for
 * what does not end the work; returns -1.
 */
__attribute__((format(printf, 2, 3))) int embed_complain(const struct embed_request *request,
                                                         const char *format, ...);
__attribute__((format(printf, 2, 3))) void embed_warn(const struct embed_request *request,
                                                      const char *format, ...);

/*
 * tool_embed_find.c.  All return 0, or -1 after a message; then it is the command
 * line that makes no sense.
 */
int embed_list_add(struct embed_list *list, const char *text);
void embed_list_free(struct embed_list *list);
char *embed_read(const char *path, size_t *size); /* NULL with errno; ends in a 0 */
int embed_find(struct embed_request *request, const char *path);
int embed_sort(struct embed_request *request); /* and refuses equal names */
void embed_sources_free(struct embed_request *request);

/* tool_embed_headers.c: finds and reads what a source includes. */
int embed_headers(struct embed_request *request, struct embed_source *source);

/* tool_embed_scan.c: a text without comments and joined lines. */
struct embed_plain {
    char *text;
    size_t *at; /* where each character stands in the file */
    size_t size;
};

/* The quotes of a name to be included, in the plain text. */
struct embed_include {
    size_t open, close;
};

enum embed_found { EMBED_END, EMBED_INCLUDE, EMBED_UNKNOWN /* by a macro, or of an odd kind */ };

int embed_is_word(char c); /* of a name or a number */

/* The rest of R"x(...)x" from its quote on; to the text's end without one, 0 if it is none. */
size_t embed_raw_string(const char *quote);

int embed_plain_make(struct embed_plain *plain, const char *text); /* -1: no memory */
void embed_plain_free(struct embed_plain *plain);
enum embed_found embed_plain_next(const struct embed_plain *plain, size_t *from,
                                  struct embed_include *include);

/*
 * tool_embed_cuda.c: turns the text of a CUDA file into HIP, and warns of what it
 * could not; 0, or -1 after a message.
 */
int embed_from_cuda(struct embed_request *request, const char *path, char **text);

/* tool_embed_work.c: fills the results, in processes of their own. */
int embed_compile(struct embed_request *request);

/* tool_embed_stamp.c: a sum of all that the outputs depend on. */
void embed_stamp(const struct embed_request *request, char stamp[EMBED_STAMP]);

/* tool_embed_write.c: the index in C; "" if the output has no name of its own. */
void embed_symbol(const struct embed_request *request, char symbol[EMBED_SYMBOL]);

/* The outputs, each under a temporary name first. */
int embed_write(struct embed_request *request, const char *stamp);
int embed_write_depfile(const struct embed_request *request);

/*
 * Whether what was written last time carries the stamp; then its times are
 * brought up to date, and nothing need be done.
 */
int embed_is_current(const struct embed_request *request, const char *stamp);

#endif
