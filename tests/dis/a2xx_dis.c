/* SPDX-License-Identifier: MIT */
/* a2xx_dis.c - tests the disassembler of A2xx programs. Words and their texts are those of
 * docs/hardware/a2xx.md, section 19, which include the listings of freedreno's wiki. Lines in
 * Mesa's style are the output of Mesa's printer (Mesa 22.3.6, src/freedreno/ir2/disasm-a2xx.c)
 * for the same words. All other texts are checked with the assembler: each text must assemble to
 * the words it came from. "test_isa_a2xx_dis COUNT" tries COUNT random programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>

#include "../register.h"
#include "base/bits.h"
#include "isa/a2xx/a2xx_isa.h"
#include "random.h"

enum { PROGRAM_SLOTS = 64, PROGRAM_BYTES = PROGRAM_SLOTS * A2XX_SLOT_BYTES };

static unsigned long random_programs = 3000;

static const struct tess_sink deaf;

/* The first listing of freedreno's wiki, as words (docs/hardware/a2xx.md, section 19). */
static const uint32_t first_example[] = {
    0x00031003, 0x00001000, 0xc2000000, 0x00001004, 0x00001000, 0xc4000000, 0x00000005, 0x00002000,
    0x00000000, 0x08a81000, 0x00392a88, 0x0000000c, 0x140f803e, 0x00000000, 0xe2010100,
};

/* --- helpers --- */

static void store_words(uint8_t *bytes, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        store_le32(bytes + 4 * i, words[i]);
}

static char *disassemble(const void *data, size_t size, struct tess_dis_options options)
{
    char *text;
    size_t length;
    options.machine = TESS_MACHINE_A2XX;
    assert_int_equal(tess_disassemble(data, size, &options, deaf, &text, &length), TESS_OK);
    assert_int_equal(strlen(text), length);
    return text;
}

static char *disassemble_words(const uint32_t *words, size_t count, struct tess_dis_options options)
{
    uint8_t bytes[PROGRAM_BYTES];
    store_words(bytes, words, count);
    options.input = TESS_DIS_RAW;
    return disassemble(bytes, 4 * count, options);
}

/* Prints the diagnostic of a text that does not assemble. */
static void complain(void *user, const struct tess_finding *diag)
{
    (void)user;
    if (diag->level >= TESS_WARNING)
        print_message("%u:%u: %s\n", (unsigned)diag->line, (unsigned)diag->column, diag->text);
}

static uint8_t *assemble(const char *text, enum tess_a2xx_variant variant,
                         enum tess_asm_format format, size_t *size)
{
    const struct tess_asm_options options = {
        .machine = TESS_MACHINE_A2XX, .variant = variant, .format = format, .skip_check = true};
    uint8_t *bytes = NULL;
    const struct tess_sink sink = {complain, NULL};
    if (tess_assemble_text(text, strlen(text), "x", &options, sink, &bytes, size) != TESS_OK)
        fail_msg("does not assemble:\n%s", text);
    return bytes;
}

static void expect_assembles(const char *text, const void *data, size_t size,
                             enum tess_a2xx_variant variant)
{
    size_t got;
    uint8_t *bytes = assemble(text, variant, TESS_ASM_BIN, &got);
    if (got != size || memcmp(bytes, data, size) != 0)
        fail_msg("%zu bytes, not these %zu:\n%s", got, size, text);
    tess_free(bytes);
}

static void expect_returns(const uint8_t *bytes, size_t size, enum tess_a2xx_variant variant)
{
    char *text = disassemble(bytes, size,
                             (struct tess_dis_options){.input = TESS_DIS_RAW, .variant = variant});
    expect_assembles(text, bytes, size, variant);
    tess_free(text);
}

static void expect_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' lacks '%s'", text, part);
}

/* Removes comments, and the blanks before them, from all lines. */
static void strip(char *text)
{
    char *to = text;
    for (char *line = text; *line;) {
        size_t length = strcspn(line, "\n"), kept = 0;
        while (kept < length && line[kept] != ';')
            kept++;
        while (kept > 0 && line[kept - 1] == ' ')
            kept--;
        memmove(to, line, kept);
        to += kept;
        *to++ = '\n';
        line += length + (line[length] == '\n');
    }
    *to = 0;
}

