/* SPDX-License-Identifier: MIT */
/* loop_arm.c - executes 32-bit ARM instructions of loops.
 *
 * In:  an instruction.
 * Out: registers and flags of the loop.
 *
 * Source: ARM Architecture Reference Manual ARMv7-A, A5 (encodings) and A8.8.
 * Choices: other instructions than those of the integer core's user programs end the description of
 *          the loop: coprocessors other than the counters, changes of mode, exclusive accesses of
 *          two words. */
#include "board/arm/unicorn/loop.h"

enum { PC = 15, LR = 14, SP = 13, READS = 1 << 20, WRITES_BACK = 1 << 21, ADDS = 1 << 23 };

static uint32_t bits(uint32_t word, unsigned low, unsigned count)
{
    return word >> low & ((UINT32_C(1) << count) - 1);
}

static struct uc_value get(struct uc_loop *loop, unsigned reg)
{
    return reg == PC ? uc_fixed((uint32_t)loop->pc + 8) : uc_loop_get(loop, reg);
}

static void jump(struct uc_loop *loop, struct uc_value target)
{
    uint64_t address = uc_value_bits(loop, target);
    loop->failed |= address & 3; /* Thumb */
    loop->pc = address;
}

/* Returns true if the instruction has branched. */
static bool set(struct uc_loop *loop, unsigned reg, struct uc_value value)
{
    if (reg == PC)
        jump(loop, value);
    else
        uc_loop_set(loop, reg, value);
    return reg == PC;
}

/* --- data processing --- */

/* A second operand, and the carry of its shifter: 0, 1, or another value if it keeps C. */
struct operand {
    struct uc_value value;
    unsigned carry;
};

enum { KEEPS = 2, UNKNOWN = 3 };

static struct operand shift(struct uc_loop *loop, struct uc_value a, unsigned type, unsigned by)
{
    if (!by)
        return (struct operand){a, KEEPS};
    unsigned carry = UNKNOWN;
    if (a.kind == UC_FIXED) {
        uint64_t wide = type == 2 ? (uint64_t)(int64_t)(int32_t)(uint32_t)a.bits : a.bits;
        unsigned at = type == 3 ? (by - 1) & 31 : by - 1;
        uint64_t out = type == 0 ? (by > 32 ? 0 : a.bits >> (32 - by)) : at > 63 ? 0 : wide >> at;
        carry = (unsigned)(out & 1);
    }
    switch (type) {
    case 0: return (struct operand){uc_value_left(loop, a, by, false), carry};
    case 1: return (struct operand){uc_value_right(loop, a, by), carry};
    case 2: return (struct operand){uc_value_signed(loop, a, by, false), carry};
    default: return (struct operand){uc_value_rotate(loop, a, by, false), carry};
    }
}

static struct operand shifted_register(struct uc_loop *loop, uint32_t word)
{
    struct uc_value a = get(loop, bits(word, 0, 4));
    unsigned type = bits(word, 5, 2), by = bits(word, 7, 5);
    if (bits(word, 4, 1))
        by = uc_value_bits(loop, get(loop, bits(word, 8, 4))) & 0xff;
    else if (!by && type == 3) /* rotate by carry */
        loop->failed = true;
    else if (!by && type)
        by = 32;
    return shift(loop, a, type, by);
}

static struct operand second_operand(struct uc_loop *loop, uint32_t word)
{
    if (!bits(word, 25, 1))
        return shifted_register(loop, word);
    unsigned by = 2 * bits(word, 8, 4);
    struct operand operand = shift(loop, uc_fixed(bits(word, 0, 8)), 3, by);
    return operand;
}

static void logic_flags(struct uc_loop *loop, struct uc_value result, unsigned carry)
{
    uc_flags_result(loop, result, false);
    if (carry < KEEPS)
        uc_flags_set(loop, UC_C, carry ? UC_C : 0);
    else if (carry == UNKNOWN)
        loop->flags.known &= (uint8_t)~UC_C;
}

