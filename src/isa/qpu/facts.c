/* SPDX-License-Identifier: MIT */
/* facts.c - see facts.h.
 *
 * In:     an instruction word.
 * Out:    ports, writes, accumulators and peripherals that the instruction uses.
 * Source: manual, tables 4 and 14; vc4asm's addendum for the link register of a branch. */
#include "isa/qpu/facts.h"

#include "base/bits.h"
#include "isa/qpu/words.h"

/* Returns the ACCESS_ bits of a read from an address of file A or B. */
static uint32_t read_access(unsigned address, bool file_b)
{
    switch (address) {
    case QPU_RD_UNIFORM: return ACCESS_UNIFORM;
    case QPU_RD_VARYING: return ACCESS_VARYING;
    case QPU_RD_XY_COORD: return ACCESS_COORDINATES_READ;
    case QPU_RD_MS_REV: return ACCESS_COORDINATES_READ | (file_b ? 0 : ACCESS_MS_READ);
    case QPU_RD_VPM: return ACCESS_VPM_READ;
    case QPU_RD_VPM_BUSY:
    case QPU_RD_VPM_WAIT: return ACCESS_DMA;
    case QPU_RD_MUTEX: return ACCESS_MUTEX_READ;
    }
    return 0;
}

static uint32_t write_access(unsigned address, bool file_b)
{
    switch (address) {
    case QPU_WR_TMU_NOSWAP: return ACCESS_NOSWAP;
    case QPU_WR_HOST_INT: return ACCESS_INTERRUPT;
    case QPU_WR_UNIFORM_ADDRESS: return ACCESS_UNIFORM_ADDRESS;
    case QPU_WR_QUAD_XY:
    case QPU_WR_MS_REV: return ACCESS_COORDINATES_WRITE;
    case QPU_WR_STENCIL_SETUP:
    case QPU_WR_TLB_Z:
    case QPU_WR_TLB_ALPHA_MASK: return ACCESS_TILE_WRITE;
    case QPU_WR_TLB_COLOUR_MS:
    case QPU_WR_TLB_COLOUR_ALL: return ACCESS_TILE_COLOUR_WRITE;
    case QPU_WR_VPM: return ACCESS_VPM_WRITE;
    case QPU_WR_VPM_SETUP: return file_b ? ACCESS_WRITE_SETUP : ACCESS_READ_SETUP;
    case QPU_WR_VPM_ADDRESS: return ACCESS_DMA;
    case QPU_WR_MUTEX_RELEASE: return ACCESS_MUTEX_WRITE;
    }
    if (address >= QPU_WR_TMU0_S)
        return ACCESS_TMU_WRITE | (address % 4 ? ACCESS_TMU_UNIFORM : 0);
    return address >= QPU_WR_SFU_RECIP ? ACCESS_SFU : 0;
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
static void take_operand(struct check_facts *facts, unsigned mux, unsigned condition)
{
    if (condition == QPU_COND_NEVER)
        return;
    if (mux < QPU_MUX_A) {
        facts->reads |= (uint8_t)(1u << mux);
        facts->reads_always |= (uint8_t)(condition == QPU_COND_ALWAYS ? 1u << mux : 0);
        return;
    }
    uint8_t *needed = &facts->port_condition[mux == QPU_MUX_B];
    *needed = (uint8_t)either(*needed, condition);
}

/* Returns true if nothing depends on an ALU's result: the ALU moves a register onto itself, or the
 * write acts regardless of the value. */
static bool ignores_value(const struct qpu_insn *insn, bool mul)
{
    unsigned to = mul ? insn->waddr_mul : insn->waddr_add;
    bool acts = to == QPU_WR_HOST_INT || to == QPU_WR_MUTEX_RELEASE;
    bool flags = insn->sf && mul == (insn->op_add == QPU_ADD_NOP);
    return qpu_keeps(insn, mul) || (acts && !flags);
}

/* Records the operands of an operation. An operation that sets the flags needs its operands under
 * every condition. */
static void take_operation(struct check_facts *facts, const struct qpu_op_words *op, unsigned a,
                           unsigned b, unsigned condition, bool flags)
{
    unsigned needed = flags ? QPU_COND_ALWAYS : condition;
    if (!op)
        return;
    if (op->sources > 0)
        take_operand(facts, a, needed);
    if (op->sources > 1)
        take_operand(facts, b, needed);
}

static void take_alu(struct check_facts *facts)
{
    const struct qpu_insn *insn = &facts->insn;
    bool immediate = insn->form == QPU_FORM_ALU_IMMEDIATE;
    bool add_flags = insn->sf && insn->op_add != QPU_ADD_NOP;
    bool mul_flags = insn->sf && insn->op_add == QPU_ADD_NOP;
    bool add_zero = insn->add_a == insn->add_b &&
                    (insn->op_add == QPU_ADD_XOR || insn->op_add == QPU_ADD_SUB);
    bool mul_zero = insn->mul_a == insn->mul_b && insn->op_mul == QPU_MUL_V8SUBS;
    facts->port[0] = insn->raddr_a;
    facts->port[1] = immediate ? QPU_NOP : insn->raddr_b;
    if (!ignores_value(insn, false))
        take_operation(facts, qpu_add_words(insn->op_add), insn->add_a, insn->add_b, insn->cond_add,
                       add_flags);
    if (!ignores_value(insn, true))
        take_operation(facts, qpu_mul_words(insn->op_mul), insn->mul_a, insn->mul_b, insn->cond_mul,
                       mul_flags);
    facts->makes_zero = (insn->op_add == QPU_ADD_NOP || add_zero) &&
                        (insn->op_mul == QPU_MUL_NOP || mul_zero);
    if (immediate)
        facts->port_condition[1] = QPU_COND_NEVER;
    if (qpu_rotation(insn) == 0 && insn->op_mul != QPU_MUL_NOP)
        facts->reads |= 1 << 5;
    facts->accesses |= read_access(facts->port[0], false) | read_access(facts->port[1], true);
    facts->accesses |= signal_accesses[insn->sig];
    facts->r4_load = insn->sig >= QPU_SIG_COVERAGE_LOAD && insn->sig <= QPU_SIG_ALPHA_MASK_LOAD;
}

static void take_branch(struct check_facts *facts)
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

/* Returns true if the ALU is the add ALU and executes nop, which writes nothing. The nops of
 * py-videocore and of qmkl's sgemm name r0 as the target and expect r0 to keep its value. */
static bool idles(const struct qpu_insn *insn, unsigned unit)
{
    return unit == 0 && qpu_layout(insn->form) == QPU_IN_ALU && insn->op_add == QPU_ADD_NOP;
}

static void take_write(struct check_facts *facts, unsigned unit, unsigned address,
                       unsigned condition)
{
    struct check_write *write = &facts->write[unit];
    *write = (struct check_write){.address = (uint8_t)address,
                                  .condition = (uint8_t)condition,
                                  .file_b = (unit == 1) != (facts->insn.ws != 0),
                                  .present = address != QPU_NOP && condition != QPU_COND_NEVER &&
                                             !idles(&facts->insn, unit)};
    if (!write->present)
        return;
    facts->accesses |= write_access(address, write->file_b);
    if (address >= QPU_WR_ACC0 && address <= QPU_WR_ACC3)
        facts->sets |= (uint8_t)(1u << (address - QPU_WR_ACC0));
    if (address == QPU_WR_ACC5)
        facts->sets |= 1 << 5;
    if (uses_flags(condition))
        facts->reads |= 1 << FACTS_FLAGS;
}

struct check_facts check_facts(uint64_t word)
{
    struct check_facts facts = {.insn = qpu_decode(word), .port = {QPU_NOP, QPU_NOP}};
    const struct qpu_insn *insn = &facts.insn;
    bool branch = insn->form == QPU_FORM_BRANCH;
    unsigned layout = qpu_layout(insn->form);
    if (layout == QPU_IN_ALU)
        take_alu(&facts);
    if (branch)
        take_branch(&facts);
    if (insn->form == QPU_FORM_SEMAPHORE)
        facts.accesses |= ACCESS_SEMAPHORE;
    take_write(&facts, 0, insn->waddr_add, branch ? QPU_COND_ALWAYS : insn->cond_add);
    take_write(&facts, 1, insn->waddr_mul, branch ? QPU_COND_ALWAYS : insn->cond_mul);
    if (insn->sf || (branch && insn->reg && insn->raddr_a % 2))
        facts.sets |= 1 << FACTS_FLAGS;
    if (facts.accesses & ACCESS_VARYING)
        facts.sets |= 1 << 5;
    if (facts.r4_load || (facts.accesses & ACCESS_SFU))
        facts.sets |= 1 << 4;
    return facts;
}

bool facts_reads_register(const struct check_facts *facts, unsigned file, unsigned address)
{
    return facts->port[file] == address;
}

bool facts_writes_register(const struct check_facts *facts, unsigned file, unsigned address)
{
    for (unsigned unit = 0; unit < 2; unit++) {
        const struct check_write *write = &facts->write[unit];
        if (write->present && write->address == address && write->file_b == (file == 1))
            return true;
    }
    return false;
}

bool facts_writes(const struct check_facts *facts, unsigned address)
{
    return (facts->write[0].present && facts->write[0].address == address) ||
           (facts->write[1].present && facts->write[1].address == address);
}

bool facts_same_value(const struct check_facts *facts)
{
    const struct qpu_insn *insn = &facts->insn;
    if (insn->pack)
        return false;
    if (qpu_layout(insn->form) != QPU_IN_ALU)
        return true;
    return qpu_moves(insn, false) && qpu_moves(insn, true) && insn->add_a == insn->mul_a;
}

/* Returns true if the word may be a branch. Opaque pixels (alpha 0xff) also decode as branches. In
 * a branch, bits 59:56 are 0, and the immediate is a multiple of 8 if no register is added. */
static bool is_plausible_branch(const uint8_t *word, const struct qpu_insn *insn)
{
    return (word[7] & 15) == 0 && (insn->reg || insn->immediate % 8 == 0);
}

bool check_is_plausible(const uint8_t *word)
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
