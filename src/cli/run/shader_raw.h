/* SPDX-License-Identifier: MIT */
/* shader_raw.h - reads an attribute from a raw buffer, which is a file with one element per vertex.
 *
 * In:  FILE,format=F[,components=N][,stride=BYTES][,offset=BYTES], as in --attribute. offset is the
 *      position of the first element. stride is the distance between elements.
 * Out: the bytes of consecutive vertices. */
#ifndef CLI_RUN_SHADER_RAW_H
#define CLI_RUN_SHADER_RAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/tessera.h>

/* The parsed parts of an argument. A part that the argument does not have is 0. */
struct shader_raw_text {
    char *path; /* owned by the caller */
    const char *format;
    uint64_t components, stride, offset;
    bool has_stride;
    char format_text[32];
};

/* True if a text describes a raw buffer, that is, contains ",format=". */
bool shader_raw_is(const char *text);

/* Parses a text. Returns NULL, or an error text if the text is invalid. The caller must free
 * raw->path even after an error. */
const char *shader_raw_parse(const char *text, struct shader_raw_text *raw);

struct shader_raw {
    char *path;
    int file;
    uint32_t attribute;
    /* Position of the first element, size of the file, distance between elements, and size of an
     * element, all in bytes. */
    uint64_t offset, size, stride, element;
    uint8_t *bytes;
    size_t capacity;
};

/* Opens raw->path. Returns false with errno set if the file cannot be opened or is not a regular
 * file. */
bool shader_raw_open(struct shader_raw *raw);
void shader_raw_close(struct shader_raw *raw);

/* Returns the number of vertices in the file, or UINT64_MAX if all vertices read the same bytes. */
uint64_t shader_raw_count(const struct shader_raw *raw);

/* Returns the number of vertices to read at once, at most wanted. */
size_t shader_raw_piece(const struct shader_raw *raw, size_t wanted);

/* Reads the elements of `count` vertices, beginning with vertex number `first`, into raw->bytes.
 * The file must contain these vertices. Returns the number of bytes, or 0 with errno set on an
 * error. */
size_t shader_raw_read(struct shader_raw *raw, uint64_t first, size_t count);

#endif
