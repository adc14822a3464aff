/* SPDX-License-Identifier: MIT */
/* lines.h - source lines of addresses, from the line tables of DWARF 2 to 5. */
#ifndef BOARD_MACHINE_LINES_H
#define BOARD_MACHINE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of a section, of which there may be none. */
struct lines_part {
    const uint8_t *bytes;
    size_t size;
};

/* The sections of a linked little-endian file. Bytes from any source are safe. */
struct lines_sections {
    struct lines_part line, strings, line_strings; /* .debug_line, .debug_str, .debug_line_str */
};

struct lines_row {
    uint64_t address;
    const char *file; /* name without folder; NULL ends a sequence of instructions */
    uint32_t line;
    uint32_t order;
};

struct lines {
    struct lines_row *rows; /* sorted by address */
    size_t count, room;
};

/* Reads all line tables. The names stay in the sections. What cannot be read is left out. */
void lines_read(struct lines *lines, const struct lines_sections *sections);
void lines_free(struct lines *lines);

/* Stores the file and the line of an address. Returns false, with NULL and 0, if they are
 * unknown. */
bool lines_find(const struct lines *lines, uint64_t address, const char **file, uint32_t *line);

#endif
