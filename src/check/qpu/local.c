/* SPDX-License-Identifier: MIT */
/* local.c - rules about a single instruction and its place in the program.
 *
 * In:     a node: an instruction in its context.
 * Out:    findings.
 * Source: qpu_rules.def. */
#include "check/qpu/qpu_check_private.h"
#include "isa/qpu/words.h"

static void report(struct checker *checker, enum check_rule rule, uint32_t node)
{
    check_report_title(&checker->out, rule, checker->flow.nodes[node].at.word, CHECK_ALONE);
}

/* Reports one of several cases of a rule, distinguished by subject. */
static void report_as(struct checker *checker, enum check_rule rule, uint32_t node,
                      uint32_t subject, const char *text)
{
    check_report(&checker->out, rule, checker->flow.nodes[node].at.word, CHECK_SUBJECT(subject),
                 "%s", text);
}

static unsigned bits(uint32_t mask)
{
    return (unsigned)__builtin_popcount(mask);
}

/* --- writes --- */

/* Returns true if the address selects different registers in file A and file B. */
static bool is_split(unsigned address)
{
    return address < 32 || address == QPU_WR_ACC5 || address == QPU_WR_QUAD_XY ||
           address == QPU_WR_MS_REV || address == 49 || address == 50;
}

static bool is_peripheral(unsigned address)
{
    return address == QPU_WR_TMU_NOSWAP || (address > QPU_WR_ACC5 && address != QPU_NOP);
}

static bool same_register(const struct qpu_facts *facts)
{
    const struct qpu_write *add = &facts->write[0], *mul = &facts->write[1];
    return add->present && mul->present && add->address == mul->address && !is_split(add->address);
}

static void check_both_writes(struct checker *checker, uint32_t node, const struct qpu_facts *facts)
{
    unsigned address = facts->write[0].address;
    bool harmless = address <= QPU_WR_ACC3 && facts_same_value(facts);
    if (!same_register(facts) || harmless)
        return;
    enum check_rule rule = CHECK_BOTH_WRITE_PERIPHERAL;
    if (facts_overlap(facts->write[0].condition, facts->write[1].condition))
        rule = CHECK_BOTH_WRITE;
    else if (!is_peripheral(address))
        return;
    check_report(&checker->out, rule, checker->flow.nodes[node].at.word, CHECK_ALONE,
                 "both ALUs write %s%s", check_write_name(0, address),
                 rule == CHECK_BOTH_WRITE ? ", and their conditions do not exclude each other"
                                          : "");
}

/* Effect of a condition on a write: the peripheral skips elements whose condition fails, the tile
 * buffer skips such elements, or the peripheral ignores the condition. */
enum honour { HONOURS_CONDITION, TILE_HONOURS_CONDITION, IGNORES_CONDITION };

static enum honour honour_of(unsigned address, bool file_b)
{
    if (address == QPU_WR_HOST_INT || (address == QPU_WR_MS_REV && !file_b))
        return HONOURS_CONDITION;
    if (address >= QPU_WR_STENCIL_SETUP && address <= QPU_WR_TLB_ALPHA_MASK)
        return TILE_HONOURS_CONDITION;
    return IGNORES_CONDITION;
}

static enum check_rule conditional_rule(unsigned address, enum honour honour)
{
    if (honour == TILE_HONOURS_CONDITION)
        return CHECK_CONDITIONAL_TILE;
    if (address >= QPU_WR_TMU0_S)
        return CHECK_CONDITIONAL_TMU;
    return address == QPU_WR_VPM ? CHECK_CONDITIONAL_VPM : CHECK_CONDITIONAL;
}

