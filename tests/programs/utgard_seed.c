/* SPDX-License-Identifier: MIT */
/* utgard_seed.c - tests the statements of seed 001 (Utgard-GP.md) about running programs, each as a
 * program. Where docs/hardware/utgard.md, section 12, corrects a statement, the correction is
 * tested.
 *
 * Words are set field by field. Expected values are worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/utgard.h>

#include "../register.h"
#include "isa/gp/gp_isa.h"

enum { PROGRAM_MAX = 40, VARYINGS = 4 };

/* A program under construction, with its inputs and outputs. */
struct bench {
    struct gp_insn code[PROGRAM_MAX];
    size_t length;
    float attributes[2][4];
    float rows[16][4];
    float varyings[VARYINGS][4];
    unsigned findings;
    char last[64]; /* rule of the last finding, or "" */
};

static struct gp_insn *add(struct bench *bench)
{
    assert_true(bench->length < PROGRAM_MAX);
    bench->code[bench->length] = gp_nop();
    return &bench->code[bench->length++];
}

static void wait(struct bench *bench, unsigned instructions)
{
    while (instructions-- > 0)
        add(bench);
}

/* Adds an instruction in which acc0 passes a source. The result is stored to component x of a
 * varying. */
static void put_source(struct bench *bench, unsigned source, unsigned varying)
{
    struct gp_insn *insn = add(bench);
    insn->acc0_src0 = (uint16_t)source;
    insn->acc0_src1 = GP_SRC_IDENTITY;
    insn->acc0_src1_neg = 1;
    insn->store0_src_x = GP_STORE_ACC0;
    insn->store0_varying = 1;
    insn->store0_addr = (uint16_t)varying;
}

/* Counts a finding. Programs that test one value store only one component of a varying, so the
 * finding about unwritten components is not counted. */
static void count_finding(void *user, const struct tess_finding *diag)
{
    struct bench *bench = user;
    if (strcmp(diag->id, "gp-varying-unwritten") == 0)
        return;
    bench->findings++;
    snprintf(bench->last, sizeof bench->last, "%s", diag->id);
}

static void run(struct bench *bench)
{
    uint32_t words[PROGRAM_MAX * GP_WORDS];
    struct tess_gp_attribute attributes[TESS_GP_ATTRIBUTES] = {0};
    struct tess_gp_varying varyings[TESS_GP_VARYINGS] = {0};
    struct tess_gp_options options = {.machine.threads = 1};
    const struct tess_gp_batch batch = {.attributes = attributes, .varyings = varyings, .count = 1};
    struct tess_gp_program *program;
    struct tess_gp *gp;
    for (size_t i = 0; i < bench->length; i++)
        gp_encode(&bench->code[i], words + i * GP_WORDS);
    for (unsigned i = 0; i < 2; i++)
        attributes[i] = (struct tess_gp_attribute){
            .data = bench->attributes[i], .size = 16, .format = TESS_GP_F32, .components = 4};
    for (unsigned i = 0; i < VARYINGS; i++)
        varyings[i] = (struct tess_gp_varying){
            .data = bench->varyings[i], .size = 16, .format = TESS_GP_OUT_F32, .components = 4};
    bench->findings = 0;
    bench->last[0] = '\0';
    assert_int_equal(tess_gp_program_words(words, bench->length, &program), TESS_OK);
    options.machine.sink = (struct tess_sink){count_finding, bench};
    assert_int_equal(tess_gp_create(&gp, &options), TESS_OK);
    assert_int_equal(tess_gp_load(gp, program), TESS_OK);
    assert_int_equal(tess_gp_set_rows(gp, 0, bench->rows[0], 16), TESS_OK);
    assert_int_equal(tess_gp_run(gp, &batch), TESS_OK);
    tess_gp_destroy(gp);
    tess_gp_program_free(program);
}

static void check_float(float value, float expected)
{
    if (memcmp(&value, &expected, sizeof value) != 0)
        fail_msg("%.9g where %.9g is expected", (double)value, (double)expected);
}

/* --- overview --- */

