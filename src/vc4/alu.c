/* SPDX-License-Identifier: MIT */
/* alu.c - see alu.h.
 *
 * Source:   manual tables 12 and 13 name the operations; what they compute was captured on silicon
 * by doe300/VC4C (test/opcode_test.h). docs/vc4/qpu.md states the rules and where they are choices.
 * Modelled: rounding toward zero, no denormals, no NaN (it acts as infinity), carry and overflow.
 * Left out: nothing. */
#include "vc4/alu.h"

#include <stddef.h>

#include "isa/qpu/qpu_isa.h"
#include "vc4/fpmode.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Compiles a function for AVX2 too and lets the loader choose. The results are the same. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define VECTOR __attribute__((target_clones("avx2", "default")))
#else
#define VECTOR
#endif

enum {
    SIGN = INT32_MIN,
    INFINITE = 0x7f800000,
    LARGEST = 0x7f7fffff, /* FLT_MAX */
    MAGNITUDE = 0x7fffffff,
    FRACTION = 0x7fffff,
    HIDDEN = 0x800000,
    BIAS = 127,
};

/* --- one element
 * ----------------------------------------------------------------------------------- */

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

/* The float sign * mantissa * 2^(scale - BIAS - 55), truncated: a leading bit 55 stands for
 * exponent field scale. */
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

/* The significand with its leading bit at 55. */
static uint64_t significand_of(uint32_t bits)
{
    return (uint64_t)((bits & FRACTION) | HIDDEN) << 32;
}

/* Both finite and not zero, |a| >= |b|. What is shifted out of b is made up for by one unit in the
 * last of 56 places: enough for truncation, since only then can it matter. */
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
                9; /* a product of 1.0s leads at bit 46 */
    return make_float(a ^ b, scale, product);
}

/* Floats as integers that compare alike: sign and magnitude, -0 equal to +0. */
static int32_t ordered(uint32_t bits)
{
    int32_t magnitude = (int32_t)(bits & MAGNITUDE);
    return sign(bits) ? -magnitude : magnitude;
}

static bool positive(uint32_t value)
{
    return (int32_t)value > 0;
}

/* One element of an operation without carry, and of float operations whose carry says "above zero".
 */
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

/* Magnitudes below 2^32 keep their low 32 bits, all others give 0. */
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

/* The last bit that a shift right by count moves out. */
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

/* Applies a function of two bytes to all four. */
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

BYTES(v8_adds, x + y > 255 ? 255 : x + y)
BYTES(v8_subs, x > y ? x - y : 0)
BYTES(v8_muld, (x * y + 127) / 255)
BYTES(v8_min, x < y ? x : y)
BYTES(v8_max, x > y ? x : y)

PLAIN(mul_fmul, float_mul(a, b))

static struct alu_result mul_mul24(uint32_t a, uint32_t b)
{
    uint64_t product = (uint64_t)(a & 0xffffff) * (b & 0xffffff);
    return (struct alu_result){.value = (uint32_t)product, .carry = product > 0xffffff};
}

/* --- sixteen elements
 * ------------------------------------------------------------------------------ */

typedef uint8_t lanes_bytes __attribute__((vector_size(LANES * 4), aligned(64)));
typedef uint16_t lanes_halves __attribute__((vector_size(LANES * 8), aligned(64)));

/* One 16-element function, as an expression of x and y. */
#define LANES_OP(name, expression)                                         \
    VECTOR static void name(lanes *result, const lanes *a, const lanes *b) \
    {                                                                      \
        lanes x = *a, y = *b;                                              \
        (void)y;                                                           \
        *result = (lanes)(expression);                                     \
    }

/* The smaller (or with x and y swapped, the larger) of two vectors, given where x > y. */
#define CHOOSE(condition, yes, no) (((lanes)(condition) & (yes)) | (~(lanes)(condition) & (no)))

/* Elements of a vector of floats in sign and magnitude, as integers that compare alike. */
#define ORDERED(x) \
    ((lanes_int)(((x)&MAGNITUDE) ^ (lanes)((lanes_int)(x) >> 31)) - ((lanes_int)(x) >> 31))

LANES_OP(lanes_fmin, CHOOSE(ORDERED(x) > ORDERED(y), y, x))
LANES_OP(lanes_fmax, CHOOSE(ORDERED(x) > ORDERED(y), x, y))

VECTOR static void lanes_fminabs(lanes *result, const lanes *a, const lanes *b)
{
    lanes x = *a & MAGNITUDE, y = *b & MAGNITUDE;
    *result = CHOOSE((lanes_int)x > (lanes_int)y, y, x);
}

