/* SPDX-License-Identifier: MIT */
/* loop_arm64.c - executes instructions of 64-bit execution in loops.
 *
 * In:  an instruction.
 * Out: registers and flags of the loop.
 *
 * Source: ARM Architecture Reference Manual ARMv8-A, C4.1 (encodings).
 * Choices: vectors, exclusive accesses of pairs, exceptions, system registers other than the
 *          counters, and hints that wait end the description of the loop. */
#include "board/arm/unicorn/loop.h"

enum { ZERO = 31 };

static uint32_t bits(uint32_t word, unsigned low, unsigned count)
{
    return word >> low & ((UINT32_C(1) << count) - 1);
}

static uint64_t extended(uint32_t value, unsigned count)
{
    return (uint64_t)((int64_t)((uint64_t)value << (64 - count)) >> (64 - count));
}

static bool is_wide(uint32_t word)
{
    return word >> 31;
}

static struct uc_value narrowed(struct uc_loop *loop, struct uc_value a, bool wide)
{
    return wide ? a : uc_value_and(loop, a, uc_fixed(UINT32_MAX));
}

/* Register 31 is 0 or the stack pointer. */
static struct uc_value get(struct uc_loop *loop, unsigned reg, bool wide)
{
    return reg == ZERO ? uc_fixed(0) : narrowed(loop, uc_loop_get(loop, reg), wide);
}

static struct uc_value get_sp(struct uc_loop *loop, unsigned reg, bool wide)
{
    return narrowed(loop, uc_loop_get(loop, reg), wide);
}

static void set(struct uc_loop *loop, unsigned reg, struct uc_value value)
{
    if (reg != ZERO)
        uc_loop_set(loop, reg, value);
}

/* --- immediates --- */

/* The mask of logical immediates and of bit fields: a run of ones, rotated, repeated. */
static uint64_t repeated(unsigned ones, unsigned rotation, unsigned size)
{
    uint64_t all = size == 64 ? UINT64_MAX : (UINT64_C(1) << size) - 1;
    uint64_t run = ones == 64 ? UINT64_MAX : (UINT64_C(1) << ones) - 1;
    if (rotation)
        run = (run >> rotation | run << (size - rotation)) & all;
    for (unsigned at = size; at < 64; at *= 2)
        run |= run << at;
    return run;
}

static uint64_t logical_immediate(struct uc_loop *loop, uint32_t word)
{
    unsigned sizes = bits(word, 22, 1) << 6 | (~bits(word, 10, 6) & 63), size = 64;
    while (size > 1 && !(sizes & size))
        size /= 2;
    loop->failed |= size < 2;
    unsigned levels = size - 1;
    uint64_t mask =
        size < 2 ? 0 : repeated((bits(word, 10, 6) & levels) + 1, bits(word, 16, 6) & levels, size);
    return is_wide(word) ? mask : (uint32_t)mask;
}

static void logic(struct uc_loop *loop, uint32_t word, struct uc_value right, bool immediate)
{
    bool wide = is_wide(word);
    unsigned operation = bits(word, 29, 2), target = bits(word, 0, 5);
    struct uc_value left = get(loop, bits(word, 5, 5), wide), result;
    if (operation == 1)
        result = uc_value_or(loop, left, right);
    else if (operation == 2)
        result = uc_value_xor(loop, left, right);
    else
        result = uc_value_and(loop, left, right);
    if (operation == 3) {
        uc_flags_result(loop, result, wide);
        uc_flags_set(loop, UC_C | UC_V, 0);
    }
    if (immediate && operation != 3)
        uc_loop_set(loop, target, result);
    else
        set(loop, target, result);
}

