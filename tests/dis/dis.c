/* SPDX-License-Identifier: MIT */
/* dis.c - disassembles whole files, and assembles the texts again. Words and their meanings are
 * those of the manual (section 3) and of the articles (docs/sources.md). Other values were
 * worked out by hand. A branch's offset counts from its address + 32. "test_isa_dis COUNT" tries
 * COUNT random words. */
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
#include "random.h"

enum { FILE_WORDS = 4096 };

static unsigned long random_words = 100000;

static const struct tess_sink deaf;

static char *disassemble(const void *data, size_t size, const struct tess_dis_options *options)
{
    char *text;
    size_t length;
    assert_int_equal(tess_disassemble(data, size, options, deaf, &text, &length), TESS_OK);
    assert_int_equal(strlen(text), length);
    return text;
}

static void expect_assembles(const char *text, const void *data, size_t size)
{
    const struct tess_asm_options options = {.format = TESS_ASM_BIN};
    uint8_t *bytes = NULL;
    size_t got = 0;
    assert_int_equal(tess_assemble_text(text, strlen(text), "x", &options, deaf, &bytes, &got),
                     TESS_OK);
    assert_int_equal(got, size);
    assert_memory_equal(bytes, data, size);
    tess_free(bytes);
}

static void expect_same(const void *data, size_t size, const struct tess_dis_options *options)
{
    char *text = disassemble(data, size, options);
    expect_assembles(text, data, size);
    tess_free(text);
}

static uint8_t *assemble(const char *source, enum tess_asm_format format, size_t *size)
{
    const struct tess_asm_options options = {.format = format};
    uint8_t *bytes = NULL;
    assert_int_equal(tess_assemble_text(source, strlen(source), "x", &options, deaf, &bytes, size),
                     TESS_OK);
    return bytes;
}

/* The reassembled text must have the same words. The range is declared as instructions, or the
 * disassembler detects the contents. */
TEST(test_random_words)
{
    const struct tess_dis_range all = {0, UINT32_MAX, false};
    const struct tess_dis_options given = {.input = TESS_DIS_RAW, .ranges = &all, .range_count = 1};
    const struct tess_dis_options detected = {.input = TESS_DIS_RAW, .base = 0x1000};
    static uint8_t bytes[8 * FILE_WORDS];
    uint64_t random = 7;
    for (unsigned long done = 0; done < random_words; done += FILE_WORDS) {
        for (size_t i = 0; i < FILE_WORDS; i++) {
            uint64_t word = next_random64(&random);
            /* Half of the words are branches to targets inside the range, or nops with one
             * changed bit. */
            if (i % 4 == 0)
                word = UINT64_C(0xf0f809e700000000) | (next_random64(&random) & 0x7ff8);
            if (i % 4 == 1)
                word = UINT64_C(0x100009e7009e7000) ^ UINT64_C(1) << (word & 63);
            store_le64(bytes + 8 * i, word);
        }
        expect_same(bytes, sizeof bytes, &given);
        expect_same(bytes, sizeof bytes, &detected);
    }
}

TEST(test_sizes)
{
    uint8_t bytes[40];
    uint64_t random = 3;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)next_random64(&random);
    for (size_t size = 0; size <= sizeof bytes; size++) {
        for (uint32_t base = 0; base < 9; base++) {
            const struct tess_dis_options raw = {.input = TESS_DIS_RAW, .base = base};
            const struct tess_dis_options elf = {.input = TESS_DIS_RAW, .base = 0x40000000 + base};
            expect_same(bytes, size, &raw);
            expect_same(bytes, size, &elf);
        }
    }
}

static const char loop[] = ":start\nnop\n:again\nbrr.anynz -, r:again\nnop\nnop\nnop\n"
                           "bra ra5, :start\nnop\nnop\nnop\nnop; thrend\nnop\nnop\n";

