/* SPDX-License-Identifier: MIT */
/* traps.c - instructions that the engine executes itself, because Unicorn executes them in another
 * way than the core, or because the board must know of them.
 *
 * In:  instructions of coprocessor 15.
 * Out: their results; calls of the board's ports.
 *
 * Unicorn derives the generic timers and the cycle counter from the host's clock. Here they follow
 * the board's clock.
 *
 * Source: ARM Architecture Reference Manual ARMv7-A, B4.1 and B8.1; ARM1176JZF-S Technical
 *         Reference Manual, 3.2.22 (cache operations) and 3.2.51 (performance monitor).
 * Left out: counters of events, other than cycles; what CPUACTLR and CPUECTLR of a Cortex-A53
 *           change, so that their writes have no effect. */
#include "board/arm/unicorn/core.h"
#include "board/arm/unicorn/timers.h"

enum { READ = 1, CONDITION_ALWAYS = 14, PSR_THUMB = 1 << 5 };

/* A register of coprocessor 15, by the fields of an instruction. wide: mcrr and mrrc. */
struct name {
    bool wide;
    uint8_t crn, opc1, crm, opc2;
};

static const struct {
    struct name name;
    uint8_t action;
    uint8_t detail; /* number of the generic timer; for cache maintenance, what */
} rows[] = {
    {{false, 14, 0, 0, 0}, UC_FREQUENCY, 0},
    {{true, 0, 0, 14, 0}, UC_COUNTER, 0},
    {{true, 0, 1, 14, 0}, UC_COUNTER, 0},
    {{false, 14, 0, 2, 0}, UC_TIMER_VALUE, ARM_TIMER_PHYSICAL},
    {{false, 14, 0, 2, 1}, UC_TIMER_CONTROL, ARM_TIMER_PHYSICAL},
    {{true, 0, 2, 14, 0}, UC_TIMER_COMPARE, ARM_TIMER_PHYSICAL},
    {{false, 14, 0, 3, 0}, UC_TIMER_VALUE, ARM_TIMER_VIRTUAL},
    {{false, 14, 0, 3, 1}, UC_TIMER_CONTROL, ARM_TIMER_VIRTUAL},
    {{true, 0, 3, 14, 0}, UC_TIMER_COMPARE, ARM_TIMER_VIRTUAL},
    {{false, 14, 4, 2, 0}, UC_TIMER_VALUE, ARM_TIMER_HYPERVISOR},
    {{false, 14, 4, 2, 1}, UC_TIMER_CONTROL, ARM_TIMER_HYPERVISOR},
    {{true, 0, 6, 14, 0}, UC_TIMER_COMPARE, ARM_TIMER_HYPERVISOR},
    {{false, 0, 0, 0, 5}, UC_AFFINITY, 0},
    {{false, 0, 0, 0, 0}, UC_IDENTITY, 0},
    {{false, 9, 0, 13, 0}, UC_CYCLES, 0},
    {{false, 15, 0, 12, 1}, UC_CYCLES, 0},
    {{true, 0, 0, 15, 0}, UC_CORE_CONTROL, 0},
    {{true, 0, 1, 15, 0}, UC_CORE_CONTROL, 1},
    {{false, 7, 0, 10, 1}, UC_MAINTAIN_LINE, ARM_CLEAN},
    {{false, 7, 0, 14, 1}, UC_MAINTAIN_LINE, ARM_CLEAN | ARM_INVALIDATE},
    {{false, 7, 0, 6, 1}, UC_MAINTAIN_LINE, ARM_INVALIDATE},
    {{false, 7, 0, 10, 0}, UC_MAINTAIN_ALL, ARM_CLEAN},
    {{false, 7, 0, 10, 2}, UC_MAINTAIN_ALL, ARM_CLEAN},
    {{false, 7, 0, 14, 0}, UC_MAINTAIN_ALL, ARM_CLEAN | ARM_INVALIDATE},
    {{false, 7, 0, 14, 2}, UC_MAINTAIN_ALL, ARM_CLEAN | ARM_INVALIDATE},
    {{false, 7, 0, 6, 0}, UC_MAINTAIN_ALL, ARM_INVALIDATE},
    {{false, 7, 0, 6, 2}, UC_MAINTAIN_ALL, ARM_INVALIDATE},
    {{false, 7, 0, 7, 0}, UC_MAINTAIN_ALL, ARM_INVALIDATE},
    {{false, 7, 0, 5, 0}, UC_CODE_CHANGED, 0},
    {{false, 7, 0, 1, 0}, UC_CODE_CHANGED, 0},
    {{false, 7, 0, 5, 1}, UC_CODE_LINE, 0},
};

static bool is_system(uint32_t word, unsigned bytes, bool thumb)
{
    if (bytes != 4 || (word >> 8 & 15) != 15 || (thumb && word >> 28 != 14))
        return false;
    bool one = (word & 0x0f000010) == 0x0e000010, two = (word & 0x0fe00000) == 0x0c400000;
    return word >> 28 != 15 && (one || two);
}

static struct name name_of(uint32_t word)
{
    bool wide = (word & 0x0f000000) == 0x0c000000;
    if (wide)
        return (struct name){.wide = true, .opc1 = word >> 4 & 15, .crm = word & 15};
    return (struct name){
        .crn = word >> 16 & 15, .opc1 = word >> 21 & 7, .crm = word & 15, .opc2 = word >> 5 & 7};
}