TEST(results_pass_from_one_instruction_to_the_next)
{
    struct bench bench = {.attributes = {{3, 5, 7, 11}}};
    struct gp_insn *insn = add(&bench);
    insn->register0_attribute = 1;
    insn->mul0_src0 = GP_SRC_LOAD0_X;
    insn->mul0_src1 = GP_SRC_LOAD0_Y;
    insn->mul1_src0 = GP_SRC_LOAD0_Z;
    insn->mul1_src1 = GP_SRC_LOAD0_W;
    insn = add(&bench);
    insn->acc0_src0 = GP_SRC_MUL0_P1;
    insn->acc0_src1 = GP_SRC_MUL1_P1;
    insn->store0_src_x = GP_STORE_ACC0;
    insn->store0_varying = 1;
    run(&bench);
    check_float(bench.varyings[0][0], 3 * 5 + 7 * 11);
    assert_true(bench.findings == 0);
}

/* One instruction uses all six units and both stores. */
TEST(all_units_work_at_once)
{
    struct bench bench = {.attributes = {{2, 3, 4, 5}}, .rows = {{10, 20, 30, 40}}};
    struct gp_insn *insn = add(&bench);
    insn->register0_attribute = 1;
    insn->mul0_src0 = GP_SRC_LOAD0_X;
    insn->mul0_src1 = GP_SRC_ROW_X;
    insn->mul1_src0 = GP_SRC_LOAD0_Y;
    insn->mul1_src1 = GP_SRC_ROW_Y;
    insn->acc0_src0 = GP_SRC_LOAD0_Z;
    insn->acc0_src1 = GP_SRC_ROW_Z;
    insn->acc1_src0 = GP_SRC_LOAD0_W;
    insn->acc1_src1 = GP_SRC_ROW_W;
    insn->complex_op = GP_COMPLEX_MOV;
    insn->complex_src = GP_SRC_LOAD0_X;
    insn->pass_src = GP_SRC_ROW_Y;
    insn->store0_varying = insn->store1_varying = 1;
    insn->store0_addr = insn->store1_addr = 1;
    insn->store0_src_x = GP_STORE_MUL0;
    insn->store0_src_y = GP_STORE_MUL1;
    insn->store1_src_z = GP_STORE_ACC0;
    insn->store1_src_w = GP_STORE_ACC1;
    insn = add(&bench);
    insn->acc0_src0 = GP_SRC_COMPLEX_P1;
    insn->acc0_src1 = GP_SRC_PASS_P1;
    insn->store0_src_x = GP_STORE_ACC0;
    insn->store0_varying = 1;
    run(&bench);
    check_float(bench.varyings[1][0], 20);
    check_float(bench.varyings[1][1], 60);
    check_float(bench.varyings[1][2], 34);
    check_float(bench.varyings[1][3], 45);
    check_float(bench.varyings[0][0], 22);
}

/* --- inputs --- */

/* One instruction computes a different value in each unit. One or two instructions later, each
 * code of the input table is read. */
TEST(every_input_code)
{
    static const struct {
        unsigned source, back;
        float expected;
    } rows[] = {
        /* clang-format off */
        /* clang-format off */
        {GP_SRC_ACC0_P1,    1, 101},
        {GP_SRC_ACC1_P1,    1, 202},
        {GP_SRC_MUL0_P1,    1, 3},
        {GP_SRC_MUL1_P1,    1, 8},
        {GP_SRC_PASS_P1,    1, 400},
        {GP_SRC_COMPLEX_P1, 1, 300},
        {GP_SRC_LOAD0_X_P1, 1, 1},
        {GP_SRC_LOAD0_Y_P1, 1, 2},
        {GP_SRC_LOAD0_Z_P1, 1, 3},
        {GP_SRC_LOAD0_W_P1, 1, 4},
        {GP_SRC_ACC0_P2,    2, 101},
        {GP_SRC_ACC1_P2,    2, 202},
        {GP_SRC_MUL0_P2,    2, 3},
        {GP_SRC_MUL1_P2,    2, 8},
        {GP_SRC_PASS_P2,    2, 400},
        /* clang-format on */
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bench bench = {.attributes = {{1, 2, 3, 4}}, .rows = {{100, 200, 300, 400}}};
        struct gp_insn *insn = add(&bench);
        insn->register0_attribute = 1;
        insn->acc0_src0 = GP_SRC_LOAD0_X;
        insn->acc0_src1 = GP_SRC_ROW_X;
        insn->acc1_src0 = GP_SRC_LOAD0_Y;
        insn->acc1_src1 = GP_SRC_ROW_Y;
        insn->mul0_src0 = GP_SRC_LOAD0_X;
        insn->mul0_src1 = GP_SRC_LOAD0_Z;
        insn->mul1_src0 = GP_SRC_LOAD0_Y;
        insn->mul1_src1 = GP_SRC_LOAD0_W;
        insn->pass_src = GP_SRC_ROW_W;
        insn->complex_op = GP_COMPLEX_MOV;
        insn->complex_src = GP_SRC_ROW_Z;
        insn->store1_src_z = GP_STORE_COMPLEX; /* reads the complex unit's result in every case */
        wait(&bench, rows[i].back - 1);
        put_source(&bench, rows[i].source, 0);
        run(&bench);
        check_float(bench.varyings[0][0], rows[i].expected);
        assert_string_equal(bench.last, "");
    }
}

