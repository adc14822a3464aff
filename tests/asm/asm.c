/* SPDX-License-Identifier: MIT */
/* asm.c - tests the assembler core with a small instruction set: "word EXPRESSION" is a 4-byte
 * instruction, and "reg NAME" an instruction whose operand must be a register q0..q9. Expected
 * bytes are worked out by hand from the rules in docs/asm.md. */
#define _GNU_SOURCE /* for memmem() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../register.h"
#include "asm/asm.h"
#include "asm/write.h"
#include "base/ascii.h"
#include "base/bits.h"

/* --- a small instruction set --- */

/* Parses a register name, q0 to q9. Its value is 0 to 9. */
static bool find_register(const char *name, size_t length, struct asm_value *value)
{
    if (length != 2 || name[0] != 'q' || !ascii_is_digit(name[1]))
        return false;
    value->integer = name[1] - '0';
    return true;
}

/* Applies the suffix ".h", which adds 0x1000. */
static bool find_suffix(const char *name, size_t length, struct asm_value *value,
                        struct asm_error *error)
{
    if (length != 1 || name[0] != 'h')
        return asm_fail(error, "test-suffix", 0, NULL, "unknown suffix");
    value->integer += 0x1000;
    return true;
}

static bool apply(enum asm_operand_operator operator, struct asm_value * left,
                  const struct asm_value *right, struct asm_error *error)
{
    switch (operator) {
    case ASM_OPERAND_ADD: left->integer += right->integer; return true;
    case ASM_OPERAND_SUBTRACT: left->integer -= right->integer; return true;
    case ASM_OPERAND_LEFT: left->integer |= right->integer << 4; return true;
    case ASM_OPERAND_AND: left->integer &= right->integer; return true;
    default: return asm_fail(error, "test-operator", 0, NULL, "unknown operator");
    }
}

/* Evaluates lists: "[a, b]" is 0x2000 plus the sum of its items, and ":[a]" is register a. */
static bool take_elements(const struct asm_value *items, size_t count, struct asm_value *value,
                          struct asm_error *error)
{
    (void)error;
    *value = (struct asm_value){.kind = ASM_OPERAND, .integer = 0x2000};
    for (size_t i = 0; i < count; i++)
        value->integer += items[i].integer;
    return true;
}

static bool take_raw(const struct asm_value *items, size_t count, struct asm_value *value,
                     struct asm_error *error)
{
    if (count != 1)
        return asm_fail(error, "test-raw", 0, NULL, "one number expected");
    *value = (struct asm_value){.kind = ASM_OPERAND, .integer = items[0].integer};
    return true;
}

static const struct asm_operands test_operands = {.find = find_register,
                                                  .suffix = find_suffix,
                                                  .apply = apply,
                                                  .elements = take_elements,
                                                  .raw = take_raw};

static size_t encode(const char *text, size_t length, uint32_t address,
                     const struct asm_names *names, uint8_t bytes[ASM_INSTRUCTION_MAX],
                     unsigned *traits, struct asm_error *error)
{
    (void)address;
    size_t at = asm_name_length(text, length, 0);
    struct asm_value value = {0};
    bool reg = at == 3 && memcmp(text, "reg", 3) == 0;
    if (!reg && (at != 4 || memcmp(text, "word", 4) != 0)) {
        asm_fail(error, "test-unknown", 0, NULL, "unknown instruction");
        return 0;
    }
    if (!asm_evaluate(text, length, &at, names, &value, error))
        return 0;
    if (!value.unknown && reg != (value.kind == ASM_OPERAND)) {
        asm_fail(error, "test-kind", 0, NULL, "wrong kind of operand");
        return 0;
    }
    store_le32(bytes, (uint32_t)value.integer + (reg ? 0x100 : 0));
    *traits = value.unknown ? ASM_UNKNOWN : at > 5 && text[5] == '0' ? ASM_EXACT : 0;
    return 4;
}

/* Encodes "tag EXPRESSION", a record of one byte. */
static enum asm_taken encode_record(const char *text, size_t length, uint32_t address,
                                    const struct asm_names *names, struct buffer *bytes,
                                    struct asm_error *error)
{
    (void)address;
    size_t at = asm_name_length(text, length, 0);
    struct asm_value value;
    if (at != 3 || memcmp(text, "tag", 3) != 0)
        return ASM_NOT_MINE;
    if (!asm_evaluate(text, length, &at, names, &value, error))
        return ASM_WRONG;
    buffer_byte(bytes, (uint8_t)value.integer);
    return ASM_TAKEN;
}

