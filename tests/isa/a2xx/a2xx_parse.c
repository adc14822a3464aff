/* SPDX-License-Identifier: MIT */
/* a2xx_parse.c - tests the assembly of A2xx programs: statements, the order of slots in memory,
 * headers, and errors.
 *
 * Expected words have three sources: docs/hardware/a2xx.md, section 19, whose words were decoded
 * back with Mesa's disassembler; the output of freedreno's own assembler (fdre-a2xx/asm) for the
 * same text; and words built by hand from the field tables of docs/hardware/a2xx.md, sections 3, 5,
 * 14 and 15. Errors follow docs/isa/a2xx.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>

#include "../../data/a2xx_lighting.h"
#include "../../register.h"
#include "base/bits.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

enum { WORDS_MAX = 256 };

/* --- assembling --- */

struct said {
    unsigned errors, warnings;
    char rule[64], text[300], hint[200]; /* texts of the first diagnostic */
    uint32_t line, column;
};

static void take(void *user, const struct tess_finding *diag)
{
    struct said *said = user;
    if (said->errors + said->warnings == 0) {
        snprintf(said->rule, sizeof said->rule, "%s", diag->id);
        snprintf(said->text, sizeof said->text, "%s", diag->text);
        snprintf(said->hint, sizeof said->hint, "%s", diag->hint ? diag->hint : "");
        said->line = diag->line;
        said->column = diag->column;
    }
    said->errors += diag->level == TESS_ERROR;
    said->warnings += diag->level == TESS_WARNING;
}

static size_t assemble_for(enum tess_a2xx_variant variant, const char *text,
                           uint32_t words[WORDS_MAX], struct said *said)
{
    const struct tess_asm_options options = {
        .machine = TESS_MACHINE_A2XX, .variant = variant, .skip_check = true};
    uint8_t *bytes;
    size_t size;
    *said = (struct said){0};
    enum tess_status status = tess_assemble_text(text, strlen(text), "test", &options,
                                                 (struct tess_sink){take, said}, &bytes, &size);
    if (status != TESS_OK)
        return 0;
    assert_true(size % 4 == 0 && size / 4 <= WORDS_MAX);
    for (size_t i = 0; i < size / 4; i++)
        words[i] = load_le32(bytes + 4 * i);
    tess_free(bytes);
    return size / 4;
}

static void expect_for(enum tess_a2xx_variant variant, const char *text, const uint32_t *expected,
                       size_t count)
{
    uint32_t words[WORDS_MAX];
    struct said said;
    size_t found = assemble_for(variant, text, words, &said);
    if (said.errors > 0 || said.warnings > 0)
        fail_msg("%s\n%u:%u: %s", text, said.line, said.column, said.text);
    if (found != count)
        fail_msg("%s\n%zu words, not %zu", text, found, count);
    for (size_t i = 0; i < count; i++)
        if (words[i] != expected[i])
            fail_msg("%s\nword %zu is 0x%08x, not 0x%08x", text, i, words[i], expected[i]);
}

#define EXPECT(text, ...)                                               \
    expect_for(TESS_A2XX_ADRENO, text, (const uint32_t[]){__VA_ARGS__}, \
               sizeof(uint32_t[]){__VA_ARGS__} / 4)

/* --- the wiki's listings --- */

static const uint32_t first_words[] = {0x00031003, 0x00001000, 0xc2000000, 0x00001004, 0x00001000,
                                       0xc4000000, 0x00000005, 0x00002000, 0x00000000, 0x08a81000,
                                       0x00392a88, 0x0000000c, 0x140f803e, 0x00000000, 0xe2010100};

#define FIRST_FETCH \
    "   (S)FETCH:\tVERTEX\tR1.xyz1 = R0.x FMT_32_32_32_FLOAT UNSIGNED STRIDE(12) CONST(10)\n"
#define FIRST_ALU "      ALU:\tMAXv\texport62 = R1, R1\t; gl_Position\n"

/* The first listing of freedreno's wiki (docs/hardware/a2xx.md, section 19) in three forms: with
 * clauses between the control-flow instructions, without the operands that the assembler can
 * compute, and in memory order. */
TEST(test_first_listing)
{
    static const char *const texts[] = {
        "EXEC ADDR(0x3) CNT(0x1)\n" FIRST_FETCH
        "ALLOC COORD SIZE(0x0)\nEXEC ADDR(0x4) CNT(0x1)\n" FIRST_ALU
        "ALLOC PARAM/PIXEL SIZE(0x0)\nEXEC_END ADDR(0x5) CNT(0x0)\n",
        "EXEC\n" FIRST_FETCH "ALLOC POSITION SIZE(0)\nEXEC\n" FIRST_ALU
        "ALLOC PARAM/PIXEL SIZE(0)\nEXEC_END\nNOP",
        "EXEC ADDR(0x3) CNT(0x1)\nALLOC COORD SIZE(0x0)\nEXEC ADDR(0x4) CNT(0x1)\nALLOC "
        "PARAM/PIXEL SIZE(0x0)\n"
        "EXEC_END ADDR(0x5) CNT(0x0)\n" FIRST_FETCH FIRST_ALU,
        ".layout memory\nEXEC ADDR(0x3) CNT(0x1) SEQ(3)\nALLOC COORD SIZE(0x0)\n"
        "EXEC ADDR(0x4) CNT(0x1) SEQ(0) ALLOC PARAM/PIXEL SIZE(0)\n"
        "EXEC_END ADDR(0x5) CNT(0x0) SEQ(0) NOP\n" FIRST_FETCH FIRST_ALU,
    };
    for (size_t i = 0; i < COUNT(texts); i++)
        expect_for(TESS_A2XX_ADRENO, texts[i], first_words, COUNT(first_words));
}

