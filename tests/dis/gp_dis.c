/* SPDX-License-Identifier: MIT */
/* gp_dis.c - tests the disassembler of GP programs. Words and listings are those of
 * docs/hardware/utgard.md, section 13. Results are numbered as in its section 20: unit u of
 * instruction i is ^(6i+u). Mesa 22.3.6's lima_disasm prints the same listings. Lines of
 * assembly follow docs/isa/gp.md. MBS files are built here by hand, after limadriver's page "MBS
 * File Format". "test_isa_gp_dis COUNT" tries COUNT random words. */
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
#include "base/buffer.h"
#include "code/code.h"
#include "isa/gp/gp_isa.h"
#include "random.h"

enum { PROGRAM_WORDS = 4 * 512 };

static unsigned long random_words = 100000;

static const struct tess_sink deaf;

/* The example words of docs/hardware/utgard.md, section 13. */
static const uint32_t vectors[][4] = {
    {0xb00b0ec2, 0x43802ac1, 0x40034400, 0x000ad508},
    {0xad4ad6b5, 0x038002b5, 0x0007ff80, 0x000ad500},
    {0xad4ad42c, 0x478142b5, 0x0007ff80, 0x000ad500},
    {0x748ad6b5, 0x038142b5, 0x0c07fc00, 0x000ad500},
    {0xad4b1084, 0x038002b5, 0x0147ff81, 0x000a9130},
    {0xad49da56, 0x038002b5, 0x0007ff80, 0x000ad510},
    {0xb68ad6b5, 0x03800ab5, 0x4407fc00, 0x000ad500},
    {0xad4ad6b5, 0x038002b5, 0x0007ffe0, 0x03d65500},
    {0xad4ab080, 0x0781c2b5, 0x0007ff81, 0x000ad540},
    {0xad4ad6b5, 0x038242b5, 0x4807fe00, 0x000a5700},
    {0xad4ad6b5, 0x038002b5, 0x0347ff80, 0x000ad100},
};

enum { VECTORS = sizeof vectors / sizeof vectors[0] };

static const char vectors_in_mesa[] = "000:\tmov.a0 ^0/v0.x a0.x\n"
                                      "\tmov.a1 ^1/v0.y a0.y\n"
                                      "\tmov.m0 ^2/v0.z a0.z\n"
                                      "\tmov.m1 ^3/v0.w a0.w\n"
                                      "001:\tnop\n"
                                      "002:\tmul.m0 ^14 t[5].x a1.y\n"
                                      "003:\tadd.a0 ^18/$3.x ^14 t[5].z\n"
                                      "004:\tcomplex2.m0 ^26 $2.x $2.x\n"
                                      "\tmov.m1 ^27 $2.x\n"
                                      "\trcp.c ^29 $2.x\n"
                                      "005:\tcomplex1.m01 ^32 ^29 ^26 ^29 ^27\n"
                                      "006:\tmov.a0 ^36/v1.x ^26\n"
                                      "007:\tmov.p ^46 t[0].x\n"
                                      "\tbranch ^46 003\n"
                                      "\tunknown_1 13\n"
                                      "008:\tsel.m01 ^50 $2.x $1.x t[7].x\n"
                                      "009:\tclamp.p ^58/v2.x ^52 t[9].x t[9].y\n"
                                      "010:\tmov.c ^65/addr1 ^58\n";

static const char *const vectors_in_assembly[VECTORS] = {
    ("load.attr 0; mul0.mov attr.z; mul1.mov attr.w; acc0.mov attr.x; acc1.mov attr.y; "
     "store0.varying 0, acc0, acc1; store1.varying 0, mul0, mul1"),
    "nop",
    "load.attr 1; load.unif 5; mul0.mul unif.x, attr.y",
    "load.unif 5; acc0.add mul0[-1], unif.z; store0.reg 3, acc0, _",
    "load.reg1 2; mul0.complex2 reg1.x, reg1.x; mul1.mov reg1.x; complex.rcp reg1.x",
    "mul0.complex1 complex[-1], mul0[-1], complex[-1], mul1[-1]",
    "acc0.mov mul0[-2]; store0.varying 1, acc0, _",
    "load.unif 0; pass.mov unif.x; branch 3",
    "load.reg0 1; load.reg1 2; load.unif 7; mul0.select reg1.x, unif.x, reg0.x",
    "load.unif 9; pass.clamp pass[-1]; store0.varying 2, pass, _",
    "complex.addr1 pass[-1]",
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
    options.machine = TESS_MACHINE_GP;
    assert_int_equal(tess_disassemble(data, size, &options, deaf, &text, &length), TESS_OK);
    assert_int_equal(strlen(text), length);
    return text;
}

