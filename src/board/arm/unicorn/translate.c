/* SPDX-License-Identifier: MIT */
/* translate.c - translates virtual addresses by the tables in memory.
 *
 * In:  a virtual address, system registers, tables in RAM.
 * Out: a physical address.
 *
 * Unicorn translates the core's own accesses. This file is for the engine, which reads
 * instructions, and for debuggers.
 *
 * Source: ARM Architecture Reference Manual ARMv7-A, B3.5 (short descriptors) and B3.6 (long
 *         descriptors); ARMv8-A, D4.2.
 * Left out: permissions and domains. */
#include "board/arm/unicorn/core.h"

enum {
    SCTLR_TRANSLATION = 1 << 0,
    SCTLR_NO_SUBPAGES = 1 << 23,
    LONG_DESCRIPTORS = 31, /* bit of TTBCR */
};

static bool read_word(const struct uc_core *core, uint64_t at, uint32_t *word)
{
    at = uc_unrepeated(core, at);
    if (at + 4 > core->options.ram.size)
        return false;
    const uint8_t *bytes = core->options.ram.bytes + at;
    *word = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
            (uint32_t)bytes[3] << 24;
    return true;
}

/* What a table says of an address. */
struct found {
    bool translated; /* false if translation is off; .entry is then unused */
    uint64_t physical;
    struct uc_entry entry;
};

/* Returns true for the only core that has small pages with four access rights. */
static bool is_oldest(const struct uc_core *core)
{
    return core->options.model == ARM_1176;
}

static bool second_level(const struct uc_core *core, uint32_t table, uint32_t address,
                         struct found *found)
{
    bool subpages = !(uc_cp15(core, 1, 0, 0, 0) & SCTLR_NO_SUBPAGES) && is_oldest(core);
    uint32_t entry;
    if (!read_word(core, (table & ~UINT32_C(0x3ff)) | (address >> 10 & 0x3fc), &entry))
        return false;
    unsigned kind = entry & 3, extra = kind == 1 ? 12 : kind == 2 && subpages ? 0 : 6;
    uint32_t rest = kind == 1 ? 0xffff : 0xfff;
    found->physical = (entry & ~rest) | (address & rest);
    found->entry = (struct uc_entry){.bits = entry, .extra = extra};
    return kind != 0;
}

static bool short_descriptors(const struct uc_core *core, uint32_t control, uint32_t address,
                              struct found *found)
{
    unsigned n = control & 7;
    bool upper = n && address >> (32 - n);
    uint32_t base = (uint32_t)uc_cp15(core, 2, 0, 0, upper ? 1 : 0);
    uint32_t mask = upper ? 0xffffc000 : ~((UINT32_C(1) << (14 - n)) - 1);
    uint32_t index = (upper ? address : address & (0xffffffff >> n)) >> 20;
    uint32_t entry;
    if (!read_word(core, (base & mask) | index << 2, &entry))
        return false;
    switch (entry & 3) {
    case 1: return second_level(core, entry, address, found);
    case 2:
    case 3:
        found->physical = entry & 1 << 18 ? (entry & 0xff000000) | (address & 0xffffff)
                                          : (entry & 0xfff00000) | (address & 0xfffff);
        found->entry = (struct uc_entry){.bits = entry, .extra = 12};
        return true;
    default: return false;
    }
}

static bool long_descriptors(const struct uc_core *core, uint32_t control, uint32_t address,
                             struct found *found)
{
    unsigned regime = uc_regime(core); /* that of Hyp mode has one table */
    unsigned size0 = control & 7, size1 = regime ? 0 : control >> 16 & 7;
    bool upper = size1 ? address >> (32 - size1) == (1U << size1) - 1
                       : size0 && address >> (32 - size0);
    if (regime && upper)
        return false;
    unsigned bits = 32 - (upper ? size1 : size0);
    uc_arm_cp_reg base = {
        .cp = 15, .is64 = 1, .sec = uc_is_secure(core), .crm = 2, .opc1 = regime ? regime : upper};
    if (uc_reg_read(core->uc, UC_ARM_REG_CP_REG, &base) != UC_ERR_OK)
        return false;
    uint64_t table = base.val & UINT64_C(0xfffffff000);
    for (unsigned level = bits > 30 ? 1 : 2; level <= 3; level++) {
        unsigned shift = 39 - 9 * level;
        uint32_t low, high;
        uint64_t at = table + ((address >> shift & (shift == 30 ? 3 : 511)) << 3);
        if (!read_word(core, at, &low) || !read_word(core, at + 4, &high) || !(low & 1))
            return false;
        uint64_t entry = low | (uint64_t)high << 32;
        uint64_t target = entry & UINT64_C(0xfffffff000);
        if (level == 3 || !(entry & 2)) {
            uint64_t mask = (UINT64_C(1) << shift) - 1;
            found->physical = (target & ~mask) | (address & mask);
            found->entry = (struct uc_entry){.bits = low, .long_form = true};
            return true;
        }
        table = target;
    }
    return false;
}

