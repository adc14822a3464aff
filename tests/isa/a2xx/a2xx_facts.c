/* SPDX-License-Identifier: MIT */
/* a2xx_facts.c - tests the lists of registers, constants and exports that A2xx instructions read,
 * write and set.
 *
 * The words are those of docs/hardware/a2xx.md, section 19. Comments show the words as text. The
 * expected components were derived by hand from sections 6 to 10 of that document. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "../../register.h"
#include "isa/a2xx/facts.h"

/* Writes the operands as in "v1 C11.xzw": the half (v or s) and the number of the source, the
 * register or constant, and the components. */
static void describe(const uint32_t words[A2XX_WORDS], char *text, size_t size)
{
    struct a2xx_alu alu = a2xx_decode_alu(words);
    struct a2xx_operand list[A2XX_OPERANDS_MAX];
    unsigned count = a2xx_operands(&alu, TESS_A2XX_ADRENO, list);
    size_t length = 0;
    *text = 0;
    for (unsigned i = 0; i < count; i++) {
        char components[5] = "";
        unsigned n = 0;
        for (unsigned k = 0; k < 4; k++)
            if (list[i].components >> k & 1)
                components[n++] = "xyzw"[k];
        components[n] = 0;
        length += (size_t)snprintf(text + length, size - length, "%s%c%u %c%u%s.%s", i ? ", " : "",
                                   list[i].by == A2XX_UNIT_VECTOR ? 'v' : 's', list[i].source,
                                   list[i].constant ? 'C' : 'R', list[i].number,
                                   list[i].relative ? "+" : "", components);
    }
}

