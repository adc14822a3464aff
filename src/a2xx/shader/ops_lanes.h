/* SPDX-License-Identifier: MIT */
/* ops_lanes.h - the functions of struct a2xx_handlers for one width of host vectors.
 *
 * This file is a template. A source file defines PART_BYTES and includes the template once.
 * PART_BYTES is 16, which every host supports, or 32 in code for x86-64 with AVX2. The template
 * defines static functions and the initialiser A2XX_HANDLER_TABLE.
 *
 * Denormals are flushed in results only, not in intermediate sums and products.
 * Source:  docs/hardware/a2xx.md, sections 7 to 9, 12 and 27. */
#include <math.h>

#include "a2xx/shader/functions.h"
#include "a2xx/shader/ops.h"
#include "base/bits.h"
#include "base/f32_parts.h"
#include "isa/a2xx/a2xx_isa.h"

enum { PARTS = A2XX_LANES * 4 / PART_BYTES };
#define FOR_PARTS for (unsigned i = 0; i < PARTS; i++)

INLINE const part *parts(const struct a2xx_row *row)
{
    return (const part *)row->lane;
}

INLINE part *parts_to(struct a2xx_row *row)
{
    return (part *)row->lane;
}

/* --- moves --- */

static void run_operand(struct a2xx_row *to, const struct a2xx_row *from, uint32_t keep,
                        uint32_t sign)
{
    const part *value = parts(from);
    part *result = parts_to(to);
    FOR_PARTS result[i] = (flushed(value[i], F32_MAGNITUDE) & keep) ^ sign;
}

static void run_spread(struct a2xx_row *to, uint32_t bits)
{
    part *result = parts_to(to);
    FOR_PARTS result[i] = SPLAT(bits);
}

static void run_store(struct a2xx_row *to, const struct a2xx_row *from, a2xx_mask lanes)
{
    const part *value = parts(from);
    part *result = parts_to(to);
    if (lanes == A2XX_ALL_LANES)
        FOR_PARTS result[i] = value[i];
    else
        FOR_PARTS result[i] = CHOOSE(spread(lanes, i), value[i], result[i]);
}

/* Limits values to 0..1. NaN becomes 0. */
static void run_clamp(struct a2xx_row *to, const struct a2xx_row *from)
{
    const part *value = parts(from);
    part *result = parts_to(to);
    FOR_PARTS
    {
        part above = (part)(FLOAT(value[i]) > ZERO);
        part below = (part)(FLOAT(value[i]) < FLOAT(SPLAT(F32_ONE)));
        result[i] = above & CHOOSE(below, value[i], SPLAT(F32_ONE));
    }
}

/* --- arithmetic --- */

/* Multiplies two values. The product is +0 if a factor is 0. */
INLINE part product(part x, part y)
{
    part zero = (part)IS_ZERO(x) | (part)IS_ZERO(y);
    return (part)(FLOAT(x) * FLOAT(y)) & ~zero;
}

INLINE part sum(part x, part y)
{
    return (part)(FLOAT(x) + FLOAT(y));
}

INLINE part multiply_add(part x, part y, part z, bool fused)
{
    part result;
    if (!fused)
        return sum(product(x, y), z);
    for (unsigned i = 0; i < PART_BYTES / 4; i++) {
        float a = bits_float(x[i]), b = bits_float(y[i]), c = bits_float(z[i]);
        result[i] = float_bits(a == 0 || b == 0 ? 0.0f + c : fmaf(a, b, c));
    }
    return result;
}

INLINE part greatest(part x, part y)
{
    return CHOOSE(FLOAT(x) >= FLOAT(y), x, y);
}

INLINE part least(part x, part y)
{
    return CHOOSE(FLOAT(x) < FLOAT(y), x, y);
}

/* --- vector operations --- */

/* Defines a vector operation that computes each component separately. expression computes the
 * result from x, y and z, the components of the operands. */
