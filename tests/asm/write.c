/* SPDX-License-Identifier: MIT */
/* write.c - tests the outputs of the assembler. The program is built by hand from two
 * instructions, a data word and a label's address, from address 0 on. Some tests add more. Text
 * layouts are those of vc4asm's manual and reference outputs, entered by hand. ELF files are
 * read back with base/elf_view.h, which tests/base/elf_view.c tests with files of a linker; line
 * programs are read back with a reader in this file (DWARF 4, chapter 6.2). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <elf.h>

#include "../register.h"
#include "asm/asm.h"
#include "asm/source.h"
#include "asm/write.h"
#include "base/bits.h"
#include "base/elf_view.h"

/* --- a program by hand --- */

static struct source_file first_file = {.path = "code/first.qasm"};
static struct source_file second_file = {.path = "second.qinc"};

static const struct source_line lines[] = {
    {.file = &first_file, .raw = "    nop # one", .number = 3},
    {.file = &second_file, .raw = "mov r0, r1 // two \\ ", .number = 200},
    {.file = &first_file, .raw = "\t.int 7", .number = 4},
    {.file = &first_file, .raw = ".int :there", .number = 2},
};

static void add_symbol(struct asm_symbols *symbols, const char *name, struct asm_value value,
                       bool global)
{
    struct asm_symbol *symbol = symbols_add(symbols, name, strlen(name));
    assert_non_null(symbol);
    symbol->value = value;
    symbol->global = global;
    symbol->pass = 2;
}

static void add_words(struct asm_program *program, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[4];
        store_le32(bytes, words[i]);
        assert_int_equal(regions_append(&program->regions, bytes, 4), REGIONS_OK);
    }
}

/* Builds the program at the address base. The label "there" is 8 bytes after base. */
static void make_program(struct asm_program *program, uint32_t base)
{
    static struct asm_origin origins[4];
    const struct asm_value nothing = {0};
    *program = (struct asm_program){0};
    assert_int_equal(regions_start(&program->regions, base, NULL), REGIONS_OK);
    add_words(program,
              (const uint32_t[]){0x009e7000, 0x100009e7, 0x159e7240, 0x10020827, 7, base + 8}, 6);
    struct asm_value label = nothing, number = nothing, real = nothing;
    label.label = true;
    label.integer = base + 8;
    add_symbol(&program->labels, "there", label, true);
    label.integer = base;
    add_symbol(&program->labels, "start", label, false);
    label.integer = base + 24;
    add_symbol(&program->labels, "end", label, false);
    label.integer = base + 16;
    add_symbol(&program->constants, "data", label, true);
    number.integer = 42;
    add_symbol(&program->constants, "answer", number, true);
    number.integer = -1;
    add_symbol(&program->constants, "minus", number, true);
    number.integer = 5;
    add_symbol(&program->constants, "hidden", number, false);
    real.kind = ASM_FLOAT;
    real.real = 0.5;
    add_symbol(&program->constants, "half", real, true);
    const struct asm_origin made[] = {
        {base, 8, 5, 0, true, &lines[0]},
        {base + 8, 8, 1, 0, true, &lines[1]},
        {base + 16, 4, 2, 0, false, &lines[2]},
        {base + 20, 4, 1, 0, false, &lines[3]},
    };
    memcpy(origins, made, sizeof made);
    program->origins = origins;
    program->origin_count = 4;
}

/* Builds the program at address 0, and again at a higher address. Both have the origins of the
 * second. */
static void make_programs(struct asm_program *program, struct asm_program *moved)
{
    make_program(moved, asm_moved_address(&(struct asm_program){0}));
    make_program(program, 0);
}

static void free_program(struct asm_program *program)
{
    program->origins = NULL; /* the origins are static, and must not be freed */
    program->origin_count = 0;
    asm_program_free(program);
}

struct findings {
    unsigned errors, warnings;
    uint32_t line;
    char text[200];
};

static void collect(void *user, const struct tess_finding *diag)
{
    struct findings *findings = user;
    findings->errors += diag->level == TESS_ERROR;
    findings->warnings += diag->level == TESS_WARNING;
    findings->line = diag->line;
    snprintf(findings->text, sizeof findings->text, "%s", diag->text);
}

/* --- text --- */

