/* SPDX-License-Identifier: MIT */
/* local.c - rules about a single instruction and its place in the program.
 *
 * In:     an instruction in its context.
 * Out:    findings.
 * Source: qpu_rules.def. */
#include "check/qpu/qpu_walk.h"
#include "isa/qpu/sides.h"

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

void qpu_check_both_writes(const struct walk *walk, enum check_rule rule)
{
    const struct qpu_facts *facts = walk->facts;
    unsigned address = facts->write[0].address;
    bool harmless = address <= QPU_WR_ACC3 && facts_same_value(facts);
    bool overlap = facts_overlap(facts->write[0].condition, facts->write[1].condition);
    if (!same_register(facts) || harmless || !(overlap || is_peripheral(address)) ||
        overlap != (rule == CHECK_BOTH_WRITE))
        return;
    FOUND(walk, rule, CHECK_NONE, 0, "both ALUs write %s%s", check_write_name(0, address),
          overlap ? ", and their conditions do not exclude each other" : "");
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

void qpu_check_conditional(const struct walk *walk, enum check_rule rule)
{
    const struct qpu_insn *insn = &walk->facts->insn;
    for (unsigned unit = 0; unit < 2 && insn->form != QPU_FORM_BRANCH; unit++) {
        const struct qpu_write *write = &walk->facts->write[unit];
        if (write->condition == QPU_COND_ALWAYS || !is_peripheral(write->address))
            continue;
        bool exclude = insn->waddr_add == insn->waddr_mul && (insn->cond_add ^ insn->cond_mul) == 1;
        enum honour honour = honour_of(write->address, write->file_b);
        if (honour != HONOURS_CONDITION && conditional_rule(write->address, honour) == rule &&
            !exclude)
            FOUND(walk, rule, CHECK_NONE, unit, "%s is written under a condition",
                  check_write_name(write->file_b, write->address));
    }
}

static bool packs(const struct walk *walk)
{
    return walk->facts->insn.form != QPU_FORM_BRANCH && walk->facts->insn.pack != 0;
}

bool qpu_ignores_pack(const struct walk *walk)
{
    bool file_a = false;
    for (unsigned unit = 0; unit < 2; unit++)
        file_a |= walk->facts->write[unit].present && walk->facts->write[unit].address < 32 &&
                  !walk->facts->write[unit].file_b;
    return packs(walk) && !walk->facts->insn.pm && !file_a;
}

bool qpu_packs_for_peripheral(const struct walk *walk)
{
    const struct qpu_insn *insn = &walk->facts->insn;
    return packs(walk) && insn->pm && (insn->pack & 7) >= 4 && is_peripheral(insn->waddr_mul);
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
void qpu_check_unpack_kind(const struct walk *walk)
{
    const struct qpu_insn *insn = &walk->facts->insn;
    bool add_float = qpu_add_float_in(insn->op_add), mul_float = insn->op_mul == QPU_MUL_FMUL;
    bool converts = qpu_layout(insn->form) == QPU_IN_ALU && insn->unpack != 0 && !insn->pm &&
                    insn->unpack != 3; /* mode 3 (.8dr) is the same for integers and floats */
    if (converts && uses(walk->facts, false, QPU_MUX_A) && uses(walk->facts, true, QPU_MUX_A) &&
        add_float != mul_float)
        FOUND(walk, CHECK_UNPACK_KIND, CHECK_NONE, 0,
              "%s takes floats, so %s also receives ra%u unpacked to a float",
              add_float ? qpu_add_words(insn->op_add)->mnemonic : "fmul",
              add_float ? qpu_mul_words(insn->op_mul)->mnemonic
                        : qpu_add_words(insn->op_add)->mnemonic,
              insn->raddr_a);
}

void qpu_check_unpack(const struct walk *walk)
{
    const struct qpu_insn *insn = &walk->facts->insn;
    unsigned mux = insn->pm ? QPU_MUX_R4 : QPU_MUX_A;
    if (qpu_layout(insn->form) == QPU_IN_ALU && insn->unpack != 0 &&
        !uses(walk->facts, false, mux) && !uses(walk->facts, true, mux))
        FOUND(walk, CHECK_UNPACK_IGNORED, CHECK_NONE, 0,
              "the unpack mode has no effect: no operation uses %s", insn->pm ? "r4" : "file A");
}

/* --- peripherals together --- */

static uint32_t vpm_setups(const struct walk *walk)
{
    return walk->facts->accesses & (ACCESS_READ_SETUP | ACCESS_WRITE_SETUP);
}

bool qpu_writes_two_setups(const struct walk *walk)
{
    return bits(vpm_setups(walk)) == 2;
}

bool qpu_reads_vpm_at_setup(const struct walk *walk)
{
    return bits(vpm_setups(walk)) == 1 && (walk->facts->accesses & ACCESS_VPM_READ);
}

bool qpu_writes_vpm_at_setup(const struct walk *walk)
{
    return vpm_setups(walk) && (walk->facts->accesses & ACCESS_VPM_WRITE);
}

bool qpu_uses_vpm_at_tmu_load(const struct walk *walk)
{
    uint32_t accesses = walk->facts->accesses;
    return (accesses & ACCESS_TMU_READ) && (accesses & (ACCESS_VPM & ~(uint32_t)ACCESS_DMA));
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

bool qpu_uses_coordinates_beside(const struct walk *walk)
{
    const struct qpu_facts *facts = walk->facts;
    unsigned count = 0;
    for (unsigned unit = 0; unit < 2; unit++)
        count += is_coordinates(facts->port[unit]) +
                 (facts->write[unit].present ? is_coordinates(facts->write[unit].address) : 0);
    return count && peripherals(facts) < 2 && count + peripherals(facts) > 1 &&
           tile_accesses(facts) < 2;
}

void qpu_check_peripherals(const struct walk *walk)
{
    const struct qpu_facts *facts = walk->facts;
    if (tile_accesses(facts) > 1)
        FOUND(walk, CHECK_SEVERAL, CHECK_NONE, 1, "one instruction accesses the tile buffer twice");
    else if (peripherals(facts) > 1)
        walk_title(walk, CHECK_SEVERAL, CHECK_NONE);
    if ((facts->accesses & ACCESS_TMU_UNIFORM) && (facts->accesses & ACCESS_UNIFORM))
        FOUND(walk, CHECK_SEVERAL, CHECK_NONE, 2,
              "the instruction reads a uniform, and writes a TMU register that fetches another");
}

/* --- rotation --- */

/* Returns the rotation of the mul ALU's result, or -1 if there is none. */
static int rotation_of(const struct qpu_insn *insn)
{
    return insn->op_mul == QPU_MUL_NOP ? -1 : qpu_rotation(insn);
}

bool qpu_rotates_fully(const struct walk *walk)
{
    const struct qpu_insn *insn = &walk->facts->insn;
    int rotation = rotation_of(insn);
    bool accumulator = insn->mul_a <= QPU_MUX_R3 || insn->mul_b <= QPU_MUX_R3;
    bool as_value = insn->mul_a == QPU_MUX_B || insn->mul_b == QPU_MUX_B ||
                    insn->add_a == QPU_MUX_B || insn->add_b == QPU_MUX_B;
    return rotation > 3 && rotation < 13 && !accumulator && !as_value;
}

bool qpu_rotates_mixed(const struct walk *walk)
{
    const struct qpu_insn *insn = &walk->facts->insn;
    return rotation_of(insn) >= 0 && !qpu_rotates_fully(walk) &&
           (insn->mul_a > QPU_MUX_R3 || insn->mul_b > QPU_MUX_R3);
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

bool qpu_has_breakpoint(const struct walk *walk)
{
    return walk->facts->insn.sig == QPU_SIG_BREAKPOINT;
}

/* Returns true if an operation of an ALU uses a file whose port reads nothing. */
static bool uses_nop(const struct walk *walk, unsigned file)
{
    return qpu_layout(walk->facts->insn.form) == QPU_IN_ALU && walk->facts->port[file] == QPU_NOP &&
           walk->facts->port_condition[file] != QPU_COND_NEVER &&
           keeps_operand(walk->facts, file ? QPU_MUX_B : QPU_MUX_A);
}

bool qpu_reads_nop(const struct walk *walk)
{
    return uses_nop(walk, 0) || uses_nop(walk, 1);
}

bool qpu_writes_nop(const struct walk *walk)
{
    return qpu_layout(walk->facts->insn.form) == QPU_IN_ALU && walk->facts->write[1].present &&
           walk->facts->insn.op_mul == QPU_MUL_NOP;
}

void qpu_check_reserved(const struct walk *walk)
{
    const struct qpu_insn *insn = &walk->facts->insn;
    bool alu = qpu_layout(insn->form) == QPU_IN_ALU;
    if (packs(walk) && insn->pm && !qpu_mul_pack_defined(insn->pack))
        FOUND(walk, CHECK_RESERVED, CHECK_NONE, 2, "the pack mode is reserved");
    if (alu && !qpu_add_words(insn->op_add))
        FOUND(walk, CHECK_RESERVED, CHECK_NONE, 3, "the add opcode is reserved");
    if (insn->form == QPU_FORM_LOAD_RESERVED)
        FOUND(walk, CHECK_RESERVED, CHECK_NONE, 4, "the kind of load is reserved");
    if (insn->form == QPU_FORM_BRANCH && insn->cond_br >= 12 && insn->cond_br <= 14)
        FOUND(walk, CHECK_RESERVED, CHECK_NONE, 5, "the branch condition is reserved");
    for (unsigned file = 0; file < 2 && alu; file++) {
        unsigned port = walk->facts->port[file];
        if (!uses_nop(walk, file) && !qpu_read_name(file ? 'b' : 'a', port))
            FOUND(walk, CHECK_RESERVED, CHECK_NONE, file, "address %u of file %c cannot be read",
                  port, file ? 'B' : 'A');
    }
}

/* --- kinds of shaders --- */

/* Returns true if the program is not a fragment shader, and has some of the accesses. */
static bool has_outside(const struct walk *walk, uint32_t accesses)
{
    return walk->checker->kind != TESS_SHADER_FRAGMENT &&
           walk->checker->kind != TESS_SHADER_UNKNOWN && (walk->facts->accesses & accesses);
}

bool qpu_uses_vpm_in_fragment(const struct walk *walk)
{
    return walk->checker->kind == TESS_SHADER_FRAGMENT && (walk->facts->accesses & ACCESS_VPM);
}

void qpu_check_fragment(const struct walk *walk)
{
    if (has_outside(walk, ACCESS_VARYING))
        FOUND(walk, CHECK_NOT_FRAGMENT, CHECK_NONE, 0,
              "a varying is read outside of a fragment shader");
    if (has_outside(walk, ACCESS_TILE))
        FOUND(walk, CHECK_NOT_FRAGMENT, CHECK_NONE, 1,
              "the tile buffer is accessed outside of a fragment shader");
}

bool qpu_uses_scoreboard_outside(const struct walk *walk)
{
    return has_outside(walk, ACCESS_SCOREBOARD_WAIT | ACCESS_SCOREBOARD_UNLOCK);
}

bool qpu_switches_outside(const struct walk *walk)
{
    return has_outside(walk, ACCESS_SWITCH);
}

/* --- start and end --- */

static const struct flow_node *node_of(const struct walk *walk)
{
    return &walk->checker->flow.nodes[walk->node];
}

/* Returns the details of a finding after the program end. */
static struct check_about after_end(const struct walk *walk, uint32_t subject)
{
    const struct flow_context *at = &node_of(walk)->at;
    return CHECK_OTHER(at->end ? at->word - at->end : CHECK_NONE, at->end, subject);
}

void qpu_check_last_three(const struct walk *walk)
{
    const struct qpu_facts *facts = walk->facts;
    struct check_findings *out = &walk->checker->out;
    unsigned end = node_of(walk)->at.end;
    bool ends = facts->accesses & ACCESS_END;
    if (!ends && end == 0)
        return;
    const char *where = end == 0   ? "in the program end"
                        : end == 1 ? "in the first instruction after the program end"
                                   : "in the last instruction of the program";
    if (facts->accesses & (ACCESS_UNIFORM | ACCESS_TMU_UNIFORM | ACCESS_VARYING | ACCESS_VPM))
        check_report(out, CHECK_END_RULES, walk->word, after_end(walk, 0), "%s is used %s",
                     facts->accesses & ACCESS_VPM       ? "the VPM"
                     : facts->accesses & ACCESS_VARYING ? "a varying"
                                                        : "a uniform",
                     where);
    if (facts_touches(facts, 14))
        check_report(out, CHECK_END_RULES, walk->word, after_end(walk, 1), "register 14 is used %s",
                     where);
    if (ends && end == 0 && facts_writes_file(facts))
        FOUND(walk, CHECK_END_RULES, CHECK_NONE, 2,
              "the program-end instruction writes a register of file A or B");
    if (facts_writes(facts, QPU_WR_TLB_Z))
        check_report(out, end == 2 ? CHECK_END_RULES : CHECK_TLBZ_LATE, walk->word,
                     after_end(walk, 3), "tlbz is written %s", where);
}

/* Reports a branch, or another program end, after the program end. */
void qpu_check_after_end(const struct walk *walk, enum check_rule rule)
{
    struct check_about about = after_end(walk, 3);
    bool again = rule == CHECK_END_TWICE ? walk->facts->accesses & ACCESS_END
                                         : walk->facts->insn.form == QPU_FORM_BRANCH;
    if (about.distance && again)
        check_report_title(&walk->checker->out, rule, walk->word, about);
}

void qpu_check_end_in_branch(const struct walk *walk)
{
    const struct flow_context *at = &node_of(walk)->at;
    if ((walk->facts->accesses & ACCESS_END) && at->slot)
        check_report_title(&walk->checker->out, CHECK_END_IN_BRANCH, walk->word,
                           CHECK_OTHER(at->branch, at->slot, 0));
}

void qpu_check_start(const struct walk *walk)
{
    uint32_t waits = walk->facts->accesses & (ACCESS_SCOREBOARD_WAIT | ACCESS_TILE);
    uint32_t depth = node_of(walk)->depth;
    if (walk->checker->fresh && depth < 2 && waits && walk->checker->kind == TESS_SHADER_FRAGMENT)
        FOUND(walk, CHECK_SCOREBOARD_EARLY, CHECK_NONE, 0,
              "the wait for the scoreboard is %u instruction%s after the program's start; the "
              "minimum is 2",
              depth, depth == 1 ? "" : "s");
}

/* Returns true for erratum HW-2615: a TMU write in the first two instructions. */
bool qpu_writes_tmu_at_start(const struct walk *walk)
{
    return walk->checker->fresh && node_of(walk)->depth < 2 &&
           (walk->facts->accesses & ACCESS_TMU_WRITE);
}

/* --- restrictions of the first silicon --- */

bool qpu_writes_setup_by_mul(const struct walk *walk)
{
    const struct qpu_write *mul = &walk->facts->write[1];
    return mul->present && mul->address == QPU_WR_VPM_SETUP;
}

bool qpu_reads_and_writes_colour(const struct walk *walk)
{
    return (walk->facts->accesses & ACCESS_TILE_COLOUR_READ) &&
           (walk->facts->accesses & ACCESS_TILE_COLOUR_WRITE);
}

bool qpu_unlocks_early(const struct walk *walk)
{
    const struct checker *checker = walk->checker;
    bool in_place = walk->word + 1 < checker->input->count &&
                    (checker->facts[walk->word + 1].accesses & ACCESS_END);
    return (walk->facts->accesses & ACCESS_SCOREBOARD_UNLOCK) && !in_place;
}

/* --- paths that leave the program --- */

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

void qpu_check_trouble(const struct walk *walk, enum check_rule rule)
{
    const struct checker *checker = walk->checker;
    const struct flow_node *at = node_of(walk);
    for (size_t i = 0; i < sizeof troubles / sizeof troubles[0] && at->trouble; i++) {
        bool allowed = troubles[i].trouble == FLOW_OFF_END && checker->input->partial &&
                       !checker->ends;
        if (troubles[i].rule != rule || !(at->trouble & troubles[i].trouble) || allowed)
            continue;
        if (troubles[i].place)
            check_report(&walk->checker->out, rule, at->at.branch, CHECK_ALONE,
                         "the branch leads to 0x%08x, %s" WITH_HINT
                         "branch to a label of the program",
                         flow_target(&checker->flow, at->at.branch), troubles[i].place);
        else
            walk_title(walk, rule, CHECK_NONE);
    }
}
