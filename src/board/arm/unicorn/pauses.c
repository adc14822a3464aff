/* SPDX-License-Identifier: MIT */
/* pauses.c - stops of a core at any instruction that leave its results as they are.
 *
 * In:  the core's limit, its interrupts, the cycle of a pause.
 * Out: where the core stops; the accesses of its instructions to some ranges of memory.
 *
 * A core looks at its limit and at interrupts between blocks, so the places where blocks begin and
 * end are a part of the results. They must not depend on pauses and breakpoints. Unicorn continues
 * inside of a block with a new one: the engine knows by the cycle at which the first block ends
 * that the core is still inside of the first block, and keeps what it knows of that block. To stop
 * inside of a block, the engine lets Unicorn translate the block with a hook on each instruction.
 * Such a translation may be shorter than the block, and is discarded afterwards.
 *
 * Source: Unicorn 2.0.1 (uc.c, qemu/accel/tcg/translator.c). */
#include "board/arm/unicorn/core.h"

static bool is_stub(const struct uc_core *core, uint64_t address)
{
    return core->wide && address == UC_STUB;
}

/* Lets Unicorn return, so that run() calls it again. */
static void continue_at(struct uc_core *core, uint64_t address)
{
    uc_stop_before(core, address, ARM_LIMIT);
    core->stopping = false;
    core->again = true;
}

/* Stops before a block at the limit of cycles, for an interrupt, or because another part of the
 * library asks for it. */
static bool stops_at_boundary(struct uc_core *core, uint64_t address)
{
    struct arm_core *shared = &core->core;
    if (shared->watched && core->options.ports->watch(core->options.ports->user)) {
        uc_stop_before(core, address, ARM_PAUSE);
        return true;
    }
    if (shared->cycles >= shared->limit) {
        uc_stop_before(core, address, ARM_LIMIT);
        return true;
    }
    return shared->lines && uc_take_interrupt(core, address);
}

bool uc_stops_before_block(struct uc_core *core, uint64_t address)
{
    struct arm_core *shared = &core->core;
    bool inside = shared->cycles < core->block_end, stub = is_stub(core, address);
    core->latest_divided = address;
    if (!stub && shared->pauses_early && shared->cycles >= shared->pause) {
        uc_stop_before(core, address, ARM_PAUSE);
        return true;
    }
    if (!stub && !inside && stops_at_boundary(core, address))
        return true;
    if (!stub && shared->cycles >= shared->pause) {
        uc_stop_before(core, address, ARM_PAUSE);
        core->stopped_before = true;
        return true;
    }
    if (core->divided && !inside)
        continue_at(core, address);
    return core->divided && !inside;
}

/* Executes the present block from a cycle and an address on with hooks. */
static void divide(struct uc_core *core, uint64_t cycle, uint64_t address)
{
    core->core.cycles = cycle;
    core->divided = true;
    continue_at(core, address);
}

void uc_divide_block(struct uc_core *core, uint64_t address)
{
    if (!core->divided && core->core.pause < core->core.cycles && !is_stub(core, address))
        divide(core, core->block_start, address);
}

void uc_continue_block(struct uc_core *core, uint64_t address, uint32_t bytes)
{
    uint64_t end = core->block->address + core->block->bytes, last = address + bytes;
    uint64_t before = core->core.cycles;
    core->core.cycles = last < end ? core->block_start + uc_index_of(core, last) : core->block_end;
    if (!core->divided && (core->core.pause < core->core.cycles || last > end))
        divide(core, before, address);
}

bool uc_stops_before(struct uc_core *core, uint64_t address)
{
    if (!core->divided)
        return false;
    uint64_t cycle = core->block_start + uc_index_of(core, address);
    if (cycle < core->core.pause && cycle < core->block_end)
        return false;
    uc_cut_block(core, address);
    if (cycle >= core->block_end) {
        continue_at(core, address);
        return true;
    }
    uc_stop_before(core, address, ARM_PAUSE);
    core->stopped_before = !core->core.pauses_early;
    return true;
}

/* Called before each instruction of a block that is divided. */
static void on_part(uc_engine *uc, uint64_t address, uint32_t bytes, void *user)
{
    (void)uc;
    (void)bytes;
    uc_stops_before(user, address);
}

uc_err uc_emulate(struct uc_core *core)
{
    uint64_t pc = uc_pc(core), first = pc & ~(uint64_t)(core->wide ? 0 : UC_THUMB);
    uc_hook hook;
    if (!core->divided)
        return uc_emu_start(core->uc, pc, 0, 0, 0);
    uc_forget_polls(core);
    if (uc_hook_add(core->uc, &hook, UC_HOOK_CODE, (void *)on_part, core, 1, 0) != UC_ERR_OK)
        return UC_ERR_NOMEM;
    uc_ctl_remove_cache(core->uc, first, first + 4);
    uc_err error = uc_emu_start(core->uc, pc, 0, 0, 0);
    uc_hook_del(core->uc, hook);
    uc_ctl_remove_cache(core->uc, first, first + 4);
    uc_ctl_remove_cache(core->uc, core->latest_divided, core->latest_divided + 4);
    core->divided = false;
    return error;
}

/* --- accesses --- */

static void extend(struct arm_range *range, uint64_t first, uint64_t last)
{
    bool empty = range->last < range->first;
    range->first = empty || first < range->first ? first : range->first;
    range->last = empty || last > range->last ? last : range->last;
}

/* Called before an access that begins in a range of note_accesses(), or a little before it. */
static void on_access(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                      void *user)
{
    (void)uc;
    (void)value;
    struct uc_core *core = user;
    uint64_t last = address + (unsigned)size - 1;
    for (unsigned i = 0; i < core->watched_count; i++)
        if (address <= core->watched[i].last && last >= core->watched[i].first)
            extend(type == UC_MEM_WRITE ? &core->core.written : &core->core.read, address, last);
}

static void remove_watched(struct uc_core *core, unsigned index)
{
    uc_hook_del(core->uc, core->watch_hooks[index]);
    core->watched_count--;
    core->watched[index] = core->watched[core->watched_count];
    core->watch_hooks[index] = core->watch_hooks[core->watched_count];
}

bool uc_note_accesses(struct arm_core *shared, const struct arm_range *range, bool notes)
{
    enum { LARGEST = 16 }; /* bytes of an access */
    struct uc_core *core = (struct uc_core *)shared;
    unsigned at = 0;
    while (at < core->watched_count &&
           (core->watched[at].first != range->first || core->watched[at].last != range->last))
        at++;
    core->forget_all = true; /* translations contain calls of the hooks */
    if (!notes && at < core->watched_count)
        remove_watched(core, at);
    if (!notes || at < core->watched_count)
        return true;
    uint64_t first = range->first < LARGEST ? 0 : range->first - LARGEST;
    if (at == UC_WATCHED ||
        uc_hook_add(core->uc, &core->watch_hooks[at], UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE,
                    (void *)on_access, core, first, range->last) != UC_ERR_OK)
        return false;
    core->watched[at] = *range;
    core->watched_count++;
    return true;
}
