/* SPDX-License-Identifier: MIT */
/* a2xx_isa.c - tests the tables and the codec of the instruction words of the Adreno A2xx.
 *
 * Whole words are those of docs/hardware/a2xx.md, section 19, which were decoded back with Mesa's
 * disassembler. Comments show the words as text. The opcode numbers repeat those of Mesa 22.3.6,
 * src/freedreno/ir2/instr-a2xx.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "../../random.h"
#include "../../register.h"
#include "isa/a2xx/a2xx_isa.h"

enum { RANDOM_WORDS = 1000000 };

static void check_codec(const uint32_t words[A2XX_WORDS])
{
    uint32_t again[A2XX_WORDS];
    struct a2xx_alu alu = a2xx_decode_alu(words);
    a2xx_encode_alu(&alu, again);
    assert_memory_equal(words, again, sizeof again);

    struct a2xx_fetch fetch = a2xx_decode_fetch(words);
    a2xx_encode_fetch(&fetch, again);
    assert_memory_equal(words, again, sizeof again);

    memset(again, 0xa5, sizeof again);
    for (unsigned half = 0; half < 2; half++) {
        struct a2xx_cf cf = a2xx_decode_cf(a2xx_cf_half(words, half));
        a2xx_set_cf_half(again, half, a2xx_encode_cf(&cf));
    }
    assert_memory_equal(words, again, sizeof again);
}

TEST(test_codec_keeps_every_bit)
{
    uint64_t random = 1;
    check_codec((const uint32_t[]){0, 0, 0});
    check_codec((const uint32_t[]){UINT32_MAX, UINT32_MAX, UINT32_MAX});
    for (unsigned bit = 0; bit < 96; bit++) {
        uint32_t words[A2XX_WORDS] = {0};
        words[bit / 32] = UINT32_C(1) << bit % 32;
        check_codec(words);
    }
    for (unsigned i = 0; i < RANDOM_WORDS; i++) {
        uint64_t one = next_random64(&random), other = next_random64(&random);
        check_codec((const uint32_t[]){(uint32_t)one, (uint32_t)(one >> 32), (uint32_t)other});
    }
}

TEST(test_fields_are_all_bits)
{
    for (unsigned form = 0; form < A2XX_FORMS; form++) {
        unsigned next = 0;
        for (size_t i = 0; i < a2xx_fields[form].count; i++) {
            assert_int_equal(a2xx_fields[form].fields[i].low, next);
            next += a2xx_fields[form].fields[i].bits;
        }
        assert_int_equal(next, a2xx_fields[form].bits);
    }
}

/* Positions of fields from the tables of freedreno's wiki. In the wiki, the control-flow opcode
 * includes a bit of the mode, the count includes the yield bit, and the scalar opcode lacks the
 * lowest bit (docs/hardware/a2xx.md, sections 3 and 18). */
