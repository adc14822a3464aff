/* SPDX-License-Identifier: MIT */
/* alu.c - see alu.h.
 *
 * Source:   manual tables 12 and 13 name the operations. doe300/VC4C captured their results on
 *           silicon (test/opcode_test.h). docs/vc4/qpu.md states the rules and marks the choices.
 * Modelled: rounding toward zero, no denormals, no NaN (NaN inputs act as infinity), carry and
 *           overflow.
 * Left out: nothing. */
#include "vc4/qpu/alu.h"

#define PART_BYTES 16
#include "vc4/qpu/alu_lanes.h"

enum {
    SIGN = INT32_MIN,
    INFINITE = 0x7f800000,
    LARGEST = 0x7f7fffff, /* FLT_MAX */
    MAGNITUDE = 0x7fffffff,
    FRACTION = 0x7fffff,
    HIDDEN = 0x800000,
    BIAS = 127,
};

/* --- one element --- */

static unsigned exponent(uint32_t bits)
{
    return bits >> 23 & 0xff;
}

static bool is_infinite(uint32_t bits)
{
    return exponent(bits) == 255;
}

static uint32_t sign(uint32_t bits)
{
    return bits & (uint32_t)SIGN;
}

static uint32_t infinity(uint32_t sign_bits)
{
    return sign(sign_bits) | INFINITE;
}

/* Returns sign * mantissa * 2^(scale - BIAS - 55) as a float, truncated. If bit 55 is the leading
 * bit of mantissa, the exponent field is scale. */
static uint32_t make_float(uint32_t sign_bits, int scale, uint64_t mantissa)
{
    if (mantissa == 0)
        return 0;
    int top = 63 - __builtin_clzll(mantissa);
    int field = scale + top - 55;
    if (field <= 0)
        return 0;
    if (field >= 255)
        return infinity(sign_bits);
    uint64_t fraction = top >= 23 ? mantissa >> (top - 23) : mantissa << (23 - top);
    return sign(sign_bits) | (uint32_t)field << 23 | ((uint32_t)fraction & FRACTION);
}

/* Returns the significand, shifted so that its leading bit is bit 55. */
static uint64_t significand_of(uint32_t bits)
{
    return (uint64_t)((bits & FRACTION) | HIDDEN) << 32;
}

/* Adds two finite nonzero floats with |a| >= |b|. Significands have 56 bits. If the alignment of b
 * shifts nonzero bits out, a subtraction subtracts 1 more from the lowest bit. The truncated result
 * is then the same as with the lost bits. */
static uint32_t add_ordered(uint32_t a, uint32_t b)
{
    unsigned distance = exponent(a) - exponent(b);
    uint64_t big = significand_of(a), small = significand_of(b);
    uint64_t shifted = distance < 56 ? small >> distance : 0;
    bool lost = distance >= 56 || shifted << distance != small;
    uint64_t sum = sign(a) == sign(b) ? big + shifted : big - shifted - lost;
    return make_float(a, (int)exponent(a), sum);
}

static uint32_t float_add(uint32_t a, uint32_t b)
{
    if (is_infinite(b))
        return infinity(b);
    if (is_infinite(a))
        return infinity(a);
    if (exponent(b) == 0)
        return exponent(a) == 0 ? 0 : a;
    if (exponent(a) == 0)
        return b;
    return (a & MAGNITUDE) >= (b & MAGNITUDE) ? add_ordered(a, b) : add_ordered(b, a);
}

static uint32_t float_mul(uint32_t a, uint32_t b)
{
    if (exponent(a) == 0 || exponent(b) == 0)
        return 0;
    if (is_infinite(a) || is_infinite(b))
        return infinity(a ^ b);
    uint64_t product = (uint64_t)((a & FRACTION) | HIDDEN) * ((b & FRACTION) | HIDDEN);
    int scale = (int)exponent(a) + (int)exponent(b) - BIAS +
                9; /* the product of two 1.0s has bit 46 as leading bit */
    return make_float(a ^ b, scale, product);
}

/* Maps the bits of a float (sign and magnitude) to an integer with the same order. -0 equals +0. */
static int32_t ordered(uint32_t bits)
{
    int32_t magnitude = (int32_t)(bits & MAGNITUDE);
    return sign(bits) ? -magnitude : magnitude;
}

static bool positive(uint32_t value)
{
    return (int32_t)value > 0;
}

/* PLAIN defines a one-element operation that clears the carry. POSITIVE defines a one-element
 * operation that sets the carry if the result, as a signed integer, is above 0. */
#define PLAIN(name, expression)                            \
    static struct alu_result name(uint32_t a, uint32_t b)  \
    {                                                      \
        (void)b;                                           \
        return (struct alu_result){.value = (expression)}; \
    }
#define POSITIVE(name, expression)                                            \
    static struct alu_result name(uint32_t a, uint32_t b)                     \
    {                                                                         \
        (void)b;                                                              \
        uint32_t value = (expression);                                        \
        return (struct alu_result){.value = value, .carry = positive(value)}; \
    }

POSITIVE(add_fadd, float_add(a, b))
POSITIVE(add_fsub, float_add(a, b ^ (uint32_t)SIGN))

static struct alu_result add_fmin(uint32_t a, uint32_t b)
{
    bool greater = ordered(a) > ordered(b);
    return (struct alu_result){.value = greater ? b : a, .carry = greater};
}

static struct alu_result add_fmax(uint32_t a, uint32_t b)
{
    bool greater = ordered(a) > ordered(b);
    return (struct alu_result){.value = greater ? a : b, .carry = greater};
}

static struct alu_result add_fminabs(uint32_t a, uint32_t b)
{
    return add_fmin(a & MAGNITUDE, b & MAGNITUDE);
}