#define LIGHTING_END                                                           \
    "   (S)ALU:    MULv    R0 = R2.wwww, C7           ; -> in_position\n"      \
    "      ALU:    MULADDv R0 = R0, R2.zzzz, C6\n"                             \
    "      ALU:    MULADDv R0 = R0, R2.yyyy, C5\n"                             \
    "ALLOC COORD SIZE(0x0)\n"                                                  \
    "EXEC\n"                                                                   \
    "      ALU:    MULADDv export62 = R0, R2.xxxx, C4 ; gl_Position\n"         \
    "      ALU:    MULv    R0 = R2.wwww, C3\n"                                 \
    "      ALU:    MULADDv R0 = R0, R2.zzzz, C2\n"                             \
    "      ALU:    MULADDv R0 = R0, R2.yyyy, C1\n"                             \
    "      ALU:    MULADDv R0 = R0, R2.xxxx, C0\n"                             \
    "      ALU:    MULv    R2.xyz_ = R3.zzzw, C10\n"                           \
    "              RCP     R4.x___ = R0               ; -> 1 / vPosition4.w\n" \
    "EXEC\n"                                                                   \
    "      ALU:    MULADDv R0.xyz_ = C11.xxzw, -R0, R4.xxxw\n"                 \
    "      ALU:    DOT3v   R4.x___ = R0, R0\n"                                 \
    "      ALU:    MULADDv R2.xyz_ = R2, R3.yyyw, C9\n"                        \
    "      ALU:    MULADDv R2.xyz_ = R2, R3.xxxw, C8\n"                        \
    "ALLOC PARAM/PIXEL SIZE(0x0)\n"                                            \
    "EXEC_END\n"                                                               \
    "      ALU:    MAXv    R0.____ = R0, R0\n"                                 \
    "              RSQ     R0.___w = R4.xyzx\n"                                \
    "      ALU:    MULv    R0.xyz_ = R0, R0.wwww\n"                            \
    "      ALU:    DOT3v   R0.x___ = R2, R0\n"                                 \
    "      ALU:    MAXv    R0.x___ = R0, C11.wyzw\n"                           \
    "      ALU:    MULv    export0.xyz_ = R1, R0.xxxw\n"                       \
    "              MOV     export0.___w = C12.xyzx\n"

/* The wiki's lighting shader (docs/hardware/a2xx.md, section 19), with its fetches in today's
 * form and in the wiki's. In the wiki's form, the register's component selects one of the three
 * slots of the fetch constant. CONST(4) is constant 20 without its highest bit. */
TEST(test_lighting)
{
    static const char today[] =
        "EXEC\n"
        "FETCH: VERTEX R1.xyz_ = R0.x FMT_32_32_32_FLOAT SIGNED STRIDE(12) CONST(20, 2)\n"
        "FETCH: VERTEX R2.xyz1 = R0.x FMT_32_32_32_FLOAT SIGNED STRIDE(12) CONST(20, 0)\n"
        "FETCH: VERTEX R3.xyz_ = R0.x FMT_32_32_32_FLOAT SIGNED STRIDE(12) CONST(20, "
        "1)\n" LIGHTING_END;
    static const char seed[] =
        "EXEC\n"
        "      FETCH:  VERTEX  R1.xyz_ = R0.z FMT_32_32_32_FLOAT SIGNED STRIDE(12) CONST(4)\n"
        "      FETCH:  VERTEX  R2.xyz1 = R0.x FMT_32_32_32_FLOAT SIGNED STRIDE(12) CONST(4)\n"
        "      FETCH:  VERTEX  R3.xyz_ = R0.y FMT_32_32_32_FLOAT SIGNED STRIDE(12) "
        "CONST(4)\n" LIGHTING_END;
    uint32_t words[WORDS_MAX], old[WORDS_MAX];
    struct said said;
    assert_int_equal(assemble_for(TESS_A2XX_ADRENO, today, words, &said), LIGHTING_SLOTS * 3);
    expect_lighting_words(words);
    assert_int_equal(assemble_for(TESS_A2XX_ADRENO, seed, old, &said), LIGHTING_SLOTS * 3);
    assert_memory_equal(old, words, LIGHTING_SLOTS * 3 * sizeof *words);
}

/* Fetches that cannot be read as the wiki's form. The wiki's form has four bits of the
 * constant's number and slots 0 to 2. It does not exist on the Xenos. */
TEST(test_no_old_listings)
{
    EXPECT("EXEC_END FETCH: VERTEX R1 = R0.y FMT_8 UNSIGNED STRIDE(4) CONST(20)", 0x00011001,
           0x2000, 0, 0x49481000, 0x00022688, 4);
    EXPECT("EXEC_END FETCH: VERTEX R1 = R0.w FMT_8 UNSIGNED STRIDE(4) CONST(4)", 0x00011001, 0x2000,
           0, 0xc8481000, 0x00022688, 4);
    static const uint32_t xenos[] = {0x00011001, 0x2000, 0, 0x48481000, 0x00022688, 4};
    expect_for(TESS_A2XX_XENOS,
               "EXEC_END FETCH: VERTEX R1 = R0.y FMT_8 UNSIGNED STRIDE(4) CONST(4)", xenos,
               COUNT(xenos));
}

