/* SPDX-License-Identifier: MIT */
/* memory_types.c - the kind of memory that an entry of the translation tables describes.
 *
 * In:  an entry; system registers.
 * Out: the kind: ordered, device, not cached, cached.
 *
 * Source: ARM Architecture Reference Manual ARMv7-A, B3.8.2 and B3.8.3 (TEX, C, B without and with
 *         remap) and the description of MAIR; Technical Reference Manuals of the Cortex-A53 and
 *         of the ARM1176JZF-S on memory types.
 * Left out: remap of an ARM1176, which Unicorn does not have.
 * Choices: an ARM1176 caches memory whose inner attribute is write-back; the other cores, memory
 *          whose inner and outer attributes are. */
#include "board/arm/unicorn/core.h"

enum {
    SCTLR_CACHE = 1 << 2,
    SCTLR_REMAP = 1 << 28,
    NOT_CACHED = 0,
    WRITE_BACK_ALLOCATE = 1,
    WRITE_THROUGH = 2,
    WRITE_BACK = 3,
};

static bool is_write_back(unsigned policy)
{
    return policy == WRITE_BACK || policy == WRITE_BACK_ALLOCATE;
}

/* Returns the kind of normal memory with these policies, while the data cache is on. */
static enum arm_memory normal(const struct uc_core *core, unsigned inner, unsigned outer)
{
    bool cached = is_write_back(inner) && (core->options.model == ARM_1176 || is_write_back(outer));
    return cached ? ARM_MEMORY_CACHED : ARM_MEMORY_NORMAL;
}

/* The meaning of TEX[0], C and B comes from the registers PRRR and NMRR. */
static enum arm_memory remapped(const struct uc_core *core, unsigned number)
{
    uint32_t primary = (uint32_t)uc_cp15(core, 10, 0, 2, 0);
    uint32_t policies = (uint32_t)uc_cp15(core, 10, 0, 2, 1);
    switch (primary >> 2 * number & 3) {
    case 0: return ARM_MEMORY_ORDERED;
    case 1: return ARM_MEMORY_DEVICE;
    default: return normal(core, policies >> 2 * number & 3, policies >> (16 + 2 * number) & 3);
    }
}

static enum arm_memory short_form(const struct uc_core *core, const struct uc_entry *entry)
{
    unsigned bits = (unsigned)entry->bits, cb = bits >> 2 & 3;
    unsigned tex = entry->extra ? bits >> entry->extra & 7 : 0;
    if (core->options.model != ARM_1176 && uc_cp15(core, 1, 0, 0, 0) & SCTLR_REMAP)
        return remapped(core, (tex & 1) << 2 | cb);
    if (tex & 4)
        return normal(core, cb, tex & 3);
    switch (tex << 2 | cb) {
    case 0: return ARM_MEMORY_ORDERED;
    case 1:
    case 8: return ARM_MEMORY_DEVICE;
    case 3: return normal(core, WRITE_BACK, WRITE_BACK);
    case 7: return normal(core, WRITE_BACK_ALLOCATE, WRITE_BACK_ALLOCATE);
    default: return ARM_MEMORY_NORMAL; /* written through, not cached, and reserved values */
    }
}

/* Returns the policy of four bits of MAIR for normal memory. */
static unsigned policy(unsigned bits)
{
    if (bits & 4)
        return bits == 4 ? NOT_CACHED : WRITE_BACK;
    return WRITE_THROUGH;
}

static enum arm_memory long_form(const struct uc_core *core, const struct uc_entry *entry,
                                 unsigned regime)
{
    unsigned number = entry->bits >> 2 & 7;
    uint64_t all = core->wide ? uc_system(core, 3, regime, 10, 2, 0)
                              : (uc_cp15(core, 10, regime, 2, 0) & UINT32_MAX) |
                                    uc_cp15(core, 10, regime, 2, 1) << 32;
    unsigned bits = all >> 8 * number & 0xff;
    if (bits >> 4 == 0)
        return bits ? ARM_MEMORY_DEVICE : ARM_MEMORY_ORDERED;
    return normal(core, policy(bits & 15), policy(bits >> 4));
}

enum arm_memory uc_memory_type(const struct uc_core *core, const struct uc_entry *entry,
                               unsigned regime)
{
    uint64_t control = uc_control(core);
    enum arm_memory memory = entry->long_form ? long_form(core, entry, regime)
                                              : short_form(core, entry);
    return memory == ARM_MEMORY_CACHED && !(control & SCTLR_CACHE) ? ARM_MEMORY_NORMAL : memory;
}