static void expect_text(const uint32_t *words, size_t count, const char *expected)
{
    char *text = disassemble_words(words, count, (struct tess_dis_options){0});
    strip(text);
    assert_string_equal(text, expected);
    uint8_t bytes[PROGRAM_BYTES];
    store_words(bytes, words, count);
    expect_assembles(text, bytes, 4 * count, TESS_A2XX_ADRENO);
    tess_free(text);
}

static void expect_slot(enum tess_a2xx_slot kind, const uint32_t words[3], const char *expected)
{
    char text[1024];
    assert_int_equal(tess_a2xx_disassemble(text, sizeof text, words, kind, TESS_A2XX_ADRENO),
                     strlen(expected));
    assert_string_equal(text, expected);
}

/* --- texts --- */

TEST(test_first_example)
{
    expect_text(
        first_example, 15,
        "EXEC\n"
        "   (S)FETCH:  VERTEX  R1.xyz1 = R0.x FMT_32_32_32_FLOAT UNSIGNED STRIDE(12) CONST(10, 0)\n"
        "ALLOC POSITION SIZE(0x0)\n"
        "EXEC\n"
        "      ALU:    MAXv    export62 = R1, R1\n"
        "ALLOC PARAM/PIXEL SIZE(0x0)\n"
        "EXEC_END\n"
        "NOP\n");
}

/* Instructions of the wiki's second listing. Words and texts are those of docs/hardware/a2xx.md,
 * section 19. The texts include the fields of idle halves. */
TEST(test_instructions)
{
    expect_slot(TESS_A2XX_SLOT_ALU, (const uint32_t[]){0x140f0000, 0x001b0000, 0xa1020700},
                "ALU:    MULv    R0 = R2.wwww, C7");
    expect_slot(TESS_A2XX_SLOT_ALU, (const uint32_t[]){0x140f803e, 0x006c0000, 0xab020400},
                "ALU:    MULADDv export62 = R0, R2.xxxx, C4");
    expect_slot(TESS_A2XX_SLOT_ALU, (const uint32_t[]){0x4c170402, 0x00060000, 0xa1030a00},
                "ALU:    MULv    R2.xyz_ = R3.zzzw, C10\n"
                "              RECIP_IEEE R4.x___ = R0");
    expect_slot(TESS_A2XX_SLOT_ALU, (const uint32_t[]){0x14070000, 0x04002c0c, 0xcb00040b},
                "ALU:    MULADDv R0.xyz_ = C11.xxzw, -R0, R4.xxxw");
    expect_slot(TESS_A2XX_SLOT_ALU, (const uint32_t[]){0x58800000, 0x00000040, 0xe2000004},
                "ALU:    MAXv    R0.____ = R0, R0\n"
                "              RECIPSQ_IEEE R0.___w = R4.xyzx");
    expect_slot(TESS_A2XX_SLOT_ALU, (const uint32_t[]){0x14878000, 0x00002c40, 0xc101000c},
                "ALU:    MULv    export0.xyz_ = R1, R0.xxxw\n"
                "              MAXs    export0.___w = C12.xyzx");
    expect_slot(TESS_A2XX_SLOT_FETCH, (const uint32_t[]){0x03483000, 0x40393e88, 0x0000000c},
                "FETCH:  VERTEX  R3.xyz_ = R0.x FMT_32_32_32_FLOAT SIGNED STRIDE(12) CONST(20, 1) "
                "PREFETCH(0) MINI(1)");
    expect_slot(TESS_A2XX_SLOT_CONTROL, (const uint32_t[]){0x00006009, 0x400f1000, 0x10000000},
                "EXEC ADDR(0x9) CNT(0x6) SEQ(0x0)\n"
                "EXEC ADDR(0xf) CNT(0x4) SEQ(0x0)");
}

/* Encodings for which Mesa's printer has no text. The fields are set by hand by their numbers in
 * docs/hardware/a2xx.md, section 5. */

