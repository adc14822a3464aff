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

/* --- sixteen elements --- */

/* Vectors of the width that every host has; compilers handle wider ones badly. */
enum { PARTS = 4 };
typedef uint32_t part __attribute__((vector_size(16), may_alias));
typedef int32_t part_int __attribute__((vector_size(16), may_alias));
typedef float part_float __attribute__((vector_size(16), may_alias));
typedef uint8_t part_bytes __attribute__((vector_size(16), may_alias));

#define FOR_PARTS _Pragma("GCC unroll 4") for (unsigned i = 0; i < PARTS; i++)

/* One 16-element function, as an expression of the parts x and y. */
#define LANES_OP(name, expression)                                   \
    static void name(lanes *result, const lanes *a, const lanes *b)  \
    {                                                                \
        FOR_PARTS                                                    \
        {                                                            \
            part x = ((const part *)a)[i], y = ((const part *)b)[i]; \
            (void)y;                                                 \
            ((part *)result)[i] = (part)(expression);                \
        }                                                            \
    }

#define CHOOSE(condition, yes, no) (((part)(condition) & (yes)) | (~(part)(condition) & (no)))

/* Elements of a vector of floats in sign and magnitude, as integers that compare alike. */
#define ORDERED(x) \
    ((part_int)(((x)&MAGNITUDE) ^ (part)((part_int)(x) >> 31)) - ((part_int)(x) >> 31))
#define GREATER(x, y)           ((part_int)(x) > (part_int)(y))
#define GREATER_MAGNITUDE(x, y) GREATER((x)&MAGNITUDE, (y)&MAGNITUDE)

LANES_OP(lanes_fmin, CHOOSE(ORDERED(x) > ORDERED(y), y, x))
LANES_OP(lanes_fmax, CHOOSE(ORDERED(x) > ORDERED(y), x, y))
LANES_OP(lanes_fminabs, CHOOSE(GREATER_MAGNITUDE(x, y), y, x) & MAGNITUDE)
LANES_OP(lanes_fmaxabs, CHOOSE(GREATER_MAGNITUDE(x, y), x, y) & MAGNITUDE)
LANES_OP(lanes_add, x + y)
LANES_OP(lanes_sub, x - y)
LANES_OP(lanes_shr, x >> (y & 31))
LANES_OP(lanes_asr, (part_int)x >> (part_int)(y & 31))
LANES_OP(lanes_ror, x >> (y & 31) | x << (-y & 31))
LANES_OP(lanes_shl, x << (y & 31))
LANES_OP(lanes_min, CHOOSE(GREATER(x, y), y, x))
LANES_OP(lanes_max, CHOOSE(GREATER(x, y), x, y))
LANES_OP(lanes_and, x &y)
LANES_OP(lanes_or, x | y)
LANES_OP(lanes_xor, x ^ y)
LANES_OP(lanes_not, ~x)
LANES_OP(lanes_none, x & 0)
LANES_OP(lanes_mul24, (x & 0xffffff) * (y & 0xffffff))

#define BYTES_OF(x) ((part_bytes)(x))
LANES_OP(lanes_v8adds,
         (BYTES_OF(x) + BYTES_OF(y)) | (part_bytes)((BYTES_OF(x) + BYTES_OF(y)) < BYTES_OF(x)))
LANES_OP(lanes_v8subs, (BYTES_OF(x) - BYTES_OF(y)) & (part_bytes)(BYTES_OF(x) > BYTES_OF(y)))
LANES_OP(lanes_v8min, CHOOSE(BYTES_OF(x) < BYTES_OF(y), x, y))
LANES_OP(lanes_v8max, CHOOSE(BYTES_OF(x) > BYTES_OF(y), x, y))

/* Elementwise by the reference. */
static void by_element(alu_element *element, lanes *result, const lanes *a, const lanes *b)
{
    for (unsigned i = 0; i < LANES; i++)
        (*result)[i] = element((*a)[i], (*b)[i]).value;
}