static struct alu_result add_fmaxabs(uint32_t a, uint32_t b)
{
    return add_fmax(a & MAGNITUDE, b & MAGNITUDE);
}

/* Truncates a float to an integer. Returns the low 32 bits, or 0 if the magnitude is 2^32 or
 * more. */
static uint32_t float_to_int(uint32_t a)
{
    int shift = (int)exponent(a) - BIAS - 23;
    if (shift < -23 || shift > 8)
        return 0;
    uint32_t mantissa = (a & FRACTION) | HIDDEN;
    uint32_t magnitude = shift < 0 ? mantissa >> -shift : mantissa << shift;
    return sign(a) ? 0u - magnitude : magnitude;
}

static uint32_t int_to_float(uint32_t a)
{
    uint64_t magnitude = sign(a) ? 0u - a : a;
    return make_float(a, BIAS + 55, magnitude);
}

PLAIN(add_ftoi, float_to_int(a))
POSITIVE(add_itof, int_to_float(a))

static struct alu_result add_add(uint32_t a, uint32_t b)
{
    uint32_t sum = a + b;
    return (struct alu_result){
        .value = sum, .carry = sum < a, .overflow = sign((a ^ sum) & (b ^ sum)) != 0};
}

static struct alu_result add_sub(uint32_t a, uint32_t b)
{
    uint32_t difference = a - b;
    return (struct alu_result){
        .value = difference, .carry = a < b, .overflow = sign((a ^ b) & (a ^ difference)) != 0};
}

/* Returns the last bit that a shift right by count moves out. */
static bool last_out(uint32_t a, unsigned count)
{
    return count > 0 && (a >> (count - 1) & 1);
}

static uint32_t shift_signed(uint32_t a, unsigned count)
{
    return sign(a) ? ~(~a >> count) : a >> count;
}

static struct alu_result add_shr(uint32_t a, uint32_t b)
{
    return (struct alu_result){.value = a >> (b & 31), .carry = last_out(a, b & 31)};
}

static struct alu_result add_asr(uint32_t a, uint32_t b)
{
    return (struct alu_result){.value = shift_signed(a, b & 31), .carry = last_out(a, b & 31)};
}

static struct alu_result add_shl(uint32_t a, uint32_t b)
{
    uint64_t wide = (uint64_t)a << (b & 31);
    return (struct alu_result){.value = (uint32_t)wide, .carry = wide >> 32 & 1};
}

static struct alu_result add_min(uint32_t a, uint32_t b)
{
    bool greater = (int32_t)a > (int32_t)b;
    return (struct alu_result){.value = greater ? b : a, .carry = greater};
}

static struct alu_result add_max(uint32_t a, uint32_t b)
{
    bool greater = (int32_t)a > (int32_t)b;
    return (struct alu_result){.value = greater ? a : b, .carry = greater};
}

PLAIN(add_ror, a >> (b & 31) | a << (-b & 31))
PLAIN(add_and, a &b)
PLAIN(add_or, a | b)
PLAIN(add_xor, a ^ b)
PLAIN(add_not, ~a)
PLAIN(add_clz, a ? (uint32_t)__builtin_clz(a) : 32)
PLAIN(alu_none, a & 0)

/* Defines an operation that applies an expression of two bytes x and y to each of the four
 * bytes. */
#define BYTES(name, expression)                                    \
    static struct alu_result name(uint32_t a, uint32_t b)          \
    {                                                              \
        uint32_t value = 0;                                        \
        for (unsigned shift = 0; shift < 32; shift += 8) {         \
            uint32_t x = a >> shift & 0xff, y = b >> shift & 0xff; \
            value |= (uint32_t)(expression) << shift;              \
        }                                                          \
        return (struct alu_result){.value = value};                \
    }

BYTES(mul_v8adds, x + y > 255 ? 255 : x + y)
BYTES(mul_v8subs, x > y ? x - y : 0)
BYTES(mul_v8muld, (x * y + 127) / 255)
BYTES(mul_v8min, x < y ? x : y)
BYTES(mul_v8max, x > y ? x : y)
#define add_v8adds mul_v8adds
#define add_v8subs mul_v8subs

PLAIN(mul_fmul, float_mul(a, b))

static struct alu_result mul_mul24(uint32_t a, uint32_t b)
{
    uint64_t product = (uint64_t)(a & 0xffffff) * (b & 0xffffff);
    return (struct alu_result){.value = (uint32_t)product, .carry = product > 0xffffff};
}

/* --- moves and tables --- */

void alu_copy(lanes *to, const lanes *from)
{
    lanes_copy(to, from);
}

void alu_splat(lanes *to, uint32_t value)
{
    lanes_splat(to, value);
}

void alu_select(lanes *to, const lanes *from, lane_mask mask)
{
    lanes_select(to, from, mask);
}

lane_mask alu_negative(const lanes *value)
{
    return lanes_negative(value);
}

lane_mask alu_zero(const lanes *value)
{
    return lanes_zero(value);
}

#define ADD_ROW(NAME, name, carry) [QPU_ADD_##NAME] = {add_##name, lanes_##name, carry},
#define MUL_ROW(NAME, name, carry) [QPU_MUL_##NAME] = {mul_##name, lanes_##name, carry},

const struct alu_op alu_add_ops[32] = {[QPU_ADD_NOP] = {alu_none, lanes_none, carry_none},
                                       LANES_ADD_OPS(ADD_ROW)};

const struct alu_op alu_mul_ops[8] = {[QPU_MUL_NOP] = {alu_none, lanes_none, carry_none},
                                      LANES_MUL_OPS(MUL_ROW)};
