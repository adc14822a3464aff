/* SPDX-License-Identifier: MIT */
/* code.c - tests reading of machine code from files. The texts are in the forms that vc4asm's
 * manual names (-C, -c) and that xxd, od and hexdump write. The ELF files come from two sources:
 * they are built by hand here, field by field of the ELF specification, or by Tessera's
 * assembler. */
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
#include "code/code_read.h"
#include "random.h"

struct heard {
    unsigned count;
    uint32_t line, column;
    char rule[32], text[200];
};

static void hear(void *user, const struct tess_finding *diag)
{
    struct heard *heard = user;
    heard->count++;
    heard->line = diag->line;
    heard->column = diag->column;
    snprintf(heard->rule, sizeof heard->rule, "%s", diag->id);
    snprintf(heard->text, sizeof heard->text, "%s", diag->text);
}

static struct heard heard;
static struct code_image image;

static enum tess_status read_as(const void *data, size_t size, enum code_format format)
{
    code_free(&image);
    heard = (struct heard){0};
    const struct code_options options = {.format = format, .name = "file", .base = 0x100};
    return code_read(data, size, &options, (struct tess_sink){hear, &heard}, &image);
}

static void expect_bytes(size_t segment, uint32_t address, const void *bytes, size_t size)
{
    assert_true(segment < image.segment_count);
    assert_int_equal(image.segments[segment].address, address);
    assert_int_equal(image.segments[segment].size, size);
    assert_memory_equal(image.segments[segment].bytes, bytes, size);
}

static void expect_text(const char *text, enum code_format format, const void *bytes, size_t size)
{
    assert_int_equal(read_as(text, strlen(text), CODE_AUTO), TESS_OK);
    assert_int_equal(image.format, format);
    assert_int_equal(image.segment_count, 1);
    expect_bytes(0, 0x100, bytes, size);
}

static void expect_refusal(const char *text, uint32_t line, uint32_t column, const char *says)
{
    assert_int_equal(read_as(text, strlen(text), CODE_AUTO), TESS_WRONG);
    assert_int_equal(heard.count, 1);
    assert_int_equal(heard.line, line);
    assert_int_equal(heard.column, column);
    assert_non_null(strstr(heard.text, says));
}

static const uint8_t fmul[8] = {0x3e, 0x30, 0x3e, 0x20, 0xe0, 0x49, 0x00, 0x10};

TEST(test_raw)
{
    assert_int_equal(read_as(fmul, 7, CODE_AUTO), TESS_OK);
    assert_int_equal(image.format, CODE_RAW);
    expect_bytes(0, 0x100, fmul, 7);
    assert_int_equal(read_as("", 0, CODE_AUTO), TESS_OK);
    assert_int_equal(image.segment_count, 0);
    assert_int_equal(read_as("1234", 4, CODE_RAW), TESS_OK);
    expect_bytes(0, 0x100, "1234", 4);
}

