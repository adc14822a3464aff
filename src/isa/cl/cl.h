/* SPDX-License-Identifier: MIT */
/* cl.h - control records: names, lengths and fields (manual section 9). Pure knowledge; the executor, the
 * decoder and the assembler read the same table, packets.def. */
#ifndef ISA_CL_H
#define ISA_CL_H

#include <stdint.h>

#include "base/bits.h"

/* Ids: CL_HALT, CL_NV_SHADER_STATE ... */
enum cl_code {
#define PACKET(code, bytes, NAME, identifier, words, lists) CL_##NAME = (code),
#define FIELD(PACKET, NAME, identifier, words, bit, width, kind, meanings)
#define END_PACKET()
#include "isa/cl/packets.def"
#undef PACKET
#undef FIELD
#undef END_PACKET
};

/* Bit position and width of each field: CL_BRANCH_ADDRESS_BIT, CL_BRANCH_ADDRESS_WIDTH ... */
enum {
#define PACKET(code, bytes, NAME, identifier, words, lists)
#define FIELD(PACKET, NAME, identifier, words, bit, width, kind, meanings) \
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

struct cl_field {
    const char *identifier, *words;
    uint16_t bit;  /* from the first bit after the id byte */
    uint8_t width; /* 1..32 */
    enum cl_kind kind;
    const char *const *meanings; /* CL_ENUM: 1 << width names, NULL where reserved */
};

struct cl_packet {
    uint8_t code, bytes; /* bytes counts the id; lists in line follow behind them */
    enum cl_lists lists;
    const char *identifier, *words;
    const struct cl_field *fields;
    uint32_t field_count;
};

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

/* CL_GET(data, TILE_COORDINATES, ROW) */
#define CL_GET(data, packet, field) \
    cl_bits((data), CL_##packet##_##field##_BIT, CL_##packet##_##field##_WIDTH)

/* An ADDRESS field with its implied low zero bits, for example a shader record's address. */
#define CL_GET_ADDRESS(data, packet, field) \
    (CL_GET(data, packet, field) << (32 - CL_##packet##_##field##_WIDTH))

/* A field's value as its kind says: address bits in place, numbers sign-extended, floats of 16 bits as the bits
 * of the float32 that they are the upper half of. */
uint32_t cl_field_value(const struct cl_field *field, const uint8_t *data);

#endif