static char *disassemble_words(const uint32_t *words, size_t count, enum tess_dis_output output)
{
    uint8_t bytes[4 * PROGRAM_WORDS];
    store_words(bytes, words, count);
    return disassemble(bytes, 4 * count,
                       (struct tess_dis_options){.input = TESS_DIS_RAW, .output = output});
}

static uint8_t *assemble(const char *text, enum tess_asm_format format, size_t *size)
{
    const struct tess_asm_options options = {
        .machine = TESS_MACHINE_GP, .format = format, .skip_check = true};
    uint8_t *bytes = NULL;
    assert_int_equal(tess_assemble_text(text, strlen(text), "x", &options, deaf, &bytes, size),
                     TESS_OK);
    return bytes;
}

static void expect_assembles(const char *text, const void *data, size_t size)
{
    size_t got;
    uint8_t *bytes = assemble(text, TESS_ASM_BIN, &got);
    assert_int_equal(got, size);
    assert_memory_equal(bytes, data, size);
    tess_free(bytes);
}

static void expect_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' lacks '%s'", text, part);
}

static void expect_listing(const struct gp_insn *insns, size_t count, const char *listing)
{
    uint32_t words[PROGRAM_WORDS];
    for (size_t i = 0; i < count; i++)
        gp_encode(&insns[i], words + 4 * i);
    char *text = disassemble_words(words, 4 * count, TESS_DIS_MESA);
    assert_string_equal(text, listing);
    tess_free(text);
}

/* --- lines --- */

TEST(test_assembly)
{
    for (size_t i = 0; i < VECTORS; i++) {
        char text[512];
        uint8_t bytes[16];
        assert_int_equal(tess_gp_disassemble(text, sizeof text, vectors[i]),
                         strlen(vectors_in_assembly[i]));
        assert_string_equal(text, vectors_in_assembly[i]);
        store_words(bytes, vectors[i], 4);
        if (!strstr(text, "branch")) /* the branch's target is outside of the single instruction */
            expect_assembles(text, bytes, sizeof bytes);
    }
}

TEST(test_cut_text)
{
    char whole[4096], cut[10];
    for (size_t i = 0; i < VECTORS; i++) {
        size_t length = tess_gp_disassemble(whole, sizeof whole, vectors[i]);
        assert_int_equal(tess_gp_disassemble(cut, sizeof cut, vectors[i]), length);
        assert_int_equal(strncmp(whole, cut, sizeof cut - 1), 0);
        assert_int_equal(tess_gp_disassemble(NULL, 0, vectors[i]), length);
        length = tess_gp_explain(whole, sizeof whole, vectors[i], NULL);
        assert_true(length < sizeof whole && strlen(whole) == length);
        assert_int_equal(tess_gp_explain(cut, sizeof cut, vectors[i], NULL), length);
        assert_int_equal(strncmp(whole, cut, sizeof cut - 1), 0);
    }
}

static void fill_random(uint32_t *words, size_t count, uint64_t *random)
{
    const struct gp_insn nop = gp_nop();
    for (size_t i = 0; i < count; i += 4) {
        uint64_t low = next_random64(random), high = next_random64(random);
        uint32_t any[4] = {(uint32_t)low, (uint32_t)(low >> 32), (uint32_t)high,
                           (uint32_t)(high >> 32)};
        gp_encode(&nop, words + i);
        /* Half of the instructions are a common instruction with one changed word. */
        if (i % 8 == 0)
            words[i + (any[0] & 3)] ^= any[1];
        else
            memcpy(words + i, any, sizeof any);
    }
}

TEST(test_random_words)
{
    static uint32_t words[PROGRAM_WORDS];
    static uint8_t bytes[sizeof words];
    uint64_t random = 11;
    for (unsigned long done = 0; done < random_words; done += PROGRAM_WORDS / 4) {
        const struct tess_dis_options options = {.input = TESS_DIS_RAW,
                                                 .base = done % 3 ? 0x10000 : (uint32_t)done % 64};
        fill_random(words, PROGRAM_WORDS, &random);
        store_words(bytes, words, PROGRAM_WORDS);
        char *text = disassemble(bytes, sizeof bytes, options);
        expect_assembles(text, bytes, sizeof bytes);
        tess_free(text);
    }
}