static void check_conditional(struct checker *checker, uint32_t node, const struct qpu_facts *facts)
{
    const struct qpu_insn *insn = &facts->insn;
    bool exclude = insn->waddr_add == insn->waddr_mul && (insn->cond_add ^ insn->cond_mul) == 1;
    if (insn->form == QPU_FORM_BRANCH || exclude)
        return;
    for (unsigned unit = 0; unit < 2; unit++) {
        const struct qpu_write *write = &facts->write[unit];
        if (write->condition == QPU_COND_ALWAYS || !is_peripheral(write->address))
            continue;
        enum honour honour = honour_of(write->address, write->file_b);
        if (honour != HONOURS_CONDITION)
            check_report(&checker->out, conditional_rule(write->address, honour),
                         checker->flow.nodes[node].at.word, CHECK_SUBJECT(unit),
                         "%s is written under a condition",
                         check_write_name(write->file_b, write->address));
    }
}

static void check_pack(struct checker *checker, uint32_t node, const struct qpu_facts *facts)
{
    const struct qpu_insn *insn = &facts->insn;
    if (insn->form == QPU_FORM_BRANCH || insn->pack == 0)
        return;
    if (!insn->pm) {
        bool file_a = false;
        for (unsigned unit = 0; unit < 2; unit++)
            file_a |= facts->write[unit].present && facts->write[unit].address < 32 &&
                      !facts->write[unit].file_b;
        if (!file_a)
            report(checker, CHECK_PACK_IGNORED, node);
        return;
    }
    if (!qpu_mul_pack_defined(insn->pack))
        report_as(checker, CHECK_RESERVED, node, 2, "the pack mode is reserved");
    if ((insn->pack & 7) >= 4 && is_peripheral(insn->waddr_mul))
        report(checker, CHECK_PARTIAL, node);
}

/* Returns true if the ALU's operation uses an operand that comes from this mux. */
static bool uses(const struct qpu_facts *facts, bool mul, unsigned mux)
{
    const struct qpu_insn *insn = &facts->insn;
    const struct qpu_side side = mul ? qpu_mul_side(insn) : qpu_add_side(insn);
    return (side.cond != QPU_COND_NEVER || qpu_sets_flags(insn, &side)) && qpu_takes(&side, mux);
}

/* Reports an integer operation whose operand is unpacked to a float. File A is unpacked once for
 * both ALUs. The unpacker converts to float if either operation takes floats (manual, table 6). */
static void check_unpack_kind(struct checker *checker, uint32_t node, const struct qpu_facts *facts)
{
    const struct qpu_insn *insn = &facts->insn;
    bool add_float = qpu_add_float_in(insn->op_add), mul_float = insn->op_mul == QPU_MUL_FMUL;
    bool converts = !insn->pm && insn->unpack != 3; /* mode 3 (.8dr) is the same for integers and
                                                     * floats */
    if (converts && uses(facts, false, QPU_MUX_A) && uses(facts, true, QPU_MUX_A) &&
        add_float != mul_float)
        check_report(&checker->out, CHECK_UNPACK_KIND, checker->flow.nodes[node].at.word,
                     CHECK_ALONE, "%s takes floats, so %s also receives ra%u unpacked to a float",
                     add_float ? qpu_add_words(insn->op_add)->mnemonic : "fmul",
                     add_float ? qpu_mul_words(insn->op_mul)->mnemonic
                               : qpu_add_words(insn->op_add)->mnemonic,
                     insn->raddr_a);
}

static void check_unpack(struct checker *checker, uint32_t node, const struct qpu_facts *facts)
{
    const struct qpu_insn *insn = &facts->insn;
    unsigned mux = insn->pm ? QPU_MUX_R4 : QPU_MUX_A;
    if (qpu_layout(insn->form) != QPU_IN_ALU || insn->unpack == 0)
        return;
    if (uses(facts, false, mux) || uses(facts, true, mux))
        check_unpack_kind(checker, node, facts);
    else
        check_report(&checker->out, CHECK_UNPACK_IGNORED, checker->flow.nodes[node].at.word,
                     CHECK_ALONE, "the unpack mode has no effect: no operation uses %s",
                     insn->pm ? "r4" : "file A");
}

/* --- peripherals together --- */

