/* SPDX-License-Identifier: MIT */
/* Tests of the QPU's arithmetic. Results are compared with values captured on silicon
 * (tests/data/vc4_alu.csv names the source), and the results of the two implementations with
 * each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "../../register.h"
#include "csv.h"
#include "operands.h"
#include "ops.h"
#include "vc4/qpu/fpmode.h"

static void splat(lanes *out, uint32_t value)
{
    for (unsigned i = 0; i < LANES; i++)
        (*out)[i] = value;
}

static void run_lanes(const struct alu_op *op, lanes *result, const lanes *a, const lanes *b)
{
    struct fpmode mode;
    fpmode_enter(&mode);
    op->lanes(result, a, b);
    fpmode_leave(&mode);
}

static void flags_text(char *text, const struct alu_result *result)
{
    if (result->value >> 31)
        *text++ = 'n';
    if (result->carry)
        *text++ = 'c';
    if (result->value == 0)
        *text++ = 'z';
    *text = '\0';
}

TEST(captured_values)
{
    struct csv csv;
    unsigned rows = 0;
    csv_open(&csv, "vc4_alu.csv");
    csv_row(&csv); /* skips the column names */
    while (csv_row(&csv)) {
        const struct named_op *named = find_op(csv.field[0]);
        assert_non_null(named);
        const struct alu_op *op = op_of(named);
        uint32_t a = csv_hex(&csv, 1), b = csv_hex(&csv, 2), expected = csv_hex(&csv, 3);
        struct alu_result result = op->element(a, b);
        char flags[4];
        flags_text(flags, &result);
        if (result.value != expected || (!named->mul && strcmp(flags, csv.field[5]) != 0))
            fail_msg("%s %08x %08x: %08x %s, captured %08x %s", named->name, a, b, result.value,
                     flags, expected, csv.field[5]);

        lanes x, y, r;
        splat(&x, a);
        splat(&y, b);
        run_lanes(op, &r, &x, &y);
        assert_int_equal(r[0], expected);
        assert_int_equal(r[15], expected);
        rows++;
    }
    assert_int_equal(rows, 24 * 225 + 4 * 15);
}

static void compare(const struct named_op *named, const lanes *a, const lanes *b)
{
    const struct alu_op *op = op_of(named);
    lanes result;
    run_lanes(op, &result, a, b);
    lane_mask carry = op->carry ? op->carry(a, b, &result) : 0;
    lane_mask negative = alu_negative(&result), zero = alu_zero(&result);
    for (unsigned i = 0; i < LANES; i++) {
        struct alu_result one = op->element((*a)[i], (*b)[i]);
        if (result[i] != one.value)
            fail_msg("%s %08x %08x: lanes %08x, element %08x", named->name, (*a)[i], (*b)[i],
                     result[i], one.value);
        assert_int_equal(carry >> i & 1, one.carry);
        assert_int_equal(negative >> i & 1, one.value >> 31);
        assert_int_equal(zero >> i & 1, one.value == 0);
    }
    lanes in_place = *a;
    run_lanes(op, &in_place, &in_place, b);
    assert_memory_equal(&in_place, &result, sizeof result);
}

TEST(edges_agree)
{
    for (size_t op = 0; op < NAMED_OPS; op++)
        for (size_t i = 0; i < EDGES; i++)
            for (size_t j = 0; j < EDGES; j += LANES) {
                lanes a, b;
                splat(&a, edges[i]);
                for (size_t k = 0; k < LANES; k++)
                    b[k] = edges[(j + k) % EDGES];
                compare(&named_ops[op], &a, &b);
            }
}

TEST(random_agree)
{
    uint64_t seed = 0x9e3779b97f4a7c15;
    for (unsigned round = 0; round < 8000; round++) {
        lanes a, b;
        random_operands(&seed, &a, &b);
        for (size_t op = 0; op < NAMED_OPS; op++)
            compare(&named_ops[op], &a, &b);
    }
}

/* Returns a double rounded toward zero to a float. A double holds products and most sums
 * exactly. */
static uint32_t truncated(double exact)
{
    float nearest = (float)exact;
    uint32_t bits;
    memcpy(&bits, &nearest, sizeof bits);
    double magnitude = exact < 0 ? -exact : exact, rounded = nearest < 0 ? -nearest : nearest;
    return rounded > magnitude ? bits - 1 : bits;
}

static float as_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

TEST(reference_truncates)
{
    uint64_t seed = 42;
    for (unsigned round = 0; round < 500000; round++) {
        uint64_t word = next_random64(&seed);
        /* Exponents are in 2^-12 .. 2^12, so the exact sum fits the 53 bits of a double. */
        uint32_t a = ((uint32_t)word & 0x807fffff) | (uint32_t)(115 + (word >> 32 & 0xff) % 25)
                                                         << 23;
        uint32_t b = ((uint32_t)(word >> 20) & 0x807fffff) |
                     (uint32_t)(115 + (word >> 40 & 0xff) % 25) << 23;
        double x = as_float(a), y = as_float(b);
        if (x + y != 0)
            assert_int_equal(alu_add_ops[QPU_ADD_FADD].element(a, b).value, truncated(x + y));
        if (x - y != 0)
            assert_int_equal(alu_add_ops[QPU_ADD_FSUB].element(a, b).value, truncated(x - y));
        assert_int_equal(alu_mul_ops[QPU_MUL_FMUL].element(a, b).value, truncated(x * y));
        int32_t whole = (int32_t)word;
        if (whole != 0)
            assert_int_equal(alu_add_ops[QPU_ADD_ITOF].element((uint32_t)whole, 0).value,
                             truncated(whole));
        assert_int_equal(alu_add_ops[QPU_ADD_FTOI].element(a, 0).value, (uint32_t)(int32_t)x);
    }
}

