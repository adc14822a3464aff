/* SPDX-License-Identifier: MIT */
/* trace.c - tests the operations in the steps of a trace, and the state before each step.
 *
 * The values are calculated by hand from the table of operations in src/isa/a2xx/ops.def. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include <tessera/a2xx.h>

#include "../../register.h"
#include "../../step_text.h"

enum { STEPS_MOST = 8 };

struct seen {
    unsigned steps;
    char operations[STEPS_MOST][300];
    float before[STEPS_MOST][4], after[STEPS_MOST][4]; /* R1 */
    int32_t a0_before[STEPS_MOST], a0[STEPS_MOST];
};

static bool look(void *user, const struct tess_a2xx_step *step)
{
    struct seen *seen = user;
    unsigned at = seen->steps++;
    assert_true(at < STEPS_MOST);
    struct text operations = {seen->operations[at], sizeof seen->operations[0], 0};
    step_text(&operations, step->operations, step->operation_count);
    memcpy(seen->before[at], step->before.registers[1], sizeof seen->before[0]);
    memcpy(seen->after[at], step->registers[1], sizeof seen->after[0]);
    seen->a0_before[at] = step->before.a0;
    seen->a0[at] = step->a0;
    return true;
}

static void trace(const char *source, size_t lane, struct seen *seen)
{
    static float in[2][4] = {{9, 9, 9, 9}, {3, 0, 0, 0}}, out[2][4];
    struct tess_a2xx_program *program;
    struct tess_a2xx *a2xx;
    assert_int_equal(tess_a2xx_program_read(source, strlen(source), "a.a2xx", NULL,
                                            (struct tess_sink){0}, &program),
                     TESS_OK);
    assert_int_equal(tess_a2xx_create(&a2xx, NULL), TESS_OK);
    assert_int_equal(tess_a2xx_load(a2xx, TESS_A2XX_PIXEL, program), TESS_OK);
    struct tess_a2xx_batch batch = {.stage = TESS_A2XX_PIXEL, .count = 2};
    batch.registers[0] = (const float(*)[4])in;
    batch.exports[0] = out;
    assert_int_equal(tess_a2xx_trace(a2xx, &batch, lane, look, seen), TESS_OK);
    tess_a2xx_destroy(a2xx);
    tess_a2xx_program_free(program);
}

/* Operands have their values before the instruction, although R1 is also a destination. The
 * predicate is 0 at the start, so an instruction for 1 (EQ) is skipped. */
TEST(test_operations)
{
    struct seen seen = {0};
    trace("@const(C0) 1.0, -2.0, 0.5, 2.0\n"
          "@const(C3) 10.0, 20.0, 30.0, 40.0\n"
          "ALLOC PARAM/PIXEL SIZE(0x0)\n"
          "EXEC_END\n"
          "    ALU: MOVAv R1.xy__ = C0\n"
          "    ALU: MULv R1 = -|R1.yxyx|, C[a0+1]\n"
          "         ADDs R3.x___ = R1.yxyx\n"
          "    ALU: MAXvEQ R1 = R0, R0\n"
          "    ALU: MULv export0 = R1, R0.x\n"
          "         MUL_CONST export0.____ = C3.y, R0.x\n",
          1, &seen);
    assert_int_equal(seen.steps, 6);
    assert_string_equal(seen.operations[0], "ALLOC PARAM/PIXEL SIZE(0x0):\n");
    assert_string_equal(seen.operations[1], "EXEC_END:\n");
    assert_string_equal(seen.operations[2],
                        "ALU:    MOVAv   R1.xy__ = C0: C0=1,-2,0.5,2 -> 1,-2,0.5,2\n");
    assert_string_equal(seen.operations[3],
                        "ALU:    MULv    R1 = -|R1.yxyx|, C[a0+1]: -|R1.yxyx|=-2,-1,-2,-1 "
                        "C[a0+1]=10,20,30,40 -> -20,-20,-60,-40\n"
                        "ADDs    R3.x___ = R1.yxyx: R1.yxyx=-2,1,-2,1 -> -1\n");
    assert_string_equal(seen.operations[4],
                        "ALU:    MAXvEQ  R1 = R0, R0: R0=3,0,0,0 R0=3,0,0,0 skipped\n");
    assert_string_equal(seen.operations[5],
                        "ALU:    MULv    export0 = R1, R0.xxxx: R1=-20,-20,-60,-40 "
                        "R0.xxxx=3,3,3,3 -> -60,-60,-180,-120\n"
                        "MUL_CONST export0.____ = C3.y, R0.x: C3.y=20 R0.x=3 -> 60\n");
    const float old[4] = {1, -2, 0, 0}, new[4] = {-20, -20, -60, -40}, none[4] = {0};
    assert_memory_equal(seen.before[2], none, sizeof none);
    assert_memory_equal(seen.after[2], old, sizeof old);
    assert_memory_equal(seen.before[3], old, sizeof old);
    assert_memory_equal(seen.after[3], new, sizeof new);
    assert_int_equal(seen.a0_before[2], 0);
    assert_int_equal(seen.a0[2], 2);
    assert_int_equal(seen.a0_before[3], 2);
}

/* A jump that is not taken, and registers and constants relative to the loop counter. */
TEST(test_control)
{
    struct seen seen = {0};
    trace("@const(C8) 5.0, 6.0, 7.0, 8.0\n"
          "@loop(0) 1, 3, 1\n"
          "ALLOC PARAM/PIXEL SIZE(0x0)\n"
          "COND_JMP ADDR(last) COND(1) BOOL_ADDR(0x0)\n"
          "loop:\n"
          "LOOP_START ADDR(last) LOOP_ID(0)\n"
          "EXEC\n"
          "    ALU: ADDv R1 = R[aL+61], C[aL+5].wzyx\n"
          "LOOP_END ADDR(loop) LOOP_ID(0)\n"
          "last:\n"
          "EXEC_END\n"
          "    ALU: MAXv export0 = R1, R1\n",
          1, &seen);
    assert_int_equal(seen.steps, 8);
    assert_non_null(strstr(seen.operations[1], ": not taken\n"));
    assert_string_equal(seen.operations[4],
                        "ALU:    ADDv    R1 = R[aL+61], C[aL+5].wzyx: R[aL+61]=3,0,0,0 "
                        "C[aL+5].wzyx=8,7,6,5 -> 11,7,6,5\n");
}