/* Executes an addition or subtraction: left + right, left - right, or with carry. */
static struct uc_value sum(struct uc_loop *loop, struct uc_value left, struct uc_value right,
                           bool subtracts, unsigned carry)
{
    struct uc_value extra = uc_fixed(subtracts ? !carry : carry);
    struct uc_value result = subtracts ? uc_value_subtract(loop, left, right, false)
                                       : uc_value_add(loop, left, right, false);
    return subtracts ? uc_value_subtract(loop, result, extra, false)
                     : uc_value_add(loop, result, extra, false);
}

static void sum_flags(struct uc_loop *loop, struct uc_value left, struct uc_value right,
                      bool subtracts, unsigned carry)
{
    if (subtracts)
        uc_flags_subtract(loop, left, right, !carry, false);
    else
        uc_flags_add(loop, left, right, carry, false);
}

static struct uc_value logic(struct uc_loop *loop, unsigned operation, struct uc_value left,
                             struct uc_value right)
{
    enum { AND = 0, EOR = 1, TST = 8, TEQ = 9, ORR = 12, MOV = 13, BIC = 14 };
    switch (operation) {
    case AND:
    case TST: return uc_value_and(loop, left, right);
    case EOR:
    case TEQ: return uc_value_xor(loop, left, right);
    case ORR: return uc_value_or(loop, left, right);
    case MOV: return right;
    case BIC: return uc_value_and(loop, left, uc_value_not(loop, right, false));
    default: return uc_value_not(loop, right, false);
    }
}

static bool process(struct uc_loop *loop, uint32_t word)
{
    enum { SUB = 2, RSB, ADD, ADC, SBC, RSC, CMP = 10, CMN, MOV = 13, MVN = 15 };
    unsigned operation = bits(word, 21, 4), first = bits(word, 16, 4), target = bits(word, 12, 4);
    bool sets = word & READS, compares = operation >= 8 && operation <= 11;
    struct operand second = second_operand(loop, word);
    struct uc_value left = operation == MOV || operation == MVN ? uc_fixed(0) : get(loop, first),
                    result;
    bool with_carry = operation == ADC || operation == SBC || operation == RSC;
    bool sums = (operation >= SUB && operation <= RSC) || operation == CMP || operation == CMN;
    bool subtracts = operation == SUB || operation == RSB || operation == SBC || operation == RSC ||
                     operation == CMP;
    bool reversed = operation == RSB || operation == RSC;
    loop->failed |= sets && target == PC && !compares;
    if (sums) {
        unsigned carry = with_carry ? uc_flags_hold(loop, 2) : subtracts;
        struct uc_value from = reversed ? second.value : left;
        struct uc_value by = reversed ? left : second.value;
        result = compares ? uc_unknown() : sum(loop, from, by, subtracts, carry);
        if (sets)
            sum_flags(loop, from, by, subtracts, carry);
    } else {
        result = logic(loop, operation, left, second.value);
        if (sets)
            logic_flags(loop, result, second.carry);
    }
    return compares ? false : set(loop, target, result);
}

/* --- multiplication, bit fields --- */

static bool multiply(struct uc_loop *loop, uint32_t word)
{
    unsigned kind = bits(word, 21, 3), high = bits(word, 16, 4), low = bits(word, 12, 4);
    struct uc_value a = get(loop, bits(word, 0, 4)), b = get(loop, bits(word, 8, 4));
    loop->failed |= (word & READS) || kind == 2 || kind == 5 || kind == 7;
    if (kind < 4) { /* mul, mla, mls */
        struct uc_value result = uc_value_multiply(loop, a, b, false);
        if (kind == 1)
            result = uc_value_add(loop, result, get(loop, low), false);
        if (kind == 3)
            result = uc_value_subtract(loop, get(loop, low), result, false);
        return set(loop, high, result);
    }
    if (kind == 6) {
        a = uc_value_extend(loop, a, 32, true);
        b = uc_value_extend(loop, b, 32, true);
    }
    struct uc_value result = uc_value_multiply(loop, a, b, true);
    bool fixed = result.kind == UC_FIXED;
    set(loop, low, fixed ? uc_fixed((uint32_t)result.bits) : uc_unknown());
    return set(loop, high, uc_value_right(loop, result, 32));
}

