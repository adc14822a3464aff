/* SPDX-License-Identifier: MIT */
/* operations.c - tests the operations of single instructions: their texts, and the texts and the
 * meaning of their operands. The values are 0 here; the models add them.
 *
 * The operands are those of the tables in docs/isa/gp.md and docs/isa/a2xx.md, written by hand in
 * each source. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include <tessera/a2xx.h>
#include <tessera/utgard.h>

#include "../register.h"
#include "../step_text.h"
#include "isa/a2xx/facts.h"
#include "isa/a2xx/print.h"
#include "isa/gp/facts.h"
#include "program/operations.h"

static struct operations operations;

static void expect(const char *wanted)
{
    char buffer[2000] = "";
    struct text text = {buffer, sizeof buffer, 0};
    step_text(&text, operations.list, operations.listed.count);
    assert_string_equal(buffer, wanted);
}

static void expect_operand(unsigned operation, unsigned number, struct listed_operand wanted)
{
    const struct listed_operand *found = &operations.listed.list[operation].operands[number];
    assert_true(number < operations.listed.list[operation].count);
    assert_int_equal(found->negative, wanted.negative);
    assert_int_equal(found->absolute, wanted.absolute);
    assert_int_equal(found->place, wanted.place);
    assert_int_equal(found->number, wanted.number);
    assert_int_equal(found->component_count, wanted.component_count);
    assert_memory_equal(found->components, wanted.components, wanted.component_count);
}

/* --- GP --- */

static struct tess_gp_program *read_gp(const char *source)
{
    struct tess_gp_program *program = NULL;
    assert_int_equal(
        tess_gp_program_read(source, strlen(source), "a.gp", NULL, (struct tess_sink){0}, &program),
        TESS_OK);
    return program;
}

TEST(test_gp_slots)
{
    struct tess_gp_program *program = read_gp(
        ".attribute position, 3\n"
        ".varying gl_Position, 2\n"
        ".uniform mvp, 4, 5\n"
        "load.reg0 1; acc0.mov reg0.x\n"
        "load.attr 3; load.reg1 7; load.unif 6, addr2; mul0.mul -reg0[-1].y, unif.x; "
        "mul1.mov attr.z; acc0.ge -acc0[-1], -reg1.w; acc1.ge complex[-1], ident; complex.addr1 "
        "pass[-2]; pass.clamp mul1[-1]; store0.varying 2, acc0, _; store1.reg 9, mul0, complex\n");
    operations_of_gp(&operations, program, 1);
    operations_note(&operations, program, 1, 8);
    expect("load.attr 3: (position)\n"
           "load.reg1 7:\n"
           "load.unif 6, addr2: (row 8, mvp[3])\n"
           "mul0.mul -reg0[-1].y, unif.x: -reg0[-1].y=0 unif.x=0\n"
           "mul1.mov attr.z: attr.z=0\n"
           "acc0.ge -acc0[-1], -reg1.w: -acc0[-1]=0 -reg1.w=0\n"
           "acc1.ge complex[-1], ident: complex[-1]=0 ident=0\n"
           "complex.addr1 pass[-2]: pass[-2]=0\n"
           "pass.clamp mul1[-1]: mul1[-1]=0\n"
           "store0.varying 2, acc0, _: acc0=0 (gl_Position)\n"
           "store1.reg 9, mul0, complex: mul0=0 complex=0\n");
    assert_int_equal(operations.listed.list[4].kind, GP_SLOT_MUL1);
    expect_operand(3, 0,
                   (struct listed_operand){.negative = true,
                                           .place = GP_FIRST,
                                           .number = GP_SRC_LOAD0_Y_P1,
                                           .component_count = 1,
                                           .components = {1}});
    expect_operand(6, 1,
                   (struct listed_operand){.place = GP_SECOND,
                                           .number = GP_SRC_IDENTITY,
                                           .component_count = 1,
                                           .components = {2}});
    expect_operand(10, 1,
                   (struct listed_operand){.place = GP_STORED,
                                           .number = GP_STORE_COMPLEX,
                                           .component_count = 1,
                                           .components = {2}});
    tess_gp_program_free(program);
}

/* Operands without a value are not listed: "unused", "src(9)", which no known program uses, and
 * "_". A branch, fields and an idle instruction have no operands. */