/* --- ALU instructions --- */

#define CLAUSE(text) "EXEC_END ALU: " text
#define CLAUSE_WORDS 0x00001001, 0x00002000, 0x00000000

TEST(test_alu)
{
    /* Fields set by hand from docs/hardware/a2xx.md, section 5. The idle scalar half is MAXs (5
     * << 26), and source 3 is a register (bit 2.29). */
    EXPECT(CLAUSE("MULvEQ R3.x_z_ = -|R1.xxxx|, C255 CLAMP"), CLAUSE_WORDS,
           5u << 26 | 1 << 24 | 5 << 16 | 3, 1u << 28 | 1 << 27 | 1 << 26 | 0x6c0000,
           1u << 31 | 1u << 29 | 1u << 24 | (0x80 | 1) << 16 | 255 << 8);
    EXPECT(CLAUSE("MULvEQ R3.x_z_ = -|R1|.xxxx, C255 CLAMP"), CLAUSE_WORDS,
           5u << 26 | 1 << 24 | 5 << 16 | 3, 1u << 28 | 1 << 27 | 1 << 26 | 0x6c0000,
           1u << 31 | 1u << 29 | 1u << 24 | (0x80 | 1) << 16 | 255 << 8);
    EXPECT(CLAUSE("ADDvNE R[aL+3] = R[aL+1], R2"), CLAUSE_WORDS, 5u << 26 | 15 << 16 | 1 << 6 | 3,
           1u << 28, 7u << 29 | (0x40 | 1) << 16 | 2 << 8);
    /* Bit 1.31 makes the first constant relative. Bit 1.29 selects a0 as its address. */
    EXPECT(CLAUSE("ADDv R0 = C[a0+5], C6"), CLAUSE_WORDS, 5u << 26 | 15 << 16, 1u << 31 | 1 << 29,
           1u << 29 | 5 << 16 | 6 << 8);
    EXPECT(CLAUSE("ADDv R0 = C5, C[aL+6]"), CLAUSE_WORDS, 5u << 26 | 15 << 16, 1u << 30,
           1u << 29 | 5 << 16 | 6 << 8);
    EXPECT(CLAUSE("ADDv R0 = |C5|, -|C6|"), CLAUSE_WORDS, 5u << 26 | 15 << 16 | 1 << 7, 1u << 25,
           1u << 29 | 5 << 16 | 6 << 8);
    EXPECT(CLAUSE("MAXv R0 = R1, R1 ABSOLUTE_ADDR ABS_CONSTANTS"), CLAUSE_WORDS,
           5u << 26 | 15 << 16 | 1 << 7, 1u << 29, 0xe2010100);
    /* If an operation has one source, the second source field repeats it. If it has three,
     * source 3 is written first. */
    EXPECT(CLAUSE("FLOORv R0 = -R1.wwww"), CLAUSE_WORDS, 5u << 26 | 15 << 16,
           1u << 26 | 1 << 25 | 0x1b1b00, 0xea010100);
    EXPECT(CLAUSE("CNDEv R0 = R3, R1, R2"), CLAUSE_WORDS, 5u << 26 | 15 << 16, 0, 0xec010203);
    EXPECT(CLAUSE("DOT2ADDv R0 = R3, R1, C2"), CLAUSE_WORDS, 5u << 26 | 15 << 16, 0, 0xb1010203);
    /* Write masks in full and short form, and the constants 0 and 1 of an export (section 10). */
    EXPECT(CLAUSE("MAXv R0.yw = R1, R1"), CLAUSE_WORDS, 5u << 26 | 10 << 16, 0, 0xe2010100);
    EXPECT(CLAUSE("MAXv export1.x001 = R1, R1"), CLAUSE_WORDS,
           5u << 26 | 8 << 20 | 9 << 16 | 1 << 15 | 1 << 14 | 1, 0, 0xe2010100);
    EXPECT(CLAUSE("0x12345678, 0x9abcdef0, 1 + 1"), CLAUSE_WORDS, 0x12345678, 0x9abcdef0, 2);
    EXPECT(".idle zero\n" CLAUSE("MAXv R0 = R1, R1"), CLAUSE_WORDS, 15 << 16, 0, 0xc2010100);
}