/* Joins two instructions to one, which is their sum, if the sum is even. A word written as "word
 * 0..." is exact and cannot be joined. */
static size_t join(const char *text, size_t length, uint32_t address, const struct asm_names *names,
                   const uint8_t *before, size_t before_size, bool exact,
                   uint8_t bytes[ASM_INSTRUCTION_MAX], struct asm_error *error)
{
    unsigned traits;
    if (exact || encode(text, length, address, names, bytes, &traits, error) == 0)
        return 0;
    uint32_t sum = load_le32(bytes) + load_le32(before + before_size - 4);
    store_le32(bytes, sum);
    return sum % 2 == 0 ? 4 : 0;
}

static const struct asm_isa test_isa = {.alignment = 4,
                                        .instruction = encode,
                                        .operands = &test_operands,
                                        .record = encode_record,
                                        .join = join};

/* --- running the assembler --- */

struct findings {
    unsigned errors;
    char rule[40]; /* rule of the first error */
    uint32_t line, column;
    char text[200], hint[200];
    bool context;     /* true after a note that names the line of an expansion */
    char warning[40]; /* rule of the first warning */
    uint32_t warning_line;
};

static void collect(void *user, const struct tess_finding *diag)
{
    struct findings *findings = user;
    findings->context = findings->context || strcmp(diag->id, "asm-context") == 0;
    if (diag->level == TESS_WARNING && findings->warning_line == 0) {
        snprintf(findings->warning, sizeof findings->warning, "%s", diag->id);
        findings->warning_line = diag->line;
    }
    if (diag->level != TESS_ERROR || findings->errors++ > 0)
        return;
    snprintf(findings->rule, sizeof findings->rule, "%s", diag->id);
    snprintf(findings->text, sizeof findings->text, "%s", diag->text);
    snprintf(findings->hint, sizeof findings->hint, "%s", diag->hint ? diag->hint : "");
    findings->line = diag->line;
    findings->column = diag->column;
}

static enum tess_status assemble(const char *text, size_t size, struct asm_program *program,
                                 struct findings *findings)
{
    const struct asm_source source = {"test.s", text, size};
    const struct tess_asm_define define = {"DEFINED", "7"};
    const struct asm_request request = {.isa = &test_isa,
                                        .sources = &source,
                                        .source_count = 1,
                                        .defines = &define,
                                        .define_count = 1,
                                        .sink = {collect, findings}};
    *findings = (struct findings){0};
    return asm_assemble(&request, program);
}

/* --- output --- */