static void check_vpm(struct checker *checker, uint32_t node, const struct qpu_facts *facts)
{
    uint32_t setups = facts->accesses & (ACCESS_READ_SETUP | ACCESS_WRITE_SETUP);
    if (bits(setups) == 2)
        report(checker, CHECK_VPM_SETUPS, node);
    else if (setups && (facts->accesses & ACCESS_VPM_READ))
        report(checker, CHECK_VPM_READ_SETUP, node);
    if (setups && (facts->accesses & ACCESS_VPM_WRITE))
        report(checker, CHECK_VPM_WRITE_SETUP, node);
    if ((facts->accesses & ACCESS_TMU_READ) &&
        (facts->accesses & (ACCESS_VPM & ~(uint32_t)ACCESS_DMA)))
        report(checker, CHECK_VPM_LOAD_TMU, node);
}

/* Returns true for writes that may be in one instruction with a colour read: a colour write, and
 * the stencil setup, which Mesa's driver combines with a colour read. */
static bool shares_with_read(unsigned address)
{
    return address == QPU_WR_TLB_COLOUR_MS || address == QPU_WR_TLB_COLOUR_ALL ||
           address == QPU_WR_STENCIL_SETUP;
}

/* Returns the number of peripherals that both ports and both ALUs access. A colour read together
 * with a colour write counts as one. The stencil setup does not count. */
static unsigned peripherals(const struct qpu_facts *facts)
{
    unsigned count = 0;
    uint32_t once = ACCESS_TMU_READ | ACCESS_TILE_READ | ACCESS_SEMAPHORE | ACCESS_MUTEX_READ;
    for (unsigned unit = 0; unit < 2; unit++) {
        const struct qpu_write *write = &facts->write[unit];
        bool again = unit == 1 && same_register(facts);
        bool tile = write->address > QPU_WR_STENCIL_SETUP &&
                    write->address <= QPU_WR_TLB_ALPHA_MASK;
        bool colour = shares_with_read(write->address);
        if (write->present && !again && !(colour && (facts->accesses & ACCESS_TILE_COLOUR_READ)))
            count += tile || write->address >= QPU_WR_SFU_RECIP;
    }
    count += (facts->accesses & ACCESS_TILE_COLOUR_READ) != 0;
    return count + bits(facts->accesses & once);
}

static unsigned tile_accesses(const struct qpu_facts *facts)
{
    unsigned count = 0;
    bool colour_read = facts->accesses & ACCESS_TILE_COLOUR_READ;
    for (unsigned unit = 0; unit < 2; unit++) {
        unsigned address = facts->write[unit].address;
        bool colour = shares_with_read(address);
        bool again = unit == 1 && same_register(facts);
        if (facts->write[unit].present && !again && address >= QPU_WR_STENCIL_SETUP &&
            address <= QPU_WR_TLB_ALPHA_MASK)
            count += !(colour && colour_read);
    }
    return count + colour_read + ((facts->accesses & ACCESS_TILE_READ) != 0);
}

/* Returns 1 for the addresses of x_coord, y_coord, ms_mask and rev_flag. The addresses are the same
 * for reads and writes. */
static unsigned is_coordinates(unsigned address)
{
    return address == QPU_WR_QUAD_XY || address == QPU_WR_MS_REV;
}

static void check_peripherals(struct checker *checker, uint32_t node, const struct qpu_facts *facts)
{
    unsigned count = peripherals(facts), tile = tile_accesses(facts);
    unsigned coordinates = 0;
    for (unsigned unit = 0; unit < 2; unit++)
        coordinates += is_coordinates(facts->port[unit]) +
                       (facts->write[unit].present ? is_coordinates(facts->write[unit].address)
                                                   : 0);
    if (tile > 1)
        report_as(checker, CHECK_SEVERAL, node, 1,
                  "one instruction accesses the tile buffer twice");
    else if (count > 1)
        report(checker, CHECK_SEVERAL, node);
    else if (coordinates && coordinates + count > 1)
        report(checker, CHECK_COORDINATES, node);
    if ((facts->accesses & ACCESS_TMU_UNIFORM) && (facts->accesses & ACCESS_UNIFORM))
        report_as(
            checker, CHECK_SEVERAL, node, 2,
            "the instruction reads a uniform, and writes a TMU register that fetches another");
}

