/* SPDX-License-Identifier: MIT */
/* decoder.h - the state of a listing in progress, and what all parts of the decoder use: the set of
 * shown objects, notes, diagnostics and limits.
 *
 * In:  a scene whose steps have run; addresses and bytes.
 * Out: notes and fields in the listing; a diagnostic for each malformed record. */
#ifndef SCENE_DECODER_H
#define SCENE_DECODER_H

#include <stdint.h>

#include "isa/cl/cl.h"
#include "isa/cl/primlist.h"
#include "scene/listing.h"
#include "scene/scene_machine.h"
#include "vc4/tile/tlb.h"

/* Kind of a shown object. The keys in the set of shown objects consist of a kind and an address. */
enum shown_as {
    AS_SUB_LIST,
    AS_BRANCH,
    AS_ITEMS,
    AS_RECORD,
    AS_PROGRAM,
    AS_VERTEX,
    AS_CLIPPED,
    AS_UNIFORMS
};

/* Hash set with open addressing. The key 0 marks an empty slot. */
struct address_set {
    uint64_t *slots;
    size_t capacity, count;
};

struct decoder {
    const struct tess_scene *scene;
    struct machine *machine;
    struct tess_sink sink;
    struct listing listing;
    struct address_set seen;
    uint64_t left; /* number of records that may still be shown */
    bool wrong, no_memory, out_of_budget;

    uint32_t current[2]; /* V3D_CTnCA as written by the latest step */
    uint32_t uniforms;   /* V3D_SRQUA as written by the latest step */
    uint32_t thread;
    struct primlist_format format; /* format of the latest record 56 */
    bool format_known;
    uint8_t shader_code; /* id of the latest record 64 to 67, 0 before the first */
    uint32_t shader_address;
    struct tlb_geometry tile;
};

/* Returns true in the first call with this kind and these two addresses. */
bool decoder_first_pair(struct decoder *decoder, enum shown_as as, uint32_t address,
                        uint32_t other);

/* Returns true in the first call with this kind and address. */
bool decoder_first_time(struct decoder *decoder, enum shown_as as, uint32_t address);

/* Adds a line of text to the listing. */
void decoder_note(struct decoder *decoder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reports memory that cannot be decoded, in the listing and to the sink. */
void decoder_trouble(struct decoder *decoder, const char *rule, uint32_t address,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Counts one shown record. Returns false if the limit is reached. */
bool decoder_may_show(struct decoder *decoder);

/* Returns a pointer to `size` bytes at address, or NULL after reporting a diagnostic. */
const uint8_t *decoder_need(struct decoder *decoder, uint32_t address, uint32_t size,
                            const char *what);

/* Shows the fields of a table row of cl_parts, whose bytes are at data. */
void decoder_show_fields(struct decoder *decoder, const struct cl_part *part, const uint8_t *data);

enum {
    GL_RECORD_BYTES = 36, /* size without attribute arrays */
    GL_ATTRIBUTE_BYTES = 8,
    GL_ATTRIBUTES = 8,
    GL_EXTENDED_AT = 100, /* offset of the strides in extended records */
    NV_RECORD_BYTES = 16,
    CLIPPED_VERTEX_BYTES = 32,
};

/* Returns a sentence about the effect of a control record, or NULL. */
const char *control_record_note(uint8_t code);

/* Shows the program at an address as a section with a title, unless it has been shown. */
void decode_program(struct decoder *decoder, uint32_t address, const char *title);

/* Shows a program up to the two instructions after the program-end signal. Ignores a program-end
 * signal if an earlier branch jumps past it. */
void decode_instructions(struct decoder *decoder, uint32_t address);

/* Shows the uniforms that a program reads, in the order of the reads. If `count` is larger than the
 * number of reads, shows `count` uniforms, but at most 64. */
void decode_uniforms(struct decoder *decoder, uint32_t code, uint32_t address, uint32_t count,
                     const char *title);

/* Shows the shader record to which a control record points. code: id of the control record, 64 to
 * 66. data: bytes after the id. */
void decode_shader_record(struct decoder *decoder, uint8_t code, const uint8_t *data);

/* Shows the first vertices of a primitive list. `indices` is NULL for consecutive vertices. */
void decode_vertices(struct decoder *decoder, uint32_t first, uint32_t length,
                     const uint8_t *indices, uint32_t index_bytes);

/* Shows the first vertices of record 32, whose bytes after the id are at data. */
void decode_indexed_vertices(struct decoder *decoder, const uint8_t *data);

/* Shows the first coordinates of record 41, whose bytes after the id are at data. */
void decode_coordinate_array(struct decoder *decoder, const uint8_t *data);

/* Shows the coordinates after record 42. Returns the address after the end marker, or 0 if there is
 * no end marker. */
uint32_t decode_inline_coordinates(struct decoder *decoder, uint32_t address, uint32_t type);

/* Decodes a compressed primitive list. Returns the address after the list, or 0 if the list has no
 * end. */
uint32_t decode_items(struct decoder *decoder, uint32_t address);

/* Shows the clipped vertices of record 49, whose bytes after the id are at data. */
void decode_clipped(struct decoder *decoder, const uint8_t *data);

#endif
