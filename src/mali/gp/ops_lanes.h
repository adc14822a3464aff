/* SPDX-License-Identifier: MIT */
/* ops_lanes.h - the functions of struct gp_handlers for one width of host vectors.
 *
 * This file is a template. A source file defines PART_BYTES and includes the template once.
 * PART_BYTES is 16, which every host supports, or 32 in code for x86-64 with AVX2. The template
 * defines static functions and the initialiser GP_HANDLER_TABLE.
 *
 * Source:  docs/hardware/utgard.md, sections 4.7, 9 and 23 (choices); docs/utgard/gp.md. */
#include "base/f32_parts.h"
#include "mali/gp/step.h"

enum { PARTS = GP_LANES * 4 / PART_BYTES, HALVES = 2 * PARTS };

/* Vectors with half as many lanes as a part. A vector of doubles of the size of a part has this
 * number of lanes. */
typedef int32_t half_int __attribute__((vector_size(PART_BYTES / 2), may_alias));
typedef float half_float __attribute__((vector_size(PART_BYTES / 2), may_alias));
typedef int64_t wide_int __attribute__((vector_size(PART_BYTES), may_alias));
typedef double wide __attribute__((vector_size(PART_BYTES), may_alias));

#define FOR_PARTS  _Pragma("GCC unroll 4") for (unsigned i = 0; i < PARTS; i++)
#define FOR_HALVES for (unsigned i = 0; i < HALVES; i++)

#define CHOOSE_WIDE(condition, yes, no) \
    ((wide)(((wide_int)(condition) & (wide_int)(yes)) | (~(wide_int)(condition) & (wide_int)(no))))

/* --- arithmetic --- */

/* Defines a step on floats. The expression computes the result from the operands x and y, whose
 * signs have been applied. */
#define ARITHMETIC(name, expression)                                           \
    static void name(struct gp_machine *machine, const struct gp_step *step)   \
    {                                                                          \
        const part *a = gp_at(machine, step->a), *b = gp_at(machine, step->b); \
        part *to = gp_at(machine, step->to);                                   \
        const uint32_t flush = machine->flush;                                 \
        const part sign_a = SPLAT(step->sign_a), sign_b = SPLAT(step->sign_b); \
        FOR_PARTS                                                              \
        {                                                                      \
            part x = a[i] ^ sign_a, y = b[i] ^ sign_b;                         \
            (void)y;                                                           \
            to[i] = (part)(expression);                                        \
        }                                                                      \
        (void)flush;                                                           \
    }

#define IS_INFINITE(x) (((x)&F32_MAGNITUDE) == F32_INFINITE)

/* Multiplies two values. The caller has applied the sign of the result to one of the operands. */
INLINE part product(part x, part y)
{
    return (part)(FLOAT(x) * FLOAT(y));
}

INLINE part product_zero(part x, part y)
{
    part zero = (part)IS_ZERO(x) | (part)IS_ZERO(y), number = ~(is_nan(x) | is_nan(y));
    return CHOOSE(zero & number, (x ^ y) & (uint32_t)F32_SIGN, product(x, y));
}

INLINE part sign_of(part x)
{
    part_float zero = {0};
    return TRUTH(FLOAT(x) > zero) | ((part)(FLOAT(x) < zero) & (F32_ONE | (uint32_t)F32_SIGN));
}

/* Minimum and maximum. -0 counts as less than +0. If one operand is NaN, the result is the other
 * operand. */
INLINE part least(part x, part y)
{
    part less = (part)(FLOAT(x) < FLOAT(y)), more = (part)(FLOAT(x) > FLOAT(y));
    part value = CHOOSE(less, x, CHOOSE(more, y, x | y));
    return CHOOSE(is_nan(x), y, CHOOSE(is_nan(y), x, value));
}

INLINE part greatest(part x, part y)
{
    part less = (part)(FLOAT(x) < FLOAT(y)), more = (part)(FLOAT(x) > FLOAT(y));
    part value = CHOOSE(more, x, CHOOSE(less, y, x & y));
    return CHOOSE(is_nan(x), y, CHOOSE(is_nan(y), x, value));
}

INLINE part nan_of(part x, part y)
{
    return (is_nan(x) | is_nan(y)) & F32_NAN;
}

