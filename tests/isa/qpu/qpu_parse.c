/* SPDX-License-Identifier: MIT */
/* qpu_parse.c - tests the parser with a line for each form of the vc4asm dialect, and with lines
 * that cause warnings and errors.
 *
 * Expected words are written by their fields (manual figures 4 to 8, tables 1 to 13). The choice of
 * fields follows vc4asm's manual (doc/instructions.html, doc/extensions.html,
 * doc/smallimmediate.html) and parser tests (test/parser.*.qasm). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>

#include "../../register.h"
#include "base/bits.h"
#include "isa/qpu/constant.h"
#include "isa/qpu/operand.h"
#include "isa/qpu/parse.h"
#include "isa/qpu/qpu_isa.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

enum { R0, R1, R2, R3, R4, R5, A, B, W0 = 32, W1, W2, W3, NOP = 39, SMALL = 13, LOAD = 14 };

static const struct {
    const char *text;
    struct {
        uint8_t sig, unpack, pm, pack, cond_add, cond_mul, sf, ws, waddr_add, waddr_mul;
        uint8_t op_mul, op_add, raddr_a, raddr_b, add_a, add_b, mul_a, mul_b;
    } word;
} lines[] = {
    /* the choice of the ALU; an earlier operation may move to the other ALU */
    {"mov r0, r1; mov r2, r3", {1, 0, 0, 0, 1, 1, 0, 0, W0, W2, 4, 21, NOP, NOP, R1, R1, R3, R3}},
    {"mov r0, r1; amov r2, r3", {1, 0, 0, 0, 1, 1, 0, 0, W2, W0, 4, 21, NOP, NOP, R3, R3, R1, R1}},
    {"mov r0, r1; add r2, r1, r3",
     {1, 0, 0, 0, 1, 1, 0, 0, W2, W0, 4, 12, NOP, NOP, R1, R3, R1, R1}},
    {"v8adds r0, r1, r2; fmul r3, r1, r2",
     {1, 0, 0, 0, 1, 1, 0, 1, W0, W3, 1, 30, NOP, NOP, R1, R2, R1, R2}},
    {"mov ra1, rb2, r1", {1, 0, 0, 0, 1, 1, 0, 0, 1, 2, 4, 21, NOP, NOP, R1, R1, R1, R1}},
    {"anop ra3", {1, 0, 0, 0, 1, 0, 0, 0, 3, NOP, 0, 0, NOP, NOP, 0, 0, 0, 0}},
    {"read ra3; read 5", {SMALL, 0, 0, 0, 0, 0, 0, 0, NOP, NOP, 0, 0, 3, 5, 0, 0, 0, 0}},

    /* read ports: unif uses port B, because elem_num is in file A only */
    {"add r0, unif, elem_num", {1, 0, 0, 0, 1, 0, 0, 0, W0, NOP, 0, 12, 38, 32, B, A, 0, 0}},
    {"add r0, :[3,13], :[4,14]", {1, 0, 0, 0, 1, 0, 0, 0, W0, NOP, 0, 12, 3, 4, A, B, 0, 0}},
    {"mov r4, r1", {1, 0, 0, 0, 1, 0, 0, 0, 36, NOP, 0, 21, NOP, NOP, R1, R1, 0, 0}},

    /* constants: adding 16 becomes subtracting -16; operations share a negated immediate; shift
  * counts use five bits */
    {"add r0, r1, 16", {SMALL, 0, 0, 0, 1, 0, 0, 0, W0, NOP, 0, 13, NOP, 16, R1, B, 0, 0}},
    {"mov r2, 3; sub r0, r1, -3", {SMALL, 0, 0, 0, 1, 1, 0, 0, W0, W2, 4, 12, NOP, 3, R1, B, B, B}},
    {"shl r0, r1, 33", {SMALL, 0, 0, 0, 1, 0, 0, 0, W0, NOP, 0, 17, NOP, 1, R1, B, 0, 0}},
    {"mov r0, 64; fmul r1, r2, r3",
     {SMALL, 0, 0, 0, 1, 1, 0, 0, W0, W1, 1, 7, NOP, 38, B, B, R2, R3}},
    {"add r1, r2, r3; mov r0, 64",
     {SMALL, 0, 0, 0, 1, 1, 0, 0, W1, W0, 2, 12, NOP, 8, R2, R3, B, B}},
    {"mov r0, 0x80000000; mov tmurs, 1",
     {SMALL, 0, 0, 0, 1, 1, 0, 0, W0, 36, 4, 16, NOP, 1, B, B, B, B}},
    {"mov ra1, 0x01010101; fmul r1, r2, r3",
     {SMALL, 0, 0, 3, 1, 1, 0, 0, 1, W1, 1, 21, NOP, 1, B, B, R2, R3}},
    {"mov r0, 0; ldtmu0", {10, 0, 0, 0, 1, 1, 0, 0, W0, NOP, 0, 22, NOP, NOP, B, B, 0, 0}},

    /* rotations */
    {"mov r0, r1 << 3", {SMALL, 0, 0, 0, 0, 1, 0, 0, NOP, W0, 4, 0, NOP, 61, 0, 0, R1, R1}},
    {"mov r0 << 3, r1", {SMALL, 0, 0, 0, 0, 1, 0, 0, NOP, W0, 4, 0, NOP, 51, 0, 0, R1, R1}},
    {"mov r0, r1 >> r5", {SMALL, 0, 0, 0, 0, 1, 0, 0, NOP, W0, 4, 0, NOP, 48, 0, 0, R1, R1}},
    {"mov r0, r1 << r5", {SMALL, 0, 0, 0, 0, 1, 0, 0, NOP, W0, 4, 0, NOP, 48, 0, 0, R1, R1}},
    {"fmul r0, r1 >> 1, r2 >> 1",
     {SMALL, 0, 0, 0, 0, 1, 0, 0, NOP, W0, 1, 0, NOP, 49, 0, 0, R1, R2}},

    /* pack and unpack */
    {"mov.pack8a ra0, r1", {1, 0, 0, 4, 1, 0, 0, 0, 0, NOP, 0, 21, NOP, NOP, R1, R1, 0, 0}},
    {"mov ra0.8aclamp, r1", {1, 0, 0, 12, 1, 0, 0, 0, 0, NOP, 0, 21, NOP, NOP, R1, R1, 0, 0}},
    {"fmul r0.8csf, r1, r2", {1, 0, 1, 6, 0, 1, 0, 0, NOP, W0, 1, 0, NOP, NOP, 0, 0, R1, R2}},
    {"fmul r0.8abcd, r1, r2", {1, 0, 1, 3, 0, 1, 0, 0, NOP, W0, 1, 0, NOP, NOP, 0, 0, R1, R2}},
    {"mov r0, ra2.16af", {1, 1, 0, 0, 1, 0, 0, 0, W0, NOP, 0, 3, 2, NOP, A, A, 0, 0}},
    {"mov r0, (ra1 + 1).8a", {1, 4, 0, 0, 1, 0, 0, 0, W0, NOP, 0, 21, 2, NOP, A, A, 0, 0}},
    {"mov.unpack16b r0, r4", {1, 2, 1, 0, 1, 0, 0, 0, W0, NOP, 0, 21, NOP, NOP, R4, R4, 0, 0}},
    {"mov r0, ra0.8ddupe", {1, 3, 0, 0, 1, 0, 0, 0, W0, NOP, 0, 21, 0, NOP, A, A, 0, 0}},

    /* conditions and flags */
    {"mov r0.nz, r1", {1, 0, 0, 0, 3, 0, 0, 0, W0, NOP, 0, 21, NOP, NOP, R1, R1, 0, 0}},
    {"mov - .setf, r1", {1, 0, 0, 0, 1, 0, 1, 0, NOP, NOP, 0, 21, NOP, NOP, R1, R1, 0, 0}},
    {"mov.never r0, r1", {1, 0, 0, 0, 0, 0, 0, 0, W0, NOP, 0, 21, NOP, NOP, R1, R1, 0, 0}},
    {"nop; mov.setf -, r1", {1, 0, 0, 0, 1, 1, 1, 0, NOP, NOP, 4, 0, NOP, NOP, 0, 0, R1, R1}},
};