TEST(test_fields_are_where_the_seed_says)
{
    const struct {
        enum a2xx_form form;
        const char *name;
        unsigned low, bits;
    } seed[] = {
        {A2XX_FORM_EXEC, "address", 0, 12},
        {A2XX_FORM_EXEC, "count", 12, 3},
        {A2XX_FORM_EXEC, "sequence", 16, 12},
        {A2XX_FORM_EXEC, "opcode", 44, 4},
        {A2XX_FORM_ALLOC, "size", 0, 4},
        {A2XX_FORM_ALLOC, "opcode", 44, 4},
        {A2XX_FORM_ALU, "vector_dest", 0, 6},
        {A2XX_FORM_ALU, "scalar_dest", 8, 6},
        {A2XX_FORM_ALU, "export_data", 15, 1},
        {A2XX_FORM_ALU, "vector_write_mask", 16, 4},
        {A2XX_FORM_ALU, "scalar_write_mask", 20, 4},
        {A2XX_FORM_ALU, "scalar_opc", 26, 6},
        {A2XX_FORM_ALU, "src3_swiz", 32, 8},
        {A2XX_FORM_ALU, "src2_swiz", 40, 8},
        {A2XX_FORM_ALU, "src1_swiz", 48, 8},
        {A2XX_FORM_ALU, "src3_negate", 56, 1},
        {A2XX_FORM_ALU, "src2_negate", 57, 1},
        {A2XX_FORM_ALU, "src1_negate", 58, 1},
        {A2XX_FORM_ALU, "pred_condition", 59, 1},
        {A2XX_FORM_ALU, "is_predicated", 60, 1},
        {A2XX_FORM_ALU, "src3", 64, 8},
        {A2XX_FORM_ALU, "src2", 72, 8},
        {A2XX_FORM_ALU, "src1", 80, 8},
        {A2XX_FORM_ALU, "vector_opc", 88, 5},
        {A2XX_FORM_ALU, "src3_sel", 93, 1},
        {A2XX_FORM_ALU, "src2_sel", 94, 1},
        {A2XX_FORM_ALU, "src1_sel", 95, 1},
    };
    for (size_t i = 0; i < sizeof seed / sizeof seed[0]; i++) {
        const struct a2xx_field_list *list = &a2xx_fields[seed[i].form];
        size_t row = 0;
        while (row < list->count && strcmp(list->fields[row].name, seed[i].name) != 0)
            row++;
        assert_true(row < list->count);
        assert_int_equal(list->fields[row].low, seed[i].low);
        assert_int_equal(list->fields[row].bits, seed[i].bits);
    }

    /* A slot holds two control-flow instructions of 48 bits. The second begins at bit 16 of dword
     * 1. */
    const uint32_t words[A2XX_WORDS] = {0x11112222, 0x33334444, 0x55556666};
    assert_true(a2xx_cf_half(words, 0) == UINT64_C(0x444411112222));
    assert_true(a2xx_cf_half(words, 1) == UINT64_C(0x555566663333));
}

/* Words of the first listing of freedreno's wiki. */
TEST(test_first_example)
{
    const uint32_t words[] = {0x00031003, 0x00001000, 0xc2000000, 0x00001004, 0x00001000,
                              0xc4000000, 0x00000005, 0x00002000, 0x00000000, 0x08a81000,
                              0x00392a88, 0x0000000c, 0x140f803e, 0x00000000, 0xe2010100};
    struct a2xx_cf cf = a2xx_decode_cf(a2xx_cf_half(words, 0));
    assert_int_equal(cf.opcode, A2XX_CF_EXEC);
    assert_int_equal(cf.exec.address, 3);
    assert_int_equal(cf.exec.count, 1);
    assert_true(a2xx_is_fetch(&cf.exec, 0));
    assert_true(a2xx_is_serialized(&cf.exec, 0));
    cf = a2xx_decode_cf(a2xx_cf_half(words, 1));
    assert_int_equal(cf.opcode, A2XX_CF_ALLOC);
    assert_int_equal(cf.alloc.buffer_select, A2XX_BUFFER_POSITION);
    assert_int_equal(cf.alloc.size, 0);
    cf = a2xx_decode_cf(a2xx_cf_half(words + 3, 1));
    assert_int_equal(cf.alloc.buffer_select, A2XX_BUFFER_PARAM_PIXEL);
    cf = a2xx_decode_cf(a2xx_cf_half(words + 6, 0));
    assert_int_equal(cf.opcode, A2XX_CF_EXEC_END);
    assert_int_equal(cf.exec.address, 5);
    assert_int_equal(cf.exec.count, 0);
    assert_int_equal(a2xx_cf_slots(words, 5), 3);

    struct a2xx_fetch fetch = a2xx_decode_fetch(words + 9);
    assert_int_equal(fetch.form, A2XX_FORM_VERTEX);
    assert_int_equal(fetch.vertex.dst_reg, 1);
    assert_int_equal(fetch.vertex.dst_swiz, 0 | 1 << 3 | 2 << 6 | 5 << 9); /* mask xyz1 */
    assert_int_equal(fetch.vertex.src_reg, 0);
    assert_int_equal(fetch.vertex.src_swiz, 0);
    assert_string_equal(a2xx_formats[TESS_A2XX_ADRENO][fetch.vertex.format].name, "32_32_32_FLOAT");
    assert_int_equal(fetch.vertex.format_comp_all, 0);
    assert_int_equal(fetch.vertex.num_format_all, 1);
    assert_int_equal(fetch.vertex.stride, 12);
    assert_int_equal(fetch.vertex.const_index, 10);
    assert_int_equal(fetch.vertex.const_sel, 0);
    assert_int_equal(fetch.vertex.must_be_one, 1);

    struct a2xx_alu alu = a2xx_decode_alu(words + 12);
    assert_int_equal(alu.vector_opc, A2XX_V_MAX);
    assert_int_equal(alu.scalar_opc, A2XX_S_MAX);
    assert_int_equal(alu.export_data, 1);
    assert_int_equal(alu.vector_dest, A2XX_EXPORT_POSITION);
    assert_int_equal(alu.vector_write_mask, 15);
    assert_int_equal(alu.scalar_write_mask, 0);
    assert_int_equal(alu.src1, 1);
    assert_int_equal(alu.src2, 1);
    assert_int_equal(alu.src1_sel & alu.src2_sel & alu.src3_sel, 1);
}