TEST(test_labels)
{
    size_t size;
    uint8_t *bytes = assemble(loop, TESS_ASM_BIN, &size);
    char *text = disassemble(bytes, size, &(struct tess_dis_options){.input = TESS_DIS_RAW});
    assert_non_null(strstr(text, ":L_0000\nnop "));
    assert_non_null(strstr(text, "\n:L_0008\nbrr.anynz -, r:L_0008 "));
    assert_non_null(strstr(text, "\nbra ra5, :L_0000 "));
    expect_assembles(text, bytes, size);
    tess_free(text);
    /* At another address the absolute branch leaves the file, so its target is a number. */
    text = disassemble(bytes, size,
                       &(struct tess_dis_options){.input = TESS_DIS_RAW, .base = 0x100});
    assert_int_equal(strncmp(text, ".org 0x00000100\nnop ", 20), 0);
    assert_non_null(strstr(text, "\n:L_0108\nbrr.anynz -, r:L_0108 "));
    assert_non_null(strstr(text, "\nbra ra5, 0x00000000 "));
    expect_assembles(text, bytes, size);
    tess_free(text);
    tess_free(bytes);
}

TEST(test_targets_without_label)
{
    /* The first offset is -36, where no instruction begins. The second is 0x10000, outside of
     * the file. */
    static const uint32_t words[] = {0x009e7000, 0x100009e7, 0xffffffdc,
                                     0xf0f809e7, 0x00010000, 0xf0f809e7};
    uint8_t bytes[sizeof words];
    for (size_t i = 0; i < 6; i++)
        store_le32(bytes + 4 * i, words[i]);
    char *text = disassemble(bytes, sizeof bytes,
                             &(struct tess_dis_options){.input = TESS_DIS_RAW});
    assert_null(strstr(text, ":L_"));
    assert_non_null(strstr(text, "brr -, -36 "));
    assert_non_null(strstr(text, "brr -, +65536 "));
    expect_assembles(text, bytes, sizeof bytes);
    tess_free(text);
}

TEST(test_reasons)
{
    static const struct {
        uint64_t word;
        const char *reason;
    } cases[] = {
  /* Words of the articles "Shaders, Uniforms, and Varyings" and "VPM", with non-zero
   * multiplexers of an idle ALU. */
        {UINT64_C(0x1002002715c27df7),                     "# unused mul_b mux is 7 where the assembler writes 0, "
                                       "unused mul_a mux is 6 where the assembler writes 0; "
                                       "nearest: or ra0, vpm, rb39;"          },
        {UINT64_C(0x11024821213e3177),                     "# unused pm is 1 where the assembler writes 0; nearest: "
                                       "fadd r0, r0, r5; fmul r1, ra15, vary;"},
        {UINT64_C(0x100049e01900f000) | UINT64_C(1) << 49, "op_add is 25, which is reserved"                        },
        {UINT64_C(0xf0c809e700000000),                     "cond_br is 12, which is reserved"                       },
        {UINT64_C(0xf1f809e700000000),                     "unused is 1, which is reserved"                         },
        {UINT64_C(0xe40009e700000000),                     "unpack is 2, which is reserved"                         },
        {UINT64_C(0x1182482120000000),                     "pack is 8, which is reserved"                           },
    };
    const struct tess_dis_range all = {0, 8, false};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t bytes[8];
        store_le64(bytes, cases[i].word);
        char *text = disassemble(
            bytes, 8,
            &(struct tess_dis_options){.input = TESS_DIS_RAW, .ranges = &all, .range_count = 1});
        if (strncmp(text, ".int 0x", 7) != 0 || !strstr(text, cases[i].reason))
            fail_msg("'%s' lacks '%s'", text, cases[i].reason);
        expect_assembles(text, bytes, 8);
        tess_free(text);
    }
}

/* Words as other assemblers encode them. The fields were set by hand from the manual's figures 4
 * and 5. */
