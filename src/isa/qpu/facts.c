/* SPDX-License-Identifier: MIT */
/* facts.c - see facts.h.
 *
 * In:     an instruction word.
 * Out:    ports, writes, accumulators and peripherals that the instruction uses.
 * Source: manual, tables 4 and 14; vc4asm's addendum for the link register of a branch. */
#include "isa/qpu/facts.h"

#include "base/bits.h"
#include "isa/qpu/sides.h"

/* Accesses of reads and writes of an address from 32 to 63. In two rows the files differ. */
static const uint32_t read_accesses[64] = {
    [QPU_RD_UNIFORM] = ACCESS_UNIFORM,
    [QPU_RD_VARYING] = ACCESS_VARYING,
    [QPU_RD_XY_COORD] = ACCESS_COORDINATES_READ,
    [QPU_RD_MS_REV] = ACCESS_COORDINATES_READ, /* of file A also ACCESS_MS_READ */
    [QPU_RD_VPM] = ACCESS_VPM_READ,
    [QPU_RD_VPM_BUSY] = ACCESS_DMA,
    [QPU_RD_VPM_WAIT] = ACCESS_DMA,
    [QPU_RD_MUTEX] = ACCESS_MUTEX_READ,
};

static const uint32_t write_accesses[64] = {
    [QPU_WR_TMU_NOSWAP] = ACCESS_NOSWAP,
    [QPU_WR_HOST_INT] = ACCESS_INTERRUPT,
    [QPU_WR_UNIFORM_ADDRESS] = ACCESS_UNIFORM_ADDRESS,
    [QPU_WR_QUAD_XY] = ACCESS_COORDINATES_WRITE,
    [QPU_WR_MS_REV] = ACCESS_COORDINATES_WRITE,
    [QPU_WR_STENCIL_SETUP] = ACCESS_TILE_WRITE,
    [QPU_WR_TLB_Z] = ACCESS_TILE_WRITE,
    [QPU_WR_TLB_COLOUR_MS] = ACCESS_TILE_COLOUR_WRITE,
    [QPU_WR_TLB_COLOUR_ALL] = ACCESS_TILE_COLOUR_WRITE,
    [QPU_WR_TLB_ALPHA_MASK] = ACCESS_TILE_WRITE,
    [QPU_WR_VPM] = ACCESS_VPM_WRITE,
    [QPU_WR_VPM_SETUP] = ACCESS_READ_SETUP, /* of file B ACCESS_WRITE_SETUP */
    [QPU_WR_VPM_ADDRESS] = ACCESS_DMA,
    [QPU_WR_MUTEX_RELEASE] = ACCESS_MUTEX_WRITE,
    [QPU_WR_SFU_RECIP] = ACCESS_SFU,
    [QPU_WR_SFU_RECIPSQRT] = ACCESS_SFU,
    [QPU_WR_SFU_EXP] = ACCESS_SFU,
    [QPU_WR_SFU_LOG] = ACCESS_SFU,
    [QPU_WR_TMU0_S] = ACCESS_TMU_WRITE,
    [QPU_WR_TMU0_S + 1] = ACCESS_TMU_WRITE | ACCESS_TMU_UNIFORM,
    [QPU_WR_TMU0_S + 2] = ACCESS_TMU_WRITE | ACCESS_TMU_UNIFORM,
    [QPU_WR_TMU0_S + 3] = ACCESS_TMU_WRITE | ACCESS_TMU_UNIFORM,
    [QPU_WR_TMU1_S] = ACCESS_TMU_WRITE,
    [QPU_WR_TMU1_S + 1] = ACCESS_TMU_WRITE | ACCESS_TMU_UNIFORM,
    [QPU_WR_TMU1_S + 2] = ACCESS_TMU_WRITE | ACCESS_TMU_UNIFORM,
    [QPU_WR_TMU1_S + 3] = ACCESS_TMU_WRITE | ACCESS_TMU_UNIFORM,
};

