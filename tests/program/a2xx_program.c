/* SPDX-License-Identifier: MIT */
/* a2xx_program.c - tests reading of programs for the A2xx: their fetches, exports, textures and
 * interfaces.
 *
 * The words are those of docs/hardware/a2xx.md, section 19: the first listing of freedreno's wiki,
 * and instructions of its lighting shader. The lines of section ".tessera" follow
 * src/isa/a2xx/interface.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include <tessera/a2xx.h>

#include "../register.h"
#include "isa/a2xx/a2xx_isa.h"
#include "isa/a2xx/facts.h"
#include "isa/interface_read.h"
#include "program/a2xx_program.h"

struct heard {
    unsigned count;
    uint32_t line, column;
    char rule[32], text[200];
};

static struct heard heard;

static void hear(void *user, const struct tess_finding *diag)
{
    struct heard *to = user;
    to->count++;
    to->line = diag->line;
    to->column = diag->column;
    snprintf(to->rule, sizeof to->rule, "%s", diag->id);
    snprintf(to->text, sizeof to->text, "%s", diag->text);
}

static const struct tess_sink sink = {hear, &heard};
static struct tess_a2xx_program *program;

/* The wiki's first listing. It has five control-flow instructions, one of padding, a fetch, and
 * an export. */
static const uint32_t first[] = {0x00031003, 0x00001000, 0xc2000000, 0x00001004, 0x00001000,
                                 0xc4000000, 0x00000005, 0x00002000, 0x00000000, 0x08a81000,
                                 0x00392a88, 0x0000000c, 0x140f803e, 0x00000000, 0xe2010100};

enum { FIRST_SLOTS = sizeof first / sizeof first[0] / 3 };

static void read_words(const uint32_t *words, size_t slots, enum tess_a2xx_variant variant)
{
    tess_a2xx_program_free(program);
    assert_int_equal(tess_a2xx_program_words(words, slots, variant, &program), TESS_OK);
}

TEST(test_first_listing)
{
    size_t slots;
    read_words(first, FIRST_SLOTS, TESS_A2XX_ADRENO);
    assert_memory_equal(tess_a2xx_program_code(program, &slots), first, sizeof first);
    assert_int_equal(slots, FIRST_SLOTS);
    assert_int_equal(program->cf_slots, 3);
    const uint8_t kinds[] = {A2XX_SLOT_CONTROL, A2XX_SLOT_CONTROL, A2XX_SLOT_CONTROL,
                             A2XX_SLOT_FETCH, A2XX_SLOT_ALU};
    assert_memory_equal(program->kinds, kinds, sizeof kinds);
    /* VERTEX R1.xyz1 = R0.x FMT_32_32_32_FLOAT UNSIGNED STRIDE(12) CONST(10) */
    const struct tess_a2xx_vertex_fetch *fetch = tess_a2xx_program_fetch(program, 0);
    assert_non_null(fetch);
    assert_int_equal(fetch->slot, 3);
    assert_int_equal(fetch->constant, 30);
    assert_int_equal(fetch->format, 57);
    assert_int_equal(fetch->stride, 12);
    assert_int_equal(fetch->offset, 0);
    assert_int_equal(fetch->reg, 1);
    assert_int_equal(fetch->components, 3);
    assert_false(fetch->is_signed);
    assert_false(fetch->normalized);
    assert_null(fetch->name);
    assert_null(tess_a2xx_program_fetch(program, 1));
    assert_int_equal(tess_a2xx_program_exports(program, TESS_A2XX_POSITION), 15);
    for (uint32_t i = 0; i < TESS_A2XX_EXPORTS; i++)
        assert_true(i == TESS_A2XX_POSITION || !tess_a2xx_program_exports(program, i));
    assert_int_equal(tess_a2xx_program_textures(program), 0);
    assert_int_equal(tess_a2xx_program_stage(program), TESS_A2XX_VERTEX);
    assert_false(tess_a2xx_program_kills(program));
    assert_null(tess_a2xx_program_symbol(program, 0));
}

/* On the Xenos strides and offsets are in dwords, and bit 30 is the sign of the offset
 * (docs/hardware/a2xx.md, sections 14 and 26). */
TEST(test_xenos)
{
    uint32_t words[sizeof first / sizeof first[0]];
    memcpy(words, first, sizeof first);
    words[11] = UINT32_C(0x7fffff) << 8 | 3;
    read_words(words, FIRST_SLOTS, TESS_A2XX_XENOS);
    assert_int_equal(tess_a2xx_program_fetch(program, 0)->stride, 12);
    assert_int_equal(tess_a2xx_program_fetch(program, 0)->offset, -4);
    read_words(words, FIRST_SLOTS, TESS_A2XX_ADRENO);
    assert_int_equal(tess_a2xx_program_fetch(program, 0)->stride, 3);
    assert_int_equal(tess_a2xx_program_fetch(program, 0)->offset, 0x3fffff);
}