static const struct {
    const char *source, *bytes; /* bytes in hexadecimal, starting with the first region */
} cases[] = {
    /* Tests comments, and strings and characters that look like comments. */
    {".byte 1 # 2\n.byte 3 // 4\n.byte /* 5\n6 */ 7\n.ascii \"#//\"", "!"},
    {".byte 1 # 2\n.byte 3 // 4\n/* 5\n6 */ .byte 7\n.ascii \"#//\"", "010307232f2f"},
    {".byte '#', '\\n', '\\'', '\\x41', '\\0'", "230a274100"},
    {".asciz \"a\\tb\\\"\", \"c\"", "6109622200"
                                    "6300"},

    /* Tests numbers and operators. */
    {".byte 0x1f, 0b101, 017, 10", "1f050f0a"},
    {".byte 1 + 2 * 3, (1 + 2) * 3, 10 - 4 - 3, -2 ** 2", "07090304"},
    {".byte 7 / 2, 7 % 4, 1 << 4 | 1, 6 & 3 ^ 1, ~0", "0303110"
                                                      "3ff"},
    {".byte 3 <=> 5, 5 <=> 3, 2 <=> 2.0, 1 === 1.0, 1 !== 1.0, 5 !^ 4 & 15", "ff0100000"
                                                                             "1fe"},
    {".int 0x80000001 ><< 1, 3 >>< 1, 1.5 << 2 == 6, 6.0 >> 2 == 1.5", "0300000001000080"
                                                                       "0100000001000000"},
    {".quad 1 >>>< 1, -1 ><<< 4", "0000000000000080ffffffffffffffff"},
    {".byte ceil 1.5, floor -1.5, ceil(-1.5), abs -3, sqrt 16, exp2 3 + 1, 2*-3", "02feff03"
                                                                                  "0409fa"},
    {".set a,7\n.byte a-1,a -1,a*-1, 0o17, 0d10, 4 ** -1, 2 ** -1", "0606f90f0a0001"},
    {".byte :x > 5, x > 5, :x == x, [1] > 5, [1] < :x\n:x", "0100010101"},

    /* Values with the syntax of the instruction set. */
    {"reg q3\nreg q1 + 2\nreg 2 + q1\nreg (q1).h\nreg [1, 2]\nreg :[4] << q2", "0301000003010000"
                                                                               "0301000001110000"
                                                                               "0321000024010000"},
    {".set r, q2.h\n.macro m, a\nreg a\n.endm\nm r\n.foreach i, q1, q5\nreg i\n.endfor",
     "02110000"
     "0101000005010000"},
    {"tag 5\ntag 6", "0506"},

    /* Tests functions with parameters. */
    {".set f(a, b) a * b + c\n.set c, 1\n.byte f(2, 3)\n.set c, 2\n.byte f(2, f(1, 1))", "0708"},
    {".func f(a)\n.if a > 3\n.lset r, a * 2\n.else\n.lset r, a\n.endif\nr\n.endf\n.byte f(3), f(4)",
     "0308"},
    {".func f(a)\n.if a\na * f(a - 1)\n.else\n1\n.endif\n.endf\n.byte f(5)", "78"},

    /* Tests local names. */
    {".set x, 1\n.local\n.lset x, 2\n.byte x\n.unset x\n.byte x\n.endloc\n.byte x", "020101"},
    {".macro m\n.lset x, 1\n.set y, 2\n.endm\nm\n.ifset x\n.byte 9\n.endif\n.byte y", "02"},
    {".rep i 2\n.rep j, 2\n.byte 16*i+j\n.endr\n.endr", "00011011"},

    /* Bit fields share bytes. The first field has the lowest bits. */
    {".bit 1, 0, 1\n.int4 9\n.bit 1\n.byte 5\n.int2 3\n.align 1\n.byte 6", "cd050306"},

    /* Tests labels that may be redefined. */
    {":1 .byte :1 - :1f, :1f - :1\n:1 .byte 1b - .\n:1", "fe0000"},
    {".space 1\n:.x .byte :.x\n:.x .byte :.x", "00010"
                                               "2"},

    /* Code that .back moves to an earlier address. */
    {"word 1\nword 2\n.back 1\nword 3\n.endb\n:x\nword :x", "010000000300000002000000"
                                                            "0c000000"},
    {"word 1\n:x word 2\n:y\n.back 2\nword 3\n.endb\nword :x\nword :y",
     "0300000001000000020000000800000"
     "00c000000"},
    {":x word 1\nword 2\n.clone :x, 2\n.clone :y, 1\n:y word 7", "0100000002000000"
                                                                 "0100000002000000"
                                                                 "07000000"
                                                                 "07000000"},

    /* Instructions that are joined by ";". */
    {"word 1;\n;word 3\nword 1;\n;word 2\nword 1\n;word 3\nword 0x1;\n;word 3", "04000000"
                                                                                "0100000002000000"
                                                                                "0100000003000000"
                                                                                "0100000003000000"},
    {"word 1;\n: ;word 3\nword 1;\n:x\n;word 3\nword 1;\ny: ;word 3", "04000000"
                                                                      "04000000"
                                                                      "0100000003000000"},
    {".set f(x) x + 1\n.macro m\nl\\@: word l\\@\n.endm\nword f(1)\nm\nword f(2)\nm",
     "020000000400000003000000"
     "0c000000"}, /* both passes must number expansions in the same way */
    {"word 0x1;\n.back 1\nword 2;\n.endb\n;word 3", "020000000100000003000000"},

    {".byte 1 < 2 && 2 <= 2, 3 > 4 || 0, !5, 1 == 1.0, 1 ^^ 1", "0100000100"},
    {".byte 1 ? 2 : 3, 0 ? 2 : 0 ? 4 : 5, 0 && 1 / 0, 1 || 1 / 0", "02050001"},
    {".int -1 >> 31, -1 >>> 60, 1 << -1, 2 <<< 1", "ffffffff0f0000000000000004000000"},
    {".quad -0x8000000000000000 / -1", "0000000000000080"},
    {".float 1.0, 0e1.0, -0.5, 1, 2.5e-1, 0e-1.5",
     "0000803f0000803f000000bf0000803f0000803e0000c0bf"},
    {".half 1.0, 65504.0, 65520.0, 0.00006103515625, 5.9604644775390625e-8, 1e-9",
     "003cff7b007c000401000000"},
    {".double 1.0\n.single 1.5", "000000000000f03f0000c03f"},
    {".short 0x1234\n.hword -1\n.word 0x89abcdef\n.long 1", "3412ffffefcdab890100000000000000"},

    /* Tests labels and constants. */
    {".byte b - a\na: .byte 1, 2\n:b .byte c\n.set c, 9", "02010209"},
    {".org 0x100\nx: .short x, ., :x", "000102010001"}, /* "." is the address of each item */
    {".byte 1\n: # as in vc4asm's gpu_fft_1024k.qasm\n: .byte 2", "0102"},
    {":1 .byte 1f - .\n.byte 1b - .\n:1 .byte 1b - .", "02ff00"},
    {".set n, 1\n.byte n\n.set n, n + 1\n.byte n, DEFINED", "010207"},
    {".set a, 1\n.unset a\n.ifset a\n.byte 1\n.else\n.byte 2\n.endif", "02"},

    /* Tests the layout: alignment, space and fill. */
    {".byte 1\n.align 4\n.byte 2\n.align 2, 1\n.byte 3", "010000000203"},
    {".byte 1\n.space 2\n.byte 2\n.space 2, 0xaa\n.fill 2, 2, 0x1234", "01000002aaaa34123412"},
    {".byte 1\n.space 4", "01"}, /* zeros at the end are not stored */
    {".align 0\n.byte 1", "01"},

    /* Blocks. In a macro, \a is replaced by the text of parameter a, and a is its value. */
    {".rep i, 3\n.rep j, 2\n.byte i * 2 + j\n.endr\n.endr", "000102030405"},
    {".rept 2\n.byte 1\n.endr", "0101"},
    {".if 0\n.byte 1\n.if 1\n.byte 2\n.endif\n.elseif 1\n.byte 3\n.elseif 1\n.byte 4\n.else\n.byte "
     "5\n.endif",
     "03"},
    {".if 0\n.byte 1\n.else\n.byte 2\n.endif", "02"},
    {".if(1 == 1)\n.byte 1\n.endif", "01"},
    {".macro m, a, b=5\n.byte a, b\n.endm\nm 1, 2\nm 3", "01020305"},
    {".macro m a b\n.byte \\a + \\b * 2\n.endm\nm 1, 2 + 1", "05"}, /* as text: 1 + 2 + 1 * 2 */
    {".macro m a\n.byte a * 2\n.endm\nm 2 + 1", "06"},              /* as a value: 3 * 2 */
    {".macro m\nl\\@: .byte l\\@\n.endm\nm\nm", "0001"},
    {".macro m n\n.if n\n.byte n\nm n - 1\n.endif\n.endm\nm 3", "030201"},
    {".macro m, l\n.byte l\n.endm\nm later\nlater:", "01"},

    /* Tests instructions. */
    {"word 1 + 1\na: word b\nb:", "0200000008000000"},
    {".set alias, q3\nreg alias\n.macro m, r\nreg r\n.endm\nm q4\nm alias",
     "030100000401000003010000"},
};