static uint64_t word_of(size_t i)
{
    struct qpu_insn insn = {.form = QPU_FORM_ALU};
    insn.sig = lines[i].word.sig, insn.unpack = lines[i].word.unpack, insn.pm = lines[i].word.pm;
    insn.pack = lines[i].word.pack, insn.cond_add = lines[i].word.cond_add;
    insn.cond_mul = lines[i].word.cond_mul, insn.sf = lines[i].word.sf;
    insn.ws = lines[i].word.ws, insn.waddr_add = lines[i].word.waddr_add;
    insn.waddr_mul = lines[i].word.waddr_mul, insn.op_mul = lines[i].word.op_mul;
    insn.op_add = lines[i].word.op_add, insn.raddr_a = lines[i].word.raddr_a;
    insn.raddr_b = lines[i].word.raddr_b, insn.add_a = lines[i].word.add_a;
    insn.add_b = lines[i].word.add_b, insn.mul_a = lines[i].word.mul_a;
    insn.mul_b = lines[i].word.mul_b;
    return qpu_encode(&insn);
}

TEST(test_lines)
{
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct asm_error error;
        uint64_t word;
        if (qpu_parse(lines[i].text, strlen(lines[i].text), 0, NULL, &word, &error) != QPU_PARSE_OK)
            fail_msg("'%s': %s", lines[i].text, error.text);
        if (word != word_of(i))
            fail_msg("'%s': 0x%016llx, not 0x%016llx", lines[i].text, (unsigned long long)word,
                     (unsigned long long)word_of(i));
    }
}