/* An incomplete instruction at the end is disassembled as data. */
TEST(test_sizes)
{
    uint8_t bytes[50];
    uint64_t random = 5;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)next_random64(&random);
    for (size_t size = 0; size <= sizeof bytes; size++) {
        for (uint32_t base = 0; base < 18; base++) {
            char *text = disassemble(
                bytes, size, (struct tess_dis_options){.input = TESS_DIS_RAW, .base = base});
            expect_assembles(text, bytes, size);
            tess_free(text);
        }
    }
}

/* --- labels --- */

static const char loop[] = "nop\nagain:\nload.unif 1; pass.mov unif.x; branch again\nnop\n";

TEST(test_labels)
{
    size_t size;
    uint8_t *bytes = assemble(loop, TESS_ASM_BIN, &size);
    for (uint32_t base = 0; base <= 0x120; base += 0x120) {
        char line[64];
        char *text = disassemble(bytes, size,
                                 (struct tess_dis_options){.input = TESS_DIS_RAW, .base = base});
        snprintf(line, sizeof line, "\n:L_%04x\nload.unif 1; pass.mov unif.x; branch L_%04x ",
                 base + 16, base + 16);
        expect_has(text, line);
        expect_assembles(text, bytes, size);
        tess_free(text);
    }
    tess_free(bytes);
    bytes = assemble(loop, TESS_ASM_ELF, &size);
    char *text = disassemble(bytes, size, (struct tess_dis_options){0});
    expect_has(text, "\n:again\nload.unif 1; pass.mov unif.x; branch again ");
    tess_free(text);
    tess_free(bytes);
}

/* A branch's target is outside of the program. A label cannot express this, and the assembler
 * rejects such a target, so the disassembler writes fields instead. */
TEST(test_target_outside)
{
    struct gp_insn insn = gp_nop();
    uint32_t words[4];
    uint8_t bytes[16];
    insn.branch = 1;
    insn.unknown_1 = GP_FLAGS_BRANCH;
    gp_set_branch_target(&insn, 300);
    gp_encode(&insn, words);
    store_words(bytes, words, 4);
    char *text = disassemble_words(words, 4, TESS_DIS_TEXT);
    expect_has(text, "field.branch 1; field.unknown_1 13; field.branch_target 44 ");
    assert_null(strstr(text, "L_"));
    expect_assembles(text, bytes, sizeof bytes);
    tess_free(text);
}

/* A range that the user declares as data is printed as data. The program starts after the range. */
TEST(test_data)
{
    const struct tess_dis_range data = {0, 16, true};
    uint8_t bytes[48];
    size_t size;
    uint8_t *code = assemble("a:\npass.mov unif.x; branch a\nnop\n", TESS_ASM_BIN, &size);
    memset(bytes, 'A', 16);
    memcpy(bytes + 16, code, 32);
    char *text = disassemble(
        bytes, sizeof bytes,
        (struct tess_dis_options){.input = TESS_DIS_RAW, .ranges = &data, .range_count = 1});
    expect_has(text, ".int 0x41414141, 0x41414141, 0x41414141, 0x41414141");
    expect_has(text, "# 00000000: data, \"AAAAAAAAAAAAAAAA\"\n:L_0010\n");
    expect_has(text, "branch L_0010");
    expect_assembles(text, bytes, sizeof bytes);
    tess_free(text);
    text = disassemble(
        bytes, sizeof bytes,
        (struct tess_dis_options){
            .input = TESS_DIS_RAW, .output = TESS_DIS_MESA, .ranges = &data, .range_count = 1});
    assert_string_equal(text, "# 00000000: 16 bytes of data\n000:\tmov.p ^4 t[0].x\n"
                              "\tbranch ^4 000\n\tunknown_1 13\n001:\tnop\n");
    tess_free(text);
    tess_free(code);
}

/* --- Mesa's listing --- */

TEST(test_mesa)
{
    char *text = disassemble_words(vectors[0], 4 * VECTORS, TESS_DIS_MESA);
    assert_string_equal(text, vectors_in_mesa);
    tess_free(text);
}

