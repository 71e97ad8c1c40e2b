/* SPDX-License-Identifier: MIT */
/*
 * The output for Rust: constants in plain Rust 1.51 or later, without crates, std or `unsafe`.  The
 * code objects are in the blob, which it includes.
 * The file is a module or the text of an include!, so it has no attribute of a whole file.
 */
#include "tool/embed/embed.h"

#include <stdint.h>
#include <string.h>

#include "base/hex.h"
#include "base/program.h"
#include "base/sha256.h"
#include "base/utf8.h"

static bool check_text(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;

    while (*at && hs_utf8_length(at) > 0) {
        at += hs_utf8_length(at);
    }
    return *at == '\0' || tool_fail("%s: the name or option is not UTF-8, which strings in Rust "
                                    "must be; rename it, or omit --rust",
                                    text);
}

bool embed_check_rust(const struct embed_request *request)
{
    bool result = check_text(request->output) && tool_list_all(&request->options, check_text);

    for (size_t i = 0; i < request->source_count && result; i++) {
        result = check_text(request->sources[i].path) &&
                 tool_list_all(&request->sources[i].header_names, check_text);
    }
    return result;
}

/* UTF-8, as checked.  Only ASCII: rustc refuses characters that change the direction of the text.
 */
static void write_string(FILE *file, const char *text)
{
    size_t length;

    putc('"', file);
    for (const unsigned char *at = (const unsigned char *)text; *at; at += length) {
        length = hs_utf8_length(at);
        uint32_t character = length == 1 ? *at : *at & (0x7fu >> length);

        for (size_t i = 1; i < length; i++) {
            character = character << 6 | (at[i] & 0x3f);
        }
        if (character == '"' || character == '\\') {
            fprintf(file, "\\%c", (char)character);
        } else if (character < ' ' || character > '~') {
            fprintf(file, "\\u{%x}", character);
        } else {
            putc((char)character, file);
        }
    }
    putc('"', file);
}

/* The text of a source as a byte string, because it need not be UTF-8. */
static void write_text(FILE *file, const char *text)
{
    fputs("b\"", file);
    for (; *text; text++) {
        fprintf(file, "\\x%02x", (unsigned char)*text);
    }
    putc('"', file);
}

static void write_strings(FILE *file, char *const *texts, size_t count)
{
    fputs("&[", file);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", file);
        write_string(file, texts[i]);
    }
    putc(']', file);
}

static void write_names(FILE *file, const struct embed_request *request)
{
    fputs("/// The names of the kernels: paths of their files without the suffix.\n"
          "#[allow(dead_code)]\npub const KERNELS: &[&str] = &[",
          file);
    for (size_t i = 0; i < request->source_count; i++) {
        fputs(i ? ", " : "", file);
        write_string(file, request->sources[i].kernel);
    }
    fputs("];\n\n/// The architectures that each kernel was compiled for.\n"
          "#[allow(dead_code)]\npub const ARCHS: &[&str] = &[",
          file);
    for (size_t i = 0; i < request->architectures.count; i++) {
        fputs(i ? ", " : "", file);
        write_string(file, request->results[i].arch);
    }
    fputs("];\n\n", file);
}

static void write_types(FILE *file)
{
    fputs("/// One code object.\n#[allow(dead_code)]\n#[derive(Clone, Copy)]\npub struct Code {\n"
          "    pub kernel: &'static str,\n    pub arch: &'static str,\n"
          "    /// 0, or the size to which the zstd frame in `code()` unpacks.\n"
          "    pub plain_size: usize,\n"
          "    /// SHA-256 of `code()` in hex.\n    pub sha256: &'static str,\n"
          "    at: usize,\n    size: usize,\n}\n\n#[allow(dead_code)]\nimpl Code {\n"
          "    /// For hipModuleLoadData, if `plain_size` is 0.\n"
          "    pub fn code(&self) -> &'static [u8] {\n"
          "        &ALL.0[self.at..self.at + self.size]\n    }\n}\n\n"
          "/// A source to compile if no code object fits.\n#[allow(dead_code)]\n"
          "#[derive(Clone, Copy)]\npub struct Source {\n    pub kernel: &'static str,\n"
          "    /// Its name in messages.\n    pub name: &'static str,\n"
          "    pub text: &'static [u8],\n    pub options: &'static [&'static str],\n"
          "    /// Names and texts.\n    pub headers: &'static [(&'static str, &'static [u8])],\n"
          "}\n\n",
          file);
}

static void write_codes(FILE *file, const struct embed_writer *writer)
{
    const struct embed_request *request = writer->request;
    size_t all = request->source_count * request->architectures.count;
    unsigned char digest[HS_SHA256_SIZE];
    char hex[2 * HS_SHA256_SIZE + 1];

    fprintf(file,
            "#[repr(C, align(%d))]\nstruct Aligned<const N: usize>([u8; N]);\n\n"
            "#[allow(dead_code)]\nstatic ALL: Aligned<%zu> = Aligned(*include_bytes!(",
            EMBED_ALIGNMENT, embed_code_at(request, all) + strlen(EMBED_BANNER));
    write_string(file, hs_program_base(writer->blob));
    fputs("));\n\n/// All code objects, by kernel and then in the order of `ARCHS`.\n"
          "#[allow(dead_code)]\npub static CODES: &[Code] = &[\n",
          file);
    for (size_t i = 0; i < all; i++) {
        const struct embed_result *result = &request->results[i];

        hs_sha256_of(result->code, result->code_size, digest);
        hs_hex_write(hex, digest, sizeof digest);
        fputs("    Code { kernel: ", file);
        write_string(file, request->sources[i / request->architectures.count].kernel);
        fprintf(file,
                ", arch: \"%s\", plain_size: %zu, at: %zu, size: %zu,\n        sha256: \"%s\" },\n",
                result->arch, result->plain_size, embed_code_at(request, i), result->code_size,
                hex);
    }
    fputs("];\n\n", file);
}

static void write_sources(FILE *file, const struct embed_request *request)
{
    fputs("/// The sources, with --source.\n#[allow(dead_code)]\npub static SOURCES: &[Source] = "
          "&[\n",
          file);
    for (size_t i = 0; i < request->source_count && request->with_source; i++) {
        const struct embed_source *source = &request->sources[i];

        fputs("    Source { kernel: ", file);
        write_string(file, source->kernel);
        fputs(", name: ", file);
        write_string(file, hs_program_base(source->path));
        fputs(", text: ", file);
        write_text(file, source->rewritten_text);
        fputs(", options: ", file);
        write_strings(file, request->options.items, request->options.count);
        fputs(", headers: &[", file);
        for (size_t j = 0; j < source->header_texts.count; j++) {
            fputs(j ? ", (" : "(", file);
            write_string(file, source->header_names.items[j]);
            fputs(", ", file);
            write_text(file, source->header_texts.items[j]);
            putc(')', file);
        }
        fputs("] },\n", file);
    }
    fputs("];\n", file);
}

void embed_write_rust(FILE *file, const struct embed_writer *writer)
{
    const struct embed_request *request = writer->request;

    fprintf(file, "// " EMBED_BANNER " from %zu kernels; do not edit, do not review.\n\n",
            request->source_count);
    write_names(file, request);
    write_types(file);
    write_codes(file, writer);
    write_sources(file, request);
}
