/* SPDX-License-Identifier: MIT */
/* flow.c - tests control flow of 64 lanes: lanes that agree, and lanes that disagree, which
 * causes findings. See docs/hardware/a2xx.md, sections 4 and 27. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <tessera/a2xx.h>
#include <tessera/isa.h>

#include "../../register.h"

enum { VECTOR = 64, LANES = 2 * VECTOR };

/* R0.x of each lane before the run, and export0 of each lane after it. */
static float input[LANES][4], colour[LANES][4];
static unsigned divergent, others;

static void complain(void *user, const struct tess_finding *diag)
{
    (void)user;
    if (diag->id && strcmp(diag->id, "a2xx-divergent-jump") == 0)
        divergent++;
    else
        others++;
}

/* Runs a pixel program. */
static void run(const char *text)
{
    const struct tess_asm_options options = {.machine = TESS_MACHINE_A2XX};
    struct tess_a2xx_options machine = {.machine.threads = 1};
    const struct tess_sink sink = {complain, NULL};
    struct tess_a2xx_batch batch = {.stage = TESS_A2XX_PIXEL, .count = LANES};
    struct tess_a2xx_program *program;
    struct tess_a2xx *a2xx;
    divergent = others = 0;
    memset(colour, 0, sizeof colour);
    assert_int_equal(tess_a2xx_program_read(text, strlen(text), "flow.a2xx", &options,
                                            (struct tess_sink){0}, &program),
                     TESS_OK);
    machine.machine.sink = sink;
    assert_int_equal(tess_a2xx_create(&a2xx, &machine), TESS_OK);
    assert_int_equal(tess_a2xx_load(a2xx, TESS_A2XX_PIXEL, program), TESS_OK);
    batch.registers[0] = (const float(*)[4])input;
    batch.exports[0] = colour;
    assert_int_equal(tess_a2xx_run(a2xx, &batch), TESS_OK);
    tess_a2xx_destroy(a2xx);
    tess_a2xx_program_free(program);
    assert_int_equal(others, 0);
}

/* --- breaks --- */

/* A lane needs R0.x iterations. All lanes of a vector execute the iterations of the lane with
 * the largest number. Another vector has another largest number. The break causes a finding,
 * because the result of a lane depends on the other lanes. */
TEST(test_break)
{
    static const char text[] = "@varying(R0) rounds\n"
                               "@const(C0) 1.0, 0.0, 0.0, 0.0\n"
                               "@loop(0) 10, 0, 1\n"
                               "EXEC ALU: MAXv R1 = C0.yyyy, C0.yyyy\n"
                               "LOOP_START ADDR(done) LOOP_ID(0)\n"
                               "body:\n"
                               "EXEC ALU: ADDv R1.x___ = R1, C0\n"
                               "ALU: ADDv R1._y__ = R1.xxxx, -R0.xxxx\n"
                               "ALU: PRED_SETGTEs R1.__z_ = R1.yyyy\n"
                               "LOOP_END ADDR(body) LOOP_ID(0) PRED_BREAK COND(1)\n"
                               "done:\n"
                               "ALLOC PARAM/PIXEL SIZE(0)\n"
                               "EXEC_END ALU: MAXv export0 = R1, R1\n";
    for (unsigned lane = 0; lane < LANES; lane++)
        input[lane][0] = (float)(1 + lane % (lane < VECTOR ? 5 : 3));
    run(text);
    for (unsigned lane = 0; lane < LANES; lane++)
        assert_true(colour[lane][0] == (lane < VECTOR ? 5.0F : 3.0F));
    assert_int_equal(divergent, 1);
}