/* docs/hardware/utgard.md, section 20: Mesa's printer prints op3, unknown2 and unk1 for unknown
 * operations. Mesa's disasm.c numbers unknown sources from 8. */
TEST(test_mesa_unknown)
{
    struct gp_insn insn = gp_nop();
    insn.acc_op = 3;
    insn.acc0_src0 = 9;
    insn.acc1_src0 = GP_SRC_ROW_X;
    insn.load_addr = 12;
    insn.load_offset = 4;
    insn.mul_op = 2;
    insn.mul0_src1 = GP_SRC_IDENTITY;
    insn.complex_op = 1;
    insn.complex_src = GP_SRC_COMPLEX_P1;
    insn.pass_op = 0;
    insn.pass_src = GP_SRC_LOAD0_W;
    insn.unknown_1 = 7;
    expect_listing(&insn, 1,
                   "000:\top3.a0 ^0 unknown1\n\top3.a1 ^1 t[12+unk4].x\n"
                   "\tunknown2.m01 ^2 unused 1 unused unused\n\tunk1.c ^5 ^-1\n"
                   "\tunk0.p ^4 $0.w\n\tunknown_1 7\n");
}

/* Source codes 28 to 31 read what the previous instruction loaded. The remaining cases are
 * results of two instructions ago, signs, and stores of half vectors. */
TEST(test_mesa_operands)
{
    struct gp_insn insns[3] = {gp_nop(), gp_nop(), gp_nop()};
    insns[1].register0_addr = 5;
    insns[1].register0_attribute = 1;
    insns[2].register0_addr = 6;
    insns[2].acc0_src0 = GP_SRC_LOAD0_Y_P1;
    insns[2].acc0_src0_neg = 1;
    insns[2].acc0_src1 = GP_SRC_PASS_P2;
    insns[2].acc0_src1_neg = 1;
    insns[2].mul0_src0 = GP_SRC_LOAD0_Z;
    insns[2].mul0_src1 = GP_SRC_IDENTITY;
    insns[2].mul0_neg = 1;
    insns[2].load_offset = 2;
    insns[2].mul1_src0 = GP_SRC_ROW_W;
    insns[2].mul1_src1 = GP_SRC_ACC1_P1;
    insns[2].store0_src_x = insns[2].store0_src_y = GP_STORE_ACC0;
    insns[2].store0_addr = 15;
    insns[2].store1_src_w = GP_STORE_ACC0;
    insns[2].store1_temporary = 1;
    insns[2].complex_op = GP_COMPLEX_ADDR0;
    insns[2].complex_src = GP_SRC_ROW_X;
    expect_listing(insns, 3,
                   "000:\tnop\n001:\tnop\n"
                   "002:\tadd.a0 ^12/$15.xy/t[addr0].w -a5.y -^4\n\tmul.m0 ^14 $6.z -1\n"
                   "\tmul.m1 ^15 t[0+addr2].w ^7\n\tmov.c ^17/addr0 t[0+addr2].x\n");
}

/* --- explanations --- */

TEST(test_explain)
{
    static const struct {
        size_t vector;
        const char *part;
    } cases[] = {
        /* clang-format off */
        /* clang-format off */
        {0,
         "\n22-26   acc0_src0           0   (first operand of accumulator 0: x of load unit 0)\n"},
        {0,  "\nacc0: attribute[0].x, to varying[0].x\n"},
        {0,  "\n- attribute 0: the next instruction can also read it, as attr[-1]\n"},
        {1,  "\n\nnothing\n"},
        {2,  "\nmul0: row[5].x * attribute[1].y\n- mul0: can be read one and two instructions"},
        {3,  "\nacc0: mul0[-1] + row[5].z, to register[3].x\n"},
        {3,  "\n- store0: a load can read it from register 3 three instructions later\n"},
        {4,  "\ncomplex: 1 / register[2].x, first step\n"},
        {5,  "\n- complex1: can be read exactly two instructions later, as mul0[-2]"},
        {6,  "\n27-31   acc0_src1           22  (second operand of accumulator 0: the number 0)\n"},
        {7,  "\nbranch: to instruction 3 if the pass unit's result is not 0\n"},
        {8,  "\nmul0: row[7].x if register[2].x is not 0, else register[1].x\n"},
        {9,  "\npass: clamp(pass[-1], row[9].x, row[9].y), to varying[2].x\n"},
        {10, "\n- addr1: loads can use it four instructions later\n"},
        /* clang-format on */
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[8192];
        assert_true(tess_gp_explain(text, sizeof text, vectors[cases[i].vector], NULL) <
                    sizeof text);
        expect_has(text, cases[i].part);
    }
    char *text = disassemble_words(vectors[0], 4 * VECTORS, TESS_DIS_EXPLAIN);
    expect_has(text, "branch L_0030");
    expect_has(text, "\nbranch: to instruction 3 if");
    tess_free(text);
}

