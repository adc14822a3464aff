/* SPDX-License-Identifier: MIT */
/* core.c - executes ARM instructions by the Unicorn library.
 *
 * In:  RAM, levels of interrupts, a limit of cycles.
 * Out: accesses to addresses that are not RAM, with the instruction and the cycle of each.
 *
 * Unicorn translates blocks of instructions. A hook at the start of each block counts cycles, takes
 * interrupts and ends the run; inside a block, nothing is counted (see pauses.c for stops there).
 * All other addresses than RAM are one region of device memory, because Unicorn 2.0 looks up the
 * region of a virtual address before it translates the address.
 *
 * Source: Unicorn 2.0.1 (uc.c, qemu/accel/tcg/cpu-exec.c and cputlb.c, qemu/target/arm).
 * Choices: each instruction takes a cycle. Interrupts are taken between blocks. */
#include "board/arm/unicorn/core.h"

#include <stdlib.h>
#include <string.h>

#include <tessera/arm.h>

enum { PAGE = 0x1000 };

#define FOUR_GIB (UINT64_C(1) << 32)

static struct uc_core *core_of(struct arm_core *shared)
{
    return (struct uc_core *)shared;
}

/* --- hooks --- */

/* Stops before a branch to itself. Returns false for other blocks. */
static bool stops_idle(struct uc_core *core, uint64_t address)
{
    if (!core->block->idle)
        return false;
    bool breaks = uc_has_breakpoint(core, address) && core->resumed_at != address;
    uc_stop_before(core, address, breaks ? ARM_BREAKPOINT : ARM_IDLE);
    core->stopped_before = breaks;
    return true;
}

/* Returns the block at an address, or NULL if Unicorn has to translate the block again. */
static const struct uc_block *find_block(struct uc_core *core, uint64_t address, uint32_t bytes)
{
    const struct uc_block *block = uc_block_entry(core, address);
    bool hooked = false;
    if (block->address == address && block->bytes == bytes)
        return block;
    block = uc_add_block(core, address, bytes, &hooked);
    if (!hooked)
        return block;
    uc_set_pc(core, address | block->thumb);
    return NULL;
}

static void on_block(uc_engine *uc, uint64_t address, uint32_t bytes, void *user)
{
    (void)uc;
    struct uc_core *core = user;
    if (core->event_due && core->core.cycles >= core->block_end)
        uc_send_event(core);
    if (uc_stops_before_block(core, address))
        return;
    if (core->core.cycles < core->block_end) {
        uc_continue_block(core, address, bytes);
        return;
    }
    const struct uc_block *block = find_block(core, address, bytes);
    if (!block)
        return;
    core->before = core->block;
    core->block = block;
    core->pure &= block->plain;
    if (++core->blocks_run >= core->blocks_wait && uc_may_skip(core))
        uc_skip_spins(core);
    if (stops_idle(core, address))
        return;
    if (--core->clean_in == 0)
        uc_clean_stores(core);
    core->block_start = core->core.cycles;
    core->next_access = core->stores = 0;
    core->core.cycles += block->instructions;
    core->block_end = core->core.cycles;
    core->event_due = block->sends_event;
    uc_divide_block(core, address);
}

/* Executes an instruction that the engine executes itself. */
static void on_instruction(uc_engine *uc, uint64_t address, uint32_t bytes, void *user)
{
    (void)uc;
    (void)bytes;
    struct uc_core *core = user;
    if (!uc_stops_before(core, address))
        uc_trap(core, address);
}

static void on_exception(uc_engine *uc, uint32_t number, void *user)
{
    (void)uc;
    uc_reported(user, number);
}

/* Allows code in device memory, which is how Unicorn sees virtual addresses outside of RAM, if
 * their physical addresses are in RAM. Otherwise, there is no code. */
static bool on_protected(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                         void *user)
{
    (void)uc;
    (void)type;
    (void)size;
    (void)value;
    struct uc_core *core = user;
    uint64_t physical;
    if (!uc_translate(&core->core, address, &physical) || physical < core->options.ram.size)
        return true;
    core->options.ports->nowhere(core->options.ports->user, core->options.number, address,
                                 uc_last_instruction(core));
    uc_stop(core, ARM_BROKEN);
    return false;
}