TEST(test_exact)
{
    static const struct {
        uint64_t word;
        const char *line;
    } cases[] = {
  /* Loads of VPM setups in the JayStation articles. Their mul half writes to no register under
   * the condition always (cond_mul 1). */
        {UINT64_C(0xe0024c671a341ac0), "ldi.exact vr_setup, 0x1a341ac0 "   },
        {UINT64_C(0xe0025c6717bc1ac0), "ldi.exact vw_setup, 0x17bc1ac0 "   },
        {UINT64_C(0xe0020c671a341ac0), "ldi vr_setup, 0x1a341ac0 "         },
 /* Loads to a nop target with cond_add 1, and with cond_mul 0. */
        {UINT64_C(0xe00009e700000005), "ldi -, 5 "                         },
        {UINT64_C(0xe00209e700000005), "ldi.exact -, -.never, 5 "          },
        {UINT64_C(0xe00249e700000005), "ldi.exact -, 5 "                   },
        {UINT64_C(0xe00049e700000005), "ldi.exact -.never, 5 "             },
 /* or x, imm, imm: both inputs of the add ALU are small immediate 5 on port B, and read port A
  * is idle */
        {UINT64_C(0xd0020c27159c5fc0), "mov.exact vpm, 5 "                 },
        {UINT64_C(0xd0020827149c5fc0), "and.exact r0, 5, 5 "               },
 /* an addition to the nop register with the condition always */
        {UINT64_C(0x100209e7019e7040), "fadd.exact -, r0, r1 "             },
 /* a nop in the mul ALU with the condition always */
        {UINT64_C(0x10024827019e7040), "fadd.exact r0, r0, r1; mnop.exact "},
    };
    const struct tess_dis_range all = {0, 8, false};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t bytes[8];
        store_le64(bytes, cases[i].word);
        char *text = disassemble(
            bytes, 8,
            &(struct tess_dis_options){.input = TESS_DIS_RAW, .ranges = &all, .range_count = 1});
        if (strncmp(text, cases[i].line, strlen(cases[i].line)) != 0)
            fail_msg("'%s' is not '%s'", text, cases[i].line);
        expect_assembles(text, bytes, 8);
        tess_free(text);
    }
}

TEST(test_detected_data)
{
    size_t size;
    uint8_t *bytes = assemble("nop; thrend\nnop\nnop\n.int 1, 2, 3, 0x44434241\nnop\nnop; "
                              "thrend\nnop\nnop\n.byte 1, 2, 3",
                              TESS_ASM_BIN, &size);
    char *text = disassemble(bytes, size, &(struct tess_dis_options){.input = TESS_DIS_RAW});
    assert_non_null(strstr(text, "\n.int 0x00000001, 0x00000002 "));
    assert_non_null(strstr(text, "\n.byte 0x03 "));
    assert_non_null(strstr(text, "\nnop; thrend "));
    expect_assembles(text, bytes, size);
    tess_free(text);
    tess_free(bytes);
}

TEST(test_ranges)
{
    size_t size;
    uint8_t *bytes = assemble(loop, TESS_ASM_BIN, &size);
    const struct tess_dis_range ranges[] = {
        {0,    0x20, true },
        {0x10, 0x18, false},
        {0x1c, 0x1d, true }
    };
    char *text = disassemble(
        bytes, size,
        &(struct tess_dis_options){.input = TESS_DIS_RAW, .ranges = ranges, .range_count = 3});
    assert_int_equal(strncmp(text, ":L_0000\n.int 0x009e7000, 0x100009e7 ", 36), 0);
    assert_non_null(
        strstr(text, "\nnop                                                      # 00000010: "));
    assert_non_null(strstr(
        text, "\n.int 0x009e7000, 0x100009e7                              # 00000018: data"));
    expect_assembles(text, bytes, size);
    tess_free(text);
    /* A range whose end is before its start is empty. */
    const struct tess_dis_range reversed = {0x20, 0x10, true};
    text = disassemble(
        bytes, size,
        &(struct tess_dis_options){.input = TESS_DIS_RAW, .ranges = &reversed, .range_count = 1});
    assert_null(strstr(text, ".int"));
    tess_free(text);
    tess_free(bytes);
}

/* A scene with several code regions, symbols, and data between the regions. */
TEST(test_scene)
{
    const char source[] = ".org 0x40000100\n::main\nbrr -, "
                          "r:ra0_not\nnop\nnop\nnop\n:ra0_not\nnop; thrend\nnop\nnop\n"
                          ":values\n.float 1.5, 2.5, 0, 0\n.byte 7\n.org "
                          "0x40001000\n:other\n.ascii \"hello\"\n:end\n.byte 0";
    const struct tess_asm_options options = {.format = TESS_ASM_ELF};
    size_t size, again_size;
    uint8_t *elf = assemble(source, TESS_ASM_ELF, &size), *again;
    char *text = disassemble(elf, size, &(struct tess_dis_options){0});
    assert_int_equal(strncmp(text, ".org 0x40000100\n::main\nbrr -, r:ra0_not ", 40), 0);
    assert_non_null(strstr(text, "\n:values\n.int 0x3fc00000, 0x40200000 "));
    assert_non_null(strstr(text, "\n.org 0x40001000\n:other\n"));
    assert_non_null(strstr(text, "\n:end\n.byte 0x00 "));
    assert_int_equal(
        tess_assemble_text(text, strlen(text), "x", &options, deaf, &again, &again_size), TESS_OK);
    /* Compares the program headers and the contents of the segments. Line tables and symbols may
     * differ. */
    size_t headers = 52, count = load_le16(elf + 44), loaded = headers + 32 * count;
    for (size_t i = 0; i < count; i++)
        loaded += load_le32(elf + headers + 32 * i + 16);
    assert_true(count == 2 && again_size > loaded && size > loaded);
    assert_memory_equal(again + headers, elf + headers, loaded - headers);
    tess_free(text);
    tess_free(again);
    tess_free(elf);
}