TEST(test_our_own_words)
{
    struct a2xx_alu alu = {.vector_opc = A2XX_V_MUL,
                           .vector_dest = 3,
                           .vector_write_mask = 15,
                           .vector_dest_rel = 1,
                           .src1 = 200,
                           .src2 = 0x80 | 0x40 | 5,
                           .src2_sel = 1,
                           .const_0_rel = 1,
                           .address_mode = 1,
                           .abs_constants = 1,
                           .src3_sel = 1,
                           .scalar_opc = A2XX_S_MAX,
                           .is_predicated = 1};
    uint32_t words[A2XX_WORDS];
    a2xx_encode_alu(&alu, words);
    expect_slot(TESS_A2XX_SLOT_ALU, words, "ALU:    MULvNE  R[aL+3] = |C[a0+200]|, |R[aL+5]|");

    /* The vector operation exports x, the scalar operation y, both export z, and neither exports
     * w. */
    alu = (struct a2xx_alu){.export_data = 1,
                            .vector_opc = A2XX_V_MAX,
                            .vector_write_mask = 5,
                            .scalar_write_mask = 6,
                            .scalar_dest_rel = 1,
                            .src1_sel = 1,
                            .src2_sel = 1,
                            .src3_sel = 1,
                            .scalar_opc = A2XX_S_MAX};
    a2xx_encode_alu(&alu, words);
    expect_slot(TESS_A2XX_SLOT_ALU, words,
                "ALU:    MAXv    export0.x_10 = R0, R0\n"
                "              MAXs    export0._yz_ = R0");
}

TEST(test_constant_and_register)
{
    uint32_t words[A2XX_WORDS];
    /* Register number 37 consists of opcode bit 0 (1), the select bit (0), and bits 2 to 5 of the
     * swizzle (36). */
    struct a2xx_alu alu = {.vector_opc = A2XX_V_MAX,
                           .src1_sel = 1,
                           .src2_sel = 1,
                           .scalar_opc = A2XX_S_SUB_CONST_1,
                           .scalar_write_mask = 1,
                           .src3 = 65,
                           .src3_swiz = 1 << 6 | 36 | 3};
    a2xx_encode_alu(&alu, words);
    expect_slot(TESS_A2XX_SLOT_ALU, words,
                "ALU:    MAXv    R0.____ = R0, R0\n"
                "              SUB_CONST R0.x___ = C65.x, R37.w");

    /* Vector opcode 30 is undefined. */
    alu.vector_opc = 30;
    a2xx_encode_alu(&alu, words);
    char text[256], expected[64];
    tess_a2xx_disassemble(text, sizeof text, words, TESS_A2XX_SLOT_ALU, TESS_A2XX_ADRENO);
    snprintf(expected, sizeof expected, "ALU:    0x%08x, 0x%08x, 0x%08x", (unsigned)words[0],
             (unsigned)words[1], (unsigned)words[2]);
    assert_string_equal(text, expected);
}

TEST(test_control_flow)
{
    uint32_t words[A2XX_WORDS] = {0};
    struct a2xx_cf cf = {.form = A2XX_FORM_LOOP,
                         .loop = {.opcode = A2XX_CF_LOOP_END,
                                  .address = 3,
                                  .loop_id = 7,
                                  .predicated_break = 1,
                                  .condition = 1}};
    a2xx_set_cf_half(words, 0, a2xx_encode_cf(&cf));
    cf = (struct a2xx_cf){
        .form = A2XX_FORM_JUMP,
        .jump = {.opcode = A2XX_CF_COND_JMP, .address = 9, .predicated = 1, .direction = 1}};
    a2xx_set_cf_half(words, 1, a2xx_encode_cf(&cf));
    expect_slot(TESS_A2XX_SLOT_CONTROL, words,
                "LOOP_END ADDR(0x3) LOOP_ID(7) PRED_BREAK COND(1)\n"
                "COND_JMP ADDR(0x9) COND(0)");
    cf = (struct a2xx_cf){
        .form = A2XX_FORM_JUMP,
        .jump = {.opcode = A2XX_CF_COND_CALL, .address = 2, .bool_address = 5, .condition = 1}};
    a2xx_set_cf_half(words, 0, a2xx_encode_cf(&cf));
    cf = (struct a2xx_cf){.form = A2XX_FORM_NOP, .nop = {.reserved0 = 1}};
    a2xx_set_cf_half(words, 1, a2xx_encode_cf(&cf));
    expect_slot(TESS_A2XX_SLOT_CONTROL, words,
                "COND_CALL ADDR(0x2) DIR(0) COND(1) BOOL_ADDR(0x5)\n"
                "CF 0x000000000001");
}