#define COMPONENTS(name, sources, expression)                                  \
    static void name(struct a2xx_values *values)                               \
    {                                                                          \
        const uint32_t flush = values->flush;                                  \
        for (unsigned c = 0; c < 4; c++) {                                     \
            if (!(values->needed >> c & 1))                                    \
                continue;                                                      \
            const part *s1 = parts(values->source[0][c]);                      \
            const part *s2 = (sources) > 1 ? parts(values->source[1][c]) : s1; \
            const part *s3 = (sources) > 2 ? parts(values->source[2][c]) : s1; \
            part *result = parts_to(&values->made[c]);                         \
            FOR_PARTS                                                          \
            {                                                                  \
                part x = s1[i], y = s2[i], z = s3[i];                          \
                (void)y, (void)z;                                              \
                result[i] = finished((part)(expression), flush);               \
            }                                                                  \
        }                                                                      \
    }

COMPONENTS(vector_add, 2, sum(x, y))
COMPONENTS(vector_mul, 2, product(x, y))
COMPONENTS(vector_max, 2, greatest(x, y))
COMPONENTS(vector_min, 2, least(x, y))
COMPONENTS(vector_sete, 2, TRUTH(FLOAT(x) == FLOAT(y)))
COMPONENTS(vector_setgt, 2, TRUTH(FLOAT(x) > FLOAT(y)))
COMPONENTS(vector_setgte, 2, TRUTH(FLOAT(x) >= FLOAT(y)))
COMPONENTS(vector_setne, 2, TRUTH(FLOAT(x) != FLOAT(y)))
COMPONENTS(vector_frac, 1, FLOAT(x) - FLOAT(rounded_down(x)))
COMPONENTS(vector_trunc, 1, truncated(x))
COMPONENTS(vector_floor, 1, rounded_down(x))
COMPONENTS(vector_muladd_apart, 3, multiply_add(x, y, z, false))
COMPONENTS(vector_muladd_fused, 3, multiply_add(x, y, z, true))
COMPONENTS(vector_cnde, 3, CHOOSE(FLOAT(x) == ZERO, y, z))
COMPONENTS(vector_cndgte, 3, CHOOSE(FLOAT(x) >= ZERO, y, z))
COMPONENTS(vector_cndgt, 3, CHOOSE(FLOAT(x) > ZERO, y, z))

static void vector_muladd(struct a2xx_values *values)
{
    if (values->fused)
        vector_muladd_fused(values);
    else
        vector_muladd_apart(values);
}

/* Part i of component c of operand k. */
#define S(k, c) parts(values->source[(k)-1][c])[i]

/* Computes a dot product. The sum starts with +0. The products are added in the order of the
 * components. */
INLINE void dot(struct a2xx_values *values, unsigned components, bool fused, bool add)
{
    part *result = parts_to(&values->made[0]);
    FOR_PARTS
    {
        part total = SPLAT(0);
        for (unsigned c = 0; c < components; c++)
            total = multiply_add(S(1, c), S(2, c), total, fused);
        if (add)
            total = sum(total, S(3, 0));
        result[i] = finished(total, values->flush);
    }
}

#define DOT(name, components, add)               \
    static void name(struct a2xx_values *values) \
    {                                            \
        if (values->fused)                       \
            dot(values, components, true, add);  \
        else                                     \
            dot(values, components, false, add); \
    }

DOT(vector_dot4, 4, false)
DOT(vector_dot3, 3, false)
DOT(vector_dot2add, 2, true)

/* Computes CUBEv. Operand 1 is v.zzxy for a vector v. */
static void vector_cube(struct a2xx_values *values)
{
    part *tc = parts_to(&values->made[0]), *sc = parts_to(&values->made[1]);
    part *axis = parts_to(&values->made[2]), *face = parts_to(&values->made[3]);
    FOR_PARTS
    {
        part x = S(1, 2), y = S(1, 3), z = S(1, 0);
        part_float ax = FLOAT(x & F32_MAGNITUDE), ay = FLOAT(y & F32_MAGNITUDE),
                   az = FLOAT(z & F32_MAGNITUDE);
        part is_z = (part)(az >= ax) & (part)(az >= ay), is_y = ~is_z & (part)(ay >= ax);
        part major = CHOOSE(is_z, z, CHOOSE(is_y, y, x)), negative = (part)(FLOAT(major) < ZERO);
        part first = CHOOSE(is_z, SPLAT(float_bits(4)), (part){0});
        first = CHOOSE(is_y, SPLAT(float_bits(2)), first);
        part t = CHOOSE(is_y, CHOOSE(negative, z ^ SIGN_BIT, z), y ^ SIGN_BIT);
        part s = CHOOSE(is_z, CHOOSE(negative, x ^ SIGN_BIT, x),
                        CHOOSE(is_y, x, CHOOSE(negative, z, z ^ SIGN_BIT)));
        tc[i] = finished(t, values->flush);
        sc[i] = finished(s, values->flush);
        axis[i] = finished(sum(major, major), values->flush);
        face[i] = (part)(FLOAT(first) + FLOAT(TRUTH(negative)));
    }
}

