/* SPDX-License-Identifier: MIT */
/* elf_view.c - tests reading of sections and symbols of ELF files.
 *
 * Sources of the expected values: a symbol of this test program, whose size the compiler provides,
 * and files that are put together by hand from the tables of Tool Interface Standard, ELF
 * specification 1.2, and the System V ABI, chapter 4. */
#include "base/elf_view.h"
#include "../register.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "base/file.h"

const char elf_view_marker[4711] = "the bytes of a symbol";

/* --- this program --- */

static bool find(const struct elf_view *view, const char *name, struct elf_view_symbol *symbol)
{
    struct elf_view_section table = {0};
    for (uint32_t i = 0; elf_view_section(view, i, &table) && table.type != SHT_SYMTAB; i++)
        continue;
    for (uint64_t i = 0; elf_view_symbol(view, &table, i, symbol); i++) {
        const char *found = elf_view_string(view, table.link, symbol->name);
        if (found && strcmp(found, name) == 0)
            return true;
    }
    return false;
}

/* Returns the offset in the file of an address of the loaded program. */
static uint64_t offset_of(const struct elf_view *view, uint64_t address)
{
    struct elf_view_segment segment;
    for (uint32_t i = 0; elf_view_segment(view, i, &segment); i++)
        if (segment.type == PT_LOAD && address >= segment.address &&
            address - segment.address < segment.stored)
            return segment.offset + (address - segment.address);
    fail_msg("no segment has the address");
    return 0;
}

TEST(test_own)
{
    struct buffer file;
    struct elf_view view;
    struct elf_view_symbol symbol;
    struct elf_view_section section;
    assert_int_equal(file_read("/proc/self/exe", &file), TESS_OK);
    assert_true(elf_view_open(&view, file.data, file.size));
    assert_int_equal(view.wide, sizeof(void *) == 8);
    assert_true(find(&view, "elf_view_marker", &symbol));
    assert_int_equal(symbol.size, sizeof elf_view_marker);
    assert_int_equal(symbol.type, STT_OBJECT);
    assert_true(elf_view_section(&view, symbol.section, &section));
    assert_string_equal(elf_view_string(&view, view.names, section.name), ".rodata");
    assert_string_equal(file.data + section.offset + (symbol.value - section.address),
                        elf_view_marker);
    assert_int_equal(offset_of(&view, symbol.value),
                     section.offset + (symbol.value - section.address));
    buffer_free(&file);
}

/* --- files by hand --- */

/* An ELF file of either width and byte order. It has the header, 2 sections (the null section,
 * and .s, which contains the section names), and the names. */
static uint8_t bytes[512];
static bool big, wide;

static void put(unsigned at, unsigned width, uint64_t value)
{
    for (unsigned i = 0; i < width; i++)
        bytes[at + i] = (uint8_t)(value >> 8 * (big ? width - 1 - i : i));
}

enum { SECTIONS = 128, STRINGS = 320 };

static void put_section(unsigned number, uint32_t name, uint32_t type, uint64_t offset,
                        uint64_t size, uint32_t link)
{
    const unsigned width = wide ? 8 : 4, at = SECTIONS + number * (wide ? 64 : 40);
    put(at, 4, name);
    put(at + 4, 4, type);
    put(at + 8 + 2 * width, width, offset);
    put(at + 8 + 3 * width, width, size);
    put(at + 8 + 4 * width, 4, link);
}

static void put_file(bool is_wide, bool is_big, unsigned count, unsigned names)
{
    const unsigned width = is_wide ? 8 : 4, tail = 24 + 3 * width + 4; /* offset of the field
                                                                          after e_flags */
    wide = is_wide;
    big = is_big;
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes,
           "\x7f"
           "ELF",
           4);
    bytes[4] = wide ? ELFCLASS64 : ELFCLASS32;
    bytes[5] = big ? ELFDATA2MSB : ELFDATA2LSB;
    put(16, 2, ET_REL);
    put(24 + 2 * width, width, SECTIONS);
    put(tail + 6, 2, wide ? 64 : 40);
    put(tail + 8, 2, count);
    put(tail + 10, 2, names);
    put_section(0, 0, SHT_NULL, 0, 0, 0);
    put_section(1, 1, SHT_STRTAB, STRINGS, 4, 0);
    memcpy(bytes + STRINGS, "\0.s", 4);
}

static void check(unsigned count)
{
    struct elf_view view;
    struct elf_view_section section;
    assert_true(elf_view_open(&view, bytes, sizeof bytes));
    assert_int_equal(view.type, ET_REL);
    elf_view_extend(&view);
    assert_int_equal(view.sections.count, count);
    assert_int_equal(view.names, 1);
    assert_true(elf_view_section(&view, 1, &section));
    assert_int_equal(section.offset, STRINGS);
    assert_string_equal(elf_view_string(&view, 1, section.name), ".s");
    assert_null(elf_view_string(&view, 1, 4));
    assert_null(elf_view_string(&view, 0, 0));
    assert_null(elf_view_string(&view, 2, 0));
    assert_false(elf_view_section(&view, 2, &section));
}

