/* SPDX-License-Identifier: MIT */
/* listing.h - the decoder's output: sections of records with fields, as text for people or as JSON.
 *
 * A section holds records and notes; a record holds fields, then sections about what it points to.
 * Keys and columns are described in docs/decode.md. */
#ifndef SCENE_LISTING_H
#define SCENE_LISTING_H

#include <tessera/scene.h>

#include "base/json.h"
#include "isa/cl/cl.h"

enum {
    LISTING_DEPTH = 12,
    PLACE_TEXT = 320, /* enough for any listing_address() */
};

struct listing {
    const struct tess_scene *scene;
    enum tess_decode_format format;
    struct tess_text_out out;
    struct buffer buffer;
    struct json json;
    uint32_t depth; /* open sections */
    enum listing_part {
        LISTING_NONE, /* no record is open */
        LISTING_HEAD,
        LISTING_FIELDS,
        LISTING_SECTIONS
    } part[LISTING_DEPTH]; /* what the open record of each level has so far */
    bool failed;           /* out of memory */
};

/* A record to show. Strings may be NULL where optional. */
struct listing_record {
    const char *kind; /* "control", "primitive", "instruction" ... */
    uint32_t address;
    const uint8_t *bytes;
    uint32_t size;
    const char *name;
    const char *identifier; /* control records: that of packets.def */
    const char *note;       /* optional: what it does */
};

void listing_begin(struct listing *listing);
void listing_end(struct listing *listing); /* also releases memory */

/* line is that of the scene's text, or 0. */
void listing_open(struct listing *listing, const char *kind, uint32_t address, uint32_t line,
                  const char *title);
void listing_close(struct listing *listing);

void listing_record(struct listing *listing, const struct listing_record *record);
/* data is what field->bit counts from; comment is optional. */
void listing_field(struct listing *listing, const struct cl_field *field, const uint8_t *data,
                   const char *comment);
void listing_end_record(struct listing *listing);

/* A sentence, in a section or in a record. */
void listing_note(struct listing *listing, const char *text);

/* "0x40410500 <shader+0x10>", or without a name if there is none. */
void listing_address(const struct tess_scene *scene, uint32_t address, char *text, size_t size);

#endif