/* --- rotation --- */

static void check_rotation(struct checker *checker, uint32_t node, const struct qpu_facts *facts)
{
    const struct qpu_insn *insn = &facts->insn;
    int rotation = qpu_rotation(insn);
    if (rotation < 0 || insn->op_mul == QPU_MUL_NOP)
        return;
    bool a = insn->mul_a <= QPU_MUX_R3, b = insn->mul_b <= QPU_MUX_R3;
    bool as_value = insn->mul_a == QPU_MUX_B || insn->mul_b == QPU_MUX_B ||
                    insn->add_a == QPU_MUX_B || insn->add_b == QPU_MUX_B;
    if (rotation > 3 && rotation < 13 && !a && !b && !as_value)
        report(checker, CHECK_ROTATE_FULL, node);
    else if (!a || !b)
        report(checker, CHECK_ROTATE_MIXED, node);
}

/* --- codes without a meaning --- */

/* Returns true if a register receives a result that depends on this mux. Flags alone do not count
 * because some assemblers set flags by default. The interrupt does not count because programs write
 * any value to it (elorimer's helloworld.asm: "or rb39, rb50, ra39"). */
static bool keeps_operand(const struct qpu_facts *facts, unsigned mux)
{
    for (unsigned unit = 0; unit < 2; unit++) {
        const struct qpu_write *write = &facts->write[unit];
        bool acts = write->address == QPU_WR_HOST_INT || write->address == QPU_WR_MUTEX_RELEASE;
        if (write->present && !acts && uses(facts, unit == 1, mux))
            return true;
    }
    return false;
}

static void check_codes(struct checker *checker, uint32_t node, const struct qpu_facts *facts)
{
    const struct qpu_insn *insn = &facts->insn;
    bool alu = qpu_layout(insn->form) == QPU_IN_ALU;
    if (alu && !qpu_add_words(insn->op_add))
        report_as(checker, CHECK_RESERVED, node, 3, "the add opcode is reserved");
    if (insn->form == QPU_FORM_LOAD_RESERVED)
        report_as(checker, CHECK_RESERVED, node, 4, "the kind of load is reserved");
    if (insn->form == QPU_FORM_BRANCH && insn->cond_br >= 12 && insn->cond_br <= 14)
        report_as(checker, CHECK_RESERVED, node, 5, "the branch condition is reserved");
    if (insn->sig == QPU_SIG_BREAKPOINT)
        report(checker, CHECK_BREAKPOINT, node);
    for (unsigned file = 0; file < 2 && alu; file++) {
        bool used = facts->port_condition[file] != QPU_COND_NEVER &&
                    keeps_operand(facts, file ? QPU_MUX_B : QPU_MUX_A);
        if (used && facts->port[file] == QPU_NOP)
            report(checker, CHECK_NOP_READ, node);
        else if (!qpu_read_name(file ? 'b' : 'a', facts->port[file]))
            check_report(&checker->out, CHECK_RESERVED, checker->flow.nodes[node].at.word,
                         CHECK_SUBJECT(file), "address %u of file %c cannot be read",
                         facts->port[file], file ? 'B' : 'A');
    }
    if (alu && facts->write[1].present && insn->op_mul == QPU_MUL_NOP)
        report(checker, CHECK_NOP_WRITE, node);
}

/* --- kinds of shaders --- */