/* Loads, semaphores and branches. The high words follow figures 5 to 8. */
static const struct {
    const char *text;
    uint64_t word;
} others[] = {
    /* clang-format off */
    /* clang-format off */
    {"mmov.ifz r0, 5",                             UINT64_C(0xe004082700000005)}, /* keeps ifz */
    {"mov r0.ifz, rb1, 0x12345",                   UINT64_C(0xe004480100012345)},
    {"ldi ra0, rb1, 7",                            UINT64_C(0xe002400100000007)},
    {"mov r0, 1 + 2 * 3",                          UINT64_C(0xe002082700000007)},
    {"mov r0, 0.1",                                UINT64_C(0xe00208273dcccccd)},
    /* word of userland's shader_256.hex */
    {"mov ra14, 0; mov rb14, 0",                   UINT64_C(0xe002438e00000000)},
    /* word of vc4asm */
    {"amov ra14, 0; mmov rb14, 0",                 UINT64_C(0x1002438ef69e7fff)},
    {"mov r0, -[1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]", UINT64_C(0xe202082700010001)},
    {"mov -, srel3",                               UINT64_C(0xe80009e700000003)},
    {"brr.allz ra1, rb2, ra4, 0x20",               UINT64_C(0xf00c804200000020)},
    {"bra -, ra3, 8",                              UINT64_C(0xf0f469e700000008)},
    {"brr.setf -, 8",                              UINT64_C(0xf0f829e700000008)},
    /* clang-format on */
    /* clang-format on */
};

TEST(test_other_forms)
{
    for (size_t i = 0; i < COUNT(others); i++) {
        struct asm_error error;
        uint64_t word;
        if (qpu_parse(others[i].text, strlen(others[i].text), 0, NULL, &word, &error) !=
            QPU_PARSE_OK)
            fail_msg("'%s': %s", others[i].text, error.text);
        if (word != others[i].word)
            fail_msg("'%s': 0x%016llx", others[i].text, (unsigned long long)word);
    }
}

