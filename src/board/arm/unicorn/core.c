/* SPDX-License-Identifier: MIT */
/* core.c - executes ARM instructions by the Unicorn library.
 *
 * In:  RAM, levels of interrupts, a limit of cycles.
 * Out: accesses to addresses that are not RAM, with the instruction and the cycle of each.
 *
 * Unicorn translates blocks of instructions. A hook at the start of each block counts cycles, takes
 * interrupts and ends the run; inside a block, nothing is counted. All other addresses than RAM are
 * one region of device memory, because Unicorn 2.0 looks up the region of a virtual address before it
 * translates the address.
 *
 * Source: Unicorn 2.0.1 (uc.c, qemu/accel/tcg/cpu-exec.c and cputlb.c, qemu/target/arm).
 * Choices: each instruction takes a cycle. Interrupts are taken between blocks. */
#include "board/arm/unicorn/core.h"


#include "board/arm/unicorn/core.h"

#include <tessera/arm.h>

#include <stdlib.h>
#include <string.h>

#define FOUR_GIB (UINT64_C(1) << 32)
#define NOWHERE UINT64_C(1) /* no instruction has this address */

static struct uc_core *core_of(struct arm_core *shared)
{
    return (struct uc_core *)shared;
}

void uc_stop(struct uc_core *core, enum arm_stop reason)
{
    core->stopping = true;
    core->stop = reason;
    uc_emu_stop(core->uc);
}

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
    if (!uc_translate(&core->core, address, &physical) || physical + 4 > core->options.ram.size)
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

void uc_cut_block(struct uc_core *core, uint64_t pc)
{
    core->core.cycles = core->block_start + uc_index_of(core, pc);
}

/* --- hooks --- */

static void on_block(uc_engine *uc, uint64_t address, uint32_t bytes, void *user)
{
    (void)uc;
    struct uc_core *core = user;
    if (core->core.cycles >= core->core.limit) {
        uc_stop(core, ARM_LIMIT);
        return;
    }
    if (core->core.lines && uc_take_interrupt(core))
        return;
    const struct uc_block *block = uc_block_entry(core, address);
    if (block->address != address || block->bytes != bytes) {
        bool hooked = false;
        block = uc_add_block(core, address, bytes, &hooked);
        if (hooked) {
            uc_set_pc(core, address | block->thumb);
            return;
        }
    }
    core->before = core->block;
    core->block = block;
    core->pure &= block->plain;
    if (block->idle) {
        uc_stop(core, ARM_IDLE);
        return;
    }
    core->block_start = core->core.cycles;
    core->next_access = 0;
    core->core.cycles += block->instructions;
}

/* Executes an instruction that the engine executes itself, or stops at a breakpoint. */
static void on_instruction(uc_engine *uc, uint64_t address, uint32_t bytes, void *user)
{
    (void)uc;
    (void)bytes;
    struct uc_core *core = user;
    uc_trap(core, address);
}

static void on_breakpoint(uc_engine *uc, uint64_t address, uint32_t bytes, void *user)
{
    (void)uc;
    (void)bytes;
    struct uc_core *core = user;
    if (core->resumed_at == address) {
        core->resumed_at = NOWHERE;
        return;
    }
    uc_cut_block(core, address);
    uc_stop(core, ARM_BREAKPOINT);
}

static void on_exception(uc_engine *uc, uint32_t number, void *user)
{
    (void)uc;
    uc_reported(user, number);
}

/* Allows code in device memory, which is how Unicorn sees virtual addresses outside of RAM. */
static bool on_protected(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                         void *user)
{
    (void)uc;
    (void)type;
    (void)address;
    (void)size;
    (void)value;
    (void)user;
    return true;
}

static struct arm_access access_at(struct uc_core *core, uint64_t address, unsigned size, bool store)
{
    uint64_t pc = uc_accessing(core, address, size, store);
    uc_cut_block(core, pc);
    return (struct arm_access){
        .core = core->options.number, .address = address, .size = size, .pc = pc};
}

/* The rest of the block executes after the access. */
static void continue_block(struct uc_core *core)
{
    core->core.cycles = core->block_start + core->block->instructions;
}

static uint64_t on_read(uc_engine *uc, uint64_t offset, unsigned size, void *user)
{
    (void)uc;
    struct uc_core *core = user;
    const struct arm_access access = access_at(core, core->options.ram.size + offset, size, false);
    uint64_t value = core->options.ports->read(core->options.ports->user, &access);
    value = uc_skip_polls(core, &access, value);
    continue_block(core);
    return value;
}

static void on_write(uc_engine *uc, uint64_t offset, unsigned size, uint64_t value, void *user)
{
    (void)uc;
    struct uc_core *core = user;
    const struct arm_access access = access_at(core, core->options.ram.size + offset, size, true);
    core->options.ports->write(core->options.ports->user, &access, value);
    core->poll.pc = NOWHERE;
    continue_block(core);
}

/* --- creation --- */

static bool add_hook(struct uc_core *core, int type, void *callback)
{
    uc_hook hook;
    return uc_hook_add(core->uc, &hook, type, callback, core, 1, 0) == UC_ERR_OK;
}

static bool map_memory(struct uc_core *core)
{
    const struct arm_ram *ram = &core->options.ram;
    uint64_t end = core->wide ? UINT64_MAX - 0xfff : FOUR_GIB;
    return uc_mem_map_ptr(core->uc, 0, ram->size, UC_PROT_ALL, ram->bytes) == UC_ERR_OK &&
           uc_mmio_map(core->uc, ram->size, end - ram->size, on_read, core, on_write, core) ==
               UC_ERR_OK;
}