TEST(test_scalar)
{
    /* If a scalar operation is alone, the vector half is MAXv R0.____ = R0, R0. */
    EXPECT(CLAUSE("RECIP_IEEEEQ R4.x___ = R1.wzyx CLAMP"), CLAUSE_WORDS,
           19u << 26 | 1 << 25 | 1 << 20 | 4 << 8, 1u << 28 | 1 << 27 | 0x77, 0xe2000001);
    EXPECT(CLAUSE("OP(41) R4 = C9"), CLAUSE_WORDS, 41u << 26 | 15 << 20 | 4 << 8, 0, 0xc2000009);
    EXPECT(CLAUSE("RETAIN_PREV R4.x"), CLAUSE_WORDS, 50u << 26 | 1 << 20 | 4 << 8, 0, 0xe2000000);
    EXPECT(CLAUSE("MOV export2.___w = R1"), CLAUSE_WORDS, 5u << 26 | 8 << 20 | 1 << 15 | 2 << 8 | 2,
           0, 0xe2000001);
    /* Section 8: the number of register 27 is split. Bit 0 is in the opcode, bit 1 in the
     * select, and bits 2 to 5 in those of the swizzle. Slot w has component x of the constant (0
     * - 3), and slot x has component w of the register. */
    EXPECT(CLAUSE("MUL_CONST R1.x___ = -C4.x, R27.w"), CLAUSE_WORDS, 43u << 26 | 1 << 20 | 1 << 8,
           1u << 24 | 1 << 6 | 0x18 | 3, 0xe2000004);
    EXPECT(CLAUSE("SUB_CONST R1.x___ = C[a0+4].w, R0.x"), CLAUSE_WORDS,
           46u << 26 | 1 << 20 | 1 << 8, 1u << 31 | 1 << 29, 0xc2000004);
    /* The wiki's names (section 18). Its MUL and ADD are the operations with a constant, written
     * with both operands or with bare fields. */
    EXPECT(CLAUSE("MUL R1.x___ = -C4.x, R27.w"), CLAUSE_WORDS, 43u << 26 | 1 << 20 | 1 << 8,
           1u << 24 | 1 << 6 | 0x18 | 3, 0xe2000004);
    EXPECT(CLAUSE("ADD R1.x___ = C4.w, R0.x CLAMP"), CLAUSE_WORDS,
           44u << 26 | 1 << 25 | 1 << 20 | 1 << 8, 0, 0xc2000004);
    EXPECT(CLAUSE("EXP2 R1 = R2"), CLAUSE_WORDS, 14u << 26 | 15 << 20 | 1 << 8, 0, 0xe2000002);
    EXPECT(CLAUSE("LOG2 R1 = R2"), CLAUSE_WORDS, 16u << 26 | 15 << 20 | 1 << 8, 0, 0xe2000002);
    EXPECT(CLAUSE("RCP R1 = R2"), CLAUSE_WORDS, 19u << 26 | 15 << 20 | 1 << 8, 0, 0xe2000002);
    EXPECT(CLAUSE("RSQ R1 = R2"), CLAUSE_WORDS, 22u << 26 | 15 << 20 | 1 << 8, 0, 0xe2000002);
    EXPECT(CLAUSE("PSETE R1 = R2"), CLAUSE_WORDS, 27u << 26 | 15 << 20 | 1 << 8, 0, 0xe2000002);
    EXPECT(CLAUSE("SQRT R1 = R2"), CLAUSE_WORDS, 40u << 26 | 15 << 20 | 1 << 8, 0, 0xe2000002);
    EXPECT(CLAUSE("MUL R1 = R2"), CLAUSE_WORDS, 42u << 26 | 15 << 20 | 1 << 8, 0, 0xe2000002);
    EXPECT(CLAUSE("ADD R1 = R2"), CLAUSE_WORDS, 44u << 26 | 15 << 20 | 1 << 8, 0, 0xe2000002);
    /* If the vector operation has three sources, the scalar operation beside it must use source
     * 3, which is written first. */
    EXPECT(CLAUSE("MULADDv R0 = R3, R1, R2\nADDs R5.x___ = R3"), CLAUSE_WORDS,
           0u << 26 | 1 << 20 | 5 << 8 | 15 << 16, 0, 0xeb010203);
    /* A half that writes nothing may be beside a half that exports. Both halves share
     * the export flag and number (section 10). */
    EXPECT(CLAUSE("MAXv export62 = R0, R0\nPRED_SETEs R2.____ = R1.xxxx"), CLAUSE_WORDS,
           27u << 26 | 15 << 16 | 1 << 15 | 2 << 8 | 62, 0x6c, 0xe2000001);
    EXPECT(CLAUSE("MAXv R0.____ = R0, R0\nMAXs export2.__zw = R1.xxxx"), CLAUSE_WORDS,
           5u << 26 | 12 << 20 | 1 << 15 | 2 << 8 | 2, 0x6c, 0xe2000001);
}

/* --- fetches --- */

#define FETCH_CLAUSE(text) "EXEC_END FETCH: " text
#define FETCH_WORDS        0x00011001, 0x00002000, 0x00000000