/* Adds or subtracts. stack: register 31 is the stack pointer. */
static void sum(struct uc_loop *loop, uint32_t word, struct uc_value right, bool stack)
{
    bool wide = is_wide(word), subtracts = bits(word, 30, 1), sets = bits(word, 29, 1);
    unsigned target = bits(word, 0, 5), first = bits(word, 5, 5);
    struct uc_value left = stack ? get_sp(loop, first, wide) : get(loop, first, wide);
    if (sets && subtracts)
        uc_flags_subtract(loop, left, right, false, wide);
    else if (sets)
        uc_flags_add(loop, left, right, false, wide);
    if (sets && target == ZERO) /* a comparison */
        return;
    struct uc_value result = subtracts ? uc_value_subtract(loop, left, right, wide)
                                       : uc_value_add(loop, left, right, wide);
    if (stack && !sets)
        uc_loop_set(loop, target, result);
    else
        set(loop, target, result);
}

static void move_wide(struct uc_loop *loop, uint32_t word)
{
    bool wide = is_wide(word);
    unsigned operation = bits(word, 29, 2), by = 16 * bits(word, 21, 2), target = bits(word, 0, 5);
    uint64_t half = (uint64_t)bits(word, 5, 16) << by;
    struct uc_value value = uc_fixed(half);
    loop->failed |= operation == 1;
    if (operation == 0)
        value = narrowed(loop, uc_fixed(~half), wide);
    if (operation == 3) {
        uint64_t keep = ~(UINT64_C(0xffff) << by);
        value = uc_value_and(loop, get(loop, target, wide), uc_fixed(keep));
        value = uc_value_or(loop, value, uc_fixed(half));
    }
    set(loop, target, value);
}

/* sbfm, ubfm and, of fixed numbers, bfm. */
static void bit_field(struct uc_loop *loop, uint32_t word)
{
    bool wide = is_wide(word);
    unsigned operation = bits(word, 29, 2), target = bits(word, 0, 5), size = wide ? 64 : 32;
    unsigned by = bits(word, 16, 6), last = bits(word, 10, 6);
    struct uc_value a = get(loop, bits(word, 5, 5), wide);
    bool extracts = last >= by;
    unsigned count = extracts ? last - by + 1 : last + 1, up = extracts ? 0 : size - by;
    if (extracts)
        a = uc_value_right(loop, a, by);
    if (count < size)
        a = uc_value_and(loop, a, uc_fixed((UINT64_C(1) << count) - 1));
    if (operation == 0)
        a = uc_value_extend(loop, a, count, wide);
    a = uc_value_left(loop, a, up, wide);
    if (operation == 1) {
        uint64_t field = (count == 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1) << up;
        struct uc_value rest = uc_value_and(loop, get(loop, target, wide), uc_fixed(~field));
        a = uc_value_or(loop, rest, a);
    }
    loop->failed |= operation == 3;
    set(loop, target, a);
}

static void extract(struct uc_loop *loop, uint32_t word)
{
    bool wide = is_wide(word);
    uint64_t high = uc_value_bits(loop, get(loop, bits(word, 5, 5), wide));
    uint64_t low = uc_value_bits(loop, get(loop, bits(word, 16, 5), wide));
    unsigned by = bits(word, 10, 6), size = wide ? 64 : 32;
    uint64_t result = by ? low >> by | high << (size - by) : low;
    set(loop, bits(word, 0, 5), narrowed(loop, uc_fixed(result), wide));
}

static void address(struct uc_loop *loop, uint32_t word)
{
    uint64_t offset = extended(bits(word, 5, 19) << 2 | bits(word, 29, 2), 21);
    bool pages = is_wide(word);
    uint64_t base = pages ? loop->pc & ~UINT64_C(0xfff) : loop->pc;
    set(loop, bits(word, 0, 5), uc_fixed(base + (pages ? offset << 12 : offset)));
}

static void immediates(struct uc_loop *loop, uint32_t word)
{
    switch (bits(word, 23, 3)) {
    case 0:
    case 1: address(loop, word); break;
    case 2:
        sum(loop, word, uc_fixed(bits(word, 10, 12) << (bits(word, 22, 1) ? 12 : 0)), true);
        break;
    case 4: logic(loop, word, uc_fixed(logical_immediate(loop, word)), true); break;
    case 5: move_wide(loop, word); break;
    case 6: bit_field(loop, word); break;
    case 7: extract(loop, word); break;
    default: loop->failed = true; break;
    }
}