/* Extensions, bit fields, division and the count of zeros. */
static bool media(struct uc_loop *loop, uint32_t word)
{
    unsigned operation = bits(word, 20, 8), target = bits(word, 12, 4);
    struct uc_value a = get(loop, bits(word, 0, 4));
    bool is_signed = !bits(word, 22, 1);
    if ((operation & 0xfb) == 0x6a || (operation & 0xfb) == 0x6b) { /* bytes, halfwords */
        unsigned count = operation & 1 ? 16 : 8, base = bits(word, 16, 4);
        loop->failed |= bits(word, 4, 6) != 7;
        a = uc_value_rotate(loop, a, 8 * bits(word, 10, 2), false);
        a = uc_value_and(loop, a, uc_fixed((1U << count) - 1));
        if (is_signed)
            a = uc_value_extend(loop, a, count, false);
        if (base != PC)
            a = uc_value_add(loop, get(loop, base), a, false);
        return set(loop, target, a);
    }
    if ((operation & 0xfa) == 0x7a && bits(word, 4, 3) == 5) { /* sbfx, ubfx */
        unsigned count = bits(word, 16, 5) + 1;
        a = uc_value_right(loop, a, bits(word, 7, 5));
        a = uc_value_and(loop, a, uc_fixed((UINT64_C(1) << count) - 1));
        return set(loop, target, is_signed ? uc_value_extend(loop, a, count, false) : a);
    }
    if (operation == 0x73 && bits(word, 4, 4) == 1) /* udiv */
        return set(loop, bits(word, 16, 4), uc_value_divide(loop, a, get(loop, bits(word, 8, 4))));
    loop->failed = true;
    return false;
}

/* --- loads and stores --- */

/* Returns the address of an access, and writes the base register back. */
static struct uc_value indexed(struct uc_loop *loop, uint32_t word, struct uc_value offset)
{
    unsigned reg = bits(word, 16, 4);
    bool before = bits(word, 24, 1);
    struct uc_value base = get(loop, reg);
    struct uc_value sum = word & ADDS ? uc_value_add(loop, base, offset, false)
                                      : uc_value_subtract(loop, base, offset, false);
    if (!before || (word & WRITES_BACK)) {
        loop->failed |= reg == PC || (!before && (word & WRITES_BACK));
        set(loop, reg, sum);
    }
    return before ? sum : base;
}

static bool word_or_byte(struct uc_loop *loop, uint32_t word)
{
    unsigned size = bits(word, 22, 1) ? 1 : 4, target = bits(word, 12, 4);
    struct uc_value offset = bits(word, 25, 1) ? shifted_register(loop, word).value
                                               : uc_fixed(bits(word, 0, 12));
    struct uc_value stored = word & READS ? uc_fixed(0) : get(loop, target);
    struct uc_value address = indexed(loop, word, offset);
    if (word & READS)
        return set(loop, target, uc_loop_load(loop, address, size));
    uc_loop_store(loop, address, size, stored);
    return false;
}

static bool two_words(struct uc_loop *loop, unsigned target, struct uc_value address, bool loads)
{
    struct uc_value next = uc_value_add(loop, address, uc_fixed(4), false);
    loop->failed |= (target & 1) || target == LR;
    if (loop->failed)
        return false;
    if (!loads) {
        uc_loop_store(loop, address, 4, get(loop, target));
        uc_loop_store(loop, next, 4, get(loop, target + 1));
        return false;
    }
    set(loop, target, uc_loop_load(loop, address, 4));
    return set(loop, target + 1, uc_loop_load(loop, next, 4));
}