/* The rule of the expected warning. NULL if no warning is expected, "" if an error is. */
static const struct {
    const char *text, *rule;
} judged[] = {
    /* clang-format off */
    /* clang-format off */
    {"fmul r0, r0<<8, r1",                            "qpu-rotate-implicit"},
    {"fmul r2, r2<<8, r1<<8",                         NULL},
    {"fmul r0, r0<<8, ra0",                           NULL},
    {"fmul r2, r2<<7, ra0",                           "qpu-rotate-implicit"},
    {"mov r0, r5<<3",                                 "qpu-rotate-r5"},
    {"mov r0, r1 << r5",                              "qpu-rotate-r5"},
    {"mov r0, ra1 << 8",                              "qpu-rotate-quad"},
    {"add r0, ra0.8dr, ra0",                          "qpu-unpack-implicit"},
    {"add r0, ra0, ra0.8dr",                          "qpu-unpack-implicit"},
    {"mov.unpack16bi r0, r4",                         "qpu-unpack-unused"},
    {"bra -, ra3",                                    "qpu-branch-odd-register"},
    {"bra -, 9",                                      "qpu-branch-alignment"},
    {"mov r0, 1e39",                                  "qpu-float-range"},
    {"fmul r0.8abcdsf, r1, r2",                       NULL},
    {"mov r0, ra0; mov r1, ra0.8a",                   ""},
    {"mov r0, ra0.8a; mov r1, ra0",                   ""},
    {"mov.pack16a r0, r1",                            ""},
    {"mov.pack16a ra0.16a, r1",                       ""},
    {"mov ra1.16af, ra1.16bi",                        ""},
    {"fadd.unpack16bf r0, r4, ra1",                   ""},
    {"mov r0, ra0.16a; fmul r1, ra0.16a, ra0.16a",    ""},
    {"mov r0, ra0.16af; fmul r1, ra0.16af, ra0.16af", NULL},
    {"add r0, r1, ra0.16as",                          ""},
    {"brr -, 8;",                                     ""},
    {"add r0, r1 << 1, r2",                           ""},
    {"mov r0, 0x12345; add r1, r2, r3",               ""},
    {"mov r0, ra0 + 64",                              ""},
    {"mov r0, ra0.8a.8b",                             ""},
    {"ldi r0, r1",                                    ""},
    {"ldipeu r0, 1.0",                                ""},
    {"amov r0, r1, 5",                                ""},
    /* clang-format on */
    /* clang-format on */
};

static const char *warned;

static void warn(void *user, const struct asm_error *warning)
{
    (void)user;
    warned = warning->rule;
}

static bool no_symbol(void *user, const char *name, size_t length, bool only_labels,
                      struct asm_value *value)
{
    (void)user, (void)name, (void)length, (void)only_labels, (void)value;
    return false;
}

TEST(test_judgements)
{
    const struct asm_names names = {.lookup = no_symbol, .warn = warn};
    for (size_t i = 0; i < COUNT(judged); i++) {
        const char *rule = judged[i].rule;
        struct asm_error error;
        uint64_t word;
        warned = NULL;
        enum qpu_parse_result result = qpu_parse(judged[i].text, strlen(judged[i].text), 0, &names,
                                                 &word, &error);
        if ((result == QPU_PARSE_ERROR) != (rule && !*rule))
            fail_msg("'%s': %s", judged[i].text, error.text);
        bool same = rule && *rule ? warned && strcmp(warned, rule) == 0
                                  : !warned || (rule && !*rule);
        if (!same)
            fail_msg("'%s': warning %s", judged[i].text, warned ? warned : "missing");
    }
}

/* Packing an operand and unpacking it again must not change it. Raw registers have vc4asm's
 * numbers. */