#define LANES_BY_ELEMENT(name, element)                             \
    static void name(lanes *result, const lanes *a, const lanes *b) \
    {                                                               \
        by_element(element, result, a, b);                          \
    }

LANES_BY_ELEMENT(lanes_clz, add_clz)
LANES_BY_ELEMENT(lanes_v8muld, v8_muld)

#ifdef TESS_SOFT_FLOAT

LANES_BY_ELEMENT(lanes_fadd, add_fadd)
LANES_BY_ELEMENT(lanes_fsub, add_fsub)
LANES_BY_ELEMENT(lanes_fmul, mul_fmul)
LANES_BY_ELEMENT(lanes_itof, add_itof)
LANES_BY_ELEMENT(lanes_ftoi, add_ftoi)

#else

/* Whether any element of a comparison holds. */
static inline bool any(part_int condition)
{
#ifdef __SSE2__
    return _mm_movemask_epi8((__m128i)condition) != 0;
#else
    typedef uint64_t part_words __attribute__((vector_size(16)));
    part_words words = (part_words)condition;
    return (words[0] | words[1]) != 0;
#endif
}

#define IS_INFINITE(x) (((x)&INFINITE) == INFINITE)
#define IS_ZERO(x)     (((x)&INFINITE) == 0)
#define INFINITY_OF(x) (((x) & (uint32_t)SIGN) | INFINITE)

/* Sums with infinite operands have the sign of b's infinity, or else of a's. Where the magnitude is
 * that of FLT_MAX, rounding toward zero may have hidden an overflow: the reference decides. */
static __attribute__((noinline)) void repair_sum(lanes *value, const lanes *a, const lanes *b)
{
    for (unsigned i = 0; i < PARTS; i++) {
        part x = ((const part *)a)[i], y = ((const part *)b)[i], *v = (part *)value + i;
        *v = CHOOSE(IS_INFINITE(x), INFINITY_OF(x), *v);
        *v = CHOOSE(IS_INFINITE(y), INFINITY_OF(y), *v);
    }
    for (unsigned i = 0; i < LANES; i++)
        if (((*value)[i] & MAGNITUDE) == LARGEST)
            (*value)[i] = float_add((*a)[i], (*b)[i]);
}

/* Products with infinite operands are infinite, but zero wins. */
static __attribute__((noinline)) void repair_product(lanes *value, const lanes *a, const lanes *b)
{
    for (unsigned i = 0; i < PARTS; i++) {
        part x = ((const part *)a)[i], y = ((const part *)b)[i], *v = (part *)value + i;
        *v = CHOOSE(IS_INFINITE(x) | IS_INFINITE(y), INFINITY_OF(x ^ y), *v);
        *v &= ~(part)(IS_ZERO(x) | IS_ZERO(y));
    }
    for (unsigned i = 0; i < LANES; i++)
        if (((*value)[i] & MAGNITUDE) == LARGEST)
            (*value)[i] = float_mul((*a)[i], (*b)[i]);
}

/* One float operation with the host in QPU mode. A result of -0 becomes +0. flip changes b's sign
 * for repair. Operands may share the result's place: it is written last. */
#define LANES_FLOAT(name, operator, repair, flip)                                      \
    static void name(lanes *result, const lanes *a, const lanes *b)                    \
    {                                                                                  \
        lanes value;                                                                   \
        part *v = (part *)&value;                                                      \
        part_int extreme = {0};                                                        \
        FOR_PARTS                                                                      \
        {                                                                              \
            part_float x = ((const part_float *)a)[i], y = ((const part_float *)b)[i]; \
            part bits = (part)(x operator y);                                          \
            v[i] = bits & ~(part)(bits == (uint32_t)SIGN);                             \
            extreme |= (part_int)(bits & MAGNITUDE) > LARGEST - 1;                     \
        }                                                                              \
        if (__builtin_expect(any(extreme), 0)) {                                       \
            lanes flipped = *b ^ (uint32_t)(flip);                                     \
            repair(&value, a, &flipped);                                               \
        }                                                                              \
        FOR_PARTS((part *)result)[i] = v[i];                                           \
    }

