/* SPDX-License-Identifier: MIT */
/* core.c - tests the shader core without the ALU's operations: control flow, address registers,
 * predicates, exports to memory, lanes. Expected values were derived by hand from
 * docs/hardware/a2xx.md, sections 4, 10 to 12 and 24. */
#include <math.h>

#include "../../register.h"
#include "rig.h"

static struct rig rig;

static int begin(void **state)
{
    (void)state;
    memset(&rig, 0, sizeof rig);
    rig.stage = TESS_A2XX_PIXEL;
    return 0;
}

static int end(void **state)
{
    (void)state;
    rig_free(&rig);
    return 0;
}

/* Appends the instruction R1 += C[number]. */
static void add_constant(unsigned number, bool relative)
{
    rig_alu(&rig, (struct a2xx_alu){RIG_OPS(A2XX_V_ADD, A2XX_S_RETAIN_PREV), .src1_sel = 1,
                                    .src1 = 1, .src2 = number, .const_0_rel = relative,
                                    .vector_dest = 1, .vector_write_mask = 15});
}

static void export_r1(void)
{
    rig_alu(&rig,
            (struct a2xx_alu){RIG_OPS(A2XX_V_MAX, A2XX_S_RETAIN_PREV), RIG_REGISTERS,
                              .export_data = 1, .vector_write_mask = 15, .src1 = 1, .src2 = 1});
}

static void clause(unsigned opcode, unsigned address, unsigned count)
{
    rig_exec(&rig, (struct a2xx_exec){.opcode = opcode, .address = address, .count = count});
}

static void finish(unsigned address)
{
    rig_alloc(&rig, A2XX_BUFFER_PARAM_PIXEL, 0);
    clause(A2XX_CF_EXEC_END, address, 1);
}

static void loop(unsigned opcode, unsigned target, unsigned id)
{
    rig_loop(&rig, (struct a2xx_loop){.opcode = opcode, .address = target, .loop_id = id});
}

/* Constant n is 2^n, so the bits of the sum show which constants were added. */
static void load_powers(void)
{
    rig.inputs = 2;
    rig_load(&rig);
    for (unsigned i = 0; i < 24; i++)
        rig_constant(&rig, i, (float)(1u << i), 0, 0, 0);
}

static float sum(void)
{
    assert_int_equal(rig_run(&rig, 1), TESS_OK);
    return rig.out[0][0][0];
}

/* aL is iteration * step + start, which is 3, 5, 7. */
TEST_WITH(test_loop, begin, end)
{
    loop(A2XX_CF_LOOP_START, 3, 2);
    clause(A2XX_CF_EXEC, 0, 1);
    loop(A2XX_CF_LOOP_END, 1, 2);
    finish(1);
    add_constant(1, true);
    export_r1();
    load_powers();
    assert_int_equal(tess_a2xx_set_loop(rig.a2xx, 2, 3, 3, 2), TESS_OK);
    assert_float_equal(sum(), (1 << 4) + (1 << 6) + (1 << 8), 0);
    assert_int_equal(rig.findings, 0);
    assert_int_equal(tess_a2xx_set_loop(rig.a2xx, 2, 0, 3, 2), TESS_OK); /* the body is skipped */
    assert_float_equal(sum(), 0, 0);
    assert_int_equal(tess_a2xx_set_loop(rig.a2xx, 2, 3, 9, -4), TESS_OK);
    assert_float_equal(sum(), (1 << 10) + (1 << 6) + (1 << 2), 0);
}

/* aL belongs to the innermost loop that contains the instruction. It is 4, 6, 8 in the inner
 * loop, and 16 and 17 after the inner loop. */
