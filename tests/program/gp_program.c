/* SPDX-License-Identifier: MIT */
/* gp_program.c - tests reading of GP programs from files. ELF files are built by hand here,
 * field by field of the ELF specification. The lines of section ".tessera" follow
 * src/isa/gp/interface.c. Formats and their codes are those of docs/hardware/utgard.md, section
 * 15. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/utgard.h>

#include "../register.h"
#include "base/bits.h"
#include "base/buffer.h"

struct heard {
    unsigned count;
    uint32_t line, column;
    char rule[32], text[200], file[32];
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
    snprintf(to->file, sizeof to->file, "%s", diag->file);
}

static struct tess_gp_program *program;

static enum tess_status read_bytes(const void *bytes, size_t size)
{
    tess_gp_program_free(program);
    heard = (struct heard){0};
    return tess_gp_program_read(bytes, size, "file", NULL, (struct tess_sink){hear, &heard},
                                &program);
}

static void expect_refusal(const char *rule, const char *says)
{
    assert_null(program);
    assert_int_equal(heard.count, 1);
    assert_string_equal(heard.rule, rule);
    assert_non_null(strstr(heard.text, says));
}

/* The words of an idle instruction, and of the first instruction in docs/hardware/utgard.md,
 * section 13. */
static const uint32_t nop[4] = {0xad4ad6b5, 0x038002b5, 0x0007ff80, 0x000ad500};
static const uint32_t mov[4] = {0xb00b0ec2, 0x43802ac1, 0x40034400, 0x000ad508};

static void expect_code(size_t instructions)
{
    size_t found;
    const uint32_t *words = tess_gp_program_code(program, &found);
    assert_int_equal(found, instructions);
    for (size_t i = 0; i < instructions; i++)
        assert_memory_equal(words + 4 * i, i % 2 ? mov : nop, sizeof nop);
}

/* Returns the words of a program that alternates between nop and mov. */
static uint8_t *bare_words(size_t instructions)
{
    uint8_t *bytes = malloc(instructions * 16 + 16);
    assert_non_null(bytes);
    for (size_t i = 0; i < instructions * 4; i++)
        store_le32(bytes + 4 * i, (i / 4 % 2 ? mov : nop)[i % 4]);
    return bytes;
}

/* --- forms --- */

static int tear_down(void **state);

TEST_WITH(test_raw, NULL, tear_down)
{
    uint8_t *bytes = bare_words(513);
    const char *file = "?";
    uint32_t line = 1;
    assert_int_equal(read_bytes(bytes, 512 * 16), TESS_OK);
    expect_code(512);
    assert_null(tess_gp_program_symbol(program, 0));
    assert_null(tess_gp_program_label(program, 0));
    tess_gp_program_line(program, 0, &file, &line);
    assert_null(file);
    assert_int_equal(line, 0);
    assert_int_equal(read_bytes(bytes, 513 * 16), TESS_BAD_INPUT);
    expect_refusal("gp-program-size", "513 instructions");
    for (size_t size = 1; size < 16; size++) {
        assert_int_equal(read_bytes(bytes, 16 + size), TESS_BAD_INPUT);
        expect_refusal("gp-program-size", "not a whole number");
    }
    free(bytes);
}

TEST_WITH(test_text, NULL, tear_down)
{
    static const char hex[] = "0xad4ad6b5, 0x038002b5, 0x0007ff80, 0x000ad500\n"
                              "b00b0ec2 43802ac1 40034400 000ad508\n";
    static const char c[] = "static const uint32_t p[] = { // a program\n"
                            "    0xad4ad6b5, 0x038002b5, 0x0007ff80, 0x000ad500,\n"
                            "    0xb00b0ec2, 0x43802ac1, 0x40034400, 0x000ad508};\n";
    assert_int_equal(read_bytes(hex, sizeof hex - 1), TESS_OK);
    expect_code(2);
    assert_int_equal(read_bytes(c, sizeof c - 1), TESS_OK);
    expect_code(2);
}

/* Tests names, labels and lines of a source. Its first instruction is that of
 * docs/hardware/utgard.md, section 13. */