static void check_kind(struct checker *checker, uint32_t node, const struct qpu_facts *facts)
{
    uint32_t scoreboard = ACCESS_SCOREBOARD_WAIT | ACCESS_SCOREBOARD_UNLOCK;
    if (checker->kind == TESS_SHADER_FRAGMENT) {
        if (facts->accesses & ACCESS_VPM)
            report(checker, CHECK_VPM_IN_FRAGMENT, node);
        return;
    }
    if (checker->kind == TESS_SHADER_UNKNOWN)
        return;
    if (facts->accesses & ACCESS_VARYING)
        report_as(checker, CHECK_NOT_FRAGMENT, node, 0,
                  "a varying is read outside of a fragment shader");
    if (facts->accesses & ACCESS_TILE)
        report_as(checker, CHECK_NOT_FRAGMENT, node, 1,
                  "the tile buffer is accessed outside of a fragment shader");
    if (facts->accesses & scoreboard)
        report(checker, CHECK_SCOREBOARD_OUTSIDE, node);
    if (facts->accesses & ACCESS_SWITCH)
        report(checker, CHECK_SWITCH_OUTSIDE, node);
}

/* --- start and end --- */

static bool touches_register(const struct qpu_facts *facts, unsigned address)
{
    return facts->port[0] == address || facts->port[1] == address || facts_writes(facts, address);
}

static bool writes_file(const struct qpu_facts *facts)
{
    return (facts->write[0].present && facts->write[0].address < 32) ||
           (facts->write[1].present && facts->write[1].address < 32);
}

static uint32_t end_of(const struct flow_context *at)
{
    return at->word - at->end;
}

static void check_last_three(struct checker *checker, uint32_t node, const struct qpu_facts *facts)
{
    const struct flow_context *at = &checker->flow.nodes[node].at;
    bool ends = facts->accesses & ACCESS_END;
    struct check_about about = {.other = at->end ? end_of(at) : CHECK_NONE, .distance = at->end};
    if (!ends && at->end == 0)
        return;
    const char *where = at->end == 0   ? "in the program end"
                        : at->end == 1 ? "in the first instruction after the program end"
                                       : "in the last instruction of the program";
    if (facts->accesses & (ACCESS_UNIFORM | ACCESS_TMU_UNIFORM | ACCESS_VARYING | ACCESS_VPM))
        check_report(&checker->out, CHECK_END_RULES, at->word, about, "%s is used %s",
                     facts->accesses & ACCESS_VPM       ? "the VPM"
                     : facts->accesses & ACCESS_VARYING ? "a varying"
                                                        : "a uniform",
                     where);
    about.subject = 1;
    if (touches_register(facts, 14))
        check_report(&checker->out, CHECK_END_RULES, at->word, about, "register 14 is used %s",
                     where);
    if (ends && at->end == 0 && writes_file(facts))
        report_as(checker, CHECK_END_RULES, node, 2,
                  "the program-end instruction writes a register of file A or B");
    about.subject = 3;
    if (facts_writes(facts, QPU_WR_TLB_Z))
        check_report(&checker->out, at->end == 2 ? CHECK_END_RULES : CHECK_TLBZ_LATE, at->word,
                     about, "tlbz is written %s", where);
    if (at->end && facts->insn.form == QPU_FORM_BRANCH)
        check_report_title(&checker->out, CHECK_BRANCH_IN_END, at->word, about);
    if (at->end && ends)
        check_report_title(&checker->out, CHECK_END_TWICE, at->word, about);
}

static void check_start(struct checker *checker, uint32_t node, const struct qpu_facts *facts)
{
    uint32_t waits = facts->accesses & (ACCESS_SCOREBOARD_WAIT | ACCESS_TILE);
    if (checker->fresh && checker->flow.nodes[node].depth < 2 && waits &&
        checker->kind == TESS_SHADER_FRAGMENT)
        check_report(
            &checker->out, CHECK_SCOREBOARD_EARLY, checker->flow.nodes[node].at.word, CHECK_ALONE,
            "the wait for the scoreboard is %u instruction%s after the program's start; the "
            "minimum is 2",
            checker->flow.nodes[node].depth, checker->flow.nodes[node].depth == 1 ? "" : "s");
}