uint32_t qpu_read_access(unsigned address, bool file_b)
{
    bool multisample = address == QPU_RD_MS_REV && !file_b;
    return read_accesses[address] | (multisample ? ACCESS_MS_READ : 0);
}

uint32_t qpu_write_access(unsigned address, bool file_b)
{
    if (address == QPU_WR_VPM_SETUP && file_b)
        return ACCESS_WRITE_SETUP;
    return write_accesses[address];
}

static const uint32_t signal_accesses[16] = {
    [QPU_SIG_THREAD_SWITCH] = ACCESS_SWITCH,
    [QPU_SIG_PROGRAM_END] = ACCESS_END,
    [QPU_SIG_SCOREBOARD_WAIT] = ACCESS_SCOREBOARD_WAIT,
    [QPU_SIG_SCOREBOARD_UNLOCK] = ACCESS_SCOREBOARD_UNLOCK,
    [QPU_SIG_LAST_THREAD_SWITCH] = ACCESS_SWITCH | ACCESS_LAST_SWITCH,
    [QPU_SIG_COVERAGE_LOAD] = ACCESS_TILE_READ,
    [QPU_SIG_COLOUR_LOAD] = ACCESS_TILE_COLOUR_READ,
    [QPU_SIG_COLOUR_LOAD_END] = ACCESS_TILE_COLOUR_READ | ACCESS_END,
    [QPU_SIG_LOAD_TMU0] = ACCESS_TMU_READ,
    [QPU_SIG_LOAD_TMU1] = ACCESS_TMU_READ,
    [QPU_SIG_ALPHA_MASK_LOAD] = ACCESS_TILE_READ,
};

bool facts_overlap(unsigned one, unsigned other)
{
    if (one == QPU_COND_NEVER || other == QPU_COND_NEVER)
        return false;
    return one <= QPU_COND_ALWAYS || other <= QPU_COND_ALWAYS || (one ^ other) != 1;
}

/* Returns the narrowest condition that holds whenever at least one of the two conditions holds. */
static unsigned either(unsigned one, unsigned other)
{
    if (one == QPU_COND_NEVER || one == other)
        return other;
    return other == QPU_COND_NEVER ? one : QPU_COND_ALWAYS;
}

static bool uses_flags(unsigned condition)
{
    return condition > QPU_COND_ALWAYS;
}

/* Records an operand that an operation needs under a condition. */
static void take_operand(struct qpu_facts *facts, unsigned mux, unsigned condition)
{
    if (condition == QPU_COND_NEVER)
        return;
    uint8_t *needed = &facts->port_condition[mux == QPU_MUX_B];
    if (mux < QPU_MUX_A) {
        facts->reads |= (uint8_t)(1u << mux);
        facts->reads_always |= (uint8_t)(condition == QPU_COND_ALWAYS ? 1u << mux : 0);
        needed = &facts->accumulator_condition[mux];
    }
    *needed = (uint8_t)either(*needed, condition);
}

/* Returns true if nothing depends on an ALU's result: the ALU moves a register onto itself, or the
 * write acts regardless of the value. */
static bool ignores_value(const struct qpu_insn *insn, const struct qpu_side *side)
{
    bool acts = side->waddr == QPU_WR_HOST_INT || side->waddr == QPU_WR_MUTEX_RELEASE;
    return qpu_keeps(insn, !side->add) || (acts && !qpu_sets_flags(insn, side));
}

/* Records the operands of an operation. An operation that sets the flags needs its operands under
 * every condition. */
static void take_operation(struct qpu_facts *facts, const struct qpu_side *side)
{
    unsigned needed = qpu_sets_flags(&facts->insn, side) ? QPU_COND_ALWAYS : side->cond;
    if (ignores_value(&facts->insn, side))
        return;
    if (side->sources > 0)
        take_operand(facts, side->a, needed);
    if (side->sources > 1)
        take_operand(facts, side->b, needed);
}