VECTOR static void lanes_fmaxabs(lanes *result, const lanes *a, const lanes *b)
{
    lanes x = *a & MAGNITUDE, y = *b & MAGNITUDE;
    *result = CHOOSE((lanes_int)x > (lanes_int)y, x, y);
}

LANES_OP(lanes_add, x + y)
LANES_OP(lanes_sub, x - y)
LANES_OP(lanes_shr, x >> (y & 31))
LANES_OP(lanes_asr, (lanes_int)x >> (lanes_int)(y & 31))
LANES_OP(lanes_ror, x >> (y & 31) | x << (-y & 31))
LANES_OP(lanes_shl, x << (y & 31))
LANES_OP(lanes_min, CHOOSE((lanes_int)x > (lanes_int)y, y, x))
LANES_OP(lanes_max, CHOOSE((lanes_int)x > (lanes_int)y, x, y))
LANES_OP(lanes_and, x &y)
LANES_OP(lanes_or, x | y)
LANES_OP(lanes_xor, x ^ y)
LANES_OP(lanes_not, ~x)
LANES_OP(lanes_none, x & 0)
LANES_OP(lanes_mul24, (x & 0xffffff) * (y & 0xffffff))

static void lanes_clz(lanes *result, const lanes *a, const lanes *b)
{
    (void)b;
    for (unsigned i = 0; i < LANES; i++)
        (*result)[i] = (*a)[i] ? (uint32_t)__builtin_clz((*a)[i]) : 32;
}

/* One function of 64 bytes. */
#define LANES_BYTES(name, expression)                                      \
    VECTOR static void name(lanes *result, const lanes *a, const lanes *b) \
    {                                                                      \
        lanes_bytes x = (lanes_bytes)*a, y = (lanes_bytes)*b;              \
        *result = (lanes)(expression);                                     \
    }

LANES_BYTES(lanes_v8adds, (x + y) | (lanes_bytes)((lanes_bytes)(x + y) < x))
LANES_BYTES(lanes_v8subs, (x - y) & (lanes_bytes)(x > y))
LANES_BYTES(lanes_v8min, (x & (lanes_bytes)(x < y)) | (y & ~(lanes_bytes)(x < y)))
LANES_BYTES(lanes_v8max, (x & (lanes_bytes)(x > y)) | (y & ~(lanes_bytes)(x > y)))

/* n / 255 for n up to 65534 is (n + 1 + (n + 1 >> 8)) >> 8. */
VECTOR static void lanes_v8muld(lanes *result, const lanes *a, const lanes *b)
{
    lanes even = 0xff00ff & *a, odd = 0xff00ff & *a >> 8;
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t y = (*b)[i];
        uint32_t low = (even[i] & 0xff) * (y & 0xff) | (even[i] >> 16) * (y >> 16 & 0xff) << 16;
        uint32_t high = (odd[i] & 0xff) * (y >> 8 & 0xff) | (odd[i] >> 16) * (y >> 24) << 16;
        low += 0x800080;
        high += 0x800080;
        low = (low + (low >> 8 & 0xff00ff)) >> 8 & 0xff00ff;
        high = (high + (high >> 8 & 0xff00ff)) & 0xff00ff00;
        even[i] = low | high;
    }
    *result = even;
}

/* Elementwise by the reference. */
static void by_element(alu_element *element, lanes *result, const lanes *a, const lanes *b)
{
    for (unsigned i = 0; i < LANES; i++)
        (*result)[i] = element((*a)[i], (*b)[i]).value;
}

#ifdef TESS_SOFT_FLOAT

#define LANES_SOFT(name, element)                                   \
    static void name(lanes *result, const lanes *a, const lanes *b) \
    {                                                               \
        by_element(element, result, a, b);                          \
    }

LANES_SOFT(lanes_fadd, add_fadd)
LANES_SOFT(lanes_fsub, add_fsub)
LANES_SOFT(lanes_fmul, mul_fmul)
LANES_SOFT(lanes_itof, add_itof)
LANES_SOFT(lanes_ftoi, add_ftoi)

#else