/* Computes MAX4v. The components are compared in the order x, y, z, w, which matters for equal
 * components and for NaN. */
static void vector_max4(struct a2xx_values *values)
{
    part *result = parts_to(&values->made[0]);
    FOR_PARTS
    {
        part_float x = FLOAT(S(1, 0)), y = FLOAT(S(1, 1)), z = FLOAT(S(1, 2)), w = FLOAT(S(1, 3));
        part is_x = (part)(x >= y) & (part)(x >= z) & (part)(x >= w);
        part is_y = (part)(y >= z) & (part)(y >= w);
        part last = CHOOSE(z >= w, (part)z, (part)w);
        result[i] = finished(CHOOSE(is_x, (part)x, CHOOSE(is_y, (part)y, last)), values->flush);
    }
}

#define PUSH(name, compare)                                                              \
    static void name(struct a2xx_values *values)                                         \
    {                                                                                    \
        part *result = parts_to(&values->made[0]);                                       \
        values->truth = 0;                                                               \
        FOR_PARTS                                                                        \
        {                                                                                \
            part truth = (part)IS_ZERO(S(1, 3)) & (part)(FLOAT(S(2, 3)) compare ZERO);   \
            part active = (part)IS_ZERO(S(1, 0)) & (part)(FLOAT(S(2, 0)) compare ZERO);  \
            values->truth |= (a2xx_mask)signs(truth) << (PART_BYTES / 4 * i);            \
            result[i] = finished(sum(S(1, 0), SPLAT(F32_ONE)) & ~active, values->flush); \
        }                                                                                \
    }

PUSH(vector_pred_sete_push, ==)
PUSH(vector_pred_setne_push, !=)
PUSH(vector_pred_setgt_push, >)
PUSH(vector_pred_setgte_push, >=)

#define KILL(name, compare)                                                 \
    static void name(struct a2xx_values *values)                            \
    {                                                                       \
        part *result = parts_to(&values->made[0]);                          \
        values->truth = 0;                                                  \
        FOR_PARTS                                                           \
        {                                                                   \
            part any = SPLAT(0);                                            \
            for (unsigned c = 0; c < 4; c++)                                \
                any |= (part)(FLOAT(S(1, c)) compare FLOAT(S(2, c)));       \
            values->truth |= (a2xx_mask)signs(any) << (PART_BYTES / 4 * i); \
            result[i] = TRUTH(any);                                         \
        }                                                                   \
    }

KILL(vector_kille, ==)
KILL(vector_killgt, >)
KILL(vector_killgte, >=)
KILL(vector_killne, !=)

#define DST(c, expression)                                         \
    if (values->needed >> (c)&1) {                                 \
        part *result = parts_to(&values->made[c]);                 \
        FOR_PARTS result[i] = finished(expression, values->flush); \
    }

static void vector_dst(struct a2xx_values *values)
{
    DST(0, SPLAT(F32_ONE))
    DST(1, product(S(1, 1), S(2, 1)))
    DST(2, S(1, 2))
    DST(3, S(2, 3))
}

/* --- scalar operations --- */

/* Defines a scalar operation. expression computes the result from the operands a (as x) and b (as
 * y), and from the previous scalar result p. */
#define SCALAR(name, sources, expression)                            \
    static void name(struct a2xx_values *values)                     \
    {                                                                \
        part *result = parts_to(&values->ps);                        \
        const part *a = (sources) > 0 ? parts(values->a) : result;   \
        const part *b = (sources) > 1 ? parts(values->b) : a;        \
        FOR_PARTS                                                    \
        {                                                            \
            part x = a[i], y = b[i], p = result[i];                  \
            (void)y, (void)p;                                        \
            result[i] = finished((part)(expression), values->flush); \
        }                                                            \
    }