/* Words of the second listing of freedreno's wiki. */
TEST(test_second_example)
{
    /* EXEC ADDR(9) CNT(6); EXEC ADDR(0xf) CNT(4) */
    const uint32_t pair[] = {0x00006009, 0x400f1000, 0x10000000};
    struct a2xx_cf cf = a2xx_decode_cf(a2xx_cf_half(pair, 1));
    assert_int_equal(cf.opcode, A2XX_CF_EXEC);
    assert_int_equal(cf.exec.address, 0xf);
    assert_int_equal(cf.exec.count, 4);

    /* MULv R2.xyz_ = R3.zzzw, C10 with RECIP_IEEE R4.x___ = R0 */
    const uint32_t both[] = {0x4c170402, 0x00060000, 0xa1030a00};
    struct a2xx_alu alu = a2xx_decode_alu(both);
    assert_int_equal(alu.vector_opc, A2XX_V_MUL);
    assert_int_equal(alu.scalar_opc, A2XX_S_RECIP_IEEE);
    assert_int_equal(alu.vector_dest, 2);
    assert_int_equal(alu.vector_write_mask, 7);
    assert_int_equal(alu.scalar_dest, 4);
    assert_int_equal(alu.scalar_write_mask, 1);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(a2xx_swizzle(alu.src1_swiz, i), i < 3 ? 2 : 3);
    assert_int_equal(alu.src1, 3);
    assert_int_equal(alu.src1_sel, 1);
    assert_int_equal(alu.src2, 10);
    assert_int_equal(alu.src2_sel, 0);
    assert_int_equal(alu.src3, 0);
    assert_int_equal(alu.src3_sel, 1);

    /* MULADDv R0.xyz_ = C11.xxzw, -R0, R4.xxxw: the first source in the text is source 3. */
    const uint32_t mad[] = {0x14070000, 0x04002c0c, 0xcb00040b};
    alu = a2xx_decode_alu(mad);
    assert_int_equal(alu.vector_opc, A2XX_V_MULADD);
    assert_int_equal(alu.src3, 11);
    assert_int_equal(alu.src3_sel, 0);
    assert_int_equal(alu.src1, 0);
    assert_int_equal(alu.src1_negate, 1);
    assert_int_equal(alu.src2, 4);
    const unsigned xxzw[] = {0, 0, 2, 3}, xxxw[] = {0, 0, 0, 3};
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(a2xx_swizzle(alu.src3_swiz, i), xxzw[i]);
        assert_int_equal(a2xx_swizzle(alu.src2_swiz, i), xxxw[i]);
    }

    /* MULv export0 with MAXs export0.___w */
    const uint32_t colour[] = {0x14878000, 0x00002c40, 0xc101000c};
    alu = a2xx_decode_alu(colour);
    assert_int_equal(alu.export_data, 1);
    assert_int_equal(alu.vector_write_mask, 7);
    assert_int_equal(alu.scalar_write_mask, 8);
    assert_int_equal(alu.scalar_opc, A2XX_S_MAX);
    assert_int_equal(alu.src3, 12);
}