/* Reports erratum HW-2615: a TMU write in the first two instructions. */
static void check_first_tmu(struct checker *checker, uint32_t node, const struct qpu_facts *facts)
{
    if (checker->fresh && checker->flow.nodes[node].depth < 2 &&
        (facts->accesses & ACCESS_TMU_WRITE))
        report(checker, CHECK_TMU_START, node);
}

/* Checks restrictions that only the first silicon has. */
static void check_first_silicon(struct checker *checker, uint32_t node,
                                const struct qpu_facts *facts)
{
    uint32_t word = checker->flow.nodes[node].at.word;
    const struct qpu_write *mul = &facts->write[1];
    if (mul->present && mul->address == QPU_WR_VPM_SETUP)
        report(checker, CHECK_A0_SETUP, node);
    if ((facts->accesses & ACCESS_TILE_COLOUR_READ) && (facts->accesses & ACCESS_TILE_COLOUR_WRITE))
        report(checker, CHECK_A0_COLOUR, node);
    bool in_place = word + 1 < checker->input->count &&
                    (checker->facts[word + 1].accesses & ACCESS_END);
    if ((facts->accesses & ACCESS_SCOREBOARD_UNLOCK) && !in_place)
        report(checker, CHECK_A0_UNLOCK, node);
}

/* Rules about paths that leave the program's instructions. place describes the target of a branch.
 * place is NULL in rules that are not about branches. */
static const struct {
    uint8_t trouble;
    enum check_rule rule;
    const char *place;
} troubles[] = {
    {FLOW_OFF_END, CHECK_OFF_END, NULL},
    {FLOW_INTO_DATA, CHECK_INTO_DATA, NULL},
    {FLOW_BRANCH_DATA, CHECK_INTO_DATA, "which is data"},
    {FLOW_OUTSIDE, CHECK_BRANCH_OUTSIDE, "where there is no instruction"},
    {FLOW_MISALIGNED, CHECK_BRANCH_MISALIGNED, "in the middle of an instruction"},
};

static void check_trouble(struct checker *checker, uint32_t node)
{
    const struct flow_node *at = &checker->flow.nodes[node];
    for (size_t i = 0; i < sizeof troubles / sizeof troubles[0]; i++) {
        bool allowed = troubles[i].trouble == FLOW_OFF_END && checker->input->partial &&
                       !checker->ends;
        if (!(at->trouble & troubles[i].trouble) || allowed)
            continue;
        if (troubles[i].place)
            check_report(&checker->out, troubles[i].rule, at->at.branch, CHECK_ALONE,
                         "the branch leads to 0x%08x, %s" WITH_HINT
                         "branch to a label of the program",
                         flow_target(&checker->flow, at->at.branch), troubles[i].place);
        else
            check_report_title(&checker->out, troubles[i].rule, at->at.word, CHECK_ALONE);
    }
}

void check_local(struct checker *checker, uint32_t node)
{
    const struct qpu_facts *facts = &checker->facts[checker->flow.nodes[node].at.word];
    check_both_writes(checker, node, facts);
    check_conditional(checker, node, facts);
    check_pack(checker, node, facts);
    check_unpack(checker, node, facts);
    check_vpm(checker, node, facts);
    check_peripherals(checker, node, facts);
    check_rotation(checker, node, facts);
    check_codes(checker, node, facts);
    check_kind(checker, node, facts);
    check_last_three(checker, node, facts);
    check_start(checker, node, facts);
    check_first_tmu(checker, node, facts);
    check_first_silicon(checker, node, facts);
    check_trouble(checker, node);
    if ((facts->accesses & ACCESS_END) && checker->flow.nodes[node].at.slot)
        check_report_title(&checker->out, CHECK_END_IN_BRANCH, checker->flow.nodes[node].at.word,
                           (struct check_about){.other = checker->flow.nodes[node].at.branch,
                                                .distance = checker->flow.nodes[node].at.slot});
}
