/* SPDX-License-Identifier: MIT */
/* polls.c - skips the repetitions of loops that poll a device register.
 *
 * In:  a read, the registers, the limit of cycles.
 * Out: a later cycle.
 *
 * There are two kinds of loops. If a read returns the same value as the read before, at the same
 * instruction, with the same registers, and only plain blocks have run between the two, then each
 * repetition until the next event of the board is the same. If a loop of one block compares a
 * counter with a value, the cycle at which the comparison changes follows from the loop's
 * instructions. In both cases the core continues exactly as if it had executed the repetitions.
 *
 * Choices: loops that compare a counter are skipped if they are ARM instructions, contain only
 *          moves, additions and subtractions, and end with a comparison by size. */
#include "board/arm/unicorn/core.h"

#include <string.h>

enum { PC = 15, REGISTERS = 16 };

static void move(struct uc_core *core, uint64_t cycles)
{
    core->block_start += cycles;
    core->core.cycles += cycles;
}

/* --- loops that read the same value --- */

static void note_registers(struct uc_core *core, struct uc_poll *poll)
{
    unsigned count = core->wide ? 31 : PC;
    for (unsigned i = 0; i < count; i++)
        poll->registers[i] = uc_get(&core->core, i);
    poll->psr = (uint32_t)uc_get(&core->core, ARM_CPSR);
    poll->has_registers = true;
}

/* Moves to the last repetition before the limit. */
static void skip_same(struct uc_core *core, const struct uc_poll *before, const struct uc_poll *now)
{
    bool same = before->has_registers && before->psr == now->psr &&
                memcmp(before->registers, now->registers, sizeof now->registers) == 0;
    uint64_t period = now->cycle - before->cycle;
    if (!same || !period || core->core.limit <= now->cycle)
        return;
    move(core, (core->core.limit - now->cycle) / period * period);
}

/* --- loops that compare a counter --- */

/* The loop as it executes from the instruction after the read, with a given value of the counter.
 * */
struct loop {
    const struct uc_core *core;
    uint32_t read, end; /* offsets of the read and of the branch, in the block */
    uint32_t registers[REGISTERS];
    uint32_t written;     /* registers that the loop has written */
    uint32_t dependent;   /* registers that depend on the counter */
    uint32_t later;       /* registers that the loop reads before it writes them */
    bool has_flags;       /* flags of an addition or subtraction */
    uint32_t left, right; /* of the comparison: left - right */
};

static uint32_t rotated(uint32_t word)
{
    unsigned by = word >> 8 & 15, value = word & 0xff;
    return by ? value >> 2 * by | value << (32 - 2 * by) : value;
}

static bool depends(const struct loop *loop, unsigned reg)
{
    return loop->dependent >> reg & 1;
}

static uint32_t use(struct loop *loop, unsigned reg)
{
    if (!(loop->written >> reg & 1))
        loop->later |= 1U << reg;
    return loop->registers[reg];
}

/* Executes a move, an addition, a subtraction or a comparison. Returns false for other
 * instructions. */
static bool execute(struct loop *loop, uint32_t word)
{
    enum { SUB = 2, RSB = 3, ADD = 4, CMP = 10, MOV = 13 };
    unsigned operation = word >> 21 & 15, target = word >> 12 & 15, first = word >> 16 & 15;
    bool immediate = word >> 25 & 1, sets = word >> 20 & 1, moves = operation == MOV;
    bool known = operation == SUB || operation == RSB || operation == ADD || operation == CMP ||
                 moves;
    if (word >> 28 != 14 || (word >> 26 & 3) || !known || (!immediate && (word & 0xff0)) ||
        (operation == ADD && sets) || (moves && sets) || target == PC || first == PC)
        return false;
    bool dependent = (!moves && depends(loop, first)) || (!immediate && depends(loop, word & 15));
    if (!moves && !immediate && depends(loop, first) && depends(loop, word & 15))
        return false;
    uint32_t second = immediate ? rotated(word) : use(loop, word & 15);
    uint32_t left = moves ? 0 : use(loop, first);
    if (operation == RSB) {
        uint32_t swapped = left;
        left = second;
        second = swapped;
    }
    if (sets) {
        loop->has_flags = true;
        loop->left = left;
        loop->right = second;
    }
    if (operation == CMP)
        return true;
    loop->registers[target] = operation == ADD ? left + second : moves ? second : left - second;
    loop->written |= 1U << target;
    loop->dependent = (loop->dependent & ~(1U << target)) | (uint32_t)dependent << target;
    return true;
}

/* Returns true if a condition by size holds after left - right; sets *known to false for others. */
static bool holds(const struct loop *loop, unsigned condition, bool *known)
{
    uint32_t left = loop->left, right = loop->right;
    int32_t signed_left = (int32_t)left, signed_right = (int32_t)right;
    *known = true;
    switch (condition) {
    case 2: return left >= right;
    case 3: return left < right;
    case 4: return (int32_t)(left - right) < 0;
    case 5: return (int32_t)(left - right) >= 0;
    case 8: return left > right;
    case 9: return left <= right;
    case 10: return signed_left >= signed_right;
    case 11: return signed_left < signed_right;
    case 12: return signed_left > signed_right;
    case 13: return signed_left <= signed_right;
    default: *known = false; return false;
    }
}