TEST(loads_of_the_same_instruction)
{
    for (unsigned component = 0; component < 4; component++) {
        struct bench bench = {.attributes = {{0}, {1, 2, 3, 4}}, .rows = {[5] = {10, 20, 30, 40}}};
        put_source(&bench, GP_SRC_LOAD0_X + component, 0);
        bench.code[0].register0_attribute = 1;
        bench.code[0].register0_addr = 1;
        put_source(&bench, GP_SRC_ROW_X + component, 1);
        bench.code[1].load_addr = 5;
        run(&bench);
        check_float(bench.varyings[0][0], (float)(component + 1));
        check_float(bench.varyings[1][0], (float)(10 * (component + 1)));
        assert_int_equal(bench.findings, 0);
    }
}

/* Code 22 as a second operand is the identity: add(a, -ident) and mul(a, ident) return a,
 * including the sign of a zero. */
TEST(identity)
{
    static const float values[] = {0.0f, -0.0f, 1.5f, -3.0f, INFINITY};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct bench bench = {.attributes = {{values[i]}}};
        struct gp_insn *insn = add(&bench);
        insn->register0_attribute = 1;
        insn->complex_op = GP_COMPLEX_MOV; /* code 22 must not return this value */
        insn->complex_src = GP_SRC_ROW_X;
        insn = add(&bench);
        insn->mul0_src0 = insn->acc0_src0 = GP_SRC_LOAD0_X_P1;
        insn->mul0_src1 = insn->acc0_src1 = GP_SRC_IDENTITY;
        insn->acc0_src1_neg = 1;
        insn->store0_varying = 1;
        insn->store0_src_x = GP_STORE_ACC0;
        insn->store0_src_y = GP_STORE_MUL0;
        run(&bench);
        check_float(bench.varyings[0][0], values[i]);
        check_float(bench.varyings[0][1], values[i]);
    }
}

/* --- latencies --- */

/* Writes 7 to a register that contains 5, and reads the register `distance` instructions later. */
static float read_register(unsigned distance, bool second_unit)
{
    struct bench bench = {.rows = {{5, 7}}};
    for (unsigned i = 0; i < 2; i++) {
        struct gp_insn *insn = add(&bench);
        insn->mul0_src0 = i == 0 ? GP_SRC_ROW_X : GP_SRC_ROW_Y;
        insn->mul0_src1 = GP_SRC_IDENTITY;
        insn->store0_addr = 9;
        insn->store0_src_x = GP_STORE_MUL0;
        wait(&bench, i == 0 ? 5 : distance - 1);
    }
    put_source(&bench, second_unit ? GP_SRC_LOAD1_X : GP_SRC_LOAD0_X, 0);
    bench.code[bench.length - 1].register0_addr = second_unit ? 0 : 9;
    bench.code[bench.length - 1].register1_addr = second_unit ? 9 : 0;
    run(&bench);
    assert_int_equal(bench.findings, distance < 3); /* a read that is too early is reported */
    return bench.varyings[0][0];
}