TEST(test_operands)
{
    static const struct {
        uint32_t words[A2XX_WORDS];
        const char *text;
    } cases[] = {
        /* MULv R0 = R2.wwww, C7 */
        {{0x140f0000, 0x001b0000, 0xa1020700}, "v1 R2.w, v2 C7.xyzw"},
        /* MULADDv R0 = R0, R2.zzzz, C6 (source 3 first) */
        {{0x140f0000, 0x00c60000, 0xab020600}, "v1 R2.z, v2 C6.xyzw, v3 R0.xyzw"},
        /* MULv R2.xyz_ = R3.zzzw, C10; RECIP_IEEE R4.x = R0 (1/w) */
        {{0x4c170402, 0x00060000, 0xa1030a00}, "v1 R3.z, v2 C10.xyz, s3 R0.w"},
        /* MULADDv R0.xyz_ = C11.xxzw, -R0, R4.xxxw: w is not in the mask */
        {{0x14070000, 0x04002c0c, 0xcb00040b}, "v1 R0.xyz, v2 R4.x, v3 C11.xz"},
        /* RECIPSQ_IEEE R0.___w = R4.xyzx without a vector operation */
        {{0x58800000, 0x00000040, 0xe2000004}, "s3 R4.x"},
        /* MULv export0.xyz_ = R1, R0.xxxw; MAXs export0.___w = C12.xyzx */
        {{0x14878000, 0x00002c40, 0xc101000c}, "v1 R1.xyz, v2 R0.x, s3 C12.x"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[160];
        describe(cases[i].words, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

TEST(test_shapes)
{
    struct a2xx_alu alu = {.vector_opc = A2XX_V_DOT3, .vector_write_mask = 8, .src1_sel = 1};
    struct a2xx_operand list[A2XX_OPERANDS_MAX];
    assert_int_equal(a2xx_operands(&alu, TESS_A2XX_ADRENO, list), 2);
    assert_int_equal(list[0].components, 7);
    alu.vector_opc = A2XX_V_DST; /* DST reads w of the second source */
    assert_int_equal(a2xx_operands(&alu, TESS_A2XX_ADRENO, list), 1);
    assert_int_equal(list[0].source, 2);
    assert_int_equal(list[0].components, 8);
    alu.vector_opc = A2XX_V_DOT2ADD;
    assert_int_equal(a2xx_operands(&alu, TESS_A2XX_ADRENO, list), 3);
    assert_int_equal(list[2].components, 1);
    /* Without a write mask, only operands of side effects are read: MOVA sets a0 from w. */
    alu.vector_write_mask = 0;
    assert_int_equal(a2xx_operands(&alu, TESS_A2XX_ADRENO, list), 0);
    alu.vector_opc = A2XX_V_MOVA;
    assert_int_equal(a2xx_operands(&alu, TESS_A2XX_ADRENO, list), 2);
    assert_int_equal(list[0].components, 8);
    assert_true(a2xx_works(&alu, A2XX_UNIT_VECTOR));
}

/* MUL_CONST_1 with source 3 select 1 and bits 2 to 5 of the swizzle 000100: register 1 + 2 + 4.
 * Component a is in slot w, and component b in slot x. */
TEST(test_const_ops)
{
    const struct a2xx_alu alu = {.scalar_opc = A2XX_S_MUL_CONST_1,
                                 .scalar_write_mask = 1,
                                 .src3 = 200,
                                 .src3_sel = 1,
                                 .src1_sel = 1,
                                 .src2_sel = 1,
                                 .const_0_rel = 1,
                                 .src3_swiz = 0x04 | 2 | 1 << 6};
    struct a2xx_operand list[A2XX_OPERANDS_MAX];
    assert_int_equal(a2xx_operands(&alu, TESS_A2XX_ADRENO, list), 2);
    assert_true(list[0].constant && list[0].relative);
    assert_int_equal(list[0].number, 200);
    assert_int_equal(list[0].components, 1); /* component x: offset 1 in slot w */
    assert_false(list[1].constant);
    assert_int_equal(list[1].number, 7);
    assert_int_equal(list[1].components, 4);
}

/* MULs R3.x___ = R1.zywy. Component a is the component in slot w, which is y. On Adreno,
 * component b is in slot x, which is z. On the Xenos it is in slot z, which is w
 * (isa/a2xx/facts.h names the sources). */
TEST(test_second_slot)
{
    const struct a2xx_alu alu = {
        .scalar_opc = A2XX_S_MUL,
        .scalar_write_mask = 1,
        .src3 = 1,
        .src3_sel = 1,
        .src3_swiz = a2xx_make_swizzle((const uint8_t[]){2, 1, 3, 1}),
    };
    struct a2xx_operand list[A2XX_OPERANDS_MAX];
    assert_int_equal(a2xx_operands(&alu, TESS_A2XX_ADRENO, list), 1);
    assert_int_equal(list[0].components, 2 | 4);
    assert_int_equal(a2xx_operands(&alu, TESS_A2XX_XENOS, list), 1);
    assert_int_equal(list[0].components, 2 | 8);
}

/* docs/hardware/a2xx.md, section 6: in the order of the sources, the first constant is relative
 * by const_0_rel, and all later constants by const_1_rel. */
TEST(test_relative_constants)
{
    struct a2xx_alu alu = {.const_0_rel = 1};
    assert_true(a2xx_constant_is_relative(&alu, 1));
    assert_false(a2xx_constant_is_relative(&alu, 2));
    alu.src1_sel = 1;
    assert_true(a2xx_constant_is_relative(&alu, 2));
    assert_false(a2xx_constant_is_relative(&alu, 3));
    alu.src2_sel = 1;
    assert_true(a2xx_constant_is_relative(&alu, 3));
}

/* docs/hardware/a2xx.md, section 10: a component in both masks exports 1. A component in neither
 * mask exports 0 if bit 14 is set. */
TEST(test_exports)
{
    struct a2xx_alu alu = {.export_data = 1, .vector_write_mask = 7, .scalar_write_mask = 4};
    assert_int_equal(a2xx_result_mask(&alu, A2XX_UNIT_VECTOR), 3);
    assert_int_equal(a2xx_result_mask(&alu, A2XX_UNIT_SCALAR), 0);
    assert_int_equal(a2xx_export_ones(&alu), 4);
    assert_int_equal(a2xx_export_zeros(&alu), 0);
    assert_int_equal(a2xx_export_mask(&alu), 7);
    alu.scalar_dest_rel = 1;
    assert_int_equal(a2xx_export_zeros(&alu), 8);
    assert_int_equal(a2xx_export_mask(&alu), 15);
    assert_int_equal(a2xx_export_buffer(0), A2XX_BUFFER_PARAM_PIXEL);
    assert_int_equal(a2xx_export_buffer(16), A2XX_BUFFER_NONE);
    assert_int_equal(a2xx_export_buffer(37), A2XX_BUFFER_MEMORY);
    assert_int_equal(a2xx_export_buffer(62), A2XX_BUFFER_POSITION);
}

TEST(test_effects)
{
    assert_int_equal(a2xx_vector_effects(A2XX_V_KILLNE), A2XX_KILLS);
    assert_int_equal(a2xx_vector_effects(A2XX_V_PRED_SETNE_PUSH), A2XX_SETS_PREDICATE);
    assert_int_equal(a2xx_vector_effects(31), 0);
    assert_int_equal(a2xx_scalar_effects(A2XX_S_MOVA_FLOOR), A2XX_SETS_ADDRESS);
    assert_int_equal(a2xx_scalar_effects(A2XX_S_MUL_PREV2), A2XX_READS_PREVIOUS);
    assert_int_equal(a2xx_scalar_effects(A2XX_S_PRED_SET_CLR), A2XX_SETS_PREDICATE);
    assert_int_equal(a2xx_scalar_effects(A2XX_S_KILLONE), A2XX_KILLS);
    /* Every defined operation without a third source reads both of its sources. */
    for (unsigned opcode = 0; opcode < 32; opcode++)
        if (a2xx_vector_ops[opcode].mnemonic)
            assert_int_equal(a2xx_has_third_source(opcode), a2xx_vector_ops[opcode].sources == 3);
}

/* The three fetches of docs/hardware/a2xx.md, section 19. Their addresses are R0.z, R0.x and
 * R0.y, and their results xyz_, xyz1 and xyz_. */
TEST(test_fetches)
{
    static const struct {
        uint32_t words[A2XX_WORDS];
        uint8_t reg, components;
    } cases[] = {
        {{0x0d481000, 0x00393e88, 0x0000000c}, 1, 7},
        {{0x01482000, 0x40393a88, 0x0000000c}, 2, 15},
        {{0x03483000, 0x40393e88, 0x0000000c}, 3, 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct a2xx_fetch fetch = a2xx_decode_fetch(cases[i].words);
        struct a2xx_fetch_register source = a2xx_fetch_source(&fetch, TESS_A2XX_ADRENO),
                                   result = a2xx_fetch_result(&fetch);
        bool condition;
        assert_int_equal(source.number, 0);
        assert_int_equal(source.components, 1);
        assert_int_equal(result.number, cases[i].reg);
        assert_int_equal(result.components, cases[i].components);
        assert_false(a2xx_fetch_is_predicated(&fetch, &condition));
    }
    /* A mini fetch reads no register on the Xenos. Adreno has no mini fetches
     * (docs/hardware/a2xx.md, section 26). */
    struct a2xx_fetch mini = a2xx_decode_fetch(cases[0].words);
    mini.vertex.mini_fetch = 1;
    assert_int_equal(a2xx_fetch_source(&mini, TESS_A2XX_ADRENO).components, 1);
    assert_int_equal(a2xx_fetch_source(&mini, TESS_A2XX_XENOS).components, 0);
    /* A texture fetch with the coordinates y, x, w. On Adreno, only the first component is read
     * in any case. On the Xenos, the texture's dimensions determine the number of components. */
    struct a2xx_fetch sample = {
        .form = A2XX_FORM_TEXTURE,
        .opcode = A2XX_FETCH_SAMPLE,
        .texture = {.opcode = A2XX_FETCH_SAMPLE, .src_swiz = 1 | 0 << 2 | 3 << 4, .dimension = 1}};
    assert_int_equal(a2xx_fetch_source(&sample, TESS_A2XX_ADRENO).components, 2);
    assert_int_equal(a2xx_fetch_source(&sample, TESS_A2XX_XENOS).components, 3);
    assert_int_equal(a2xx_fetch_source(&sample, TESS_A2XX_ADRENO).possible, 11);
}