TEST_WITH(test_source, NULL, tear_down)
{
    static const char source[] = ".attribute position, 0\n"
                                 ".varying gl_Position, 0\n"
                                 ".uniform mvp, 4\n"
                                 ".constant one, 1\n"
                                 "main:\n"
                                 "    load.attr position; acc0.mov attr.x; acc1.mov attr.y\n"
                                 "    ; mul0.mov attr.z; mul1.mov attr.w\n"
                                 "    ; store0.varying gl_Position, acc0, acc1\n"
                                 "    ; store1.varying gl_Position, mul0, mul1\n"
                                 "end:\n"
                                 "    nop\n";
    char text[400];
    const char *file;
    uint32_t line;
    assert_int_equal(read_bytes(source, sizeof source - 1), TESS_OK);
    size_t count;
    const uint32_t *words = tess_gp_program_code(program, &count);
    assert_int_equal(count, 2);
    assert_memory_equal(words, mov, sizeof mov);
    assert_memory_equal(words + 4, nop, sizeof nop);
    assert_int_equal(tess_gp_program_find(program, TESS_GP_UNIFORM, "mvp")->count, 4);
    assert_int_equal(tess_gp_program_find(program, TESS_GP_CONSTANT, "one")->number, 4);
    assert_string_equal(tess_gp_program_label(program, 1), "end");
    tess_gp_program_line(program, 0, &file, &line);
    assert_string_equal(file, "file");
    assert_int_equal(line, 6);
    tess_gp_program_line(program, 1, NULL, &line);
    assert_int_equal(line, 11);
    assert_int_equal(tess_gp_program_text(program, 1, text, sizeof text), 3);
    assert_string_equal(text, "nop");
    assert_int_equal(tess_gp_program_text(program, 1, text, 3), 3);
    assert_string_equal(text, "no");
    assert_int_equal(tess_gp_program_text(program, 2, text, sizeof text), 0);
    assert_int_equal(read_bytes(source, 20), TESS_WRONG);
    assert_null(program);
    assert_int_equal(read_bytes("# nothing\n", 10), TESS_BAD_INPUT);
    expect_refusal("gp-program-empty", "no instructions");
}

TEST_WITH(test_words, NULL, tear_down)
{
    uint32_t words[8];
    memcpy(words, nop, sizeof nop);
    memcpy(words + 4, mov, sizeof mov);
    tess_gp_program_free(program);
    assert_int_equal(tess_gp_program_words(words, 2, &program), TESS_OK);
    memset(words, 0, sizeof words); /* the program must have a copy of the words */
    expect_code(2);
    tess_gp_program_free(program);
    assert_int_equal(tess_gp_program_words(words, 0, &program), TESS_INVALID);
    assert_null(program);
    assert_int_equal(tess_gp_program_words(words, 513, &program), TESS_INVALID);
    assert_int_equal(tess_gp_program_words(NULL, 1, &program), TESS_INVALID);
    assert_int_equal(tess_gp_program_words(words, 1, NULL), TESS_INVALID);
    assert_null(program);
}

/* Words of docs/hardware/utgard.md, section 13. mov stores all components of varying 0 and loads
 * attribute 0. "mov.a0 /v1.x (p2 mul0)" stores x of varying 1. "clamp.p /v2.x" stores x of
 * varying 2. "add.a0 /$3.x" stores a register. "mul.m0 t[5].x * a1.y" loads attribute 1. */
TEST_WITH(test_loads_and_stores, NULL, tear_down)
{
    static const uint32_t words[][4] = {
        {0xb00b0ec2, 0x43802ac1, 0x40034400, 0x000ad508},
        {0xb68ad6b5, 0x03800ab5, 0x4407fc00, 0x000ad500},
        {0xad4ad6b5, 0x038242b5, 0x4807fe00, 0x000a5700},
        {0x748ad6b5, 0x038142b5, 0x0c07fc00, 0x000ad500},
        {0xad4ad42c, 0x478142b5, 0x0007ff80, 0x000ad500},
    };
    static const uint32_t stores[16] = {15, 1, 1};
    tess_gp_program_free(program);
    assert_int_equal(tess_gp_program_words(words[0], 5, &program), TESS_OK);
    for (uint32_t i = 0; i < 16; i++) {
        assert_int_equal(tess_gp_program_stores(program, i), stores[i]);
        assert_int_equal(tess_gp_program_loads(program, i), i < 2);
    }
    assert_int_equal(tess_gp_program_stores(NULL, 0), 0);
    assert_false(tess_gp_program_loads(NULL, 0));
}

/* --- ELF files --- */

/* A section of an ELF file. A NULL name ends a list of sections. */
struct part {
    const char *name;
    uint32_t type, flags, address;
    const void *bytes;
    size_t size;
    uint32_t link, entry_size;
};

enum { PROGBITS = 1, SYMTAB = 2, STRTAB = 3, ALLOC = 2, MOST_PARTS = 8 };