/* Reserved space, constants and steps must be preserved: the disassembly of the reassembled file
 * must be the same text. */
TEST(test_whole_scene)
{
    const char source[] =
        ".set WIDTH, 640\n.org 0x1000\n:main\nnop; thrend\nnop\nnop\n:buffer\n"
        ".space 12\n:middle\n.space 20\n:behind\n.org 0x2000\n::alone\n.space 64\n"
        ".org 0x3000\n:last\n.int 5\n.scene qpu main WIDTH\n.scene dump buffer 8 u32 -\n";
    static const char *const parts[] = {
        ".set WIDTH, 0x00000280\n.org 0x00001000\n:main\nnop; thrend ",
        "\n:buffer\n.space 0xc ",
        "\n:middle\n.space 0x14 ",
        "\n:behind\n.org 0x00002000\n::alone\n.space 0x40 ",
        "\n.org 0x00003000\n:last\n.int 0x00000005 ",
        "\n.scene qpu main WIDTH\n.scene dump buffer 8 u32 -\n",
    };
    size_t size, again_size;
    uint8_t *elf = assemble(source, TESS_ASM_ELF, &size);
    char *text = disassemble(elf, size, &(struct tess_dis_options){0});
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!strstr(text, parts[i]))
            fail_msg("'%s' lacks '%s'", text, parts[i]);
    uint8_t *again = assemble(text, TESS_ASM_ELF, &again_size);
    char *text_again = disassemble(again, again_size, &(struct tess_dis_options){0});
    assert_string_equal(text, text_again);
    tess_free(text_again);
    tess_free(again);
    tess_free(text);
    text = disassemble(elf, size, &(struct tess_dis_options){.output = TESS_DIS_JSON});
    assert_non_null(strstr(text, "\"kind\": \"space\""));
    assert_non_null(strstr(text, "\"qpu main WIDTH\",\n"));
    tess_free(text);
    tess_free(elf);
}

/* A mistake in a control list that names an address does not affect the listing. */
TEST(test_scene_with_mistake)
{
    const char source[] = ".org 0x1000\n:list\ncl.tile_binning_mode allocation_address=tiles, "
                          "allocation_size=0x1000, state_address=tiles + 32, width=2, height=1, "
                          "auto_initialise\ncl.start_tile_binning\ncl.flush\n:end\n"
                          ".org 0x2000\n:tiles\n.space 0x2000\n.scene bin list end\n";
    size_t size;
    uint8_t *elf = assemble(source, TESS_ASM_ELF, &size);
    char *text = disassemble(elf, size, &(struct tess_dis_options){0});
    assert_non_null(strstr(text, ".scene bin list end\n"));
    tess_free(text);
    tess_free(elf);
}

/* The reader's name for the source is "x". */
TEST(test_lines)
{
    const char source[] = ":main\nnop\n\nnop; thrend\nnop\nnop\n.data\n.int 1, 2, 3, 4\n.int 5\n";
    size_t size;
    for (enum tess_asm_format format = TESS_ASM_ELF; format;
         format = format == TESS_ASM_ELF ? TESS_ASM_OBJECT : TESS_ASM_BIN) {
        uint8_t *elf = assemble(source, format, &size);
        char *text = disassemble(elf, size, &(struct tess_dis_options){.lines = true, .base = 64});
        assert_non_null(strstr(text, ":main\n# x:2\nnop "));
        assert_non_null(strstr(text, "\n# x:4\nnop; thrend "));
        assert_non_null(strstr(text, "\n# x:8\n.int 0x00000001, 0x00000002 "));
        assert_non_null(strstr(text, "\n# x:9\n.int 0x00000005 "));
        tess_free(text);
        text = disassemble(elf, size, &(struct tess_dis_options){.output = TESS_DIS_JSON});
        assert_non_null(strstr(text, "\"file\": \"x\",\n    \"line\": 8}"));
        tess_free(text);
        tess_free(elf);
    }
}