/* --- registers --- */

static struct uc_value shifted(struct uc_loop *loop, uint32_t word)
{
    bool wide = is_wide(word);
    unsigned by = bits(word, 10, 6);
    struct uc_value a = get(loop, bits(word, 16, 5), wide);
    switch (bits(word, 22, 2)) {
    case 0: return uc_value_left(loop, a, by, wide);
    case 1: return uc_value_right(loop, a, by);
    case 2: return uc_value_signed(loop, a, by, wide);
    default: return uc_value_rotate(loop, a, by, wide);
    }
}

/* A register, extended by an option and shifted left. */
static struct uc_value by_option(struct uc_loop *loop, unsigned reg, unsigned option, unsigned by,
                                 bool wide)
{
    unsigned count = 8U << (option & 3);
    struct uc_value a = get(loop, reg, true);
    if (count < 64)
        a = uc_value_and(loop, a, uc_fixed((UINT64_C(1) << count) - 1));
    if ((option & 4) && count < (wide ? 64 : 32))
        a = uc_value_extend(loop, a, count, wide);
    return uc_value_left(loop, narrowed(loop, a, wide), by, wide);
}

static void multiply(struct uc_loop *loop, uint32_t word)
{
    bool wide = is_wide(word), subtracts = bits(word, 15, 1);
    unsigned kind = bits(word, 21, 3);
    bool is_long = kind == 1 || kind == 5;
    struct uc_value a = get(loop, bits(word, 5, 5), wide && !is_long);
    struct uc_value b = get(loop, bits(word, 16, 5), wide && !is_long);
    if (kind == 6 && !subtracts) { /* umulh */
        uint64_t x = uc_value_bits(loop, a), y = uc_value_bits(loop, b);
        uint64_t low = (x & UINT32_MAX) * (y & UINT32_MAX);
        uint64_t middle = (x >> 32) * (y & UINT32_MAX) + (low >> 32);
        uint64_t other = (x & UINT32_MAX) * (y >> 32) + (middle & UINT32_MAX);
        uint64_t high = (x >> 32) * (y >> 32) + (middle >> 32) + (other >> 32);
        set(loop, bits(word, 0, 5), uc_fixed(high));
        return;
    }
    loop->failed |= kind != 0 && !is_long;
    if (kind == 1) {
        a = uc_value_extend(loop, a, 32, true);
        b = uc_value_extend(loop, b, 32, true);
    }
    struct uc_value product = uc_value_multiply(loop, a, b, wide);
    struct uc_value addend = get(loop, bits(word, 10, 5), wide);
    set(loop, bits(word, 0, 5),
        subtracts ? uc_value_subtract(loop, addend, product, wide)
                  : uc_value_add(loop, addend, product, wide));
}

static void choose(struct uc_loop *loop, uint32_t word)
{
    bool wide = is_wide(word), inverts = bits(word, 30, 1), increments = bits(word, 10, 1);
    if (uc_flags_hold(loop, bits(word, 12, 4))) {
        set(loop, bits(word, 0, 5), get(loop, bits(word, 5, 5), wide));
        return;
    }
    struct uc_value a = get(loop, bits(word, 16, 5), wide);
    if (inverts)
        a = uc_value_not(loop, a, wide);
    if (increments)
        a = uc_value_add(loop, a, uc_fixed(1), wide);
    set(loop, bits(word, 0, 5), a);
}