LANES_FLOAT(lanes_fadd, +, repair_sum, 0)
LANES_FLOAT(lanes_fsub, -, repair_sum, SIGN)
LANES_FLOAT(lanes_fmul, *, repair_product, 0)

LANES_OP(lanes_itof, __builtin_convertvector((part_int)x, part_float))

/* The host's conversion holds for magnitudes below 2^31. */
static void lanes_ftoi(lanes *result, const lanes *a, const lanes *b)
{
    enum { TWO_TO_31 = 0x4f000000 };
    part_int large = {0};
    FOR_PARTS large |= (part_int)(((const part *)a)[i] & MAGNITUDE) > TWO_TO_31 - 1;
    if (any(large)) {
        by_element(add_ftoi, result, a, b);
        return;
    }
    FOR_PARTS((part *)result)
    [i] = (part) __builtin_convertvector(((const part_float *)a)[i], part_int);
}

#endif

/* --- vectors and masks --- */

void alu_copy(lanes *to, const lanes *from)
{
    FOR_PARTS((part *)to)[i] = ((const part *)from)[i];
}

void alu_splat(lanes *to, uint32_t value)
{
    FOR_PARTS((part *)to)[i] = value + (part){0};
}

void alu_select(lanes *to, const lanes *from, lane_mask mask)
{
    const part bit = {1, 2, 4, 8};
    FOR_PARTS
    {
        part chosen = (part)((bit & (uint32_t)(mask >> (4 * i))) != 0);
        part *t = (part *)to + i;
        *t = CHOOSE(chosen, ((const part *)from)[i], *t);
    }
}

/* The mask of the elements where a comparison of parts i holds. */
#ifdef __SSE2__
#define RETURN_MASK(comparison)                                                                    \
    __m128i holds[PARTS];                                                                          \
    FOR_PARTS holds[i] = (__m128i)(comparison);                                                    \
    __m128i low = _mm_packs_epi32(holds[0], holds[1]), high = _mm_packs_epi32(holds[2], holds[3]); \
    return (lane_mask)_mm_movemask_epi8(_mm_packs_epi16(low, high))
#else
#define RETURN_MASK(comparison)                                     \
    const part_int bit = {1, 2, 4, 8};                              \
    part_int bits = {0};                                            \
    FOR_PARTS bits |= ((part_int)(comparison)&bit) << (int)(4 * i); \
    return (lane_mask)(bits[0] | bits[1] | bits[2] | bits[3])
#endif

lane_mask alu_negative(const lanes *value)
{
    RETURN_MASK(((const part_int *)value)[i] < 0);
}

lane_mask alu_zero(const lanes *value)
{
    RETURN_MASK(((const part *)value)[i] == 0);
}

/* --- carries and overflow --- */

/* One carry function, as a comparison of the parts X and Y of the operands and R of the result. */
#define CARRY(name, comparison)                                                \
    static lane_mask name(const lanes *a, const lanes *b, const lanes *result) \
    {                                                                          \
        (void)a, (void)b, (void)result;                                        \
        RETURN_MASK(comparison);                                               \
    }
#define X (((const part *)a)[i])
#define Y (((const part *)b)[i])
#define R (((const part *)result)[i])

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

CARRY(carry_positive, (part_int)R > 0)
CARRY(carry_float_greater, ORDERED(X) > ORDERED(Y))
CARRY(carry_magnitude_greater, GREATER_MAGNITUDE(X, Y))
CARRY(carry_add, R < X)
CARRY(carry_sub, X < Y)
CARRY(carry_greater, GREATER(X, Y))
CARRY_BY_ELEMENT(carry_shr, add_shr)
CARRY_BY_ELEMENT(carry_asr, add_asr)
CARRY_BY_ELEMENT(carry_shl, add_shl)
CARRY_BY_ELEMENT(carry_mul24, mul_mul24)

/* --- tables --- */

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