TEST(registers_take_three_instructions)
{
    for (unsigned unit = 0; unit < 2; unit++) {
        check_float(read_register(1, unit), 5);
        check_float(read_register(2, unit), 5);
        check_float(read_register(3, unit), 7);
        check_float(read_register(4, unit), 7);
    }
}

/* Writes 7 to temporary row 8, which contains 5, and reads the row `distance` instructions
 * later. */
static float read_temporary(unsigned distance)
{
    struct bench bench = {.rows = {{8, 7}, [8] = {5}}};
    struct gp_insn *insn = add(&bench);
    insn->complex_op = GP_COMPLEX_ADDR0; /* set in the same instruction as the store */
    insn->complex_src = GP_SRC_ROW_X;
    insn->mul0_src0 = GP_SRC_ROW_Y;
    insn->mul0_src1 = GP_SRC_IDENTITY;
    insn->store0_temporary = 1;
    insn->store0_src_x = GP_STORE_MUL0;
    insn->unknown_1 = GP_FLAGS_TEMPORARY;
    wait(&bench, distance - 1);
    put_source(&bench, GP_SRC_ROW_X, 0);
    bench.code[bench.length - 1].load_addr = 8;
    run(&bench);
    return bench.varyings[0][0];
}

TEST(temporaries_take_four_instructions)
{
    for (unsigned distance = 1; distance <= 6; distance++)
        check_float(read_temporary(distance), distance < 4 ? 5 : 7);
}

/* Changes address register 1, 2 or 3 from 1 to 2. Reads row 4 + address `distance` instructions
 * later. */
static float read_indexed(unsigned reg, unsigned distance)
{
    struct bench bench = {.rows = {{1, 2}, [5] = {50}, [6] = {60}}};
    for (unsigned i = 0; i < 2; i++) {
        struct gp_insn *insn = add(&bench);
        insn->complex_op = (uint16_t)(GP_COMPLEX_ADDR1 + reg - 1);
        insn->complex_src = i == 0 ? GP_SRC_ROW_X : GP_SRC_ROW_Y;
        wait(&bench, i == 0 ? 5 : distance - 1);
    }
    put_source(&bench, GP_SRC_ROW_X, 0);
    bench.code[bench.length - 1].load_addr = 4;
    bench.code[bench.length - 1].load_offset = (uint16_t)reg;
    run(&bench);
    return bench.varyings[0][0];
}

TEST(address_registers_take_four_instructions)
{
    for (unsigned reg = 1; reg <= 3; reg++)
        for (unsigned distance = 1; distance <= 6; distance++)
            check_float(read_indexed(reg, distance), distance < 4 ? 50 : 60);
}

/* Operation 10 sets address registers 0 and 1 from the result of the pass unit. */
TEST(two_address_registers_at_once)
{
    struct bench bench = {.rows = {{3, 9}, [3] = {30}, [7] = {70}}};
    struct gp_insn *insn = add(&bench);
    insn->complex_op = GP_COMPLEX_ADDR01;
    insn->pass_src = GP_SRC_ROW_X;
    insn->mul0_src0 = GP_SRC_ROW_Y;
    insn->mul0_src1 = GP_SRC_IDENTITY;
    insn->store0_temporary = 1; /* changes row 3 to 9 */
    insn->store0_src_x = GP_STORE_MUL0;
    insn->unknown_1 = GP_FLAGS_TEMPORARY;
    wait(&bench, 3);
    put_source(&bench, GP_SRC_ROW_X, 0);
    bench.code[bench.length - 1].load_addr = 3;
    put_source(&bench, GP_SRC_ROW_X, 1);
    bench.code[bench.length - 1].load_addr = 4;
    bench.code[bench.length - 1].load_offset = 1;
    run(&bench);
    check_float(bench.varyings[0][0], 9);
    check_float(bench.varyings[1][0], 70);
}

/* --- complex functions --- */

/* Runs the seed's sequence for a complex function. `later` is the number of instructions between
 * complex1 and the read of its result, as mul0 two instructions back. */