ARITHMETIC(run_multiply, finished(product(x, y), flush))
ARITHMETIC(run_multiply_zero, finished(product_zero(x, y), flush))
ARITHMETIC(run_add, finished((part)(FLOAT(x) + FLOAT(y)), flush))
ARITHMETIC(run_floor, finished(rounded_down(x), flush))
ARITHMETIC(run_sign, sign_of(x))
ARITHMETIC(run_ge, TRUTH(FLOAT(x) >= FLOAT(y)))
ARITHMETIC(run_lt, TRUTH(FLOAT(x) < FLOAT(y)))
ARITHMETIC(run_min, finished(least(x, y), flush))
ARITHMETIC(run_max, finished(greatest(x, y), flush))
ARITHMETIC(run_min_nan, finished(least(x, y) | nan_of(x, y), flush))
ARITHMETIC(run_max_nan, finished(greatest(x, y) | nan_of(x, y), flush))
ARITHMETIC(run_move, finished(x, flush))
ARITHMETIC(run_flush, flushed(x, flush))
ARITHMETIC(run_copy, x)
ARITHMETIC(run_zero, x & 0)

/* Defines a step with a third operand, z. The step's sign is applied to the result. */
#define ARITHMETIC3(name, expression)                                          \
    static void name(struct gp_machine *machine, const struct gp_step *step)   \
    {                                                                          \
        const part *a = gp_at(machine, step->a), *b = gp_at(machine, step->b); \
        const part *c = gp_at(machine, step->c);                               \
        part *to = gp_at(machine, step->to);                                   \
        const uint32_t flush = machine->flush;                                 \
        const part sign = SPLAT(step->sign_a);                                 \
        FOR_PARTS                                                              \
        {                                                                      \
            part x = a[i], y = b[i], z = c[i];                                 \
            to[i] = finished((part)(expression) ^ sign, flush);                \
        }                                                                      \
    }

ARITHMETIC3(run_select, CHOOSE(IS_ZERO(y), x, z))
ARITHMETIC3(run_clamp, least(greatest(x, y), z))
ARITHMETIC3(run_clamp_nan, least(greatest(x, y), z) | nan_of(x, y) | nan_of(x, z))

/* --- complex functions ---
 * The functions are computed in double precision. Their errors are much smaller than one unit in
 * the last place of a 32-bit float. tests/mali/gp/complex.c checks for all mantissas that the
 * results are correctly rounded. */

/* Adding this number and then subtracting it rounds a double below 2^51 to the nearest integer,
 * ties to even. */
#define ROUNDER 0x1.8p52

/* Defines a step that applies a function to all lanes, half a part at a time. */
#define FUNCTION(name, function)                                             \
    static void name(struct gp_machine *machine, const struct gp_step *step) \
    {                                                                        \
        const half_int *a = gp_at(machine, step->a);                         \
        half_int *to = gp_at(machine, step->to);                             \
        FOR_HALVES to[i] = function(a[i]);                                   \
    }

INLINE wide widened(half_int bits)
{
    return __builtin_convertvector((half_float)bits, wide);
}

INLINE half_int narrowed(wide value)
{
    return (half_int) __builtin_convertvector(value, half_float);
}

#define HALF_CHOOSE(condition, yes, no) \
    (((half_int)(condition) & (yes)) | (~(half_int)(condition) & (no)))
#define HALF_SPLAT(value) ((half_int){0} + (int32_t)(value))
#define HALF_IS_NAN(bits) (((bits)&F32_MAGNITUDE) > F32_INFINITE)

/* Computes 1/x. The result is correctly rounded, because the host's division is. */
static void run_rcp(struct gp_machine *machine, const struct gp_step *step)
{
    const part *a = gp_at(machine, step->a);
    part *to = gp_at(machine, step->to);
    const uint32_t flush = machine->flush;
    const part_float one = (part_float)SPLAT(F32_ONE);
    FOR_PARTS to[i] = finished((part)(one / FLOAT(a[i])), flush);
}

INLINE wide square_root(wide x)
{
#if defined(__x86_64__) && PART_BYTES == 32
    return (wide)_mm256_sqrt_pd((__m256d)x);
#elif defined(__x86_64__)
    return (wide)_mm_sqrt_pd((__m128d)x);
#else
    wide root = x;
    for (unsigned i = 0; i < PART_BYTES / 8; i++)
        root[i] = x[i] > 0 ? __builtin_sqrt(x[i]) : x[i];
    return root;
#endif
}