TEST(test_hex_words)
{
    static const char *const forms[] = {
        "0x203e303e, 0x100049e0",
        "0x203e303e, 0x100049e0, // fmul { \xc3\xa9\n",
        "// ::start\n/* [0x00000000] */ 0x203e303e, 0x100049e0, # 12\n",
        "203e303e 100049e0\n",
        "0x100049e0203e303e\n",
        "100049E0203E303E ; a comment\n",
        "0x203e303eu,\r\n0x100049e0UL,\r\n",
        "00000000: 0x203e303e,  0x100049e0\n",
        "0: 203e303e 100049e0\n",
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        expect_text(forms[i], CODE_HEX, fmul, 8);
    expect_text("0x27", CODE_HEX, "\x27\0\0\0", 4);
    expect_text("27 0x0", CODE_HEX, "\x27\0\0\0\0\0\0\0", 8);
}

TEST(test_hex_bytes)
{
    expect_text("3e 30 3e 20 e0 49 00 10\n", CODE_HEX, fmul, 8);
    expect_text("00000000: 3e30 3e20 e049 0010                      >0> .I..\n", CODE_HEX, fmul, 8);
    expect_text("00000000: 3e 30 3e 20 e0 49 00\n00000007: 10\n", CODE_HEX, fmul, 8);
    expect_text(
        "00000000  3e 30 3e 20 e0 49 00 10                           |>0> .I..|\n00000008\n",
        CODE_HEX, fmul, 8);
    expect_text("3e303e20e04900103e303e20e0490010\n"
                "3e303e20e04900103e\n",
                CODE_HEX,
                "\x3e\x30\x3e\x20\xe0\x49\0\x10\x3e\x30\x3e\x20\xe0\x49\0\x10\x3e\x30\x3e\x20\xe0"
                "\x49\0\x10\x3e",
                25);
}

TEST(test_c_array)
{
    expect_text("{ 0x203e303e, 0x100049e0 }", CODE_C, fmul, 8);
    expect_text(
        "#include \"x.h\"\n#define TWO(x) { x, \\\n 2 }\n#ifdef "
        "__GNUC__\n__attribute__((aligned(8)))\n#endif\n"
        "uint32_t code[2] = {\n// ::start {\n/* [0x0] */ 0x203e303e, 0x100049e0U, // a 'b\n};\n",
        CODE_C, fmul, 8);
    assert_int_equal(image.symbol_count, 1);
    assert_string_equal(image.symbols[0].name, "code");
    assert_int_equal(image.symbols[0].address, 0x100);
    expect_text("static const unsigned char code[] = {62, 0x30, 076, 32, 224, 73, 0, 16};", CODE_C,
                fmul, 8);
    expect_text("unsigned short int code[] = {0x303e, 0x203e, 0x49e0, 0x1000};", CODE_C, fmul, 8);
    expect_text("uint64_t a[] = {0x100049e0203e303eULL};", CODE_C, fmul, 8);
    expect_text("unsigned long a[] = {0x100049e0203e303e};", CODE_C, fmul, 8);
    expect_text("unsigned long a[] = {0x203e303e, 0x100049e0};", CODE_C, fmul, 8);
    expect_text("int a[][2] = {{0x203e303e, 0x100049e0}, {-1, -2}};", CODE_C,
                "\x3e\x30\x3e\x20\xe0\x49\x00\x10\xff\xff\xff\xff\xfe\xff\xff\xff", 16);
}

TEST(test_several_arrays)
{
    const char text[] = "extern \"C\" {\nint f(void);\nuint32_t a[] = {1, 2, 3}, b[1] = {4};\n"
                        "uint8_t __attribute__((section(\"x{\"))) c[] = {5};\n}";
    assert_int_equal(read_as(text, strlen(text), CODE_AUTO), TESS_OK);
    assert_int_equal(image.segment_count, 3);
    expect_bytes(0, 0x100, "\1\0\0\0\2\0\0\0\3\0\0\0", 12);
    expect_bytes(1, 0x110, "\4\0\0\0", 4);
    expect_bytes(2, 0x118, "\5", 1);
    assert_string_equal(image.segments[1].name, "b");
    assert_string_equal(image.symbols[2].name, "c");
}

TEST(test_wrong_text)
{
    expect_refusal("hello\n", 1, 1, "'hello'");
    expect_refusal("0x1, 0x2,\n 0x12345678123456781\n", 2, 2, "expected a hexadecimal word");
    expect_refusal("0x1g", 1, 1, "'0x1g'");
    expect_refusal("0x", 1, 1, "'0x'");
    expect_refusal("0x1 /* 0x2", 1, 5, "unterminated comment");
    expect_refusal("int a[] = {1, 2", 1, 11, "unterminated array");
    expect_refusal("int a[] = {x};", 1, 12, "a number, not 'x'");
    expect_refusal("int a[] = {08};", 1, 12, "a number, not '08'");
    expect_refusal("int a[] = {1.5};", 1, 12, "expected a number");
    expect_refusal("int a[] = {99999999999999999999};", 1, 12, "expected a number");
    expect_refusal("char a[] = {256};", 1, 13, "does not fit in 8 bits");
    expect_refusal("int main(void) { return 0; }", 1, 29, "no array");
    expect_refusal("11u 22\n", 1, 3, "whole number of bytes, not 'u'");
    expect_refusal("123456789012345678901", 1, 1, "whole number of bytes");
}

TEST(test_addresses)
{
    struct tess_sink none = {0};
    const struct code_options last = {.base = 0xfffffffc};
    code_free(&image);
    assert_int_equal(code_read("0x1", 3, &last, none, &image), TESS_OK);
    code_free(&image);
    assert_int_equal(code_read("0x1 0x2", 7, &last, none, &image), TESS_WRONG);
}

/* Arrays begin at multiples of 16 bytes, the size of a wide instruction. */
TEST(test_alignment)
{
    static const char text[] = "int a[] = {1}; int b[] = {2};";
    const struct code_options wide = {.base = 0x100, .alignment = 16};
    code_free(&image);
    assert_int_equal(code_read(text, strlen(text), &wide, (struct tess_sink){0}, &image), TESS_OK);
    expect_bytes(0, 0x100, "\1\0\0", 4);
    expect_bytes(1, 0x110, "\2\0\0", 4);
}

/* --- ELF --- */

enum { HEADER = 52, SECTION = 40, SYMBOL = 16 };

/* A relocatable object in vc4asm's layout. Its sections are null, names, code, symbols, symbol
 * names. */
struct object {
    uint8_t bytes[1024];
    size_t size;
};

static void put_words(struct object *object, size_t at, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        store_le32(object->bytes + at + 4 * i, words[i]);
}

static struct object make_object(void)
{
    static const char names[] = "\0.shstrtab\0.rodata\0.symtab\0.strtab";
    static const char strings[] = "\0start\0$d\0$c\0half\0size";
    struct object object = {.bytes = {0x7f, 'E', 'L', 'F', 1, 1, 1}};
    uint8_t *bytes = object.bytes;
    size_t at_names = HEADER + 5 * SECTION, at_code = 300, at_symbols = 332,
           at_strings = 332 + 6 * SYMBOL;
    store_le16(bytes + 16, 1);  /* file type ET_REL */
    store_le16(bytes + 18, 40); /* machine ARM */
    store_le32(bytes + 32, HEADER);
    store_le16(bytes + 46, SECTION);
    store_le16(bytes + 48, 5);
    store_le16(bytes + 50, 1);
    const uint32_t sections[5][10] = {
        {0},
        {1, 3, 0, 0, (uint32_t)at_names, sizeof names, 0, 0, 1, 0},
        {11, 1, 2, 0, (uint32_t)at_code, 32, 0, 0, 4, 4},
        {19, 2, 0, 0, (uint32_t)at_symbols, 6 * SYMBOL, 4, 1, 4, SYMBOL},
        {27, 3, 0, 0, (uint32_t)at_strings, sizeof strings, 0, 0, 1, 0},
    };
    put_words(&object, HEADER, sections[0], 50);
    memcpy(bytes + at_names, names, sizeof names);
    for (size_t i = 0; i < 4; i++)
        memcpy(bytes + at_code + 8 * i, fmul, 8);
    /* Each row has name, value, size, and info | shndx << 16. The symbols are start, $c, $d,
     * half and size. "size" is an absolute symbol. */
    const uint32_t symbols[6][4] = {
        {0},
        {1, 0, 0, 0x11 | 2 << 16},
        {10, 0, 0, 0 | 2 << 16},
        {7, 16, 0, 0 | 2 << 16},
        {13, 8, 0, 0x10 | 2 << 16},
        {18, 32, 0, 0x11 | 0xfff1u << 16},
    };
    put_words(&object, at_symbols, symbols[0], 24);
    memcpy(bytes + at_strings, strings, sizeof strings);
    object.size = at_strings + sizeof strings;
    return object;
}

TEST(test_object)
{
    struct object object = make_object();
    assert_int_equal(read_as(object.bytes, object.size, CODE_AUTO), TESS_OK);
    assert_int_equal(image.format, CODE_ELF);
    assert_int_equal(image.segment_count, 1);
    expect_bytes(0, 0x100, object.bytes + 300, 32);
    assert_string_equal(image.segments[0].name, ".rodata");
    assert_int_equal(image.symbol_count, 2);
    assert_string_equal(image.symbols[0].name, "start");
    assert_string_equal(image.symbols[1].name, "half");
    assert_int_equal(image.symbols[1].address, 0x108);
    assert_true(image.symbols[1].global);
    assert_int_equal(image.range_count, 2);
    assert_int_equal(image.ranges[0].content, CODE_INSTRUCTIONS);
    assert_int_equal(image.ranges[0].size, 16);
    assert_int_equal(image.ranges[1].content, CODE_DATA);
    assert_int_equal(image.ranges[1].address, 0x110);
    assert_int_equal(image.ranges[1].size, 16);
}

TEST(test_wrong_object)
{
    static const struct {
        size_t at;
        uint32_t value;
        const char *says;
    } cases[] = {
        /* clang-format off */
        /* clang-format off */
        {4,                    0x00010102, "ELF class"},
        {18,                   62,         "machine is 62"},
        {46,                   41,         "section headers"},
        {32,                   0xfffffff0, "section headers"},
        {HEADER + 2 * 40 + 16, 0xfffffff0, "section 2 lies"},
        {HEADER + 2 * 40 + 20, 0xfffffff0, "section 2 lies"},
        {HEADER + 2 * 40 + 32, 12,         "not a power of two"},
        {HEADER + 3 * 40 + 36, 20,         "symbol table"},
        {HEADER + 3 * 40 + 16, 0x7fffffff, "symbol table"},
        {HEADER + 2 * 40 + 4,  8,          "no section"},
        /* clang-format on */
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct object object = make_object();
        if (cases[i].at == 18 || cases[i].at == 46)
            store_le16(object.bytes + cases[i].at, (uint16_t)cases[i].value);
        else
            store_le32(object.bytes + cases[i].at, cases[i].value);
        assert_int_equal(read_as(object.bytes, object.size, CODE_AUTO), TESS_WRONG);
        assert_non_null(strstr(heard.text, cases[i].says));
    }
    struct object object = make_object();
    for (size_t size = 4; size < object.size - 30; size++)
        assert_int_equal(read_as(object.bytes, size, CODE_ELF), TESS_WRONG);
}

/* If any byte changes, the file is refused or read within its bounds. Sanitizers check the
 * accesses. */
TEST(test_damaged_object)
{
    uint32_t seed = 1;
    for (size_t i = 0; i < 20000; i++) {
        struct object object = make_object();
        for (unsigned k = 0; k < 1 + i % 4; k++)
            object.bytes[next_random(&seed) % object.size] = (uint8_t)next_random(&seed);
        size_t size = next_random(&seed) % 8 ? object.size : next_random(&seed) % object.size;
        uint8_t *exact = malloc(size ? size : 1);
        memcpy(exact, object.bytes, size);
        read_as(exact, size, CODE_ELF);
        free(exact);
    }
}

TEST(test_scene)
{
    const char source[] =
        ".org 0x40001000\n:first\nnop\n.org 0x40000100\n::second\nnop; thrend\n.int 5\n.space 8\n"
        ".set constant, 7\n";
    const struct tess_asm_options options = {.format = TESS_ASM_ELF};
    uint8_t *elf;
    size_t size;
    assert_int_equal(tess_assemble_text(source, strlen(source), "x", &options,
                                        (struct tess_sink){0}, &elf, &size),
                     TESS_OK);
    assert_int_equal(read_as(elf, size, CODE_AUTO), TESS_OK);
    tess_free(elf);
    assert_int_equal(image.segment_count, 2);
    expect_bytes(0, 0x40000100, "\x00\x70\x9e\x00\xe7\x09\x00\x30\5\0\0\0", 12);
    expect_bytes(1, 0x40001000, "\x00\x70\x9e\x00\xe7\x09\x00\x10", 8);
    assert_string_equal(image.symbols[0].name, "second");
    assert_string_equal(image.symbols[1].name, "first");
    assert_int_equal(image.reserve_count, 1);
    assert_int_equal(image.reserves[0].address, 0x4000010c);
    assert_int_equal(image.reserves[0].size, 8);
}

/* --- lines --- */

/* A line table of DWARF 2, built by hand. The smallest instruction has 8 bytes. The line base is
 * -1, the line range 4, and the opcode base 10. Folder 1 is "inc". The files are "a" and
 * "inc/b". */
static const char line_table[] = "\x40\0\0\0\2\0\x20\0\0\0\x08\1\xff\4\x0a" /* unit, header */
                                 "\0\1\1\1\1\0\0\0\1"     /* numbers of operands of opcodes 1 to
                                                             9 */
                                 "inc\0\0"                /* names of folders */
                                 "a\0\0\0\0b\0\1\0\0\0--" /* files; the two bytes after them are
                                                             unused */
                                 "\0\5\2\x40\0\0\0"       /* sets the address to 0x40 */
                                 "\3\x09\1"               /* line 10; emits a row */
                                 "\x10"         /* special opcode 4 * 1 + 2: address + 8, line +
                                                   1 */
                                 "\5\7"         /* sets column 7 for the following rows */
                                 "\4\2\3\x7b\1" /* file 2, line - 5; emits a row */
                                 "\x08"         /* address + (255 - 10) / 4 * 8 = + 488 */
                                 "\x0b"         /* special opcode 1: emits a row */
                                 "\x09\4\0"     /* advances the address by 4 */
                                 "\0\1\1";      /* end of the sequence */
enum { LINE_TABLE_BYTES = sizeof line_table - 1 };

static void expect_line(uint32_t address, const char *file, uint32_t number, uint32_t column)
{
    const struct code_line *line = code_line_at(&image, address);
    assert_true(!line == !file);
    if (!line)
        return;
    assert_string_equal(line->file, file);
    assert_int_equal(line->line, number);
    assert_int_equal(line->column, column);
}

TEST(test_lines)
{
    code_free(&image);
    assert_int_equal(line_table[0], LINE_TABLE_BYTES - 4);
    assert_int_equal(code_read_lines(&image, (const uint8_t *)line_table, LINE_TABLE_BYTES),
                     TESS_OK);
    expect_line(0x3f, NULL, 0, 0);
    expect_line(0x40, "a", 10, 0);
    expect_line(0x47, "a", 10, 0);
    expect_line(0x48, "inc/b", 6, 7);
    expect_line(0x48 + 488, "inc/b", 6, 7);
    expect_line(0x48 + 491, "inc/b", 6, 7);
    expect_line(0x48 + 492, NULL, 0, 0);
}

TEST(test_damaged_lines)
{
    uint32_t seed = 1;
    for (size_t i = 0; i < 20000; i++) {
        size_t size = next_random(&seed) % (LINE_TABLE_BYTES + 1);
        uint8_t *exact = malloc(size ? size : 1);
        memcpy(exact, line_table, size);
        for (unsigned k = 0; size && k < 1 + i % 4; k++)
            exact[next_random(&seed) % size] = (uint8_t)next_random(&seed);
        code_free(&image);
        assert_int_equal(code_read_lines(&image, exact, size), TESS_OK);
        free(exact);
    }
}

static int release(void **state)
{
    (void)state;
    code_free(&image);
    return 0;
}

TEST_GROUP(NULL, release)