static void check_text(const struct asm_output *output, const char *expected)
{
    struct asm_program program;
    struct buffer out;
    make_program(&program, 0);
    assert_int_equal(asm_write(&program, output, (struct tess_sink){0}, &out), TESS_OK);
    buffer_byte(&out, '\0');
    assert_string_equal((const char *)out.data, expected);
    buffer_free(&out);
    free_program(&program);
}

#define WORDS                   \
    "0x009e7000, 0x100009e7,\n" \
    "0x159e7240, 0x10020827,\n" \
    "0x00000007, 0x00000008\n"

TEST(test_hex)
{
    check_text(&(struct asm_output){.format = TESS_ASM_HEX}, WORDS);
    check_text(&(struct asm_output){.format = TESS_ASM_HEX, .comments = true},
               "// :start\n"
               "/* [0x00000000] */ 0x009e7000, 0x100009e7, //     nop # one\n"
               "// ::there\n"
               "/* [0x00000008] */ 0x159e7240, 0x10020827, // mov r0, r1 // two\n"
               "/* [0x00000010] */ 0x00000007, 0x00000008  // \t.int 7\n"
               "// :end\n");
}

TEST(test_c_file)
{
    const char *body = "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n#ifdef _MSC_VER\n"
                       "__declspec(align(8))\n#elif defined(__GNUC__)\n"
                       "__attribute__((aligned(8)))\n#endif\nuint32_t my_code[6] = {\n" WORDS
                       "};\n#ifdef __HIGHC__\n#pragma Align_to(8, my_code)\n#ifdef __cplusplus\n"
                       "}\n#endif\n#endif\n";
    char expected[1000];
    snprintf(expected, sizeof expected, "#include \"my-code.h\"\n\n%s", body);
    check_text(&(struct asm_output){.format = TESS_ASM_C_FILE, .name = "out/my-code.c"}, expected);
    snprintf(expected, sizeof expected, "#include \"other.hpp\"\n\n%s", body);
    check_text(&(struct asm_output){.format = TESS_ASM_C_FILE,
                                    .name = "out.d/my-code",
                                    .header = "inc/other.hpp"},
               expected);
}

TEST(test_headers)
{
    check_text(&(struct asm_output){.format = TESS_ASM_HEADER, .name = "my.code.h"},
               "#ifndef my_code_H\n#define my_code_H\n\n#include <inttypes.h>\n\n"
               "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\nextern uint32_t my_code[6];\n\n"
               "#define minus -1\n#define answer 42\n#define half 5.0000000000000000e-01\n"
               "#define there (my_code + 2)\n#define data (my_code + 4)\n\n"
               "#ifdef __cplusplus\n}\n#endif\n#endif\n");
    const char *imports = "extern struct unspecified__ minus;\n"
                          "extern struct unspecified__ answer;\n"
                          "extern struct unspecified__ half;\n"
                          "extern uint64_t there[];\nextern uint64_t data[];\n\n"
                          "#ifdef __cplusplus\n}\n#endif\n\n"
                          "static const uint32_t minus__proxy__ = (uint32_t)&minus;\n"
                          "#define minus minus__proxy__\n"
                          "static const uint32_t answer__proxy__ = (uint32_t)&answer;\n"
                          "#define answer answer__proxy__\n"
                          "static inline float half__proxy__(void)\n{\n"
                          "\tunion { uint32_t bits; float value; } proxy = {(uint32_t)&half};\n"
                          "\treturn proxy.value;\n}\n#define half half__proxy__()\n\n#endif\n";
    const char *head = "#ifndef _1st_H\n#define _1st_H\n\n#include <inttypes.h>\n\n"
                       "struct unspecified__;\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
    char expected[2000];
    snprintf(expected, sizeof expected, "%sextern uint64_t _1st[];\n\n%s", head, imports);
    check_text(&(struct asm_output){.format = TESS_ASM_HEADER_EXTERN, .name = "1st.h"}, expected);
    snprintf(expected, sizeof expected, "%s%s", head, imports);
    check_text(
        &(struct asm_output){.format = TESS_ASM_HEADER_EXTERN, .name = "1st.h", .no_symbols = true},
        expected);
}

/* --- ELF --- */

static struct elf_view open_elf(const struct buffer *file)
{
    struct elf_view elf;
    assert_true(elf_view_open(&elf, file->data, file->size));
    assert_true(elf_view_has_table(&elf, &elf.sections));
    return elf;
}