static struct arm_access access_at(struct uc_core *core, uint64_t address, unsigned size,
                                   bool store)
{
    uint64_t pc = uc_accessing(core, address, size, store);
    uc_cut_block(core, pc);
    return (struct arm_access){.core = core->options.number,
                               .address = address,
                               .size = size,
                               .pc = pc,
                               .memory = core->touch.memory};
}

/* The rest of the block executes after the access. */
static void continue_block(struct uc_core *core)
{
    core->core.cycles = core->block_start + core->block->instructions;
}

static uint64_t on_read(uc_engine *uc, uint64_t offset, unsigned size, void *user)
{
    (void)uc;
    const struct uc_region *region = user;
    struct uc_core *core = region->core;
    const struct arm_access access = access_at(core, region->base + offset, size, false);
    uint64_t value = core->options.ports->read(core->options.ports->user, &access);
    if (uc_may_skip(core))
        value = uc_skip_polls(core, &access, value);
    continue_block(core);
    return value;
}

static void on_write(uc_engine *uc, uint64_t offset, unsigned size, uint64_t value, void *user)
{
    (void)uc;
    const struct uc_region *region = user;
    struct uc_core *core = region->core;
    const struct arm_access access = access_at(core, region->base + offset, size, true);
    core->options.ports->write(core->options.ports->user, &access, value);
    uc_forget_polls(core);
    continue_block(core);
}

/* --- creation --- */

static bool add_hook(struct uc_core *core, int type, void *callback)
{
    uc_hook hook;
    return uc_hook_add(core->uc, &hook, type, callback, core, 1, 0) == UC_ERR_OK;
}

/* Maps device memory from an address to an end. */
static bool map_devices(struct uc_core *core, unsigned index, uint64_t address, uint64_t end)
{
    struct uc_region *region = &core->regions[index];
    *region = (struct uc_region){.core = core, .base = address};
    return uc_mmio_map(core->uc, address, end - address, on_read, region, on_write, region) ==
           UC_ERR_OK;
}

/* Maps RAM and, after it, device memory. The BCM2835 with its ARM1176 repeats both each GiB. */
static bool map_memory(struct uc_core *core)
{
    const struct arm_ram *ram = &core->options.ram;
    unsigned count = uc_repeats(core) ? 4 : 1;
    uint64_t size = FOUR_GIB / count;
    for (unsigned i = 0; i < count; i++)
        if (uc_mem_map_ptr(core->uc, i * size, ram->size, UC_PROT_ALL, ram->bytes) != UC_ERR_OK ||
            !map_devices(core, i, i * size + ram->size, (i + 1) * size))
            return false;
    return !core->wide || map_devices(core, 1, UC_STUB + PAGE, UINT64_MAX - 0xfff);
}

static bool add_hooks(struct uc_core *core)
{
    return add_hook(core, UC_HOOK_BLOCK, (void *)on_block) &&
           add_hook(core, UC_HOOK_INTR, (void *)on_exception) &&
           add_hook(core, UC_HOOK_MEM_FETCH_PROT, (void *)on_protected) && uc_report_touches(core);
}

static bool open_engine(struct uc_core *core)
{
    static const int models[] = {
        [ARM_1176] = UC_CPU_ARM_1176,
        [ARM_CORTEX_A7] = UC_CPU_ARM_CORTEX_A7,
        [ARM_CORTEX_A53] = UC_CPU_ARM64_A53,
        [ARM_CORTEX_A53_32] = UC_CPU_ARM_CORTEX_A15,
    };
    uint64_t none;
    return uc_open(core->wide ? UC_ARCH_ARM64 : UC_ARCH_ARM, UC_MODE_ARM, &core->uc) == UC_ERR_OK &&
           uc_ctl_set_cpu_model(core->uc, models[core->options.model]) == UC_ERR_OK &&
           uc_ctl_exits_enable(core->uc) == UC_ERR_OK &&
           uc_ctl_set_exits(core->uc, &none, 0) == UC_ERR_OK && map_memory(core) &&
           add_hooks(core) && uc_open_stores(core) &&
           uc_context_alloc(core->uc, &core->context) == UC_ERR_OK;
}

