/* SPDX-License-Identifier: MIT */
/* complex.c - tests the functions of the complex unit. They must be correctly rounded for all
 * mantissas, in the portable and the native build of the code.
 *
 * The reference is the C library's functions for long double. Their errors are thousands of times
 * smaller than the distance of any exact result from the midpoint of two floats. Special cases
 * follow docs/hardware/utgard.md, section 9. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../register.h"
#include "base/bits.h"
#include "mali/gp/step.h"

enum { INFINITE = 0x7f800000, NAN_BITS = 0x7fc00000, ONE = 0x3f800000, OCTAVE = 1 << 23 };

/* A machine in which only the operand and the result are used. */
struct bench {
    gp_lanes in, out;
    struct gp_machine machine;
};

static void apply(gp_handler *handler, struct bench *bench)
{
    const struct gp_step step = {.to = GP_REF(GP_BASE_MEMORY, offsetof(struct bench, out)),
                                 .a = GP_REF(GP_BASE_MEMORY, offsetof(struct bench, in)),
                                 .b = GP_REF(GP_BASE_MEMORY, offsetof(struct bench, in))};
    bench->machine.base[GP_BASE_MEMORY] = (uint8_t *)bench;
    handler(&bench->machine, &step);
}

static struct bench *new_bench(uint32_t flush)
{
    struct bench *bench = aligned_alloc(64, (sizeof *bench + 63) / 64 * 64);
    assert_non_null(bench);
    memset(bench, 0, sizeof *bench);
    bench->machine.flush = flush;
    return bench;
}

typedef uint32_t reference(uint32_t bits);

/* Compares `count` operands with the reference. Their bits are consecutive numbers from first
 * on. */
static void compare(const char *name, gp_handler *portable, gp_handler *native, reference *expect,
                    uint32_t first, uint32_t count)
{
    struct bench *a = new_bench(0), *b = new_bench(0);
    for (uint32_t done = 0; done < count; done += GP_LANES) {
        for (unsigned lane = 0; lane < GP_LANES; lane++)
            a->in[lane] = b->in[lane] = first + done + lane;
        apply(portable, a);
        apply(native, b);
        for (unsigned lane = 0; lane < GP_LANES; lane++) {
            uint32_t bits = first + done + lane, wanted = expect(bits);
            if (a->out[lane] != wanted || b->out[lane] != wanted)
                fail_msg("%s(%08x) is %08x and %08x, not %08x", name, bits, a->out[lane],
                         b->out[lane], wanted);
        }
    }
    free(a);
    free(b);
}

#define COMPARE(name, expect, first, count) \
    compare(#name, gp_handlers_portable.name, gp_handlers_native()->name, expect, first, count)

static uint32_t exact_rcp(uint32_t bits)
{
    return float_bits((float)(1.0L / (long double)bits_float(bits)));
}

static uint32_t exact_rsqrt(uint32_t bits)
{
    return float_bits((float)(1.0L / sqrtl((long double)bits_float(bits))));
}

static uint32_t exact_exp2(uint32_t bits)
{
    long double fraction = (long double)(bits % OCTAVE) / OCTAVE;
    return float_bits((float)ldexpl(exp2l(fraction), (int)(bits / OCTAVE) - 127));
}

static uint32_t exact_log2(uint32_t bits)
{
    return (uint32_t)llrintl((log2l((long double)bits_float(bits)) + 127) * OCTAVE);
}

TEST(test_rcp)
{
    COMPARE(rcp, exact_rcp, ONE, OCTAVE);
}

/* Even and odd exponents are both tested, because their results have different mantissas. */
TEST(test_rsqrt)
{
    COMPARE(rsqrt, exact_rsqrt, ONE, 2 * OCTAVE);
}

TEST(test_exp2)
{
    COMPARE(exp2, exact_exp2, ONE, OCTAVE);
}

TEST(test_log2)
{
    COMPARE(log2, exact_log2, ONE, OCTAVE);
}

/* Tests all exponents, with a few mantissas each. */
TEST(test_exponents)
{
    for (uint32_t exponent = 1; exponent < 255; exponent++)
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t first = exponent * OCTAVE + i * (OCTAVE / 4);
            COMPARE(rcp, exact_rcp, first, GP_LANES);
            COMPARE(rsqrt, exact_rsqrt, first, GP_LANES);
            COMPARE(exp2, exact_exp2, first, GP_LANES);
            COMPARE(log2, exact_log2, first, GP_LANES);
        }
}