/* Computes 1/sqrt(x). For -0, the root is -0, so the result is minus infinity. */
INLINE half_int one_by_root(half_int bits)
{
    wide x = widened(bits), negative = (wide)(x < 0);
    x = CHOOSE_WIDE(negative, (wide){0}, x);
    half_int value = narrowed(1.0 / square_root(x));
    half_int none = HALF_IS_NAN(bits) | ((bits < 0) & ((bits & F32_MAGNITUDE) != 0));
    return HALF_CHOOSE(none, HALF_SPLAT(F32_NAN), value);
}

/* Computes 2^r by its Taylor series. r is from -1/2 to 1/2. */
INLINE wide exp2_series(wide r)
{
    static const double coefficients[] = {
        0x1.816193166d0f9p-40, 0x1.c3bd650fc2986p-36,
        0x1.e8cac7351bb25p-32, 0x1.e4cf5158b8ecap-28,
        0x1.b5253d395e7c4p-24, 0x1.62c0223a5c824p-20,
        0x1.ffcbfc588b0c7p-17, 0x1.430912f86c787p-13,
        0x1.5d87fe78a6731p-10, 0x1.3b2ab6fba4e77p-7,
        0x1.c6b08d704a0c0p-5,  0x1.ebfbdff82c58fp-3,
        0x1.62e42fefa39efp-1,  0x1p0,
    };
    wide sum = coefficients[0] + (wide){0};
    for (unsigned i = 1; i < sizeof coefficients / sizeof coefficients[0]; i++)
        sum = sum * r + coefficients[i];
    return sum;
}

/* Computes 2^x. bits is the result of preexp2, which is the integer 2^23 (x + 127). The result is 0
 * if bits is 0 or less. */
INLINE half_int two_to(half_int bits)
{
    const double root2 = 0x1.6a09e667f3bcdp0;
    half_int safe = bits & (bits > 0) & (bits < F32_INFINITE);
    wide fraction = __builtin_convertvector(safe & 0x7fffff, wide) * 0x1p-23;
    wide_int exponent = __builtin_convertvector((safe >> 23) + (1023 - 127), wide_int);
    wide scale = (wide)(exponent << 52);
    half_int value = narrowed(exp2_series(fraction - 0.5) * root2 * scale);
    value &= bits > 0;
    value = HALF_CHOOSE(bits == F32_INFINITE, HALF_SPLAT(F32_INFINITE), value);
    return HALF_CHOOSE(bits > F32_INFINITE, HALF_SPLAT(F32_NAN), value);
}

/* Computes log2(m) as (2 / ln 2) * artanh((m - 1) / (m + 1)). m is from sqrt(1/2) to sqrt(2). */
INLINE wide log2_series(wide m)
{
    static const double coefficients[] = {
        0x1.00ecd7e080215p-3, 0x1.1964ec6fc9491p-3, 0x1.3703c1f4d0ffep-3, 0x1.5b9ac9b743f0dp-3,
        0x1.89f3b1694cffep-3, 0x1.c68f568d31760p-3, 0x1.0c9a84994022dp-2, 0x1.484b13d7c02a9p-2,
        0x1.a61762a7aded9p-2, 0x1.2776c50ef9bfep-1, 0x1.ec709dc3a03fdp-1, 0x1.71547652b82fep+1,
    };
    wide s = (m - 1.0) / (m + 1.0), z = s * s;
    wide sum = coefficients[0] + (wide){0};
    for (unsigned i = 1; i < sizeof coefficients / sizeof coefficients[0]; i++)
        sum = sum * z + coefficients[i];
    return sum * s;
}

enum { LOG2_OF_ZERO = INT32_MIN }; /* the logarithm of every other number has different bits */