static float call(unsigned function, float x, unsigned later)
{
    struct bench bench = {.attributes = {{x}}};
    bool exp2_first = function == GP_COMPLEX_EXP2, log2_last = function == GP_COMPLEX_LOG2;
    struct gp_insn *insn;
    if (exp2_first) {
        insn = add(&bench);
        insn->register0_attribute = 1;
        insn->pass_op = GP_PASS_PREEXP2;
        insn->pass_src = GP_SRC_LOAD0_X;
    }
    uint16_t operand = exp2_first ? GP_SRC_PASS_P1 : GP_SRC_LOAD0_X;
    insn = add(&bench);
    insn->register0_attribute = 1;
    insn->complex_op = (uint16_t)function;
    insn->complex_src = operand;
    insn->mul_op = GP_MUL_COMPLEX2;
    insn->mul0_src0 = insn->mul0_src1 = operand;
    insn->mul1_src0 = operand;
    insn->mul1_src1 = GP_SRC_IDENTITY;
    insn = add(&bench);
    insn->mul_op = GP_MUL_COMPLEX1;
    insn->mul0_src0 = GP_SRC_COMPLEX_P1;
    insn->mul0_src1 = GP_SRC_MUL0_P1;
    insn->mul1_src0 = GP_SRC_COMPLEX_P1;
    insn->mul1_src1 = GP_SRC_MUL1_P1;
    wait(&bench, later - 1);
    if (log2_last) {
        insn = add(&bench);
        insn->pass_op = GP_PASS_POSTLOG2;
        insn->pass_src = GP_SRC_MUL0_P2;
    }
    put_source(&bench, log2_last ? GP_SRC_PASS_P1 : GP_SRC_MUL0_P2, 0);
    run(&bench);
    assert_int_equal(bench.findings, 0);
    return bench.varyings[0][0];
}

TEST(complex_functions)
{
    static const float values[] = {0.25f, 1.0f, 2.0f, 3.0f, 10.0f, 0.7f, 1e-3f, 123456.0f};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        double x = (double)values[i];
        check_float(call(GP_COMPLEX_RCP, values[i], 2), (float)(1 / x));
        check_float(call(GP_COMPLEX_RSQRT, values[i], 2), (float)(1 / sqrt(x)));
        /* The fixed-point form of log2 has an error of up to 2^-24, and the conversion to float
         * adds half an ulp. */
        double bound = ldexp(1 + fabs(log2(x)), -24);
        assert_true(fabs((double)call(GP_COMPLEX_LOG2, values[i], 2) - log2(x)) <= bound);
    }
    /* An error of 2^-24 in the exponent is a factor of 2^(2^-24). Rounding adds half an ulp. */
    for (float x = -20; x < 20; x += 0.37f)
        assert_true(fabs((double)call(GP_COMPLEX_EXP2, x, 2) / exp2((double)x) - 1) <=
                    ldexp(1, -23));
}

/* --- outputs --- */

/* The seed's transforms as programs. pass.clamp reads its bounds from the row, where x is the
 * lower bound (docs/hardware/utgard.md, section 12, item 2). */
TEST(clamp_takes_its_bounds_from_the_row)
{
    static const float values[][2] = {{-2, -1}, {0.25f, 0.25f}, {9, 4}};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct bench bench = {.attributes = {{values[i][0]}}, .rows = {[6] = {-1, 4}}};
        struct gp_insn *insn = add(&bench);
        insn->register0_attribute = 1;
        insn->pass_op = GP_PASS_CLAMP;
        insn->pass_src = GP_SRC_LOAD0_X;
        insn->load_addr = 6;
        insn->store0_src_x = GP_STORE_PASS;
        insn->store0_varying = 1;
        run(&bench);
        check_float(bench.varyings[0][0], values[i][1]);
    }
}

/* The operation select(A, B, C) returns C if B is true, else A (docs/hardware/utgard.md, section
 * 12, item 1). */