TEST(test_fetches)
{
    /* Fields of docs/hardware/a2xx.md, section 14. */
    EXPECT(
        FETCH_CLAUSE(
            "VERTEXNE R[aL+2].zx0_ = R[aL+1].w TYPE(0x11) SIGNED NORMALIZED STRIDE(255) OFFSET(16) "
            "CONST(31, 2) ROUND NO_ZERO EXP_ADJUST(-16) PREFETCH(7) MINI(1) MUST_BE_ONE(0)"),
        FETCH_WORDS, 3u << 30 | 7 << 27 | 2 << 25 | 31 << 20 | 1 << 18 | 2 << 12 | 1 << 11 | 1 << 5,
        1u << 31 | 1 << 30 | 0x30 << 24 | 0x11 << 16 | 1 << 15 | 1 << 14 | 1 << 12 | 7 << 9 |
            4 << 6 | 0 << 3 | 2,
        16 << 8 | 255);
    /* Section 15: filters and the other sampler fields are taken from the constant unless the
     * text has them. */
    EXPECT(FETCH_CLAUSE("SAMPLE R1.xyzw = R2.xyx CONST(3)"), FETCH_WORDS,
           0x4u << 26 | 3 << 20 | 1 << 12 | 2 << 5 | 1, 0x1ffff688, 0);
    EXPECT(
        FETCH_CLAUSE(
            "SAMPLEEQ R1 = R2.yxw CONST(3) VALID_ONLY DENORM MAG(POINT) MIN(LINEAR) MIP(BASEMAP) "
            "ANISO(MAX_4_1) ARBITRARY(2x4_ASYM) VOL_MAG(1) VOL_MIN(POINT) LOD(0) LOD_BIAS(-3) "
            "REG_LOD(1) "
            "USE_REG_GRADIENTS LOCATION(CENTER) OFFSET(1, -2, 3) DIM(CUBE)"),
        FETCH_WORDS, 0x31u << 26 | 1 << 25 | 3 << 20 | 1 << 19 | 1 << 12 | 2 << 5 | 1,
        1u << 31 | 1 << 29 | 0 << 26 | 1 << 24 | 1 << 21 | 3 << 18 | 2 << 16 | 1 << 14 | 0x688,
        1u << 31 | 3 << 26 | 30 << 21 | 1 << 16 | 3 << 14 | 0x7d << 2 | 3);
    EXPECT(FETCH_CLAUSE("SET_TEX_LOD R0.____ = R2.x CONST(0)"), FETCH_WORDS, 2u << 5 | 24,
           0x1fffffff, 0);
    /* The default bits of a program's second vertex fetch differ from those of the first. The
     * count starts again in the next program. */
    EXPECT("EXEC_END FETCH: VERTEX R1 = R0.x FMT_8 UNSIGNED STRIDE(4) CONST(1)\n"
           "FETCH: VERTEX R2 = R0.x FMT_8 UNSIGNED STRIDE(4) CONST(1)\n"
           ".word 9\nEXEC_END FETCH: VERTEX R1 = R0.x FMT_8 UNSIGNED STRIDE(4) CONST(1)",
           0x00052001, 0x00002000, 0, 0x08181000, 0x00022688, 4, 0x00182000, 0x40022688, 4, 9,
           FETCH_WORDS, 0x08181000, 0x00022688, 4);
}

/* Section 26: on the Xenos, strides and offsets are in dwords, offsets are signed, and the
 * formats have other numbers. */
TEST(test_variant)
{
    static const char text[] = FETCH_CLAUSE(
        "VERTEX R1 = R0.x FMT_11_11_10 UNSIGNED STRIDE(4) OFFSET(-2) CONST(1)");
    const uint32_t expected[] = {FETCH_WORDS, 0x08181000, 17 << 16 | 1 << 13 | 0x688,
                                 1u << 30 | 0x3ffffeu << 8 | 4};
    uint32_t words[WORDS_MAX];
    struct said said;
    expect_for(TESS_A2XX_XENOS, text, expected, COUNT(expected));
    assert_int_equal(assemble_for(TESS_A2XX_ADRENO, text, words, &said), 0);
    assert_string_equal(said.rule, "a2xx-format");
}

/* --- control flow --- */

#define CF2(low, high)                                                 \
    (uint32_t)(low), (uint32_t)((low) >> 32 | (uint64_t)(high) << 16), \
        (uint32_t)((uint64_t)(high) >> 16)
#define U(value) UINT64_C(value)

TEST(test_control_flow)
{
    /* Opcodes are in bits 44 to 47 (docs/hardware/a2xx.md, section 3). */
    EXPECT("NOP MARK_VS_FETCH_DONE", CF2(U(0), U(15) << 44));
    EXPECT("CF 0x123456789abc NOP", CF2(U(0x123456789abc), U(0)));
    EXPECT("ALLOC NONE SIZE(0) ALLOC NO ALLOC SIZE(1)", CF2(U(12) << 44, U(12) << 44 | 1));
    EXPECT("ALLOC MEMORY SIZE(4) NO_SERIAL ALLOC_MODE NOP",
           CF2(U(12) << 44 | U(1) << 43 | U(3) << 41 | U(1) << 40 | 4, U(0)));
    EXPECT(
        "COND_EXEC YIELD VC(0x21) BOOL_ADDR(0xab) COND(1) ABSOLUTE_ADDR COND_PRED_EXEC_END COND(0)",
        CF2(U(3) << 44 | U(1) << 43 | U(1) << 42 | U(0xab) << 34 | U(0x21) << 28 | 1 << 15 | 1,
            U(6) << 44 | 1));
    EXPECT("COND_EXEC_PRED_CLEAN BOOL_ADDR(1) COND_EXEC_PRED_CLEAN_END",
           CF2(U(13) << 44 | U(1) << 34 | 1, U(14) << 44 | 1));
    EXPECT("LOOP_START ADDR(3) LOOP_ID(31) REPEAT ABSOLUTE_ADDR LOOP_END ADDR(1) LOOP_ID(2) "
           "PRED_BREAK COND(1)",
           CF2(U(7) << 44 | U(1) << 43 | 31 << 16 | 1 << 13 | 3,
               U(8) << 44 | U(1) << 42 | 1 << 21 | 2 << 16 | 1));
    /* A condition without a boolean constant tests the predicate, as in Mesa's printer. The
     * assembler computes the jump's direction. */
    EXPECT("COND_JMP ADDR(1) COND(1) RETURN",
           CF2(U(11) << 44 | U(1) << 42 | U(1) << 33 | 1 << 14 | 1, U(10) << 44));
    EXPECT("COND_JMP ADDR(5) DIR(0) COND(1) BOOL_ADDR(7) COND_CALL ADDR(0) FORCE_CALL",
           CF2(U(11) << 44 | U(1) << 42 | U(7) << 34 | 5, U(9) << 44 | 1 << 13));
    EXPECT("COND_JMP ADDR(0) PRED BOOL_ADDR(7) ABSOLUTE_ADDR NOP",
           CF2(U(11) << 44 | U(1) << 43 | U(7) << 34 | 1 << 14, U(0)));
}