static void put_header(struct buffer *file, uint32_t sections, uint32_t count)
{
    static const uint8_t ident[16] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
    buffer_append(file, ident, sizeof ident);
    buffer_le32(file, 2); /* file type ET_EXEC, machine EM_NONE */
    buffer_le32(file, 1);
    buffer_le32(file, 0);
    buffer_le32(file, 0);
    buffer_le32(file, sections);
    buffer_le32(file, 0);
    buffer_le32(file, 52);
    buffer_le32(file, 40 << 16);
    buffer_le32(file, count | (count - 1) << 16); /* the last section contains the names */
}

/* Builds an ELF file from these sections. Appends the section names. */
static struct buffer elf_of(const struct part *parts)
{
    struct buffer file = {0}, names = {0}, table = {0};
    uint32_t count = 0, offset = 52;
    buffer_byte(&names, 0);
    for (unsigned i = 0; i < 10; i++)
        buffer_le32(&table, 0);
    struct buffer contents = {0};
    for (; parts[count].name; count++) {
        const struct part *part = &parts[count];
        const uint32_t words[10] = {(uint32_t)names.size, part->type, part->flags,
                                    part->address,        offset,     (uint32_t)part->size,
                                    part->link,           0,          1,
                                    part->entry_size};
        for (unsigned i = 0; i < 10; i++)
            buffer_le32(&table, words[i]);
        buffer_append(&names, part->name, strlen(part->name) + 1);
        buffer_append(&contents, part->bytes, part->size);
        offset += (uint32_t)part->size;
    }
    const uint32_t last[10] = {0, STRTAB, 0, 0, offset, (uint32_t)names.size, 0, 0, 1, 0};
    for (unsigned i = 0; i < 10; i++)
        buffer_le32(&table, last[i]);
    put_header(&file, offset + (uint32_t)names.size, count + 2);
    buffer_append(&file, contents.data, contents.size);
    buffer_append(&file, names.data, names.size);
    buffer_append(&file, table.data, table.size);
    buffer_free(&contents);
    buffer_free(&names);
    buffer_free(&table);
    assert_false(file.failed);
    return file;
}

static enum tess_status read_parts(const struct part *parts)
{
    struct buffer file = elf_of(parts);
    enum tess_status status = read_bytes(file.data, file.size);
    buffer_free(&file);
    return status;
}

static enum tess_status read_interface(const char *text)
{
    uint8_t *code = bare_words(2);
    const struct part parts[] = {
        {.name = "code",
         .type = PROGBITS,
         .flags = ALLOC,
         .address = 0x100,
         .bytes = code,
         .size = 32},
        {.name = ".tessera", .type = PROGBITS, .bytes = text, .size = strlen(text)},
        {0},
    };
    enum tess_status status = read_parts(parts);
    free(code);
    return status;
}

static void expect_symbol(size_t index, enum tess_gp_kind kind, const char *name, uint32_t number,
                          uint32_t count, uint32_t components)
{
    const struct tess_gp_symbol *symbol = tess_gp_program_symbol(program, index);
    assert_non_null(symbol);
    assert_int_equal(symbol->kind, kind);
    assert_string_equal(symbol->name, name);
    assert_int_equal(symbol->number, number);
    assert_int_equal(symbol->count, count);
    assert_int_equal(symbol->components, components);
    assert_ptr_equal(tess_gp_program_find(program, kind, name), symbol);
}

TEST_WITH(test_interface, NULL, tear_down)
{
    assert_int_equal(
        read_interface("attribute position 0 3\n"
                       "attribute normal 15 4\r\n"
                       "  varying\tgl_Position 2 4  \n"
                       "\n"
                       "uniform mvp 0 4\n"
                       "uniform position 511 1\n"
                       "temporary heap 20 492\n"
                       "constant limits 5 0xd01502f9 0x501502f9 0x00000000 0x3F800000"),
        TESS_OK);
    expect_code(2);
    expect_symbol(0, TESS_GP_ATTRIBUTE, "position", 0, 1, 3);
    expect_symbol(1, TESS_GP_ATTRIBUTE, "normal", 15, 1, 4);
    expect_symbol(2, TESS_GP_VARYING, "gl_Position", 2, 1, 4);
    expect_symbol(3, TESS_GP_UNIFORM, "mvp", 0, 4, 0);
    expect_symbol(4, TESS_GP_UNIFORM, "position", 511, 1, 0);
    expect_symbol(5, TESS_GP_TEMPORARY, "heap", 20, 492, 0);
    expect_symbol(6, TESS_GP_CONSTANT, "limits", 5, 1, 0);
    const struct tess_gp_symbol *limits = tess_gp_program_symbol(program, 6);
    /* The floats -1e10 and 1e10, which are the limits to which ARM's compiler clamps 1/w. */
    assert_true(limits->values[0] == -1e10F && limits->values[1] == 1e10F);
    assert_true(limits->values[2] == 0 && limits->values[3] == 1);
    assert_null(tess_gp_program_symbol(program, 7));
    assert_null(tess_gp_program_find(program, TESS_GP_VARYING, "position"));
    assert_null(tess_gp_program_find(program, TESS_GP_VARYING, NULL));
}

