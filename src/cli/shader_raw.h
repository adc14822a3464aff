/* SPDX-License-Identifier: MIT */
/* shader_raw.h - reads an attribute from a raw buffer: a file with one element per vertex, a stride
 * apart.
 *
 * In:  FILE,format=F[,components=N][,stride=BYTES][,offset=BYTES], as in --attribute.
 * Out: the bytes of consecutive vertices. */
#ifndef CLI_SHADER_RAW_H
#define CLI_SHADER_RAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/tessera.h>

/* The parts of the text. A part that is missing is 0. */
struct shader_raw_text {
    char *path; /* owned by the caller */
    const char *format;
    uint64_t components, stride, offset;
    bool has_stride;
    char format_text[32];
};

/* True if a text describes a raw buffer: it has a format. */
bool shader_raw_is(const char *text);

/* Parses a text. Returns NULL, or an error text. */
const char *shader_raw_parse(const char *text, struct shader_raw_text *raw);

struct shader_raw {
    char *path;
    int file;
    uint32_t attribute;
    /* element: bytes of a vertex; size: bytes of the file */
    uint64_t offset, size, stride, element;
    uint8_t *bytes;
    size_t capacity;
};

/* Opens .path, which must be a regular file. Returns false with errno set. */
bool shader_raw_open(struct shader_raw *raw);
void shader_raw_close(struct shader_raw *raw);

/* Returns the number of vertices in the file, or UINT64_MAX if all vertices read the same bytes. */
uint64_t shader_raw_count(const struct shader_raw *raw);

/* Returns the number of vertices, at most wanted, that fit into a piece. */
size_t shader_raw_piece(const struct shader_raw *raw, size_t wanted);

/* Reads vertices, which must be in the file, into .bytes. Returns the number of bytes, or 0 with
 * errno set. */
size_t shader_raw_read(struct shader_raw *raw, uint64_t first, size_t count);

#endif