/* The value of a label is the number of control-flow instructions from the start of its program. */
TEST(test_labels)
{
    EXPECT("start: EXEC\nALU: MAXv R0 = R1, R1\n"
           "back: COND_JMP ADDR(end) COND(0)\nCOND_JMP ADDR(start) FORCE_CALL\nCOND_JMP ADDR(back) "
           "COND(1) end: EXEC_END\n",
           CF2(U(1) << 44 | 1 << 12 | 3, U(11) << 44 | U(1) << 33 | 1 << 14 | 4),
           CF2(U(11) << 44 | 1 << 13, U(11) << 44 | U(1) << 42 | 1 << 14 | 1),
           CF2(U(2) << 44 | 4, U(0)), 0x140f0000, 0, 0xe2010100);
    /* A label counts from the start of the program, not of the data. */
    EXPECT(".word 7\n1: EXEC\nCOND_JMP ADDR(1b) FORCE_CALL EXEC_END\n", 7,
           CF2(U(1) << 44 | 2, U(11) << 44 | 1 << 13), CF2(U(2) << 44 | 2, U(0)));
}

/* The sequence bits cover six instructions. The assembler splits a longer clause in two, and
 * sets the end flag in the second. */
TEST(test_split)
{
    static const char text[] =
        "COND_EXEC_END BOOL_ADDR(2) COND(1)\n.rep i, 8\n(S)ALU: MAXv R(i) = R1, R1\n.endr\n"
        "end: COND_JMP ADDR(end) FORCE_CALL\n";
    uint32_t words[WORDS_MAX];
    struct said said;
    assert_int_equal(assemble_for(TESS_A2XX_ADRENO, text, words, &said), (2 + 8) * 3);
    const uint32_t expected[] = {
        CF2(U(3) << 44 | U(1) << 42 | U(2) << 34 | 0xaaa << 16 | 6 << 12 | 2,
            U(4) << 44 | U(1) << 42 | U(2) << 34 | 0xa << 16 | 2 << 12 | 8),
        CF2(U(11) << 44 | 1 << 13 | 2, U(0))};
    assert_memory_equal(words, expected, sizeof expected);
    assert_int_equal(words[6] & 63, 0);
    assert_int_equal(words[27] & 63, 7);
}

/* --- statements --- */

/* Line ends have no meaning, ";" begins a comment, and macros, loops and symbols can be used. */
TEST(test_statements)
{
    expect_for(TESS_A2XX_ADRENO,
               "EXEC(S)FETCH:VERTEX R1.xyz1=R0.x\nFMT_32_32_32_FLOAT ; FMT\n UNSIGNED STRIDE(\n12) "
               "CONST(4+6)ALLOC\n"
               "COORD SIZE(0)EXEC ALU:\nMAXv export62 = ; R2\n R1\n, R1 ALLOC PARAM/PIXEL SIZE(0) "
               "EXEC_END",
               first_words, COUNT(first_words));
    expect_for(TESS_A2XX_ADRENO,
               ".set size, 12\n.macro move to, from\nALU: MAXv \\to = \\from, \\from\n.endm\n"
               "EXEC\n(S)FETCH: VERTEX R1.xyz1 = R0.x FMT_32_32_32_FLOAT UNSIGNED STRIDE(size) "
               "CONST(10)\n.set size, 13\n"
               "ALLOC POSITION SIZE(0)\nEXEC\n.if size == 13\nmove export62, R1\n.endif\nALLOC "
               "PARAM/PIXEL SIZE(0)\nEXEC_END",
               first_words, COUNT(first_words));
    /* A scalar operation from a macro is combined with the vector operation before it. */
    EXPECT(".macro one to, from\nRCP \\to = \\from\n.endm\nEXEC_END ALU: MAXv R0 = R1, R1\none "
           "R2.x, R3\n",
           CLAUSE_WORDS, 19u << 26 | 1 << 20 | 15 << 16 | 2 << 8, 0, 0xe2010103);
}

/* Lines of the section ".tessera" for the headers of docs/isa/a2xx.md. The bits were worked out by
 * hand. */
TEST(test_headers)
{
    static const char text[] =
        "@attribute(R1)position @attribute(R2-R3) matrix\n@varying(R0) MOV "
        "@varying(export2-export3) more\n"
        "@uniform(C0-C3) mvp\n@sampler(5) texture\n@const(C11) 2.0, -0.5, 20, 0.000000\n"
        "@bool(3) 1\n@loop(4) 10, 2, -1\nEXEC_END\n";
    static const char lines[] =
        "attribute position 1 1\nattribute matrix 2 2\nvarying MOV 0 1\nvarying more 2 2\nuniform "
        "mvp 0 4\n"
        "sampler texture 5\nconstant 11 0x40000000 0xbf000000 0x41a00000 0x00000000\nbool 3 1\n"
        "loop 4 10 2 -1\n";
    const struct tess_asm_options options = {
        .machine = TESS_MACHINE_A2XX, .format = TESS_ASM_ELF, .skip_check = true};
    uint8_t *bytes;
    size_t size, at = 0;
    assert_int_equal(tess_assemble_text(text, strlen(text), NULL, &options, (struct tess_sink){0},
                                        &bytes, &size),
                     TESS_OK);
    while (at + strlen(lines) <= size && memcmp(bytes + at, lines, strlen(lines)) != 0)
        at++;
    assert_true(at + strlen(lines) <= size);
    tess_free(bytes);
}

