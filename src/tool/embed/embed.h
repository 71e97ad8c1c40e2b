/* SPDX-License-Identifier: MIT */
/*
 * Shared by the files of `hipshim embed`.
 */
#ifndef HIPSHIM_SRC_TOOL_EMBED_EMBED_H
#define HIPSHIM_SRC_TOOL_EMBED_EMBED_H

#include <hipshim/kernel.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "tool/list.h"
#include "tool/tool.h"

#define EMBED_COMMAND "hipshim embed"

enum { EMBED_ARCH = 64, EMBED_SYMBOL = 256 };
enum { EMBED_ALIGNMENT = 4096 }; /* of code objects, as in the compilers' own bundles */

struct embed_source {
    char *path;   /* as given, or below the directory given */
    char *kernel; /* its name in the index */
    char *text;   /* in HIP */
    /*
     * Headers that it includes, found beside it or in -I directories: their paths,
     * the same without links, and the names and texts with which they are embedded.
     */
    struct hs_words header_paths, header_files, header_names, header_texts;
    char *rewritten_text;      /* the text with those names in its includes */
    bool may_read_other_files; /* it includes headers that were not found, or asks for files */
    /* The headers were translated, too, so the compiler must not read the files on disk. */
    bool was_cuda;
};

/* The result for one source and architecture. */
struct embed_result {
    hipshim_status_t status; /* or 1: the compiler ended its process */
    char arch[EMBED_ARCH];
    char *log, *error; /* never NULL after the compilation */
    unsigned char *code;
    size_t code_size;
    size_t plain_size; /* 0: the code is not compressed */
};

struct embed_request {
    const char *output;  /* without a suffix */
    const char *symbol;  /* of the index in C; NULL: from the output's name */
    const char *depfile; /* or NULL */
    const char *hipcc;   /* path, "" to search for it; NULL: hiprtc */
    const char *hipify;  /* path of hipify-perl, "none", or NULL to search for it */
    const char *rocm;    /* or NULL */
    int assembler, with_source, compress, rust, force, quiet;
    unsigned jobs;
    struct hs_words architectures; /* empty: only the sources are embedded */
    struct hs_words options, directories;
    struct hs_words inputs; /* directories, in which files may appear and vanish, and files */
    struct hs_words mapped_paths, mapped_texts; /* CUDA files after their translation */
    struct embed_source *sources;
    size_t source_count;
    struct embed_result *results; /* source_count * architectures.count, by source */
};

/* Functions that return a bool return false with the error text of the thread, see tool_fail. */

/* --- find.c --- */

bool embed_find(struct embed_request *request, const char *path);
bool embed_sort(struct embed_request *request); /* also refuses equal names */

/* --- headers.c: finds and reads the headers that a source includes --- */

bool embed_headers(struct embed_request *request, struct embed_source *source);

/* --- cuda.c: replaces the text of a CUDA file by HIP, and warns of names that have none --- */

bool embed_from_cuda(struct embed_request *request, const char *path, char **text);

/* --- work.c: fills the results, in processes of their own --- */

bool embed_compile(struct embed_request *request);

/* Prints every log and error of the results; false if there is an error. */
bool embed_report(const struct embed_request *request);

/* --- outputs.c: writes the outputs, each under a temporary name first --- */

/* The name of the variable in C; "" if the path of the output ends in a slash. */
void embed_symbol(const struct embed_request *request, char symbol[EMBED_SYMBOL]);

bool embed_write(struct embed_request *request);

/* Refuses to replace files that `hipshim embed` did not write. */
bool embed_check_outputs(const struct embed_request *request);

/* --- write.c: the content of the outputs --- */

#define EMBED_BANNER "Written by hipshim embed"

struct embed_writer {
    const struct embed_request *request;
    const char *base; /* of the output, without directories */
    char symbol[EMBED_SYMBOL];
    char blob[TOOL_PATH_ROOM]; /* path of the file for .incbin */
};

void embed_write_header(FILE *file, const struct embed_writer *writer);
void embed_write_index(FILE *file, const struct embed_writer *writer);
void embed_write_assembler(FILE *file, const struct embed_writer *writer);
void embed_write_blob(FILE *file, const struct embed_writer *writer);

/* Where the code object of that number begins in the blob; the end of all for their count. */
size_t embed_code_at(const struct embed_request *request, size_t number);

/* --- write_rust.c --- */

void embed_write_rust(FILE *file, const struct embed_writer *writer);

/* Refuses names that a string of Rust cannot have. */
bool embed_check_rust(const struct embed_request *request);

/* --- depfile.c --- */

void embed_write_dependencies(FILE *file, const struct embed_writer *writer);

/* Refuses names that a depfile cannot have, and to replace a file that is none of `hipshim embed`.
 */
bool embed_check_depfile(const struct embed_request *request);

#endif