TEST(test_gp_without_values)
{
    struct tess_gp_program *program = read_gp("acc0.add src(9), acc1[-1]; field.store1_addr 3\n"
                                              "branch end\n"
                                              "end: nop\n");
    operations_of_gp(&operations, program, 0);
    expect("acc0.add src(9), acc1[-1]: acc1[-1]=0\n"
           "store1.reg 3, _, _:\n");
    operations_of_gp(&operations, program, 1);
    expect("branch end:\n");
    assert_int_equal(operations.listed.list[0].kind, GP_SLOT_BRANCH);
    operations_of_gp(&operations, program, 2);
    expect("nop:\n");
    tess_gp_program_free(program);
}

/* --- A2xx --- */

static struct tess_a2xx_program *read_a2xx(const char *source)
{
    struct tess_a2xx_program *program = NULL;
    assert_int_equal(tess_a2xx_program_read(source, strlen(source), "a.a2xx", NULL,
                                            (struct tess_sink){0}, &program),
                     TESS_OK);
    return program;
}

TEST(test_a2xx_halves)
{
    struct tess_a2xx_program *program = read_a2xx(
        "EXEC\n"
        "    FETCH: VERTEX R1.xyz1 = R[aL+2].y FMT_32_32_32_FLOAT UNSIGNED STRIDE(12) CONST(4, 1)\n"
        "    FETCH: SAMPLE R3.xyzw = R1.zxy CONST(2)\n"
        "EXEC_END\n"
        "    (S)ALU: MULADDv R2.xy__ = -|R1.yyyy|, R[aL+5], -C[aL+7].wzyx\n"
        "    ALU: MULv R0 = R1, C[a0+3]\n"
        "         MUL_CONST R5.___w = C4.z, R27.y\n");
    operations_of_a2xx(&operations, program, 1);
    expect("FETCH:  VERTEX  R1.xyz1 = R[aL+2].y FMT_32_32_32_FLOAT UNSIGNED STRIDE(12) CONST(4, 1)"
           ": R[aL+2].y=0\n");
    expect_operand(
        0, 0,
        (struct listed_operand){
            .place = A2XX_PLACE_AL, .number = 2, .component_count = 1, .components = {1}});
    operations_of_a2xx(&operations, program, 2);
    expect("FETCH:  SAMPLE  R3.xyzw = R1.zxy CONST(2): R1.zxy=0,0,0\n");
    operations_of_a2xx(&operations, program, 3);
    expect("(S)ALU:    MULADDv R2.xy__ = -|R1.yyyy|, R[aL+5], -C[aL+7].wzyx"
           ": -|R1.yyyy|=0,0,0,0 R[aL+5]=0,0,0,0 -C[aL+7].wzyx=0,0,0,0\n");
    expect_operand(0, 0,
                   (struct listed_operand){.negative = true,
                                           .absolute = true,
                                           .number = 1,
                                           .component_count = 4,
                                           .components = {1, 1, 1, 1}});
    expect_operand(0, 2,
                   (struct listed_operand){.negative = true,
                                           .place = A2XX_PLACE_CONSTANT | A2XX_PLACE_AL,
                                           .number = 7,
                                           .component_count = 4,
                                           .components = {3, 2, 1, 0}});
    operations_of_a2xx(&operations, program, 4);
    expect("ALU:    MULv    R0 = R1, C[a0+3]: R1=0,0,0,0 C[a0+3]=0,0,0,0\n"
           "MUL_CONST R5.___w = C4.z, R27.y: C4.z=0 R27.y=0\n");
    assert_int_equal(operations.listed.list[0].kind, A2XX_UNIT_VECTOR);
    assert_int_equal(operations.listed.list[1].kind, A2XX_UNIT_SCALAR);
    expect_operand(0, 1,
                   (struct listed_operand){.place = A2XX_PLACE_CONSTANT | A2XX_PLACE_A0,
                                           .number = 3,
                                           .component_count = 4,
                                           .components = {0, 1, 2, 3}});
    expect_operand(1, 1,
                   (struct listed_operand){.number = 27, .component_count = 1, .components = {1}});
    tess_a2xx_program_free(program);
}

/* Two control-flow instructions are in one slot. */
TEST(test_a2xx_control)
{
    struct tess_a2xx_program *program = read_a2xx("ALLOC PARAM/PIXEL SIZE(0x0)\n"
                                                  "EXEC_END\n"
                                                  "    ALU: MAXv export0 = R0, R0\n");
    operations_of_control(&operations, program, 0);
    expect("ALLOC PARAM/PIXEL SIZE(0x0):\n");
    operations_of_control(&operations, program, 1);
    expect("EXEC_END:\n");
    tess_a2xx_program_free(program);
}
