/* SPDX-License-Identifier: MIT */
/* Tests of the SFU against values captured on silicon (tests/data/vc4_sfu.csv names the source). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "../../register.h"
#include "base/bits.h"
#include "csv.h"
#include "ops.h"
#include "vc4/qpu/sfu.h"

static uint32_t mul(uint32_t a, uint32_t b)
{
    return alu_mul_ops[QPU_MUL_FMUL].element(a, b).value;
}

static void check_printed(const char *x, const char *what, uint32_t value, const char *captured)
{
    char text[32];
    snprintf(text, sizeof text, "%e", (double)bits_float(value));
    if (strcmp(text, captured) != 0)
        fail_msg("%s of %s: %s, captured %s", what, x, text, captured);
}

/* Reads an input of the captured table. The inputs are 0, powers of 2 and of 10, e and pi. The
 * table prints e and pi with 7 digits. The captured inputs were the floats nearest to the exact
 * numbers. */
static float input(const char *text)
{
    const double pi = 3.14159265358979323846, e = 2.71828182845904523536;
    double value = strtod(text, NULL), magnitude = value < 0 ? -value : value;
    if (magnitude == 3.141593)
        value = value < 0 ? -pi : pi;
    if (magnitude == 2.718282)
        value = e;
    return (float)value;
}

TEST(captured_values)
{
    struct csv csv;
    unsigned rows = 0;
    csv_open(&csv, "vc4_sfu.csv");
    csv_row(&csv);
    while (csv_row(&csv)) {
        const char *text = csv.field[0];
        uint32_t x = float_bits(input(text));
        uint32_t root = sfu_element(SFU_RECIP, sfu_element(SFU_RECIPSQRT, x));
        uint32_t logarithm = sfu_element(SFU_LOG, x);
        check_printed(text, "recip(recip)", sfu_element(SFU_RECIP, sfu_element(SFU_RECIP, x)),
                      csv.field[1]);
        check_printed(text, "exp(log)", sfu_element(SFU_EXP, logarithm), csv.field[2]);
        check_printed(text, "recip(rsqrt) squared", mul(root, root), csv.field[3]);
        check_printed(text, "exp", sfu_element(SFU_EXP, x), csv.field[4]);
        check_printed(text, "log", logarithm, csv.field[5]);
        rows++;
    }
    assert_int_equal(rows, 16);
}

/* Expected values are worked out by hand from the tables in sfu.c. The inputs lie on segment
 * boundaries, where the result is the coefficient C0. */
TEST(spot_values)
{
    static const struct {
        enum sfu_function function;
        uint32_t x, result;
    } rows[] = {
        /* clang-format off */
        {SFU_EXP,       0x00000000, 0x3f800100}, /* gives 1 + 2^-15, not 1 */
        {SFU_EXP,       0x80000000, 0x3f800100},
        {SFU_EXP,       0x807fffff, 0x3f800100},
        {SFU_EXP,       0x3f800000, 0x40000100},
        {SFU_EXP,       0xbf800000, 0x3efffe00},
        {SFU_EXP,       0x43000000, 0x7f800000}, /* input 128 */
        {SFU_EXP,       0xc3000000, 0x00000000},
        {SFU_EXP,       0x7f800000, 0x7f800000},
        {SFU_EXP,       0xff800000, 0x00000000},
        {SFU_EXP,       0x7fc00000, 0x7f800000},
        {SFU_EXP,       0x42fe0000, 0x7f000100}, /* input 127 */
        {SFU_RECIP,     0x3f800000, 0x3f800000},
        {SFU_RECIP,     0xbf800000, 0xbf800000},
        {SFU_RECIP,     0x40000000, 0x3efffc00},
        {SFU_RECIP,     0x00000000, 0x7f800000},
        {SFU_RECIP,     0x80000001, 0xff800000},
        {SFU_RECIP,     0x7f800000, 0x00000000},
        {SFU_RECIP,     0xff800000, 0x80000000},
        {SFU_RECIP,     0x7e800000, 0x00000000}, /* input exponent 253 */
        /* input exponent 252: the result has 253 - 252 = 1 */
        {SFU_RECIP,     0x7e000000, 0x00fffc00},
        {SFU_RECIPSQRT, 0x3f800000, 0x3f7ffb00},
        {SFU_RECIPSQRT, 0xbf800000, 0x3f7ffb00},
        {SFU_RECIPSQRT, 0x40000000, 0x3f350100},
        {SFU_RECIPSQRT, 0x40800000, 0x3efffb00},
        {SFU_RECIPSQRT, 0x00000000, 0x7f800000},
        {SFU_RECIPSQRT, 0x80000000, 0x7f800000},
        {SFU_RECIPSQRT, 0x7f800000, 0x00000000},
        {SFU_LOG,       0x3f800000, 0x00000000},
        {SFU_LOG,       0x40000000, 0x3f800000},
        {SFU_LOG,       0xc0000000, 0x3f800000},
        {SFU_LOG,       0x40490fdb, 0x3fd36200}, /* input pi */
        {SFU_LOG,       0x00000000, 0xff800000},
        {SFU_LOG,       0x80000000, 0xff800000},
        {SFU_LOG,       0x7f800000, 0x7f800000},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t result = sfu_element(rows[i].function, rows[i].x);
        if (result != rows[i].result)
            fail_msg("function %d of %08x: %08x, expected %08x", rows[i].function, rows[i].x,
                     result, rows[i].result);
    }
}

/* The approximations agree with the functions to 12 bits, over all exponents. */
TEST(near_the_functions)
{
    for (uint32_t bits = 0x00800000; bits < 0x7f000000; bits += 49999) {
        double x = bits_float(bits), tolerance = 0.0003;
        double recip = bits_float(sfu_element(SFU_RECIP, bits));
        if (bits < 0x7e800000)
            assert_true(fabs(recip * x - 1) < tolerance);
        double root = bits_float(sfu_element(SFU_RECIPSQRT, bits));
        assert_true(fabs(root * sqrt(x) - 1) < tolerance);
        double logarithm = bits_float(sfu_element(SFU_LOG, bits));
        assert_true(fabs(logarithm - log2(x)) < tolerance * fmax(1, fabs(log2(x))));
        if (x > -120 && x < 120)
            assert_true(fabs(bits_float(sfu_element(SFU_EXP, bits)) / exp2(x) - 1) < tolerance);
    }
}

TEST(lanes_agree)
{
    lanes value, result;
    for (unsigned i = 0; i < LANES; i++)
        value[i] = 0x3e800001 + i * 0x01234567;
    for (unsigned function = SFU_RECIP; function <= SFU_LOG; function++) {
        sfu_lanes(&result, (enum sfu_function)function, &value);
        for (unsigned i = 0; i < LANES; i++)
            assert_int_equal(result[i], sfu_element((enum sfu_function)function, value[i]));
    }
}