TEST(test_bytes)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct asm_program program;
        struct findings findings;
        enum tess_status status = assemble(cases[i].source, strlen(cases[i].source), &program,
                                           &findings);
        char text[200] = "";
        if (status == TESS_OK && program.regions.count > 0)
            for (size_t k = 0; k < program.regions.items[0].bytes.size; k++)
                snprintf(text + 2 * k, sizeof text - 2 * k, "%02x",
                         program.regions.items[0].bytes.data[k]);
        if (status != TESS_OK)
            strcpy(text, "!");
        if (strcmp(text, cases[i].bytes) != 0)
            fail_msg("'%s' gives %s, not %s (%s)", cases[i].source, text, cases[i].bytes,
                     findings.text);
        asm_program_free(&program);
    }
}

/* --- errors --- */

static const struct {
    const char *source, *rule;
    uint32_t line, column;
} refused[] = {
    /* clang-format off */
    /* clang-format off */
    {".byte 1\n .byte nothing",                          "asm-undefined", 2, 8},
    {".int 1.5",                                         "asm-type",      1, 6},
    {".byte 1 / 0",                                      "asm-range",     1, 9},
    {".byte 1 +",                                        "asm-syntax",    1, 10},
    {".byte (1",                                         "asm-syntax",    1, 7},
    {".byte 0x",                                         "asm-syntax",    1, 9},
    {".byte 99999999999999999999",                       "asm-range",     1, 7},
    {".byte 1 ; 2",                                      "asm-syntax",    1, 9},
    {".byte 1.0 & 1",                                    "asm-type",      1, 11},
    {".ascii \"abc",                                     "asm-syntax",    1, 8},
    {".ascii \"\\q\"",                                   "asm-syntax",    1, 9},
    {".byte 1\n::",                                      "asm-syntax",    2, 1},
    {" : :",                                             "asm-syntax",    1, 2},
    {": :x",                                             "asm-syntax",    1, 1},
    {"x: :: .byte 1",                                    "asm-syntax",    1, 4},
    {"a:\na:",                                           "asm-redefined", 2, 1},
    {".bite 1",                                          "asm-unknown",   1, 1},
    {"wurd 1",                                           "test-unknown",  1, 1},
    {".byte 1\n.if 0",                                   "asm-block",     2, 1},
    {".if forward\n.endif\nforward:",                    "asm-forward",   1, 5},
    {".space later\n.set later, 1",                      "asm-forward",   1, 8},
    {".align 3",                                         "asm-range",     1, 8},
    {".endif",                                           "asm-block",     1, 1},
    {".else",                                            "asm-block",     1, 1},
    {".endr",                                            "asm-block",     1, 1},
    {".rep i, 2\n.byte 1",                               "asm-block",     1, 1},
    {".macro m",                                         "asm-block",     1, 1},
    {".macro m, a\n.byte a\n.endm\nm",                   "asm-macro",     4, 2},
    {".macro m, a\n.byte a\n.endm\nm 1, 2",              "asm-macro",     4, 6},
    {".include \"no such file\"",                        "asm-include",   1, 10},
    {".include \"/dev/zero\"",                           "asm-include",   1, 10},
    {".incbin \"/\"",                                    "asm-include",   1, 9},
    {".assert 1 == 2",                                   "asm-assert",    1, 9},
    {".org 0x100\n.space 16\n.org 0xc000010f\n.byte 1",  "asm-region",    3, 0},
    {".org 0x3ffffff0\n.space 32",                       "asm-region",    1, 0},
    {".org 0xfffffff0\n.space 32",                       "asm-limit",     2, 1},
    {".space 0xfffffff0\n.byte 1",                       "asm-limit",     2, 1},
    {".global never",                                    "asm-undefined", 1, 0},
    {".scene",                                           "asm-syntax",    1, 7},
    {"\x01",                                             "test-unknown",  1, 1},
    {".byte 1\n .byte 2 /* 3\n.byte 4",                  "asm-syntax",    2, 10},
    {"/*",                                               "asm-syntax",    1, 1},
    {"/*/",                                              "asm-syntax",    1, 1},
    {"/* a */ /* b\r\n.if 1\r\n",                        "asm-syntax",    1, 9},
    /* Tests expansions that would never end. */
    {".macro m\nm\n.endm\nm",                            "asm-limit",     2, 1},
    {".rep i, 0xffffff\n.rep j, 0xffffff\n.endr\n.endr", "asm-limit",     1, 1},
    /* clang-format on */
    /* clang-format on */
};