TEST_WITH(test_interface_mistakes, NULL, tear_down)
{
    static const struct {
        const char *line;
        uint32_t column;
        const char *says;
    } rows[] = {
        /* clang-format off */
        /* clang-format off */
        {"bin list list_end",                    1,  "unknown interface entry"},
        {"attribute",                            1,  "has 4 words, not 1"},
        {"attribute position 0",                 1,  "has 4 words, not 3"},
        {"varying a 0 4 4",                      1,  "has 4 words, not 5"},
        {"uniform a b c d e f g",                21, "too many words"},
        {"attribute position 16 4",              20, "0 to 15"},
        {"attribute position -1 4",              20, "0 to 15"},
        {"varying position 0 0",                 20, "1 to 4"},
        {"varying position 0 5",                 20, "1 to 4"},
        {"varying position 0 +1",                20, "1 to 4"},
        {"uniform mvp 512 1",                    13, "0 to 511"},
        {"uniform mvp 510 3",                    17, "1 to 2"},
        {"uniform mvp 0 0",                      15, "1 to 512"},
        {"temporary t 99999999999999999999 1",   13, "0 to 511"},
        {"temporary t 1x 1",                     13, "0 to 511"},
        {"constant c 1 0x0 0x0 0x0",             1,  "has 7 words, not 6"},
        {"constant c 1 0x0 0x0 0x0 1.5",         26, "32-bit word"},
        {"constant c 1 0x 0x0 0x0 0x0",          14, "32-bit word"},
        {"constant c 1 0x0 0x100000000 0x0 0x0", 18, "32-bit word"},
        {"constant c 1 0x0 0x0 0x-1 0x0",        22, "32-bit word"},
        {"uniform first 3 1",                    9,  "duplicate uniform 'first'"},
        /* clang-format on */
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[100];
        snprintf(text, sizeof text, "uniform first 0 1\n%s\n", rows[i].line);
        assert_int_equal(read_interface(text), TESS_BAD_INPUT);
        expect_refusal("gp-interface", rows[i].says);
        assert_string_equal(heard.file, "file:.tessera");
        assert_int_equal(heard.line, 2);
        assert_int_equal(heard.column, rows[i].column);
    }
    /* A file with several errors has a diagnostic for each. */
    assert_int_equal(read_interface("a\nuniform u 0 1\nb\n"), TESS_BAD_INPUT);
    assert_int_equal(heard.count, 2);
}

TEST_WITH(test_too_many_names, NULL, tear_down)
{
    struct buffer text = {0};
    for (unsigned i = 0; i < 2049; i++)
        buffer_printf(&text, "uniform u%u %u 1\n", i, i % 512);
    buffer_byte(&text, 0);
    assert_int_equal(read_interface((const char *)text.data), TESS_BAD_INPUT);
    expect_refusal("gp-interface", "more than 2048");
    buffer_free(&text);
}

/* Builds a symbol table: the null symbol, then rows of {name, value} in section 1. */
static struct buffer symbols_of(const uint32_t (*rows)[2], size_t count)
{
    struct buffer table = {0};
    for (unsigned i = 0; i < 4; i++)
        buffer_le32(&table, 0);
    for (size_t i = 0; i < count; i++) {
        buffer_le32(&table, rows[i][0]);
        buffer_le32(&table, rows[i][1]);
        buffer_le32(&table, 0);
        buffer_le32(&table, 1 << 16);
    }
    return table;
}

static enum tess_status read_mapped(const uint32_t (*rows)[2], size_t count, size_t instructions)
{
    static const char names[] = "\0$a\0$d\0loop"; /* the names are at offsets 1, 4 and 7 */
    struct buffer symbols = symbols_of(rows, count);
    uint8_t *code = bare_words(instructions);
    const struct part parts[] = {
        {.name = "code",
         .type = PROGBITS,
         .flags = ALLOC,
         .address = 0x100,
         .bytes = code,
         .size = instructions * 16},
        {.name = ".symtab",
         .type = SYMTAB,
         .bytes = symbols.data,
         .size = symbols.size,
         .link = 3,
         .entry_size = 16},
        {.name = ".strtab", .type = STRTAB, .bytes = names, .size = sizeof names},
        {0},
    };
    enum tess_status status = read_parts(parts);
    free(code);
    buffer_free(&symbols);
    return status;
}