/* If denormals are kept, they are operands and results like other numbers. */
TEST(test_denormals)
{
    COMPARE(rcp, exact_rcp, 0x00200001, GP_LANES);
    COMPARE(rsqrt, exact_rsqrt, 1, 4 * GP_LANES);
    COMPARE(log2, exact_log2, 1, 4 * GP_LANES);
    COMPARE(exp2, exact_exp2, 1, 4 * GP_LANES);
    COMPARE(exp2, exact_exp2, OCTAVE / 2, GP_LANES);
}

/* --- preexp2 and postlog2 --- */

/* Returns 2^23 (x + 127), rounded to the nearest integer, ties to even. */
static uint32_t exact_preexp2(uint32_t bits)
{
    return (uint32_t)llrintl((long double)bits_float(bits) * OCTAVE) + 127u * OCTAVE;
}

static uint32_t exact_postlog2(uint32_t bits)
{
    return float_bits((float)(((long double)(int32_t)bits - 127.0L * OCTAVE) / OCTAVE));
}

TEST(test_conversions)
{
    for (uint32_t exponent = 1; exponent < 133; exponent++)
        for (uint32_t sign = 0; sign < 2; sign++)
            COMPARE(preexp2, exact_preexp2, sign << 31 | (exponent * OCTAVE + OCTAVE / 3),
                    4 * GP_LANES);
    COMPARE(preexp2, exact_preexp2, 0x33800000, OCTAVE / 64);  /* from half of the smallest
                                                                  result on */
    COMPARE(preexp2, exact_preexp2, 0xc2fbfff0, GP_LANES / 2); /* operands down to -126 */
    for (uint32_t bits = 1000; bits < INFINITE; bits += 0x00345678)
        COMPARE(postlog2, exact_postlog2, bits, GP_LANES);
}

/* --- special cases --- */

static void check_value(const char *name, gp_handler *handler, uint32_t bits, uint32_t wanted)
{
    struct bench *bench = new_bench(0x7fffffff);
    bench->in += bits;
    apply(handler, bench);
    if (bench->out[0] != wanted || bench->out[GP_LANES - 1] != wanted)
        fail_msg("%s(%08x) is %08x, not %08x", name, bits, bench->out[0], wanted);
    free(bench);
}