/* --- errors --- */

/* clang-format off */
static const struct {
    const char *text, *rule;
    uint32_t line, column; /* position of the error */
    const char *hint; /* NULL if the hint is not compared */
} wrong[] = {
    {"EXE\n", "a2xx-unknown", 1, 1, "did you mean EXEC? (end a label with a colon: EXE:)"},
    {"EXEC\n ALU: MULq R0 = R1, R2", "a2xx-operation", 2, 7, "did you mean MULv?"},
    {"EXEC\n ALU: MULv R0 = R1", "a2xx-operands", 2, 16, NULL},
    {"EXEC\n ALU: MULADDv R0 = R1,\n R2", "a2xx-operands", 2, 19, NULL},
    {"EXEC ALU: MULv R0 = R64, R1", "a2xx-register-range", 1, 22, NULL},
    {"EXEC ALU: MULv R0 = C256, R1", "a2xx-constant-range", 1, 22, NULL},
    {"EXEC ALU: MULv export64 = R1, R1", "a2xx-export-number", 1, 22, NULL},
    {"EXEC ALU: MULv R0 = Q1, R1", "a2xx-operand", 1, 21, NULL},
    {"EXEC ALU: MULv R0 = R1.xq, R1", "a2xx-swizzle", 1, 25, NULL},
    {"EXEC ALU: MULv R0.yx = R1, R1", "a2xx-mask", 1, 20, NULL},
    {"EXEC ALU: MULv R0.xyz1 = R1, R1", "a2xx-mask", 1, 22, NULL},
    {"EXEC ALU: MAXv export0.x0__ = R1, R1", "a2xx-mask", 1, 6, NULL},
    {"EXEC ALU: MAXv R0 = R[a0+1], R1", "a2xx-operand", 1, 21, NULL},
    {"EXEC ALU: MAXv R0 = |C1|, C2", "a2xx-constant-abs", 1, 27, NULL},
    {"EXEC ALU: MAXv R0 = C[a0], C[aL]", "a2xx-constant-relative", 1, 28, NULL},
    {"EXEC ALU: CNDEv R0 = C1, C2, C[aL]", "a2xx-constant-relative", 1, 22, NULL},
    {"ALU: MAXv R0 = R1, R1", "a2xx-clause", 1, 1, "put EXEC before the instruction"},
    {"EXEC_END: NOP", "a2xx-syntax", 1, 9, NULL},
    {"NOP ALU: MAXv R0 = R1, R1", "a2xx-clause", 1, 5, "put EXEC before the instruction"},
    {"RCP R0 = R1", "a2xx-coissue", 1, 1, NULL},
    {"EXEC ALU: RCP R0 = R1\nRCP R0 = R1", "a2xx-coissue", 2, 1, NULL},
    {"EXEC ALU: MULADDv R0 = R3, R1, R2\nRCP R0 = R2", "a2xx-coissue-third", 2, 10, NULL},
    {"EXEC ALU: MULADDv R0 = R3, R1, R2\nMUL_CONST R0.x = C2.x, R2.x", "a2xx-coissue-third", 2, 17,
     NULL},
    {"EXEC ALU: MAXv R0 = R3, R1\nRCP export0 = R2", "a2xx-coissue-export", 2, 5, NULL},
    {"EXEC ALU: MAXv export0 = R3, R1\nRCP R2.x = R2", "a2xx-coissue-export", 2, 5, NULL},
    {"EXEC ALU: MAXvEQ R0 = R3, R1\nRCPNE R0 = R2", "a2xx-coissue-predicate", 2, 1, NULL},
    {"EXEC ALU: MAXv R0 = R3, R1\nADDs R0 = R2, R3", "a2xx-coissue-operands", 2, 10, NULL},
    {"EXEC ALU: OP(64) R0 = R1", "a2xx-range", 1, 14, NULL},
    {"EXEC FETCH: VERTX R0 = R1.x CONST(1)", "a2xx-operation", 1, 13, "did you mean VERTEX?"},
    {"EXEC FETCH: VERTEX R0 = R1.x FMT_8 STRIDE(256) CONST(1)", "a2xx-range", 1, 43, NULL},
    {"EXEC FETCH: VERTEX R0 = R1.x FMT_8 STRIDE(4) CONST(32)", "a2xx-range", 1, 52, NULL},
    {"EXEC FETCH: VERTEX R0 = R1.x FMT_8 STRIDE(4)", "a2xx-argument", 1, 45, NULL},
    {"EXEC FETCH: VERTEX R0 = R1.x STRIDE(4) CONST(1)", "a2xx-argument", 1, 48, NULL},
    {"EXEC FETCH: VERTEX R0 = R1.x FMT_9 STRIDE(4) CONST(1)", "a2xx-argument", 1, 30, NULL},
    {"EXEC FETCH: VERTEX R0 = R1.xy FMT_8 STRIDE(4) CONST(1)", "a2xx-swizzle", 1, 28, NULL},
    {"EXEC FETCH: SAMPLE R0 = R1.xyz FMT_8 CONST(1)", "a2xx-argument", 1, 32, "remove the format"},
    {"EXEC FETCH: SAMPLE R0 = R1.xyz CONST(1) CONST(1)", "a2xx-argument", 1, 41, NULL},
    {"EXEC FETCH: SAMPLE C0 = R1.xyz CONST(1)", "a2xx-operand", 1, 20, NULL},
    {"EXEC LOOP(3)", "a2xx-argument", 1, 6, NULL},
    {"EXEC CNT(8)", "a2xx-range", 1, 10, NULL},
    {"EXEC ADDR(3", "a2xx-syntax", 1, 12, NULL},
    {"ALLOC POSITION", "a2xx-argument", 1, 1, NULL},
    {"ALLOC FOO SIZE(1)", "a2xx-argument", 1, 7, NULL},
    {"COND_JMP COND(1)", "a2xx-argument", 1, 1, NULL},
    {"COND_JMP ADDR(nowhere) COND(1)", "asm-undefined", 1, 15, NULL},
    {"EXEC\nx: ALU: MAXv R0 = R1, R1\nCOND_JMP ADDR(x) COND(1)", "a2xx-target", 3, 1, NULL},
    {"COND_JMP ADDR(8192) COND(1)", "a2xx-range", 1, 15, NULL},
    {"CF 0x1000000000000", "a2xx-range", 1, 4, NULL},
    {"@attribute(C0) x", "a2xx-header", 1, 12, NULL},
    {"@attribute(R3-R2) x", "a2xx-header", 1, 14, NULL},
    {"@attribute(R64) x", "a2xx-register-range", 1, 13, NULL},
    {"@attribut(R6) x", "a2xx-header", 1, 2, "did you mean attribute?"},
    {"@const(C0) 1, 2, 3, 4, 5", "a2xx-header", 1, 23, NULL},
    {"@bool(256) 1", "a2xx-range", 1, 7, NULL},
    {"@loop(1) 256, 0, 0", "a2xx-range", 1, 10, NULL},
    {".idle foo", "a2xx-syntax", 1, 7, NULL},
    {".layout clause", "a2xx-syntax", 1, 9, NULL},
    {"EXEC\n.back 1\n.endb", "asm-unknown", 2, 1, NULL},
    {"x: EXEC\n.clone x, 1", "asm-unknown", 2, 1, NULL},
    {"EXEC ALU: MAXv R0 = R1, R1 )", "a2xx-syntax", 1, 28, NULL},
};

