/* SPDX-License-Identifier: MIT */
/* accesses64.c - what instructions of 64-bit execution access.
 *
 * In:  an instruction, the registers.
 * Out: the address and size of its access.
 *
 * Source: ARM Architecture Reference Manual ARMv8-A, C4.1.4 (loads and stores). */
#include "board/arm/unicorn/core.h"

enum { STACK = 31 };

static uint32_t bits(uint32_t word, unsigned low, unsigned count)
{
    return word >> low & ((UINT32_C(1) << count) - 1);
}

static int64_t extended(uint32_t value, unsigned count)
{
    return (int64_t)((uint64_t)value << (64 - count)) >> (64 - count);
}

/* Bytes of a load or store by bits 31:30, and for vector registers bit 23. */
static unsigned size_of(uint32_t word)
{
    bool vector = bits(word, 26, 1);
    return vector && bits(word, 23, 1) ? 16 : 1U << bits(word, 30, 2);
}

static bool loads(uint32_t word)
{
    bool vector = bits(word, 26, 1);
    return vector ? bits(word, 22, 1) : bits(word, 22, 2) != 0;
}

static uint64_t index_of(const uint64_t *registers, uint32_t word, unsigned size)
{
    unsigned reg = bits(word, 16, 5);
    uint64_t index = reg == 31 ? 0 : registers[reg];
    unsigned shift = 0;
    if (bits(word, 12, 1))
        while (1U << shift < size)
            shift++;
    switch (bits(word, 13, 3)) {
    case 2: index = (uint32_t)index; break;
    case 6: index = (uint64_t)(int64_t)(int32_t)(uint32_t)index; break;
    default: break;
    }
    return index << shift;
}

static struct uc_operand one_register(const uint64_t *registers, uint32_t word)
{
    unsigned size = size_of(word);
    uint64_t address = registers[bits(word, 5, 5)];
    if (bits(word, 24, 1))
        address += (uint64_t)bits(word, 10, 12) * size;
    else if (bits(word, 21, 1))
        address += index_of(registers, word, size);
    else if (bits(word, 10, 2) != 1) /* 1: the offset is added after the access */
        address += (uint64_t)extended(bits(word, 12, 9), 9);
    bool load = loads(word);
    return (struct uc_operand){
        .load = load, .store = !load, .several = size == 16, .address = address, .bytes = size};
}

static struct uc_operand pair(const uint64_t *registers, uint32_t word)
{
    bool vector = bits(word, 26, 1), load = bits(word, 22, 1);
    unsigned size = vector ? 4U << bits(word, 30, 2) : bits(word, 31, 1) ? 8 : 4;
    uint64_t address = registers[bits(word, 5, 5)];
    if (bits(word, 23, 2) != 1)
        address += (uint64_t)(extended(bits(word, 15, 7), 7) * (int64_t)size);
    return (struct uc_operand){
        .load = load, .store = !load, .several = true, .address = address, .bytes = 2 * size};
}

static struct uc_operand exclusive(const uint64_t *registers, uint32_t word)
{
    bool load = bits(word, 22, 1), two = bits(word, 21, 1) && !bits(word, 23, 1);
    unsigned size = 1U << bits(word, 30, 2);
    return (struct uc_operand){.load = load,
                               .store = !load,
                               .several = two,
                               .address = registers[bits(word, 5, 5)],
                               .bytes = two ? 2 * size : size};
}

static struct uc_operand literal(uint64_t pc, uint32_t word)
{
    return (struct uc_operand){.load = true,
                               .several = true,
                               .address = pc + (uint64_t)(extended(bits(word, 5, 19), 19) * 4),
                               .bytes = 8};
}

struct uc_operand uc_operand_wide(const uint64_t *registers, uint64_t pc, uint32_t word)
{
    if (bits(word, 27, 3) == 7 && !bits(word, 25, 1))
        return one_register(registers, word);
    if (bits(word, 27, 3) == 5 && !bits(word, 25, 1))
        return pair(registers, word);
    if (bits(word, 24, 6) == 8)
        return exclusive(registers, word);
    if (bits(word, 27, 3) == 3 && bits(word, 24, 2) == 0)
        return literal(pc, word);
    if (bits(word, 24, 7) == 0x0c || bits(word, 24, 7) == 0x0d) /* structures of vectors */
        return (struct uc_operand){.load = bits(word, 22, 1),
                                   .store = !bits(word, 22, 1),
                                   .several = true,
                                   .address = registers[bits(word, 5, 5)],
                                   .bytes = 64};
    return (struct uc_operand){0};
}