/* Sets a 64-bit core to what the firmware leaves: non-secure EL2, masks set. */
static bool start_wide(struct uc_core *core)
{
    enum { NON_SECURE = 1, RESERVED = 3 << 4, HYPERVISOR_CALLS = 1 << 8, WIDE = 1 << 10 };
    if (!uc_prepare_levels(core))
        return false;
    uc_set_system(core, 3, 6, 1, 1, 0, NON_SECURE | RESERVED | HYPERVISOR_CALLS | WIDE); /* SCR_EL3
                                                                                          * */
    return true;
}

/* Sets a 32-bit core to what the firmware leaves. An ARM1176 and a core after its reset are in SVC
 * mode and secure state. The firmware's stub (raspberrypi/tools, armstubs/armstub7.S) has moved
 * other cores to Hyp mode, and allows coprocessors in non-secure state. It writes 0x63fff to NSACR,
 * which has the bits cp10 and cp11 (Cortex-A53 Technical Reference Manual, 4.5.32). */
static void start_narrow(struct uc_core *core, bool reset)
{
    enum { COPROCESSORS = 0xc00, STATE_SVC = 0x1d3, STATE_HYP = 0x1da };
    enum { NON_SECURE = 1, MASKS_WRITABLE = 3 << 4, HYPERVISOR_CALLS = 1 << 8 };
    bool secure = reset || core->options.model == ARM_1176;
    uint32_t scr = NON_SECURE | MASKS_WRITABLE | HYPERVISOR_CALLS;
    if (core->options.model != ARM_1176)
        uc_set_cp15(core, 1, 0, 1, 2, secure ? 0 : COPROCESSORS); /* NSACR */
    uc_set_cp15(core, 1, 0, 1, 0, secure ? 0 : scr);              /* SCR */
    uc_set_psr(core, secure ? STATE_SVC : STATE_HYP);
}

static void destroy(struct arm_core *shared)
{
    struct uc_core *core = core_of(shared);
    if (!core)
        return;
    if (core->context)
        uc_context_free(core->context);
    if (core->uc)
        uc_close(core->uc);
    free(core->pages);
    free(core->hashes);
    free(core);
}

static struct arm_core *create(const struct arm_options *options, const char **why)
{
    struct uc_core *core = calloc(1, sizeof *core);
    if (!core) {
        *why = "no memory";
        return NULL;
    }
    core->options = *options;
    core->wide = options->model == ARM_CORTEX_A53;
    core->on_trap = on_instruction;
    core->core.limit = core->core.pause = UINT64_MAX;
    core->resumed_at = UC_NOWHERE;
    core->block = core->before = core->blocks;
    uc_find_offsets(&core->offsets, core->wide);
    uc_find_tlb(&core->tlb, core->wide);
    if (!open_engine(core) || (core->wide && !start_wide(core))) {
        *why = "this version of the Unicorn library cannot execute the core";
        destroy(&core->core);
        return NULL;
    }
    if (!core->wide)
        start_narrow(core, false);
    return &core->core;
}

/* --- running --- */

/* The hints wfe and yield, in the three instruction sets. */
static const struct {
    uint32_t mask, wait, yield;
} hints[] = {
    {0x0fffffff, 0x0320f002, 0x0320f001}, /* ARM */
    {0xffff, 0xbf20, 0xbf10},             /* Thumb */
    {0xffffffff, 0xd503205f, 0xd503203f}, /* 64 bits */
};

/* Returns true if the core has executed a wfe or yield, which Unicorn reports as an invalid
 * instruction after the instruction. */
static bool has_yielded(const struct uc_core *core, bool *waits)
{
    const struct uc_block *block = core->block;
    unsigned set = core->wide ? 2 : block->thumb, length = block->thumb ? 2 : 4, bytes;
    uint32_t word;
    if (block->bytes < length || uc_pc(core) != (block->address | block->thumb) + block->bytes ||
        !uc_block_word(core, block, block->bytes - length, &word, &bytes))
        return false;
    *waits = (word & hints[set].mask) == hints[set].wait;
    return *waits || (word & hints[set].mask) == hints[set].yield;
}