/* --- 64 bits --- */

/* The tables of a level: granules of 4, 16 and 64 KiB. */
static bool wide_tables(const struct uc_core *core, uint64_t table, uint64_t address, unsigned bits,
                        unsigned granule, struct found *found)
{
    unsigned stride = granule - 3, levels = (bits - granule + stride - 1) / stride;
    for (unsigned level = 4 - levels; level <= 3; level++) {
        unsigned shift = granule + (3 - level) * stride;
        uint64_t index = address >> shift & ((UINT64_C(1) << stride) - 1);
        if (level == 4 - levels)
            index = (address & ((UINT64_C(1) << bits) - 1)) >> shift;
        uint32_t low, high;
        if (!read_word(core, table + index * 8, &low) ||
            !read_word(core, table + index * 8 + 4, &high) || !(low & 1))
            return false;
        uint64_t target = (low | (uint64_t)high << 32) & UINT64_C(0xfffffffff000);
        if (level == 3 || !(low & 2)) {
            uint64_t mask = (UINT64_C(1) << shift) - 1;
            found->physical = (target & ~mask) | (address & mask);
            found->entry = (struct uc_entry){.bits = low, .long_form = true};
            return true;
        }
        table = target & ~((UINT64_C(1) << granule) - 1);
    }
    return false;
}

static bool find_wide(const struct uc_core *core, uint64_t address, struct found *found)
{
    static const unsigned granules0[4] = {12, 16, 14, 12}, granules1[4] = {12, 14, 12, 16};
    unsigned regime = uc_regime(core);
    uint64_t control = uc_system(core, 3, regime, 2, 0, 2);
    bool upper = !regime && address >> 55 & 1;
    uint64_t table = uc_system(core, 3, regime, 2, 0, upper) & UINT64_C(0xfffffffffffe);
    unsigned bits = 64 - (unsigned)(control >> (upper ? 16 : 0) & 63);
    unsigned granule = upper ? granules1[control >> 30 & 3] : granules0[control >> 14 & 3];
    if (bits > 48 || bits < 25)
        return false;
    return wide_tables(core, table, address, bits, granule, found);
}

static bool find(const struct uc_core *core, uint64_t address, struct found *found)
{
    if (core->wide)
        return find_wide(core, address, found);
    unsigned regime = uc_regime(core);
    uint32_t control = (uint32_t)uc_cp15(core, 2, regime, 0, 2);
    if (regime || control >> LONG_DESCRIPTORS)
        return long_descriptors(core, control, (uint32_t)address, found);
    return short_descriptors(core, control, (uint32_t)address, found);
}

/* Translates an address. Sets found->translated to false, and the physical address to the same
 * address, if translation is off. */
static bool look_up(const struct uc_core *core, uint64_t address, struct found *found)
{
    *found = (struct found){.physical = address,
                            .translated = uc_control(core) & SCTLR_TRANSLATION};
    return !found->translated || find(core, address, found);
}

bool uc_walk(const struct uc_core *core, uint64_t address, uint64_t *physical,
             enum arm_memory *memory)
{
    struct found found;
    bool good = look_up(core, address, &found);
    *physical = good ? found.physical : address;
    *memory = good && found.translated ? uc_memory_type(core, &found.entry, uc_regime(core))
                                       : ARM_MEMORY_ORDERED;
    return good;
}

bool uc_translate(const struct arm_core *shared, uint64_t address, uint64_t *physical)
{
    struct found found;
    bool good = look_up((const struct uc_core *)shared, address, &found);
    *physical = good ? found.physical : address;
    return good;
}