TEST(test_refused)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct asm_program program;
        struct findings findings;
        const char *source = refused[i].source;
        assert_int_equal(assemble(source, strlen(source), &program, &findings), TESS_WRONG);
        bool endless = strcmp(refused[i].rule, "asm-limit") == 0;
        if (strcmp(findings.rule, refused[i].rule) != 0 ||
            (!endless &&
             (findings.line != refused[i].line || findings.column != refused[i].column)))
            fail_msg("'%s': %s at %u:%u (%s), not %s at %u:%u", source, findings.rule,
                     findings.line, findings.column, findings.text, refused[i].rule,
                     refused[i].line, refused[i].column);
        asm_program_free(&program);
    }
}

/* Sources for which vc4asm prints a warning and no error. */
static const struct {
    const char *source, *rule;
    uint32_t line;
} doubtful[] = {
    /* clang-format off */
    /* clang-format off */
    {".byte 1\n.byte 256",                         "asm-range",     2},
    {".byte -129",                                 "asm-range",     1},
    {".bit 2",                                     "asm-range",     1},
    {".half 70000",                                "asm-range",     1},
    {".macro m\n.endm\n.macro m\n.endm",           "asm-redefined", 3},
    {".set f(x) x\n.set f(x) x",                   "asm-redefined", 2},
    {".byte 1\nword 1",                            "asm-alignment", 2},
    {".bit 1\n.byte 1",                            "asm-alignment", 2},
    {".unset x",                                   "asm-undefined", 1},
    {".set x, 1\n.lunset x",                       "asm-undefined", 2},
    {".global x, 1\n.global x, 2",                 "asm-redefined", 2},
    {"word 1\n:a\nword 2\n.back 2\nword 3\n.endb", "asm-back",      4},
    {"word 1;\n:a\n;word 3",                       "asm-join",      3},
    /* clang-format on */
    /* clang-format on */
};

