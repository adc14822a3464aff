/* SPDX-License-Identifier: MIT */
/* polls.c - skips the repetitions of loops that poll a device register or a counter.
 *
 * In:  a read, the registers, the limit of cycles.
 * Out: a later cycle.
 *
 * There are two kinds of loops. If a read returns the same value as the read before, at the same
 * instruction, with the same registers, and only plain blocks have run between the two, then each
 * repetition until the next event of the board, or until the register counts, is the same. Other
 * loops are described by executing an iteration without effects (loop.c): loops that compare a
 * counter, that call functions, or that store. In both cases the core continues exactly as if it
 * had executed the repetitions.
 *
 * Choices: after a loop that cannot be described, the same instruction's next reads are not tried,
 *          in a number that doubles. */
#include "board/arm/unicorn/loop.h"

#include <string.h>

enum { PC = 15 };

static void move(struct uc_core *core, uint64_t cycles)
{
    core->block_start += cycles;
    core->block_end += cycles;
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

/* Returns the number of repetitions after a read in which its value is the same, at most `most`. */
static uint64_t same_reads(const struct uc_core *core, const struct uc_read *read, uint64_t period,
                           uint64_t most)
{
    uint64_t first, count, same = 0;
    if (!uc_counter_at(core, read, read->cycle, &first))
        return most;
    while (same < most) {
        uint64_t middle = most - (most - same) / 2;
        if (uc_counter_at(core, read, read->cycle + middle * period, &count) && count == first)
            same = middle;
        else
            most = middle - 1;
    }
    return same;
}

/* Moves to the last repetition before the limit that reads the same value. */
static void skip_same(struct uc_core *core, const struct uc_poll *before, const struct uc_poll *now,
                      const struct uc_read *read)
{
    bool same = before->has_registers && before->psr == now->psr &&
                memcmp(before->registers, now->registers, sizeof now->registers) == 0;
    uint64_t period = now->cycle - before->cycle;
    if (!same || !period || uc_end_of_skips(core) <= now->cycle)
        return;
    uint64_t most = (uc_end_of_skips(core) - now->cycle) / period;
    move(core, same_reads(core, read, period, most) * period);
}

/* --- loops that are described --- */

enum { LONGEST_ROW = UC_READS / 4, MOST_UNTRIED = 1023 };

static bool is_same_place(const struct uc_read *a, const struct uc_read *b)
{
    return a->pc == b->pc && a->address == b->address && a->size == b->size && a->timer == b->timer;
}

/* Returns true if the latest `length` reads equal those before, and took the same time. */
static bool repeats(const struct uc_core *core, unsigned length)
{
    const struct uc_read *last = &core->reads[core->read_count - 1];
    uint64_t period = last->cycle - (last - length)->cycle;
    for (const struct uc_read *read = last - length; read <= last; read++) {
        const struct uc_read *before = read - length;
        if (!is_same_place(read, before) || read->cycle - before->cycle != period ||
            (read->value != before->value && !uc_reads_counter(core, read)))
            return false;
    }
    return period != 0;
}

/* Returns the number of reads in an iteration of the present loop, or 0. */
static unsigned find_row(const struct uc_core *core)
{
    const struct uc_read *last = &core->reads[core->read_count - 1];
    for (unsigned length = 1; length <= LONGEST_ROW && 2 * length < core->read_count; length++)
        if (is_same_place(last, last - length) && repeats(core, length))
            return length;
    return 0;
}

/* Returns true if iteration n is the same as the first. */
static bool is_same_iteration(const struct uc_loop *loop, uint64_t n)
{
    for (unsigned i = 0; i < loop->counter_count; i++) {
        const struct uc_counter_read *counter = &loop->counters[i];
        uint64_t cycle = loop->cycle + n * loop->executed + counter->offset, count;
        if (!uc_counter_at(loop->core, counter->read, cycle, &count) ||
            count - counter->base > counter->most)
            return false;
    }
    return true;
}

/* Returns the number of iterations that are the same as the first, at most `most`. */
static uint64_t same_iterations(const struct uc_loop *loop, uint64_t most)
{
    uint64_t least = 0;
    if (loop->counter_count == 0 || is_same_iteration(loop, most))
        return most;
    while (most - least > 1) { /* the first differs, the second is the same */
        uint64_t middle = least + (most - least) / 2;
        if (is_same_iteration(loop, middle))
            least = middle;
        else
            most = middle;
    }
    return least;
}

/* Skips the iterations that start before the limit and are the same as the first. The core executes
 * the last of them. Returns false if there is none to skip. */
static bool skip_iterations(const struct uc_loop *loop)
{
    enum { FAR = 1 << 30 }; /* iterations */
    struct arm_core *core = &loop->core->core;
    uint64_t same = same_iterations(loop, FAR);
    uint64_t end = uc_end_of_skips(loop->core);
    uint64_t most = end > loop->cycle ? (end - 1 - loop->cycle) / loop->executed : 0;
    if (!core->idle_until)
        core->idle_from = loop->cycle;
    core->idle_until = loop->counter_count ? loop->cycle + same * loop->executed : UINT64_MAX;
    uint64_t cycles = (same < most ? same : most) * loop->executed;
    move(loop->core, cycles);
    for (unsigned i = 0; i < loop->core->read_count; i++) /* as if of the last iteration */
        loop->core->reads[i].cycle += cycles;
    return cycles != 0;
}

/* Skips iterations of the loop whose latest read is the last one. */
static bool skip_reads(struct uc_core *core, unsigned length)
{
    struct uc_loop loop = {
        .core = core,
        .reads = &core->reads[core->read_count - 1 - length],
        .read_count = length,
        .longest = LOOP_LONGEST,
        .start = core->reads[core->read_count - 1].pc,
        .cycle = core->core.cycles,
    };
    return uc_loop_describe(&loop) && loop.executed == loop.cycle - loop.reads[0].cycle &&
           is_same_iteration(&loop, 0) && skip_iterations(&loop);
}

/* Returns the entry of the loops at an address that are not tried. */
static struct uc_untried *untried_of(struct uc_core *core, uint64_t pc)
{
    struct uc_untried *entry = &core->untried[pc >> 2 & (UC_UNTRIED - 1)];
    if (entry->pc != pc)
        *entry = (struct uc_untried){.pc = pc};
    return entry;
}

/* Skips iterations of the present loop. */
static void skip_described(struct uc_core *core)
{
    unsigned length = find_row(core);
    if (!length)
        return;
    struct uc_untried *untried = untried_of(core, core->reads[core->read_count - 1].pc);
    if (untried->left) {
        untried->left--;
        return;
    }
    if (skip_reads(core, length))
        untried->next = 0;
    else
        untried->left = untried->next = untried->next < MOST_UNTRIED ? 2 * untried->next + 1
                                                                     : MOST_UNTRIED;
}

void uc_skip_spins(struct uc_core *core)
{
    enum { SOON = 64, LATE = 1 << 16, LONGEST_SPIN = 200 };
    struct uc_loop loop = {
        .core = core,
        .longest = LONGEST_SPIN,
        .start = core->block->address,
        .cycle = core->core.cycles,
    };
    bool skipped = uc_loop_describe(&loop) && skip_iterations(&loop);
    core->blocks_run = 0;
    core->blocks_wait = skipped                    ? SOON
                        : core->blocks_wait < LATE ? 2 * core->blocks_wait + SOON
                                                   : LATE;
}

static void note_read(struct uc_core *core, const struct uc_read *read)
{
    enum { KEPT = UC_READS / 2 };
    if (core->read_count == UC_READS) {
        memmove(core->reads, core->reads + UC_READS - KEPT, KEPT * sizeof core->reads[0]);
        core->read_count = KEPT;
    }
    core->reads[core->read_count++] = *read;
}

uint64_t uc_skip_polls(struct uc_core *core, const struct arm_access *access, uint64_t value)
{
    struct uc_poll *poll = &core->poll;
    bool again = poll->pc == access->pc && poll->address == access->address && core->pure;
    struct uc_poll now = {
        .pc = access->pc, .address = access->address, .value = value, .cycle = core->core.cycles};
    struct uc_read read = {.pc = access->pc,
                           .address = access->address,
                           .size = (uint8_t)access->size,
                           .value = value,
                           .cycle = core->core.cycles};
    note_read(core, &read);
    skip_described(core);
    if (core->core.cycles == now.cycle && again && poll->value == value) {
        note_registers(core, &now);
        skip_same(core, poll, &now, &read);
    }
    uint64_t count;
    if (core->core.cycles != now.cycle && uc_counter_at(core, &read, core->core.cycles, &count))
        value = (uint32_t)count;
    now.cycle = core->core.cycles;
    *poll = now;
    core->pure = true;
    return value;
}

void uc_skip_system_polls(struct uc_core *core, const struct uc_read *read)
{
    note_read(core, read);
    skip_described(core);
}