TEST(test_labels)
{
    static const char source[] = "      LOOP_START ADDR(behind) LOOP_ID(1)\n"
                                 "again:\n"
                                 "      EXEC\n"
                                 "      ALU: MAXv R0 = R0, R0\n"
                                 "      LOOP_END ADDR(again) LOOP_ID(1)\n"
                                 "behind: EXEC_END\n";
    size_t size;
    uint8_t *bytes = assemble(source, TESS_A2XX_ADRENO, TESS_ASM_BIN, &size);
    char *text = disassemble(bytes, size, (struct tess_dis_options){.input = TESS_DIS_RAW});
    strip(text);
    assert_string_equal(text, "LOOP_START ADDR(L_0012) LOOP_ID(1)\n"
                              "L_0006:\n"
                              "EXEC\n"
                              "      ALU:    MAXv    R0 = R0, R0\n"
                              "LOOP_END ADDR(L_0006) LOOP_ID(1)\n"
                              "L_0012:\n"
                              "EXEC_END\n");
    expect_assembles(text, bytes, size, TESS_A2XX_ADRENO);
    tess_free(text);
    tess_free(bytes);
}

/* --- any words --- */

static uint32_t next_word(uint64_t *random)
{
    return (uint32_t)next_random64(random);
}

/* Fills the array with random words. In half of the calls, the words have few bits set. */
static void fill_words(uint64_t *random, uint32_t *words, size_t count)
{
    bool sparse = next_word(random) & 1;
    for (size_t i = 0; i < count; i++)
        words[i] = next_word(random) &
                   (sparse ? next_word(random) & next_word(random) : UINT32_MAX);
}

/* Generates random instructions in consecutive clauses, in the layout of an assembler. */
static size_t make_program(uint64_t *random, uint32_t words[PROGRAM_SLOTS * A2XX_WORDS])
{
    static const uint8_t execs[] = {1, 2, 3, 4, 5, 6, 13, 14},
                         others[] = {0, 7, 8, 9, 10, 11, 12, 15};
    size_t cf_slots = 1 + next_word(random) % 4, next = cf_slots;
    fill_words(random, words, PROGRAM_SLOTS * A2XX_WORDS);
    for (size_t i = 0; i < cf_slots * A2XX_CF_PER_SLOT; i++) {
        uint32_t *slot = words + i / 2 * A2XX_WORDS;
        struct a2xx_cf cf = a2xx_decode_cf(a2xx_cf_half(slot, i % 2));
        if (i == 0 || next_word(random) % 2) {
            cf.form = A2XX_FORM_EXEC;
            cf.exec.opcode = execs[next_word(random) % 8];
            cf.exec.count = next_word(random) % 7;
            cf.exec.address = (uint32_t)next;
            cf.exec.sequence &= (1u << 2 * cf.exec.count) - 1;
            next += cf.exec.count;
        } else {
            cf = a2xx_decode_cf((a2xx_encode_cf(&cf) & 0x6ff00003fff) |
                                (uint64_t)others[next_word(random) % 8] << 44);
        }
        a2xx_set_cf_half(slot, i % 2, a2xx_encode_cf(&cf));
    }
    return next;
}