TEST(test_doubtful)
{
    for (size_t i = 0; i < sizeof doubtful / sizeof doubtful[0]; i++) {
        struct asm_program program;
        struct findings findings;
        const char *source = doubtful[i].source;
        assert_int_equal(assemble(source, strlen(source), &program, &findings), TESS_OK);
        if (strcmp(findings.warning, doubtful[i].rule) != 0 ||
            findings.warning_line != doubtful[i].line)
            fail_msg("'%s': %s at %u", source, findings.warning, findings.warning_line);
        asm_program_free(&program);
    }
}

TEST(test_many_errors)
{
    struct asm_program program;
    struct findings findings;
    const char *few = "wurd 1\n.byte x\n.byte 1\n.byte 1.5";
    assemble(few, strlen(few), &program, &findings);
    assert_int_equal(findings.errors, 3);
    asm_program_free(&program);
    const char *many = ".rep i, 100000\n.assert i < 0\n.byte x\n.endr";
    assemble(many, strlen(many), &program, &findings);
    assert_int_equal(findings.errors, 2); /* an error in a loop is reported once, not in each
                                             iteration */
    asm_program_free(&program);
    char lines[200 * 8 + 1];
    for (size_t i = 0; i < 200; i++)
        memcpy(lines + i * 8, ".byte x\n", 8);
    assemble(lines, 200 * 8, &program, &findings);
    assert_int_equal(findings.errors, 100);
    asm_program_free(&program);
}

TEST(test_help)
{
    struct asm_program program;
    struct findings findings;
    const char *source = ".macro Tile_Coordinates, c\n.byte c\n.endm\nTile_Coordinats 1";
    assemble(source, strlen(source), &program, &findings);
    assert_string_equal(findings.hint, "did you mean Tile_Coordinates?");
    asm_program_free(&program);
    source = ".macro m, c\n.byte c\n.endm\nm missing";
    assemble(source, strlen(source), &program, &findings);
    assert_string_equal(findings.text, "undefined symbol 'missing'");
    assert_int_equal(findings.line, 4);
    asm_program_free(&program);
    source = ".macro m\n.byte missing\n.endm\nm";
    assemble(source, strlen(source), &program, &findings);
    assert_true(findings.context);
    asm_program_free(&program);
}

/* Damaged text must not crash the assembler. The text is cut off at every byte, and every byte
 * is replaced by special characters. */
TEST(test_damaged)
{
    static const char awkward[] = "\\\"'():;.,\n\0-#*/%1";
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[300];
        size_t length = strlen(cases[i].source);
        struct asm_program program;
        struct findings findings;
        assert_true(length < sizeof text);
        for (size_t at = 0; at < length; at++) {
            assemble(cases[i].source, at, &program, &findings);
            asm_program_free(&program);
            memcpy(text, cases[i].source, length);
            text[at] = awkward[(at + i) % (sizeof awkward - 1)];
            assemble(text, length, &program, &findings);
            asm_program_free(&program);
        }
    }
}