static bool add_hooks(struct uc_core *core)
{
    return add_hook(core, UC_HOOK_BLOCK, (void *)on_block) &&
           add_hook(core, UC_HOOK_INTR, (void *)on_exception) &&
           add_hook(core, UC_HOOK_MEM_FETCH_PROT, (void *)on_protected);
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
           add_hooks(core) && uc_context_alloc(core->uc, &core->context) == UC_ERR_OK;
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
    core->resumed_at = NOWHERE;
    core->block = core->before = core->blocks;
    uc_find_offsets(&core->offsets);
    if (core->wide || !open_engine(core)) {
        *why = core->wide ? "64-bit cores are not supported" : "the Unicorn library refuses the core";
        destroy(&core->core);
        return NULL;
    }
    return &core->core;
}

/* --- running --- */

/* Returns true if the core has executed a wfe or yield, which Unicorn reports as an invalid
 * instruction after the instruction. */
static bool has_yielded(const struct uc_core *core, bool *waits)
{
    const struct uc_block *block = core->block;
    uint64_t pc = uc_pc(core);
    uint32_t word;
    unsigned bytes;
    if (pc != (block->address | block->thumb) + block->bytes || block->bytes < 2)
        return false;
    bool thumb = block->thumb;
    if (!uc_instruction(core, pc - (thumb ? 2 : 4), &word, &bytes))
        return false;
    uint32_t hint = thumb ? word & 0xffff : word & 0x0fffffff;
    *waits = hint == (thumb ? 0xbf20U : 0x0320f002U);
    return *waits || hint == (thumb ? 0xbf10U : 0x0320f001U);
}

/* Unicorn has stopped at an instruction that it does not execute. Returns true if run() returns
 * core->stop. */
static bool stopped_at_instruction(struct uc_core *core)
{
    bool waits = false;
    if (!has_yielded(core, &waits)) {
        uint64_t pc = uc_pc(core);
        uc_cut_block(core, pc & ~(uint64_t)UC_THUMB);
        uc_enter(core, UC_UNDEFINED, (uint32_t)pc);
        return false;
    }
    if (!waits || core->core.event) {
        core->core.event = false;
        return false;
    }
    core->stop = ARM_WAIT_EVENT;
    return true;
}

/* Handles the return of Unicorn. Returns true if run() returns core->stop. */
static bool has_stopped(struct uc_core *core, uc_err error)
{
    if (core->stopping)
        return true;
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

static enum arm_stop run(struct arm_core *shared)
{
    struct uc_core *core = core_of(shared);
    uint64_t pc = uc_pc(core);
    core->resumed_at = pc & ~(uint64_t)UC_THUMB;
    bool done = false;
    while (!done) {
        if (core->forget_all)
            uc_ctl_flush_tlb(core->uc);
        core->forget_all = core->stopping = false;
        uc_err error = uc_emu_start(core->uc, uc_pc(core), 0, 0, 0);
        done = has_stopped(core, error);
    }
    return core->stop;
}

static enum arm_stop step(struct arm_core *shared)
{
    struct uc_core *core = core_of(shared);
    uint64_t limit = shared->limit;
    shared->limit = UINT64_MAX;
    core->stopping = false;
    core->resumed_at = uc_pc(core) & ~(uint64_t)UC_THUMB;
    uint64_t before = shared->cycles;
    uc_err error = uc_emu_start(core->uc, uc_pc(core), 0, 0, 1);
    core->stop = ARM_LIMIT;
    if (error != UC_ERR_OK)
        has_stopped(core, error);
    shared->cycles = before + 1;
    shared->limit = limit;
    return core->stop;
}

/* --- breakpoints --- */

static void remove_breakpoint(struct uc_core *core, unsigned index)
{
    uint64_t address = core->breakpoints[index];
    uc_hook_del(core->uc, core->breakpoint_hooks[index]);
    core->breakpoint_count--;
    core->breakpoints[index] = core->breakpoints[core->breakpoint_count];
    core->breakpoint_hooks[index] = core->breakpoint_hooks[core->breakpoint_count];
    uc_ctl_remove_cache(core->uc, address, address + 4);
}

static void breakpoint(struct arm_core *shared, uint64_t address, bool set)
{
    struct uc_core *core = core_of(shared);
    for (unsigned i = 0; i < core->breakpoint_count; i++)
        if (core->breakpoints[i] == address) {
            if (!set)
                remove_breakpoint(core, i);
            return;
        }
    if (!set || core->breakpoint_count == UC_BREAKPOINTS)
        return;
    unsigned index = core->breakpoint_count;
    if (uc_hook_add(core->uc, &core->breakpoint_hooks[index], UC_HOOK_CODE, (void *)on_breakpoint,
                    core, address, address) != UC_ERR_OK)
        return;
    core->breakpoints[index] = address;
    core->breakpoint_count++;
    uc_ctl_remove_cache(core->uc, address, address + 4);
}

static void forget_code(struct arm_core *shared, uint64_t physical, uint64_t size)
{
    (void)physical;
    (void)size;
    core_of(shared)->forget_all = true;
}

bool uc_hook_trap(struct uc_core *core, uint64_t address)
{
    uc_hook hook;
    return uc_hook_add(core->uc, &hook, UC_HOOK_CODE, (void *)on_instruction, core, address,
                       address) == UC_ERR_OK;
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
        .run = run,
        .step = step,
        .get = uc_get,
        .set = uc_set,
        .is_64 = is_64,
        .translate = uc_translate,
        .breakpoint = breakpoint,
        .forget_code = forget_code,
        .state_size = uc_state_size,
        .save = uc_save,
        .restore = uc_restore,
    };
    return &engine;
}