static const struct {
    const char *text, *rule;
} doubtful[] = {
    {"EXEC_END ADDR(2) ALU: MAXv R0 = R1, R1", "a2xx-clause"},
    {"EXEC_END CNT(2) ALU: MAXv R0 = R1, R1", "a2xx-clause"},
    {"EXEC_END SEQ(1) ALU: MAXv R0 = R1, R1", "a2xx-clause"},
    {"COND_JMP ADDR(0)", "a2xx-condition"},
    {"COND_CALL ADDR(0)", "a2xx-condition"},
};
/* clang-format on */

TEST(test_errors)
{
    for (size_t i = 0; i < COUNT(wrong); i++) {
        uint32_t words[WORDS_MAX];
        struct said said;
        size_t count = assemble_for(TESS_A2XX_ADRENO, wrong[i].text, words, &said);
        if (count != 0 || said.errors == 0 || strcmp(said.rule, wrong[i].rule) != 0 ||
            said.line != wrong[i].line || said.column != wrong[i].column ||
            (wrong[i].hint && strcmp(wrong[i].hint, said.hint) != 0))
            print_error("%s\n  %u:%u: %s [%s] (%s)\n", wrong[i].text, said.line, said.column,
                        said.text, said.rule, said.hint);
        assert_int_equal(count, 0);
        assert_string_equal(said.rule, wrong[i].rule);
        assert_int_equal(said.line, wrong[i].line);
        assert_int_equal(said.column, wrong[i].column);
        if (wrong[i].hint)
            assert_string_equal(said.hint, wrong[i].hint);
    }
}

TEST(test_warnings)
{
    for (size_t i = 0; i < COUNT(doubtful); i++) {
        uint32_t words[WORDS_MAX];
        struct said said;
        assert_int_not_equal(assemble_for(TESS_A2XX_ADRENO, doubtful[i].text, words, &said), 0);
        assert_int_equal(said.warnings, 1);
        assert_string_equal(said.rule, doubtful[i].rule);
    }
}

/* A program that is cut off at any character assembles or causes a message. */
TEST(test_cut_off)
{
    static const char text[] = "@attribute(R1-R2) position @const(C11) 2.0, 1\nx: EXEC ADDR(3) "
                               "CNT(1) (S)FETCH: VERTEX R1.xyz1 = R0.x FMT_8 "
                               "UNSIGNED STRIDE(12) CONST(10, 2) ALLOC PARAM/PIXEL "
                               "SIZE(0)\nEXEC_END ALU: MAXvEQ export0.x01_ = -|R1.xyzw|, "
                               "C[a0+5] CLAMP\nMUL_CONST R4.x___ = C4.x, R0.w COND_JMP ADDR(x) "
                               "COND(1)\nFETCH: SAMPLE R1 = R2.xyz CONST(1) MAG(POINT)";
    for (size_t length = 0; length < sizeof text; length++) {
        char cut[sizeof text];
        uint32_t words[WORDS_MAX];
        struct said said;
        memcpy(cut, text, length);
        cut[length] = '\0';
        size_t count = assemble_for(TESS_A2XX_ADRENO, cut, words, &said);
        /* A program that consists of headers only has no words and no error. */
        assert_true(count > 0 || said.errors > 0 || !strstr(cut, "EXEC"));
    }
}