/* Finds a section by name. Returns its index, or 0 if there is no such section. */
static unsigned find_section(const struct elf_view *elf, const char *wanted,
                             struct elf_view_section *section)
{
    for (uint32_t i = 1; elf_view_section(elf, i, section); i++) {
        const char *name = elf_view_string(elf, elf->names, section->name);
        assert_non_null(name);
        if (strcmp(name, wanted) == 0)
            return i;
    }
    return 0;
}

/* Returns the content of a section, and its size in *size. Returns NULL if there is no such
 * section. */
static const uint8_t *section_data(const struct elf_view *elf, const char *name, size_t *size)
{
    struct elf_view_section section;
    if (!find_section(elf, name, &section))
        return NULL;
    const uint8_t *bytes = elf_view_bytes(elf, section.offset, section.size);
    assert_non_null(bytes);
    *size = (size_t)section.size;
    return bytes;
}

/* Finds a symbol by name and, for mapping symbols, value. Fails the test if there is none. */
static struct elf_view_symbol find_symbol(const struct elf_view *elf, const char *name,
                                          int64_t value)
{
    struct elf_view_section table;
    struct elf_view_symbol symbol;
    assert_true(find_section(elf, ".symtab", &table));
    for (uint32_t i = 0; elf_view_symbol(elf, &table, i, &symbol); i++) {
        const char *found = elf_view_string(elf, table.link, symbol.name);
        assert_non_null(found);
        assert_int_equal(symbol.bind == STB_LOCAL, i < table.info);
        if (strcmp(found, name) == 0 && (value < 0 || symbol.value == (uint64_t)value))
            return symbol;
    }
    fail_msg("there is no symbol %s", name);
    return symbol;
}

static bool has_symbol(const struct elf_view *elf, const char *name)
{
    size_t size = 0;
    const char *names = (const char *)section_data(elf, ".strtab", &size);
    for (size_t at = 0; at < size; at += strlen(names + at) + 1)
        if (strcmp(names + at, name) == 0)
            return true;
    return false;
}

/* --- a reader of line programs without special opcodes --- */

struct line_row {
    uint32_t address, line, column;
    char file[40];
    bool end;
};

