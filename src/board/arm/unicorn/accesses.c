/* SPDX-License-Identifier: MIT */
/* accesses.c - finds the instruction that makes an access.
 *
 * In:  the current block, the registers, the access's address.
 * Out: the address of the instruction.
 *
 * Unicorn calls the board during an access, when the registers are those before the instruction,
 * but the program counter is not up to date. The instruction is the next one of the block, from the
 * previous access on, whose address is equal in the bits that translation does not change.
 *
 * Source: ARM Architecture Reference Manual ARMv7-A, A5.3 to A5.6 and A6.2, A6.3. */
#include "board/arm/unicorn/core.h"

enum { PAGE_BITS = 0xfff, PC = 15, SP = 13, ALL_REGISTERS = 16 };

/* What an instruction accesses: bytes at address. An instruction that accesses several words is
 * asked about each of them. */
struct operand {
    bool load, store;
    bool several;
    uint32_t address, bytes;
};

struct registers {
    uint32_t r[ALL_REGISTERS];
    bool carry;
};

static uint32_t bits(uint32_t word, unsigned low, unsigned count)
{
    return word >> low & ((UINT32_C(1) << count) - 1);
}

/* --- 32-bit instructions --- */

static uint32_t shifted(const struct registers *reg, uint32_t word)
{
    uint32_t value = reg->r[bits(word, 0, 4)];
    unsigned amount = bits(word, 7, 5);
    switch (bits(word, 5, 2)) {
    case 0: return value << amount;
    case 1: return amount ? value >> amount : 0;
    case 2: {
        uint32_t sign = value >> 31 ? 0xffffffff : 0;
        return amount ? value >> amount | (sign << (32 - amount)) : sign;
    }
    default:
        return amount ? value >> amount | value << (32 - amount)
                      : value >> 1 | (uint32_t)reg->carry << 31;
    }
}

/* Applies bits 24 (offset before the access) and 23 (add) of an instruction. */
static uint32_t indexed(uint32_t base, uint32_t offset, uint32_t word)
{
    if (!bits(word, 24, 1))
        return base;
    return bits(word, 23, 1) ? base + offset : base - offset;
}

static struct operand of_word_or_byte(const struct registers *reg, uint32_t word)
{
    uint32_t base = reg->r[bits(word, 16, 4)];
    uint32_t offset = bits(word, 25, 1) ? shifted(reg, word) : bits(word, 0, 12);
    bool load = bits(word, 20, 1);
    return (struct operand){.load = load,
                            .store = !load,
                            .address = indexed(base, offset, word),
                            .bytes = bits(word, 22, 1) ? 1 : 4};
}

static struct operand of_halfword(const struct registers *reg, uint32_t word)
{
    uint32_t base = reg->r[bits(word, 16, 4)];
    uint32_t offset = bits(word, 22, 1) ? bits(word, 8, 4) << 4 | bits(word, 0, 4)
                                        : reg->r[bits(word, 0, 4)];
    unsigned kind = bits(word, 5, 2);
    bool load = bits(word, 20, 1), pair = !load && kind >= 2;
    return (struct operand){.load = load || (pair && kind == 2),
                            .store = !load && kind != 2,
                            .several = pair,
                            .address = indexed(base, offset, word),
                            .bytes = pair        ? 8
                                     : kind == 2 ? 1
                                                 : 2};
}

/* swp, ldrex, strex and their kinds. */
static struct operand of_exclusive(const struct registers *reg, uint32_t word)
{
    static const uint8_t sizes[4] = {4, 8, 1, 2};
    bool swap = !bits(word, 23, 1), load = bits(word, 20, 1);
    uint32_t bytes = swap ? (bits(word, 22, 1) ? 1 : 4) : sizes[bits(word, 21, 2)];
    return (struct operand){.load = swap || load,
                            .store = swap || !load,
                            .several = true,
                            .address = reg->r[bits(word, 16, 4)],
                            .bytes = bytes};
}

static struct operand of_many(const struct registers *reg, uint32_t word, unsigned words)
{
    uint32_t base = reg->r[bits(word, 16, 4)], bytes = 4 * words;
    bool before = bits(word, 24, 1), up = bits(word, 23, 1), load = bits(word, 20, 1);
    uint32_t address = up ? base + (before ? 4 : 0) : base - bytes + (before ? 0 : 4);
    return (struct operand){
        .load = load, .store = !load, .several = true, .address = address, .bytes = bytes};
}

static unsigned ones(uint32_t value)
{
    unsigned count = 0;
    for (; value; value &= value - 1)
        count++;
    return count;
}