/* Unicorn has stopped at an instruction that it does not execute. Returns true if run() returns
 * core->stop. */
static bool stopped_at_instruction(struct uc_core *core)
{
    bool waits = false;
    if (!has_yielded(core, &waits)) {
        uint64_t pc = uc_pc(core);
        uc_cut_block(core, pc);
        if (core->wide)
            uc_reported_wide(core);
        else
            uc_reported(core, UC_REPORTED_UNDEFINED);
        return core->stopping;
    }
    if (!waits)
        return false;
    core->stop = ARM_WAIT_EVENT;
    return uc_waits_for_event(core);
}

/* Handles the return of Unicorn. Returns true if run() returns core->stop. */
static bool has_stopped(struct uc_core *core, uc_err error)
{
    uint64_t end = core->block_end;
    if (core->resumes)
        uc_set_pc(core, core->resume);
    core->block_end = end;
    core->resumes = false;
    if (core->stopping || core->again)
        return core->stopping;
    if (error == UC_ERR_OK) {
        core->stop = ARM_WAIT_INTERRUPT;
        return core->core.lines == 0;
    }
    if (error == UC_ERR_INSN_INVALID || error == UC_ERR_EXCEPTION)
        return stopped_at_instruction(core);
    core->options.ports->broken(core->options.ports->user, core->options.number, uc_pc(core),
                                uc_strerror(error));
    core->stop = ARM_BROKEN;
    return true;
}

/* After a state was restored: finds the block of which .rest is a part. */
static void find_rest(struct uc_core *core)
{
    const struct uc_rest rest = core->rest;
    bool hooked = false;
    core->rest = (struct uc_rest){0};
    if (!rest.bytes)
        return;
    core->block = uc_add_block(core, rest.address, rest.bytes, &hooked);
    core->block_start = core->block_end - core->block->instructions;
    core->next_access = rest.next_access;
    if (core->block_start > core->core.cycles)
        core->block_end = 0;
}

static enum arm_stop run(struct arm_core *shared)
{
    struct uc_core *core = core_of(shared);
    uint64_t pc = uc_pc(core) & ~(uint64_t)(core->wide ? 0 : UC_THUMB);
    core->resumed_at = core->stopped_before ? pc : UC_NOWHERE;
    core->stopped_before = false;
    shared->idle_from = shared->idle_until = 0;
    shared->event_stream = 0;
    uc_forget_polls(core);
    find_rest(core);
    bool done = false;
    while (!done) {
        uc_forget_changed(core);
        core->stopping = core->again = false;
        uc_err error = uc_emulate(core);
        done = has_stopped(core, error);
    }
    if (shared->cycles >= core->block_end)
        uc_send_event(core);
    return core->stop;
}

static void start(struct arm_core *shared, uint64_t address, bool reset)
{
    enum { EL2H = 9, EL3H = 13, MASKS = 0x3c0 };
    struct uc_core *core = core_of(shared);
    uc_note_start(core, address);
    if (core->wide) {
        uc_enter_level(core, address, (reset ? EL3H : EL2H) | MASKS);
        return;
    }
    start_narrow(core, reset);
    uc_set_pc(core, address);
}

static void forget_code(struct arm_core *shared, uint64_t physical, uint64_t size)
{
    uc_mark_changed(core_of(shared), physical, size);
}

static bool is_64(const struct arm_core *shared)
{
    return ((const struct uc_core *)shared)->wide;
}

const struct tess_arm_engine *tess_arm_unicorn(void)
{
    static const struct tess_arm_engine engine = {
        .name = "Unicorn",
        .create = create,
        .destroy = destroy,
        .start = start,
        .run = run,
        .get = uc_get,
        .set = uc_set,
        .is_64 = is_64,
        .translate = uc_translate,
        .accessing = uc_touching,
        .breakpoint = uc_set_breakpoint,
        .note_accesses = uc_note_accesses,
        .forget_code = forget_code,
        .state_size = uc_state_size,
        .save = uc_save,
        .restore = uc_restore,
    };
    return &engine;
}