/* When the loop count is reached, the loop ends for all lanes, even if they have not left it. */
TEST(test_break_by_count)
{
    static const char text[] = "@varying(R0) rounds\n"
                               "@const(C0) 1.0, 0.0, 0.0, 0.0\n"
                               "@loop(0) 4, 0, 1\n"
                               "EXEC ALU: MAXv R1 = C0.yyyy, C0.yyyy\n"
                               "LOOP_START ADDR(done) LOOP_ID(0)\n"
                               "body:\n"
                               "EXEC ALU: ADDv R1.x___ = R1, C0\n"
                               "ALU: PRED_SETGTs R1.__z_ = R0.xxxx\n"
                               "LOOP_END ADDR(body) LOOP_ID(0) PRED_BREAK COND(1)\n"
                               "done:\n"
                               "ALLOC PARAM/PIXEL SIZE(0)\n"
                               "EXEC_END ALU: MAXv export0 = R1, R1\n";
    for (unsigned lane = 0; lane < LANES; lane++)
        input[lane][0] = lane < VECTOR ? lane != 9
                                       : 1; /* one lane of the first vector never breaks */
    run(text);
    for (unsigned lane = 0; lane < LANES; lane++)
        assert_true(colour[lane][0] == (lane < VECTOR ? 4.0F : 1.0F));
    assert_int_equal(divergent, 1);
}

/* Changes by lanes that have left the loop are predicated, or computed from constant inputs. So
 * each lane has the same result as if it were alone in a vector, and no finding is due. */
TEST(test_break_predicated)
{
    static const char text[] = "@varying(R0) rounds\n"
                               "@const(C0) 1.0, 0.0, 0.0, 0.0\n"
                               "@loop(0) 10, 0, 1\n"
                               "EXEC ALU: MAXv R1 = C0.yyyy, C0.yyyy\n"
                               "LOOP_START ADDR(done) LOOP_ID(0)\n"
                               "body:\n"
                               "EXEC ALU: ADDv R2.x___ = R0.xxxx, -R1.xxxx\n"
                               "ALU: PRED_SETGTs R2._y__ = R2.xxxx\n"
                               "ALU: ADDvEQ R1.x___ = R1, C0\n"
                               "LOOP_END ADDR(body) LOOP_ID(0) PRED_BREAK COND(0)\n"
                               "done:\n"
                               "ALLOC PARAM/PIXEL SIZE(0)\n"
                               "EXEC_END ALU: MAXv export0 = R1, R1\n";
    for (unsigned lane = 0; lane < LANES; lane++)
        input[lane][0] = (float)(1 + lane % 5);
    run(text);
    for (unsigned lane = 0; lane < LANES; lane++)
        assert_true(colour[lane][0] == (float)(1 + lane % 5));
    assert_int_equal(divergent, 0);
}

/* --- jumps --- */

#define JUMP(instruction)                    \
    "@varying(R0) x\n"                       \
    "@const(C0) 1.0, 0.0, 0.0, 0.0\n"        \
    "EXEC ALU: MAXv R1 = C0.yyyy, C0.yyyy\n" \
    "ALU: PRED_SETGTs R1.___w = R0.xxxx\n"   \
    "COND_JMP ADDR(done) PRED COND(0)\n"     \
    "EXEC ALU: " instruction "\n"            \
    "done:\n"                                \
    "ALLOC PARAM/PIXEL SIZE(0)\n"            \
    "EXEC_END ALU: MAXv export0 = R1, R1\n"

/* Checks a program in which every other lane jumps. `finding` is true if the result differs from
 * hardware, where all lanes take one path. */
static void check_jump(const char *text, bool finding)
{
    for (unsigned lane = 0; lane < LANES; lane++)
        input[lane][0] = (float)(lane & 1);
    run(text);
    for (unsigned lane = 0; lane < LANES; lane++)
        assert_true(colour[lane][0] == (float)(lane & 1));
    assert_int_equal(divergent != 0, finding);
}

TEST(test_jumps)
{
    check_jump(JUMP("MAXvEQ R1.x___ = C0, C0"), false);
    check_jump(JUMP("MAXv R1.x___ = C0, C0"), true);
    check_jump(JUMP("MAXvEQ R1.x___ = C0, C0\nALU: MAXv R2.x___ = C0, C0"), true);
    check_jump(JUMP("MAXvEQ R1.x___ = C0, C0\nPRED_SETGTs R1.___w = R0.xxxx"), true);
}
