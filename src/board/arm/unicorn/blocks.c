/* SPDX-License-Identifier: MIT */
/* blocks.c - what the engine knows of each translated block: the number of its instructions, and
 * which of them the engine executes itself.
 *
 * In:  a block's address and size, when it executes.
 * Out: its number of instructions; hooks on instructions.
 *
 * Choices: the table of blocks has one entry for each value of a hash. A block that changes without
 * changing its size keeps its count; the hooks compare the instruction again when it executes. */
#include "board/arm/unicorn/core.h"

enum { PAGE_BITS = 12 };

/* Branches to themselves. */
#define ARM_IDLE_LOOP UINT32_C(0xeafffffe)
#define THUMB_IDLE    UINT32_C(0xe7fe)
#define WIDE_IDLE     UINT32_C(0x14000000)
#define WIDE_NOP      UINT32_C(0xd503201f)

/* Returns the entry of a hash table for a key: the key itself or a free entry. */
static uint64_t *trap_entry(struct uc_core *core, uint64_t key)
{
    unsigned at = (unsigned)(key >> 1) % (2 * UC_TRAPS);
    while (core->traps[at] && core->traps[at] != key)
        at = (at + 1) % (2 * UC_TRAPS);
    return &core->traps[at];
}

static bool add_hook(struct uc_core *core, uint64_t address)
{
    uc_hook hook;
    return uc_hook_add(core->uc, &hook, UC_HOOK_CODE, (void *)core->on_trap, core, address,
                       address) == UC_ERR_OK;
}

/* Hooks an instruction. Returns false if it is hooked already, or cannot be. */
static bool hook_once(struct uc_core *core, uint64_t address)
{
    uint64_t key = address + 1; /* not 0, which is a free entry */
    uint64_t *entry = trap_entry(core, key);
    if (*entry || core->trap_count == UC_TRAPS || !add_hook(core, address))
        return false;
    *entry = key;
    core->trap_count++;
    return true;
}

/* Returns true if an instruction only changes registers and flags, or loads. */
static bool is_plain(const struct uc_core *core, uint32_t word, unsigned bytes, bool thumb)
{
    if (uc_accesses_of(core, word, bytes, thumb) & UC_STORES)
        return false;
    if (core->wide && word == WIDE_NOP)
        return true;
    if (core->wide) /* not exceptions, hints, system registers, vectors */
        return word >> 24 != 0xd4 && word >> 24 != 0xd5 && (word >> 25 & 7) != 7;
    if (bytes == 2) /* not cps, svc, bkpt and hints */
        return (word & 0xff00) != 0xb600 && (word & 0xff00) != 0xdf00 && (word & 0xfe00) != 0xbe00;
    if (thumb) /* not coprocessors and system instructions */
        return (word >> 26 & 3) != 3 && (word & 0xff80d000) != 0xf3808000;
    bool system = (word & 0x0f900090) == 0x01000000 || (word & 0x0fb00000) == 0x03200000;
    return word >> 28 != 15 && (word >> 26 & 3) != 3 && !system;
}

static void note_access(uint8_t *index, unsigned number, bool accesses)
{
    if (accesses)
        *index = *index == UC_NONE && number < UC_SEVERAL ? (uint8_t)number : UC_SEVERAL;
}

/* Adds an instruction to what is known of a block. */
static void note_instruction(const struct uc_core *core, struct uc_block *block, uint32_t word,
                             unsigned bytes)
{
    unsigned accesses = uc_accesses_of(core, word, bytes, block->thumb);
    block->plain &= is_plain(core, word, bytes, block->thumb);
    block->conditional |= core->options.ports->touch &&
                          uc_is_conditional(core, word, bytes, block->thumb);
    block->sends_event |= uc_is_sev(core, word, bytes, block->thumb);
    note_access(&block->load, block->instructions, accesses & UC_LOADS);
    note_access(&block->store, block->instructions, accesses & UC_STORES);
    block->instructions++;
}

/* Reads the instructions of a block, and hooks those that the engine executes itself. */
static void scan(struct uc_core *core, struct uc_block *block, bool *hooked)
{
    uint32_t word = 0, offset = 0;
    unsigned bytes;
    while (offset < block->bytes) {
        if (!uc_block_word(core, block, offset, &word, &bytes)) {
            word = 0;
            bytes = 4;
        }
        if (uc_is_trap(core, word, bytes, block->thumb))
            *hooked |= hook_once(core, block->address + offset);
        note_instruction(core, block, word, bytes);
        offset += bytes;
    }
    uint32_t idle = core->wide ? WIDE_IDLE : block->thumb ? THUMB_IDLE : ARM_IDLE_LOOP;
    block->idle = block->instructions == 1 && word == idle;
}

/* Returns the host address of a block's instructions, or NULL if they are not in one page of RAM.
 * */
static const uint8_t *code_of(const struct uc_core *core, const struct uc_block *block)
{
    uint64_t physical, last = block->address + block->bytes - 1;
    if (block->address >> PAGE_BITS != last >> PAGE_BITS ||
        !uc_translate(&core->core, block->address, &physical))
        return NULL;
    physical = uc_unrepeated(core, physical);
    if (physical + block->bytes > core->options.ram.size)
        return NULL;
    return core->options.ram.bytes + physical;
}

const struct uc_block *uc_add_block(struct uc_core *core, uint64_t address, uint32_t bytes,
                                    bool *hooked)
{
    struct uc_block *block = uc_block_entry(core, address);
    bool thumb = !core->wide && (uc_get32(core, UC_ARM_REG_CPSR) & 0x20);
    *block = (struct uc_block){.address = address,
                               .bytes = bytes,
                               .thumb = thumb,
                               .plain = true,
                               .load = UC_NONE,
                               .store = UC_NONE};
    block->code = code_of(core, block);
    scan(core, block, hooked);
    if (core->wide && address == UC_STUB) /* part of the exception, or of the return from it */
        block->instructions = 0;
    if (*hooked)
        uc_ctl_remove_cache(core->uc, address, address + bytes);
    return block;
}