/* Defines a scalar operation that also sets a condition. */
#define SCALAR_TRUTH(name, condition, expression)                             \
    static void name(struct a2xx_values *values)                              \
    {                                                                         \
        part *result = parts_to(&values->ps);                                 \
        const part *a = parts(values->a);                                     \
        values->truth = 0;                                                    \
        FOR_PARTS                                                             \
        {                                                                     \
            part x = a[i], truth = (part)(condition);                         \
            values->truth |= (a2xx_mask)signs(truth) << (PART_BYTES / 4 * i); \
            result[i] = finished((part)(expression), values->flush);          \
        }                                                                     \
    }

/* Defines a scalar operation that is computed separately for each lane. expression computes the
 * result from the float x. */
#define SCALAR_EACH(name, expression)                             \
    static void name(struct a2xx_values *values)                  \
    {                                                             \
        FOR_LANES(lane, values->lanes)                            \
        {                                                         \
            float x = bits_float(values->a->lane[lane]);          \
            values->ps.lane[lane] = float_bits(expression);       \
        }                                                         \
        part *result = parts_to(&values->ps);                     \
        FOR_PARTS result[i] = finished(result[i], values->flush); \
    }

/* Replaces an infinity by the number that has its sign and the magnitude `instead`, which is the
 * largest finite magnitude or 0. */
INLINE part without_infinity(part x, uint32_t instead)
{
    return CHOOSE((x & F32_MAGNITUDE) == F32_INFINITE, (x & SIGN_BIT) | instead, x);
}

INLINE part is_finite(part x)
{
    return (part)((x & F32_INFINITE) != F32_INFINITE);
}

INLINE part lit_product(part x, part y, part p)
{
    part least_of_all = SPLAT(F32_LARGEST | SIGN_BIT);
    part good = (part)(p != least_of_all) & is_finite(p) & is_finite(y) & (part)(FLOAT(y) > ZERO);
    return CHOOSE(good, product(x, flushed(p, F32_MAGNITUDE)), least_of_all);
}

#define ONE       SPLAT(F32_ONE)
#define ONE_BY(x) ((part)((part_float)ONE / FLOAT(x)))

SCALAR(scalar_add, 2, sum(x, y))
SCALAR(scalar_add_prev, 1, sum(x, flushed(p, F32_MAGNITUDE)))
SCALAR(scalar_mul, 2, product(x, y))
SCALAR(scalar_mul_prev, 1, product(x, flushed(p, F32_MAGNITUDE)))
SCALAR(scalar_mul_prev2, 2, lit_product(x, y, p))
SCALAR(scalar_max, 2, greatest(x, y))
SCALAR(scalar_min, 2, least(x, y))
SCALAR(scalar_sete, 1, TRUTH(FLOAT(x) == ZERO))
SCALAR(scalar_setgt, 1, TRUTH(FLOAT(x) > ZERO))
SCALAR(scalar_setgte, 1, TRUTH(FLOAT(x) >= ZERO))
SCALAR(scalar_setne, 1, TRUTH(FLOAT(x) != ZERO))
SCALAR(scalar_frac, 1, FLOAT(x) - FLOAT(rounded_down(x)))
SCALAR(scalar_trunc, 1, truncated(x))
SCALAR(scalar_floor, 1, rounded_down(x))
SCALAR(scalar_recip_clamp, 1, without_infinity(ONE_BY(x), F32_LARGEST))
SCALAR(scalar_recip_ff, 1, without_infinity(ONE_BY(x), 0))
SCALAR(scalar_recip, 1, ONE_BY(x))
SCALAR(scalar_sub, 2, FLOAT(x) - FLOAT(y))
SCALAR(scalar_sub_prev, 1, FLOAT(x) - FLOAT(flushed(p, F32_MAGNITUDE)))

SCALAR_EACH(scalar_exp, a2xx_exp2(x))
SCALAR_EACH(scalar_log, a2xx_log2(x))
SCALAR_EACH(scalar_sqrt, sqrtf(x))
SCALAR_EACH(scalar_sin, a2xx_sin(x))
SCALAR_EACH(scalar_cos, a2xx_cos(x))

