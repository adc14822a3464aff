/* SPDX-License-Identifier: MIT */
/* lines.c - tests line tables that were written by hand after DWARF 4 and DWARF 5, section 6.2. */
#include <string.h>

#include "../../random.h"
#include "../../register.h"
#include "base/bits.h"
#include "board/machine/lines.h"

/* Version 3: instructions of 4 bytes, line base -3, line range 12, first special opcode 10. The
 * special opcode for 1 line and 2 instructions is (1 + 3) + 12 * 2 + 10 = 38. */
static const uint8_t
    old_table
        [] =
            {
                66,   0,    0,   0,    3,    0,   33,  0,   0,   0,   4,   1,
                0xfd, 12,   10,  0,    1,    1,   1,   1,   0,   0,   0,   1, /* header */
                's',  'r',  'c', 0,    0,    'a', '/', 'm', 'a', 'i', 'n', '.',
                'c',  0,    1,   0,    0,    0,      /* files */
                0,    5,    2,   0x00, 0x80, 0,   0, /* address 0x8000 */
                3,    9,    1,                       /* 9 lines on, a row */
                38,                                  /* 1 line and 2 instructions on, a row */
                3,    0x7a, 8,   1,                  /* 6 lines back, as far as opcode 255, a row */
                2,    1,    0,   1,    1,            /* an instruction on, the end */
};

static void check_line(const struct lines *lines, uint64_t address, const char *file, uint32_t line)
{
    const char *found_file;
    uint32_t found_line;
    assert_int_equal(lines_find(lines, address, &found_file, &found_line), file != NULL);
    if (file)
        assert_string_equal(found_file, file);
    else
        assert_null(found_file);
    assert_int_equal(found_line, line);
}

TEST(version_3)
{
    struct lines lines = {0};
    uint8_t table[sizeof old_table];
    memcpy(table, old_table, sizeof table);
    store_le32(table, sizeof table - 4);
    store_le32(table + 6, 42 - 10);
    const struct lines_sections sections = {.line = {table, sizeof table}};
    lines_read(&lines, &sections);
    check_line(&lines, 0x7fff, NULL, 0);
    check_line(&lines, 0x8000, "main.c", 10);
    check_line(&lines, 0x8004, "main.c", 10);
    check_line(&lines, 0x8008, "main.c", 11);
    /* Opcode 255 is special opcode 245, which is 20 instructions. */
    check_line(&lines, 0x8008 + 80, "main.c", 5);
    check_line(&lines, 0x8008 + 84, NULL, 0);
    lines_free(&lines);
}

static const char line_strings[] = "/src\0main.c\0list.c";

/* Version 5: files count from 0. */
static const uint8_t new_table[] = {
    0, 0, 0,    0,    5,    0, 4, 0, 0, 0, 0, 0,    4, 1, 1, 0xfd, 12, 10,
    0, 1, 1,    1,    1,    0, 0, 0, 1, 1, 1, 0x1f, 1, 0, 0, 0,    0, /* folders: a path */
    2, 1, 0x1f, 2,    0x0b, 2, 5, 0, 0, 0, 0, 12,   0, 0, 0, 0,       /* files: a path, a folder */
    0, 5, 2,    0x00, 0x90, 0, 0, 1, /* address 0x9000, a row of file 1 */
    4, 0, 38,                        /* file 0, and a row as above */
    2, 4, 0,    1,    1,             /* 4 instructions on, the end */
};

TEST(version_5)
{
    struct lines lines = {0};
    uint8_t table[sizeof new_table];
    memcpy(table, new_table, sizeof table);
    store_le32(table, sizeof table - 4);
    store_le32(table + 8, 51 - 12);
    const struct lines_sections sections = {
        .line = {table, sizeof table},
        .line_strings = {(const uint8_t *)line_strings, sizeof line_strings}};
    lines_read(&lines, &sections);
    check_line(&lines, 0x9000, "list.c", 1);
    check_line(&lines, 0x9008, "main.c", 2);
    check_line(&lines, 0x9017, "main.c", 2);
    check_line(&lines, 0x9018, NULL, 0);
    lines_free(&lines);
}

/* Damaged tables are read without an access outside of them. */
TEST(damage)
{
    uint32_t seed = 5;
    for (unsigned i = 0; i < 20000; i++) {
        struct lines lines = {0};
        uint8_t table[sizeof new_table + sizeof old_table];
        memcpy(table, new_table, sizeof new_table);
        memcpy(table + sizeof new_table, old_table, sizeof old_table);
        store_le32(table, sizeof new_table - 4);
        store_le32(table + 8, 51 - 12);
        for (unsigned n = 0; n < 3; n++)
            table[next_random(&seed) % sizeof table] = (uint8_t)next_random(&seed);
        const struct lines_sections sections = {
            .line = {table, next_random(&seed) % (sizeof table + 1)},
            .strings = {table, sizeof table},
            .line_strings = {(const uint8_t *)line_strings, sizeof line_strings}};
        lines_read(&lines, &sections);
        lines_free(&lines);
    }
}