/* Reads a program that consists of EXEC_END and one ALU instruction. The slot's second control-
 * flow instruction is a NOP. */
static void read_one(const uint32_t alu[3])
{
    const uint32_t words[] = {0x00001001, 0x00002000, 0, alu[0], alu[1], alu[2]};
    read_words(words, 2, TESS_A2XX_ADRENO);
}

TEST(test_exports)
{
    /* MULv export0.xyz_ and MAXs export0.___w: the exported components are those in either mask. */
    read_one((const uint32_t[3]){0x14878000, 0x00002c40, 0xc101000c});
    assert_int_equal(tess_a2xx_program_exports(program, 0), 15);
    assert_int_equal(tess_a2xx_program_exports(program, 1), 0);
    assert_int_equal(tess_a2xx_program_stage(program), TESS_A2XX_PIXEL);
    /* The scalar mask is 0. Then bit 14 is set too, which writes 0 to the components outside of
     * the masks. */
    read_one((const uint32_t[3]){0x14078000, 0x00002c40, 0xc101000c});
    assert_int_equal(tess_a2xx_program_exports(program, 0), 7);
    read_one((const uint32_t[3]){0x1407c000, 0x00002c40, 0xc101000c});
    assert_int_equal(tess_a2xx_program_exports(program, 0), 15);
    /* Bit 6 makes the export number relative. export0 + aL can be any parameter, but not the
     * position. */
    read_one((const uint32_t[3]){0x14078040, 0x00002c40, 0xc101000c});
    assert_int_equal(tess_a2xx_program_exports(program, 15), 7);
    assert_int_equal(tess_a2xx_program_exports(program, 62), 0);
    /* The export flag is clear, so the destination is register 0. */
    read_one((const uint32_t[3]){0x14870000, 0x00002c40, 0xc101000c});
    assert_int_equal(tess_a2xx_program_exports(program, 0), 0);
}

/* Vector operations 24 to 27 and scalar operations 35 to 39 kill (docs/hardware/a2xx.md, sections 7
 * and 8). */
TEST(test_kills)
{
    for (uint32_t op = 0; op < 32; op++) {
        read_one((const uint32_t[3]){0x140f0000, 0, 0xe0000000 | op << 24});
        assert_int_equal(tess_a2xx_program_kills(program), op >= 24 && op <= 27);
    }
    for (uint32_t op = 0; op < 64; op++) {
        read_one((const uint32_t[3]){0x000f0000 | op << 26, 0, 0xe2000000});
        assert_int_equal(tess_a2xx_program_kills(program), op >= 35 && op <= 39);
    }
}

/* SAMPLE with CONST(5) is a texture access. SET_TEX_LOD with CONST(6) is not, because it samples
 * nothing. */
TEST(test_textures)
{
    const uint32_t words[] = {0x00052001, 0x00002000, 0,          0x00500001, 0x00000688,
                              0,          0x00600018, 0x00000688, 0};
    read_words(words, 3, TESS_A2XX_ADRENO);
    assert_int_equal(tess_a2xx_program_textures(program), 1 << 5);
}

TEST(test_words)
{
    struct tess_a2xx_program *other = program;
    assert_int_equal(tess_a2xx_program_words(NULL, 1, TESS_A2XX_ADRENO, &other), TESS_INVALID);
    assert_null(other);
    assert_int_equal(tess_a2xx_program_words(first, 0, TESS_A2XX_ADRENO, &other), TESS_INVALID);
    assert_int_equal(tess_a2xx_program_words(first, 4097, TESS_A2XX_ADRENO, &other), TESS_INVALID);
    assert_int_equal(tess_a2xx_program_words(first, 1, TESS_A2XX_ADRENO, NULL), TESS_INVALID);
    assert_null(tess_a2xx_program_code(NULL, NULL));
    assert_null(tess_a2xx_program_fetch(NULL, 0));
    assert_int_equal(tess_a2xx_program_exports(NULL, 0), 0);
    assert_int_equal(tess_a2xx_program_text(NULL, 0, NULL, 0), 0);
    tess_a2xx_program_free(NULL);
}