TEST_WITH(test_labels_and_data, NULL, tear_down)
{
    /* The file contains data, three instructions with a label at the second, and data again. */
    static const uint32_t around[][2] = {{4, 0x100}, {1, 0x120}, {7, 0x130}, {4, 0x150}};
    assert_int_equal(read_mapped(around, 4, 6), TESS_OK);
    expect_code(3);
    assert_null(tess_gp_program_label(program, 0));
    assert_string_equal(tess_gp_program_label(program, 1), "loop");
    assert_null(tess_gp_program_label(program, 3));
    static const uint32_t inside[][2] = {{1, 0x100}, {4, 0x110}, {1, 0x120}};
    assert_int_equal(read_mapped(inside, 3, 4), TESS_BAD_INPUT);
    expect_refusal("gp-program-gap", "0x00000120");
    static const uint32_t all[][2] = {{4, 0x100}};
    assert_int_equal(read_mapped(all, 1, 4), TESS_BAD_INPUT);
    expect_refusal("gp-program-empty", "no instructions");
}

TEST_WITH(test_gap_and_neighbours, NULL, tear_down)
{
    uint8_t *code = bare_words(4);
    struct part parts[] = {
        {.name = "b",
         .type = PROGBITS,
         .flags = ALLOC,
         .address = 0x120,
         .bytes = code,
         .size = 32},
        {.name = "a",
         .type = PROGBITS,
         .flags = ALLOC,
         .address = 0x100,
         .bytes = code,
         .size = 32},
        {0},
    };
    assert_int_equal(read_parts(parts), TESS_OK);
    expect_code(4);
    parts[0].address = 0x130;
    assert_int_equal(read_parts(parts), TESS_BAD_INPUT);
    expect_refusal("gp-program-gap", "0x00000130");
    free(code);
}

TEST_WITH(test_damaged_file, NULL, tear_down)
{
    assert_int_equal(read_bytes("\x7f"
                                "ELF",
                                4),
                     TESS_BAD_INPUT);
    expect_refusal("code-elf", "truncated");
    assert_int_equal(tess_gp_program_read(NULL, 1, "file", NULL, (struct tess_sink){0}, &program),
                     TESS_INVALID);
    assert_int_equal(tess_gp_program_read("", 0, "file", NULL, (struct tess_sink){0}, NULL),
                     TESS_INVALID);
    tess_gp_program_free(NULL);
    assert_null(tess_gp_program_symbol(NULL, 0));
    assert_null(tess_gp_program_label(NULL, 0));
    assert_null(tess_gp_program_code(NULL, NULL));
}

/* --- formats --- */

TEST_WITH(test_formats, NULL, tear_down)
{
    static const struct {
        const char *name;
        unsigned code;
        size_t size;
    } rows[] = {
        /* clang-format off */
        /* clang-format off */
        {"f32",   0x00,  4},
        {"i32",   0x01,  4},
        {"u32",   0x02,  4},
        {"f16",   0x03,  2},
        {"i16",   0x04,  2},
        {"u16",   0x05,  2},
        {"i8",    0x06,  1},
        {"u8",    0x07,  1},
        {"i8n",   0x08,  1},
        {"u8n",   0x09,  1},
        {"i16n",  0x0a,  2},
        {"u16n",  0x0b,  2},
        {"i32n",  0x0d,  4},
        {"u32n",  0x0e,  4},
        {"fixed", 0x101, 4},
        /* clang-format on */
        /* clang-format on */
    };
    enum tess_gp_format format;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_true(tess_gp_format_find(rows[i].name, &format));
        assert_int_equal(format, rows[i].code);
        assert_string_equal(tess_gp_format_name(format), rows[i].name);
        assert_int_equal(tess_gp_format_size(format), rows[i].size);
    }
    assert_true(tess_gp_format_find("u8n", NULL));
    assert_false(tess_gp_format_find("f64", &format));
    assert_false(tess_gp_format_find("", &format));
    assert_false(tess_gp_format_find(NULL, &format));
    assert_null(tess_gp_format_name((enum tess_gp_format)0x0c));
    assert_int_equal(tess_gp_format_size((enum tess_gp_format)0x0c), 0);
}

static int tear_down(void **state)
{
    (void)state;
    tess_gp_program_free(program);
    program = NULL;
    return 0;
}
