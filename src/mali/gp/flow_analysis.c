/* SPDX-License-Identifier: MIT */
/* flow_analysis.c - see flow_analysis.h. */
#include "mali/gp/flow_analysis.h"

#include <string.h>

#include "mali/gp/batch.h"

enum { ALL_UNITS = (1 << TESS_GP_UNITS) - 1 };

unsigned gp_flow_next(const struct gp_flow *flow, uint32_t k, uint32_t next[2])
{
    unsigned count = 0;
    uint32_t target = gp_branch_target(&flow->insn[k]);
    if (k + 1 < flow->count)
        next[count++] = k + 1;
    if (flow->insn[k].branch && target < flow->count && target != k + 1)
        next[count++] = target;
    return count;
}

/* Returns the units that have no visible result directly after the instruction. The result of
 * complex1 is not visible there. */
static unsigned missing_at_once(const struct gp_insn *insn)
{
    unsigned missing = gp_idle_units(insn);
    if (insn->mul_op == GP_MUL_COMPLEX1)
        missing |= 1u << TESS_GP_MUL0;
    return missing;
}

static void find_idle(struct gp_flow *flow)
{
    /* units that were idle one instruction back; a unit with complex1 is not idle */
    uint8_t unmade[GP_PROGRAM_MAX] = {ALL_UNITS};
    uint32_t next[2];
    flow->idle1[0] = flow->idle2[0] = ALL_UNITS;
    for (uint32_t k = 0; k < flow->count; k++)
        for (unsigned i = gp_flow_next(flow, k, next); i-- > 0;) {
            flow->idle1[next[i]] |= (uint8_t)missing_at_once(&flow->insn[k]);
            unmade[next[i]] |= (uint8_t)gp_idle_units(&flow->insn[k]);
        }
    for (uint32_t k = 0; k < flow->count; k++)
        for (unsigned i = gp_flow_next(flow, k, next); i-- > 0;)
            flow->idle2[next[i]] |= unmade[k];
}

static void find_kept(struct gp_flow *flow)
{
    uint32_t next[2];
    for (uint32_t k = 0; k < flow->count; k++)
        for (unsigned i = gp_flow_next(flow, k, next); i-- > 0;)
            flow->kept[k] |= (uint8_t)gp_reads(&flow->insn[next[i]], GP_UNIT_LOAD0, 1);
}

/* Returns the units whose result is used in the same instruction: stored, tested by a branch, or
 * written to an address register. */
static unsigned used_at_once(const struct gp_insn *insn)
{
    struct gp_store stores[GP_STORES_MAX];
    unsigned used = 0;
    for (unsigned i = gp_stores(insn, stores); i-- > 0;)
        used |= 1u << gp_result_unit(gp_store_sources[stores[i].source].unit);
    if (insn->branch || insn->complex_op == GP_COMPLEX_ADDR01)
        used |= 1u << TESS_GP_PASS;
    return used;
}

static unsigned read_back(const struct gp_insn *insn, unsigned back)
{
    unsigned units = 0;
    for (unsigned unit = GP_UNIT_ACC0; unit < GP_UNITS; unit++)
        if (gp_reads(insn, unit, back))
            units |= 1u << gp_result_unit(unit);
    return units;
}

static void find_held(struct gp_flow *flow)
{
    for (uint32_t k = 0; k < flow->count; k++) {
        const struct gp_insn *insn = &flow->insn[k];
        unsigned one_back = read_back(insn, 1) & flow->idle1[k];
        unsigned two_back = read_back(insn, 2) & flow->idle2[k];
        unsigned at_once = used_at_once(insn) & missing_at_once(insn);
        flow->held |= (uint8_t)((one_back | two_back | at_once) & ALL_UNITS);
    }
    flow->early = flow->held & 1u << TESS_GP_MUL0;
}

static unsigned needed(const struct gp_insn *insn, unsigned back)
{
    unsigned need = read_back(insn, back);
    if (back == 1 && gp_reads(insn, GP_UNIT_LOAD0, 1))
        need |= GP_NEED_LOAD0;
    if (back == 1 && insn->mul_op == GP_MUL_COMPLEX1)
        need |= GP_NEED_OPERAND;
    return need;
}

/* Finds the results that later instructions read. If any unit keeps old results (.held), all
 * results count as read. */
static void find_needed(struct gp_flow *flow)
{
    uint32_t next[2];
    for (uint32_t k = 0; k < flow->count; k++) {
        unsigned one = needed(&flow->insn[k], 1), two = needed(&flow->insn[k], 2);
        for (unsigned i = gp_flow_next(flow, k, next); i-- > 0;)
            one |= needed(&flow->insn[next[i]], 2);
        flow->needed1[k] = (uint8_t)(flow->held ? GP_NEED_ALL : one);
        flow->needed2[k] = (uint8_t)(flow->held ? GP_NEED_ALL : two);
    }
}

/* --- pending writes --- */

uint64_t gp_flow_registers_loaded(const struct gp_flow *flow, uint32_t k)
{
    const struct gp_insn *insn = &flow->insn[k];
    uint64_t loaded = (uint64_t)gp_reads(insn, GP_UNIT_LOAD1, 0) << 4 * insn->register1_addr;
    unsigned unit0 = gp_reads(insn, GP_UNIT_LOAD0, 0) | flow->kept[k];
    if (!insn->register0_attribute)
        loaded |= (uint64_t)unit0 << 4 * insn->register0_addr;
    return loaded;
}