TEST_WITH(test_nested_loops, begin, end)
{
    loop(A2XX_CF_LOOP_START, 6, 0);
    loop(A2XX_CF_LOOP_START, 4, 1);
    clause(A2XX_CF_EXEC, 0, 1);
    loop(A2XX_CF_LOOP_END, 2, 1);
    clause(A2XX_CF_EXEC, 1, 1);
    loop(A2XX_CF_LOOP_END, 1, 0);
    finish(2);
    add_constant(0, true);
    add_constant(0, true);
    export_r1();
    load_powers();
    assert_int_equal(tess_a2xx_set_loop(rig.a2xx, 0, 2, 16, 1), TESS_OK);
    assert_int_equal(tess_a2xx_set_loop(rig.a2xx, 1, 3, 4, 2), TESS_OK);
    assert_float_equal(sum(), 2 * ((1 << 4) + (1 << 6) + (1 << 8)) + (1 << 16) + (1 << 17), 0);
    assert_int_equal(rig.findings, 0);
}

/* REPEAT keeps the iteration count of the first loop, which has reached 3. So a second loop with
 * the same constant is skipped. */
TEST_WITH(test_repeat, begin, end)
{
    loop(A2XX_CF_LOOP_START, 3, 0);
    clause(A2XX_CF_EXEC, 0, 1);
    loop(A2XX_CF_LOOP_END, 1, 0);
    rig_loop(&rig, (struct a2xx_loop){
                       .opcode = A2XX_CF_LOOP_START, .address = 6, .loop_id = 0, .repeat = 1});
    clause(A2XX_CF_EXEC, 0, 1);
    loop(A2XX_CF_LOOP_END, 4, 0);
    finish(1);
    add_constant(0, false);
    export_r1();
    load_powers();
    assert_int_equal(tess_a2xx_set_loop(rig.a2xx, 0, 3, 0, 0), TESS_OK);
    assert_float_equal(sum(), 3, 0);
}

static void jump(unsigned opcode, unsigned target, bool forced)
{
    rig_jump(&rig,
             (struct a2xx_jump){.opcode = opcode, .address = target, .unconditional = forced});
}

/* A subroutine is called twice, and calls another subroutine. RETURN outside of a subroutine has
 * no effect. */
TEST_WITH(test_calls, begin, end)
{
    jump(A2XX_CF_RETURN, 0, true);
    jump(A2XX_CF_COND_CALL, 5, true);
    jump(A2XX_CF_COND_CALL, 5, true);
    finish(2);
    clause(A2XX_CF_EXEC, 0, 1); /* the subroutine at 5 */
    jump(A2XX_CF_COND_CALL, 8, true);
    jump(A2XX_CF_RETURN, 0, true);
    clause(A2XX_CF_EXEC, 1, 1); /* the subroutine at 8 */
    jump(A2XX_CF_RETURN, 0, true);
    add_constant(4, false);
    add_constant(8, false);
    export_r1();
    load_powers();
    assert_float_equal(sum(), 2 * (1 << 4) + 2 * (1 << 8), 0);
    assert_int_equal(rig.findings, 0);
}

/* Boolean constants control an EXEC, a JMP, and an EXEC_END. If the condition of the EXEC_END is
 * false, the program continues. */
TEST_WITH(test_booleans, begin, end)
{
    rig_exec(&rig, (struct a2xx_exec){.opcode = A2XX_CF_COND_EXEC_END,
                                      .address = 0,
                                      .count = 1,
                                      .bool_address = 200,
                                      .condition = 1});
    rig_exec(&rig, (struct a2xx_exec){.opcode = A2XX_CF_COND_EXEC,
                                      .address = 1,
                                      .count = 1,
                                      .bool_address = 201,
                                      .condition = 1});
    rig_jump(&rig,
             (struct a2xx_jump){
                 .opcode = A2XX_CF_COND_JMP, .address = 4, .bool_address = 200, .condition = 0});
    clause(A2XX_CF_EXEC, 0, 1);
    finish(2);
    add_constant(4, false);
    add_constant(8, false);
    export_r1();
    load_powers();
    assert_int_equal(tess_a2xx_set_bool(rig.a2xx, 200, false), TESS_OK);
    assert_int_equal(tess_a2xx_set_bool(rig.a2xx, 201, true), TESS_OK);
    assert_float_equal(sum(), 256, 0);
    assert_int_equal(tess_a2xx_set_bool(rig.a2xx, 200, true), TESS_OK);
    rig.out[0][0][0] = 99;
    assert_float_equal(sum(), 99, 0); /* the condition of END is true: no exports */
}