/* If the previous instruction has loaded a value, the explanation has the number in that
 * instruction's load. */
TEST(test_explain_before)
{
    struct gp_insn before = gp_nop(), insn = gp_nop();
    uint32_t words[8];
    char text[8192];
    before.register0_attribute = 1;
    before.register0_addr = 7;
    insn.pass_src = GP_SRC_LOAD0_X_P1;
    gp_encode(&before, words);
    gp_encode(&insn, words + 4);
    tess_gp_explain(text, sizeof text, words + 4, words);
    expect_has(text, "\npass: attribute[7].x[-1]\n");
    tess_gp_explain(text, sizeof text, words + 4, NULL);
    expect_has(text, "\npass: load unit 0.x[-1]\n");
}

/* Source 8 is the second code of an idle unit, as in the checker and the model. */
TEST(test_explain_idle)
{
    struct gp_insn insn = gp_nop();
    uint32_t words[4];
    char text[8192];
    insn.acc0_src0 = GP_SRC_UNUSED_ALIAS;
    insn.mul0_src0 = GP_SRC_UNUSED_ALIAS;
    gp_encode(&insn, words);
    tess_gp_explain(text, sizeof text, words, NULL);
    expect_has(text, "\nacc0: idle, since source 8 is unused\n");
    expect_has(text, "(first operand of accumulator 0: nothing)");
    assert_null(strstr(text, "can be read one and two"));
    assert_null(strstr(text, "not used by any known program"));
}

/* Attributes, rows and varyings appear with the names of the interface. Inputs without a name
 * appear as numbers. */
TEST(test_explain_names)
{
    static const char source[] = ".attribute position, 2\n.uniform mvp, 4\n.constant one, 1\n"
                                 ".varying colour, 3\n"
                                 "load.attr 2; load.unif 3; mul0.mul attr.x, unif.x; "
                                 "store0.varying 3, mul0, _\n"
                                 "load.attr 1; load.unif 4; mul0.mul attr.x, unif.x; "
                                 "store1.varying 5, mul0, _\n";
    size_t size;
    uint8_t *elf = assemble(source, TESS_ASM_ELF, &size);
    char *text = disassemble(elf, size, (struct tess_dis_options){.output = TESS_DIS_EXPLAIN});
    expect_has(text, "\n- attribute 2 is position\n- row 3 is mvp + 3\n- varying 3 is colour\n\n");
    expect_has(text, "\n- row 4 is one\n\n");
    assert_null(strstr(text, "attribute 1 is"));
    assert_null(strstr(text, "varying 5 is"));
    tess_free(text);
    tess_free(elf);
}

TEST(test_json)
{
    static const char *const parts[] = {
        "\"machine\": \"gp\"",
        "\"words\": [\"0x748ad6b5\", \"0x038142b5\", \"0x0c07fc00\", \"0x000ad500\"]",
        "\"reads\": [\"mul0[-1]\", \"row[5].z\"], \"writes\": [\"acc0\", \"register[3].x\"]",
        ("\"slots\": [{\"slot\": \"acc0\", \"operation\": \"add\", \"code\": 0, \"operands\": "
         "[\"mul0[-1]\", \"row[5].z\"], \"negated\": false, \"stores\": [\"register[3].x\"]}]"),
        "\"target\": {\"address\": \"0x00000030\", \"label\": \"L_0030\"}",
        "{\"name\": \"branch_target\", \"high\": 127, \"low\": 120, \"value\": 3, ",
        "\"operands\": [\"pass[-1]\", \"row[9].x\", \"row[9].y\"]",
        "\"writes\": [\"complex\", \"addr1\"]",
    };
    char *text = disassemble_words(vectors[0], 4 * VECTORS, TESS_DIS_JSON);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        /* Blanks and line ends are removed before the comparison, because they differ. */
        char squeezed[512], *out = squeezed;
        for (const char *at = parts[i]; *at; at++)
            if (*at != ' ')
                *out++ = *at;
        *out = 0;
        if (i == 0) {
            char *to = text;
            for (const char *at = text; *at; at++)
                if (*at != ' ' && *at != '\n')
                    *to++ = *at;
            *to = 0;
        }
        expect_has(text, squeezed);
    }
    tess_free(text);
}