/* Converts common swizzle bytes of docs/hardware/a2xx.md, section 6. */
TEST(test_swizzles)
{
    const uint32_t same[4] = {0x6c, 0xb1, 0xc6, 0x1b};
    for (uint8_t c = 0; c < 4; c++)
        assert_int_equal(a2xx_make_swizzle((const uint8_t[]){c, c, c, c}), same[c]);
    assert_int_equal(a2xx_make_swizzle((const uint8_t[]){0, 1, 2, 3}), 0);
    for (uint32_t field = 0; field < 256; field++) {
        uint8_t components[4];
        for (unsigned i = 0; i < 4; i++)
            components[i] = (uint8_t)a2xx_swizzle(field, i);
        assert_int_equal(a2xx_make_swizzle(components), field);
    }
}

TEST(test_opcodes)
{
    assert_string_equal(a2xx_vector_ops[29].mnemonic, "MOVAv");
    assert_string_equal(a2xx_vector_ops[17].mnemonic, "DOT2ADDv");
    assert_string_equal(a2xx_scalar_ops[50].mnemonic, "RETAIN_PREV");
    assert_string_equal(a2xx_scalar_ops[22].mnemonic, "RECIPSQ_IEEE");
    assert_null(a2xx_scalar_ops[41].mnemonic);
    assert_null(a2xx_vector_ops[30].mnemonic);
    assert_string_equal(a2xx_cf_ops[14].mnemonic, "COND_EXEC_PRED_CLEAN_END");
    assert_string_equal(a2xx_fetch_ops[24].mnemonic, "SET_TEX_LOD");

    /* The scalar opcodes of freedreno's wiki lack the lowest bit (docs/hardware/a2xx.md, section
     * 18). */
    const struct {
        const char *name;
        unsigned seed;
    } seed[] = {
        /* clang-format off */
        {"MOV",   2},
        {"EXP2",  7},
        {"LOG2",  8},
        {"RCP",   9},
        {"RSQ",   11},
        {"PSETE", 13},
        {"SQRT",  20},
        {"MUL",   21},
        {"ADD",   22},
        /* clang-format on */
    };
    assert_int_equal(a2xx_scalar_alias_count, sizeof seed / sizeof seed[0]);
    for (size_t i = 0; i < a2xx_scalar_alias_count; i++) {
        assert_string_equal(a2xx_scalar_aliases[i].mnemonic, seed[i].name);
        assert_int_equal(a2xx_scalar_aliases[i].opcode / 2, seed[i].seed);
    }
}

TEST(test_formats)
{
    for (unsigned variant = 0; variant < A2XX_VARIANTS; variant++)
        for (unsigned i = 0; i < 64; i++) {
            const struct a2xx_format *format = &a2xx_formats[variant][i];
            unsigned bits = 0;
            for (unsigned c = 0; c < 4; c++)
                bits += format->widths[c];
            if (format->kind == A2XX_FORMAT_INTEGER || format->kind == A2XX_FORMAT_FLOAT)
                assert_int_equal(bits, 8 * format->bytes);
        }
    assert_string_equal(a2xx_formats[TESS_A2XX_ADRENO][16].name, "8_8_8");
    assert_string_equal(a2xx_formats[TESS_A2XX_XENOS][16].name, "10_11_11");
    assert_null(a2xx_formats[TESS_A2XX_ADRENO][17].name);
}