/* The text must contain the operation, with any spacing. A control-flow slot has two lines. */
TEST(test_text)
{
    char text[200], cut[5];
    read_words(first, FIRST_SLOTS, TESS_A2XX_ADRENO);
    assert_true(tess_a2xx_program_text(program, 0, text, sizeof text) == strlen(text));
    assert_true(tess_a2xx_program_text(program, 0, NULL, sizeof text) == strlen(text));
    assert_non_null(strstr(text, "EXEC"));
    assert_non_null(strstr(text, "\nALLOC POSITION"));
    tess_a2xx_program_text(program, 3, text, sizeof text);
    assert_non_null(strstr(text, "VERTEX"));
    size_t length = tess_a2xx_program_text(program, 4, text, sizeof text);
    assert_non_null(strstr(text, "MAXv"));
    assert_int_equal(tess_a2xx_program_text(program, 4, cut, sizeof cut), length);
    assert_memory_equal(cut, text, 4);
    assert_int_equal(cut[4], 0);
    assert_int_equal(tess_a2xx_program_text(program, 5, text, sizeof text), 0);
}

/* A program that does not come from a file has no lines. */
TEST(test_lines)
{
    const char *file = "";
    uint32_t line = 7;
    read_words(first, FIRST_SLOTS, TESS_A2XX_ADRENO);
    tess_a2xx_program_line(program, 3, 0, &file, &line);
    assert_null(file);
    assert_int_equal(line, 0);
}

/* --- interfaces --- */

static struct interface_lines interface;

static enum tess_status read_interface(const char *text)
{
    interface_free(&interface);
    heard = (struct heard){0};
    return interface_read(&interface, &a2xx_interface, text, strlen(text), "file", sink);
}

static void expect_symbol(size_t index, enum tess_a2xx_kind kind, const char *name, uint32_t number,
                          uint32_t count)
{
    assert_true(index < interface.count);
    const struct tess_a2xx_symbol *symbols = interface.symbols, *symbol = &symbols[index];
    assert_int_equal(symbol->kind, kind);
    assert_string_equal(symbol->name, name);
    assert_int_equal(symbol->number, number);
    assert_int_equal(symbol->count, count);
}

TEST(test_interface)
{
    assert_int_equal(read_interface("attribute in_position 2 1\n"
                                    "attribute matrix 60 4\n"
                                    "varying vVaryingColor 0 1\n"
                                    "uniform mvp 4 4\n"
                                    "uniform last 255 1\n"
                                    "sampler picture 31\n"
                                    "constant 11 0x40000000 0x40000000 0x41a00000 0x0\n"
                                    "bool 255 1\n"
                                    "loop 31 255 3 -128\n"),
                     TESS_OK);
    assert_int_equal(heard.count, 0);
    assert_int_equal(interface.count, 9);
    expect_symbol(0, TESS_A2XX_ATTRIBUTE, "in_position", 2, 1);
    expect_symbol(1, TESS_A2XX_ATTRIBUTE, "matrix", 60, 4);
    expect_symbol(2, TESS_A2XX_VARYING, "vVaryingColor", 0, 1);
    expect_symbol(3, TESS_A2XX_UNIFORM, "mvp", 4, 4);
    expect_symbol(4, TESS_A2XX_UNIFORM, "last", 255, 1);
    expect_symbol(5, TESS_A2XX_SAMPLER, "picture", 31, 1);
    expect_symbol(6, TESS_A2XX_CONST, "", 11, 1);
    /* The light source of the wiki's lighting shader is 2, 2, 20, 0. */
    const float light[4] = {2, 2, 20, 0}, loop[4] = {255, 3, -128, 0};
    const struct tess_a2xx_symbol *symbols = interface.symbols;
    assert_memory_equal(symbols[6].values, light, sizeof light);
    expect_symbol(7, TESS_A2XX_BOOL, "", 255, 1);
    assert_true(symbols[7].values[0] == 1);
    expect_symbol(8, TESS_A2XX_LOOP, "", 31, 1);
    assert_memory_equal(symbols[8].values, loop, sizeof loop);
}