TEST(select_takes_c_if_b)
{
    static const float conditions[][2] = {{0, 2}, {1, 3}, {-0.0f, 2}, {-5, 3}, {1e-30f, 3}};
    for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++) {
        struct bench bench = {.attributes = {{conditions[i][0]}}, .rows = {{2, 3}}};
        struct gp_insn *insn = add(&bench);
        insn->register0_attribute = 1;
        insn->mul_op = GP_MUL_SELECT;
        insn->mul0_src0 = GP_SRC_ROW_X;
        insn->mul0_src1 = GP_SRC_LOAD0_X;
        insn->mul1_src0 = GP_SRC_ROW_Y;
        insn->store0_src_x = GP_STORE_MUL0;
        insn->store0_varying = 1;
        run(&bench);
        check_float(bench.varyings[0][0], conditions[i][1]);
    }
}

/* --- operations --- */

TEST(accumulator_operations)
{
    static const struct {
        unsigned op;
        float a, b, expected;
    } rows[] = {
        /* clang-format off */
        /* clang-format off */
        {GP_ACC_ADD,   1.5f,  2.25f, 3.75f},
        {GP_ACC_FLOOR, 2.75f, 9,     2},
        {GP_ACC_FLOOR, -2.1f, 9,     -3},
        {GP_ACC_SIGN,  7,     9,     1},
        {GP_ACC_SIGN,  -7,    9,     -1},
        {GP_ACC_SIGN,  0,     9,     0},
        {GP_ACC_GE,    2,     2,     1},
        {GP_ACC_GE,    1,     2,     0},
        {GP_ACC_LT,    2,     2,     0},
        {GP_ACC_LT,    1,     2,     1},
        {GP_ACC_MIN,   -1,    2,     -1},
        {GP_ACC_MAX,   -1,    2,     2},
        {GP_ACC_MIN,   1,     0,     0}, /* min works as a logical and */
        {GP_ACC_MAX,   1,     0,     1}, /* max works as a logical or */
        /* clang-format on */
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bench bench = {.attributes = {{rows[i].a, rows[i].b}}};
        struct gp_insn *insn = add(&bench);
        insn->register0_attribute = 1;
        insn->acc_op = (uint16_t)rows[i].op;
        insn->acc0_src0 = insn->acc1_src0 = GP_SRC_LOAD0_X;
        insn->acc0_src1 = insn->acc1_src1 = GP_SRC_LOAD0_Y;
        insn->store0_src_x = GP_STORE_ACC0;
        insn->store0_src_y = GP_STORE_ACC1;
        insn->store0_varying = 1;
        run(&bench);
        check_float(bench.varyings[0][0], rows[i].expected);
        check_float(bench.varyings[0][1], rows[i].expected);
    }
}

/* abs(a) is computed as max(a, -a). Multipliers can negate their results. */
TEST(negation)
{
    struct bench bench = {.attributes = {{-3, 5}}};
    struct gp_insn *insn = add(&bench);
    insn->register0_attribute = 1;
    insn->acc_op = GP_ACC_MAX;
    insn->acc0_src0 = insn->acc0_src1 = GP_SRC_LOAD0_X;
    insn->acc0_src1_neg = 1;
    insn->acc1_src0 = insn->acc1_src1 = GP_SRC_LOAD0_Y;
    insn->acc1_src0_neg = 1;
    insn->mul0_src0 = insn->mul1_src0 = GP_SRC_LOAD0_X;
    insn->mul0_src1 = insn->mul1_src1 = GP_SRC_LOAD0_Y;
    insn->mul1_neg = 1;
    insn->store0_varying = insn->store1_varying = 1;
    insn->store0_src_x = GP_STORE_ACC0;
    insn->store0_src_y = GP_STORE_ACC1;
    insn->store1_src_z = GP_STORE_MUL0;
    insn->store1_src_w = GP_STORE_MUL1;
    run(&bench);
    check_float(bench.varyings[0][0], 3);
    check_float(bench.varyings[0][1], 5);
    check_float(bench.varyings[0][2], -15);
    check_float(bench.varyings[0][3], 15);
}

/* --- branches --- */

/* If the condition is not 0, the program branches to instruction 3, and skips the store in
 * instruction 2. */