static void compare_if(struct uc_loop *loop, uint32_t word)
{
    bool wide = is_wide(word);
    unsigned flags = bits(word, 0, 4);
    if (!uc_flags_hold(loop, bits(word, 12, 4))) {
        uc_flags_set(loop, UC_N | UC_Z | UC_C | UC_V, flags);
        return;
    }
    struct uc_value left = get(loop, bits(word, 5, 5), wide);
    struct uc_value right = bits(word, 11, 1) ? uc_fixed(bits(word, 16, 5))
                                              : get(loop, bits(word, 16, 5), wide);
    if (bits(word, 30, 1))
        uc_flags_subtract(loop, left, right, false, wide);
    else
        uc_flags_add(loop, left, right, false, wide);
}

static void add_with_carry(struct uc_loop *loop, uint32_t word)
{
    bool wide = is_wide(word), subtracts = bits(word, 30, 1), carry = uc_flags_hold(loop, 2);
    struct uc_value left = get(loop, bits(word, 5, 5), wide);
    struct uc_value right = get(loop, bits(word, 16, 5), wide), result;
    if (subtracts)
        result = uc_value_subtract(loop, uc_value_subtract(loop, left, right, wide),
                                   uc_fixed(!carry), wide);
    else
        result = uc_value_add(loop, uc_value_add(loop, left, right, wide), uc_fixed(carry), wide);
    if (bits(word, 29, 1) && subtracts)
        uc_flags_subtract(loop, left, right, !carry, wide);
    else if (bits(word, 29, 1))
        uc_flags_add(loop, left, right, carry, wide);
    set(loop, bits(word, 0, 5), result);
}

/* Divisions and shifts by registers. */
static void two_sources(struct uc_loop *loop, uint32_t word)
{
    bool wide = is_wide(word);
    unsigned operation = bits(word, 10, 6), target = bits(word, 0, 5);
    struct uc_value a = get(loop, bits(word, 5, 5), wide);
    struct uc_value b = get(loop, bits(word, 16, 5), wide);
    if (operation == 2) {
        set(loop, target, uc_value_divide(loop, a, b));
        return;
    }
    unsigned by = (unsigned)uc_value_bits(loop, b) & (wide ? 63 : 31);
    switch (operation) {
    case 8: set(loop, target, uc_value_left(loop, a, by, wide)); break;
    case 9: set(loop, target, uc_value_right(loop, a, by)); break;
    case 10: set(loop, target, uc_value_signed(loop, a, by, wide)); break;
    case 11: set(loop, target, uc_value_rotate(loop, a, by, wide)); break;
    default: loop->failed = true; break;
    }
}

static void of_registers(struct uc_loop *loop, uint32_t word)
{
    bool wide = is_wide(word);
    if (!bits(word, 28, 1) && !bits(word, 24, 1)) {
        struct uc_value right = shifted(loop, word);
        logic(loop, word, bits(word, 21, 1) ? uc_value_not(loop, right, wide) : right, false);
    } else if (!bits(word, 28, 1) && bits(word, 21, 1)) {
        sum(loop, word,
            by_option(loop, bits(word, 16, 5), bits(word, 13, 3), bits(word, 10, 3), wide), true);
    } else if (!bits(word, 28, 1)) {
        sum(loop, word, shifted(loop, word), false);
    } else if (bits(word, 24, 1)) {
        multiply(loop, word);
    } else if (bits(word, 21, 3) == 0) {
        add_with_carry(loop, word);
    } else if (bits(word, 21, 3) == 2) {
        compare_if(loop, word);
    } else if (bits(word, 21, 3) == 4) {
        choose(loop, word);
    } else if (bits(word, 21, 3) == 6 && !bits(word, 30, 1)) {
        two_sources(loop, word);
    } else {
        loop->failed = true;
    }
}

/* --- loads and stores --- */

static void transfer(struct uc_loop *loop, uint32_t word, struct uc_value at, unsigned size)
{
    unsigned reg = bits(word, 0, 5), operation = bits(word, 22, 2);
    if (operation == 0) {
        uc_loop_store(loop, at, size, get(loop, reg, true));
        return;
    }
    if (operation >= 2 && size == 8) { /* prefetches */
        loop->failed |= operation == 3;
        return;
    }
    struct uc_value value = uc_loop_load(loop, at, size);
    if (operation >= 2)
        value = uc_value_extend(loop, value, 8 * size, operation == 2);
    set(loop, reg, value);
}