/* Executes the loop with a value of the counter. Returns true if it repeats. Sets *good to false if
 * the loop is of another kind. */
static bool repeats(const struct loop *from, unsigned target, uint32_t value, bool *good)
{
    struct loop loop = *from;
    uint32_t word;
    unsigned bytes;
    loop.registers[target] = value;
    loop.written = loop.dependent = 1U << target;
    *good = true;
    for (uint32_t at = loop.read + 4; *good && at < loop.end; at += 4)
        *good = uc_block_word(loop.core, loop.core->block, at, &word, &bytes) &&
                execute(&loop, word);
    uc_block_word(loop.core, loop.core->block, loop.end, &word, &bytes);
    bool known, repeated = holds(&loop, word >> 28, &known);
    *good = *good && known && loop.has_flags;
    for (uint32_t at = 0; *good && at < loop.read; at += 4)
        *good = uc_block_word(loop.core, loop.core->block, at, &word, &bytes) &&
                execute(&loop, word);
    /* No repetition may depend on the one before. */
    *good = *good && !(loop.later & loop.written);
    return repeated;
}

/* Describes the loop if the block branches back to its start and its only access is the read, with
 * a base register that the loop does not write. */
static bool describe(struct uc_core *core, uint64_t pc, struct loop *loop, unsigned *target)
{
    const struct uc_block *block = core->block;
    uint32_t word;
    unsigned bytes;
    *loop = (struct loop){
        .core = core, .read = (uint32_t)(pc - block->address), .end = block->bytes - 4};
    if (core->wide || block->thumb || core->before != block || block->load >= UC_SEVERAL ||
        block->store != UC_NONE || !block->plain || loop->read >= loop->end ||
        !uc_block_word(core, block, loop->end, &word, &bytes))
        return false;
    int32_t back = (int32_t)(word << 8) >> 6;
    if ((word & 0x0f000000) != 0x0a000000 || word >> 28 >= 14 || back != -(int32_t)loop->end - 8 ||
        !uc_block_word(core, block, loop->read, &word, &bytes) ||
        (word & 0xff300000) != 0xe5100000) /* ldr with an immediate offset, without write back */
        return false;
    *target = word >> 12 & 15;
    uc_read_registers(core, loop->registers);
    loop->later = 1U << (word >> 16 & 15);
    return *target != PC;
}

static uint32_t counter_at(const struct uc_core *core, uint64_t address, uint64_t cycle)
{
    uint32_t value = 0;
    core->options.ports->counter_at(core->options.ports->user, address, cycle, &value);
    return value;
}

enum { LONGEST = 1 << 30 }; /* counts: the comparison changes at most once in them */

/* Returns the number of repetitions before the one in which the loop ends, or before the limit. */
static uint64_t repetitions(struct uc_core *core, const struct loop *loop, unsigned target,
                            uint64_t address)
{
    uint64_t period = core->block->instructions, now = core->core.cycles;
    uint64_t most = core->core.limit > now ? (core->core.limit - now) / period : 0, least = 0;
    uint32_t start = counter_at(core, address, now);
    while (most && counter_at(core, address, now + most * period) - start > LONGEST)
        most /= 2;
    bool good;
    if (repeats(loop, target, counter_at(core, address, now + most * period), &good))
        return most;
    while (most - least > 1) { /* repeats at least, ends at most */
        uint64_t middle = least + (most - least) / 2;
        if (repeats(loop, target, counter_at(core, address, now + middle * period), &good))
            least = middle;
        else
            most = middle;
    }
    return least;
}

/* Moves to the last repetition that does not end the loop. Returns the counter's value there. */
static uint64_t skip_counter(struct uc_core *core, const struct arm_access *access, uint64_t value)
{
    struct loop loop;
    unsigned target;
    uint32_t now;
    bool good;
    if (access->size != 4 || !describe(core, access->pc, &loop, &target) ||
        !core->options.ports->counter_at(core->options.ports->user, access->address,
                                         core->core.cycles, &now) ||
        now != value || !repeats(&loop, target, now, &good) || !good)
        return value;
    move(core, repetitions(core, &loop, target, access->address) * core->block->instructions);
    return counter_at(core, access->address, core->core.cycles);
}

uint64_t uc_skip_polls(struct uc_core *core, const struct arm_access *access, uint64_t value)
{
    struct uc_poll *poll = &core->poll;
    bool again = poll->pc == access->pc && poll->address == access->address && core->pure;
    struct uc_poll now = {
        .pc = access->pc, .address = access->address, .value = value, .cycle = core->core.cycles};
    if (again && poll->value == value) {
        note_registers(core, &now);
        skip_same(core, poll, &now);
    } else if (again) {
        value = skip_counter(core, access, value);
    }
    now.cycle = core->core.cycles;
    *poll = now;
    core->pure = true;
    return value;
}