TEST(test_kinds)
{
    for (unsigned i = 0; i < 4; i++) {
        put_file(i & 1, i & 2, 2, 1);
        check(2);
    }
}

/* Adds a program header, and a section with a relocation, to the file. */
TEST(test_segments_and_relocations)
{
    for (unsigned i = 0; i < 4; i++) {
        put_file(i & 1, i & 2, 2, 1);
        const unsigned width = wide ? 8 : 4, tail = 24 + 3 * width + 4, at = 400;
        put(24 + width, width, at);
        put(tail + 2, 2, wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr));
        put(tail + 4, 2, 1);
        put(at, 4, PT_LOAD);
        put(at + width, width, 0x11);
        put(at + 2 * width, width, 0x22);
        put(at + 4 * width, width, 0x33);
        put(at + 5 * width, width, 0x44);
        put_section(0, 0, SHT_REL, 480, 2 * width, 1);
        put(480, width, 0x55);
        put(480 + width, width, wide ? ELF64_R_INFO(0x66, 0x77) : ELF32_R_INFO(0x66, 0x77));
        struct elf_view view;
        struct elf_view_segment segment;
        struct elf_view_section table;
        struct elf_view_relocation relocation;
        assert_true(elf_view_open(&view, bytes, sizeof bytes));
        assert_true(elf_view_has_table(&view, &view.segments));
        assert_true(elf_view_segment(&view, 0, &segment));
        assert_false(elf_view_segment(&view, 1, &segment));
        assert_int_equal(segment.type, PT_LOAD);
        assert_int_equal(segment.offset, 0x11);
        assert_int_equal(segment.address, 0x22);
        assert_int_equal(segment.stored, 0x33);
        assert_int_equal(segment.size, 0x44);
        assert_true(elf_view_section(&view, 0, &table));
        assert_true(elf_view_relocation(&view, &table, 0, &relocation));
        assert_false(elf_view_relocation(&view, &table, 1, &relocation));
        assert_int_equal(relocation.offset, 0x55);
        assert_int_equal(relocation.symbol, 0x66);
        assert_int_equal(relocation.type, 0x77);
    }
}

TEST(test_identify)
{
    struct elf_view_ident ident;
    put_file(true, true, 2, 1);
    put(18, 2, EM_MIPS);
    assert_false(elf_view_is_elf(bytes, 3));
    assert_true(elf_view_is_elf(bytes, 4));
    assert_false(elf_view_identify(bytes, 19, &ident));
    assert_true(elf_view_identify(bytes, 20, &ident));
    assert_int_equal(ident.class, ELFCLASS64);
    assert_int_equal(ident.order, ELFDATA2MSB);
    assert_int_equal(ident.machine, EM_MIPS);
    bytes[0] = 0;
    assert_false(elf_view_identify(bytes, sizeof bytes, &ident));
}

/* Section numbers that do not fit into the ELF header are in the first section header. */
TEST(test_extended)
{
    for (unsigned i = 0; i < 4; i++) {
        put_file(i & 1, i & 2, 0, SHN_XINDEX);
        put_section(0, 0, SHT_NULL, 0, 2, 1);
        check(2);
    }
}

/* Reads all sections and symbols. No access may be outside of the bytes, wherever the file ends
 * and whatever it contains. */
static void look(size_t size)
{
    struct elf_view view;
    struct elf_view_section section;
    struct elf_view_symbol symbol;
    struct elf_view_segment segment;
    struct elf_view_relocation relocation;
    if (!elf_view_open(&view, bytes, size))
        return;
    elf_view_extend(&view);
    for (uint32_t i = 0; i < 4 && elf_view_section(&view, i, &section); i++) {
        const char *name = elf_view_string(&view, view.names, section.name);
        assert_true(!name || name + strlen(name) < (const char *)bytes + size);
        elf_view_symbol(&view, &section, 0, &symbol);
        elf_view_symbol(&view, &section, UINT64_MAX, &symbol);
        elf_view_relocation(&view, &section, 0, &relocation);
        elf_view_segment(&view, i, &segment);
    }
}

TEST(test_damaged)
{
    for (unsigned i = 0; i < 4; i++)
        for (unsigned at = 0; at < STRINGS; at++) {
            put_file(i & 1, i & 2, 2, 1);
            look(at);
            for (unsigned bit = 0; bit < 8; bit++) {
                bytes[at] ^= (uint8_t)(1 << bit);
                look(sizeof bytes);
                bytes[at] ^= (uint8_t)(1 << bit);
            }
            bytes[at] = 0xff;
            look(sizeof bytes);
        }
}