#define VALUE(name, bits, wanted)                                                 \
    do {                                                                          \
        check_value(#name, gp_handlers_portable.name, bits, wanted);              \
        check_value(#name " (native)", gp_handlers_native()->name, bits, wanted); \
    } while (0)

TEST(test_special)
{
    const uint32_t minus = 0x80000000;
    VALUE(rcp, 0, INFINITE);
    VALUE(rcp, minus, minus | INFINITE);
    VALUE(rcp, INFINITE, 0);
    VALUE(rcp, minus | INFINITE, minus);
    VALUE(rcp, 0x7f000000, 0); /* 2^-127 is a denormal */
    VALUE(rcp, 0xffc00001, NAN_BITS);
    VALUE(rsqrt, 0, INFINITE);
    VALUE(rsqrt, minus, minus | INFINITE);
    VALUE(rsqrt, INFINITE, 0);
    VALUE(rsqrt, 0xbf800000, NAN_BITS);
    VALUE(rsqrt, minus | INFINITE, NAN_BITS);
    VALUE(rsqrt, 0x7f812345, NAN_BITS);
    VALUE(log2, 0, minus); /* postlog2 converts these bits to minus infinity */
    VALUE(log2, minus, minus);
    VALUE(log2, INFINITE, INFINITE);
    VALUE(log2, 0xbf800000, NAN_BITS);
    VALUE(log2, minus | INFINITE, NAN_BITS);
    VALUE(log2, 0xffc00001, NAN_BITS);
    VALUE(postlog2, minus, minus | INFINITE);
    VALUE(postlog2, INFINITE, INFINITE);
    VALUE(postlog2, NAN_BITS, NAN_BITS);
    VALUE(postlog2, 127u * OCTAVE, 0);
    VALUE(preexp2, 0, 127u * OCTAVE);
    VALUE(preexp2, 0xc2fe0000, 0); /* operand -127 */
    VALUE(preexp2, 0xc3fa0000, 0); /* operand -500 */
    VALUE(preexp2, minus | INFINITE, 0);
    VALUE(preexp2, 0x43000000, INFINITE); /* operand 128 */
    VALUE(preexp2, INFINITE, INFINITE);
    VALUE(preexp2, 0x7fc12345, NAN_BITS);
    VALUE(exp2, 0, 0);
    VALUE(exp2, 0x12345, 0); /* a denormal is flushed */
    VALUE(exp2, 0xbf800000, 0);
    VALUE(exp2, INFINITE, INFINITE);
    VALUE(exp2, NAN_BITS, NAN_BITS);
}

/* --- errors of whole functions, as listed in docs/utgard/gp.md --- */

static double error_in_ulp(uint32_t got, long double exact)
{
    int exponent;
    frexpl(exact, &exponent);
    return (double)fabsl(((long double)bits_float(got) - exact) / ldexpl(1, exponent - 24));
}

/* Returns the largest error of 2^x, computed by preexp2 and exp2, for all x of an octave. */
static double worst_exp2(uint32_t first)
{
    struct bench *bench = new_bench(0);
    double worst = 0;
    for (uint32_t done = 0; done < OCTAVE; done += GP_LANES) {
        for (unsigned lane = 0; lane < GP_LANES; lane++)
            bench->in[lane] = first + done + lane;
        apply(gp_handlers_native()->preexp2, bench);
        bench->in = bench->out;
        apply(gp_handlers_native()->exp2, bench);
        for (unsigned lane = 0; lane < GP_LANES; lane += 5) {
            long double x = (long double)bits_float(first + done + lane);
            double error = error_in_ulp(bench->out[lane], exp2l(x));
            worst = error > worst ? error : worst;
        }
    }
    free(bench);
    return worst;
}

/* For x below 1, the rounding in preexp2 causes a relative error of up to 2^-24 ln 2. The
 * mantissa is below 2. */
TEST(test_error_of_exp2)
{
    double below = worst_exp2(0x3f000000), above = worst_exp2(ONE);
    print_message("exp2: %.3f ulp for 0.5 to 1, %.3f for 1 to 2\n", below, above);
    assert_true(below > 0.9 && below <= 1.2);
    assert_true(above <= 0.5001);
}

/* The integer logarithm is a multiple of 2^-23. */
TEST(test_error_of_log2)
{
    struct bench *bench = new_bench(0);
    double worst = 0;
    for (uint32_t done = 0; done < 2 * OCTAVE; done += 7 * GP_LANES) {
        for (unsigned lane = 0; lane < GP_LANES; lane++)
            bench->in[lane] = 0x3f000000 + done + lane; /* operands 0.5 to 2, so results -1 to 1 */
        apply(gp_handlers_native()->log2, bench);
        bench->in = bench->out;
        apply(gp_handlers_native()->postlog2, bench);
        for (unsigned lane = 0; lane < GP_LANES; lane++) {
            long double x = (long double)bits_float(0x3f000000 + done + lane);
            double error = (double)fabsl((long double)bits_float(bench->out[lane]) - log2l(x));
            worst = error > worst ? error : worst;
        }
    }
    print_message("log2: 2^%.2f\n", log2(worst));
    assert_true(worst <= 0x1p-24);
    free(bench);
}