/* Halfwords, signed bytes, and pairs of words. */
static bool halfword(struct uc_loop *loop, uint32_t word)
{
    unsigned kind = bits(word, 5, 2), target = bits(word, 12, 4);
    struct uc_value offset = bits(word, 22, 1) ? uc_fixed(bits(word, 8, 4) << 4 | bits(word, 0, 4))
                                               : get(loop, bits(word, 0, 4));
    struct uc_value address = indexed(loop, word, offset);
    if (!(word & READS) && kind >= 2)
        return two_words(loop, target, address, kind == 2);
    unsigned size = kind == 2 ? 1 : 2;
    if (!(word & READS)) {
        uc_loop_store(loop, address, size, get(loop, target));
        return false;
    }
    struct uc_value value = uc_loop_load(loop, address, size);
    return set(loop, target, kind == 1 ? value : uc_value_extend(loop, value, 8 * size, false));
}

/* ldrex, strex, and those of bytes and halfwords. */
static bool exclusive(struct uc_loop *loop, uint32_t word)
{
    static const unsigned sizes[] = {4, 8, 1, 2};
    unsigned size = sizes[bits(word, 21, 2)], target = bits(word, 12, 4);
    struct uc_value at = get(loop, bits(word, 16, 4));
    loop->failed |= size == 8 || bits(word, 4, 8) != 0xf9 || target == PC;
    if (loop->failed)
        return false;
    if (word & READS)
        uc_loop_set(loop, target, uc_loop_load_exclusive(loop, at, size));
    else
        uc_loop_set(loop, target,
                    uc_loop_store_exclusive(loop, at, size, get(loop, bits(word, 0, 4))));
    return false;
}

static unsigned ones(uint32_t value)
{
    unsigned count = 0;
    for (; value; value &= value - 1)
        count++;
    return count;
}

static bool many(struct uc_loop *loop, uint32_t word)
{
    unsigned reg = bits(word, 16, 4), list = bits(word, 0, 16), bytes = 4 * ones(list);
    bool up = word & ADDS, before = bits(word, 24, 1), branched = false;
    struct uc_value base = get(loop, reg);
    struct uc_value end = up ? uc_value_add(loop, base, uc_fixed(bytes), false)
                             : uc_value_subtract(loop, base, uc_fixed(bytes), false);
    struct uc_value at = up ? base : end;
    loop->failed |= bits(word, 22, 1) || reg == PC;
    if (up == before)
        at = uc_value_add(loop, at, uc_fixed(4), false);
    for (unsigned i = 0; i < 16 && !loop->failed; i++) {
        if (!(list >> i & 1))
            continue;
        if (word & READS)
            branched = set(loop, i, uc_loop_load(loop, at, 4));
        else
            uc_loop_store(loop, at, 4, get(loop, i));
        at = uc_value_add(loop, at, uc_fixed(4), false);
    }
    bool loaded = (word & READS) && (list >> reg & 1);
    if ((word & WRITES_BACK) && !loaded)
        set(loop, reg, end);
    return branched;
}

/* --- others --- */

static bool branch(struct uc_loop *loop, uint32_t word)
{
    uint32_t offset = (uint32_t)((int32_t)(word << 8) >> 6);
    if (bits(word, 24, 1))
        uc_loop_set(loop, LR, uc_fixed((uint32_t)loop->pc + 4));
    loop->pc = (uint32_t)((uint32_t)loop->pc + 8 + offset);
    return true;
}

static bool branch_by_register(struct uc_loop *loop, uint32_t word)
{
    struct uc_value target = get(loop, bits(word, 0, 4));
    if (bits(word, 4, 4) == 3)
        uc_loop_set(loop, LR, uc_fixed((uint32_t)loop->pc + 4));
    jump(loop, target);
    return true;
}

