/* SPDX-License-Identifier: MIT */
/* words.c - reads instructions, and ends blocks and runs at an instruction.
 *
 * In:  addresses of instructions.
 * Out: instructions; the cycle of an instruction. */
#include "board/arm/unicorn/core.h"

/* Reads an instruction of RAM at a host address. */
static void decode(const uint8_t *at, bool thumb, uint32_t *word, unsigned *bytes)
{
    uint32_t low = (uint32_t)(at[0] | at[1] << 8);
    bool wide = !thumb || low >> 11 >= 0x1d;
    uint32_t high = wide ? (uint32_t)(at[2] | at[3] << 8) : 0;
    *bytes = wide ? 4 : 2;
    *word = !thumb ? low | high << 16 : wide ? low << 16 | high : low;
}

bool uc_instruction(const struct uc_core *core, uint64_t address, uint32_t *word, unsigned *bytes)
{
    uint64_t physical;
    bool thumb = !core->wide && (address & UC_THUMB);
    address &= ~(uint64_t)(core->wide ? 3 : 1);
    if (!uc_translate(&core->core, address, &physical))
        return false;
    physical = uc_unrepeated(core, physical);
    if (physical + 4 > core->options.ram.size)
        return false;
    decode(core->options.ram.bytes + physical, thumb, word, bytes);
    return true;
}

bool uc_block_word(const struct uc_core *core, const struct uc_block *block, uint32_t offset,
                   uint32_t *word, unsigned *bytes)
{
    if (!block->code)
        return uc_instruction(core, (block->address + offset) | block->thumb, word, bytes);
    decode(block->code + offset, block->thumb, word, bytes);
    return true;
}

unsigned uc_index_of(const struct uc_core *core, uint64_t pc)
{
    const struct uc_block *block = core->block;
    pc &= ~(uint64_t)(core->wide ? 3 : 1);
    if (pc < block->address || pc > block->address + block->bytes)
        return block->instructions;
    if (!block->thumb)
        return (unsigned)(pc - block->address) / 4;
    unsigned index = 0, bytes;
    uint32_t word, offset = 0;
    while (block->address + offset < pc && uc_block_word(core, block, offset, &word, &bytes)) {
        offset += bytes;
        index++;
    }
    return index;
}

uint64_t uc_address_of(const struct uc_core *core, unsigned index)
{
    const struct uc_block *block = core->block;
    uint32_t word, offset = 0;
    unsigned bytes = 4;
    if (!block->thumb)
        return block->address + (uint64_t)index * 4;
    for (unsigned i = 0; i < index && uc_block_word(core, block, offset, &word, &bytes); i++)
        offset += bytes;
    return block->address + offset;
}

uint64_t uc_last_instruction(const struct uc_core *core)
{
    const struct uc_block *block = core->block;
    uint64_t done = core->core.cycles - core->block_start;
    if (!block->instructions)
        return 0;
    return uc_address_of(core,
                         done < block->instructions ? (unsigned)done : block->instructions - 1u);
}

void uc_cut_block(struct uc_core *core, uint64_t pc)
{
    core->core.cycles = core->block_start + uc_index_of(core, pc);
}

void uc_stop(struct uc_core *core, enum arm_stop reason)
{
    core->stopping = true;
    core->stop = reason;
    uc_emu_stop(core->uc);
}

void uc_exception_loop(struct uc_core *core, uint64_t pc, uint64_t from)
{
    core->block_end = 0;
    if (from != pc)
        core->options.ports->exception_loop(core->options.ports->user, core->options.number, pc,
                                            from);
    uc_stop(core, ARM_IDLE);
}