static void one_register(struct uc_loop *loop, uint32_t word)
{
    unsigned size = 1U << bits(word, 30, 2), base = bits(word, 5, 5), mode = bits(word, 10, 2);
    struct uc_value at = get_sp(loop, base, true);
    if (bits(word, 24, 1)) {
        transfer(loop, word, uc_value_add(loop, at, uc_fixed(bits(word, 10, 12) * size), true),
                 size);
        return;
    }
    if (bits(word, 21, 1)) {
        unsigned by = bits(word, 12, 1) ? bits(word, 30, 2) : 0;
        struct uc_value index = by_option(loop, bits(word, 16, 5), bits(word, 13, 3), by, true);
        loop->failed |= mode != 2;
        transfer(loop, word, uc_value_add(loop, at, index, true), size);
        return;
    }
    struct uc_value sum = uc_value_add(loop, at, uc_fixed(extended(bits(word, 12, 9), 9)), true);
    loop->failed |= mode == 2;
    transfer(loop, word, mode == 1 ? at : sum, size);
    if (mode & 1)
        uc_loop_set(loop, base, sum);
}

static void pair(struct uc_loop *loop, uint32_t word)
{
    unsigned size = is_wide(word) ? 8 : 4, base = bits(word, 5, 5), mode = bits(word, 23, 2);
    unsigned first = bits(word, 0, 5), second = bits(word, 10, 5);
    struct uc_value at = get_sp(loop, base, true);
    struct uc_value sum = uc_value_add(loop, at, uc_fixed(extended(bits(word, 15, 7), 7) * size),
                                       true);
    struct uc_value low = mode == 1 ? at : sum;
    struct uc_value high = uc_value_add(loop, low, uc_fixed(size), true);
    loop->failed |= bits(word, 30, 1);
    if (bits(word, 22, 1)) {
        set(loop, first, uc_loop_load(loop, low, size));
        set(loop, second, uc_loop_load(loop, high, size));
    } else {
        uc_loop_store(loop, low, size, get(loop, first, true));
        uc_loop_store(loop, high, size, get(loop, second, true));
    }
    if (mode & 1)
        uc_loop_set(loop, base, sum);
}

static void literal(struct uc_loop *loop, uint32_t word)
{
    unsigned kind = bits(word, 30, 2), size = kind == 1 ? 8 : 4;
    uint64_t at = loop->pc + 4 * extended(bits(word, 5, 19), 19);
    loop->failed |= kind == 3;
    struct uc_value value = uc_loop_load(loop, uc_fixed(at), size);
    set(loop, bits(word, 0, 5), kind == 2 ? uc_value_extend(loop, value, 32, true) : value);
}

/* Exclusive accesses, and ordered ones: ldxr, ldaxr, stxr, stlxr, ldar, stlr. */
static void exclusive(struct uc_loop *loop, uint32_t word)
{
    unsigned size = 1U << bits(word, 30, 2), reg = bits(word, 0, 5);
    bool loads = bits(word, 22, 1), ordered = bits(word, 23, 1);
    struct uc_value at = get_sp(loop, bits(word, 5, 5), true);
    loop->failed |= bits(word, 24, 1) || bits(word, 21, 1) || (ordered && !bits(word, 15, 1));
    if (loads)
        set(loop, reg,
            ordered ? uc_loop_load(loop, at, size) : uc_loop_load_exclusive(loop, at, size));
    else if (ordered)
        uc_loop_store(loop, at, size, get(loop, reg, true));
    else
        set(loop, bits(word, 16, 5), uc_loop_store_exclusive(loop, at, size, get(loop, reg, true)));
}

