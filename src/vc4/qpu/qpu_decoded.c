/* SPDX-License-Identifier: MIT */
/* qpu_decoded.c - see qpu_decoded.h.
 *
 * Source: manual tables 1 to 14 and "Summary of Instruction Restrictions". */
#include "vc4/qpu/qpu_decoded.h"

#include "isa/qpu/facts.h"

/* Differs from every register number and from QPU_NO_REGISTER. */
enum { READS_NONE = QPU_NO_REGISTER - 1 };

/* --- traits --- */

static bool takes_float(const struct qpu_side *side)
{
    return side->add ? qpu_add_float_in(side->op) : side->op == QPU_MUL_FMUL;
}

static uint32_t use_traits(const struct qpu_insn *insn, const struct qpu_side *side)
{
    if (!qpu_has_effect(insn, side))
        return 0;
    uint32_t traits = 0;
    if (qpu_takes(side, QPU_MUX_A))
        traits |= side->add ? QPU_ADD_USES_A : QPU_MUL_USES_A;
    if (qpu_takes(side, QPU_MUX_B))
        traits |= side->add ? QPU_ADD_USES_B : QPU_MUL_USES_B;
    if (qpu_takes(side, QPU_MUX_R4))
        traits |= side->add ? QPU_ADD_USES_R4 : QPU_MUL_USES_R4;
    return traits;
}

static uint32_t unpack_traits(const struct qpu_insn *insn, const struct qpu_side *side)
{
    unsigned unpacked = insn->pm ? QPU_MUX_R4 : QPU_MUX_A;
    return qpu_takes(side, unpacked) && takes_float(side) ? QPU_UNPACK_FLOAT : 0;
}

/* Traits that an access alone decides (facts.h). */
static const struct {
    uint32_t accesses, trait;
} access_traits[] = {
    {ACCESS_UNIFORM, QPU_READS_UNIFORM},
    {ACCESS_MUTEX_READ, QPU_READS_MUTEX},
    {ACCESS_VARYING | ACCESS_VPM, QPU_VARYING_OR_VPM},
    {ACCESS_SFU, QPU_WRITES_R4},
    {ACCESS_END, QPU_ENDS},
    {ACCESS_VPM | ACCESS_MUTEX_READ | ACCESS_MUTEX_WRITE | ACCESS_INTERRUPT | ACCESS_SEMAPHORE,
     QPU_SHARES},
};

static uint32_t traits_of_accesses(uint32_t accesses)
{
    uint32_t traits = 0;
    for (unsigned i = 0; i < sizeof access_traits / sizeof access_traits[0]; i++)
        if (accesses & access_traits[i].accesses)
            traits |= access_traits[i].trait;
    return traits;
}

/* True if both ALUs write to the same register or I/O address, which can store only one of the
 * results. */
static bool one_target(const struct qpu_facts *facts)
{
    const struct qpu_write *add = &facts->write[0], *mul = &facts->write[1];
    unsigned to = add->address;
    return add->present && mul->present && to == mul->address &&
           ((to >= QPU_WR_ACC0 && to <= QPU_WR_ACC3) || to == QPU_WR_ACC5 ||
            to == QPU_WR_UNIFORM_ADDRESS || to == QPU_WR_VPM);
}

uint8_t qpu_may_wait(const struct qpu_decoded *d)
{
    unsigned number = d->insn.immediate & 15;
    bool acquire = d->insn.immediate >> 4 & 1;
    if (d->path == QPU_PATH_SEMAPHORE)
        return (uint8_t)(number | (acquire ? QPU_MAY_ACQUIRE : QPU_MAY_RELEASE));
    return d->traits & QPU_READS_MUTEX ? QPU_MAY_TAKE : 0;
}

static bool idles(const struct qpu_insn *insn)
{
    return insn->form == QPU_FORM_ALU && insn->sig == QPU_SIG_NONE && !insn->sf &&
           insn->op_add == QPU_ADD_NOP && insn->op_mul == QPU_MUL_NOP && insn->raddr_a == QPU_NOP &&
           insn->raddr_b == QPU_NOP && insn->waddr_add == QPU_NOP && insn->waddr_mul == QPU_NOP;
}

static bool is_reserved(const struct qpu_insn *insn, const struct qpu_side *add,
                        const struct qpu_side *mul)
{
    switch (insn->form) {
    case QPU_FORM_LOAD_RESERVED: return true;
    case QPU_FORM_BRANCH: return insn->cond_br >= 12 && insn->cond_br <= 14;
    default: break;
    }
    bool mul_pack = insn->pm && !qpu_mul_pack_defined(insn->pack);
    return !alu_add_ops[add->op].element || (mul_pack && qpu_has_effect(insn, mul));
}

static uint32_t find_traits(const struct qpu_facts *facts)
{
    const struct qpu_insn *insn = &facts->insn;
    const struct qpu_side add = qpu_add_side(insn), mul = qpu_mul_side(insn);
    uint32_t traits = traits_of_accesses(facts->accesses);
    if (qpu_is_alu(insn)) {
        traits |= use_traits(insn, &add) | use_traits(insn, &mul);
        traits |= unpack_traits(insn, &add) | unpack_traits(insn, &mul);
    }
    if (is_reserved(insn, &add, &mul))
        traits |= QPU_RESERVED_CODE;
    if (facts_touches(facts, 14))
        traits |= QPU_TOUCHES_14;
    if (facts_writes_file(facts))
        traits |= QPU_WRITES_FILE;
    if (facts_writes(facts, QPU_WR_TLB_Z))
        traits |= QPU_WRITES_Z;
    if (facts->r4_load)
        traits |= QPU_WRITES_R4;
    if (facts_peripherals(facts) > 1)
        traits |= QPU_TWO_PERIPHERALS;
    if (one_target(facts))
        traits |= QPU_ONE_TARGET;
    if (idles(insn))
        traits |= QPU_IDLES;
    return traits;
}

/* --- decoding --- */

static void find_reads(struct qpu_decoded *d, const struct qpu_facts *facts)
{
    if (facts->port[0] < 32)
        d->read_a = facts->port[0];
    if (facts->port[1] < 32)
        d->read_b = facts->port[1];
    if (d->traits & (QPU_ADD_USES_A | QPU_MUL_USES_A))
        d->used_a = d->read_a;
    if (d->traits & (QPU_ADD_USES_B | QPU_MUL_USES_B))
        d->used_b = d->read_b;
}

static enum qpu_path path_of(enum qpu_form form)
{
    switch (form) {
    case QPU_FORM_ALU:
    case QPU_FORM_ALU_IMMEDIATE: return QPU_PATH_ALU;
    case QPU_FORM_SEMAPHORE: return QPU_PATH_SEMAPHORE;
    case QPU_FORM_BRANCH: return QPU_PATH_BRANCH;
    default: return QPU_PATH_LOAD;
    }
}

void qpu_prepare(struct qpu_decoded *d, uint64_t word)
{
    const struct qpu_facts facts = qpu_facts(word);
    *d = (struct qpu_decoded){
        .word = word,
        .read_a = READS_NONE,
        .read_b = READS_NONE,
        .used_a = READS_NONE,
        .used_b = READS_NONE,
        .insn = facts.insn,
    };
    d->path = (uint8_t)path_of(d->insn.form);
    d->traits = find_traits(&facts);
    if (d->insn.form == QPU_FORM_ALU_IMMEDIATE)
        d->immediate = qpu_small_immediate(d->insn.raddr_b);
    find_reads(d, &facts);
}