/* --- the interface --- */

static const char interface[] = ".attribute position, 0\n"
                                ".attribute size, 3, 1\n"
                                ".varying gl_Position, 0\n"
                                ".varying colour, 2, 3\n"
                                ".uniform high, 1, 9\n"
                                ".uniform mvp, 4\n"
                                ".constant limits, -1e+10, 1e+10\n"
                                ".uniform light\n"
                                ".temporary heap, 6\n"
                                ".constant third, 0.333333343, -0.0, 0, -0.5\n"
                                ".temporary at, 2, 100\n";

/* .set directives define constants of the source. */
TEST(test_interface)
{
    char source[1024];
    size_t size, again_size;
    struct code_image image, again_image;
    snprintf(source, sizeof source, "%s.set mine, 5\nmain:\nload.unif mine\n", interface);
    uint8_t *elf = assemble(source, TESS_ASM_ELF, &size);
    char *text = disassemble(elf, size, (struct tess_dis_options){0});
    assert_int_equal(strncmp(text, interface, strlen(interface)), 0);
    assert_int_equal(strncmp(text + strlen(interface), ".set mine, 0x00000005\n:main\n", 28), 0);
    assert_null(strstr(text, ".scene"));
    uint8_t *again = assemble(text, TESS_ASM_ELF, &again_size);
    const struct code_options options = {.format = CODE_ELF};
    assert_int_equal(code_read(elf, size, &options, deaf, &image), TESS_OK);
    assert_int_equal(code_read(again, again_size, &options, deaf, &again_image), TESS_OK);
    assert_string_equal(image.steps, again_image.steps);
    assert_int_equal(image.constant_count, 12);
    assert_int_equal(again_image.constant_count, 12);
    for (size_t i = 0; i < image.constant_count; i++) {
        assert_string_equal(image.constants[i].name, again_image.constants[i].name);
        assert_int_equal(image.constants[i].address, again_image.constants[i].address);
    }
    assert_int_equal(image.segment_count, 1);
    assert_memory_equal(image.segments[0].bytes, again_image.segments[0].bytes, 16);
    code_free(&image);
    code_free(&again_image);
    tess_free(text);
    tess_free(elf);
    tess_free(again);
}

/* Some interface lines cannot be expressed as a directive, or their names are already used.
 * These lines are printed unchanged. */
TEST(test_foreign_interface)
{
    static const char source[] = ".scene attribute position 0 4\n"
                                 ".scene attribute other 0 4\n"
                                 ".scene uniform a 5 0x1\n"
                                 ".scene uniform main 2 1\n"
                                 ".scene uniform position 3 1\n"
                                 ".scene constant c 0 0x7fc00000 0x0 0x0 0x0\n"
                                 ".scene nonsense\n"
                                 "main:\nnop\n";
    size_t size;
    uint8_t *elf = assemble(source, TESS_ASM_ELF, &size);
    char *text = disassemble(elf, size, (struct tess_dis_options){0});
    assert_int_equal(strncmp(text, ".attribute position, 0\n:main\nnop ", 33), 0);
    expect_has(text, ".scene attribute other 0 4\n.scene uniform a 5 0x1\n"
                     ".scene uniform main 2 1\n.scene uniform position 3 1\n"
                     ".scene constant c 0 0x7fc00000 0x0 0x0 0x0\n.scene nonsense\n");
    tess_free(elf);
    elf = assemble(text, TESS_ASM_ELF, &size);
    tess_free(text);
    tess_free(elf);
}

/* --- MBS --- */

struct heard {
    char rule[32], text[256];
};

static void hear(void *user, const struct tess_finding *diag)
{
    struct heard *heard = user;
    snprintf(heard->rule, sizeof heard->rule, "%s", diag->id);
    snprintf(heard->text, sizeof heard->text, "%s", diag->text);
}