static struct operand of_coprocessor(const struct registers *reg, uint32_t word)
{
    uint32_t base = reg->r[bits(word, 16, 4)], offset = bits(word, 0, 8) << 2;
    bool load = bits(word, 20, 1), one = bits(word, 24, 1) && !bits(word, 21, 1);
    bool up = bits(word, 23, 1);
    uint32_t bytes = one ? 8 : offset;
    uint32_t address = one ? (up ? base + offset : base - offset) : up ? base : base - offset;
    return (struct operand){
        .load = load, .store = !load, .several = true, .address = address, .bytes = bytes};
}

static struct operand arm_operand(const struct registers *reg, uint32_t word)
{
    unsigned kind = bits(word, 25, 3);
    if (kind == 2 || (kind == 3 && !bits(word, 4, 1)))
        return of_word_or_byte(reg, word);
    if (kind == 4)
        return of_many(reg, word, ones(bits(word, 0, 16)));
    if (kind == 6)
        return of_coprocessor(reg, word);
    if (kind == 0 && bits(word, 7, 1) && bits(word, 4, 1)) {
        if (bits(word, 5, 2))
            return of_halfword(reg, word);
        if (bits(word, 24, 1))
            return of_exclusive(reg, word);
    }
    return (struct operand){0};
}

/* --- Thumb --- */

static struct operand thumb_operand(const struct registers *reg, uint32_t word)
{
    static const struct {
        uint8_t bytes;
        bool load;
    } by_register[8] = {{4, false}, {2, false}, {1, false}, {1, true},
                        {4, true},  {2, true},  {1, true},  {2, true}};
    uint32_t base = reg->r[bits(word, 3, 3)], offset = bits(word, 6, 5);
    unsigned kind = bits(word, 11, 5);
    bool load = kind & 1;
    struct operand operand = {.load = load, .store = !load};
    if (kind == 9) { /* from the literal pool */
        operand.address = (reg->r[PC] & ~UINT32_C(3)) + (bits(word, 0, 8) << 2);
        operand.bytes = 4;
    } else if (bits(word, 12, 4) == 5) {
        unsigned row = bits(word, 9, 3);
        operand = (struct operand){.load = by_register[row].load,
                                   .store = !by_register[row].load,
                                   .address = base + reg->r[bits(word, 6, 3)],
                                   .bytes = by_register[row].bytes};
    } else if (kind >= 12 && kind <= 17) {
        unsigned shift = kind < 14 ? 2 : kind < 16 ? 0 : 1;
        operand.address = base + (offset << shift);
        operand.bytes = 1U << shift;
    } else if (kind == 18 || kind == 19) {
        operand.address = reg->r[SP] + (bits(word, 0, 8) << 2);
        operand.bytes = 4;
    } else if (kind == 24 || kind == 25) {
        operand.several = true;
        operand.address = reg->r[bits(word, 8, 3)];
        operand.bytes = 4 * ones(bits(word, 0, 8));
    } else if ((word & 0xf600) == 0xb400) { /* push, pop */
        operand.several = true;
        operand.bytes = 4 * ones(bits(word, 0, 9));
        operand.address = load ? reg->r[SP] : reg->r[SP] - operand.bytes;
    } else {
        operand = (struct operand){0};
    }
    return operand;
}

/* Thumb instructions of 32 bits that load or store one byte, halfword or word. */
static struct operand wide_single(const struct registers *reg, uint32_t word)
{
    uint32_t base = reg->r[bits(word, 16, 4)];
    bool load = bits(word, 20, 1);
    uint32_t address;
    if (bits(word, 16, 4) == PC)
        address = (base & ~UINT32_C(3)) + (bits(word, 23, 1) ? 1 : -1U) * bits(word, 0, 12);
    else if (bits(word, 23, 1))
        address = base + bits(word, 0, 12);
    else if (bits(word, 11, 1))
        address = !bits(word, 10, 1) ? base
                  : bits(word, 9, 1) ? base + bits(word, 0, 8)
                                     : base - bits(word, 0, 8);
    else
        address = base + (reg->r[bits(word, 0, 4)] << bits(word, 4, 2));
    return (struct operand){
        .load = load, .store = !load, .address = address, .bytes = 1U << bits(word, 21, 2)};
}

static struct operand wide_operand(const struct registers *reg, uint32_t word)
{
    if (bits(word, 25, 7) == 0x7c)
        return wide_single(reg, word);
    if (bits(word, 25, 7) == 0x74 && !bits(word, 22, 1))
        return of_many(reg, word, ones(bits(word, 0, 16)));
    if (bits(word, 25, 7) == 0x74) { /* two registers, or exclusive */
        uint32_t offset = bits(word, 0, 8) << 2;
        bool pair = bits(word, 24, 1) || bits(word, 21, 1), load = bits(word, 20, 1);
        uint32_t base = reg->r[bits(word, 16, 4)];
        return (struct operand){.load = load,
                                .store = !load,
                                .several = true,
                                .address = pair ? indexed(base, offset, word) : base + offset,
                                .bytes = 8};
    }
    if (bits(word, 25, 7) == 0x76)
        return of_coprocessor(reg, word);
    return (struct operand){0};
}

