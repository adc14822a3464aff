/* SPDX-License-Identifier: MIT */
/* number.c - conversion of floats from and to text. Results are compared with those of the C
 * library, and with a few cases worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../random.h"
#include "../register.h"
#include "base/bits.h"
#include "cli/number.h"

enum { ROUNDS = 1000000 };

static uint64_t state = 1;

static void check_print(float value)
{
    char text[NUMBER_TEXT + 1], wanted[NUMBER_TEXT];
    float again;
    size_t length = number_print(text, value);
    text[length] = 0;
    snprintf(wanted, sizeof wanted, "%.9g", (double)value);
    assert_string_equal(text, isnan(value) ? "nan" : wanted);
    assert_true(number_parse(text, length, &again));
    if (!isnan(value))
        assert_int_equal(float_bits(again), float_bits(value));
}

TEST(test_print)
{
    for (unsigned i = 0; i < ROUNDS; i++)
        check_print(bits_float((uint32_t)next_random64(&state)));
    for (int power = -50; power <= 40; power++)
        for (uint32_t near = 0; near < 7; near++)
            check_print(bits_float(float_bits((float)pow(10, power)) + near - 3));
    for (uint32_t i = 0; i < 100000; i++)
        check_print((float)i / 100);
}

static void check_parse(const char *text)
{
    float value = 0, wanted = strtof(text, NULL);
    if (isinf(wanted)) {
        assert_false(number_parse(text, strlen(text), &value));
        return;
    }
    assert_true(number_parse(text, strlen(text), &value));
    assert_int_equal(float_bits(value), float_bits(wanted));
}

/* Tests decimals of all lengths and magnitudes, midpoints of two floats, and decimals next to a
 * midpoint, where one more digit decides the rounding. */
TEST(test_parse)
{
    char text[200];
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint64_t bits = next_random64(&state);
        int digits = (int)(bits & 31), power = (int)(bits >> 5 & 127) - 64;
        snprintf(text, sizeof text, "%.*e", digits,
                 (double)(int64_t)next_random64(&state) * pow(10, power - 18));
        check_parse(text);
        snprintf(text, sizeof text, "%.*f", digits, (double)(int32_t)bits / 65536);
        check_parse(text);
    }
    for (unsigned i = 0; i < ROUNDS / 10; i++) {
        float value = bits_float((uint32_t)next_random64(&state) & 0x7f7fffff);
        double middle = ((double)value + (double)nextafterf(value, INFINITY)) / 2;
        snprintf(text, sizeof text, "%.150g", middle);
        check_parse(text);
        snprintf(text, sizeof text, "%.15g", middle);
        check_parse(text);
    }
}

TEST(test_by_hand)
{
    static const struct {
        const char *text;
        uint32_t bits;
    } good[] = {
        /* clang-format off */
        /* clang-format off */
        {"1",            0x3f800000},
        {"-0.0",         0x80000000},
        {"+1e0",         0x3f800000},
        {".5",           0x3f000000},
        {"2.",           0x40000000},
        {"16777217",     0x4b800000}, /* a midpoint: rounded to even */
        {"16777219",     0x4b800002},
        {"0x3f800000",   0x3f800000},
        {"0X1",          0x00000001},
        {"0x1p-1",       0x3f000000},
        {"inf",          0x7f800000},
        {"-infinity",    0xff800000},
        {"1e-45",        0x00000001},
        {"1e-60",        0x00000000},
        {"3.4028235e38", 0x7f7fffff},
        /* clang-format on */
        /* clang-format on */
    };
    static const char *const bad[] = {"",      " ",           "-",   "+",    ".",      "e5",
                                      "1e",    "1e+",         "1x",  "1 ",   " 1",     "1,2",
                                      "0x",    "0x123456789", "0xg", "1e39", "-1e999", "--1",
                                      "1.2.3", "1e5.0",       "\t1", "nan1"};
    float value;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(number_parse(good[i].text, strlen(good[i].text), &value));
        assert_int_equal(float_bits(value), good[i].bits);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(number_parse(bad[i], strlen(bad[i]), &value));
    assert_true(number_parse("12345", 2, &value)); /* the length limits the text */
    assert_true(value == 12);
    assert_false(number_parse("1\0002", 3, &value));
    assert_false(number_parse("0x1\0002", 5, &value));
}

/* Values of IEEE 754 binary16: 1, -2, the largest, the smallest, infinity, NaN. */
TEST(test_half)
{
    assert_true(number_from_half(0x3c00) == 1);
    assert_true(number_from_half(0xc000) == -2);
    assert_true(number_from_half(0x7bff) == 65504);
    assert_true(number_from_half(0x0001) == 0x1p-24F);
    assert_true(number_from_half(0x03ff) == 1023 * 0x1p-24F);
    assert_true(number_from_half(0x0400) == 0x1p-14F);
    assert_true(signbit(number_from_half(0x8000)));
    assert_true(isinf(number_from_half(0x7c00)));
    assert_true(isnan(number_from_half(0x7c01)));
}

/* All halves must be the same after conversion to float and back. A midpoint of two halves is
 * rounded to even. */
TEST(test_to_half)
{
    for (uint32_t bits = 0; bits < 0x10000; bits++)
        if (!isnan(number_from_half((uint16_t)bits)))
            assert_int_equal(number_to_half(number_from_half((uint16_t)bits)), bits);
    assert_true(isnan(number_from_half(number_to_half(NAN))));
    assert_int_equal(number_to_half(1 + 0x1p-11F), 0x3c00);
    assert_int_equal(number_to_half(1 + 0x3p-11F), 0x3c02);
    assert_int_equal(number_to_half(-0x1p-25F), 0x8000);
    assert_int_equal(number_to_half(0x3p-25F), 0x0002);
    assert_int_equal(number_to_half(65519.0F), 0x7bff);
    assert_int_equal(number_to_half(65520.0F), 0x7c00);
}
