/* SPDX-License-Identifier: MIT */
/* Tests of pack and unpack against values captured on silicon (tests/data/vc4_pack.csv and
 * vc4_unpack.csv name the source), and of the colour conversion, which has no captured values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "../../register.h"
#include "csv.h"
#include "ops.h"
#include "vc4/qpu/pack.h"

static bool gives_float(const struct named_op *named)
{
    return named->mul ? named->code == QPU_MUL_FMUL
                      : named->code == QPU_ADD_ITOF ||
                            (named->code >= QPU_ADD_FADD && named->code <= QPU_ADD_FMAXABS);
}

TEST(captured_packs)
{
    struct csv csv;
    unsigned values = 0, modes[CSV_FIELDS];
    csv_open(&csv, "vc4_pack.csv");
    csv_row(&csv);
    assert_int_equal(csv.fields, 19);
    for (unsigned i = 4; i < csv.fields; i++)
        modes[i] = (unsigned)atoi(csv.field[i]);
    while (csv_row(&csv)) {
        const struct named_op *named = find_op(csv.field[0]);
        struct alu_result result = op_of(named)->element(csv_hex(&csv, 1), csv_hex(&csv, 2));
        assert_int_equal(result.value, csv_hex(&csv, 3));
        struct pack_input input = {result.value, gives_float(named), result.carry, result.overflow};
        for (unsigned i = 4; i < csv.fields; i++, values++) {
            uint32_t packed = pack_element(modes[i], input, 0);
            if (packed != csv_hex(&csv, i))
                fail_msg("%s %s %s, mode %u: %08x, captured %s", named->name, csv.field[1],
                         csv.field[2], modes[i], packed, csv.field[i]);
        }
    }
    assert_int_equal(values, 5460 * 15);
}

TEST(captured_unpacks)
{
    struct csv csv;
    unsigned rows = 0;
    csv_open(&csv, "vc4_unpack.csv");
    csv_row(&csv);
    while (csv_row(&csv)) {
        uint32_t value = csv_hex(&csv, 0);
        for (unsigned mode = 0; mode < 8; mode++)
            assert_int_equal(unpack_element(mode, false, value), csv_hex(&csv, 1 + mode));
        for (unsigned mode = 1; mode < 8; mode++)
            assert_int_equal(unpack_element(mode, true, value), csv_hex(&csv, 8 + mode));
        rows++;
    }
    assert_int_equal(rows, 15);
}

/* Returns b / 255, truncated to 24 significant bits, by long division. */
static uint32_t quotient(uint32_t byte)
{
    if (byte == 0)
        return 0;
    uint64_t scaled = (uint64_t)byte << 40;
    uint64_t value = scaled / 255;
    int top = 63 - __builtin_clzll(value);
    return (uint32_t)(top - 40 + 127) << 23 | ((uint32_t)(value >> (top - 23)) & 0x7fffff);
}

TEST(every_byte_as_colour)
{
    for (uint32_t byte = 0; byte < 256; byte++)
        assert_int_equal(unpack_element(4, true, byte), quotient(byte));
    assert_int_equal(unpack_element(7, true, 0xff000000), 0x3f800000);
}

TEST(every_half)
{
    for (uint32_t half = 0; half < 0x10000; half++) {
        uint32_t wide = unpack_element(1, true, half);
        assert_int_equal(unpack_element(2, true, half << 16), wide);
        uint32_t exponent = half >> 10 & 31;
        struct pack_input input = {wide, true, false, false};
        uint32_t back = pack_element(1, input, 0);
        if (exponent == 0)
            assert_int_equal(back, 0);
        else if (exponent == 31)
            assert_int_equal(back, (half & 0x8000) | 0x7c00);
        else
            assert_int_equal(back, half);
    }
}