/* Multiplications, halfwords and exceptions of the group of data processing. */
static bool miscellaneous(struct uc_loop *loop, uint32_t word)
{
    bool immediate = bits(word, 25, 1);
    if (immediate && (word & 0x0fb00000) == 0x03000000) { /* movw, movt */
        uint32_t half = bits(word, 16, 4) << 12 | bits(word, 0, 12);
        unsigned target = bits(word, 12, 4);
        struct uc_value value = uc_fixed(half);
        if (bits(word, 22, 1)) {
            struct uc_value low = uc_value_and(loop, get(loop, target), uc_fixed(0xffff));
            value = uc_value_or(loop, low, uc_fixed((uint64_t)half << 16));
        }
        return set(loop, target, value);
    }
    if (immediate && (word & 0x0fffffff) == 0x0320f000) /* nop */
        return false;
    if (!immediate && ((word & 0x0ffffff0) == 0x012fff10 || (word & 0x0ffffff0) == 0x012fff30))
        return branch_by_register(loop, word);
    if (!immediate && (word & 0x0fff0ff0) == 0x016f0f10) { /* clz */
        uint32_t value = (uint32_t)uc_value_bits(loop, get(loop, bits(word, 0, 4)));
        unsigned zeros = 32;
        for (; value; value >>= 1)
            zeros--;
        return set(loop, bits(word, 12, 4), uc_fixed(zeros));
    }
    loop->failed = true;
    return false;
}

/* Barriers, and reads of the counters. */
static bool coprocessor(struct uc_loop *loop, uint32_t word)
{
    bool barrier = (word & 0x0fff0fff) == 0x0e070f9a || (word & 0x0fff0fff) == 0x0e070fba ||
                   (word & 0x0fff0fff) == 0x0e070f95;
    if (barrier)
        return false;
    loop->failed |= bits(word, 12, 4) == PC;
    bool wide = (word & 0x0ff00f00) == 0x0c500f00, narrow = (word & 0x0f100f10) == 0x0e100f10;
    struct uc_value value = wide || narrow ? uc_loop_system(loop) : uc_unknown();
    if (!wide && !narrow) {
        loop->failed = true;
        return false;
    }
    if (wide)
        set(loop, bits(word, 16, 4), uc_value_right(loop, value, 32));
    return set(loop, bits(word, 12, 4), uc_value_and(loop, value, uc_fixed(UINT32_MAX)));
}

static bool group_0(struct uc_loop *loop, uint32_t word)
{
    bool register_form = !bits(word, 25, 1), odd = bits(word, 7, 1) && bits(word, 4, 1);
    if (register_form && odd && bits(word, 5, 2))
        return halfword(loop, word);
    if (register_form && odd && !bits(word, 24, 1))
        return multiply(loop, word);
    if (register_form && odd && bits(word, 23, 2) == 3)
        return exclusive(loop, word);
    bool misc = bits(word, 23, 2) == 2 && !(word & READS);
    if ((register_form && odd) || misc)
        return miscellaneous(loop, word);
    return process(loop, word);
}

static bool execute(struct uc_loop *loop, uint32_t word)
{
    switch (bits(word, 25, 3)) {
    case 0:
    case 1: return group_0(loop, word);
    case 2: return word_or_byte(loop, word);
    case 3: return bits(word, 4, 1) ? media(loop, word) : word_or_byte(loop, word);
    case 4: return many(loop, word);
    case 5: return branch(loop, word);
    default: return coprocessor(loop, word);
    }
}

void uc_loop_arm(struct uc_loop *loop, uint32_t word)
{
    enum { UNCONDITIONAL = 15 };
    unsigned condition = word >> 28;
    bool barrier = (word & 0xffffff00) == 0xf57ff000 && bits(word, 4, 4) >= 4;
    bool preload = (word & 0xfd70f000) == 0xf550f000;
    loop->failed |= condition == UNCONDITIONAL && !barrier && !preload;
    bool branched = condition != UNCONDITIONAL && uc_flags_hold(loop, condition) &&
                    execute(loop, word);
    if (!branched)
        loop->pc += 4;
}
