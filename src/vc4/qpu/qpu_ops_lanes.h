/* SPDX-License-Identifier: MIT */
/* qpu_ops_lanes.h - the functions of struct qpu_handlers, for one width of host vectors.
 *
 * A source file defines PART_BYTES (see alu_lanes.h) and includes this header once. The header then
 * defines the static functions and the initialiser QPU_HANDLERS.
 * Source: manual tables 6 to 13; pack.c is the reference for the conversions. */
#include "base/bits.h"
#include "vc4/qpu/alu_lanes.h"
#include "vc4/qpu/pack.h"
#include "vc4/qpu/qpu_block_run.h"
#include "vc4/qpu/qpu_op.h"

#define HANDLER(name) \
    static void name(struct qpu *qpu, const struct qpu_op *op, struct qpu_run *run)

#define TO ((lanes *)((uint8_t *)qpu + op->to))
#define A  ((const lanes *)((const uint8_t *)qpu + op->a))
#define B  ((const lanes *)((const uint8_t *)qpu + op->b))

/* The mul ALU's registers in an operation of both ALUs. */
#define MUL_TO ((lanes *)((uint8_t *)qpu + op->mul_to))
#define MUL_A  ((const lanes *)((const uint8_t *)qpu + op->mul_a))
#define MUL_B  ((const lanes *)((const uint8_t *)qpu + op->mul_b))

/* --- arithmetic --- */

/* Returns the new value of a flag, which changes in the elements of mask. */
INLINE lane_mask merge_flags(lane_mask old, unsigned new, unsigned mask)
{
    return (lane_mask)(old ^ ((old ^ new) & mask));
}

INLINE void store_with_flags(struct qpu *qpu, const struct qpu_op *op, const lanes *value,
                             lane_mask carry)
{
    unsigned mask = qpu_condition(qpu, op->condition);
    unsigned negative = lanes_negative(value), zero = lanes_zero(value);
    if (__builtin_expect(mask == ALL_LANES, 1)) {
        qpu->n = (lane_mask)negative;
        qpu->z = (lane_mask)zero;
        qpu->c = carry;
    } else {
        qpu->n = merge_flags(qpu->n, negative, mask);
        qpu->z = merge_flags(qpu->z, zero, mask);
        qpu->c = merge_flags(qpu->c, carry, mask);
    }
    lanes_copy(TO, value);
}

/* Define an operation in three variants: one for all elements, one that also sets the flags, and
 * one for the elements where a condition holds. */
