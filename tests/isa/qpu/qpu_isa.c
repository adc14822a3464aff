/* SPDX-License-Identifier: MIT */
/* qpu_isa.c - tests the QPU's instruction word: codec, immediates, names, printer, parser.
 *
 * Words and texts come from the manual, from the articles that docs/sources.md lists, from vc4asm's
 * documentation and test corpus (test/asm.misc, test/rpi_shader.ref.c, test/shader_1k.dis), or from
 * hand assembly with the manual's figures. Each row names its source. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>

#include "../../random.h"
#include "../../register.h"
#include "base/bits.h"
#include "isa/qpu/operand.h"
#include "isa/qpu/parse.h"
#include "isa/qpu/qpu_isa.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

enum { RANDOM_CODEC = 1000000, RANDOM_TEXT = 20000, FLIPS = 64 };

static void check_codec(uint64_t word)
{
    struct qpu_insn insn = qpu_decode(word);
    assert_true(qpu_encode(&insn) == word);
}

TEST(test_codec_keeps_every_bit)
{
    uint64_t random = 1;
    check_codec(0);
    check_codec(~UINT64_C(0));
    for (unsigned top = 0; top < 256; top++) { /* all signals with all values of unpack and pm */
        check_codec((uint64_t)top << 56);
        check_codec((uint64_t)top << 56 | ~UINT64_C(0) >> 8);
        for (unsigned bit = 0; bit < 56; bit++)
            check_codec((uint64_t)top << 56 | UINT64_C(1) << bit);
    }
    for (unsigned i = 0; i < RANDOM_CODEC; i++)
        check_codec(next_random64(&random));
}

