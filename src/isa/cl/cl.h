/* SPDX-License-Identifier: MIT */
/* cl.h - control records: names, lengths and fields (manual section 9).
 *
 * This module executes no records. The executor, the decoder and the assembler all use the same
 * tables: packets.def for records, and records.def for the data that records point to. */
#ifndef ISA_CL_H
#define ISA_CL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"

/* Record ids: CL_HALT, CL_NV_SHADER_STATE and so on. */
enum cl_code {
#define PACKET(code, bytes, NAME, identifier, words, lists, ...) CL_##NAME = (code),
#include "isa/cl/packets.def"
};

/* Bit position and width of each field: CL_BRANCH_ADDRESS_BIT, CL_BRANCH_ADDRESS_WIDTH and so
 * on. */
enum {
#define FIELD(PACKET, NAME, identifier, words, bit, width, kind, meanings, ...) \
    CL_##PACKET##_##NAME##_BIT = (bit), CL_##PACKET##_##NAME##_WIDTH = (width),
#include "isa/cl/packets.def"
};

/* Values of the field BUFFER of records 28 and 29: the buffer that is stored or loaded. */
enum cl_buffer {
    CL_BUFFER_NONE,
    CL_BUFFER_COLOUR,
    CL_BUFFER_ZS,
    CL_BUFFER_Z,
    CL_BUFFER_MASK,
    CL_BUFFER_FULL, /* all samples of the tile */
    CL_BUFFERS
};

enum cl_lists { CL_BOTH, CL_BIN, CL_RENDER };

enum cl_kind {
    CL_UINT,
    CL_INT,
    CL_HEX,
    CL_BOOL,
    CL_ADDRESS,
    CL_FLOAT,
    CL_FLOAT187,
    CL_FIX4,
    CL_ENUM
};

/* Rules for a field that a statement does not mention. */
enum cl_need {
    CL_BY_KIND, /* an address must be given; any other field is 0 if it is left out */
    CL_MUST,
    CL_MAY,
    CL_SAME, /* the field has the value of the field before it */
};

struct cl_field {
    const char *identifier, *words;
    uint16_t bit;  /* position, counted from the first bit after the id byte */
    uint8_t width; /* number of bits, 1 to 32 */
    enum cl_kind kind;
    const char *const *meanings; /* names of a CL_ENUM field's 1 << width values; NULL for reserved
                                  * values */
    const char *hint;            /* suggestion for a similar misspelled name */

    /* The members below are zero unless the row sets them. */
    const char *aliases; /* other names, separated by blanks, or NULL */
    enum cl_need need;
    const char *unless; /* identifier of another field; if that field is 0, this
                         * address may be left out */
    uint16_t align;     /* the value must be a multiple of align; a shifted address needs no
                         * align */
    uint8_t shift;      /* number of the value's low zero bits that are not stored; 0 for
                         * addresses */
    uint8_t bias;       /* the stored number is the value minus bias */
    uint8_t preset;     /* stored number if the field is left out */
    bool wraps;         /* the value 1 << width is stored as 0 */
    uint8_t rest_width; /* number of the value's high bits that are stored at rest_bit; 0 for
                         * none */
    uint16_t rest_bit;  /* bit position of the high bits */
};

struct cl_packet {
    uint8_t code, bytes; /* bytes includes the id, but not a list that follows inline */
    enum cl_lists lists;
    const char *identifier, *words;
    const struct cl_field *fields;
    uint32_t field_count;
    const char *hint;
    const char *aliases; /* other names, separated by blanks, or NULL */
};

/* Number of times that a part of a statement is stored. */
enum cl_part_use {
    CL_ALWAYS,
    CL_IF_GIVEN, /* once if a field of the part is given, which requires that all of its fields are
                  * given; otherwise not stored */
    CL_REPEATED, /* once for each value given; the part has one field */
};

/* A part of a statement: a sequence of bytes of fixed length. The bit positions of the part's
 * fields count from its first byte. */
struct cl_part {
    const struct cl_field *fields;
    uint16_t field_count, bytes;
    enum cl_part_use use;
};

/* Data that control records point to: shader records, vertices, texture parameters
 * (records.def). */
struct cl_form {
    const char *family, *identifier, *words; /* family: "shader" and so on;
                                              * identifier: "nv" and so on */
    const char *hint;
    uint16_t align; /* required alignment of the address */
    const struct cl_part *parts;
    uint32_t part_count;
    const char *aliases; /* other names, separated by blanks, or NULL */
};

/* Ids of parts: CL_PART_NV_RECORD and so on. */
enum cl_part_id {
#define PART(NAME, bytes, use) CL_PART_##NAME,
#include "isa/cl/records.def"
    CL_PARTS
};

extern const struct cl_part cl_parts[CL_PARTS];

/* Bit position and width of each field of a part, counted from the part's first byte. CL_GET()
 * reads these fields, too: CL_GET(data, TEXTURE, WIDTH). */
enum {
#define FIELD(PART, NAME, identifier, words, bit, width, kind, meanings, ...) \
    CL_##PART##_##NAME##_BIT = (bit), CL_##PART##_##NAME##_WIDTH = (width),
#include "isa/cl/records.def"
};

/* Returns all forms in the order of records.def, and their number in *count. */
const struct cl_form *cl_forms(uint32_t *count);

/* Returns the record with this id, or NULL if the id is reserved. */
const struct cl_packet *cl_packet(uint8_t code);

/* Returns bits bit to bit + width - 1 (width 1 to 32) of a record's data. data points to the
 * byte after the id. */
static inline uint32_t cl_bits(const uint8_t *data, uint32_t bit, uint32_t width)
{
    uint64_t value = 0;
    uint32_t first = bit / 8, last = (bit + width - 1) / 8;
    for (uint32_t i = last + 1; i-- > first;)
        value = value << 8 | data[i];
    return (uint32_t)bits_get(value >> (bit % 8), width - 1, 0);
}

/* Stores value in bits of a record's data that are 0 so far. Bits of value above width are
 * dropped. */
static inline void cl_put_bits(uint8_t *data, uint32_t bit, uint32_t width, uint32_t value)
{
    uint64_t shifted = bits_get(value, width - 1, 0) << (bit % 8);
    for (uint32_t i = bit / 8; i <= (bit + width - 1) / 8; i++, shifted >>= 8)
        data[i] = (uint8_t)(data[i] | shifted);
}

/* Returns the value of a field, given by name: CL_GET(data, TILE_COORDINATES, ROW). */
#define CL_GET(data, packet, field) \
    cl_bits((data), CL_##packet##_##field##_BIT, CL_##packet##_##field##_WIDTH)

/* Returns an ADDRESS field with its implied low zero bits, for example a shader record's
 * address. */
#define CL_GET_ADDRESS(data, packet, field) \
    (CL_GET(data, packet, field) << (32 - CL_##packet##_##field##_WIDTH))

/* Returns the number of low zero bits of the field's values that are not stored. */
static inline uint32_t cl_field_shift(const struct cl_field *field)
{
    return field->kind == CL_ADDRESS ? 32u - field->width : field->shift;
}

/* Returns a field's value according to its kind. Addresses include their low zero bits. Numbers are
 * sign-extended. 16-bit floats become the upper half of a float32's bits. The parts of a split
 * value are joined, and the bias is added. */
uint32_t cl_field_value(const struct cl_field *field, const uint8_t *data);

#endif
