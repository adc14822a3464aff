/* SPDX-License-Identifier: MIT */
/* alu_lanes.h - the operations of alu.h on 16 elements, as inline functions for one width of host
 * vectors.
 *
 * The including file defines PART_BYTES first: 16, which every host supports, or 32 in code for
 * x86-64 with AVX2. The results are bit-identical to those of the reference in alu.c. For float
 * operations, the host's floating-point unit must be in QPU mode (fpmode.h).
 * Source: as in alu.c. */
#ifndef VC4_QPU_ALU_LANES_H
#define VC4_QPU_ALU_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/f32_parts.h"
#include "isa/qpu/qpu_isa.h"
#include "vc4/qpu/alu_op.h"
#include "vc4/qpu/fpmode.h"

enum { PARTS = LANES * 4 / PART_BYTES, PART_LANES = PART_BYTES / 4 };
typedef uint8_t part_bytes __attribute__((vector_size(PART_BYTES), may_alias));
typedef uint16_t part_halves __attribute__((vector_size(PART_BYTES), may_alias));

#define FOR_PARTS          _Pragma("GCC unroll 4") for (unsigned i = 0; i < PARTS; i++)

#define LANE_PART(pointer) (((const part *)(pointer))[i])

#define NOINLINE           static __attribute__((noinline, unused))

/* --- masks and moves --- */

/* Returns the mask of the elements for which the comparison is true. The comparison is evaluated
 * for each part i of the vector. */
#define RETURN_MASK(comparison)                                      \
    unsigned mask = 0;                                               \
    FOR_PARTS mask |= signs((part)(comparison)) << (PART_LANES * i); \
    return (lane_mask)mask

INLINE lane_mask lanes_negative(const lanes *value)
{
    RETURN_MASK(LANE_PART(value));
}

INLINE lane_mask lanes_zero(const lanes *value)
{
    RETURN_MASK(LANE_PART(value) == 0);
}

INLINE void lanes_copy(lanes *to, const lanes *from)
{
    FOR_PARTS((part *)to)[i] = LANE_PART(from);
}

INLINE void lanes_splat(lanes *to, uint32_t value)
{
    FOR_PARTS((part *)to)[i] = value + (part){0};
}

INLINE void lanes_select(lanes *to, const lanes *from, lane_mask mask)
{
    FOR_PARTS((part *)to)[i] = CHOOSE(spread(mask, i), LANE_PART(from), LANE_PART(to));
}

/* --- operations --- */

/* Defines part_name(), which computes one part from an expression of the parts x and y, and
 * lanes_name(), which computes all elements. part_name() does not correct results that are extreme
 * (IS_EXTREME()). extremes_of_name is true for operations that can have such results. */