TEST(test_text_forms)
{
    size_t size, bin_size;
    uint8_t *bin = assemble(loop, TESS_ASM_BIN, &bin_size);
    for (enum tess_asm_format format = TESS_ASM_HEX; format <= TESS_ASM_C; format++) {
        uint8_t *file = assemble(loop, format, &size);
        char *text = disassemble(file, size, &(struct tess_dis_options){0});
        expect_assembles(text, bin, bin_size);
        tess_free(text);
        tess_free(file);
    }
    tess_free(bin);
}

TEST(test_symbols_that_are_no_names)
{
    const char file[] = "uint64_t ra0[] = {0x100009e7009e7000}, r0[] = {0x100009e7009e7000}, r0[] "
                        "= {0x100009e7009e7000};";
    uint8_t bytes[24];
    for (size_t i = 0; i < 3; i++)
        store_le64(bytes + 8 * i, UINT64_C(0x100009e7009e7000));
    char *text = disassemble(file, strlen(file), &(struct tess_dis_options){0});
    assert_non_null(strstr(text, "::_ra0\n"));
    assert_non_null(strstr(text, "::_r0\n"));
    assert_non_null(strstr(text, "::_r0_0010\n"));
    expect_assembles(text, bytes, 24);
    tess_free(text);
}

TEST(test_explain)
{
    const char file[] = "0x203e303e, 0x100049e0";
    char *text = disassemble(file, strlen(file),
                             &(struct tess_dis_options){.output = TESS_DIS_EXPLAIN});
    assert_int_equal(strncmp(text, "nop; fmul r0, vary, ra15 ", 25), 0);
    assert_non_null(strstr(text, "m_mul_b "));
    assert_non_null(
        strstr(text, "mul pipe: Floating point multiply, ACC0, VARYING_READ, R15, cond: always\n"));
    tess_free(text);
    text = disassemble("0x15c27df7, 0x10020027", 22,
                       &(struct tess_dis_options){.output = TESS_DIS_NEAREST});
    assert_int_equal(strncmp(text, "or ra0, vpm, rb39 ", 18), 0);
    tess_free(text);
}

TEST(test_json)
{
    const char file[] = "0x15c27df7, 0x10020027, 0xffffffe0, 0xf0f809e7";
    char *text = disassemble(file, strlen(file),
                             &(struct tess_dis_options){.output = TESS_DIS_JSON});
    static const char *const parts[] = {
        "\"machine\": \"qpu\"",
        "\"input\": \"hex\"",
        "\"kind\": \"instruction\"",
        "\"text\": \"or ra0, vpm, rb39\"",
        "\"reassembles\": false",
        "\"field\": \"mul_b\"",
        "\"text\": \"brr -, r:L_0008\"",
        "\"reassembles\": true",
        "\"label\": \"L_0008\"",
        "\"vpm\"",
        "\"ra0\"",
        "\"meaning\": \"add ALU does or\"",
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!strstr(text, parts[i]))
            fail_msg("'%s' lacks '%s'", text, parts[i]);
    tess_free(text);
}

TEST(test_misuse)
{
    char *text = NULL;
    size_t size = 0;
    struct tess_dis_options options = {0};
    assert_int_equal(tess_disassemble(NULL, 0, &options, deaf, &text, &size), TESS_INVALID);
    assert_int_equal(tess_disassemble("", 0, NULL, deaf, &text, &size), TESS_INVALID);
    assert_int_equal(tess_disassemble("", 0, &options, deaf, NULL, &size), TESS_INVALID);
    options.range_count = 1;
    assert_int_equal(tess_disassemble("", 0, &options, deaf, &text, &size), TESS_INVALID);
    options = (struct tess_dis_options){.input = 99};
    assert_int_equal(tess_disassemble("", 0, &options, deaf, &text, &size), TESS_INVALID);
    options = (struct tess_dis_options){0};
    assert_int_equal(tess_disassemble("hello", 5, &options, deaf, &text, &size), TESS_BAD_INPUT);
    assert_null(text);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        random_words = strtoul(argv[1], NULL, 10);
    return tests_run();
}