/* Half as many lanes as in a part, as floats and as doubles. */
typedef float few_floats __attribute__((vector_size(PART_BYTES / 2)));
typedef double few_doubles __attribute__((vector_size(PART_BYTES)));
typedef int64_t few_integers __attribute__((vector_size(PART_BYTES)));
enum { FEW = PART_BYTES / 8 };

INLINE few_doubles square_root(few_doubles x)
{
#if defined __x86_64__ && PART_BYTES == 32
    return (few_doubles)_mm256_sqrt_pd((__m256d)x);
#elif defined __x86_64__
    return (few_doubles)_mm_sqrt_pd((__m128d)x);
#else
    for (unsigned i = 0; i < FEW; i++)
        x[i] = sqrt(x[i]);
    return x;
#endif
}

/* Computes 1 / sqrt(x) in doubles, which have the same values as in a2xx_rsqrt(). Lanes that are
 * too close to the middle between two floats are computed again by a2xx_rsqrt(). No result is a
 * denormal. */
static void scalar_recipsq(struct a2xx_values *values)
{
    const few_integers lost = (few_integers){0} + ((1 << A2XX_LOST_BITS) - 1);
    const int middle = 1 << (A2XX_LOST_BITS - 1), near = A2XX_DOUBTFUL;
    for (unsigned first = 0; first < A2XX_LANES; first += FEW) {
        few_floats x, result;
        memcpy(&x, &values->a->lane[first], sizeof x);
        few_doubles value = 1.0 / square_root(__builtin_convertvector(x, few_doubles));
        few_integers away = ((few_integers)value & lost) - middle;
        few_integers doubtful = (away >= -near) & (away <= near);
        result = __builtin_convertvector(value, few_floats);
        memcpy(&values->ps.lane[first], &result, sizeof result);
        for (unsigned i = 0; i < FEW; i++)
            if (doubtful[i])
                values->ps.lane[first + i] = float_bits(
                    a2xx_rsqrt(bits_float(values->a->lane[first + i])));
    }
    part *result = parts_to(&values->ps);
    FOR_PARTS result[i] = finished(result[i], values->flush);
}

static void replace_infinities(struct a2xx_values *values, uint32_t instead)
{
    part *result = parts_to(&values->ps);
    FOR_PARTS result[i] = without_infinity(result[i], instead);
}

/* Computes LOG_CLAMP, in which only minus infinity is replaced, by the lowest finite number. */
static void scalar_log_clamp(struct a2xx_values *values)
{
    part *result = parts_to(&values->ps);
    scalar_log(values);
    FOR_PARTS result[i] = CHOOSE(result[i] == (F32_INFINITE | SIGN_BIT),
                                 SPLAT(F32_LARGEST | SIGN_BIT), result[i]);
}

static void scalar_recipsq_clamp(struct a2xx_values *values)
{
    scalar_recipsq(values);
    replace_infinities(values, F32_LARGEST);
}

static void scalar_recipsq_ff(struct a2xx_values *values)
{
    scalar_recipsq(values);
    replace_infinities(values, 0);
}

SCALAR_TRUTH(scalar_pred_sete, FLOAT(x) == ZERO, ~truth &F32_ONE)
SCALAR_TRUTH(scalar_pred_setne, FLOAT(x) != ZERO, ~truth &F32_ONE)
SCALAR_TRUTH(scalar_pred_setgt, FLOAT(x) > ZERO, ~truth &F32_ONE)
SCALAR_TRUTH(scalar_pred_setgte, FLOAT(x) >= ZERO, ~truth &F32_ONE)
SCALAR_TRUTH(scalar_pred_set_inv, x == F32_ONE, ~truth &CHOOSE(FLOAT(x) == ZERO, SPLAT(F32_ONE), x))
SCALAR_TRUTH(scalar_pred_set_pop, FLOAT(x) - FLOAT(ONE) <= ZERO,
             ~truth &(part)(FLOAT(x) - FLOAT(ONE)))