/* Corner cases. Expected values are worked out by hand from the rules of docs/vc4/qpu.md. */
TEST(corners)
{
    static const struct {
        bool mul;
        unsigned op;
        uint32_t a, b, value;
        const char *why;
    } rows[] = {
        /* clang-format off */
        /* clang-format off */
        {false, QPU_ADD_FADD,  0x3f800000, 0x90000000, 0x3f7fffff,
         "1 - tiny: truncation is perfect"},
        {false, QPU_ADD_FADD,  0x7f7fffff, 0x7f7fffff, 0x7f800000,
         "overflow is infinite, not FLT_MAX"},
        {false, QPU_ADD_FADD,  0xff7fffff, 0xff7fffff, 0xff800000, "overflow keeps the sign"},
        {false, QPU_ADD_FADD,  0x80000000, 0x80000000, 0x00000000, "-0 is flushed"},
        {false, QPU_ADD_FADD,  0x00800001, 0x80800000, 0x00000000,
         "a denormal difference is flushed"},
        {false, QPU_ADD_FADD,  0x7f800000, 0xff800000, 0xff800000, "infinities: b decides"},
        {false, QPU_ADD_FSUB,  0x00000000, 0x7fc00000, 0xff800000, "NaN acts as infinity"},
        {false, QPU_ADD_FADD,  0x7fc00000, 0x3f800000, 0x7f800000, "NaN acts as infinity"},
        {false, QPU_ADD_FMIN,  0x80000000, 0x00000000, 0x80000000, "equal: fmin gives a"},
        {false, QPU_ADD_FMAX,  0x80000000, 0x00000000, 0x00000000, "equal: fmax gives b"},
        {false, QPU_ADD_FMAX,  0x00000001, 0x00000001, 0x00000001, "fmax copies denormals"},
        {false, QPU_ADD_FTOI,  0x4f000000, 0,          0x80000000, "2^31"},
        {false, QPU_ADD_FTOI,  0x4f7fffff, 0,          0xffffff00, "below 2^32"},
        {false, QPU_ADD_FTOI,  0xcf7fffff, 0,          0x00000100, "negated"},
        {false, QPU_ADD_FTOI,  0x4f800000, 0,          0,          "2^32"},
        {false, QPU_ADD_CLZ,   0,          0,          32,         "no bit set"},
        {true,  QPU_MUL_FMUL,  0x00000001, 0x7f800000, 0x00000000, "zero wins over infinity"},
        {true,  QPU_MUL_FMUL,  0x80800000, 0x3f000000, 0x00000000, "underflow loses its sign"},
        {true,  QPU_MUL_FMUL,  0xff000000, 0x7f000000, 0xff800000, "overflow"},
        {true,  QPU_MUL_MUL24, 0xff000002, 0x00ffffff, 0x01fffffe, "24 bits in, 32 bits out"},
        {true,  QPU_MUL_V8MULD, 0xff807f01, 0xffffff80, 0xff807f01,
         "x * 255 / 255; 128 / 255 run_ahead to 1"},
        /* clang-format on */
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct alu_op *op = rows[i].mul ? &alu_mul_ops[rows[i].op] : &alu_add_ops[rows[i].op];
        if (op->element(rows[i].a, rows[i].b).value != rows[i].value)
            fail_msg("%s: %08x", rows[i].why, op->element(rows[i].a, rows[i].b).value);
    }
}

TEST(all_byte_products)
{
    for (uint32_t x = 0; x < 256; x++)
        for (uint32_t y = 0; y < 256; y += 4) {
            lanes a, b;
            splat(&a, x * 0x01010101);
            splat(&b, y | (y + 1) << 8 | (y + 2) << 16 | (y + 3) << 24);
            compare(find_op("v8muld"), &a, &b);
        }
}

TEST(select_takes_masked_elements)
{
    lanes to, from;
    splat(&to, 1);
    splat(&from, 2);
    alu_select(&to, &from, 0x8005);
    for (unsigned i = 0; i < LANES; i++)
        assert_int_equal(to[i], 0x8005 >> i & 1 ? 2 : 1);
}

TEST(reserved_opcodes_are_absent)
{
    static const unsigned reserved[] = {9, 10, 11, 25, 26, 27, 28, 29};
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
        assert_null(alu_add_ops[reserved[i]].element);
}

TEST(host_mode_is_restored)
{
    volatile float third = 1.0f, three = 3.0f;
    float before = third / three;
    struct fpmode mode;
    fpmode_enter(&mode);
    fpmode_leave(&mode);
    assert_true(before == third / three);
}