TEST(test_programs_return)
{
    uint64_t random = 7;
    for (unsigned long i = 0; i < random_programs; i++) {
        uint32_t words[PROGRAM_SLOTS * A2XX_WORDS];
        uint8_t bytes[PROGRAM_BYTES];
        size_t slots = make_program(&random, words);
        store_words(bytes, words, PROGRAM_SLOTS * A2XX_WORDS);
        expect_returns(bytes, slots * A2XX_SLOT_BYTES, i % 3 == 0);
    }
}

/* Random words in random order must be preserved, in files of any length. */
TEST(test_words_return)
{
    uint64_t random = 11;
    for (unsigned long i = 0; i < random_programs; i++) {
        uint32_t words[PROGRAM_SLOTS * A2XX_WORDS];
        uint8_t bytes[PROGRAM_BYTES];
        fill_words(&random, words, PROGRAM_SLOTS * A2XX_WORDS);
        if (i % 2)
            make_program(&random, words);
        store_words(bytes, words, PROGRAM_SLOTS * A2XX_WORDS);
        expect_returns(bytes, next_word(&random) % (PROGRAM_BYTES + 1), i % 3 == 0);
    }
}

/* The file has more slots than a clause address can reach. */
TEST(test_long_file_returns)
{
    enum { SIZE = (A2XX_SLOTS_MAX + 3) * A2XX_SLOT_BYTES + 5 };
    uint8_t *bytes = calloc(1, SIZE);
    assert_non_null(bytes);
    uint64_t random = 13;
    for (size_t i = 0; i < SIZE; i++)
        bytes[i] = (uint8_t)next_word(&random);
    expect_returns(bytes, SIZE, TESS_A2XX_ADRENO);
    memset(bytes, 0, SIZE);
    expect_returns(bytes, A2XX_SLOTS_MAX * A2XX_SLOT_BYTES, TESS_A2XX_ADRENO);
    free(bytes);
}

TEST(test_cut_texts)
{
    uint64_t random = 17;
    for (unsigned i = 0; i < 3000; i++) {
        uint32_t words[A2XX_WORDS];
        char whole[2048], cut[24], account[32768];
        enum tess_a2xx_slot kind = (enum tess_a2xx_slot)(i % 3);
        fill_words(&random, words, A2XX_WORDS);
        size_t length = tess_a2xx_disassemble(whole, sizeof whole, words, kind, i & 1);
        assert_in_range(length, 1, sizeof whole - 1);
        assert_int_equal(strlen(whole), length);
        assert_int_equal(tess_a2xx_disassemble(cut, sizeof cut, words, kind, i & 1), length);
        assert_int_equal(strncmp(cut, whole, sizeof cut - 1), 0);
        length = tess_a2xx_explain(account, sizeof account, words, kind, i & 1);
        assert_in_range(length, 1, sizeof account - 1);
        assert_int_equal(strlen(account), length);
        assert_int_equal(tess_a2xx_explain(NULL, 0, words, kind, i & 1), length);
    }
    assert_int_equal(tess_a2xx_disassemble(NULL, 0, NULL, TESS_A2XX_SLOT_ALU, 0), 0);
}

/* --- forms of files --- */

/* The output of Mesa's printer with PRINT_RAW for the first listing. It is repeated, and has
 * other text around it. */
TEST(test_listing)
{
    static const char program[] =
        "\t\tvertex shader, start=0000, size=0015\n"
        "\t    1003 0003 1000            \tEXEC ADDR(0x3) CNT(0x1)\n"
        "\t03: 08a81000 00392a88 0000000c\t   (S)FETCH:\tVERTEX\tR1.xyz1 = R0.x FMT_32_32_32_FLOAT "
        "UNSIGNED STRIDE(12) CONST(10, 0)\n"
        "\t    0000 0000 c200            \tALLOC POSITION SIZE(0x0)\n"
        "\t    1004 0000 1000            \tEXEC ADDR(0x4) CNT(0x1)\n"
        "\t04: 140f803e 00000000 e2010100\t      ALU:\tMAXv\texport62 = R1, R1\t; gl_Position\n"
        "\t    0000 0000 c400            \tALLOC PARAM/PIXEL SIZE(0x0)\n"
        "\t    0005 0000 2000            \tEXEC_END ADDR(0x5) CNT(0x0)\n"
        "\t    0000 0000 0000            \tNOP\n"
        "0122e120:\t\t0040: 40262688 00001020 000f803e\n";
    char twice[2 * sizeof program];
    uint8_t bytes[120];
    snprintf(twice, sizeof twice, "%s%s", program, program);
    store_words(bytes, first_example, 15);
    store_words(bytes + 60, first_example, 15);
    char *text = disassemble(program, strlen(program), (struct tess_dis_options){0});
    expect_assembles(text, bytes, 60, TESS_A2XX_ADRENO);
    tess_free(text);
    text = disassemble(twice, strlen(twice), (struct tess_dis_options){0});
    expect_assembles(text, bytes, 120, TESS_A2XX_ADRENO);
    tess_free(text);
    const struct tess_dis_options gp = {.machine = TESS_MACHINE_GP};
    size_t size;
    assert_int_equal(tess_disassemble(program, strlen(program), &gp, deaf, &text, &size),
                     TESS_BAD_INPUT);
}