/* Lanes take different paths at a jump and join again later. Each lane must have the same result
 * as if it were alone. */
TEST_WITH(test_parting, begin, end)
{
    clause(A2XX_CF_EXEC, 0, 1);
    rig_jump(&rig, (struct a2xx_jump){
                       .opcode = A2XX_CF_COND_JMP, .address = 4, .predicated = 1, .condition = 1});
    clause(A2XX_CF_EXEC, 1, 1);
    jump(A2XX_CF_COND_JMP, 5, true);
    clause(A2XX_CF_EXEC, 2, 1);
    clause(A2XX_CF_EXEC, 3, 1);
    finish(4);
    rig_alu(&rig, (struct a2xx_alu){RIG_OPS(A2XX_V_MAX, A2XX_S_PRED_SETGT), RIG_REGISTERS,
                                    .scalar_dest = 2, .scalar_write_mask = 1, .src3 = 0});
    add_constant(4, false);
    add_constant(8, false);
    add_constant(0, false);
    export_r1();
    load_powers();
    for (unsigned i = 0; i < 100; i++)
        rig.in[0][i][3] = i % 3 ? 1 : 0;
    assert_int_equal(rig_run(&rig, 100), TESS_OK);
    for (unsigned i = 0; i < 100; i++)
        assert_float_equal(rig.out[0][i][0], 1 + (i % 3 ? 1 << 8 : 1 << 4), 0);
    assert_int_equal(rig_found(&rig, "a2xx-divergent-jump"), 1);
    struct tess_a2xx_stats stats;
    tess_a2xx_get_stats(rig.a2xx, &stats);
    assert_int_equal(stats.alu, 100 * 4);
    assert_int_equal(stats.lanes, 100);
}

/* An instruction with a false predicate has no effect: it writes no register, does not change
 * the previous result, and does not kill (docs/hardware/a2xx.md, section 12). */
TEST_WITH(test_predicated, begin, end)
{
    const struct a2xx_alu alu[] = {
        {RIG_OPS(A2XX_V_MAX, A2XX_S_PRED_SETE), RIG_REGISTERS, .scalar_dest = 2,
         .scalar_write_mask = 1, .src3 = 0},
        {RIG_OPS(A2XX_V_MAX, A2XX_S_KILLE), RIG_REGISTERS, .scalar_dest = 1, .scalar_write_mask = 1,
         .src3 = 0, .is_predicated = 1, .pred_condition = 0},
        {RIG_OPS(A2XX_V_MAX, A2XX_S_RETAIN_PREV), RIG_REGISTERS, .scalar_dest = 1,
         .scalar_write_mask = 2, .is_predicated = 1, .pred_condition = 1},
        {RIG_OPS(A2XX_V_MAX, A2XX_S_RETAIN_PREV), RIG_REGISTERS, .export_data = 1,
         .vector_write_mask = 15, .src1 = 1, .src2 = 1},
    };
    rig.inputs = 2;
    rig.in[1][0][0] = rig.in[1][0][1] = 77;
    rig_pixel(&rig, alu, 4);
    assert_int_equal(rig_run(&rig, 1), TESS_OK);
    assert_float_equal(rig.out[0][0][0], 77, 0);
    assert_float_equal(rig.out[0][0][1], 0, 0); /* PRED_SETEs returns 0 if true */
    struct tess_a2xx_stats stats;
    tess_a2xx_get_stats(rig.a2xx, &stats);
    assert_int_equal(stats.killed, 0);
}

/* R0.x is the vertex number, counted from the batch's base. If R0 is an input, R0 has the
 * input's value instead. */
