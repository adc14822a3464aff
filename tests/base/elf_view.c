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
    assert_int_equal(view.count, count);
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
    if (!elf_view_open(&view, bytes, size))
        return;
    for (uint32_t i = 0; i < 4 && elf_view_section(&view, i, &section); i++) {
        const char *name = elf_view_string(&view, view.names, section.name);
        assert_true(!name || name + strlen(name) < (const char *)bytes + size);
        elf_view_symbol(&view, &section, 0, &symbol);
        elf_view_symbol(&view, &section, UINT64_MAX, &symbol);
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
