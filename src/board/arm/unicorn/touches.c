/* SPDX-License-Identifier: MIT */
/* touches.c - reports the core's accesses to RAM and its memory barriers, if the board needs them.
 *
 * In:  Unicorn's hooks on memory.
 * Out: physical addresses, kinds of memory, and the instruction of each store.
 *
 * The hooks have virtual addresses. A table of pages holds their translations; it is emptied when
 * the core changes its tables, its system registers or its exception level.
 *
 * Source: Unicorn 2.0.1, qemu/accel/tcg/cputlb.c (store_helper, load_helper); ARM Architecture
 *         Reference Manual ARMv7-A, A8.8.43 and A8.8.44 (dmb, dsb), B4.2.2 (TLB maintenance);
 *         ARM1176JZF-S Technical Reference Manual, 3.2.22 (data synchronization barrier). */
#include "board/arm/unicorn/core.h"

#include <string.h>

enum { PAGE_BITS = 12, PAGE_MASK = 0xfff, CONDITION_ALWAYS = 14 };

void uc_forget_places(struct uc_core *core)
{
    if (core->options.ports->touch)
        memset(core->places, 0, sizeof core->places);
}

/* Returns the translation of an address, or NULL if the address is not mapped. */
static const struct uc_place *find_place(struct uc_core *core, uint64_t address)
{
    uint64_t page = address >> PAGE_BITS;
    struct uc_place *place = &core->places[page % UC_PLACES];
    uint64_t physical;
    enum arm_memory memory;
    if (place->page == page + 1)
        return place;
    if (!uc_walk(core, page << PAGE_BITS, &physical, &memory))
        return NULL;
    *place = (struct uc_place){.page = page + 1, .physical = physical, .memory = memory};
    return place;
}

/* Reports the part of an access that is in one page. */
static void touch_page(struct uc_core *core, uint64_t address, unsigned size, bool store)
{
    const struct uc_place *place = find_place(core, address);
    if (!place)
        return;
    core->touch = (struct uc_touch){.address = place->physical + (address & PAGE_MASK),
                                    .size = size,
                                    .store = store,
                                    .memory = place->memory};
    if (core->touch.address >= core->options.ram.size)
        return;
    const struct arm_access access = {.core = core->options.number,
                                      .address = core->touch.address,
                                      .size = size,
                                      .memory = place->memory};
    core->options.ports->touch(core->options.ports->user, &access, store);
}

static void on_touch(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                     void *user)
{
    (void)uc;
    (void)value;
    struct uc_core *core = user;
    bool store = type == UC_MEM_WRITE;
    unsigned bytes = (unsigned)size, left = PAGE_MASK + 1 - (unsigned)(address & PAGE_MASK);
    if (bytes <= left) {
        touch_page(core, address, bytes, store);
    } else {
        touch_page(core, address, left, store);
        touch_page(core, address + left, bytes - left, store);
    }
    core->stores += store;
}

void uc_touch_line(struct uc_core *core, uint64_t address)
{
    enum { LINE = 64 };
    if (!core->options.ports->touch)
        return;
    for (unsigned at = 0; at < LINE; at += 8)
        touch_page(core, address + at, 8, true);
}

bool uc_report_touches(struct uc_core *core)
{
    uc_hook hook;
    return !core->options.ports->touch ||
           uc_hook_add(core->uc, &hook, UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE, (void *)on_touch,
                       core, 1, 0) == UC_ERR_OK;
}

/* --- the instruction of an access --- */

/* The n-th store of a block is always made by the same instruction, unless an instruction of the
 * block is conditional. */
static struct uc_store *store_entry(struct uc_core *core)
{
    const struct uc_block *block = core->block;
    return &core->store_table[(block->address / 4 * 7 + core->stores) % UC_STORES_KNOWN];
}

static bool is_known(const struct uc_core *core, const struct uc_store *store)
{
    const struct uc_block *block = core->block;
    return !block->conditional && store->block == block->address && store->bytes == block->bytes &&
           store->number == core->stores;
}

uint64_t uc_touching(struct arm_core *shared)
{
    struct uc_core *core = (struct uc_core *)shared;
    const struct uc_touch *touch = &core->touch;
    struct uc_store *store = store_entry(core);
    if (touch->store && is_known(core, store)) {
        core->next_access = store->next;
        return store->pc;
    }
    uint64_t pc = uc_accessing(core, touch->address, touch->size, touch->store);
    if (touch->store)
        *store = (struct uc_store){.block = core->block->address,
                                   .pc = pc,
                                   .bytes = core->block->bytes,
                                   .number = core->stores,
                                   .next = core->next_access};
    return pc;
}

bool uc_is_conditional(const struct uc_core *core, uint32_t word, unsigned bytes, bool thumb)
{
    if (core->wide)
        return false;
    if (thumb) /* it */
        return bytes == 2 && (word & 0xff00) == 0xbf00 && (word & 15);
    return word >> 28 < CONDITION_ALWAYS && (uc_accesses_of(core, word, bytes, thumb) & UC_STORES);
}

/* --- instructions that the board or the table of pages must know --- */

/* Returns true for accesses to coprocessor 15 that end translations: to c1 (control), c2 (tables),
 * c8 (TLB), c10 (kinds of memory), c13 (address space). */
static bool changes_places_32(uint32_t word, unsigned bytes, bool thumb)
{
    if (bytes != 4 || (thumb && word >> 28 != 14) || word >> 28 == 15 || (word >> 8 & 15) != 15)
        return false;
    unsigned crn = word >> 16 & 15;
    bool one = (word & 0x0f100010) == 0x0e000010, two = (word & 0x0ff00000) == 0x0c400000;
    return (two && (word & 15) == 2) ||
           (one && (crn == 1 || crn == 2 || crn == 8 || crn == 10 || crn == 13));
}

static bool changes_places_64(uint32_t word)
{
    unsigned crn = word >> 12 & 15;
    if (word == 0xd69f03e0) /* eret */
        return true;
    if (word >> 19 == 0x1aa1) /* sys: tlbi */
        return crn == 8;
    return word >> 20 == 0xd51 && (crn == 1 || crn == 2 || crn == 10); /* msr */
}

bool uc_changes_places(const struct uc_core *core, uint32_t word, unsigned bytes, bool thumb)
{
    return core->options.ports->touch &&
           (core->wide ? changes_places_64(word) : changes_places_32(word, bytes, thumb));
}

bool uc_is_barrier(const struct uc_core *core, uint32_t word, unsigned bytes, bool thumb)
{
    if (!core->options.ports->touch)
        return false;
    if (core->wide)
        return (word & 0xfffff0df) == 0xd503309f; /* dsb, dmb */
    if (thumb ? bytes == 4 && (word & 0xffffffe0) == 0xf3bf8f40 : (word & 0xffffffe0) == 0xf57ff040)
        return true;
    return bytes == 4 && (word & 0x0fff0fdf) == 0x0e070f9a && word >> 28 != 15; /* by c7, c10 */
}