static void take_alu(struct qpu_facts *facts, const struct qpu_side side[2])
{
    const struct qpu_insn *insn = &facts->insn;
    bool immediate = insn->form == QPU_FORM_ALU_IMMEDIATE;
    facts->port[0] = insn->raddr_a;
    facts->port[1] = immediate ? QPU_NOP : insn->raddr_b;
    facts->makes_zero = true;
    for (unsigned i = 0; i < 2; i++) {
        take_operation(facts, &side[i]);
        facts->makes_zero &= qpu_idles(insn, &side[i]) || qpu_zeroes(&side[i]);
    }
    if (immediate)
        facts->port_condition[1] = QPU_COND_NEVER;
    if (qpu_rotates(insn) && insn->raddr_b == QPU_ROTATE_BY_R5)
        facts->reads |= 1 << 5;
    facts->accesses |= qpu_read_access(facts->port[0], false) |
                       qpu_read_access(facts->port[1], true);
    facts->accesses |= signal_accesses[insn->sig];
    facts->r4_load = qpu_loads_r4(insn->sig);
}

static void take_branch(struct qpu_facts *facts)
{
    const struct qpu_insn *insn = &facts->insn;
    facts->branch_always = insn->cond_br == 15;
    if (insn->reg) {
        facts->port[0] = insn->raddr_a;
        facts->port_condition[0] = QPU_COND_ALWAYS;
    }
    if (!facts->branch_always)
        facts->reads |= 1 << FACTS_FLAGS;
}

/* Records a side's write. The add ALU's nop writes nothing: the nops of py-videocore and of qmkl's
 * sgemm name r0 as the target and expect r0 to keep its value. */
static void take_write(struct qpu_facts *facts, unsigned unit, const struct qpu_side *side)
{
    struct qpu_write *write = &facts->write[unit];
    *write = (struct qpu_write){
        .address = side->waddr,
        .condition = side->cond,
        .file_b = !side->file_a,
        .present = qpu_writes(side) && !(side->add && qpu_idles(&facts->insn, side)),
    };
    if (!write->present)
        return;
    facts->accesses |= qpu_write_access(side->waddr, write->file_b);
    if (side->waddr >= QPU_WR_ACC0 && side->waddr <= QPU_WR_ACC3)
        facts->sets |= (uint8_t)(1u << (side->waddr - QPU_WR_ACC0));
    if (side->waddr == QPU_WR_ACC5)
        facts->sets |= 1 << 5;
    if (uses_flags(side->cond))
        facts->reads |= 1 << FACTS_FLAGS;
}

struct qpu_facts qpu_facts(uint64_t word)
{
    struct qpu_facts facts = {.insn = qpu_decode(word), .port = {QPU_NOP, QPU_NOP}};
    const struct qpu_insn *insn = &facts.insn;
    const struct qpu_side side[2] = {qpu_add_side(insn), qpu_mul_side(insn)};
    bool branch = insn->form == QPU_FORM_BRANCH;
    if (qpu_is_alu(insn))
        take_alu(&facts, side);
    if (branch)
        take_branch(&facts);
    if (insn->form == QPU_FORM_SEMAPHORE)
        facts.accesses |= ACCESS_SEMAPHORE;
    take_write(&facts, 0, &side[0]);
    take_write(&facts, 1, &side[1]);
    if (insn->sf || (branch && insn->reg && insn->raddr_a % 2))
        facts.sets |= 1 << FACTS_FLAGS;
    if (facts.accesses & ACCESS_VARYING)
        facts.sets |= 1 << 5;
    if (facts.r4_load || (facts.accesses & ACCESS_SFU))
        facts.sets |= 1 << 4;
    return facts;
}

bool facts_reads_register(const struct qpu_facts *facts, unsigned file, unsigned address)
{
    return facts->port[file] == address;
}

bool facts_writes_register(const struct qpu_facts *facts, unsigned file, unsigned address)
{
    for (unsigned unit = 0; unit < 2; unit++) {
        const struct qpu_write *write = &facts->write[unit];
        if (write->present && write->address == address && write->file_b == (file == 1))
            return true;
    }
    return false;
}