static void put_chunk(struct buffer *out, const char *tag, const struct buffer *content)
{
    buffer_append(out, tag, 4);
    buffer_le32(out, (uint32_t)content->size);
    buffer_append(out, content->data, content->size);
}

/* Puts the end of the buffer, from start on, into a chunk. */
static void wrap(struct buffer *out, size_t start, const char *tag)
{
    struct buffer content = {0};
    buffer_append(&content, out->data + start, out->size - start);
    out->size = start;
    put_chunk(out, tag, &content);
    buffer_free(&content);
}

struct mbs_symbol {
    const char *name; /* padded with zero bytes to a multiple of 4 */
    uint8_t type;
    uint16_t components, size, entries, stride, offset, parent;
};

static void put_symbol(struct buffer *out, const char *tag, const struct mbs_symbol *symbol)
{
    size_t start = out->size, length = strlen(symbol->name);
    buffer_append(out, symbol->name, length);
    do
        buffer_byte(out, 0);
    while ((out->size - start) % 4);
    wrap(out, start, "STRI");
    const uint16_t words[] = {(uint16_t)(symbol->type << 8),
                              symbol->components,
                              symbol->size,
                              symbol->entries,
                              symbol->stride,
                              16,
                              0,
                              0,
                              symbol->offset,
                              symbol->parent};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        buffer_byte(out, (uint8_t)words[i]);
        buffer_byte(out, (uint8_t)(words[i] >> 8));
    }
    wrap(out, start, tag);
}

static void put_table(struct buffer *out, const char *tag, const char *symbol_tag,
                      const struct mbs_symbol *symbols, uint32_t count)
{
    size_t start = out->size;
    buffer_le32(out, count);
    for (uint32_t i = 0; i < count; i++)
        put_symbol(out, symbol_tag, &symbols[i]);
    wrap(out, start, tag);
}

/* Builds a file: The chunk MBS1 contains CVER. CVER contains the version 6, FINS, SUNI, SATT,
 * SVAR, and DBIN with the words of docs/hardware/utgard.md, section 13. */
static struct buffer make_mbs(void)
{
    static const struct mbs_symbol uniforms[] = {
        {"mvp", 4, 4, 4, 0, 4, 0, 0xffff},
        {"tone", 1, 1, 1, 0, 4, 16, 0xffff},
        {"packed", 1, 1, 1, 0, 4, 17, 0xffff}, /* not at the start of a row */
        {"lights", 1, 3, 4, 5, 4, 20, 0xffff},
        {"member", 1, 4, 4, 0, 4, 0, 3},
        {"light.0 place", 8, 2, 16, 0, 4, 60, 0xffff}, /* has a blank, so is not a valid name */
        {"light.place", 8, 2, 16, 0, 4, 60, 0xffff},
    };
    static const struct mbs_symbol attributes[] = {
        {"position", 1, 4, 4, 0, 4, 0, 0xffff},
        {"normal", 1, 3, 4, 0, 4, 4, 0xffff},
    };
    static const struct mbs_symbol varyings[] = {
        {"gl_Position", 1, 4, 4, 0, 4, 0, 0xffff},
        {"uv", 1, 2, 2, 0, 2, 8, 0xffff},
    };
    struct buffer out = {0};
    buffer_le32(&out, 6);
    size_t start = out.size;
    buffer_le32(&out, 0);
    buffer_le32(&out, VECTORS);
    buffer_le32(&out, 2);
    wrap(&out, start, "FINS");
    put_table(&out, "SUNI", "VUNI", uniforms, 7);
    put_table(&out, "SATT", "VATT", attributes, 2);
    put_table(&out, "SVAR", "VVAR", varyings, 2);
    start = out.size;
    for (size_t i = 0; i < 4 * VECTORS; i++)
        buffer_le32(&out, vectors[i / 4][i % 4]);
    wrap(&out, start, "DBIN");
    wrap(&out, 0, "CVER");
    wrap(&out, 0, "MBS1");
    assert_false(out.failed);
    return out;
}

