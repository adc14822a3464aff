/* SPDX-License-Identifier: MIT */
/* loop_flags.c - condition flags of numbers of which some follow a counter.
 *
 * In:  operands of additions and subtractions.
 * Out: whether conditions hold, and the largest number of counts for which they do not change.
 *
 * Source: ARM Architecture Reference Manual ARMv7-A, A8.3 (conditions). */
#include "board/arm/unicorn/loop.h"

static uint64_t mask_of(bool wide)
{
    return wide ? UINT64_MAX : UINT32_MAX;
}

static unsigned top_of(bool wide)
{
    return wide ? 63 : 31;
}

void uc_flags_set(struct uc_loop *loop, unsigned bits, unsigned values)
{
    struct uc_flags *flags = &loop->flags;
    if (flags->difference) /* the other flags become unknown */
        *flags = (struct uc_flags){0};
    flags->nzcv = (uint8_t)((flags->nzcv & ~bits) | (values & bits));
    flags->known |= (uint8_t)bits;
    flags->initial &= (uint8_t)~bits;
}

void uc_flags_result(struct uc_loop *loop, struct uc_value result, bool wide)
{
    struct uc_flags *flags = &loop->flags;
    unsigned values = (result.bits ? 0 : UC_Z) | (result.bits >> top_of(wide) & 1 ? UC_N : 0);
    uc_flags_set(loop, UC_N | UC_Z, values);
    if (result.kind != UC_FIXED)
        flags->known &= (uint8_t) ~(UC_N | UC_Z);
}

static void set_fixed(struct uc_loop *loop, uint64_t left, uint64_t right, bool carry, bool wide)
{
    uint64_t mask = mask_of(wide), result = (left + right + carry) & mask;
    bool carries = result < left || (carry && result == left);
    bool overflows = ~(left ^ right) & (left ^ result) & (UINT64_C(1) << top_of(wide));
    unsigned nzcv = (result >> top_of(wide) & 1 ? UC_N : 0) | (result ? 0 : UC_Z) |
                    (carries ? UC_C : 0) | (overflows ? UC_V : 0);
    uc_flags_set(loop, UC_N | UC_Z | UC_C | UC_V, nzcv);
}

void uc_flags_subtract(struct uc_loop *loop, struct uc_value left, struct uc_value right,
                       bool borrow, bool wide)
{
    if (left.kind == UC_FIXED && right.kind == UC_FIXED) {
        set_fixed(loop, left.bits, ~right.bits & mask_of(wide), !borrow, wide);
        return;
    }
    loop->flags = (struct uc_flags){
        .difference = true, .borrow = borrow, .wide = wide, .left = left, .right = right};
}

void uc_flags_add(struct uc_loop *loop, struct uc_value left, struct uc_value right, bool carry,
                  bool wide)
{
    uint64_t sign = UINT64_C(1) << top_of(wide);
    if (left.kind == UC_FIXED && right.kind == UC_FIXED) {
        set_fixed(loop, left.bits, right.bits, carry, wide);
    } else if (right.kind == UC_FIXED && right.bits && right.bits != sign && !carry) {
        struct uc_value negative = uc_fixed(-right.bits & mask_of(wide));
        uc_flags_subtract(loop, left, negative, false, wide);
    } else {
        loop->flags = (struct uc_flags){0};
    }
}

static struct uc_value shifted(struct uc_loop *loop, struct uc_value a, bool wide)
{
    return uc_value_add(loop, a, uc_fixed(UINT64_C(1) << top_of(wide)), wide);
}

/* Returns the sign of a quotient minus a number, and limits the counter so that it stays. */
static int quotient_order(struct uc_loop *loop, const struct uc_value *quotient, uint64_t number)
{
    uint64_t first, next,
        n = quotient->bits; /* dividends of the equal quotient: first to next - 1 */
    if (__builtin_mul_overflow(number, quotient->divisor, &first) ||
        __builtin_add_overflow(first, quotient->divisor, &next)) {
        loop->failed = true;
        return 0;
    }
    int sign = n < first ? -1 : n >= next;
    uint64_t up = sign < 0 ? first - 1 - n : next - 1 - n, down = sign > 0 ? n - next : n - first;
    uc_value_limit(loop, quotient, sign > 0 ? UINT64_MAX - n : up, sign < 0 ? n : down);
    return sign;
}

