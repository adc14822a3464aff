/* SPDX-License-Identifier: MIT */
/* listing.h - writes the output of the decoder as text or JSON.
 *
 * A section contains records and notes. A record contains fields, then sections about the memory to
 * which it points. docs/decode.md describes keys and columns. */
#ifndef SCENE_LISTING_H
#define SCENE_LISTING_H

#include <tessera/scene.h>

#include "base/json.h"
#include "isa/cl/cl.h"

enum {
    LISTING_DEPTH = 12,
    PLACE_TEXT = 320, /* size of a buffer for listing_address() */
};

struct listing {
    const struct tess_scene *scene;
    enum tess_decode_format format;
    struct tess_text_out out;
    struct buffer buffer;
    struct json json;
    uint32_t depth; /* number of open sections */
    enum listing_part {
        LISTING_NONE, /* no record is open */
        LISTING_HEAD,
        LISTING_FIELDS,
        LISTING_SECTIONS
    } part[LISTING_DEPTH]; /* per level, the part of the open record that was written last */
    bool failed;           /* true if the host ran out of memory */
};

/* A record of the listing. Optional strings may be NULL. */
struct listing_record {
    const char *kind; /* "control", "primitive", "instruction" ... */
    uint32_t address;
    const uint8_t *bytes;
    uint32_t size;
    const char *name;
    const char *identifier; /* identifier in packets.def for a control record, else NULL */
    const char *note;       /* effect of the record, or NULL */
};

void listing_begin(struct listing *listing);
void listing_end(struct listing *listing); /* ends the listing and releases its memory */

/* Opens a section. `line` is the line of the step in the scene's text, or 0 for no line. */
void listing_open(struct listing *listing, const char *kind, uint32_t address, uint32_t line,
                  const char *title);
void listing_close(struct listing *listing);

void listing_record(struct listing *listing, const struct listing_record *record);
/* Adds a field to the open record. field->bit is relative to data. `comment` is added to the
 * field's meaning and may be NULL. */
void listing_field(struct listing *listing, const struct cl_field *field, const uint8_t *data,
                   const char *comment);
void listing_end_record(struct listing *listing);

/* Adds a sentence to the open section or record. */
void listing_note(struct listing *listing, const char *text);

/* Writes an address and its symbol, as in "0x40410500 <shader+0x10>". Writes only the address if no
 * symbol precedes it. */
void listing_address(const struct tess_scene *scene, uint32_t address, char *text, size_t size);

#endif