/* A container that is built by hand from code_xenos.c. It has a header, a description, four
 * bytes of constants, and a slot of microcode. */
TEST(test_container)
{
    static const uint8_t container[] = {
        0x10, 0x2a, 0x11, 0x01, 0, 0, 0, 36, 0, 0,  0,    0, 0, 0, 0, 0, 0, 0,
        0,    0,    0,    0,    0, 0, 0, 0,  0, 28, 0,    0, 0, 4, 0, 0, 0, 12,
        1,    2,    3,    4,    0, 0, 0, 1,  0, 0,  0x20, 0, 0, 0, 0, 0,
    };
    const uint8_t code[] = {1, 0, 0, 0, 0, 0x20, 0, 0, 0, 0, 0, 0};
    char *text = disassemble(container, sizeof container, (struct tess_dis_options){0});
    expect_has(text, "EXEC_END");
    expect_assembles(text, code, sizeof code, TESS_A2XX_XENOS);
    tess_free(text);
    for (size_t size = 4; size < sizeof container; size++) {
        const struct tess_dis_options options = {.machine = TESS_MACHINE_A2XX};
        size_t length;
        assert_int_equal(tess_disassemble(container, size, &options, deaf, &text, &length),
                         TESS_BAD_INPUT);
    }
}

/* The container of test_container() in a C header of Microsoft's compiler, where it follows the
 * listing. The second text has numbers that only begin like a container. */
TEST(test_container_in_c)
{
    static const char header[] =
        "#if 0\n// Parameters:\n# if 1\ndefconst tex0, object, [1, 1] = {, s0\n# endif\n    "
        "exece\n#endif\n"
        "// This microcode is in native DWORD byte order.\nconst DWORD g_xvs[] =\n{\n"
        "    0x102a1101, 36, 0, 0, 0, 0, 28, 4, 12, 0x01020304, 0x00000001, 0x00002000, 0\n};\n";
    const uint8_t code[] = {1, 0, 0, 0, 0, 0x20, 0, 0, 0, 0, 0, 0};
    char *text = disassemble(header, strlen(header), (struct tess_dis_options){0});
    expect_has(text, "g_xvs:");
    expect_has(text, "EXEC_END");
    expect_assembles(text, code, sizeof code, TESS_A2XX_XENOS);
    tess_free(text);
    static const char others[] = "const unsigned words[] = {0x102a1101, 36, 0};";
    const uint8_t same[] = {0x01, 0x11, 0x2a, 0x10, 36, 0, 0, 0, 0, 0, 0, 0};
    text = disassemble(others, strlen(others), (struct tess_dis_options){0});
    expect_assembles(text, same, sizeof same, TESS_A2XX_ADRENO);
    tess_free(text);
}

