/* SPDX-License-Identifier: MIT */
/* Tests of the functions that execute operations of blocks (vc4/qpu/qpu_ops.h). The functions for
 * the host's own vectors are compared with the portable functions, and the functions for both ALUs
 * with the references of the single operations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../register.h"
#include "base/bits.h"
#include "operands.h"
#include "ops.h"
#include "vc4/qpu/fpmode.h"
#include "vc4/qpu/qpu_ops.h"
#include "vc4/qpu/qpu_run.h"

enum { ROUNDS = 300, CONDITIONS = 8 };

static const uint16_t at_r0 = offsetof(struct qpu, r);

/* Returns the offset of an accumulator. */
static uint16_t acc(unsigned number)
{
    return (uint16_t)(at_r0 + number * sizeof(lanes));
}

/* Fills the accumulators and flags. The first elements of some rounds are edges. */
static void fill(struct qpu *qpu, uint64_t *seed, unsigned round)
{
    memset(qpu, 0, sizeof *qpu);
    random_operands(seed, &qpu->r[0], &qpu->r[1]);
    random_operands(seed, &qpu->r[2], &qpu->r[3]);
    random_operands(seed, &qpu->r[4], &qpu->r[5]);
    for (unsigned i = 0; i < LANES && round < EDGES; i++) {
        qpu->r[0][i] = edges[round];
        qpu->r[1][i] = edges[(round * 7 + i) % EDGES];
    }
    uint64_t flags = next_random64(seed);
    qpu->z = (lane_mask)flags;
    qpu->n = (lane_mask)(flags >> 16);
    qpu->c = (lane_mask)(flags >> 32);
}

static void run_op_in(struct qpu_run *run, qpu_handler *handler, struct qpu *qpu,
                      const struct qpu_op *op)
{
    struct fpmode mode;
    fpmode_enter(&mode);
    handler(qpu, op, run);
    fpmode_leave(&mode);
}

static void run_op(qpu_handler *handler, struct qpu *qpu, const struct qpu_op *op)
{
    run_op_in(NULL, handler, qpu, op);
}

/* Runs two functions on the same state, and compares the states that they leave. */
static void compare(qpu_handler *one, qpu_handler *other, const struct qpu *qpu,
                    const struct qpu_op *op, const char *name, unsigned code)
{
    static struct qpu x, y;
    assert_int_equal(one == NULL, other == NULL);
    if (!one)
        return;
    x = y = *qpu;
    run_op(one, &x, op);
    run_op(other, &y, op);
    if (memcmp(&x, &y, sizeof x) != 0)
        fail_msg("%s %u: the states differ", name, code);
}

/* Compares a table of functions with the portable table, for separate and equal registers. */
static void compare_table(qpu_handler *const *one, qpu_handler *const *other, unsigned count,
                          const char *name)
{
    uint64_t seed = 0x9e3779b97f4a7c15;
    static struct qpu qpu;
    for (unsigned round = 0; round < ROUNDS; round++) {
        fill(&qpu, &seed, round);
        const struct qpu_op ops[] = {
            {.to = acc(2), .a = acc(0), .b = acc(1), .condition = round % CONDITIONS},
            {.to = acc(0), .a = acc(0), .b = acc(1), .condition = round % CONDITIONS},
            {.to = acc(1), .a = acc(0), .b = acc(1), .condition = round % CONDITIONS},
        };
        for (unsigned code = 0; code < count; code++)
            for (unsigned i = 0; i < sizeof ops / sizeof ops[0]; i++)
                compare(one[code], other[code], &qpu, &ops[i], name, code);
    }
}

