/* SPDX-License-Identifier: MIT */
/* loop_values.c - arithmetic on numbers of which some follow a counter.
 *
 * In:  operands, fixed or linear in the counts of one counter.
 * Out: a result, and the largest number of counts for which it is right.
 *
 * While the counter has risen by n counts, a number that counts is bits + slope * n, without
 * overflow. Each operation limits n so that its result is linear, too, or does not change.
 *
 * A quotient of such a number by a fixed one is kept as dividend and divisor for additions of fixed
 * numbers and for comparisons. Other operations limit n so that the quotient does not change.
 *
 * Choices: numbers that follow two counters, and products and unions of which both sides count, are
 *          unknown; they are of no harm unless the path depends on them. */
#include "board/arm/unicorn/loop.h"

#define STEEPEST (INT64_C(1) << 40)

static uint64_t mask_of(bool wide)
{
    return wide ? UINT64_MAX : UINT32_MAX;
}

/* Returns a mask of the bits below `count`, 0 to 64. */
static uint64_t below(unsigned count)
{
    return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

/* Returns the number of zeros at the low end of bits that are not 0. */
static unsigned trailing(uint64_t bits)
{
    unsigned count = 0;
    while (!(bits >> count & 1))
        count++;
    return count;
}

struct uc_value uc_fixed(uint64_t bits)
{
    return (struct uc_value){.kind = UC_FIXED, .bits = bits};
}

struct uc_value uc_unknown(void)
{
    return (struct uc_value){.kind = UC_UNKNOWN};
}

uint64_t uc_value_bits(struct uc_loop *loop, struct uc_value a)
{
    loop->failed |= a.kind != UC_FIXED;
    return a.bits;
}

void uc_value_limit(struct uc_loop *loop, const struct uc_value *value, uint64_t up, uint64_t down)
{
    if (value->kind != UC_COUNTS || !value->slope)
        return;
    uint64_t step = value->slope < 0 ? -(uint64_t)value->slope : (uint64_t)value->slope;
    uint64_t most = (value->slope < 0 ? down : up) / step;
    struct uc_counter_read *counter = &loop->counters[value->counter];
    if (most < counter->most)
        counter->most = most;
}

static struct uc_value linear(struct uc_loop *loop, uint64_t bits, int64_t slope, unsigned counter,
                              uint64_t mask)
{
    if (!slope)
        return uc_fixed(bits & mask);
    if (slope > STEEPEST || slope < -STEEPEST)
        return uc_unknown();
    struct uc_value value = {
        .kind = UC_COUNTS, .counter = (uint8_t)counter, .bits = bits & mask, .slope = slope};
    uc_value_limit(loop, &value, mask - value.bits, value.bits);
    return value;
}

/* Returns true if one number is unknown, or both follow different counters. */
static bool is_mixed(const struct uc_value *a, const struct uc_value *b)
{
    return a->kind == UC_UNKNOWN || b->kind == UC_UNKNOWN ||
           (a->kind == UC_COUNTS && b->kind == UC_COUNTS && a->counter != b->counter);
}

struct uc_value uc_value_settle(struct uc_loop *loop, struct uc_value a)
{
    if (a.kind != UC_COUNTS || !a.divisor)
        return a;
    uint64_t rest = a.bits % a.divisor;
    uc_value_limit(loop, &a, a.divisor - 1 - rest, rest);
    return uc_fixed(a.bits / a.divisor);
}

/* Adds a fixed number to a quotient, or subtracts it, if nothing overflows. */
static bool shift_quotient(struct uc_value *a, const struct uc_value *b, bool subtracts, bool wide)
{
    uint64_t change, sum;
    if (a->kind != UC_COUNTS || !a->divisor || b->kind != UC_FIXED ||
        __builtin_mul_overflow(b->bits, a->divisor, &change))
        return false;
    if (subtracts ? a->bits < change : __builtin_add_overflow(a->bits, change, &sum))
        return false;
    sum = subtracts ? a->bits - change : a->bits + change;
    if (sum / a->divisor > mask_of(wide))
        return false;
    a->bits = sum;
    return true;
}

static int64_t slope_of(const struct uc_value *a)
{
    return a->kind == UC_COUNTS ? a->slope : 0;
}

static unsigned counter_of(const struct uc_value *a, const struct uc_value *b)
{
    return a->kind == UC_COUNTS ? a->counter : b->counter;
}

/* Returns a + b, or a - b. */
static struct uc_value combine(struct uc_loop *loop, struct uc_value a, struct uc_value b,
                               bool subtract, bool wide)
{
    if (shift_quotient(&a, &b, subtract, wide)) {
        uc_value_limit(loop, &a, UINT64_MAX - a.bits, a.bits);
        return a;
    }
    a = uc_value_settle(loop, a);
    b = uc_value_settle(loop, b);
    if (is_mixed(&a, &b))
        return uc_unknown();
    uint64_t bits = subtract ? a.bits - b.bits : a.bits + b.bits;
    int64_t slope = subtract ? slope_of(&a) - slope_of(&b) : slope_of(&a) + slope_of(&b);
    return linear(loop, bits, slope, counter_of(&a, &b), mask_of(wide));
}

struct uc_value uc_value_add(struct uc_loop *loop, struct uc_value a, struct uc_value b, bool wide)
{
    return combine(loop, a, b, false, wide);
}

struct uc_value uc_value_subtract(struct uc_loop *loop, struct uc_value a, struct uc_value b,
                                  bool wide)
{
    return combine(loop, a, b, true, wide);
}

struct uc_value uc_value_not(struct uc_loop *loop, struct uc_value a, bool wide)
{
    a = uc_value_settle(loop, a);
    a.bits = ~a.bits & mask_of(wide);
    a.slope = -a.slope;
    return a;
}

struct uc_value uc_value_multiply(struct uc_loop *loop, struct uc_value a, struct uc_value b,
                                  bool wide)
{
    a = uc_value_settle(loop, a);
    b = uc_value_settle(loop, b);
    if (is_mixed(&a, &b) || (a.kind == UC_COUNTS && b.kind == UC_COUNTS))
        return uc_unknown();
    const struct uc_value *counts = a.kind == UC_COUNTS ? &a : &b;
    const struct uc_value *factor = a.kind == UC_COUNTS ? &b : &a;
    int64_t slope = 0;
    if (counts->kind == UC_COUNTS && (factor->bits > (uint64_t)STEEPEST ||
                                      counts->slope > (1 << 20) || counts->slope < -(1 << 20)))
        return uc_unknown();
    if (counts->kind == UC_COUNTS)
        slope = counts->slope * (int64_t)factor->bits;
    return linear(loop, a.bits * b.bits, slope, counts->counter, mask_of(wide));
}

struct uc_value uc_value_divide(struct uc_loop *loop, struct uc_value a, struct uc_value b)
{
    a = uc_value_settle(loop, a);
    if (a.kind == UC_UNKNOWN || b.kind != UC_FIXED)
        return uc_unknown();
    if (!b.bits)
        return uc_fixed(0);
    if (a.kind == UC_FIXED)
        return uc_fixed(a.bits / b.bits);
    a.divisor = b.bits;
    return a;
}

/* Limits a number so that its bits from `low` on do not change. */
static void keep_from(struct uc_loop *loop, const struct uc_value *a, unsigned low)
{
    uint64_t rest = a->bits & below(low);
    uc_value_limit(loop, a, below(low) - rest, rest);
}

/* Returns true if a number is a quotient that a mask of low bits does not change. Limits the
 * counter so that this stays. */
static bool keeps_quotient(struct uc_loop *loop, const struct uc_value *b, uint64_t mask)
{
    uint64_t most;
    if (!b->divisor || b->bits / b->divisor > mask)
        return false;
    if (!__builtin_mul_overflow(mask, b->divisor, &most))
        uc_value_limit(loop, b, most - b->bits > UINT64_MAX / 2 ? 0 : most - b->bits, b->bits);
    return true;
}

struct uc_value uc_value_and(struct uc_loop *loop, struct uc_value a, struct uc_value b)
{
    if (a.kind != UC_FIXED && b.kind == UC_FIXED) {
        struct uc_value swapped = a;
        a = b;
        b = swapped;
    }
    if (a.kind == UC_FIXED && (b.kind == UC_FIXED || !a.bits))
        return uc_fixed(a.bits & b.bits);
    if (a.kind != UC_FIXED || b.kind == UC_UNKNOWN)
        return uc_unknown();
    bool low = !(a.bits & (a.bits + 1));
    if (low && keeps_quotient(loop, &b, a.bits))
        return b;
    b = uc_value_settle(loop, b);
    if (b.kind == UC_FIXED)
        return uc_fixed(a.bits & b.bits);
    if (low) /* keeps the low bits */
        return linear(loop, b.bits, b.slope, b.counter, a.bits);
    keep_from(loop, &b, trailing(a.bits));
    return uc_fixed(a.bits & b.bits);
}

/* A union with bits above those of the number that counts. */
static struct uc_value join(struct uc_loop *loop, uint64_t upper, struct uc_value a)
{
    if (!upper)
        return a;
    uint64_t most = below(trailing(upper));
    if (a.kind == UC_UNKNOWN || a.bits > most)
        return uc_unknown();
    uc_value_limit(loop, &a, most - a.bits, a.bits);
    a.bits |= upper;
    return a;
}

struct uc_value uc_value_or(struct uc_loop *loop, struct uc_value a, struct uc_value b)
{
    a = uc_value_settle(loop, a);
    b = uc_value_settle(loop, b);
    if (a.kind == UC_FIXED && b.kind == UC_FIXED)
        return uc_fixed(a.bits | b.bits);
    if (a.kind == UC_FIXED)
        return join(loop, a.bits, b);
    return b.kind == UC_FIXED ? join(loop, b.bits, a) : uc_unknown();
}

struct uc_value uc_value_xor(struct uc_loop *loop, struct uc_value a, struct uc_value b)
{
    a = uc_value_settle(loop, a);
    b = uc_value_settle(loop, b);
    if (a.kind == UC_FIXED && b.kind == UC_FIXED)
        return uc_fixed(a.bits ^ b.bits);
    return uc_value_or(loop, a, b);
}

struct uc_value uc_value_left(struct uc_loop *loop, struct uc_value a, unsigned by, bool wide)
{
    a = uc_value_settle(loop, a);
    if (by >= (wide ? 64 : 32))
        return uc_fixed(0);
    if (a.kind == UC_FIXED)
        return uc_fixed(a.bits << by & mask_of(wide));
    return by > 40 ? uc_unknown() : uc_value_multiply(loop, a, uc_fixed(UINT64_C(1) << by), wide);
}

struct uc_value uc_value_right(struct uc_loop *loop, struct uc_value a, unsigned by)
{
    a = uc_value_settle(loop, a);
    if (by >= 64)
        return uc_fixed(0);
    if (a.kind == UC_UNKNOWN || !by)
        return a;
    keep_from(loop, &a, by);
    return uc_fixed(a.bits >> by);
}

struct uc_value uc_value_signed(struct uc_loop *loop, struct uc_value a, unsigned by, bool wide)
{
    a = uc_value_settle(loop, a);
    unsigned top = wide ? 63 : 31;
    if (a.kind == UC_UNKNOWN || !by)
        return a;
    by = by > top ? top : by;
    keep_from(loop, &a, by);
    bool negative = a.bits >> top & 1;
    uint64_t sign = negative ? mask_of(wide) & ~below(top + 1 - by) : 0;
    return uc_fixed(a.bits >> by | sign);
}

struct uc_value uc_value_rotate(struct uc_loop *loop, struct uc_value a, unsigned by, bool wide)
{
    a = uc_value_settle(loop, a);
    unsigned size = wide ? 64 : 32;
    by %= size;
    if (a.kind == UC_UNKNOWN || !by)
        return a;
    if (a.kind == UC_COUNTS)
        return uc_unknown();
    (void)loop;
    return uc_fixed((a.bits >> by | a.bits << (size - by)) & mask_of(wide));
}

struct uc_value uc_value_extend(struct uc_loop *loop, struct uc_value a, unsigned count, bool wide)
{
    a = uc_value_settle(loop, a);
    if (a.kind == UC_UNKNOWN || count >= 64)
        return a;
    bool negative = a.bits >> (count - 1) & 1;
    uint64_t half = below(count - 1) & a.bits; /* the sign stays while this does not overflow */
    uc_value_limit(loop, &a, below(count - 1) - half, half);
    if (negative)
        a.bits |= ~below(count) & mask_of(wide);
    return a;
}