TEST(test_mbs)
{
    struct buffer mbs = make_mbs();
    uint8_t code[16 * VECTORS];
    store_words(code, vectors[0], 4 * VECTORS);
    char *text = disassemble(mbs.data, mbs.size, (struct tess_dis_options){0});
    static const char head[] = ".uniform mvp, 4\n.uniform tone\n.uniform lights, 5\n"
                               ".uniform light_place, 4, 15\n.attribute position, 0\n"
                               ".attribute normal, 1, 3\n.varying gl_Position, 0\n"
                               ".varying uv, 2, 2\nload.attr 0;";
    if (strncmp(text, head, strlen(head)) != 0)
        fail_msg("'%.400s'", text);
    expect_assembles(text, code, sizeof code);
    tess_free(text);
    text = disassemble(mbs.data, mbs.size,
                       (struct tess_dis_options){.input = TESS_DIS_MBS, .output = TESS_DIS_MESA});
    assert_string_equal(text, vectors_in_mesa);
    tess_free(text);
    buffer_free(&mbs);
}

static void expect_mbs_refusal(const uint8_t *bytes, size_t size, const char *message)
{
    struct heard heard = {0};
    char *text;
    size_t length;
    const struct tess_dis_options options = {.machine = TESS_MACHINE_GP, .input = TESS_DIS_MBS};
    assert_int_equal(
        tess_disassemble(bytes, size, &options, (struct tess_sink){hear, &heard}, &text, &length),
        TESS_BAD_INPUT);
    assert_string_equal(heard.rule, "code-mbs");
    expect_has(heard.text, message);
}

/* Every truncated file must be rejected with a message. */
TEST(test_cut_mbs)
{
    struct buffer mbs = make_mbs();
    for (size_t size = 0; size < mbs.size; size++)
        expect_mbs_refusal(mbs.data, size, size < 8 ? "tag and size are expected" : "only 0x");
    /* The size in MBS1 now matches the truncated file. */
    for (size_t size = 8; size < mbs.size; size++) {
        store_le32(mbs.data + 4, (uint32_t)(size - 8));
        expect_mbs_refusal(mbs.data, size,
                           size == 8   ? "no vertex program"
                           : size < 16 ? "tag and size are expected"
                                       : "only 0x");
    }
    buffer_free(&mbs);
}

TEST(test_bad_mbs)
{
    static const uint8_t fragment[] = {'M', 'B', 'S', '1', 12, 0, 0, 0, 'C', 'F',
                                       'R', 'A', 4,   0,   0,  0, 7, 0, 0,   0};
    static const uint8_t empty[] = {'M', 'B', 'S', '1', 20, 0, 0,   0,   'C', 'V', 'E', 'R', 12, 0,
                                    0,   0,   6,   0,   0,  0, 'D', 'B', 'I', 'N', 0,   0,   0,  0};
    static const uint8_t no_version[] = {'M', 'B', 'S', '1', 8, 0, 0, 0,
                                         'C', 'V', 'E', 'R', 0, 0, 0, 0};
    static const uint8_t no_count[] = {'M', 'B', 'S', '1', 20, 0, 0, 0, 'C', 'V',
                                       'E', 'R', 12,  0,   0,  0, 6, 0, 0,   0,
                                       'S', 'U', 'N', 'I', 0,  0, 0, 0};
    expect_mbs_refusal((const uint8_t *)"ABCD\0\0\0\0", 8, "begins with 'MBS1', not 'ABCD'");
    expect_mbs_refusal(fragment, sizeof fragment, "only a fragment program");
    expect_mbs_refusal(empty, sizeof empty, "is empty");
    expect_mbs_refusal(no_version, sizeof no_version, "version of the vertex program is missing");
    expect_mbs_refusal(no_count, sizeof no_count, "number of symbols is missing");
}

/* A container of GP code is rejected for the QPU, and so is the option for Mesa's listing. */
TEST(test_wrong_machine)
{
    struct buffer mbs = make_mbs();
    struct heard heard = {0};
    char *text = NULL;
    size_t length;
    const struct tess_dis_options qpu = {0}, listing = {.output = TESS_DIS_MESA};
    assert_int_equal(tess_disassemble(mbs.data, mbs.size, &qpu, (struct tess_sink){hear, &heard},
                                      &text, &length),
                     TESS_BAD_INPUT);
    expect_has(heard.text, "contains code for the GP");
    assert_int_equal(tess_disassemble("", 0, &listing, deaf, &text, &length), TESS_INVALID);
    buffer_free(&mbs);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        random_words = strtoul(argv[1], NULL, 10);
    return tests_run();
}