#define OPERATION(alu, name, operation, carry)                       \
    HANDLER(alu##_##name)                                            \
    {                                                                \
        (void)run;                                                   \
        lanes_##operation(TO, A, B);                                 \
    }                                                                \
    HANDLER(alu##_##name##_flags)                                    \
    {                                                                \
        (void)run;                                                   \
        lanes value;                                                 \
        lanes_##operation(&value, A, B);                             \
        store_with_flags(qpu, op, &value, carry(A, B, &value));      \
    }                                                                \
    HANDLER(alu##_##name##_where)                                    \
    {                                                                \
        (void)run;                                                   \
        lanes value;                                                 \
        lanes_##operation(&value, A, B);                             \
        lanes_select(TO, &value, qpu_condition(qpu, op->condition)); \
    }
#define ADD_OPERATION(NAME, name, carry) OPERATION(add, name, name, carry)
#define MUL_OPERATION(NAME, name, carry) OPERATION(mul, name, name, carry)

LANES_ADD_OPS(ADD_OPERATION)
LANES_MUL_OPS(MUL_OPERATION)

/* --- both ALUs --- */

/* Computes an operation of both ALUs when a result is extreme (IS_EXTREME()). */
NOINLINE void compute_pair(struct qpu *qpu, const struct qpu_op *op, alu_lanes *add, alu_lanes *mul)
{
    lanes sum, product;
    add(&sum, A, B);
    mul(&product, MUL_A, MUL_B);
    lanes_copy(TO, &sum);
    lanes_copy(MUL_TO, &product);
}

/* Body of an operation of both ALUs, which read their operands before one of them writes. `factor`
 * is part i of the mul ALU's operand b. If a result is extreme (IS_EXTREME()), `again` computes all
 * elements. */
#define COMPUTE_BOTH(add, mul, factor, again)                                                   \
    part sum[PARTS], product[PARTS], extreme = {0};                                             \
    part *to = (part *)TO, *mul_to = (part *)MUL_TO;                                            \
    FOR_PARTS                                                                                   \
    {                                                                                           \
        sum[i] = part_##add(LANE_PART(A), LANE_PART(B));                                        \
        product[i] = part_##mul(LANE_PART(MUL_A), factor);                                      \
        if (extremes_of_##add)                                                                  \
            extreme |= IS_EXTREME(sum[i]);                                                      \
        if (extremes_of_##mul)                                                                  \
            extreme |= IS_EXTREME(product[i]);                                                  \
    }                                                                                           \
    if ((extremes_of_##add || extremes_of_##mul) && __builtin_expect(signs(extreme) != 0, 0)) { \
        again;                                                                                  \
        return;                                                                                 \
    }                                                                                           \
    FOR_PARTS                                                                                   \
    {                                                                                           \
        to[i] = sum[i];                                                                         \
        mul_to[i] = product[i];                                                                 \
    }

#define PAIR(ADD, add, MUL, mul)                                                                  \
    HANDLER(add##_with_##mul)                                                                     \
    {                                                                                             \
        (void)run;                                                                                \
        COMPUTE_BOTH(add, mul, LANE_PART(MUL_B), compute_pair(qpu, op, lanes_##add, lanes_##mul)) \
    }
#define PAIRS(ADD, add) LANES_MUL_PARTS(PAIR, ADD, add)

LANES_ADD_PARTS(PAIRS)

/* --- moves --- */

HANDLER(run_copy)
{
    (void)run;
    lanes_copy(TO, A);
}

HANDLER(run_select)
{
    (void)run;
    lanes_select(TO, A, qpu_condition(qpu, op->condition));
}

/* Part i of a rotated value contains elements of two consecutive parts of the original value.
 * ACROSS() selects these elements, starting at element `from` of the first part. */
#if PART_BYTES == 16
#define ACROSS(x, y, from) __builtin_shufflevector(x, y, from, from + 1, from + 2, from + 3)
#define IN_QUADS(x, n) \
    __builtin_shufflevector(x, x, -(n)&3, (1 - (n)) & 3, (2 - (n)) & 3, (3 - (n)) & 3)
#else
#define ACROSS(x, y, from)                                                                \
    __builtin_shufflevector(x, y, from, from + 1, from + 2, from + 3, from + 4, from + 5, \
                            from + 6, from + 7)
#define IN_QUADS(x, n)                                                                 \
    __builtin_shufflevector(x, x, -(n)&3, (1 - (n)) & 3, (2 - (n)) & 3, (3 - (n)) & 3, \
                            4 + (-(n)&3), 4 + ((1 - (n)) & 3), 4 + ((2 - (n)) & 3),    \
                            4 + ((3 - (n)) & 3))
#endif

#define ROTATE(n)                                                                   \
    HANDLER(run_rotate_##n)                                                         \
    {                                                                               \
        enum { FIRST = (LANES - n) / PART_LANES, FROM = (LANES - n) % PART_LANES }; \
        (void)run;                                                                  \
        part old[PARTS];                                                            \
        FOR_PARTS old[i] = LANE_PART(A);                                            \
        FOR_PARTS((part *)TO)                                                       \
        [i] = ACROSS(old[(FIRST + i) % PARTS], old[(FIRST + i + 1) % PARTS], FROM); \
    }
#define ROTATE_QUADS(n)                                       \
    HANDLER(run_rotate_quads_##n)                             \
    {                                                         \
        (void)run;                                            \
        FOR_PARTS((part *)TO)[i] = IN_QUADS(LANE_PART(A), n); \
    }
#define ROTATIONS(ROW) \
    ROW(1)             \
    ROW(2)             \
    ROW(3) ROW(4) ROW(5) ROW(6) ROW(7) ROW(8) ROW(9) ROW(10) ROW(11) ROW(12) ROW(13) ROW(14) ROW(15)
#define QUAD_ROTATIONS(ROW) ROW(0) ROW(1) ROW(2) ROW(3)

ROTATIONS(ROTATE)
QUAD_ROTATIONS(ROTATE_QUADS)

HANDLER(run_splat)
{
    (void)run;
    lanes_splat(TO, op->value);
}

/* --- uniforms --- */

HANDLER(run_uniform)
{
    lanes_splat(TO, qpu_block_next_uniform(qpu, op->index, op->value, run));
}

#ifndef TESS_SOFT_FLOAT

/* Computes an operation with a uniform when a result is extreme. */
NOINLINE void compute_pair_with(uint32_t uniform, struct qpu *qpu, const struct qpu_op *op,
                                alu_lanes *add)
{
    lanes_splat((lanes *)((uint8_t *)qpu + op->mul_b), uniform);
    compute_pair(qpu, op, add, lanes_fmul);
}

/* Defines an operation of both ALUs in which the mul ALU multiplies by the next uniform. mul_b is
 * the port through which the uniform is read. The register of the port may keep its old value. */
#define PAIR_UNIFORM(ADD, add)                                                                    \
    HANDLER(add##_with_fmul_uniform)                                                              \
    {                                                                                             \
        const uint32_t uniform = qpu_block_next_uniform(qpu, op->index, 1, run);                  \
        COMPUTE_BOTH(add, fmul, SPLAT(uniform), compute_pair_with(uniform, qpu, op, lanes_##add)) \
    }

LANES_ADD_PARTS(PAIR_UNIFORM)

/* Multiplies by the next uniform, which is read through port b. */
HANDLER(fmul_uniform)
{
    lanes *port = (lanes *)((uint8_t *)qpu + op->b);
    lanes_splat(port, qpu_block_next_uniform(qpu, op->index, 1, run));
    lanes_fmul(TO, A, port);
}

#endif

/* --- conversions --- */

#ifdef TESS_SOFT_FLOAT

INLINE void unpack(lanes *to, unsigned mode, bool as_float, const lanes *from)
{
    unpack_lanes(to, mode, as_float, from);
}

HANDLER(run_pack_colour)
{
    (void)run;
    pack_mul_lanes(TO, op->value, A, B);
}

#else

/* Converts half to float. Half denormals become float denormals. Infinities and NaNs keep their
 * fraction. */
INLINE part half_to_float_part(part half)
{
    const uint32_t rebias = (127 - 15) << 23;
    part sign = (half & 0x8000) << 16, exponent = half & 0x7c00, value = (half & 0x7fff) << 13;
    value += (part)(exponent != 0) & rebias;
    value += (part)(exponent == 0x7c00) & rebias;
    return sign | value;
}

/* Returns byte / 255, truncated to 24 significant bits. The binary fraction of byte / 255 is the
 * byte, repeated. The conversion of the first 31 bits of the fraction rounds toward zero. The
 * result for byte 255 would be one unit below 1.0, so one unit is added. */
INLINE part colour_to_float_part(part byte)
{
    part_int fraction = (part_int)(byte * 0x01010101 >> 1);
    part_float value = __builtin_convertvector(fraction, part_float) * 0x1p-31f;
    return (part)value - (part)(byte == 255);
}

INLINE part unpack_part(unsigned mode, bool as_float, part value)
{
    if (mode == 3)
        return (value >> 24) * 0x01010101;
    if (mode >= 4) {
        part byte = value >> (8 * (mode & 3)) & 0xff;
        return as_float ? colour_to_float_part(byte) : byte;
    }
    part half = mode == 1 ? value << 16 : value;
    return as_float ? half_to_float_part(half >> 16) : (part)((part_int)half >> 16);
}

INLINE void unpack(lanes *to, unsigned mode, bool as_float, const lanes *from)
{
    FOR_PARTS((part *)to)[i] = unpack_part(mode, as_float, LANE_PART(from));
}

/* Returns floor(255 f + 1/2), clamped to 0..255. The intermediate results are truncated to 24 bits,
 * but no integer lies between an exact and a truncated result. */
INLINE part pack_colour_part(part value)
{
    const int32_t one = 0x3f800000;
    part positive = value & (part)((part_int)value > 0);
    part large = (part)((part_int)positive > one);
    part_float clamped = (part_float)CHOOSE(large, one + (part){0}, positive);
    return (part) __builtin_convertvector(clamped * 255.0f + 0.5f, part_int);
}

HANDLER(run_pack_colour)
{
    (void)run;
    unsigned mode = op->value & 7, shift = 8 * (mode & 3);
    if (mode == 3) {
        FOR_PARTS((part *)TO)[i] = pack_colour_part(LANE_PART(A)) * 0x01010101;
        return;
    }
    uint32_t rest = ~(UINT32_C(0xff) << shift);
    FOR_PARTS((part *)TO)[i] = (LANE_PART(B) & rest) | pack_colour_part(LANE_PART(A)) << shift;
}

#endif

/* Defines the conversions of one mode, for operations on integers and on floats. */
#define UNPACK(mode)                 \
    HANDLER(run_unpack_##mode)       \
    {                                \
        (void)run;                   \
        unpack(TO, mode, false, A);  \
    }                                \
    HANDLER(run_unpack_float_##mode) \
    {                                \
        (void)run;                   \
        unpack(TO, mode, true, A);   \
    }
#define UNPACK_MODES(ROW) ROW(1) ROW(2) ROW(3) ROW(4) ROW(5) ROW(6) ROW(7)

UNPACK_MODES(UNPACK)

#define ADD_HANDLER(NAME, name, carry)       [QPU_ADD_##NAME] = add_##name,
#define MUL_HANDLER(NAME, name, carry)       [QPU_MUL_##NAME] = mul_##name,
#define ADD_FLAGS_HANDLER(NAME, name, carry) [QPU_ADD_##NAME] = add_##name##_flags,
#define MUL_FLAGS_HANDLER(NAME, name, carry) [QPU_MUL_##NAME] = mul_##name##_flags,

#define ADD_WHERE_HANDLER(NAME, name, carry) [QPU_ADD_##NAME] = add_##name##_where,
#define MUL_WHERE_HANDLER(NAME, name, carry) [QPU_MUL_##NAME] = mul_##name##_where,
#define PAIR_HANDLER(ADD, add, MUL, mul)     [QPU_ADD_##ADD][QPU_MUL_##MUL] = add##_with_##mul,
#define PAIR_HANDLERS(ADD, add)              LANES_MUL_PARTS(PAIR_HANDLER, ADD, add)
#define PAIR_UNIFORM_HANDLER(ADD, add)       [QPU_ADD_##ADD] = add##_with_fmul_uniform,
#define ROTATE_HANDLER(n)                    [n] = run_rotate_##n,
#define UNPACK_HANDLER(mode)                 [mode] = run_unpack_##mode,
#define UNPACK_FLOAT_HANDLER(mode)           [mode] = run_unpack_float_##mode,
#define ROTATE_QUADS_HANDLER(n)              [n] = run_rotate_quads_##n,

#ifdef TESS_SOFT_FLOAT
#define UNIFORM_HANDLERS
#else
#define UNIFORM_HANDLERS \
    .pair_uniform = {LANES_ADD_PARTS(PAIR_UNIFORM_HANDLER)}, .fmul_uniform = fmul_uniform,
#endif

#define QPU_HANDLERS                                                                               \
    {                                                                                              \
        .add = {LANES_ADD_OPS(ADD_HANDLER)}, .mul = {LANES_MUL_OPS(MUL_HANDLER)},                  \
        .add_flags = {LANES_ADD_OPS(ADD_FLAGS_HANDLER)},                                           \
        .mul_flags = {LANES_MUL_OPS(MUL_FLAGS_HANDLER)},                                           \
        .add_where = {LANES_ADD_OPS(ADD_WHERE_HANDLER)},                                           \
        .mul_where = {LANES_MUL_OPS(MUL_WHERE_HANDLER)}, .pair = {LANES_ADD_PARTS(PAIR_HANDLERS)}, \
        .rotate = {ROTATIONS(ROTATE_HANDLER)},                                                     \
        .rotate_quads = {QUAD_ROTATIONS(ROTATE_QUADS_HANDLER)}, .copy = run_copy,                  \
        .select = run_select, .splat = run_splat, .uniform = run_uniform,                          \
        .unpack = {UNPACK_MODES(UNPACK_HANDLER)},                                                  \
        .unpack_float = {UNPACK_MODES(UNPACK_FLOAT_HANDLER)}, .pack_colour = run_pack_colour,      \
        UNIFORM_HANDLERS                                                                           \
    }