static int64_t take_leb(const uint8_t **at, bool is_signed)
{
    int64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;
    do {
        byte = *(*at)++;
        value |= (int64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80);
    return is_signed && (byte & 0x40) ? value - ((int64_t)1 << shift) : value;
}

/* Reads one unit of the line program. Returns the number of rows. */
static size_t read_lines(const uint8_t *at, struct line_row *rows, size_t most)
{
    const char *files[8] = {0};
    size_t count = 0, file_count = 0, file = 1;
    const uint8_t *end = at + 4 + load_le32(at);
    assert_int_equal(load_le16(at + 4), 4);
    const uint8_t *program = at + 10 + load_le32(at + 6);
    assert_int_equal(at[10], 1);
    unsigned base = at[15];
    for (at += 16 + base - 1; *at; at += strlen((const char *)at) + 1)
        fail_msg("there are folders");
    for (at++; *at; at += 3) {
        files[++file_count] = (const char *)at;
        at += strlen((const char *)at) + 1;
    }
    assert_ptr_equal(at + 1, program);
    struct line_row row = {.line = 1};
    for (at = program; at < end;) {
        uint8_t opcode = *at++;
        bool stored = opcode == 1;
        assert_true(opcode <= 5);
        if (opcode == 0) {
            size_t size = (size_t)take_leb(&at, false);
            row.end = at[0] == 1;
            if (at[0] == 2)
                row.address = load_le32(at + 1);
            at += size;
            stored = row.end;
        } else if (opcode == 2) {
            row.address += (uint32_t)take_leb(&at, false);
        } else if (opcode == 3) {
            row.line = (uint32_t)(row.line + take_leb(&at, true));
        } else if (opcode == 4) {
            file = (size_t)take_leb(&at, false);
        } else if (opcode == 5) {
            row.column = (uint32_t)take_leb(&at, false);
        }
        if (!stored)
            continue;
        assert_true(count < most && file >= 1 && file <= file_count);
        snprintf(row.file, sizeof row.file, "%s", files[file]);
        rows[count++] = row;
    }
    return count;
}

static void check_rows(const struct elf_view *elf, uint32_t base)
{
    const struct line_row expected[] = {
        /* clang-format off */
        {base,      3,   5, "code/first.qasm", false},
        {base + 8,  200, 1, "second.qinc",     false},
        {base + 16, 4,   2, "code/first.qasm", false},
        {base + 20, 2,   1, "code/first.qasm", false},
        {base + 24, 2,   1, "code/first.qasm", true},
        /* clang-format on */
    };
    struct line_row rows[8];
    size_t size;
    const uint8_t *lines_program = section_data(elf, ".debug_line", &size);
    assert_non_null(lines_program);
    assert_int_equal(read_lines(lines_program, rows, 8), 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(rows[i].address, expected[i].address);
        assert_int_equal(rows[i].line, expected[i].line);
        assert_int_equal(rows[i].column, expected[i].column);
        assert_string_equal(rows[i].file, expected[i].file);
        assert_int_equal(rows[i].end, expected[i].end);
    }
}

/* --- the object --- */

static enum tess_status write_object(struct asm_output output, struct findings *findings,
                                     struct buffer *out)
{
    struct asm_program program, moved;
    make_programs(&program, &moved);
    output.format = TESS_ASM_OBJECT;
    output.moved = &moved;
    *findings = (struct findings){0};
    enum tess_status status = asm_write(&program, &output, (struct tess_sink){collect, findings},
                                        out);
    free_program(&program);
    free_program(&moved);
    return status;
}

static void check_symbol(const struct elf_view *elf, const char *name, uint32_t value,
                         uint32_t size, unsigned info, unsigned section)
{
    const struct elf_view_symbol symbol = find_symbol(elf, name, value);
    assert_int_equal(symbol.value, value);
    assert_int_equal(symbol.size, size);
    assert_int_equal(symbol.info, info);
    assert_int_equal(symbol.section, section);
}

/* The word at 20 is a label's address, 8 bytes after the section's start. */
static void check_relocation(const struct elf_view *elf)
{
    struct elf_view_section table;
    struct elf_view_relocation relocation;
    size_t size;
    assert_true(find_section(elf, ".rel.rodata", &table));
    assert_int_equal(table.size, sizeof(Elf32_Rel));
    assert_true(elf_view_relocation(elf, &table, 0, &relocation));
    assert_int_equal(relocation.offset, 20);
    assert_int_equal(relocation.type, R_ARM_ABS32);
    assert_int_equal(load_le32(section_data(elf, ".rodata", &size) + 20), 8);
}

TEST(test_object)
{
    const unsigned object = ELF32_ST_INFO(STB_GLOBAL, STT_OBJECT);
    struct findings findings;
    struct buffer out;
    struct asm_output output = {.name = "o/my-code.o", .source = "code/first.qasm"};
    assert_int_equal(write_object(output, &findings, &out), TESS_OK);
    assert_int_equal(findings.errors, 0);
    assert_int_equal(findings.warnings, 1); /* warns about the absolute address */
    assert_int_equal(findings.line, 2);
    const struct elf_view elf = open_elf(&out);
    assert_int_equal(elf.type, ET_REL);
    assert_int_equal(elf.machine, EM_ARM);
    assert_int_equal(load_le32(out.data + offsetof(Elf32_Ehdr, e_flags)), EF_ARM_EABI_VER5);
    assert_int_equal(elf.segments.count, 0);

    struct elf_view_section section;
    const unsigned code = find_section(&elf, ".rodata", &section);
    assert_int_equal(section.flags, SHF_ALLOC | SHF_EXECINSTR);
    assert_int_equal(section.alignment, 8);
    assert_int_equal(section.offset % 8, 0);
    assert_int_equal(section.size, 24);

    check_symbol(&elf, "my_code", 0, 24, object, code);
    check_symbol(&elf, "my_code_end", 24, 0, object, code);
    check_symbol(&elf, "my_code_size", 24, 0, object, SHN_ABS);
    check_symbol(&elf, "there", 8, 0, object, code);
    check_symbol(&elf, "data", 16, 0, object, code);
    check_symbol(&elf, "answer", 42, 0, object, SHN_ABS);
    check_symbol(&elf, "minus", 0xffffffff, 0, object, SHN_ABS);
    check_symbol(&elf, "half", 0x3f000000, 0, object, SHN_ABS);
    check_symbol(&elf, "start", 0, 0, 0, code);
    check_symbol(&elf, "end", 24, 0, 0, code);
    check_symbol(&elf, "$q", 0, 0, 0, code);
    check_symbol(&elf, "$d", 16, 0, 0, code);
    check_symbol(&elf, "first.qasm", 0, 0, STT_FILE, SHN_ABS);
    assert_false(has_symbol(&elf, "hidden"));

    check_relocation(&elf);
    check_rows(&elf, 0);
    assert_true(find_section(&elf, ".rel.debug_line", &section));
    assert_true(find_section(&elf, ".rel.debug_info", &section));
    buffer_free(&out);
}

TEST(test_object_without_automatic_symbols)
{
    struct findings findings;
    struct buffer out;
    struct asm_output output = {.name = "my-code.o", .no_symbols = true};
    assert_int_equal(write_object(output, &findings, &out), TESS_OK);
    const struct elf_view elf = open_elf(&out);
    assert_false(has_symbol(&elf, "my_code_size"));
    assert_true(has_symbol(&elf, "there"));
    buffer_free(&out);
}

/* Programs that an object file cannot express. They have shifted or truncated addresses,
 * addresses set by .org, or a size that depends on addresses. */
TEST(test_objects_refused)
{
    struct asm_program program, moved;
    struct findings findings = {0};
    struct buffer out;
    const struct tess_sink sink = {collect, &findings};
    make_programs(&program, &moved);
    struct asm_output output = {.format = TESS_ASM_OBJECT, .name = "x.o", .moved = &moved};

    store_le32(moved.regions.items[0].bytes.data + 16, 7 + (asm_moved_address(&program) >> 3));
    assert_int_equal(asm_write(&program, &output, sink, &out), TESS_WRONG);
    assert_int_equal(findings.errors, 1);
    assert_int_equal(findings.line, 4);
    assert_non_null(strstr(findings.text, "depends on the program's address"));
    buffer_free(&out);

    moved.regions.items[0].zeros = 8;
    assert_int_equal(asm_write(&program, &output, sink, &out), TESS_WRONG);
    assert_non_null(strstr(findings.text, "the size of the program"));
    buffer_free(&out);

    output.moved = NULL;
    assert_int_equal(asm_write(&program, &output, sink, &out), TESS_WRONG);
    buffer_free(&out);

    program.regions.items[0].line = &lines[0];
    assert_int_equal(asm_write(&program, &output, sink, &out), TESS_WRONG);
    assert_non_null(strstr(findings.text, "'.org'"));
    assert_int_equal(findings.line, 3);
    buffer_free(&out);
    free_program(&program);
    free_program(&moved);
}

/* A number of more than 32 bits cannot be a symbol's value. */
TEST(test_wide_symbol)
{
    struct asm_program program = {0};
    struct findings findings = {0};
    struct buffer out;
    assert_int_equal(regions_start(&program.regions, 0, NULL), REGIONS_OK);
    add_symbol(&program.constants, "wide", (struct asm_value){.integer = INT64_C(1) << 32}, true);
    struct asm_output output = {.format = TESS_ASM_OBJECT, .name = "x.o"};
    assert_int_equal(asm_write(&program, &output, (struct tess_sink){collect, &findings}, &out),
                     TESS_OK);
    assert_int_equal(findings.warnings, 1);
    const struct elf_view elf = open_elf(&out);
    assert_false(has_symbol(&elf, "wide"));
    buffer_free(&out);
    output.format = TESS_ASM_HEADER;
    assert_int_equal(asm_write(&program, &output, (struct tess_sink){0}, &out), TESS_OK);
    buffer_byte(&out, 0);
    assert_non_null(strstr((char *)out.data, "#define wide 4294967296LL\n"));
    buffer_free(&out);
    asm_program_free(&program);
}

/* --- the scene --- */

TEST(test_scene_lines)
{
    struct asm_program program;
    struct buffer out;
    make_program(&program, 0x40000000);
    const struct asm_output output = {.format = TESS_ASM_ELF};
    assert_int_equal(asm_write(&program, &output, (struct tess_sink){0}, &out), TESS_OK);
    const struct elf_view elf = open_elf(&out);
    struct elf_view_section section;
    const unsigned code = find_section(&elf, ".40000000", &section);
    check_rows(&elf, 0x40000000);
    check_symbol(&elf, "$d", 0x40000010, 0, 0, code);
    check_symbol(&elf, "there", 0x40000008, 0, ELF32_ST_INFO(STB_GLOBAL, STT_NOTYPE), code);
    check_symbol(&elf, "hidden", 5, 0, 0, SHN_ABS);
    assert_false(find_section(&elf, ".rel.debug_line", &section));
    buffer_free(&out);
    free_program(&program);
}
