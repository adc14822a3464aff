/* SPDX-License-Identifier: MIT */
/* attribute.c - see attribute.h.
 *
 * Integers are converted to the nearest float. Unsigned normalised numbers are divided by 2^n-1.
 * Signed normalised numbers are divided by 2^(n-1)-1, and results below -1 become -1 (a choice).
 * Quotients are computed in double precision. */
#include "mali/gp/attribute.h"

#define PART_BYTES 16
#include "base/bits.h"
#include "base/f32_parts.h"
#include "mali/gp/code.h"

/* --- one component --- */

static uint32_t read_f32(const uint8_t *at)
{
    return load_le32(at);
}

/* Converts a 16-bit float to a 32-bit float. The conversion is exact, because every 16-bit float is
 * a normal 32-bit float, zero, infinity or NaN. */
static uint32_t read_f16(const uint8_t *at)
{
    uint32_t half = load_le16(at), sign = (half & 0x8000) << 16;
    uint32_t exponent = half >> 10 & 31, fraction = half & 0x3ff;
    if (exponent == 31)
        return sign | 0x7f800000 | fraction << 13;
    if (exponent == 0)
        return sign | float_bits((float)fraction * 0x1p-24f);
    return sign | (exponent + 127 - 15) << 23 | fraction << 13;
}

static int8_t load_i8(const uint8_t *at)
{
    return (int8_t)*at;
}

static int16_t load_i16(const uint8_t *at)
{
    return (int16_t)load_le16(at);
}

static int32_t load_i32(const uint8_t *at)
{
    return (int32_t)load_le32(at);
}

static uint8_t load_u8(const uint8_t *at)
{
    return *at;
}

static double normalised(double value, double one)
{
    double quotient = value / one;
    return quotient < -1 ? -1 : quotient;
}

#define INTEGER(name, load)                        \
    static uint32_t read_##name(const uint8_t *at) \
    {                                              \
        return float_bits((float)load(at));        \
    }
#define NORMALISED(name, load, one)                                  \
    static uint32_t read_##name(const uint8_t *at)                   \
    {                                                                \
        return float_bits((float)normalised((double)load(at), one)); \
    }

INTEGER(i8, load_i8)
INTEGER(u8, load_u8)
INTEGER(i16, load_i16)
INTEGER(u16, load_le16)
INTEGER(i32, load_i32)
INTEGER(u32, load_le32)
NORMALISED(i8n, load_i8, 127.0)
NORMALISED(u8n, load_u8, 255.0)
NORMALISED(i16n, load_i16, 32767.0)
NORMALISED(u16n, load_le16, 65535.0)
NORMALISED(i32n, load_i32, 2147483647.0)
NORMALISED(u32n, load_le32, 4294967295.0)

static uint32_t read_fixed(const uint8_t *at)
{
    return float_bits((float)(load_i32(at) / 65536.0));
}

typedef uint32_t reader(const uint8_t *at);

static reader *reader_of(enum tess_gp_format format)
{
    switch (format) {
    case TESS_GP_F32: return read_f32;
    case TESS_GP_I32: return read_i32;
    case TESS_GP_U32: return read_u32;
    case TESS_GP_F16: return read_f16;
    case TESS_GP_I16: return read_i16;
    case TESS_GP_U16: return read_u16;
    case TESS_GP_I8: return read_i8;
    case TESS_GP_U8: return read_u8;
    case TESS_GP_I8N: return read_i8n;
    case TESS_GP_U8N: return read_u8n;
    case TESS_GP_I16N: return read_i16n;
    case TESS_GP_U16N: return read_u16n;
    case TESS_GP_I32N: return read_i32n;
    case TESS_GP_U32N: return read_u32n;
    case TESS_GP_FIXED: return read_fixed;
    }
    return NULL;
}

bool gp_attribute_is_valid(const struct tess_gp_attribute *attribute)
{
    return !attribute->data || (reader_of(attribute->format) && attribute->components >= 1 &&
                                attribute->components <= GP_COMPONENTS);
}

/* --- vertices --- */