/* Computes the logarithm as the integer 2^23 (log2 x + 127), rounded to nearest. */
INLINE half_int logarithm(half_int bits)
{
    const wide_int fraction = (wide_int){0} + 0xfffffffffffff,
                   one = (wide_int){0} + (0x3ffLL << 52);
    half_int safe = HALF_CHOOSE((bits > 0) & (bits < F32_INFINITE), bits, HALF_SPLAT(F32_ONE));
    wide_int wide_bits = (wide_int)widened(safe);
    wide m = (wide)((wide_bits & fraction) | one);
    wide_int above = (wide_int)(m > 0x1.6a09e667f3bcdp0);
    m = CHOOSE_WIDE(above, m * 0.5, m);
    wide_int exponent = (wide_bits >> 52) - 1023 - above;
    wide units = (log2_series(m) * 0x1p23 + ROUNDER) - ROUNDER;
    half_int value = __builtin_convertvector(units, half_int) +
                     ((__builtin_convertvector(exponent, half_int) + 127) << 23);
    value = HALF_CHOOSE((bits & F32_MAGNITUDE) == 0, HALF_SPLAT(LOG2_OF_ZERO), value);
    value = HALF_CHOOSE(bits == F32_INFINITE, bits, value);
    half_int none = HALF_IS_NAN(bits) | ((bits < 0) & ((bits & F32_MAGNITUDE) != 0));
    return HALF_CHOOSE(none, HALF_SPLAT(F32_NAN), value);
}

/* Computes the integer 2^23 (x + 127), rounded to nearest. The result is limited to the range from
 * 0 to the integer for which 2^x is infinite. */
INLINE half_int before_exp2(half_int bits)
{
    wide x = widened(bits & ~HALF_IS_NAN(bits));
    x = CHOOSE_WIDE(x < -127.0, -127.0 + (wide){0}, x);
    x = CHOOSE_WIDE(x > 128.0, 128.0 + (wide){0}, x);
    wide units = (x * 0x1p23 + ROUNDER) - ROUNDER + 0x1.fcp29;
    half_int value = __builtin_convertvector(units, half_int);
    return HALF_CHOOSE(HALF_IS_NAN(bits), HALF_SPLAT(F32_NAN), value);
}

/* Converts a result of logarithm() to a float. */
INLINE half_int after_log2(half_int bits)
{
    wide value = (__builtin_convertvector(bits, wide) - 0x1.fcp29) * 0x1p-23;
    half_int number = narrowed(value);
    number = HALF_CHOOSE(bits == LOG2_OF_ZERO, HALF_SPLAT(0xff800000), number);
    number = HALF_CHOOSE(bits == F32_INFINITE, bits, number);
    return HALF_CHOOSE(bits > F32_INFINITE, HALF_SPLAT(F32_NAN), number);
}

FUNCTION(run_rsqrt, one_by_root)
FUNCTION(run_two_to, two_to)
FUNCTION(run_log2, logarithm)
FUNCTION(run_preexp2, before_exp2)
FUNCTION(run_postlog2, after_log2)

/* Computes 2^x and flushes the result, which is a denormal if x is less than -126. */
static void run_exp2(struct gp_machine *machine, const struct gp_step *step)
{
    part *to = gp_at(machine, step->to);
    run_two_to(machine, step);
    FOR_PARTS to[i] = flushed(to[i], machine->flush);
}

/* --- stores --- */

INLINE void store_lanes(const struct gp_machine *machine, part *to, const part *from)
{
    if (machine->alone) {
        FOR_PARTS to[i] = from[i];
        return;
    }
    gp_mask mask = machine->group->mask;
    FOR_PARTS to[i] = CHOOSE(spread(mask, i), from[i], to[i]);
}

static void run_store_register(struct gp_machine *machine, const struct gp_step *step)
{
    store_lanes(machine, gp_at(machine, step->to), gp_at(machine, step->a));
}

static void run_store_varying(struct gp_machine *machine, const struct gp_step *step)
{
    store_lanes(machine, gp_at(machine, step->to), gp_at(machine, step->a));
    machine->varyings_written[step->value][step->more] |= machine->group->mask;
}

/* --- branches and groups --- */

static gp_mask nonzero(const gp_lanes *value)
{
    const part *from = (const part *)value;
    gp_mask lanes = 0;
    FOR_PARTS lanes |= signs(~(part)IS_ZERO(from[i])) << (PART_BYTES / 4 * i);
    return lanes;
}

static void blend(gp_lanes *to, const gp_lanes *from, gp_mask lanes)
{
    part *old = (part *)to;
    const part *new = (const part *)from;
    FOR_PARTS old[i] = CHOOSE(spread(lanes, i), new[i], old[i]);
}

#define HANDLER_ROW(name) .name = run_##name,
#define GP_HANDLER_TABLE                                            \
    {                                                               \
        GP_HANDLERS(HANDLER_ROW).nonzero = nonzero, .blend = blend, \
    }