/* Returns the row of an instruction, or -1. */
static int row_of(const struct uc_core *core, uint32_t word)
{
    struct name name = name_of(word);
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct name *row = &rows[i].name;
        bool wide = row->wide && name.wide && row->opc1 == name.opc1 && row->crm == name.crm;
        bool newest = rows[i].action == UC_CORE_CONTROL || rows[i].action == UC_IDENTITY;
        bool exists = !newest || core->options.model == ARM_CORTEX_A53_32;
        bool narrow = !row->wide && !name.wide && row->crn == name.crn && row->opc1 == name.opc1 &&
                      row->crm == name.crm && row->opc2 == name.opc2;
        if (exists && (wide || narrow) && !uc_is_unseen(core, rows[i].action))
            return (int)i;
    }
    return -1;
}

/* Returns what an instruction does to a range of the data cache: ARM_CLEAN and ARM_INVALIDATE, or
 * 0. Only the ARM1176 has such instructions. */
static unsigned maintains_range(const struct uc_core *core, uint32_t word, unsigned bytes)
{
    static const uint8_t what[16] = {
        [6] = ARM_INVALIDATE, [12] = ARM_CLEAN, [14] = ARM_CLEAN | ARM_INVALIDATE};
    bool is_range = core->options.model == ARM_1176 && bytes == 4 && word >> 28 != 15 &&
                    (word & 0x0ff00ff0) == 0x0c400f00 && !uc_is_unseen(core, UC_MAINTAIN_LINE);
    return is_range ? what[word & 15] : 0;
}

bool uc_is_sev(const struct uc_core *core, uint32_t word, unsigned bytes, bool thumb)
{
    if (core->wide)
        return word == 0xd503209f;
    if (thumb)
        return word == (bytes == 2 ? 0xbf40 : 0xf3af8004);
    return (word & 0x0fffffff) == 0x0320f004;
}

bool uc_is_trap(const struct uc_core *core, uint32_t word, unsigned bytes, bool thumb)
{
    if (core->wide)
        return uc_is_trap_wide(core, word);
    return (is_system(word, bytes, thumb) && row_of(core, word) >= 0) ||
           maintains_range(core, word, bytes) || uc_is_barrier(core, word, bytes, thumb) ||
           uc_changes_places(core, word, bytes, thumb) ||
           uc_moves_hyp_state(core, word, bytes, thumb);
}

/* --- execution --- */

static bool condition_holds(uint32_t psr, unsigned condition)
{
    bool n = psr >> 31 & 1, z = psr >> 30 & 1, c = psr >> 29 & 1, v = psr >> 28 & 1;
    const bool holds[8] = {z, c, n, v, c && !z, n == v, n == v && !z, true};
    return holds[condition >> 1] != ((condition & 1) && condition < CONDITION_ALWAYS);
}

/* Returns the detail of a row. The registers of the physical timer are banked (B8.1.2): in secure
 * state, they
 * are those of the secure timer. */
static unsigned detail_of(const struct uc_core *core, unsigned row)
{
    bool banked = rows[row].action >= UC_TIMER_VALUE && rows[row].action <= UC_TIMER_COMPARE &&
                  rows[row].detail == ARM_TIMER_PHYSICAL;
    return banked && uc_is_secure(core) ? ARM_TIMER_SECURE : rows[row].detail;
}

static void transfer(struct uc_core *core, unsigned row, uint32_t word, uint64_t pc)
{
    unsigned low = word >> 12 & 15, high = word >> 16 & 15, detail = detail_of(core, row);
    bool wide = rows[row].name.wide;
    if (word >> 20 & READ) {
        uint64_t value = uc_poll_action(core, rows[row].action, detail, pc);
        uc_set(&core->core, low, (uint32_t)value);
        if (wide)
            uc_set(&core->core, high, value >> 32);
    } else {
        uint64_t value = uc_get(&core->core, low);
        if (wide)
            value |= uc_get(&core->core, high) << 32;
        uc_write_action(core, rows[row].action, detail, value);
    }
}

void uc_trap(struct uc_core *core, uint64_t pc)
{
    if (core->wide) {
        uc_trap_wide(core, pc);
        return;
    }
    uint32_t psr = uc_get32(core, UC_ARM_REG_CPSR), word;
    bool thumb = psr & PSR_THUMB;
    unsigned bytes;
    if (!uc_instruction(core, pc | thumb, &word, &bytes))
        return;
    if (uc_is_barrier(core, word, bytes, thumb))
        core->options.ports->barrier(core->options.ports->user, core->options.number);
    if (uc_changes_places(core, word, bytes, thumb))
        uc_forget_places(core);
    if (!thumb && !condition_holds(psr, word >> 28))
        return;
    if (maintains_range(core, word, bytes))
        uc_maintain_range(core, maintains_range(core, word, bytes),
                          (uint32_t)uc_get(&core->core, word >> 16 & 15),
                          (uint32_t)uc_get(&core->core, word >> 12 & 15));
    if (uc_moves_hyp_state(core, word, bytes, thumb) && uc_move_hyp_state(core, word)) {
        uc_cut_block(core, pc);
        core->core.cycles++;
        uc_set_pc(core, (pc + bytes) | thumb);
        return;
    }
    int row = is_system(word, bytes, thumb) ? row_of(core, word) : -1;
    if (row < 0 || maintains_range(core, word, bytes))
        return;
    if (rows[row].action >= UC_MAINTAIN_LINE) {
        uc_maintain(core, rows[row].action, rows[row].detail, uc_get(&core->core, word >> 12 & 15));
        return;
    }
    uc_cut_block(core, pc);
    transfer(core, (unsigned)row, word, pc);
    core->core.cycles++;
    uc_set_pc(core, (pc + bytes) | thumb);
}