/* --- the search --- */

void uc_read_registers(const struct uc_core *core, uint32_t *registers)
{
    for (unsigned i = 0; i < PC; i++)
        registers[i] = (uint32_t)uc_get(&core->core, i);
}

static struct operand operand_of(const struct registers *reg, uint32_t word, unsigned bytes,
                                 bool thumb)
{
    return !thumb       ? arm_operand(reg, word)
           : bytes == 2 ? thumb_operand(reg, word)
                        : wide_operand(reg, word);
}

unsigned uc_accesses_of(const struct uc_core *core, uint32_t word, unsigned bytes, bool thumb)
{
    static const uint64_t zeros[32];
    if (core->wide) {
        struct uc_operand wide = uc_operand_wide(zeros, 0, word);
        return (wide.load ? UC_LOADS : 0) | (wide.store ? UC_STORES : 0);
    }
    static const struct registers none;
    struct operand operand = operand_of(&none, word, bytes, thumb);
    return (operand.load ? UC_LOADS : 0) | (operand.store ? UC_STORES : 0);
}

static bool matches(const struct operand *operand, uint64_t address, unsigned size, bool store)
{
    if (store ? !operand->store : !operand->load)
        return false;
    uint32_t offset = ((uint32_t)address - operand->address) & PAGE_BITS;
    return operand->several ? offset < operand->bytes : offset == 0 && operand->bytes == size;
}

/* Searches the instructions from index `from` on. Returns false if none makes the access. */
static bool search(struct uc_core *core, struct registers *reg, unsigned from, uint64_t address,
                   unsigned size, bool store, uint64_t *pc)
{
    const struct uc_block *block = core->block;
    uint32_t word, offset = 0;
    unsigned bytes;
    for (unsigned i = 0; i < block->instructions; i++, offset += bytes) {
        if (!uc_block_word(core, block, offset, &word, &bytes))
            return false;
        reg->r[PC] = (uint32_t)block->address + offset + (block->thumb ? 4 : 8);
        struct operand operand = operand_of(reg, word, bytes, block->thumb);
        if (i >= from && matches(&operand, address, size, store)) {
            core->next_access = i + !operand.several;
            *pc = block->address + offset;
            return true;
        }
    }
    return false;
}

static bool matches_wide(const struct uc_operand *operand, uint64_t address, unsigned size,
                         bool store)
{
    if (store ? !operand->store : !operand->load)
        return false;
    uint64_t offset = (address - operand->address) & PAGE_BITS;
    return operand->several ? offset < operand->bytes : offset == 0 && operand->bytes == size;
}

static bool search_wide(struct uc_core *core, const uint64_t *registers, unsigned from,
                        uint64_t address, unsigned size, bool store, uint64_t *pc)
{
    const struct uc_block *block = core->block;
    for (unsigned i = from; i < block->instructions; i++) {
        uint32_t word;
        unsigned bytes;
        uint64_t at = block->address + (uint64_t)4 * i;
        if (!uc_block_word(core, block, 4 * i, &word, &bytes))
            return false;
        struct uc_operand operand = uc_operand_wide(registers, at, word);
        if (matches_wide(&operand, address, size, store)) {
            core->next_access = i + !operand.several;
            *pc = at;
            return true;
        }
    }
    return false;
}

static uint64_t accessing_wide(struct uc_core *core, uint64_t address, unsigned size, bool store)
{
    uint64_t registers[32], pc = core->block->address;
    for (unsigned i = 0; i < 31; i++)
        registers[i] = uc_get(&core->core, i);
    registers[31] = uc_get(&core->core, ARM_SP);
    if (!search_wide(core, registers, core->next_access, address, size, store, &pc))
        search_wide(core, registers, 0, address, size, store, &pc);
    return pc;
}

uint64_t uc_accessing(struct uc_core *core, uint64_t address, unsigned size, bool store)
{
    unsigned only = store ? core->block->store : core->block->load;
    if (only < UC_SEVERAL)
        return uc_address_of(core, only);
    if (core->wide)
        return accessing_wide(core, address, size, store);
    struct registers reg;
    uint64_t pc = core->block->address;
    uc_read_registers(core, reg.r);
    reg.carry = uc_get32(core, UC_ARM_REG_CPSR) >> 29 & 1;
    if (!search(core, &reg, core->next_access, address, size, store, &pc))
        search(core, &reg, 0, address, size, store, &pc);
    return pc;
}