bool facts_writes(const struct qpu_facts *facts, unsigned address)
{
    return (facts->write[0].present && facts->write[0].address == address) ||
           (facts->write[1].present && facts->write[1].address == address);
}

bool facts_touches(const struct qpu_facts *facts, unsigned address)
{
    return facts->port[0] == address || facts->port[1] == address || facts_writes(facts, address);
}

bool facts_writes_file(const struct qpu_facts *facts)
{
    return (facts->write[0].present && facts->write[0].address < 32) ||
           (facts->write[1].present && facts->write[1].address < 32);
}

/* Returns the number of a write's accesses that count towards the limit of one access. The stencil
 * setup conflicts only with other writes to the tile buffer: Mesa's driver combines the setup with
 * accesses to other peripherals (vc4_qpu.c, qpu_num_sf_accesses). */
static unsigned counted_access(const struct qpu_write *write)
{
    const uint32_t counted = ACCESS_TILE_WRITE | ACCESS_TILE_COLOUR_WRITE | ACCESS_SFU |
                             ACCESS_TMU_WRITE;
    return write->present && write->address != QPU_WR_STENCIL_SETUP &&
           (qpu_write_access(write->address, write->file_b) & counted);
}

static bool is_tile_buffer(const struct qpu_write *write)
{
    return write->present && (qpu_write_access(write->address, write->file_b) & ACCESS_TILE);
}

unsigned facts_peripherals(const struct qpu_facts *facts)
{
    const uint32_t once = ACCESS_MUTEX_READ | ACCESS_SEMAPHORE;
    unsigned writes = counted_access(&facts->write[0]) + counted_access(&facts->write[1]);
    if (is_tile_buffer(&facts->write[0]) && is_tile_buffer(&facts->write[1]))
        writes = 2;
    if (writes == 1 && (facts->accesses & ACCESS_TILE_COLOUR_READ) &&
        (facts->accesses & ACCESS_TILE_COLOUR_WRITE))
        writes = 0;
    return writes + (unsigned)__builtin_popcount(facts->accesses & once) + facts->r4_load;
}

bool facts_same_value(const struct qpu_facts *facts)
{
    const struct qpu_insn *insn = &facts->insn;
    if (insn->pack)
        return false;
    if (!qpu_is_alu(insn))
        return true;
    return qpu_moves(insn, false) && qpu_moves(insn, true) && insn->add_a == insn->mul_a;
}

/* Returns true if the word may be a branch. Opaque pixels (alpha 0xff) also decode as branches. In
 * a branch, bits 59:56 are 0, and the immediate is a multiple of 8 if no register is added. */
static bool is_plausible_branch(const uint8_t *word, const struct qpu_insn *insn)
{
    return (word[7] & 15) == 0 && (insn->reg || insn->immediate % 8 == 0);
}

bool qpu_is_plausible(const uint8_t *word)
{
    struct qpu_insn insn = qpu_decode(load_le64(word));
    if (insn.form == QPU_FORM_BRANCH)
        return is_plausible_branch(word, &insn);
    if (qpu_layout(insn.form) != QPU_IN_ALU)
        return insn.form != QPU_FORM_LOAD_RESERVED;
    bool port_a = insn.add_a == QPU_MUX_A || insn.add_b == QPU_MUX_A || insn.mul_a == QPU_MUX_A ||
                  insn.mul_b == QPU_MUX_A;
    bool port_b = insn.add_a == QPU_MUX_B || insn.add_b == QPU_MUX_B || insn.mul_a == QPU_MUX_B ||
                  insn.mul_b == QPU_MUX_B;
    bool immediate = insn.form == QPU_FORM_ALU_IMMEDIATE;
    return insn.sig != QPU_SIG_BREAKPOINT && qpu_add_words(insn.op_add) &&
           qpu_read_name('a', insn.raddr_a) && (immediate || qpu_read_name('b', insn.raddr_b)) &&
           (port_a || insn.raddr_a >= 32) && (port_b || immediate || insn.raddr_b >= 32);
}