/* Conversions to 16-bit floats. Expected values follow from the rules of docs/vc4/qpu.md. */
TEST(halves)
{
    static const struct {
        uint32_t value, half;
    } rows[] = {
        /* clang-format off */
        {0x3f7fffff, 0x3c00}, /* rounds to nearest */
        {0x46fffe00, 0x7800}, /* 32767 */
        {0x3f801000, 0x3c01}, /* a tie is rounded away from zero */
        {0x3f800fff, 0x3c00},
        {0xbf801000, 0xbc01},
        {0x477fefff, 0x7bff}, /* the largest half */
        {0x477ff000, 0x7c00},
        {0xff7fffff, 0xfc00},
        {0x7fc00000, 0x7c00},
        {0x38800000, 0x0400},
        {0x387fe000, 0x0000}, /* the half would be denormal: flushed to 0 */
        {0x80000000, 0x0000},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pack_input input = {rows[i].value, true, false, false};
        assert_int_equal(pack_element(1, input, 0), rows[i].half);
        assert_int_equal(pack_element(10, input, 0), rows[i].half << 16);
    }
}

TEST(partial_packs_keep_the_rest)
{
    const uint32_t old = 0x11223344;
    struct pack_input input = {0xaabbccdd, false, false, false};
    assert_int_equal(pack_element(1, input, old), 0x1122ccdd);
    assert_int_equal(pack_element(2, input, old), 0xccdd3344);
    assert_int_equal(pack_element(4, input, old), 0x112233dd);
    assert_int_equal(pack_element(5, input, old), 0x1122dd44);
    assert_int_equal(pack_element(6, input, old), 0x11dd3344);
    assert_int_equal(pack_element(7, input, old), 0xdd223344);
    assert_int_equal(pack_element(3, input, old), 0xdddddddd);
    assert_int_equal(pack_element(12, input, old), 0x11223300);
    assert_int_equal(pack_mul_element(6, 0x3f800000, old), 0x11ff3344);
    assert_int_equal(pack_mul_element(3, 0x3f800000, old), 0xffffffff);
    assert_int_equal(pack_mul_element(0, 0x3f800000, old), 0x3f800000);
    assert_int_equal(pack_mul_element(1, 0x3f800000, old), 0);
    /* Bit 3 selects saturation, which this conversion has in any case. */
    assert_int_equal(pack_mul_element(14, 0x3f800000, old), 0x11ff3344);
    assert_int_equal(pack_mul_element(11, 0x3f800000, old), 0xffffffff);
}

/* The colour is floor(255 f + 1/2). A double holds 255 f exactly. */
TEST(colours_round_to_nearest)
{
    for (uint32_t bits = 0x3a000000; bits < 0x3f800000; bits += 1237) {
        float value;
        memcpy(&value, &bits, sizeof value);
        assert_int_equal(pack_colour(bits), (uint32_t)((double)value * 255 + 0.5));
    }
    assert_int_equal(pack_colour(0x3f800000), 255);
    assert_int_equal(pack_colour(0x7f800000), 255);
    assert_int_equal(pack_colour(0x7fffffff), 255);
    assert_int_equal(pack_colour(0), 0);
    assert_int_equal(pack_colour(1), 0);
    assert_int_equal(pack_colour(0x00800000), 0);
    assert_int_equal(pack_colour(0xbf800000), 0);
    assert_int_equal(pack_colour(0x80000000), 0);
    assert_int_equal(pack_colour(0x3b008080), 0); /* the input is just below 1/510 */
    assert_int_equal(pack_colour(0x3b008081), 1);
}

TEST(lanes_agree)
{
    lanes value, old, result;
    for (unsigned i = 0; i < LANES; i++) {
        value[i] = 0x3e800001 + i * 0x01234567;
        old[i] = ~value[i];
    }
    for (unsigned mode = 0; mode < 8; mode++) {
        for (unsigned as_float = 0; as_float < 2; as_float++) {
            unpack_lanes(&result, mode, as_float, &value);
            for (unsigned i = 0; i < LANES; i++)
                assert_int_equal(result[i], unpack_element(mode, as_float, value[i]));
        }
        pack_mul_lanes(&result, mode, &value, &old);
        for (unsigned i = 0; i < LANES; i++)
            assert_int_equal(result[i], pack_mul_element(mode, value[i], old[i]));
    }
}