TEST(test_operands)
{
    struct qpu_operand operand, again;
    assert_true(qpu_register_find("ra17", 4, &operand));
    assert_int_equal(operand.number, 17);
    assert_int_equal(operand.uses, 13);
    operand.rotation = -QPU_ROTATE_R5;
    operand.mode = QPU_MODE_PACK | QPU_MODE_REAL | 11;
    operand.conditional = operand.set_flags = true;
    operand.condition = QPU_COND_CC;
    again = qpu_operand_unpack(qpu_operand_pack(&operand));
    assert_int_equal(again.number, 17);
    assert_int_equal(again.rotation, -QPU_ROTATE_R5);
    assert_int_equal(again.mode, operand.mode);
    assert_int_equal(again.condition, QPU_COND_CC);
    assert_true(again.conditional && again.set_flags);
    assert_false(qpu_register_find("ra64", 4, &operand));
    assert_int_equal(qpu_suffix_find("8ddupeclamp", 11).code, 11 | QPU_MODE_PACK);
    assert_int_equal(qpu_suffix_find("8asff", 5).kind, QPU_SUFFIX_NONE);
}

/* Every recipe for a constant must compute the constant. For some recipes, the test repeats the
 * arithmetic. */
TEST(test_recipes)
{
    struct qpu_recipe recipe;
    uint32_t at = 0, result;
    assert_true(qpu_next_recipe(64, &at, &recipe)); /* ftoi of 64.0 */
    assert_false(recipe.mul);
    assert_int_equal(recipe.op, QPU_ADD_FTOI);
    assert_int_equal(recipe.code, 38);
    at = 0;
    assert_false(qpu_next_recipe(0x12345, &at, &recipe));
    assert_true(qpu_fold_add(QPU_ADD_CLZ, 1, &result));
    assert_int_equal(result, 31);
    assert_true(qpu_fold_add(QPU_ADD_CLZ, UINT32_MAX, &result));
    assert_int_equal(result, 0);
    assert_true(
        qpu_fold_mul(QPU_MUL_V8MULD, 0x000000fe, &result)); /* (254 * 254 + 127) / 255 = 253 */
    assert_int_equal(result, 253);
}

TEST(test_join)
{
    struct asm_error error;
    uint64_t word;
    assert_int_equal(qpu_parse("mov t0s, r1; mov r0, r1", 23, 0, NULL, &word, &error),
                     QPU_PARSE_OK);
    assert_true(qpu_may_join(word));
    assert_int_equal(qpu_parse("mov t0s, r1; mov t1s, r1", 24, 0, NULL, &word, &error),
                     QPU_PARSE_OK);
    assert_false(qpu_may_join(word));
}

/* Lines that are joined by ";", as vc4asm joins them. */
TEST(test_joined_lines)
{
    static const struct {
        const char *text;
        size_t count;
        uint64_t last;
    } cases[] = {
        /* clang-format off */
        /* clang-format off */
        {"ldi r0, 5;\n; add r1, r1, r1",             2, UINT64_C(0x100208670c9e7240)},
        {"ldi r0, 5; # comment\n; ldi r1, 5",        1, UINT64_C(0xe002482100000005)},
        {"mov ra4, r0; # comment\n;min r0, r0, rb6", 1, UINT64_C(0x10025804929c61c0)},
        {"mov ra4, r0;\n:x\n;min r0, r0, rb6",       1, UINT64_C(0x10025804929c61c0)},
        {"mov ra14, 0;\n;mov rb14, 0;\n;ldtmu0",     1, UINT64_C(0xa002438ef69e7fff)},
        {"mov ra4, r0;\nx:\n;min r0, r0, rb6",       2, UINT64_C(0x10020827129c61c0)},
        {"brr.allz -, r:x\nnop\nnop\nmov ra4, r0;\n;min r0, r0, rb6\n:x", 5,
         UINT64_C(0x10020827129c61c0)},
        /* clang-format on */
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tess_asm_options options = {.machine = TESS_MACHINE_QPU, .format = TESS_ASM_BIN};
        uint8_t *out;
        size_t size;
        assert_int_equal(tess_assemble_text(cases[i].text, strlen(cases[i].text), NULL, &options,
                                            (struct tess_sink){0}, &out, &size),
                         TESS_OK);
        assert_int_equal(size, cases[i].count * 8);
        assert_true(load_le64(out + size - 8) == cases[i].last);
        free(out);
    }
}
