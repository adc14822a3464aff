/* SPDX-License-Identifier: MIT */
/* utf8.c - tests the decoder of UTF-8. Expected values are from Unicode 15, table 3-7 (well-formed
 * byte sequences), and RFC 2781 (UTF-16). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include "../register.h"
#include "base/utf8.h"

TEST(decodes_characters)
{
    static const struct {
        const char *text;
        size_t bytes;
        uint32_t value;
    } cases[] = {
        /* clang-format off */
        {"a",                1, 'a'},
        {"\x7f",             1, 0x7f},
        {"\xc2\x80",         2, 0x80},
        {"\xdf\xbf",         2, 0x7ff},
        {"\xe0\xa0\x80",     3, 0x800},
        {"\xef\xbf\xbf",     3, 0xffff},
        {"\xf0\x90\x80\x80", 4, 0x10000},
        {"\xf4\x8f\xbf\xbf", 4, 0x10ffff},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t value = 0;
        assert_int_equal(utf8_character(cases[i].text, &value), cases[i].bytes);
        assert_int_equal(value, cases[i].value);
    }
}

/* A lone continuation, overlong sequences, a surrogate, a value above U+10FFFF, and sequences that
 * end early. */
TEST(refuses_other_bytes)
{
    static const char *const cases[] = {
        "\x80", "\xc0\x80", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
        "\xff", "\xc3",     "\xe2\x82",     "\xf0\x9f\x98"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t value;
        assert_int_equal(utf8_character(cases[i], &value), 0);
    }
}

/* A character above U+FFFF is two units of UTF-16. */
TEST(counts_units)
{
    assert_int_equal(utf8_utf16_units("a\xc3\xa4\xf0\x9f\x98\x80\xff", 8), 5);
    assert_int_equal(utf8_utf16_units("a\xc3\xa4\xf0\x9f\x98\x80\xff", 3), 2);
}
