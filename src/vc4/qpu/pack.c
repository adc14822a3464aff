/* SPDX-License-Identifier: MIT */
/* pack.c - see pack.h.
 *
 * Source:   manual tables 6 to 9; results captured on silicon by doe300/VC4C (test/unpack_test.h,
 *           test/opcode_pack_test.h), which correct the manual's saturating modes.
 * Choices:  float to half rounds to nearest, ties away from zero. The colour conversion rounds to
 *           nearest, ties up (docs/vc4/qpu.md). */
#include "vc4/qpu/pack.h"

enum {
    INFINITE = 0x7f800000,
    MAGNITUDE = 0x7fffffff,
    FRACTION = 0x7fffff,
    HIDDEN = 0x800000,
    ONE = 0x3f800000,
    HALF_INFINITE = 0x7c00,
};

static uint32_t byte_of(uint32_t value, unsigned index)
{
    return value >> (8 * index) & 0xff;
}

/* Converts a half float to a float. Denormals become float denormals. Infinities and NaNs keep
 * their fraction bits. */
static uint32_t half_to_float(uint32_t half)
{
    uint32_t sign = (half & 0x8000) << 16, exponent = half >> 10 & 31,
             fraction = (half & 0x3ff) << 13;
    if (exponent == 31)
        return sign | INFINITE | fraction;
    if (exponent != 0)
        exponent += 127 - 15;
    return sign | exponent << 23 | fraction;
}

/* Returns byte / 255, truncated to 24 significant bits. In binary, 1/255 is 0.00000001 00000001
 * ..., so the digits of byte / 255 are the byte's bits, repeated. */
static uint32_t colour_to_float(uint32_t byte)
{
    if (byte == 0 || byte == 255)
        return byte ? ONE : 0;
    unsigned shift = (unsigned)__builtin_clz(byte << 24);
    uint32_t fraction = (byte * 0x01010101) << shift;
    return (126 - shift) << 23 | (fraction >> 8 & FRACTION);
}

uint32_t unpack_element(unsigned mode, bool as_float, uint32_t value)
{
    switch (mode) {
    case 0: return value;
    case 1: return as_float ? half_to_float(value & 0xffff) : (uint32_t)(int16_t)value;
    case 2: return as_float ? half_to_float(value >> 16) : (uint32_t)(int16_t)(value >> 16);
    case 3: return byte_of(value, 3) * 0x01010101;
    default: break;
    }
    uint32_t byte = byte_of(value, mode & 3);
    return as_float ? colour_to_float(byte) : byte;
}

void unpack_lanes(lanes *result, unsigned mode, bool as_float, const lanes *value)
{
    for (unsigned i = 0; i < LANES; i++)
        (*result)[i] = unpack_element(mode, as_float, (*value)[i]);
}

/* Converts a float to a half float. Rounds to nearest, ties away from zero. Magnitudes below the
 * smallest normal half float become +0. */
static uint32_t float_to_half(uint32_t value)
{
    uint32_t sign = value >> 16 & 0x8000, magnitude = value & MAGNITUDE;
    if (magnitude >= INFINITE)
        return sign | HALF_INFINITE;
    uint32_t rounded = magnitude + 0x1000;
    int exponent = (int)(rounded >> 23) - 127 + 15;
    if (magnitude < HIDDEN || exponent <= 0)
        return 0;
    if (exponent >= 31)
        return sign | HALF_INFINITE;
    return sign | (uint32_t)exponent << 10 | (rounded >> 13 & 0x3ff);
}

static int32_t clamp(int32_t value, int32_t low, int32_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* Clamps a result to low..high. If an addition or subtraction overflowed, the carry selects one of
 * the two limits. For some subtractions the hardware selects the wrong limit. If the 32-bit value
 * that remains after the overflow is in the range, the result is the selected limit. Otherwise the
 * result is the bitwise AND of the selected limit and the clamped value. */
static uint32_t saturate(struct pack_input input, int32_t low, int32_t high)
{
    uint32_t by_overflow = (uint32_t)(input.carry ? low : high);
    int32_t value = (int32_t)input.value;
    int32_t by_value = clamp(value, low, high);
    if (!input.overflow)
        return (uint32_t)by_value;
    return value == by_value ? by_overflow : by_overflow & (uint32_t)by_value;
}

static uint32_t truncate_to(struct pack_input input, int32_t low, int32_t high)
{
    return input.overflow ? (uint32_t)(input.carry ? low : high) : input.value;
}

static uint32_t pack_half(unsigned mode, struct pack_input input)
{
    if (input.is_float)
        return float_to_half(input.value);
    uint32_t half = mode >= 8 ? saturate(input, INT16_MIN, INT16_MAX)
                              : truncate_to(input, INT16_MIN, INT16_MAX);
    return half & 0xffff;
}

static uint32_t pack_byte(unsigned mode, struct pack_input input)
{
    return (mode >= 8 ? saturate(input, 0, 255) : truncate_to(input, 0, 255)) & 0xff;
}

static uint32_t replace_byte(uint32_t old, unsigned index, uint32_t byte)
{
    return (old & ~(UINT32_C(0xff) << (8 * index))) | byte << (8 * index);
}

uint32_t pack_element(unsigned mode, struct pack_input input, uint32_t old)
{
    switch (mode) {
    case 0: return input.value;
    case 8: return truncate_to(input, INT32_MIN, INT32_MAX);
    case 1:
    case 9: return (old & 0xffff0000) | pack_half(mode, input);
    case 2:
    case 10: return (old & 0xffff) | pack_half(mode, input) << 16;
    case 3:
    case 11: return pack_byte(mode, input) * 0x01010101;
    default: return replace_byte(old, mode & 3, pack_byte(mode, input));
    }
}

uint32_t pack_colour(uint32_t value)
{
    if ((int32_t)value <= 0)
        return 0; /* zero or negative */
    if (value >= ONE)
        return 255;
    unsigned exponent = value >> 23;
    if (exponent < 127 - 9)
        return 0; /* below 1/510, including denormals */
    /* The product has `point` fractional bits. The addition of half rounds to nearest. */
    uint64_t product = (uint64_t)((value & FRACTION) | HIDDEN) * 255;
    unsigned point = 23 + 127 - exponent;
    return (uint32_t)((product + (UINT64_C(1) << (point - 1))) >> point);
}

uint32_t pack_mul_element(unsigned mode, uint32_t value, uint32_t old)
{
    if (mode == 0)
        return value;
    if (mode >= 11)
        mode &= 7;
    if (mode == 3)
        return pack_colour(value) * 0x01010101;
    if (mode >= 4 && mode <= 7)
        return replace_byte(old, mode & 3, pack_colour(value));
    return 0;
}

void pack_mul_lanes(lanes *result, unsigned mode, const lanes *value, const lanes *old)
{
    for (unsigned i = 0; i < LANES; i++)
        (*result)[i] = pack_mul_element(mode, (*value)[i], (*old)[i]);
}