#define LANES_OP(name, expression)                                              \
    enum { extremes_of_##name = false };                                        \
    INLINE part part_##name(part x, part y)                                     \
    {                                                                           \
        (void)y;                                                                \
        return (part)(expression);                                              \
    }                                                                           \
    INLINE void lanes_##name(lanes *result, const lanes *a, const lanes *b)     \
    {                                                                           \
        FOR_PARTS((part *)result)[i] = part_##name(LANE_PART(a), LANE_PART(b)); \
    }

/* Maps the bits of floats (sign and magnitude) to integers with the same order. */
#define ORDERED(x) \
    ((part_int)(((x)&F32_MAGNITUDE) ^ (part)((part_int)(x) >> 31)) - ((part_int)(x) >> 31))
#define GREATER(x, y)           ((part_int)(x) > (part_int)(y))
#define GREATER_MAGNITUDE(x, y) GREATER((x)&F32_MAGNITUDE, (y)&F32_MAGNITUDE)

LANES_OP(none, x & 0)
LANES_OP(fmin, CHOOSE(ORDERED(x) > ORDERED(y), y, x))
LANES_OP(fmax, CHOOSE(ORDERED(x) > ORDERED(y), x, y))
LANES_OP(fminabs, CHOOSE(GREATER_MAGNITUDE(x, y), y, x) & F32_MAGNITUDE)
LANES_OP(fmaxabs, CHOOSE(GREATER_MAGNITUDE(x, y), x, y) & F32_MAGNITUDE)
LANES_OP(add, x + y)
LANES_OP(sub, x - y)
LANES_OP(shr, x >> (y & 31))
LANES_OP(asr, (part_int)x >> (part_int)(y & 31))
LANES_OP(ror, x >> (y & 31) | x << (-y & 31))
LANES_OP(shl, x << (y & 31))
LANES_OP(min, CHOOSE(GREATER(x, y), y, x))
LANES_OP(max, CHOOSE(GREATER(x, y), x, y))
LANES_OP(and, x &y)
LANES_OP(or, x | y)
LANES_OP(xor, x ^ y)
LANES_OP(not, ~x)
LANES_OP(mul24, (x & 0xffffff) * (y & 0xffffff))

#define BYTES_OF(x) ((part_bytes)(x))
LANES_OP(v8adds,
         (BYTES_OF(x) + BYTES_OF(y)) | (part_bytes)((BYTES_OF(x) + BYTES_OF(y)) < BYTES_OF(x)))
LANES_OP(v8subs, (BYTES_OF(x) - BYTES_OF(y)) & (part_bytes)(BYTES_OF(x) > BYTES_OF(y)))
LANES_OP(v8min, CHOOSE(BYTES_OF(x) < BYTES_OF(y), x, y))
LANES_OP(v8max, CHOOSE(BYTES_OF(x) > BYTES_OF(y), x, y))

/* Returns (x * y + 127) / 255 for the low byte of each 16-bit half. For every t below
 * 65535, t / 255 equals (t + 1 + t / 256) / 256. */
INLINE part multiply_bytes(part x, part y)
{
    part_halves t = (part_halves)(x & 0xff00ff) * (part_halves)(y & 0xff00ff) + 127;
    return (part)((t + 1 + (t >> 8)) >> 8);
}
LANES_OP(v8muld, multiply_bytes(x, y) | multiply_bytes(x >> 8, y >> 8) << 8)

/* Calls the one-element reference for each element. */
INLINE void by_element(alu_element *element, lanes *result, const lanes *a, const lanes *b)
{
    for (unsigned i = 0; i < LANES; i++)
        (*result)[i] = element((*a)[i], (*b)[i]).value;
}

#define LANES_BY_ELEMENT(name, element)                             \
    INLINE void name(lanes *result, const lanes *a, const lanes *b) \
    {                                                               \
        by_element(element, result, a, b);                          \
    }

#define ADD_ELEMENT(NAME) (alu_add_ops[QPU_ADD_##NAME].element)
#define MUL_ELEMENT(NAME) (alu_mul_ops[QPU_MUL_##NAME].element)

LANES_BY_ELEMENT(lanes_clz, ADD_ELEMENT(CLZ))

/* The sign bit of the result is 1 for elements whose magnitude is at least FLT_MAX: for exactly
 * these magnitudes, the addition carries into the sign bit. */
#define IS_EXTREME(x) (((x) + ((uint32_t)F32_SIGN - F32_LARGEST)) ^ (x))

#ifdef TESS_SOFT_FLOAT

LANES_BY_ELEMENT(lanes_fadd, ADD_ELEMENT(FADD))
LANES_BY_ELEMENT(lanes_fsub, ADD_ELEMENT(FSUB))
LANES_BY_ELEMENT(lanes_fmul, MUL_ELEMENT(FMUL))
LANES_BY_ELEMENT(lanes_itof, ADD_ELEMENT(ITOF))
LANES_BY_ELEMENT(lanes_ftoi, ADD_ELEMENT(FTOI))

#else

#define IS_INFINITE(x) (((x)&F32_INFINITE) == F32_INFINITE)
#define IS_TINY(x)     (((x)&F32_INFINITE) == 0)
#define INFINITY_OF(x) (((x) & (uint32_t)F32_SIGN) | F32_INFINITE)

/* Recomputes each element whose magnitude is FLT_MAX, with the reference operation. Rounding toward
 * zero may have turned an overflow into FLT_MAX there. */
NOINLINE void repair_largest(alu_element *element, lanes *value, const lanes *a, const lanes *b)
{
    for (unsigned i = 0; i < LANES; i++)
        if (((*value)[i] & F32_MAGNITUDE) == F32_LARGEST)
            (*value)[i] = element((*a)[i], (*b)[i]).value;
}

/* Corrects sums that have an infinite operand: the sum is infinity, with the sign of b if b is
 * infinite, otherwise with the sign of a. flip is XORed into b first. */
NOINLINE void repair_sum(lanes *value, const lanes *a, const lanes *b, uint32_t flip)
{
    lanes flipped = *b ^ flip;
    for (unsigned i = 0; i < PARTS; i++) {
        part x = LANE_PART(a), y = LANE_PART(&flipped), *v = (part *)value + i;
        *v = CHOOSE(IS_INFINITE(x), INFINITY_OF(x), *v);
        *v = CHOOSE(IS_INFINITE(y), INFINITY_OF(y), *v);
    }
    repair_largest(ADD_ELEMENT(FADD), value, a, &flipped);
}

/* Corrects products that have an infinite operand: the product is infinity, or 0 if the other
 * operand is 0 or a denormal. flip is not used. */
NOINLINE void repair_product(lanes *value, const lanes *a, const lanes *b, uint32_t flip)
{
    (void)flip;
    for (unsigned i = 0; i < PARTS; i++) {
        part x = LANE_PART(a), y = LANE_PART(b), *v = (part *)value + i;
        *v = CHOOSE(IS_INFINITE(x) | IS_INFINITE(y), INFINITY_OF(x ^ y), *v);
        *v &= ~(part)(IS_TINY(x) | IS_TINY(y));
    }
    repair_largest(MUL_ELEMENT(FMUL), value, a, b);
}

/* Defines a float operation for a host in QPU mode. The addition of +0.0 turns -0 into +0. If a
 * result is FLT_MAX, infinite or NaN, name_slow() computes all elements again and `repair` corrects
 * them; flip is the last argument of `repair`. name_slow() is a function of its own, so that name()
 * needs no stack. result may alias an operand, because result is written last. */
#define LANES_FLOAT(name, operator, repair, flip)                               \
    enum { extremes_of_##name = true };                                         \
    INLINE part part_##name(part x, part y)                                     \
    {                                                                           \
        return (part)(((part_float)x operator(part_float) y) + 0.0f);           \
    }                                                                           \
    NOINLINE void name##_slow(lanes *result, const lanes *a, const lanes *b)    \
    {                                                                           \
        lanes value;                                                            \
        FOR_PARTS((part *)&value)[i] = part_##name(LANE_PART(a), LANE_PART(b)); \
        repair(&value, a, b, (uint32_t)(flip));                                 \
        lanes_copy(result, &value);                                             \
    }                                                                           \
    INLINE void lanes_##name(lanes *result, const lanes *a, const lanes *b)     \
    {                                                                           \
        part value[PARTS], extreme = {0};                                       \
        FOR_PARTS                                                               \
        {                                                                       \
            value[i] = part_##name(LANE_PART(a), LANE_PART(b));                 \
            extreme |= IS_EXTREME(value[i]);                                    \
        }                                                                       \
        if (__builtin_expect(signs(extreme) != 0, 0)) {                         \
            name##_slow(result, a, b);                                          \
            return;                                                             \
        }                                                                       \
        FOR_PARTS((part *)result)[i] = value[i];                                \
    }

LANES_FLOAT(fadd, +, repair_sum, 0)
LANES_FLOAT(fsub, -, repair_sum, F32_SIGN)
LANES_FLOAT(fmul, *, repair_product, 0)

LANES_OP(itof, __builtin_convertvector((part_int)x, part_float))

/* Converts floats to integers with the host's conversion, which is correct for magnitudes below
 * 2^31. If any magnitude is larger, the reference converts all elements. */
INLINE void lanes_ftoi(lanes *result, const lanes *a, const lanes *b)
{
    enum { TWO_TO_31 = 0x4f000000 };
    part large = {0};
    FOR_PARTS large |= (part)GREATER(LANE_PART(a) & F32_MAGNITUDE, TWO_TO_31 - 1 + (part){0});
    if (__builtin_expect(signs(large) != 0, 0)) {
        by_element(ADD_ELEMENT(FTOI), result, a, b);
        return;
    }
    FOR_PARTS((part *)result)
    [i] = (part) __builtin_convertvector(((const part_float *)a)[i], part_int);
}

#endif

/* --- carries --- */

/* Defines a function that returns C flags. In the comparison, X and Y are parts of the operands a
 * and b, and R is the same part of the result. */
#define CARRY(name, comparison)                                                \
    INLINE lane_mask name(const lanes *a, const lanes *b, const lanes *result) \
    {                                                                          \
        (void)a, (void)b, (void)result;                                        \
        RETURN_MASK(comparison);                                               \
    }
#define X LANE_PART(a)
#define Y LANE_PART(b)
#define R LANE_PART(result)

/* True in elements where the last bit that a shift of x right by count moves out is 1. */
#define LAST_OUT(x, count) ((((x) >> (((count)-1) & 31) & 1) != 0) & (((count)&31) != 0))

CARRY(carry_positive, (part_int)R > 0)
CARRY(carry_float_greater, ORDERED(X) > ORDERED(Y))
CARRY(carry_magnitude_greater, GREATER_MAGNITUDE(X, Y))
CARRY(carry_add, R < X)
CARRY(carry_sub, X < Y)
CARRY(carry_greater, GREATER(X, Y))
CARRY(carry_shr, LAST_OUT(X, Y))
CARRY(carry_asr, LAST_OUT(X, Y))
CARRY(carry_shl, ((X >> (-Y & 31) & 1) != 0) & ((Y & 31) != 0))

INLINE lane_mask carry_mul24(const lanes *a, const lanes *b, const lanes *result)
{
    (void)result;
    unsigned carry = 0;
    for (unsigned i = 0; i < LANES; i++)
        carry |= (unsigned)MUL_ELEMENT(MUL24)((*a)[i], (*b)[i]).carry << i;
    return (lane_mask)carry;
}

INLINE lane_mask carry_none(const lanes *a, const lanes *b, const lanes *result)
{
    (void)a, (void)b, (void)result;
    return 0;
}

/* --- the operations by opcode --- */

/* Expand ROW(NAME, operation, carry) once for each defined opcode except nop. */
#define LANES_ADD_OPS(ROW)                         \
    ROW(FADD, fadd, carry_positive)                \
    ROW(FSUB, fsub, carry_positive)                \
    ROW(FMIN, fmin, carry_float_greater)           \
    ROW(FMAX, fmax, carry_float_greater)           \
    ROW(FMINABS, fminabs, carry_magnitude_greater) \
    ROW(FMAXABS, fmaxabs, carry_magnitude_greater) \
    ROW(FTOI, ftoi, carry_none)                    \
    ROW(ITOF, itof, carry_positive)                \
    ROW(ADD, add, carry_add)                       \
    ROW(SUB, sub, carry_sub)                       \
    ROW(SHR, shr, carry_shr)                       \
    ROW(ASR, asr, carry_asr)                       \
    ROW(ROR, ror, carry_none)                      \
    ROW(SHL, shl, carry_shl)                       \
    ROW(MIN, min, carry_greater)                   \
    ROW(MAX, max, carry_greater)                   \
    ROW(AND, and, carry_none)                      \
    ROW(OR, or, carry_none)                        \
    ROW(XOR, xor, carry_none)                      \
    ROW(NOT, not, carry_none)                      \
    ROW(CLZ, clz, carry_none)                      \
    ROW(V8ADDS, v8adds, carry_none)                \
    ROW(V8SUBS, v8subs, carry_none)

#define LANES_MUL_OPS(ROW)          \
    ROW(FMUL, fmul, carry_none)     \
    ROW(MUL24, mul24, carry_mul24)  \
    ROW(V8MULD, v8muld, carry_none) \
    ROW(V8MIN, v8min, carry_none)   \
    ROW(V8MAX, v8max, carry_none)   \
    ROW(V8ADDS, v8adds, carry_none) \
    ROW(V8SUBS, v8subs, carry_none)

/* LANES_ADD_PARTS(ROW) expands ROW(NAME, operation) once for each opcode of the add ALU that has a
 * part_operation(). LANES_MUL_PARTS(ROW, ADD, add) expands ROW(ADD, add, NAME, operation) for the
 * mul ALU. */
#ifdef TESS_SOFT_FLOAT
#define LANES_ADD_FLOAT_PARTS(ROW)
#define LANES_MUL_FLOAT_PARTS(ROW, ADD, add)
#else
#define LANES_ADD_FLOAT_PARTS(ROW)           ROW(FADD, fadd) ROW(FSUB, fsub) ROW(ITOF, itof)
#define LANES_MUL_FLOAT_PARTS(ROW, ADD, add) ROW(ADD, add, FMUL, fmul)
#endif

#define LANES_ADD_PARTS(ROW)   \
    LANES_ADD_FLOAT_PARTS(ROW) \
    ROW(FMIN, fmin)            \
    ROW(FMAX, fmax)            \
    ROW(FMINABS, fminabs)      \
    ROW(FMAXABS, fmaxabs)      \
    ROW(ADD, add)              \
    ROW(SUB, sub)              \
    ROW(SHR, shr)              \
    ROW(ASR, asr)              \
    ROW(ROR, ror)              \
    ROW(SHL, shl)              \
    ROW(MIN, min)              \
    ROW(MAX, max)              \
    ROW(AND, and)              \
    ROW(OR, or)                \
    ROW(XOR, xor)              \
    ROW(NOT, not )             \
    ROW(V8ADDS, v8adds)        \
    ROW(V8SUBS, v8subs)

#define LANES_MUL_PARTS(ROW, ADD, add)   \
    LANES_MUL_FLOAT_PARTS(ROW, ADD, add) \
    ROW(ADD, add, MUL24, mul24)          \
    ROW(ADD, add, V8MULD, v8muld)        \
    ROW(ADD, add, V8MIN, v8min)          \
    ROW(ADD, add, V8MAX, v8max)          \
    ROW(ADD, add, V8ADDS, v8adds)        \
    ROW(ADD, add, V8SUBS, v8subs)

#endif