#define TABLE(member) \
    compare_table(native->member, portable->member, sizeof native->member / sizeof(void *), #member)
#define ONE(member) compare_table(&native->member, &portable->member, 1, #member)

TEST(vectors_agree)
{
    const struct qpu_handlers *native = qpu_handlers_native(), *portable = &qpu_handlers_portable;
    TABLE(add);
    TABLE(mul);
    TABLE(add_flags);
    TABLE(mul_flags);
    TABLE(add_where);
    TABLE(mul_where);
    TABLE(rotate);
    TABLE(rotate_quads);
    TABLE(unpack);
    TABLE(unpack_float);
    ONE(copy);
    ONE(select);
}

/* Compares a function that has a mode with the portable function, for all modes and some bits above
 * the modes. */
static void compare_modes(qpu_handler *one, qpu_handler *other, const char *name)
{
    enum { MODES = 16 };
    uint64_t seed = 12345;
    static struct qpu qpu;
    for (unsigned round = 0; round < ROUNDS; round++) {
        fill(&qpu, &seed, round);
        for (unsigned mode = 0; mode < MODES; mode++) {
            struct qpu_op op = {.to = acc(2), .a = acc(0), .b = acc(1), .value = mode};
            compare(one, other, &qpu, &op, name, mode);
        }
    }
}

TEST(conversions_agree)
{
    const struct qpu_handlers *native = qpu_handlers_native(), *portable = &qpu_handlers_portable;
    compare_modes(native->splat, portable->splat, "splat");
    compare_modes(native->pack_colour, portable->pack_colour, "pack_colour");
}

/* Computes both ALUs' results with the reference of each operation. */
static void reference(struct qpu *qpu, const struct qpu_op *op, unsigned add, unsigned mul)
{
    lanes sum, product;
    const uint8_t *base = (const uint8_t *)qpu;
    const lanes *a = (const lanes *)(base + op->a), *b = (const lanes *)(base + op->b);
    const lanes *x = (const lanes *)(base + op->mul_a), *y = (const lanes *)(base + op->mul_b);
    for (unsigned i = 0; i < LANES; i++) {
        sum[i] = alu_add_ops[add].element((*a)[i], (*b)[i]).value;
        product[i] = alu_mul_ops[mul].element((*x)[i], (*y)[i]).value;
    }
    memcpy((uint8_t *)qpu + op->to, &sum, sizeof sum);
    memcpy((uint8_t *)qpu + op->mul_to, &product, sizeof product);
}

/* Compares a function for both ALUs with the references. Each ALU writes a register that the other
 * ALU reads. */
static void compare_pair(qpu_handler *run, unsigned add, unsigned mul)
{
    const struct qpu_op op = {
        .to = acc(1), .a = acc(0), .b = acc(2), .mul_to = acc(0), .mul_a = acc(0), .mul_b = acc(1)};
    uint64_t seed = add * 8 + mul;
    static struct qpu x, y;
    for (unsigned round = 0; round < ROUNDS; round++) {
        fill(&x, &seed, round);
        y = x;
        run_op(run, &x, &op);
        reference(&y, &op, add, mul);
        if (memcmp(&x, &y, sizeof x) != 0)
            fail_msg("add %u with mul %u: the results differ", add, mul);
    }
}

TEST(both_alus_agree)
{
    const struct qpu_handlers *tables[] = {qpu_handlers_native(), &qpu_handlers_portable};
    for (unsigned table = 0; table < 2; table++)
        for (unsigned add = 0; add < 32; add++)
            for (unsigned mul = 0; mul < 8; mul++)
                if (tables[table]->pair[add][mul])
                    compare_pair(tables[table]->pair[add][mul], add, mul);
}

/* Runs a function that multiplies by a uniform, and the reference of both ALUs on a state whose
 * second factor is that uniform. Compares both results and the number of uniforms read. */
static void compare_with_uniform(qpu_handler *handler, const struct qpu_op *op,
                                 const struct qpu_op *both, unsigned add, const struct qpu *qpu,
                                 uint32_t uniform)
{
    static struct qpu x, y;
    uint8_t bytes[8];
    store_le32(bytes, ~uniform);
    store_le32(bytes + 4, uniform);
    struct qpu_run run = {.uniforms = bytes, .uniforms_base = 0x100, .uniforms_size = sizeof bytes};
    x = y = *qpu;
    x.uniform = 0xc0000104;
    x.uniforms_left = UINT32_MAX;
    x.uniforms_enabled = true;
    run_op_in(&run, handler, &x, op);
    for (unsigned i = 0; i < LANES; i++)
        y.r[3][i] = uniform;
    reference(&y, both, add, QPU_MUL_FMUL);
    assert_memory_equal(&x.r[0], &y.r[0], sizeof x.r[0]);
    assert_memory_equal(&x.r[1], &y.r[1], sizeof x.r[1]);
    assert_int_equal(x.uniform, 0xc0000108);
    assert_int_equal(x.times.uniforms, 1);
}

/* Compares a multiplication by a uniform with the reference of both ALUs. In the function, the add
 * ALU does nothing; in the reference, it moves a register to itself. */
static void check_product(const struct qpu_handlers *handlers, const struct qpu *qpu,
                          uint32_t uniform)
{
    const struct qpu_op op = {.to = acc(0), .a = acc(1), .b = acc(3)}, both = {.to = acc(1),
                                                                               .a = acc(1),
                                                                               .b = acc(1),
                                                                               .mul_to = acc(0),
                                                                               .mul_a = acc(1),
                                                                               .mul_b = acc(3)};
    if (handlers->fmul_uniform)
        compare_with_uniform(handlers->fmul_uniform, &op, &both, QPU_ADD_OR, qpu, uniform);
}

TEST(products_with_uniforms_agree)
{
    const struct qpu_handlers *tables[] = {qpu_handlers_native(), &qpu_handlers_portable};
    uint64_t seed = 4711;
    static struct qpu qpu;
    for (unsigned round = 0; round < ROUNDS; round++) {
        fill(&qpu, &seed, round);
        const uint32_t uniform = round < EDGES ? edges[(3 * round) % EDGES] : qpu.r[1][5];
        const struct qpu_op pair = {.to = acc(1),
                                    .a = acc(0),
                                    .b = acc(2),
                                    .mul_to = acc(0),
                                    .mul_a = acc(1),
                                    .mul_b = acc(3)};
        for (unsigned table = 0; table < 2; table++)
            for (unsigned add = 0; add < 32; add++)
                if (tables[table]->pair_uniform[add])
                    compare_with_uniform(tables[table]->pair_uniform[add], &pair, &pair, add, &qpu,
                                         uniform);
        check_product(qpu_handlers_native(), &qpu, uniform);
        check_product(&qpu_handlers_portable, &qpu, uniform);
    }
}

/* The pairs that loops of matrix products and of image filters need. */
TEST(common_pairs_exist)
{
    const struct qpu_handlers *h = qpu_handlers_native();
#ifndef TESS_SOFT_FLOAT
    assert_non_null(h->pair[QPU_ADD_FADD][QPU_MUL_FMUL]);
    assert_non_null(h->pair_uniform[QPU_ADD_FADD]);
    assert_non_null(h->fmul_uniform);
#endif
    assert_non_null(h->pair[QPU_ADD_ADD][QPU_MUL_MUL24]);
    assert_non_null(h->pair[QPU_ADD_OR][QPU_MUL_V8MIN]);
}
