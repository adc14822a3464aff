/* SPDX-License-Identifier: MIT */
/* bits.h - bit-fields named by high and low bit, as in the manuals, and little-endian loads and
 * stores at any alignment. */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Returns bits high..low (0..63) of word, shifted down to bit 0. */
static inline uint64_t bits_get(uint64_t word, unsigned high, unsigned low)
{
    return (word >> low) & (~UINT64_C(0) >> (63 - (high - low)));
}

/* Returns word with bits high..low replaced by value. Excess high bits of value are dropped. */
static inline uint64_t bits_set(uint64_t word, unsigned high, unsigned low, uint64_t value)
{
    uint64_t mask = (~UINT64_C(0) >> (63 - (high - low))) << low;
    return (word & ~mask) | ((value << low) & mask);
}

/* Sign-extends the low width (1..32) bits of value. */
static inline int32_t bits_signed(uint32_t value, unsigned width)
{
    uint32_t sign = UINT32_C(1) << (width - 1);
    uint32_t low = value & ((sign << 1) - 1u);
    return (int32_t)((low ^ sign) - sign);
}

static inline uint16_t load_le16(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

/* A little-endian host uses a plain load. Compilers also convert the byte-wise form to one load,
 * but only after loops have been vectorised. A loop with the byte-wise form would stay scalar. */
static inline uint32_t load_le32(const uint8_t *bytes)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
#else
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
#endif
}

static inline uint64_t load_le64(const uint8_t *bytes)
{
    return load_le32(bytes) | (uint64_t)load_le32(bytes + 4) << 32;
}

static inline void store_le16(uint8_t *bytes, uint16_t value)
{
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
}

static inline void store_le32(uint8_t *bytes, uint32_t value)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(bytes, &value, sizeof value);
#else
    store_le16(bytes, (uint16_t)value);
    store_le16(bytes + 2, (uint16_t)(value >> 16));
#endif
}

static inline void store_le64(uint8_t *bytes, uint64_t value)
{
    store_le32(bytes, (uint32_t)value);
    store_le32(bytes + 4, (uint32_t)(value >> 32));
}

/* Reinterpret the bits of a float as an integer and back, without converting the value. */
static inline uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float bits_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Returns true if the bits are those of a float that is neither an infinity nor NaN. */
static inline bool float_bits_finite(uint32_t bits)
{
    return (bits & 0x7f800000) != 0x7f800000;
}

static inline bool is_power_of_two(uint32_t value)
{
    return value && !(value & (value - 1));
}

/* Returns value rounded up to a multiple of unit. */
static inline uint32_t round_up(uint32_t value, uint32_t unit)
{
    return (value + unit - 1) / unit * unit;
}

#endif