TEST_WITH(test_numbers, begin, end)
{
    rig.stage = TESS_A2XX_VERTEX;
    rig_alloc(&rig, A2XX_BUFFER_POSITION, 0);
    clause(A2XX_CF_EXEC_END, 0, 1);
    rig_alu(&rig, (struct a2xx_alu){RIG_OPS(A2XX_V_MAX, A2XX_S_RETAIN_PREV), RIG_REGISTERS,
                                    .export_data = 1, .vector_dest = 62, .vector_write_mask = 15,
                                    .src1_swiz = 0x6c, .src2_swiz = 0x6c});
    rig_load(&rig);
    rig.batch.base = 1000;
    assert_int_equal(rig_run(&rig, 130), TESS_OK);
    for (unsigned i = 0; i < 130; i++)
        assert_float_equal(rig.out[62][i][3], 1000 + (float)i, 0);
    rig.batch.registers[0] = (const float(*)[4])rig.in[0];
    for (unsigned i = 0; i < 129; i++)
        rig.in[0][i][0] = 1; /* a w of 0 would cause a finding */
    rig.in[0][129][0] = 5;
    assert_int_equal(rig_run(&rig, 130), TESS_OK);
    assert_float_equal(rig.out[62][129][0], 5, 0);
    assert_int_equal(rig.findings, 0);
}

/* Exports to elements R0.x and R0.x + 1 of a stream at 0x1000 with 12 elements. export32 is the
 * address, (0, 1, 0, 0) * R0.x + C2, and export33 and export34 are the data, R1. z contains the
 * format: on Adreno, bits 12 to 15 are 5 (8_8_8_8), and on the Xenos bits 8 to 13 are 6. */
static void memory_program(enum tess_a2xx_variant variant, uint32_t z)
{
    rig.variant = variant;
    rig_alloc(&rig, A2XX_BUFFER_MEMORY, 2);
    clause(A2XX_CF_EXEC, 0, 3);
    finish(3);
    rig_alu(&rig, (struct a2xx_alu){RIG_OPS(A2XX_V_MULADD, A2XX_S_RETAIN_PREV), .src2_sel = 1,
                                    .src1 = 1, .src2 = 0, .src2_swiz = 0x6c, .src3 = 2,
                                    .export_data = 1, .vector_dest = 32, .vector_write_mask = 15});
    for (unsigned i = 33; i < 35; i++)
        rig_alu(&rig, (struct a2xx_alu){RIG_OPS(A2XX_V_MAX, A2XX_S_RETAIN_PREV), RIG_REGISTERS,
                                        .export_data = 1, .vector_dest = i, .vector_write_mask = 15,
                                        .src1 = 1, .src2 = 1});
    export_r1();
    rig.inputs = 2;
    rig_load(&rig);
    rig_constant(&rig, 1, 0, 1, 0, 0);
    rig_constant(&rig, 2, bits_float(0x40000000 | 0x1000 / 4), 0x1p23f, bits_float(0x4b000000 | z),
                 bits_float(0x4b000000 | 12));
    for (unsigned i = 0; i < 8; i++) {
        rig.in[0][i][0] = (float)(2 * i);
        memcpy(rig.in[1][i], (const float[4]){(float)i / 255, 0.2f, 1, 0}, sizeof rig.in[1][i]);
    }
}

TEST_WITH(test_memory, begin, end)
{
    uint8_t bytes[64];
    memset(bytes, 0xee, sizeof bytes);
    memory_program(TESS_A2XX_ADRENO, 0x5000);
    assert_int_equal(tess_a2xx_map(rig.a2xx, 0x1000, bytes, sizeof bytes, true), TESS_OK);
    assert_int_equal(rig_run(&rig, 8), TESS_OK);
    for (unsigned i = 0; i < 16; i++) { /* lanes 6 and 7 export beyond the 12 elements */
        const uint8_t wanted[4] = {(uint8_t)(i / 2), 51, 255, 0};
        for (unsigned c = 0; c < 4; c++)
            assert_int_equal(bytes[4 * i + c], i < 12 ? wanted[c] : 0xee);
    }
    assert_int_equal(rig_found(&rig, "a2xx-memory-index"), rig.findings);
    assert_float_equal(rig.out[34][3][1], 0.2, 1e-6); /* the array for this export also has the
                                                         value */
}