TEST(branches)
{
    for (unsigned condition = 0; condition < 2; condition++) {
        struct bench bench = {.attributes = {{(float)condition}}, .rows = {{1, 2}}};
        struct gp_insn *insn;
        put_source(&bench, GP_SRC_ROW_X, 0);
        insn = add(&bench);
        insn->register0_attribute = 1;
        insn->pass_src = GP_SRC_LOAD0_X;
        insn->branch = 1;
        insn->unknown_1 = GP_FLAGS_BRANCH;
        gp_set_branch_target(insn, 3);
        put_source(&bench, GP_SRC_ROW_Y, 0);
        put_source(&bench, GP_SRC_ROW_Y, 1);
        run(&bench);
        check_float(bench.varyings[0][0], condition ? 1 : 2);
        check_float(bench.varyings[1][0], 2);
    }
}

/* A program counts to 300 in a loop at instructions above 255, so its branch needs bit 8 of the
 * target. The instruction with the branch also stores the counter, and the counter can be read
 * at the branch's target (docs/hardware/utgard.md, section 6). */
TEST(far_branches)
{
    enum { HEAD = 260, LENGTH = HEAD + 8 };
    static struct gp_insn code[LENGTH];
    static uint32_t words[LENGTH * GP_WORDS];
    float varying[4] = {0}, rows[1][4] = {{1, 300}};
    struct tess_gp_varying varyings[TESS_GP_VARYINGS] = {
        {.data = varying, .size = 16, .components = 4}};
    const struct tess_gp_options options = {.machine.threads = 1};
    const struct tess_gp_batch batch = {.varyings = varyings, .count = 1};
    struct tess_gp_program *program;
    struct tess_gp *gp;
    for (unsigned i = 0; i < LENGTH; i++)
        code[i] = gp_nop();
    code[0].mul0_src0 = GP_SRC_ROW_X; /* stores 1 to $0.x */
    code[0].mul0_src1 = GP_SRC_IDENTITY;
    code[0].store0_src_x = GP_STORE_MUL0;
    code[HEAD].acc0_src0 = GP_SRC_LOAD0_X; /* acc0 adds 1 */
    code[HEAD].acc0_src1 = GP_SRC_ROW_X;
    code[HEAD + 1].acc_op = GP_ACC_LT;
    code[HEAD + 1].acc0_src0 = GP_SRC_ACC0_P1;
    code[HEAD + 1].acc0_src1 = GP_SRC_ROW_Y;
    code[HEAD + 1].mul0_src0 = GP_SRC_ACC0_P1;
    code[HEAD + 1].mul0_src1 = GP_SRC_IDENTITY;
    code[HEAD + 2].pass_src = GP_SRC_ACC0_P1;
    code[HEAD + 2].branch = 1;
    code[HEAD + 2].unknown_1 = GP_FLAGS_BRANCH;
    gp_set_branch_target(&code[HEAD + 2], HEAD);
    code[HEAD + 2].mul0_src0 = GP_SRC_MUL0_P1;
    code[HEAD + 2].mul0_src1 = GP_SRC_IDENTITY;
    code[HEAD + 2].store0_src_x = GP_STORE_MUL0;
    code[LENGTH - 1].mul0_src0 = GP_SRC_LOAD0_X;
    code[LENGTH - 1].mul0_src1 = GP_SRC_IDENTITY;
    code[LENGTH - 1].store0_src_x = GP_STORE_MUL0;
    code[LENGTH - 1].store0_varying = 1;
    for (unsigned i = 0; i < LENGTH; i++)
        gp_encode(&code[i], words + (size_t)i * GP_WORDS);
    assert_int_equal(tess_gp_program_words(words, LENGTH, &program), TESS_OK);
    assert_int_equal(tess_gp_create(&gp, &options), TESS_OK);
    assert_int_equal(tess_gp_load(gp, program), TESS_OK);
    assert_int_equal(tess_gp_set_rows(gp, 0, rows[0], 1), TESS_OK);
    assert_int_equal(tess_gp_run(gp, &batch), TESS_OK);
    check_float(varying[0], 300);
    struct tess_gp_stats stats;
    tess_gp_get_stats(gp, &stats);
    assert_int_equal(stats.taken, 298);
    tess_gp_destroy(gp);
    tess_gp_program_free(program);
}