TEST(test_arrays)
{
    static const char arrays[] =
        "const uint32_t first[] = {0x00000001, 0x00002000, 0x00000000};\n"
        "uint32_t second[] = {0x00001001, 0x00002000, 0, 0x140f8000, 0, 0xe2000000};\n";
    const uint32_t words[] = {1, 0x2000, 0, 0x1001, 0x2000, 0, 0x140f8000, 0, 0xe2000000};
    uint8_t bytes[36];
    store_words(bytes, words, 9);
    char *text = disassemble(arrays, strlen(arrays), (struct tess_dis_options){0});
    expect_has(text, "first:");
    expect_has(text, "second:");
    expect_assembles(text, bytes, sizeof bytes, TESS_A2XX_ADRENO);
    tess_free(text);
}

TEST(test_headers)
{
    static const char source[] = "@attribute(R1) in_position\n"
                                 "@attribute(R2-R3) in_pair\n"
                                 "@varying(R0) colour\n"
                                 "@uniform(C0-C3) mvp\n"
                                 "@sampler(2) image\n"
                                 "@const(C11) 2.0, -0.5, 1e-07, 100000.0\n"
                                 "@bool(3) 1\n"
                                 "@loop(0) 4, 1, -2\n"
                                 ".global start\n"
                                 "start: EXEC_END\n"
                                 "ALU: MAXv export0 = C2, C2\n"
                                 "finish: .int 1, 2\n";
    size_t size, again_size;
    uint8_t *elf = assemble(source, TESS_A2XX_ADRENO, TESS_ASM_ELF, &size);
    char *text = disassemble(elf, size, (struct tess_dis_options){0});
    const char *const lines[] = {"@attribute(R1) in_position\n", "@attribute(R2-R3) in_pair\n",
                                 "@varying(R0) colour\n",        "@uniform(C0-C3) mvp\n",
                                 "@sampler(2) image\n",          "@bool(3) 1\n",
                                 "@loop(0) 4, 1, -2\n",          ".global start\nstart:\nEXEC_END",
                                 "finish:\n.int 0x00000001"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        expect_has(text, lines[i]);
    uint8_t *again = assemble(text, TESS_A2XX_ADRENO, TESS_ASM_ELF, &again_size);
    char *same = disassemble(again, again_size, (struct tess_dis_options){0});
    assert_string_equal(same, text);
    char *account = disassemble(elf, size, (struct tess_dis_options){.output = TESS_DIS_EXPLAIN});
    expect_has(account, "- C2 is mvp + 2\n");
    tess_free(account);
    tess_free(same);
    tess_free(again);
    tess_free(text);
    tess_free(elf);
}

TEST(test_json)
{
    char *text = disassemble_words(first_example, 15,
                                   (struct tess_dis_options){.output = TESS_DIS_JSON});
    expect_has(text, "\"machine\": \"a2xx\"");
    expect_has(text, "\"0x100000031003\"]");
    expect_has(text, "\"before\": []");
    expect_has(text,
               "\"reads\": [\n    \"R0.x\",\n    \"vertex constant 30\"],\n   \"writes\": [\n    "
               "\"R1.xyzw\"]");
    expect_has(text, "\"reads\": [\n    \"R1.xyzw\",\n    \"R1.xyzw\"],\n   \"writes\": [\n    "
                     "\"export62.xyzw\"]");
    tess_free(text);
}

/* --- Mesa's listing --- */

TEST(test_mesa)
{
    char *text = disassemble_words(first_example, 15,
                                   (struct tess_dis_options){.output = TESS_DIS_MESA});
    assert_string_equal(text, "\tEXEC ADDR(0x3) CNT(0x1)\n"
                              "\t   (S)FETCH:\tVERTEX\tR1.xyz1 = R0.x FMT_32_32_32_FLOAT UNSIGNED "
                              "STRIDE(12) CONST(10, 0)\n"
                              "\tALLOC POSITION SIZE(0x0)\n"
                              "\tEXEC ADDR(0x4) CNT(0x1)\n"
                              "\t      ALU:\tMAXv\texport62 = R1, R1\t; gl_Position\n"
                              "\tALLOC PARAM/PIXEL SIZE(0x0)\n"
                              "\tEXEC_END ADDR(0x5) CNT(0x0)\n"
                              "\tNOP\n");
    tess_free(text);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        random_programs = strtoul(argv[1], NULL, 10);
    return tests_run();
}
