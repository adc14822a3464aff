/* SPDX-License-Identifier: MIT */
/* hazard.c - rules about two instructions that are too close, along every path through the program.
 *
 * In:     an instruction (late), and one before it (early).
 * Out:    findings, with the distance in instructions.
 * Source: qpu_rules.def. */
#include "base/text.h"
#include "check/qpu/qpu_walk.h"
#include "isa/qpu/sides.h"

enum {
    SFU_DISTANCE = 3, /* smallest distance from an SFU write to an access to r4 */
};

/* Reports "<what> N instructions after <when>; the minimum is <needed>". */
static void report(const struct walk *walk, enum check_rule rule, uint32_t subject,
                   const char *what, const char *when, unsigned needed)
{
    const struct check_about about = {walk->early_word, walk->distance, subject};
    check_report(&walk->checker->out, rule, walk->word, about,
                 "%s %u instruction%s after %s; the minimum is %u", what, walk->distance,
                 text_plural(walk->distance), when, needed);
}

/* Returns the condition under which a register of a file is written. */
static unsigned write_condition(const struct qpu_facts *facts, unsigned file, unsigned address)
{
    unsigned condition = QPU_COND_NEVER;
    for (unsigned unit = 0; unit < 2; unit++) {
        const struct qpu_write *write = &facts->write[unit];
        if (write->present && write->address == address && write->file_b == (file == 1))
            condition = write->condition;
    }
    return condition;
}

/* Returns true if the read uses a byte of the register that the write replaces. */
static bool shares_bytes(const struct walk *walk, unsigned file, unsigned address)
{
    unsigned read = file ? QPU_ALL_BYTES : qpu_bytes_read(&walk->facts->insn), written = 0;
    for (unsigned unit = 0; unit < 2; unit++) {
        const struct qpu_write *write = &walk->early->write[unit];
        if (write->present && write->address == address && write->file_b == (file == 1))
            written |= qpu_bytes_written(&walk->early->insn, unit == 1, !file);
    }
    return read & written;
}

/* Returns true if the early instruction may write an element that the late instruction reads.
 * Opposite conditions rule this out only if the early instruction leaves the flags unchanged. */
static bool meet(const struct walk *walk, unsigned written, unsigned read)
{
    bool flags_change = walk->early->sets & 1 << FACTS_FLAGS;
    if (flags_change)
        return written != QPU_COND_NEVER && read != QPU_COND_NEVER;
    return facts_overlap(written, read);
}

void qpu_check_regfile(const struct walk *walk)
{
    if (walk->distance > 1)
        return;
    for (unsigned file = 0; file < 2; file++) {
        unsigned address = walk->facts->port[file];
        if (address >= 32 || !shares_bytes(walk, file, address) ||
            !meet(walk, write_condition(walk->early, file, address),
                  walk->facts->port_condition[file]))
            continue;
        const struct check_about about = {walk->early_word, 1, file};
        check_report(&walk->checker->out, CHECK_REGFILE_READ, walk->word, about,
                     "%s is read 1 instruction after it was written; the minimum is 2",
                     check_read_name(file, address));
    }
}

void qpu_check_sfu(const struct walk *walk)
{
    if (walk->distance >= SFU_DISTANCE || !(walk->early->accesses & ACCESS_SFU))
        return;
    if (walk->facts->reads & 1 << QPU_MUX_R4)
        report(walk, CHECK_SFU, 0, "r4 is read", "the SFU write", SFU_DISTANCE);
    if (walk->facts->r4_load)
        report(walk, CHECK_SFU, 1, "r4 is loaded", "the SFU write", SFU_DISTANCE);
    if (walk->facts->accesses & ACCESS_SFU)
        report(walk, CHECK_SFU, 2, "the SFU is written", "another SFU write", SFU_DISTANCE);
}

/* Returns the rule for a rotation right after a write of its source. The rotation reads old values
 * of the elements that come from a later quad. As in vc4asm, the rule is the milder one,
 * CHECK_ROTATE_SOURCE_CONDITION, if the condition of the write or of the rotation may exclude these
 * elements. The milder rule also applies to rotations by 13 to 15 into r5, which may be right. */
static enum check_rule rotation_rule(const struct walk *walk, unsigned mux)
{
    const struct qpu_insn *insn = &walk->facts->insn;
    bool flags = insn->sf && insn->op_add == QPU_ADD_NOP;
    if (flags)
        return CHECK_ROTATE_SOURCE;
    if (qpu_rotation(insn) == 0)
        return CHECK_ROTATE_SOURCE;
    if (qpu_rotation(insn) >= 13 && insn->waddr_mul == QPU_WR_ACC5)
        return CHECK_ROTATE_SOURCE_CONDITION;
    if (insn->cond_mul > QPU_COND_ALWAYS)
        return CHECK_ROTATE_SOURCE_CONDITION;
    const struct qpu_write *add = &walk->early->write[0], *mul = &walk->early->write[1];
    unsigned address = QPU_WR_ACC0 + mux;
    bool by_add = add->present && add->address == address,
         by_mul = mul->present && mul->address == address;
    bool always = (by_add && add->condition == QPU_COND_ALWAYS) ||
                  (by_mul && mul->condition == QPU_COND_ALWAYS) || (by_add && by_mul);
    return always ? CHECK_ROTATE_SOURCE : CHECK_ROTATE_SOURCE_CONDITION;
}

