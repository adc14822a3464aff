/* SPDX-License-Identifier: MIT */
/* cl.h - control records: names, lengths and fields (manual section 9). Pure knowledge; the executor, the
 * decoder and the assembler read the same table, packets.def; what they
 * point to is in records.def. */
#ifndef ISA_CL_H
#define ISA_CL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"

/* Ids: CL_HALT, CL_NV_SHADER_STATE ... */
enum cl_code {
#define PACKET(code, bytes, NAME, identifier, words, lists, ...) CL_##NAME = (code),
#define FIELD(PACKET, NAME, identifier, words, bit, width, kind, meanings, ...)
#define END_PACKET()
#include "isa/cl/packets.def"
#undef PACKET
#undef FIELD
#undef END_PACKET
};

/* Bit position and width of each field: CL_BRANCH_ADDRESS_BIT, CL_BRANCH_ADDRESS_WIDTH ... */
enum {
#define PACKET(code, bytes, NAME, identifier, words, lists, ...)
#define FIELD(PACKET, NAME, identifier, words, bit, width, kind, meanings, ...) \
    CL_##PACKET##_##NAME##_BIT = (bit), CL_##PACKET##_##NAME##_WIDTH = (width),
#define END_PACKET()
#include "isa/cl/packets.def"
#undef PACKET
#undef FIELD
#undef END_PACKET
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

/* Whether a source must give a field. */
enum cl_need {
    CL_BY_KIND, /* an address must be given, anything else is 0 if it is left out */
    CL_MUST,
    CL_MAY,
    CL_SAME, /* left out, it is what the field before it is */
};

struct cl_field {
    const char *identifier, *words;
    uint16_t bit;  /* from the first bit after the id byte */
    uint8_t width; /* 1..32 */
    enum cl_kind kind;
    const char *const *meanings; /* CL_ENUM: 1 << width names, NULL where reserved */
    const char *hint;            /* for who comes near the name */

    /* The rest is zero unless the row says otherwise. */
    const char *aliases; /* other names, separated by blanks */
    enum cl_need need;
    const char *unless; /* an address that may be left out where this field is 0 */
    uint16_t align;     /* the value must be a multiple; width says it for shifted addresses */
    uint8_t shift;      /* of a field that is no address: low zero bits, which are not stored */
    uint8_t bias;       /* what is stored is the value minus this */
    uint8_t preset;     /* stored if the field is left out */
    bool wraps;         /* 1 << width is stored as 0 */
    uint8_t rest_width; /* this many high bits of the value are elsewhere ... */
    uint16_t rest_bit;  /* ... from this bit on */
};

struct cl_packet {
    uint8_t code, bytes; /* bytes counts the id; lists in line follow behind them */
    enum cl_lists lists;
    const char *identifier, *words;
    const struct cl_field *fields;
    uint32_t field_count;
    const char *hint;
    const char *aliases; /* other names, separated by blanks; may be NULL */
};

/* How often a part of a statement stands in memory. */
enum cl_part_use {
    CL_ALWAYS,
    CL_IF_GIVEN, /* with all of its fields, or not at all */
    CL_REPEATED, /* as often as values are given; it has one field */
};

/* A run of bytes of fixed length, whose fields count bits from its first byte. */
struct cl_part {
    const struct cl_field *fields;
    uint16_t field_count, bytes;
    enum cl_part_use use;
};

/* What control records point to: shader records, vertices, texture parameters (records.def). */
struct cl_form {
    const char *family, *identifier, *words; /* "shader", "nv" ... */
    const char *hint;
    uint16_t align; /* of its address */
    const struct cl_part *parts;
    uint32_t part_count;
    const char *aliases; /* other names, separated by blanks; may be NULL */
};

/* CL_PART_NV_RECORD ... */
enum cl_part_id {
#define FORM(NAME, family, identifier, words, align, first, count, ...)
#define PART(NAME, bytes, use) CL_PART_##NAME,
#define FIELD(PART, NAME, identifier, words, bit, width, kind, meanings, ...)
#define END_PART()
#define END_FORM()
#include "isa/cl/records.def"
#undef FORM
#undef PART
#undef FIELD
#undef END_PART
#undef END_FORM
    CL_PARTS
};

extern const struct cl_part cl_parts[CL_PARTS];

/* All forms in the order of records.def; *count is their number. */
const struct cl_form *cl_forms(uint32_t *count);

/* The record with this id, or NULL for a reserved one. */
const struct cl_packet *cl_packet(uint8_t code);

/* Bits bit .. bit+width-1 (width 1..32) of a record's data; data points behind the id. */
static inline uint32_t cl_bits(const uint8_t *data, uint32_t bit, uint32_t width)
{
    uint64_t value = 0;
    uint32_t first = bit / 8, last = (bit + width - 1) / 8;
    for (uint32_t i = last + 1; i-- > first;)
        value = value << 8 | data[i];
    return (uint32_t)bits_get(value >> (bit % 8), width - 1, 0);
}

/* Sets them, if they were 0; higher bits of value are dropped. */
static inline void cl_put_bits(uint8_t *data, uint32_t bit, uint32_t width, uint32_t value)
{
    uint64_t shifted = bits_get(value, width - 1, 0) << (bit % 8);
    for (uint32_t i = bit / 8; i <= (bit + width - 1) / 8; i++, shifted >>= 8)
        data[i] = (uint8_t)(data[i] | shifted);
}

/* CL_GET(data, TILE_COORDINATES, ROW) */
#define CL_GET(data, packet, field) \
    cl_bits((data), CL_##packet##_##field##_BIT, CL_##packet##_##field##_WIDTH)

/* An ADDRESS field with its implied low zero bits, for example a shader record's address. */
#define CL_GET_ADDRESS(data, packet, field) \
    (CL_GET(data, packet, field) << (32 - CL_##packet##_##field##_WIDTH))

/* Low zero bits of the field's values, which are not stored. */
static inline uint32_t cl_field_shift(const struct cl_field *field)
{
    return field->kind == CL_ADDRESS ? 32u - field->width : field->shift;
}

/* A field's value as its kind says: address bits in place, numbers sign-extended, floats of 16 bits as the bits
 * of the float32 that they are the upper half of, split ones put together, biased ones as the number meant. */
uint32_t cl_field_value(const struct cl_field *field, const uint8_t *data);

#endif