static void accesses(struct uc_loop *loop, uint32_t word)
{
    unsigned kind = bits(word, 28, 2);
    if (bits(word, 26, 1))
        loop->failed = true; /* vectors */
    else if (kind == 0)
        exclusive(loop, word);
    else if (kind == 1)
        literal(loop, word);
    else if (kind == 2)
        pair(loop, word);
    else
        one_register(loop, word);
}

/* --- branches and system instructions --- */

static void go(struct uc_loop *loop, bool taken, uint32_t offset, unsigned count)
{
    loop->pc += taken ? 4 * extended(offset, count) : 4;
}

static bool is_zero(struct uc_loop *loop, struct uc_value a, bool wide)
{
    struct uc_flags kept = loop->flags;
    uc_flags_subtract(loop, a, uc_fixed(0), false, wide);
    bool zero = uc_flags_hold(loop, 0);
    loop->flags = kept;
    return zero;
}

static void branch_by_register(struct uc_loop *loop, uint32_t word)
{
    enum { LR = 30 };
    unsigned kind = bits(word, 21, 4);
    struct uc_value target = get(loop, bits(word, 5, 5), true);
    loop->failed |= kind > 2 || (word & 0xfc1f) || bits(word, 16, 5) != 31;
    if (kind == 1)
        uc_loop_set(loop, LR, uc_fixed(loop->pc + 4));
    loop->pc = uc_value_bits(loop, target);
}

/* Barriers, hints without effect, and reads of counters. */
static void system_instruction(struct uc_loop *loop, uint32_t word)
{
    const uint32_t clear_exclusive = 0xd503305f;
    bool nop = word == 0xd503201f, barrier = (word & 0xfffff01f) == 0xd503301f;
    if (word == clear_exclusive)
        loop->exclusive = 0;
    if ((word & 0xfff00000) == 0xd5300000)
        set(loop, bits(word, 0, 5), uc_loop_system(loop));
    else
        loop->failed |= !nop && !barrier;
    loop->pc += 4;
}

static void branches(struct uc_loop *loop, uint32_t word)
{
    enum { LR = 30 };
    bool inverts = bits(word, 24, 1);
    if (bits(word, 26, 5) == 5) {
        if (is_wide(word))
            uc_loop_set(loop, LR, uc_fixed(loop->pc + 4));
        go(loop, true, bits(word, 0, 26), 26);
    } else if (bits(word, 25, 6) == 0x1a) { /* cbz, cbnz */
        bool wide = is_wide(word), zero = is_zero(loop, get(loop, bits(word, 0, 5), wide), wide);
        go(loop, zero != inverts, bits(word, 5, 19), 19);
    } else if (bits(word, 25, 6) == 0x1b) { /* tbz, tbnz */
        unsigned bit = bits(word, 31, 1) << 5 | bits(word, 19, 5);
        struct uc_value a = uc_value_right(loop, get(loop, bits(word, 0, 5), true), bit);
        a = uc_value_and(loop, a, uc_fixed(1));
        go(loop, is_zero(loop, a, true) != inverts, bits(word, 5, 14), 14);
    } else if ((word & 0xff000010) == 0x54000000) {
        go(loop, uc_flags_hold(loop, bits(word, 0, 4)), bits(word, 5, 19), 19);
    } else if (bits(word, 25, 7) == 0x6b) {
        branch_by_register(loop, word);
    } else if (bits(word, 22, 10) == 0x354) {
        system_instruction(loop, word);
    } else {
        loop->failed = true;
    }
}

void uc_loop_arm64(struct uc_loop *loop, uint32_t word)
{
    unsigned group = bits(word, 25, 4);
    if ((group & 14) == 10) {
        branches(loop, word);
        return;
    }
    if ((group & 14) == 8)
        immediates(loop, word);
    else if ((group & 7) == 5)
        of_registers(loop, word);
    else if ((group & 5) == 4)
        accesses(loop, word);
    else
        loop->failed = true;
    loop->pc += 4;
}