static const uint32_t missing[GP_COMPONENTS] = {0, 0, 0, 0x3f800000};

/* Returns the number of bytes from the vertex's attribute to the end of the buffer, and stores the
 * attribute's position in the buffer in *offset. Returns 0 if the attribute is outside the
 * buffer. */
static size_t bytes_left(const struct tess_gp_attribute *attribute, size_t vertex, size_t *offset)
{
    size_t start;
    if (__builtin_mul_overflow(vertex, attribute->stride, &start) || start >= attribute->size)
        return 0;
    *offset = start;
    return attribute->size - start;
}

/* Loads a component of GP_LANES vertices, whose format is a 32-bit float. */
static void load_floats(struct gp_machine *machine, const struct tess_gp_attribute *attribute,
                        const uint8_t *at, part *to)
{
    enum { STEP = PART_BYTES / 4 };
    const size_t stride = attribute->stride;
    const uint32_t flush = machine->flush;
    for (unsigned i = 0; i < GP_LANES / STEP; i++, at += STEP * stride) {
        const part value = {load_le32(at), load_le32(at + stride), load_le32(at + 2 * stride),
                            load_le32(at + 3 * stride)};
        to[i] = finished(value, flush);
    }
}

/* Loads a component in a faster way, if all vertices of the batch are inside the buffer. */
static void load_inside(struct gp_machine *machine, const struct tess_gp_attribute *attribute,
                        unsigned number, unsigned c, size_t first, unsigned count)
{
    reader *read = reader_of(attribute->format);
    size_t size = tess_gp_format_size(attribute->format);
    const uint8_t *at = (const uint8_t *)attribute->data + first * attribute->stride + c * size;
    uint32_t *to = gp_each(&machine->memory->attributes[number][c]);
    if (attribute->format == TESS_GP_F32 && count == GP_LANES) {
        load_floats(machine, attribute, at, (part *)to);
        return;
    }
    for (unsigned lane = 0; lane < count; lane++, at += attribute->stride)
        to[lane] = gp_number(machine, read(at));
}

static void load_checked(struct gp_machine *machine, const struct tess_gp_attribute *attribute,
                         unsigned number, unsigned c, size_t first, unsigned count)
{
    reader *read = reader_of(attribute->format);
    size_t size = tess_gp_format_size(attribute->format), offset = 0;
    uint32_t *to = gp_each(&machine->memory->attributes[number][c]);
    for (unsigned lane = 0; lane < count; lane++) {
        size_t left = bytes_left(attribute, first + lane, &offset);
        bool inside = left >= (c + 1) * size;
        const uint8_t *at = (const uint8_t *)attribute->data + offset + c * size;
        to[lane] = inside ? gp_number(machine, read(at)) : 0;
        machine->attributes_beyond[number][c] |= (gp_mask)!inside << lane;
        machine->any_beyond |= !inside;
    }
}

static void load_component(struct gp_machine *machine, const struct tess_gp_attribute *attribute,
                           unsigned number, unsigned c, size_t first, unsigned count)
{
    gp_lanes zero = {0};
    machine->attributes_beyond[number][c] = 0;
    if (!attribute || !attribute->data || c >= attribute->components) {
        machine->memory->attributes[number][c] = zero + missing[c];
        return;
    }
    size_t offset = 0, last = first + count - 1;
    size_t bytes = tess_gp_format_size(attribute->format) * (c + 1);
    if (bytes_left(attribute, last, &offset) >= bytes)
        load_inside(machine, attribute, number, c, first, count);
    else
        load_checked(machine, attribute, number, c, first, count);
}

void gp_attributes_load(struct gp_machine *machine, size_t first, unsigned count)
{
    const struct tess_gp_attribute *attributes = machine->batch->attributes;
    machine->any_beyond = false;
    for (unsigned number = 0; number < GP_ATTRIBUTES; number++)
        for (unsigned c = 0; c < GP_COMPONENTS; c++)
            if (machine->code->attributes[number] >> c & 1)
                load_component(machine, attributes ? &attributes[number] : NULL, number, c, first,
                               count);
}