void qpu_check_rotated(const struct walk *walk, enum check_rule rule)
{
    const struct qpu_insn *insn = &walk->facts->insn;
    if (walk->distance > 1)
        return;
    int rotation = qpu_rotation(insn);
    bool needed = insn->cond_mul != QPU_COND_NEVER || (insn->sf && insn->op_add == QPU_ADD_NOP);
    if (rotation < 0 || insn->op_mul == QPU_MUL_NOP || !needed)
        return;
    if (rule == CHECK_ROTATE_SOURCE && rotation == 0 && (walk->early->sets & 1 << 5))
        report(walk, rule, 5, "a vector is rotated by r5", "r5 was written", 2);
    const uint8_t muxes[2] = {insn->mul_a, insn->mul_b};
    for (unsigned i = 0; i < 2; i++) {
        unsigned mux = muxes[i];
        if (mux > QPU_MUX_R3 || (i == 1 && muxes[0] == mux) ||
            !facts_writes(walk->early, QPU_WR_ACC0 + mux) || rotation_rule(walk, mux) != rule)
            continue;
        const struct check_about about = {walk->early_word, 1, mux};
        check_report(&walk->checker->out, rule, walk->word, about,
                     "r%u is rotated 1 instruction after it was written; the minimum is 2", mux);
    }
}

void qpu_check_uniform_address(const struct walk *walk)
{
    if (walk->distance < UNIFORM_DISTANCE && (walk->early->accesses & ACCESS_UNIFORM_ADDRESS) &&
        (walk->facts->accesses & (ACCESS_UNIFORM | ACCESS_TMU_UNIFORM)))
        report(walk, CHECK_UNIFORM_ADDRESS, 0, "a uniform is fetched",
               "the uniform address was written", UNIFORM_DISTANCE);
}

void qpu_check_noswap(const struct walk *walk, enum check_rule rule)
{
    bool close = rule == CHECK_NOSWAP_CLOSE;
    if ((walk->early->accesses & ACCESS_NOSWAP) && (walk->facts->accesses & ACCESS_TMU_WRITE) &&
        close == (walk->distance >= 3))
        report(walk, rule, 0, "a TMU is written", "tmu_noswap was written", close ? 4 : 3);
}

void qpu_check_ms_read(const struct walk *walk)
{
    if (walk->distance <= 2 && facts_writes(walk->early, QPU_WR_TLB_Z) &&
        (walk->facts->accesses & ACCESS_MS_READ))
        report(walk, CHECK_MS_READ, 0, "the multisample mask is read", "tlbz was written", 3);
}

/* Reports erratum HW-2384: a thread switch right after a TMU request. */
void qpu_check_request(const struct walk *walk)
{
    bool asks = facts_writes(walk->early, QPU_WR_TMU0_S) ||
                facts_writes(walk->early, QPU_WR_TMU1_S);
    if (walk->distance == 1 && asks && (walk->facts->accesses & ACCESS_SWITCH))
        report(walk, CHECK_A0_TMU_SWITCH, 0, "a thread switch comes", "a TMU request", 2);
}

/* Reports erratum HW-2806. Broadcom's compiler puts no write of Z into the last four instructions
 * (glsl_allocator_4.c). */
void qpu_check_late_z(const struct walk *walk)
{
    if (walk->distance == 1 && facts_writes(walk->early, QPU_WR_TLB_Z) &&
        (walk->facts->accesses & ACCESS_END))
        report(walk, CHECK_TLBZ_LATE, 1, "the program end comes", "a write of Z", 2);
}

void qpu_check_branches(const struct walk *walk)
{
    if (walk->distance <= 2 && walk->early->insn.form == QPU_FORM_BRANCH &&
        walk->facts->insn.form == QPU_FORM_BRANCH)
        report(walk, CHECK_BRANCH_SLOTS, 0, "a branch comes", "another branch", 3);
}

void qpu_check_switches(const struct walk *walk)
{
    if (walk->distance <= 2 && (walk->early->accesses & ACCESS_SWITCH) &&
        (walk->facts->accesses & ACCESS_SWITCH))
        report(walk, CHECK_SWITCH, 0, "a thread switch comes", "another thread switch", 3);
}
