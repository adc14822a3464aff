/* SPDX-License-Identifier: MIT */
/* shader_raw.h - an attribute in a raw buffer: a file of elements, one for each vertex, a stride apart.
 *
 * In:  FILE,format=F[,components=N][,stride=BYTES][,offset=BYTES], as --attribute has it.
 * Out: the bytes of some vertices after others. */
#ifndef CLI_SHADER_RAW_H
#define CLI_SHADER_RAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/tessera.h>

/* What the text says. Zero: not said. */
struct shader_raw_text {
    char *path; /* to be freed */
    const char *format;
    uint64_t components, stride, offset;
    bool has_stride;
    char format_text[32];
};

/* Whether a text speaks of a raw buffer: it has a format. */
bool shader_raw_is(const char *text);

/* Takes a text to pieces. NULL, or what is wrong with it. */
const char *shader_raw_parse(const char *text, struct shader_raw_text *raw);

struct shader_raw {
    char *path;
    int file;
    uint32_t attribute;
    uint64_t offset, size, stride, element; /* element: bytes of a vertex; size: of the file */
    uint8_t *bytes;
    size_t capacity;
};

/* Opens .path, a regular file. False: errno says why. */
bool shader_raw_open(struct shader_raw *raw);
void shader_raw_close(struct shader_raw *raw);

/* How many vertices the file holds; UINT64_MAX if all read the same. */
uint64_t shader_raw_count(const struct shader_raw *raw);

/* How many of wanted vertices fit into a piece. */
size_t shader_raw_piece(const struct shader_raw *raw, size_t wanted);

/* Reads vertices that the file holds into .bytes. Returns the number of bytes; 0: errno says why. */
size_t shader_raw_read(struct shader_raw *raw, uint64_t first, size_t count);

#endif