/* Returns the sign of left - right - borrow, -1 to 1, and limits counters so that it stays. */
static int order(struct uc_loop *loop, struct uc_value left, struct uc_value right, bool borrow)
{
    if (left.kind == UC_COUNTS && left.divisor && right.kind == UC_FIXED)
        return quotient_order(loop, &left, right.bits + borrow);
    if (right.kind == UC_COUNTS && right.divisor && left.kind == UC_FIXED && !borrow)
        return -quotient_order(loop, &right, left.bits);
    left = uc_value_settle(loop, left);
    right = uc_value_settle(loop, right);
    bool both = left.kind == UC_COUNTS && right.kind == UC_COUNTS;
    loop->failed |= left.kind == UC_UNKNOWN || right.kind == UC_UNKNOWN ||
                    (both && left.counter != right.counter) || (borrow && right.bits == UINT64_MAX);
    uint64_t subtracted = right.bits + borrow;
    bool less = left.bits < subtracted;
    uint64_t distance = less ? subtracted - left.bits : left.bits - subtracted;
    uint64_t room = distance ? distance - 1 : 0;
    struct uc_value difference = left.kind == UC_COUNTS ? left : right;
    difference.slope = (left.kind == UC_COUNTS ? left.slope : 0) -
                       (right.kind == UC_COUNTS ? right.slope : 0);
    int sign = !distance ? 0 : less ? -1 : 1;
    uc_value_limit(loop, &difference, sign <= 0 ? room : UINT64_MAX, sign >= 0 ? room : UINT64_MAX);
    return sign;
}

static bool is_negative(struct uc_loop *loop, const struct uc_flags *flags)
{
    struct uc_value right = uc_value_add(loop, flags->right, uc_fixed(flags->borrow), flags->wide);
    struct uc_value result = uc_value_subtract(loop, flags->left, right, flags->wide);
    loop->failed |= result.kind == UC_UNKNOWN;
    return uc_value_right(loop, result, top_of(flags->wide)).bits & 1;
}

static bool difference_holds(struct uc_loop *loop, unsigned kind)
{
    const struct uc_flags flags = loop->flags;
    if (kind == 2)
        return is_negative(loop, &flags);
    bool is_signed = kind == 5 || kind == 6;
    struct uc_value left = is_signed ? shifted(loop, flags.left, flags.wide) : flags.left;
    struct uc_value right = is_signed ? shifted(loop, flags.right, flags.wide) : flags.right;
    int sign = order(loop, left, right, flags.borrow);
    switch (kind) {
    case 0: return sign == 0;
    case 1:
    case 5: return sign >= 0;
    case 4:
    case 6: return sign > 0;
    default: loop->failed = true; return false;
    }
}

bool uc_flags_hold(struct uc_loop *loop, unsigned condition)
{
    static const uint8_t used[8] = {
        UC_Z, UC_C, UC_N, UC_V, UC_C | UC_Z, UC_N | UC_V, UC_N | UC_V | UC_Z, 0};
    const struct uc_flags *flags = &loop->flags;
    unsigned kind = condition >> 1;
    bool inverts = (condition & 1) && condition < 14;
    if (kind == 7)
        return true;
    if (flags->difference)
        return difference_holds(loop, kind) != inverts;
    loop->failed |= (used[kind] & ~flags->known) != 0;
    loop->live_flags |= used[kind] & flags->initial;
    bool n = flags->nzcv & UC_N, z = flags->nzcv & UC_Z, c = flags->nzcv & UC_C,
         v = flags->nzcv & UC_V;
    const bool holds[7] = {z, c, n, v, c && !z, n == v, n == v && !z};
    return holds[kind] != inverts;
}