/* Whether any element of the comparison holds. */
#define ANY(name, comparison)                 \
    lanes_int name##_elements = (comparison); \
    bool name = any(&name##_elements)

#ifdef __SSE2__
static inline __attribute__((always_inline)) bool any(const lanes_int *condition)
{
    const __m128 *part = (const __m128 *)condition;
    __m128 both = _mm_or_ps(_mm_or_ps(part[0], part[1]), _mm_or_ps(part[2], part[3]));
    return _mm_movemask_ps(both) != 0;
}
#else
static inline __attribute__((always_inline)) bool any(const lanes_int *condition)
{
    typedef uint64_t words __attribute__((vector_size(64)));
    words w = (words)*condition;
    return (w[0] | w[1] | w[2] | w[3] | w[4] | w[5] | w[6] | w[7]) != 0;
}
#endif

/* In QPU mode, adding +0 turns -0 into +0 and changes nothing else. Elements that overflowed (to
 * FLT_MAX, as rounding goes toward zero) or had an infinite operand are done again by the
 * reference. */
#define LANES_FLOAT(name, expression, element)                             \
    VECTOR static void name(lanes *result, const lanes *a, const lanes *b) \
    {                                                                      \
        lanes_float x = (lanes_float)*a, y = (lanes_float)*b;              \
        lanes value = (lanes)((expression) + 0.0f);                        \
        ANY(extreme, (lanes_int)(value & MAGNITUDE) >= LARGEST);           \
        if (__builtin_expect(extreme, 0))                                  \
            by_element(element, result, a, b);                             \
        else                                                               \
            *result = value;                                               \
    }

LANES_FLOAT(lanes_fadd, x + y, add_fadd)
LANES_FLOAT(lanes_fsub, x - y, add_fsub)
LANES_FLOAT(lanes_fmul, x *y, mul_fmul)

VECTOR static void lanes_itof(lanes *result, const lanes *a, const lanes *b)
{
    (void)b;
    *result = (lanes) __builtin_convertvector((lanes_int)*a, lanes_float);
}

VECTOR static void lanes_ftoi(lanes *result, const lanes *a, const lanes *b)
{
    enum { TWO_TO_31 = 0x4f000000 };
    lanes x = *a;
    ANY(large, (lanes_int)(x & MAGNITUDE) >= TWO_TO_31);
    if (large)
        by_element(add_ftoi, result, a, b);
    else
        *result = (lanes) __builtin_convertvector((lanes_float)x, lanes_int);
}

#endif

/* --- masks
 * ----------------------------------------------------------------------------------------- */

#ifdef __SSE2__
lane_mask alu_mask(const lanes_int *condition)
{
    const __m128i *part = (const __m128i *)condition;
    __m128i low = _mm_packs_epi32(part[0], part[1]), high = _mm_packs_epi32(part[2], part[3]);
    return (lane_mask)_mm_movemask_epi8(_mm_packs_epi16(low, high));
}
#else
lane_mask alu_mask(const lanes_int *condition)
{
    unsigned mask = 0;
    for (unsigned i = 0; i < LANES; i++)
        mask |= ((unsigned)(*condition)[i] & 1) << i;
    return (lane_mask)mask;
}
#endif

lane_mask alu_negative(const lanes *value)
{
    lanes_int negative = (lanes_int)*value >> 31;
    return alu_mask(&negative);
}

lane_mask alu_zero(const lanes *value)
{
    lanes_int zero = *value == 0;
    return alu_mask(&zero);
}

void alu_select(lanes *to, const lanes *from, lane_mask mask)
{
    const lanes bit = {1u << 0,  1u << 1,  1u << 2,  1u << 3, 1u << 4,  1u << 5,
                       1u << 6,  1u << 7,  1u << 8,  1u << 9, 1u << 10, 1u << 11,
                       1u << 12, 1u << 13, 1u << 14, 1u << 15};
    lanes chosen = (lanes)((bit & mask) != 0);
    *to = (*from & chosen) | (*to & ~chosen);
}

/* --- carries and overflow
 * -------------------------------------------------------------------------- */

/* One carry function, as a comparison of x = a, y = b and r = result. */
#define CARRY(name, comparison)                                                \
    static lane_mask name(const lanes *a, const lanes *b, const lanes *result) \
    {                                                                          \
        lanes x = *a, y = *b, r = *result;                                     \
        (void)x, (void)y, (void)r;                                             \
        lanes_int condition = (comparison);                                    \
        return alu_mask(&condition);                                           \
    }

/* One carry function that asks the reference. */
#define CARRY_BY_ELEMENT(name, element)                                        \
    static lane_mask name(const lanes *a, const lanes *b, const lanes *result) \
    {                                                                          \
        (void)result;                                                          \
        unsigned carry = 0;                                                    \
        for (unsigned i = 0; i < LANES; i++)                                   \
            carry |= (unsigned)element((*a)[i], (*b)[i]).carry << i;           \
        return (lane_mask)carry;                                               \
    }

CARRY(carry_positive, (lanes_int)r > 0)
CARRY(carry_float_greater, ORDERED(x) > ORDERED(y))
CARRY(carry_magnitude_greater, (lanes_int)(x &MAGNITUDE) > (lanes_int)(y & MAGNITUDE))
CARRY(carry_add, r < x)
CARRY(carry_sub, x < y)
CARRY(carry_greater, (lanes_int)x > (lanes_int)y)
CARRY_BY_ELEMENT(carry_shr, add_shr)
CARRY_BY_ELEMENT(carry_asr, add_asr)
CARRY_BY_ELEMENT(carry_shl, add_shl)
CARRY_BY_ELEMENT(carry_mul24, mul_mul24)

lane_mask alu_overflow(alu_element *element, const lanes *a, const lanes *b)
{
    unsigned overflow = 0;
    for (unsigned i = 0; i < LANES; i++)
        overflow |= (unsigned)element((*a)[i], (*b)[i]).overflow << i;
    return (lane_mask)overflow;
}

/* --- tables
 * ---------------------------------------------------------------------------------------- */

const struct alu_op alu_add_ops[32] = {
    [QPU_ADD_NOP] = {alu_none,    lanes_none,    NULL                   },
    [QPU_ADD_FADD] = {add_fadd,    lanes_fadd,    carry_positive         },
    [QPU_ADD_FSUB] = {add_fsub,    lanes_fsub,    carry_positive         },
    [QPU_ADD_FMIN] = {add_fmin,    lanes_fmin,    carry_float_greater    },
    [QPU_ADD_FMAX] = {add_fmax,    lanes_fmax,    carry_float_greater    },
    [QPU_ADD_FMINABS] = {add_fminabs, lanes_fminabs, carry_magnitude_greater},
    [QPU_ADD_FMAXABS] = {add_fmaxabs, lanes_fmaxabs, carry_magnitude_greater},
    [QPU_ADD_FTOI] = {add_ftoi,    lanes_ftoi,    NULL                   },
    [QPU_ADD_ITOF] = {add_itof,    lanes_itof,    carry_positive         },
    [QPU_ADD_ADD] = {add_add,     lanes_add,     carry_add              },
    [QPU_ADD_SUB] = {add_sub,     lanes_sub,     carry_sub              },
    [QPU_ADD_SHR] = {add_shr,     lanes_shr,     carry_shr              },
    [QPU_ADD_ASR] = {add_asr,     lanes_asr,     carry_asr              },
    [QPU_ADD_ROR] = {add_ror,     lanes_ror,     NULL                   },
    [QPU_ADD_SHL] = {add_shl,     lanes_shl,     carry_shl              },
    [QPU_ADD_MIN] = {add_min,     lanes_min,     carry_greater          },
    [QPU_ADD_MAX] = {add_max,     lanes_max,     carry_greater          },
    [QPU_ADD_AND] = {add_and,     lanes_and,     NULL                   },
    [QPU_ADD_OR] = {add_or,      lanes_or,      NULL                   },
    [QPU_ADD_XOR] = {add_xor,     lanes_xor,     NULL                   },
    [QPU_ADD_NOT] = {add_not,     lanes_not,     NULL                   },
    [QPU_ADD_CLZ] = {add_clz,     lanes_clz,     NULL                   },
    [QPU_ADD_V8ADDS] = {v8_adds,     lanes_v8adds,  NULL                   },
    [QPU_ADD_V8SUBS] = {v8_subs,     lanes_v8subs,  NULL                   },
};

const struct alu_op alu_mul_ops[8] = {
    [QPU_MUL_NOP] = {alu_none,  lanes_none,   NULL       },
    [QPU_MUL_FMUL] = {mul_fmul,  lanes_fmul,   NULL       },
    [QPU_MUL_MUL24] = {mul_mul24, lanes_mul24,  carry_mul24},
    [QPU_MUL_V8MULD] = {v8_muld,   lanes_v8muld, NULL       },
    [QPU_MUL_V8MIN] = {v8_min,    lanes_v8min,  NULL       },
    [QPU_MUL_V8MAX] = {v8_max,    lanes_v8max,  NULL       },
    [QPU_MUL_V8ADDS] = {v8_adds,   lanes_v8adds, NULL       },
    [QPU_MUL_V8SUBS] = {v8_subs,   lanes_v8subs, NULL       },
};
