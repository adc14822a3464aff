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

/* Branches to themselves. */
#define ARM_IDLE_LOOP UINT32_C(0xeafffffe)
#define THUMB_IDLE UINT32_C(0xe7fe)

/* Returns the entry of a hash table for an address: the address itself or a free entry. */
static uint64_t *trap_entry(struct uc_core *core, uint64_t address)
{
    unsigned at = (unsigned)(address >> 1) % (2 * UC_TRAPS);
    while (core->traps[at] && core->traps[at] != address)
        at = (at + 1) % (2 * UC_TRAPS);
    return &core->traps[at];
}

/* Hooks an instruction. Returns false if it is hooked already, or cannot be. */
static bool hook_once(struct uc_core *core, uint64_t address)
{
    uint64_t *entry = trap_entry(core, address);
    if (*entry || core->trap_count == UC_TRAPS || !address || !uc_hook_trap(core, address))
        return false;
    *entry = address;
    core->trap_count++;
    return true;
}

/* Counts the instructions of a block, and hooks those that the engine executes itself. */
static void scan(struct uc_core *core, struct uc_block *block, bool *hooked)
{
    uint64_t address = block->address, end = address + block->bytes;
    uint32_t word = 0;
    unsigned bytes;
    while (address < end) {
        if (!uc_instruction(core, address | block->thumb, &word, &bytes)) {
            word = 0;
            bytes = 4;
        }
        if (uc_is_trap(core, word, bytes))
            *hooked |= hook_once(core, address);
        address += bytes;
        block->instructions++;
    }
    block->idle = block->instructions == 1 && word == (block->thumb ? THUMB_IDLE : ARM_IDLE_LOOP);
}

const struct uc_block *uc_add_block(struct uc_core *core, uint64_t address, uint32_t bytes,
                                    bool *hooked)
{
    struct uc_block *block = uc_block_entry(core, address);
    bool thumb = !core->wide && (uc_get32(core, UC_ARM_REG_CPSR) & 0x20);
    *block = (struct uc_block){.address = address, .bytes = bytes, .thumb = thumb};
    scan(core, block, hooked);
    if (*hooked)
        uc_ctl_remove_cache(core->uc, address, address + bytes);
    return block;
}

unsigned uc_index_of(const struct uc_core *core, uint64_t pc)
{
    const struct uc_block *block = core->block;
    pc &= ~(uint64_t)(core->wide ? 3 : 1);
    if (pc < block->address || pc > block->address + block->bytes)
        return block->instructions;
    if (!block->thumb)
        return (unsigned)(pc - block->address) / 4;
    unsigned index = 0;
    uint32_t word;
    unsigned bytes;
    for (uint64_t at = block->address; at < pc && uc_instruction(core, at | UC_THUMB, &word, &bytes);
         index++)
        at += bytes;
    return index;
}