/* Tests an export in which the bytes of each dword are reversed (endian 2), red and blue are
 * swapped (bit 19), and numbers are signed integers (number format 3). */
TEST_WITH(test_memory_xenos, begin, end)
{
    uint8_t bytes[64] = {0};
    memory_program(TESS_A2XX_XENOS, 6 << 8 | 3 << 16 | 1 << 19 | 2);
    memcpy(rig.in[1][0], (const float[4]){1, -2, 3, 4}, sizeof rig.in[1][0]);
    assert_int_equal(tess_a2xx_map(rig.a2xx, 0x1000, bytes, sizeof bytes, true), TESS_OK);
    assert_int_equal(rig_run(&rig, 1), TESS_OK);
    const uint8_t wanted[4] = {4, 1, 0xfe, 3};
    assert_memory_equal(bytes, wanted, 4);
    assert_memory_equal(bytes + 4, wanted, 4);
}

/* Helper lanes export nothing. Exports without an array are ignored. A batch of quads must have
 * complete quads. */
TEST_WITH(test_helpers, begin, end)
{
    static const uint8_t helper[4] = {0, 1, 0, 1};
    finish(0);
    export_r1();
    rig.inputs = 2;
    rig_load(&rig);
    for (unsigned i = 0; i < 4; i++)
        rig.in[1][i][0] = 5;
    rig.batch.helper = helper;
    rig.batch.quads = true;
    assert_int_equal(rig_run(&rig, 4), TESS_OK);
    for (unsigned i = 0; i < 4; i++)
        assert_float_equal(rig.out[0][i][0], (i % 2 ? 0 : 5), 0);
    assert_int_equal(rig_run(&rig, 3), TESS_INVALID);
    memset(rig.batch.exports, 0, sizeof rig.batch.exports);
    assert_int_equal(rig_run(&rig, 4), TESS_OK);
    rig.batch.stage = TESS_A2XX_VERTEX; /* no program is loaded for this stage */
    assert_int_equal(rig_run(&rig, 4), TESS_INVALID);
}

TEST_WITH(test_create, begin, end)
{
    assert_int_equal(tess_a2xx_create(NULL, NULL), TESS_INVALID);
}

/* The registers SQ_VS_CONST and SQ_PS_CONST define a window of constants for each stage.
 * Constants outside of the window cannot be set, and read as 0. */
TEST_WITH(test_windows, begin, end)
{
    const float values[4] = {1, 2, 3, 4};
    clause(A2XX_CF_EXEC, 0, 1);
    finish(1);
    add_constant(10, false);
    export_r1();
    rig.inputs = 2;
    rig_load(&rig);
    assert_int_equal(tess_a2xx_set_window(rig.a2xx, TESS_A2XX_PIXEL, 500, 12), TESS_OK);
    assert_int_equal(tess_a2xx_set_window(rig.a2xx, TESS_A2XX_PIXEL, 500, 13), TESS_INVALID);
    assert_int_equal(tess_a2xx_set_constants(rig.a2xx, TESS_A2XX_PIXEL, 10, values, 1), TESS_OK);
    assert_int_equal(tess_a2xx_set_constants(rig.a2xx, TESS_A2XX_PIXEL, 12, values, 1),
                     TESS_INVALID);
    assert_float_equal(sum(), 1, 0);
    assert_int_equal(tess_a2xx_set_window(rig.a2xx, TESS_A2XX_PIXEL, 500, 10), TESS_OK);
    assert_float_equal(sum(), 0, 0);
    assert_int_equal(rig_found(&rig, "a2xx-constant-range"), 1);
}