TEST(test_interface_mistakes)
{
    static const struct {
        const char *line;
        uint32_t column;
        const char *says;
    } rows[] = {
        /* clang-format off */
        /* clang-format off */
        {"temporary t 0 1",              1,  "unknown interface entry"},
        {"attribute a 64 1",             13, "0 to 63"},
        {"attribute a 62 3",             16, "1 to 2"},
        {"varying v 0 0",                13, "1 to 64"},
        {"uniform u 256 1",              11, "0 to 255"},
        {"uniform u 0",                  1,  "has 4 words, not 3"},
        {"sampler s 32",                 11, "0 to 31"},
        {"sampler s 0 1",                1,  "has 3 words, not 4"},
        {"constant 256 0x0 0x0 0x0 0x0", 10, "0 to 255"},
        {"constant 0 0x0 0x0 0x0 1",     24, "32-bit word"},
        {"constant 1 0x0 0x0 0x0 0x0",   10, "duplicate constant '1'"},
        {"bool 256 1",                   6,  "0 to 255"},
        {"bool 0 2",                     8,  "0 to 1"},
        {"loop 32 1 0 1",                6,  "0 to 31"},
        {"loop 0 256 0 1",               8,  "0 to 255"},
        {"loop 0 1 -1 1",                10, "0 to 255"},
        {"loop 0 1 0 128",               12, "-128 to 127"},
        {"loop 0 1 0",                   1,  "has 5 words, not 4"},
        /* clang-format on */
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[100];
        snprintf(text, sizeof text, "constant 1 0x0 0x0 0x0 0x0\n%s\n", rows[i].line);
        assert_int_equal(read_interface(text), TESS_BAD_INPUT);
        assert_int_equal(heard.count, 1);
        assert_string_equal(heard.rule, "a2xx-interface");
        assert_non_null(strstr(heard.text, rows[i].says));
        assert_int_equal(heard.line, 2);
        assert_int_equal(heard.column, rows[i].column);
    }
}

/* --- files --- */

static enum tess_status read_bytes(const void *bytes, size_t size)
{
    tess_a2xx_program_free(program);
    heard = (struct heard){0};
    return tess_a2xx_program_read(bytes, size, "file", NULL, sink, &program);
}

/* Reads little-endian words, and the same words as text. */
TEST(test_machine_code)
{
    uint8_t bytes[sizeof first];
    char text[600] = "";
    for (size_t i = 0; i < sizeof first / 4; i++) {
        for (unsigned k = 0; k < 4; k++)
            bytes[4 * i + k] = (uint8_t)(first[i] >> 8 * k);
        snprintf(text + strlen(text), sizeof text - strlen(text), "0x%08x\n", (unsigned)first[i]);
    }
    assert_int_equal(read_bytes(bytes, sizeof bytes), TESS_OK);
    assert_memory_equal(tess_a2xx_program_code(program, NULL), first, sizeof first);
    assert_int_equal(read_bytes(text, strlen(text)), TESS_OK);
    assert_memory_equal(tess_a2xx_program_code(program, NULL), first, sizeof first);
    assert_int_equal(read_bytes(bytes, sizeof bytes - 4), TESS_BAD_INPUT);
    assert_null(program);
    assert_string_equal(heard.rule, "a2xx-program-size");
    assert_int_equal(tess_a2xx_program_read(NULL, 1, NULL, NULL, sink, &program), TESS_INVALID);
}

/* Reads a source in the wiki's notation. */
TEST(test_source)
{
    static const char source[] =
        "@attribute(R1) in_position\n@const(C3) 1.0, 2.0, 3.0, 4.0\n@loop(2) 5, 1, 2\n"
        "EXEC\n (S)FETCH: VERTEX R1.xyz1 = R0.x FMT_32_32_32_FLOAT UNSIGNED STRIDE(12) CONST(10)\n"
        "ALLOC COORD SIZE(0x0)\nEXEC\n ALU: MAXv export62 = R1, R1 ; gl_Position\n"
        "ALLOC PARAM/PIXEL SIZE(0x0)\nEXEC_END\n";
    const float values[4] = {1, 2, 3, 4};
    const char *file;
    uint32_t line;
    assert_int_equal(read_bytes(source, sizeof source - 1), TESS_OK);
    assert_memory_equal(tess_a2xx_program_code(program, NULL), first, sizeof first);
    assert_string_equal(tess_a2xx_program_fetch(program, 0)->name, "in_position");
    assert_memory_equal(tess_a2xx_program_symbol(program, 1)->values, values, sizeof values);
    assert_true(tess_a2xx_program_symbol(program, 2)->values[0] == 5);
    tess_a2xx_program_line(program, 3, 0, &file, &line);
    assert_string_equal(file, "file");
    assert_int_equal(line, 5);
    tess_a2xx_program_line(program, 4, 0, &file, &line);
    assert_int_equal(line, 8);
    for (uint32_t half = 0; half < 2; half++) { /* words of EXEC and ALLOC */
        tess_a2xx_program_line(program, 0, half, NULL, &line);
        assert_int_equal(line, half ? 6 : 4);
    }
    assert_int_equal(read_bytes("EXEC\n ALU: FOOv R0 = R1, R1\n", 28), TESS_WRONG);
    assert_null(program);
}

static int end(void **state)
{
    (void)state;
    tess_a2xx_program_free(program);
    interface_free(&interface);
    return 0;
}

TEST_GROUP(NULL, end)