TEST(test_forms)
{
    static const struct {
        uint64_t word;
        enum qpu_form form;
    } rows[] = {
        {UINT64_C(0x0000000000000000), QPU_FORM_ALU},           /* the breakpoint signal */
        {UINT64_C(0xc000000000000000), QPU_FORM_ALU},           /* the alpha mask load signal */
        {UINT64_C(0xd000000000000000), QPU_FORM_ALU_IMMEDIATE}, /* forms of figures 4 to 7 */
        {UINT64_C(0xe000000000000000), QPU_FORM_LOAD_32},
        {UINT64_C(0xe200000000000000), QPU_FORM_LOAD_SIGNED},
        {UINT64_C(0xe400000000000000), QPU_FORM_LOAD_RESERVED},
        {UINT64_C(0xe600000000000000), QPU_FORM_LOAD_UNSIGNED},
        {UINT64_C(0xe800000000000000), QPU_FORM_SEMAPHORE},
        {UINT64_C(0xee00000000000000), QPU_FORM_LOAD_RESERVED},
        {UINT64_C(0xf000000000000000), QPU_FORM_BRANCH},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(qpu_decode(rows[i].word).form, rows[i].form);
}

/* The word of vc4asm, test/rpi_shader.ref.c: "bra -, ra31". */
TEST(test_branch_fields)
{
    struct qpu_insn insn = qpu_decode(UINT64_C(0xf0f7e9e700000000));
    assert_int_equal(insn.cond_br, 15);
    assert_int_equal(insn.rel, 0);
    assert_int_equal(insn.reg, 1);
    assert_int_equal(insn.raddr_a, 31);
    assert_int_equal(insn.waddr_add, 39);
    assert_int_equal(insn.waddr_mul, 39);
    assert_int_equal(insn.sf, 0);
}

/* Codes of table 5. Codes 48 to 63 are from vc4asm, doc/VideoCoreIV-addendum.html. */
TEST(test_small_immediates)
{
    static const struct {
        unsigned field;
        uint32_t value;
    } rows[] = {
        /* clang-format off */
        {0,  0},
        {15, 15},
        {16, 0xfffffff0},
        {31, 0xffffffff},
        {32, 0x3f800000},
        {33, 0x40000000},
        {38, 0x42800000},
        {39, 0x43000000},
        {40, 0x3b800000},
        {41, 0x3c000000},
        {46, 0x3e800000},
        {47, 0x3f000000},
        {48, 0xfffffff0},
        {51, 0xfffffff3},
        {63, 0xffffffff},
        /* clang-format on */
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(qpu_small_immediate(rows[i].field), rows[i].value);
}

/* Figure 5: the sign bits of the elements are in the high half, and the low bits in the low
 * half. */
TEST(test_element_immediates)
{
    struct qpu_insn insn = qpu_decode(UINT64_C(0xe20229e7000c000a));
    assert_int_equal(qpu_element_immediate(&insn, 0), 0);
    assert_int_equal(qpu_element_immediate(&insn, 1), 1);
    assert_int_equal(qpu_element_immediate(&insn, 2), 0xfffffffe);
    assert_int_equal(qpu_element_immediate(&insn, 3), 0xffffffff);
    insn = qpu_decode(UINT64_C(0xe60229e7000c000a));
    assert_int_equal(qpu_element_immediate(&insn, 2), 2);
    assert_int_equal(qpu_element_immediate(&insn, 3), 3);
}

/* Table 12: fadd to fmaxabs read and return floats, ftoi reads a float, and itof returns a
 * float. */
TEST(test_float_opcodes)
{
    for (unsigned op = 0; op < 32; op++) {
        assert_int_equal(qpu_add_float_in(op), op >= 1 && op <= 7);
        assert_int_equal(qpu_add_float_out(op), (op >= 1 && op <= 6) || op == 8);
    }
}

/* Names of registers from table 14 and vc4asm, doc/expressions.html. */
TEST(test_register_names)
{
    assert_string_equal(qpu_read_name('a', 0), "ra0");
    assert_string_equal(qpu_read_name('b', 31), "rb31");
    assert_string_equal(qpu_read_name('a', 32), "unif");
    assert_string_equal(qpu_read_name('a', 38), "elem_num");
    assert_string_equal(qpu_read_name('b', 38), "qpu_num");
    assert_string_equal(qpu_read_name('b', 50), "vw_wait");
    assert_null(qpu_read_name('a', 33));
    assert_null(qpu_read_name('a', 56));
    assert_null(qpu_read_name('a', 64));
    assert_string_equal(qpu_write_name('a', 37), "r5quad");
    assert_string_equal(qpu_write_name('b', 37), "r5rep");
    assert_string_equal(qpu_write_name('a', 40), "unif_addr");
    assert_string_equal(qpu_write_name('b', 49), "vw_setup");
    assert_string_equal(qpu_write_name('a', 63), "t1b");
    assert_string_equal(qpu_write_name('b', 39), "-");
}

static enum qpu_parse_result parse(const char *text, uint32_t address, uint64_t *word,
                                   struct asm_error *error)
{
    return qpu_parse(text, strlen(text), address, NULL, word, error);
}

/* Texts that parse to a word. The printer prints the same text for the word. */
static const struct {
    uint32_t low, high;
    const char *text, *origin;
} exact[] = {
    /* clang-format off */
    /* clang-format off */
    {0x009e7000, 0x100009e7, "nop",                                 "manual: canonical nop"},
    {0x009e7000, 0x300009e7, "nop; thrend",                         "First Triangle"},
    {0x009e7000, 0x500009e7, "nop; sbdone",                         "First Triangle"},
    {0x009e7000, 0xa00009e7, "nop; ldtmu0",                         "Texturing"},
    {0xffffffff, 0xe0020ba7, "ldi tlbc, 0xffffffff",                "First Triangle"},
    {0x203e303e, 0x100049e0, "nop; fmul r0, vary, ra15",            "Triangle with NV Shader"},
    {0x019e7140, 0x10020827, "fadd r0, r0, r5",                     "Triangle with NV Shader"},
    {0x209e0007, 0xd16049e3, "nop; fmul r3.8csf, r0, 1.0",          "Triangle with NV Shader"},
    {0x159e76c0, 0x50020ba7, "mov tlbc, r3; sbdone",                "Triangle with NV Shader"},
    {0x0e004dc0, 0xd2020827, "shr r0, ra0.16ai, 4",                 "VPM"},
    {0x17bc1ac0, 0xe0021c67, "ldi vw_setup, 0x17bc1ac0",            "VPM"},
    {0x15827d80, 0x10020827, "mov r0, unif",                        "shader_1k.dis"},
    {0x0c9c41c0, 0xd0020867, "add r1, r0, 4",                       "shader_1k.dis"},
    {0x11983dc0, 0xd00208a7, "shl r2, elem_num, 3",                 "shader_1k.dis"},
    {0x0c9e70c0, 0xa0020827, "add r0, r0, r3; ldtmu0",              "shader_1k.dis"},
    {0x409c5017, 0x100049e2, "nop; mul24 r2, r2, rb5",              "shader_1k.dis"},
    {0xcc9e7081, 0x100246e0, "add ra27, r0, r2; v8adds r0, r0, r1", "shader_1k.dis"},
    {0xcc9e7081, 0x100250a0, "add rb2, r0, r2; v8adds r0, r0, r1",  "shader_1k.dis"},
    {0x00000010, 0xe00216e7, "ldi rb27, 16",                        "shader_1k.dis"},
    {0x00005555, 0xe00207a7, "ldi ra30, 0x00005555",                "shader_1k.dis"},
    {0x0c9a0f80, 0x10020427, "add ra16, unif, elem_num",            "rpi_shader.ref.c, ra_x"},
    {0x937401f6, 0xd0024821, "max r0, r0, 0; mov r1, ra29",         "rpi_shader.ref.c, ra_y"},
    {0x939c03c0, 0xd0025850, "max r1, r1, 0; mov ra16, r0",         "rpi_shader.ref.c, ra_x"},
    {0x149dc1c0, 0xd0020827, "and r0, r0, -4",                      "rpi_shader.ref.c, ~3"},
    {0x00000000, 0xf0f7e9e7, "bra -, ra31",                         "rpi_shader.ref.c"},
    {0x119e7080, 0x10020827, "shl r0, r0, r2",                      "rpi_shader.ref.c"},
    {0x0f9e7080, 0x100613e7, "asr.ifnz rb15, r0, r2",               "rpi_shader.ref.c"},
    {0x8f8171f6, 0x10024020, "asr ra0, r0, rb23; mov r0, unif",     "rpi_shader.ref.c"},
    {0x0c067980, 0x1a020827, "add r0, r4, ra1.8bi",                 "asm.misc"},
    {0x0c067980, 0x19020827, "add r0, r4.8af, ra1",                 "asm.misc"},
    {0x00000000, 0xe0d202a7, "ldi ra10.8bsi, 0",                    "asm.misc"},
    {0x0000ff00, 0xe20229e7, "ldi.setf -, [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]",
     "rpi_shader.ref.c"},
    {0x000c000a, 0xe2020827, "ldi r0, [0, 1, -2, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]",
     "by hand, figure 5"},
    {0x000c000a, 0xe6020827, "ldi r0, [0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]",
     "by hand, figure 5"},
    {0x00000017, 0xe80009e7, "sacq -, 7",                           "by hand, figure 6"},
    {0x00000007, 0xe80009e7, "srel -, 7",                           "by hand, figure 6"},
    {0xffffffe0, 0xf00809e7, "brr.allz -, -32 # 0x00000100",        "by hand, figure 7"},
    {0x00000040, 0xf0380027, "brr.anynz ra0, +64 # 0x00000160",     "by hand, figure 7"},
    {0x00001000, 0xf0f009e7, "bra -, 0x00001000",                   "by hand, figure 7"},
    {0x809f1009, 0xd00049e0, "nop; mov r0, r1 >> 1",
     "by hand, table 5: 49 moves up by 1"},
    {0x809fd009, 0xd00049e0, "nop; mov r0, r1 << 3",
     "by hand, table 5: 61 moves up by 13"},
    {0x809f0009, 0xd00049e0, "nop; mov r0, r1 >> r5",               "by hand, table 5: 48 is r5"},
    {0x159e7240, 0x100e08e7, "mov.ifcc r3, r1",                     "shader_256_new.hex"},
    {0x829fe280, 0xd00dc8e3, "fsub.ifc r3, r1, r2; mov.ifcc r3, r0 << 2", "shader_256_new.hex"},
    {0x8d110dc9, 0xd003dc63, "sub vw_setup, ra4, -16; mov.ifcc r3, r1", "shader_256_new.hex"},
    {0x351a7ffe, 0x140bc249, "mov.ifnn ra9, rb39; fmul.ifcc rb9, rb39, ra6.16bf",
     "shader_256_new.hex"},
    {0x159e7000, 0x100229e7, "mov.setf -, r0",                      "by hand, figure 4"},
    /* clang-format on */
    /* clang-format on */
};

TEST(test_texts)
{
    for (size_t i = 0; i < COUNT(exact); i++) {
        uint64_t word = (uint64_t)exact[i].high << 32 | exact[i].low, parsed;
        struct asm_error error;
        char text[400];
        size_t length = qpu_print(text, sizeof text, word, 0x100);
        assert_string_equal(text, exact[i].text);
        assert_int_equal(length, strlen(text));
        char *comment = strchr(text, '#');
        if (comment)
            *comment = '\0';
        assert_int_equal(parse(text, 0x100, &parsed, &error), QPU_PARSE_OK);
        assert_true(parsed == word);
    }
}

/* Texts that parse to a word. The printer prints another text for the word. */
static const struct {
    const char *text;
    uint32_t low, high;
    const char *origin;
} other[] = {
    /* clang-format off */
    /* clang-format off */
    {"nop; nop; thrend",            0x009e7000, 0x300009e7,
     "doc/instructions.html: nop takes any ALU"},
    {"thrend",                      0x009e7000, 0x300009e7, "signals need no nop"},
    {"  mov  r0 ,unif ",            0x15827d80, 0x10020827, "shader_1k.dis, with blanks"},
    {"mov r0, uniform_read;",       0x15827d80, 0x10020827, "Broadcom's name, final semicolon"},
    {"add r0, r4, ra1.unpack8b",    0x0c067980, 0x1a020827, "asm.misc"},
    {"add.unpack8af r0, r4, ra1",   0x0c067980, 0x19020827, "asm.misc"},
    {"add r0, r4.8a, ra1",          0x0c067980, 0x19020827, "asm.misc"},
    {"mov ra10.8bsi, 0",            0x00000000, 0xe0d202a7, "asm.misc"},
    {"mov r0, 0x01010101",          0x01010101, 0xe0020827, "asm.misc"},
    {"mov r0, 0x80808080",          0x80808080, 0xe0020827, "asm.misc"},
    {"mov r0, 5",                   0x00000005, 0xe0020827, "asm.macro: a lone constant is loaded"},
    {"mov r0, 0",                   0x00000000, 0xe0020827, "asm.macro"},
    {"mov -, sacq7",                0x00000017, 0xe80009e7,
     "doc/instructions.html: same as sacq -, 7"},
    {"mov r1, 8",                   0x00000008, 0xe0020867, "rpi_shader.ref.c, mov r2,8 for r1"},
    {"mov.setf -, [0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1]", 0x0000ff00, 0xe20229e7, "rpi_shader.ref.c"},
    {"asr rb15.nz, r0, r2",         0x0f9e7080, 0x100613e7, "condition on the target"},
    {"max r0, r0, 0; mov r1, ra28 + 1", 0x937401f6, 0xd0024821, "register arithmetic"},
    {"mov r0, (ra15 + 1)",          0x15427d80, 0x10020827, "rpi_shader.ref.c, mov r0, ra_x"},
    {"mov r0, r1; fmul r1, r2, r3", 0x359e7253, 0x10024821, "by hand, figure 4"},
    {"fmul r1, r2, r3; mov r0, r1", 0x359e7253, 0x10024821, "the order does not matter"},
    /* clang-format on */
    /* clang-format on */
};

TEST(test_other_texts)
{
    for (size_t i = 0; i < COUNT(other); i++) {
        struct asm_error error;
        uint64_t parsed;
        assert_int_equal(parse(other[i].text, 0, &parsed, &error), QPU_PARSE_OK);
        assert_int_equal((uint32_t)parsed, other[i].low);
        assert_int_equal(parsed >> 32, other[i].high);
    }
}

/* Invalid lines, with the column of the error. parser.pup is a file of vc4asm. */
static const struct {
    const char *text;
    size_t column;
} wrong[] = {
    /* clang-format off */
    {"",                                           0},
    {"frobnicate r0, r1",                          0},
    {"add r0, r1",                                 0},
    {"add r0, r1, r2, r3",                         14},
    {"add r0, r1,",                                11},
    {"add unif, r1, r2",                           4},  /* unif cannot be written */
    {"add r5, r1, r2",                             4},  /* r5quad or r5rep must be written */
    {"add r0, t0s, r2",                            8},  /* t0s cannot be read */
    {"add r0, ra1, ra2",                           13}, /* file A has one read port */
    {"add r0, rb1, 3",                             13}, /* the immediate uses port B */
    {"add r0, r1, 17",                             12}, /* 17 is not a small immediate */
    {"add r0, r1, 3; ldtmu0",                      15}, /* the immediate uses the signal field */
    {"nop; ldtmu0; ldtmu1",                        13},
    {"add r0, r1, r2; sub r3, r1, r2",             16},
    {"add ra0, r1, r2; fmul ra1, r1, r2",          22},
    {"add r0.8a, r1, r2",                          4},  /* only file A packs */
    {"mov r0, rb0.8a",                             8},  /* file B does not unpack (parser.pup) */
    {"mov r0, r4.16ai",                            8},  /* r4 unpacks only to a float */
    {"mov r0, ra0.16b; mov r1, ra0.8a",            25},
    {"mov ra0.16a.16b, r1",                        12},
    /* the unpack would apply to both ALUs (parser.pup) */
    {"mov r0, ra0; mov r1, ra0.8a",                13},
    {"mov.ifz.ifn r0, r1",                         8},
    {"mov.wrong r0, r1",                           3},
    {"add.allz r0, r1, r2",                        4},
    {"add r0, r1 << 1, r2",                        8},  /* only the mul ALU can rotate */
    {"mov r0, r1 << x",                            14},
    {"ldi r0, 0x1ffffffff",                        8},
    {"ldi r0, 1; ldi r1, 2",                       19},
    {"ldi r0, [1, 2]",                             8},
    {"ldi r0, [-1,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0]", 8},
    {"srel -, 16",                                 8},
    {"brr -",                                      0},
    {"brr -, rb1",                                 7},
    {"mov r0, r1; brr -, 8",                       12},
    {"nop;; nop",                                  4},
    {"mov r0, 99999999999999999999",               8},
    /* clang-format on */
};

TEST(test_mistakes)
{
    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct asm_error error;
        uint64_t parsed;
        enum qpu_parse_result result = parse(wrong[i].text, 0, &parsed, &error);
        if (result != QPU_PARSE_ERROR || error.offset != wrong[i].column)
            fail_msg("'%s': column %zu, '%s'", wrong[i].text, error.offset, error.text);
        assert_true(error.text[0] != '\0');
    }
}

/* Looks up a name. The known names are two labels, one register alias, one constant and one name
 * of unknown value. */
static bool lookup(void *user, const char *name, size_t length, bool only_labels,
                   struct asm_value *value)
{
    (void)user;
    *value = (struct asm_value){0};
    if (length == 4 && memcmp(name, "loop", 4) == 0) {
        value->label = true;
        value->integer = 0x80;
        return true;
    }
    if (length == 3 && memcmp(name, "low", 3) == 0) {
        value->label = true;
        value->integer = 8;
        return true;
    }
    if (only_labels)
        return false;
    if (length == 4 && memcmp(name, "ra_x", 4) == 0)
        return qpu_operands.find("ra16", 4, value);
    if (length == 5 && memcmp(name, "three", 5) == 0)
        value->integer = 3;
    else if (length == 5 && memcmp(name, "later", 5) == 0)
        value->unknown = true;
    else
        return false;
    return true;
}

static void check_with_names(const char *text, enum qpu_parse_result result, uint64_t word)
{
    const struct asm_names names = {.lookup = lookup, .address = 0x100};
    struct asm_error error;
    uint64_t parsed;
    assert_int_equal(qpu_parse(text, strlen(text), 0x100, &names, &parsed, &error), result);
    if (result == QPU_PARSE_OK)
        assert_true(parsed == word);
}

/* Words of rpi_shader.ref.c with ra_x = ra16. The branch's offset is 0x80 - (0x100 + 32) = -160.
 * The loads were built by hand: sig 14, cond_add always, waddr_add 33 (r1), waddr_mul 39. */
TEST(test_names)
{
    check_with_names("mov r0, ra_x", QPU_PARSE_OK, UINT64_C(0x1002082715427d80));
    check_with_names("add ra_x, unif, elem_num", QPU_PARSE_OK, UINT64_C(0x100204270c9a0f80));
    check_with_names("and r0, r0, three", QPU_PARSE_OK, UINT64_C(0xd0020827149c31c0));
    check_with_names("brr -, :loop", QPU_PARSE_OK, UINT64_C(0xf0f809e7ffffff60));
    check_with_names("bra -, :loop", QPU_PARSE_OK, UINT64_C(0xf0f009e700000080));
    check_with_names("ldi r1, :loop", QPU_PARSE_OK, UINT64_C(0xe002086700000080));
    check_with_names("mov r1, :loop", QPU_PARSE_OK, UINT64_C(0xe002086700000080));
    check_with_names("mov r1, :low", QPU_PARSE_OK, UINT64_C(0xe002086700000008));
    check_with_names("brr -, r:loop", QPU_PARSE_OK, UINT64_C(0xf0f809e7ffffff60));
    check_with_names("ldi r1, r:loop", QPU_PARSE_ERROR, 0);
    check_with_names("mov r1, r:loop", QPU_PARSE_ERROR, 0);
    check_with_names("srel -, :loop", QPU_PARSE_ERROR, 0);
    check_with_names("ldipes r1, :loop", QPU_PARSE_ERROR, 0);
    check_with_names("add r1, r1, :loop", QPU_PARSE_ERROR, 0);
    check_with_names("ldi r1, later", QPU_PARSE_UNKNOWN, 0);
    check_with_names("and r0, r0, later", QPU_PARSE_UNKNOWN, 0);
    check_with_names("mov r0, later", QPU_PARSE_UNKNOWN, 0);
    check_with_names("brr -, later", QPU_PARSE_UNKNOWN, 0);
    check_with_names("and r0, r0, nobody", QPU_PARSE_ERROR, 0);
}

/* Addresses of labels are computed by hand. Line n of the program is at 0x1000 + 8 * n. */
static const struct {
    const char *line;
    uint64_t word;
} addresses[] = {
    /* clang-format off */
    /* clang-format off */
    {"start: ldi r1, later",       UINT64_C(0xe002086700001048)},
    {"ldi r1, :later",             UINT64_C(0xe002086700001048)},
    {"mov r1, start",              UINT64_C(0xe002086700001000)},
    {"mov r1, :later",             UINT64_C(0xe002086700001048)},
    {"ldi unif_addr, later + 4",   UINT64_C(0xe0020a270000104c)},
    {"mov r1, later - start",      UINT64_C(0xe002086700000048)},
    {"ldi r1, 1f",                 UINT64_C(0xe002086700001048)},
    {"ldi r1, .",                  UINT64_C(0xe002086700001038)},
    {"brr -, r:later",             UINT64_C(0xf0f809e7ffffffe8)},
    {":1 later: brr -, start + 8", UINT64_C(0xf0f809e7ffffffa0)},
    {"brr -, :later - 8",          UINT64_C(0xf0f809e7ffffffd0)},
    {"brr -, 8 + r:later",         UINT64_C(0xf0f809e7ffffffd8)},
    {"brr -, . + 8",               UINT64_C(0xf0f809e7ffffffe8)},
    {"brr -, later - . - 32",      UINT64_C(0xf0f809e7ffffffc0)},
    {"bra -, later + 8",           UINT64_C(0xf0f009e700001050)},
    /* clang-format on */
    /* clang-format on */
};

TEST(test_addresses)
{
    char text[1000] = ".org 0x1000\n";
    const struct tess_asm_options options = {.format = TESS_ASM_BIN};
    uint8_t *bytes;
    size_t size;
    for (size_t i = 0; i < COUNT(addresses); i++) {
        strcat(text, addresses[i].line);
        strcat(text, "\n");
    }
    assert_int_equal(tess_assemble_text(text, strlen(text), NULL, &options, (struct tess_sink){0},
                                        &bytes, &size),
                     TESS_OK);
    assert_int_equal(size, 8 * COUNT(addresses));
    for (size_t i = 0; i < COUNT(addresses); i++)
        if (load_le64(bytes + 8 * i) != addresses[i].word)
            fail_msg("'%s': 0x%016llx", addresses[i].line,
                     (unsigned long long)load_le64(bytes + 8 * i));
    tess_free(bytes);
}

/* Checks that the text of a word parses to the same word. */
static void check_text(uint64_t word)
{
    struct asm_error error;
    unsigned low, high;
    uint64_t parsed;
    char text[400];
    assert_true(qpu_print(text, sizeof text, word, 0x1000) < sizeof text);
    if (sscanf(text, ".int 0x%8x, 0x%8x", &low, &high) == 2) {
        parsed = (uint64_t)high << 32 | low;
    } else {
        char *comment = strchr(text, '#');
        if (comment)
            *comment = '\0';
        assert_int_equal(parse(text, 0x1000, &parsed, &error), QPU_PARSE_OK);
    }
    assert_true(parsed == word);
}

TEST(test_text_keeps_every_bit)
{
    uint64_t random = 2;
    check_text(0);
    check_text(~UINT64_C(0));
    for (unsigned i = 0; i < RANDOM_TEXT; i++)
        check_text(next_random64(&random));
    for (size_t i = 0; i < COUNT(exact); i++)
        for (unsigned bit = 0; bit < FLIPS; bit++)
            check_text(((uint64_t)exact[i].high << 32 | exact[i].low) ^ UINT64_C(1) << bit);
}

/* In these words, unused fields differ from those of the assembler. The printer writes the word
 * in hexadecimal, and the instruction as a comment. */
TEST(test_words_without_mnemonic)
{
    char text[400];
    qpu_print(text, sizeof text, UINT64_C(0x1002002715c27df7),
              0); /* article "VPM": mul mux fields are 6 and 7 */
    assert_string_equal(text, ".int 0x15c27df7, 0x10020027 # or ra0, vpm, rb39");
    qpu_print(text, sizeof text, UINT64_C(0x11024821213e3177),
              0); /* article "Texturing": pm is set without effect */
    assert_string_equal(text, ".int 0x213e3177, 0x11024821 # fadd r0, r0, r5; fmul r1, ra15, vary");
}

/* Truncated and damaged lines are parsed or rejected. The parser must not read past their end. */
TEST(test_damaged_lines)
{
    static const char letters[] = " .,;()[]<>+-0189abdrsu#\"";
    uint64_t random = 3;
    for (size_t i = 0; i < COUNT(exact); i++) {
        size_t length = strlen(exact[i].text);
        struct asm_error error;
        uint64_t parsed;
        for (size_t cut = 0; cut <= length; cut++) {
            char *copy = malloc(cut + 1); /* exact size, to detect overruns */
            assert_non_null(copy);
            memcpy(copy, exact[i].text, cut);
            qpu_parse(copy, cut, 0, NULL, &parsed, &error);
            if (cut)
                copy[next_random64(&random) % cut] =
                    letters[next_random64(&random) % (sizeof letters - 1)];
            qpu_parse(copy, cut, 0, NULL, &parsed, &error);
            free(copy);
        }
    }
    char deep[4096];
    struct asm_error error;
    uint64_t parsed;
    memset(deep, '(', sizeof deep);
    memcpy(deep, "mov r0,", 7);
    assert_int_equal(qpu_parse(deep, sizeof deep, 0, NULL, &parsed, &error), QPU_PARSE_ERROR);
    memset(deep, 'a', sizeof deep);
    assert_int_equal(qpu_parse(deep, sizeof deep, 0, NULL, &parsed, &error), QPU_PARSE_ERROR);
}

/* If the buffer is too small, the public functions write a part of the text, and return the
 * length of the whole text. */
TEST(test_public_functions)
{
    char text[8];
    assert_int_equal(tess_qpu_disassemble(text, sizeof text, UINT64_C(0x300009e7009e7000), 0), 11);
    assert_string_equal(text, "nop; th");
    assert_int_equal(tess_qpu_disassemble(NULL, 0, UINT64_C(0x300009e7009e7000), 0), 11);
    size_t length = tess_qpu_explain(NULL, 0, QPU_WORD_NOP, 0);
    assert_int_equal(tess_qpu_explain(text, sizeof text, QPU_WORD_NOP, 0), length);
    assert_string_equal(text, "m_mul_b");
}

TEST(test_explain_takes_every_word)
{
    char text[4096];
    uint64_t random = 4;
    for (unsigned i = 0; i < RANDOM_TEXT; i++)
        assert_true(qpu_explain(text, sizeof text, next_random64(&random), 0) < sizeof text);
}

/* sf sets the flags from the add ALU unless its opcode is nop, and a condition of "never" leaves
 * the flags unchanged (docs/hardware/vc4.md, section 3.3). A value is unpacked to a float if one
 * operation that reads the operand is a float operation (manual, table 6). The words are built
 * from the fields of tables 1 to 6. */
TEST(explains_flags_and_unpacks)
{
    static const struct {
        uint64_t word;
        const char *text;
    } rows[] = {
        /* clang-format off */
        /* clang-format off */
        {0x100269e2959e7000, "flags Z, N and C are set from the add result\n"},
        {0x100269e2809e7000, "flags Z, N and C are set from the mul result\n"},
        {0x100269e2959e7000 ^ UINT64_C(1) << 49, "no flags are set: the add ALU would set them"},
        {0x100269e2809e7000 ^ UINT64_C(1) << 46, "no flags are set: the mul ALU would set them"},
        {0x1002a9e2809e7000, "set from the mul result, where its condition holds"},
        {0x1002686715067d80, "no unpacking"},
        {0x1802086715067d80, "unpack mode: 8a->32 unsigned int8->int32, since no float"},
        {0x1802086701067d80,
         "8-bit color value (in range [0, 1.0]) to 32 bit float, since a float"},
        {0x18020867019e7000, "no effect: no operation uses file A"},
        {0x19020867159e7900,
         "unpack mode: 8a->32 8-bit color value (in range [0, 1.0]) to 32 bit float (PM1)"},
        {0x19020867159e7000, "no effect: no operation uses r4"},
        /* clang-format on */
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[4096];
        qpu_explain(text, sizeof text, rows[i].word, 0);
        if (!strstr(text, rows[i].text))
            fail_msg("row %zu: %s", i, text);
    }
}