TEST(test_deep_nesting)
{
    static const char *const units[] = {"(", "-", "1?", "1+(", ".if 1\n", ".rep i, 1\n", "1**"};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        struct buffer text = {0};
        struct asm_program program;
        struct findings findings;
        if (units[i][0] != '.')
            buffer_printf(&text, ".byte ");
        for (int k = 0; k < 20000; k++)
            buffer_printf(&text, "%s", units[i]);
        assert_int_equal(assemble((char *)text.data, text.size, &program, &findings), TESS_WRONG);
        asm_program_free(&program);
        buffer_free(&text);
    }
}

/* --- writers --- */

static void check_written(const char *source, enum tess_asm_format format, const char *expected,
                          size_t size)
{
    struct asm_program program;
    struct findings findings;
    struct buffer out;
    assert_int_equal(assemble(source, strlen(source), &program, &findings), TESS_OK);
    assert_int_equal(
        asm_write(&program, &(struct asm_output){.format = format}, (struct tess_sink){0}, &out),
        TESS_OK);
    assert_int_equal(out.size, size);
    assert_memory_equal(out.data, expected, size);
    buffer_free(&out);
    asm_program_free(&program);
}

TEST(test_writers)
{
    const char *source = ".org 0x40\n.int 1, 2, 3\n.org 0x50\n.byte 9\n.space 3";
    const char bin[] = "\1\0\0\0\2\0\0\0\3\0\0\0\0\0\0\0\x9\0\0\0";
    check_written(source, TESS_ASM_BIN, bin, 20);
    const char *hex = "0x00000001, 0x00000002,\n0x00000003, 0x00000000,\n0x00000009\n";
    check_written(source, TESS_ASM_HEX, hex, strlen(hex));
    const char *c = "{\n    0x00000001, 0x00000002,\n    0x00000003,\n}\n";
    check_written(".int 1, 2, 3", TESS_ASM_C, c, strlen(c));
    check_written("", TESS_ASM_BIN, "", 0);
}

TEST(test_bin_too_far)
{
    const char *source = ".byte 1\n.org 0x20000000\n.byte 1";
    struct asm_program program;
    struct findings findings;
    struct buffer out;
    assert_int_equal(assemble(source, strlen(source), &program, &findings), TESS_OK);
    struct tess_sink sink = {collect, &findings};
    assert_int_equal(asm_write(&program, &(struct asm_output){.format = TESS_ASM_BIN}, sink, &out),
                     TESS_WRONG);
    assert_string_equal(findings.rule, "asm-limit");
    buffer_free(&out);
    asm_program_free(&program);
}

/* Offsets and values of ELF fields are those of the System V ABI, chapter 4. */
TEST(test_elf)
{
    const char *source = ".set SIZE, 0x1000\n.org 0x40000100\ncode: .int 1, 2\ntail: .space SIZE\n"
                         ".global code\n.scene bin code tail\n";
    struct asm_program program;
    struct findings findings;
    struct buffer out;
    assert_int_equal(assemble(source, strlen(source), &program, &findings), TESS_OK);
    assert_int_equal(asm_write(&program, &(struct asm_output){.format = TESS_ASM_ELF},
                               (struct tess_sink){0}, &out),
                     TESS_OK);
    const uint8_t *file = out.data;
    assert_memory_equal(file,
                        "\x7f"
                        "ELF\1\1\1",
                        7);
    assert_int_equal(load_le16(file + 16), 2); /* file type ET_EXEC */
    assert_int_equal(load_le16(file + 18), 0); /* machine EM_NONE */
    assert_int_equal(load_le16(file + 44), 1); /* the file has one segment */
    const uint8_t *segment = file + load_le32(file + 28);
    assert_int_equal(load_le32(segment), 1); /* segment type PT_LOAD */
    assert_int_equal(load_le32(segment + 8), 0x40000100);
    assert_int_equal(load_le32(segment + 12), 0x40000100);
    assert_int_equal(load_le32(segment + 16), 8);
    assert_int_equal(load_le32(segment + 20), 0x1008);
    assert_int_equal(load_le32(file + load_le32(segment + 4) + 4), 2);
    const char *step = "bin code tail\n";
    assert_non_null(memmem(file, out.size, step, strlen(step)));
    assert_non_null(memmem(file, out.size, "\0SIZE", 6));
    buffer_free(&out);
    asm_program_free(&program);
}