SCALAR_TRUTH(scalar_pred_set_restore, FLOAT(x) == ZERO, ~truth &x)
SCALAR_TRUTH(scalar_kille, FLOAT(x) == ZERO, TRUTH(truth))
SCALAR_TRUTH(scalar_killgt, FLOAT(x) > ZERO, TRUTH(truth))
SCALAR_TRUTH(scalar_killgte, FLOAT(x) >= ZERO, TRUTH(truth))
SCALAR_TRUTH(scalar_killne, FLOAT(x) != ZERO, TRUTH(truth))
SCALAR_TRUTH(scalar_killone, x == F32_ONE, TRUTH(truth))

static void scalar_pred_set_clr(struct a2xx_values *values)
{
    run_spread(&values->ps, F32_LARGEST);
    values->truth = 0;
}

static void scalar_retain_prev(struct a2xx_values *values)
{
    (void)values;
}

#define V(NAME, function) [A2XX_V_##NAME] = vector_##function
#define N(NAME, function) [A2XX_S_##NAME] = scalar_##function
/* clang-format off */
#define A2XX_HANDLER_TABLE {                                                                     \
    .vector = {                                                                                  \
        V(ADD, add), V(MUL, mul), V(MAX, max), V(MIN, min), V(SETE, sete), V(SETGT, setgt),      \
        V(SETGTE, setgte), V(SETNE, setne), V(FRAC, frac), V(TRUNC, trunc), V(FLOOR, floor),     \
        V(MULADD, muladd), V(CNDE, cnde), V(CNDGTE, cndgte), V(CNDGT, cndgt), V(DOT4, dot4),     \
        V(DOT3, dot3), V(DOT2ADD, dot2add), V(CUBE, cube), V(MAX4, max4),                        \
        V(PRED_SETE_PUSH, pred_sete_push), V(PRED_SETNE_PUSH, pred_setne_push),                  \
        V(PRED_SETGT_PUSH, pred_setgt_push), V(PRED_SETGTE_PUSH, pred_setgte_push),              \
        V(KILLE, kille), V(KILLGT, killgt), V(KILLGTE, killgte), V(KILLNE, killne), V(DST, dst), \
        V(MOVA, max),                                                                            \
    },                                                                                           \
    .scalar = {                                                                                  \
        N(ADD, add), N(ADD_PREV, add_prev), N(MUL, mul), N(MUL_PREV, mul_prev),                  \
        N(MUL_PREV2, mul_prev2), N(MAX, max), N(MIN, min), N(SETE, sete), N(SETGT, setgt),       \
        N(SETGTE, setgte), N(SETNE, setne), N(FRAC, frac), N(TRUNC, trunc), N(FLOOR, floor),     \
        N(EXP_IEEE, exp), N(LOG_CLAMP, log_clamp), N(LOG_IEEE, log),                             \
        N(RECIP_CLAMP, recip_clamp), N(RECIP_FF, recip_ff), N(RECIP_IEEE, recip),                \
        N(RECIPSQ_CLAMP, recipsq_clamp), N(RECIPSQ_FF, recipsq_ff), N(RECIPSQ_IEEE, recipsq),    \
        N(MOVA, max), N(MOVA_FLOOR, max), N(SUB, sub), N(SUB_PREV, sub_prev),                    \
        N(PRED_SETE, pred_sete), N(PRED_SETNE, pred_setne), N(PRED_SETGT, pred_setgt),           \
        N(PRED_SETGTE, pred_setgte), N(PRED_SET_INV, pred_set_inv),                              \
        N(PRED_SET_POP, pred_set_pop), N(PRED_SET_CLR, pred_set_clr),                            \
        N(PRED_SET_RESTORE, pred_set_restore), N(KILLE, kille), N(KILLGT, killgt),               \
        N(KILLGTE, killgte), N(KILLNE, killne), N(KILLONE, killone), N(SQRT_IEEE, sqrt),         \
        N(MUL_CONST_0, mul), N(MUL_CONST_1, mul), N(ADD_CONST_0, add), N(ADD_CONST_1, add),      \
        N(SUB_CONST_0, sub), N(SUB_CONST_1, sub), N(SIN, sin), N(COS, cos),                      \
        N(RETAIN_PREV, retain_prev),                                                             \
    },                                                                                           \
    .operand = run_operand, .spread = run_spread, .store = run_store, .clamp = run_clamp,        \
}
/* clang-format on */