static uint64_t registers_stored(const struct gp_insn *insn)
{
    struct gp_store stores[GP_STORES_MAX];
    uint64_t stored = 0;
    for (unsigned i = gp_stores(insn, stores); i-- > 0;)
        if (!stores[i].temporary && !stores[i].varying)
            stored |= UINT64_C(1) << (4 * stores[i].number + stores[i].component);
    return stored;
}

/* Finds loads within the delay of a write. A taken branch waits for all writes, so only the
 * instructions that follow the write in the order of the program are examined. */
static void find_watched(struct gp_flow *flow)
{
    for (uint32_t k = 0; k < flow->count; k++) {
        uint64_t stored = registers_stored(&flow->insn[k]);
        unsigned set = gp_addresses_set(&flow->insn[k]) & ~1u;
        for (uint32_t i = 1; i < GP_TEMPORARY_LATENCY && k + i < flow->count; i++) {
            if (i < GP_REGISTER_LATENCY)
                flow->watched_registers |= stored & gp_flow_registers_loaded(flow, k + i);
            unsigned offset = gp_row_offset(&flow->insn[k + i]);
            flow->watched_addresses |= (uint8_t)(set & (offset ? 1u << offset : 0));
        }
    }
}

/* --- writes before reads --- */

static unsigned addresses_read(const struct gp_insn *insn)
{
    struct gp_store stores[GP_STORES_MAX];
    unsigned read = 0;
    if (gp_reads(insn, GP_UNIT_ROW, 0) && gp_row_offset(insn))
        read |= 1u << gp_row_offset(insn);
    for (unsigned i = gp_stores(insn, stores); i-- > 0;)
        read |= stores[i].temporary;
    return read;
}

/* Register components and address registers that have been written on every path to each
 * instruction. */
struct written {
    uint64_t registers[GP_PROGRAM_MAX];
    uint8_t addresses[GP_PROGRAM_MAX];
};

/* Merges the path from instruction k to a next instruction. Returns true if the next instruction's
 * sets have become smaller. */
static bool join(const struct gp_flow *flow, struct written *written, uint32_t k, uint32_t next)
{
    const struct gp_insn *insn = &flow->insn[k];
    uint64_t registers = written->registers[next] &
                         (written->registers[k] | registers_stored(insn));
    unsigned addresses = written->addresses[next] &
                         (written->addresses[k] | gp_addresses_set(insn));
    bool less = registers != written->registers[next] || addresses != written->addresses[next];
    written->registers[next] = registers;
    written->addresses[next] = (uint8_t)addresses;
    return less;
}

static void find_written(const struct gp_flow *flow, struct written *written)
{
    uint32_t next[2];
    memset(written, 0xff, sizeof *written);
    written->registers[0] = written->addresses[0] = 0;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t k = 0; k < flow->count; k++)
            for (unsigned i = gp_flow_next(flow, k, next); i-- > 0;)
                again |= join(flow, written, k, next[i]);
    }
}

static void find_unset(struct gp_flow *flow)
{
    struct written written;
    find_written(flow, &written);
    for (uint32_t k = 0; k < flow->count; k++) {
        const struct gp_insn *insn = &flow->insn[k];
        unsigned addresses = addresses_read(insn);
        /* address register 0 takes effect in the instruction that sets it */
        if (gp_addresses_set(insn) & 1)
            addresses &= ~1u;
        flow->unset_registers |= gp_flow_registers_loaded(flow, k) & ~written.registers[k];
        flow->unset_addresses |= (uint8_t)(addresses & ~written.addresses[k]);
    }
}

void gp_flow_find(struct gp_flow *flow, const struct gp_insn *insn, uint32_t count)
{
    memset(flow, 0, sizeof *flow);
    flow->insn = insn;
    flow->count = count;
    find_idle(flow);
    find_kept(flow);
    find_held(flow);
    find_needed(flow);
    find_watched(flow);
    find_unset(flow);
}

/* --- unit numbers --- */

enum tess_gp_unit gp_result_unit(enum gp_unit unit)
{
    static const enum tess_gp_unit units[GP_UNITS] = {
        [GP_UNIT_ACC0] = TESS_GP_ACC0,   [GP_UNIT_ACC1] = TESS_GP_ACC1,
        [GP_UNIT_MUL0] = TESS_GP_MUL0,   [GP_UNIT_MUL1] = TESS_GP_MUL1,
        [GP_UNIT_PASS] = TESS_GP_PASS,   [GP_UNIT_COMPLEX] = TESS_GP_COMPLEX,
        [GP_UNIT_NONE] = TESS_GP_UNITS,  [GP_UNIT_LOAD0] = TESS_GP_UNITS,
        [GP_UNIT_LOAD1] = TESS_GP_UNITS, [GP_UNIT_ROW] = TESS_GP_UNITS,
    };
    return units[unit];
}

unsigned gp_idle_units(const struct gp_insn *insn)
{
    unsigned idle = 0;
    for (enum gp_unit unit = GP_UNIT_ACC0; unit < GP_UNITS; unit++)
        if (!gp_makes_result(insn, unit))
            idle |= 1u << gp_result_unit(unit);
    return idle;
}
