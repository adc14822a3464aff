/* SPDX-License-Identifier: MIT */
/* bypass.c - rules about results of earlier instructions: an operand must name a unit that had a
 * result, and each result should be read.
 *
 * In:     the paths through the program.
 * Out:    findings.
 * Source: docs/hardware/utgard.md, section 6: a result can be read in the next two instructions
 *         that are executed. A result of the complex unit can be read only in the first of them,
 *         and the result of complex1 only in the second. */
#include "check/gp/gp_check_private.h"

enum { FAR = 2 };

/* --- producers of a result --- */

/* The instructions that can have produced a result: those that can be executed one or two
 * instructions earlier. */
struct makers {
    struct {
        uint16_t at; /* GPC_START if the program has not started yet */
        bool taken;  /* true if a taken branch lies between the two instructions */
    } items[GP_PROGRAM_MAX * 2 + 1];
    uint32_t count;
};

static void add_maker(struct makers *makers, uint16_t at, bool taken)
{
    for (uint32_t i = 0; i < makers->count; i++)
        if (makers->items[i].at == at && makers->items[i].taken == taken)
            return;
    if (makers->count < sizeof makers->items / sizeof makers->items[0]) {
        makers->items[makers->count].at = at;
        makers->items[makers->count++].taken = taken;
    }
}

static void find_makers(const struct gpc_flow *flow, uint32_t at, unsigned back, bool taken,
                        struct makers *makers)
{
    if (at == 0)
        add_maker(makers, GPC_START, taken);
    for (uint32_t i = flow->first_before[at]; i < flow->first_before[at + 1]; i++) {
        const struct gpc_edge *edge = &flow->edges[flow->before[i]];
        if (!flow->reached[edge->from])
            continue;
        if (back == 1)
            add_maker(makers, edge->from, taken || edge->taken);
        else
            find_makers(flow, edge->from, back - 1, taken || edge->taken, makers);
    }
}

/* --- reads --- */

/* A read of an earlier result. */
struct read {
    struct gpc_checker *checker;
    uint32_t at;
    enum gp_unit unit;
    unsigned source, back;
    const char *name; /* the source in assembly notation */
};

/* If the instruction maker has no result that can be read at this distance, reports a finding and
 * returns true. `way` is the end of the message, such as " on one path". */
static bool lacks_result(const struct read *read, uint32_t maker, const char *way)
{
    struct gpc_checker *checker = read->checker;
    const struct check_about about = CHECK_OTHER(maker, read->back, read->source);
    bool late = read->unit == GP_UNIT_MUL0 && read->back == 1;
    if (maker == GPC_START)
        check_report(&checker->out, CHECK_GP_BEFORE_START, read->at, CHECK_SUBJECT(read->source),
                     "%s names an instruction before the start of the program%s", read->name, way);
    else if (read->unit != GP_UNIT_LOAD0 && !(checker->facts[maker].makes >> read->unit & 1))
        check_report(&checker->out, CHECK_GP_IDLE_RESULT, read->at, about,
                     "%s is read, but %s has no result in that instruction%s", read->name,
                     gp_unit_name(read->unit), way);
    else if (late && checker->facts[maker].insn.mul_op == GP_MUL_COMPLEX1)
        check_report(&checker->out, CHECK_GP_COMPLEX1_EARLY, read->at, about,
                     "mul0[-1] is read, but the result of complex1 is mul0[-2]");
    else
        return false;
    return true;
}

static bool lacks_results(const struct read *read, const struct makers *makers)
{
    bool lacks = false;
    for (uint32_t i = 0; i < makers->count; i++)
        lacks |= lacks_result(read, makers->items[i].at, makers->count > 1 ? " on one path" : "");
    return lacks;
}

/* Returns true if the two numbers are equal, or if the read is of load unit 0 and this unit loads
 * the same attribute or register in both instructions. */
static bool is_same(const struct read *read, uint32_t one, uint32_t other)
{
    const struct gp_insn *a = &read->checker->facts[one].insn,
                         *b = &read->checker->facts[other].insn;
    return one == other || (read->unit == GP_UNIT_LOAD0 && a->register0_addr == b->register0_addr &&
                            a->register0_attribute == b->register0_attribute);
}

static void check_paths(const struct read *read, const struct makers *makers)
{
    for (uint32_t i = 0; i < makers->count; i++) {
        if (is_same(read, makers->items[0].at, makers->items[i].at))
            continue;
        check_report(&read->checker->out, CHECK_GP_RESULT_PATH, read->at,
                     CHECK_OTHER(makers->items[i].at, read->back, read->source),
                     "%s comes from different instructions, depending on the path", read->name);
        return;
    }
    for (uint32_t i = 0; i < makers->count; i++) {
        if (!makers->items[i].taken)
            continue;
        check_report(&read->checker->out, CHECK_GP_ACROSS_BRANCH, read->at,
                     CHECK_OTHER(makers->items[i].at, read->back, read->source),
                     "%s is read across a taken branch", read->name);
        return;
    }
}

static void check_read(struct gpc_checker *checker, uint32_t at, const struct gp_operand *operand)
{
    const struct gp_source_row *source = &gp_sources[operand->source];
    struct makers makers;
    char name[GPC_NAME_MAX];
    if (operand->identity || source->back == 0)
        return;
    const struct read read = {
        .checker = checker,
        .at = at,
        .unit = source->unit,
        .source = operand->source,
        .back = source->back,
        .name = gpc_source_name(name, &checker->facts[at].insn, operand->source),
    };
    makers.count = 0;
    find_makers(&checker->flow, at, source->back, false, &makers);
    if (!lacks_results(&read, &makers))
        check_paths(&read, &makers);
}

/* --- readers of a result --- */

/* Returns true if an instruction that can be executed `far` instructions after `at` reads the
 * unit's result with a source whose distance is `back`. */
static bool is_read_later(const struct gpc_checker *checker, uint32_t at, enum gp_unit unit,
                          unsigned far, unsigned back)
{
    const struct gpc_flow *flow = &checker->flow;
    for (uint32_t i = flow->first_after[at]; i < flow->first_after[at + 1]; i++) {
        uint32_t next = flow->edges[i].to;
        if (next == flow->count)
            continue;
        if (far == 1 ? gp_reads(&checker->facts[next].insn, unit, back) != 0
                     : is_read_later(checker, next, unit, far - 1, back))
            return true;
    }
    return false;
}

static bool is_stored(const struct gpc_facts *facts, enum gp_unit unit)
{
    for (unsigned i = 0; i < facts->store_count; i++)
        if (gp_store_sources[facts->stores[i].source].unit == unit)
            return true;
    return false;
}

static bool is_used(const struct gpc_checker *checker, uint32_t at, enum gp_unit unit)
{
    const struct gpc_facts *facts = &checker->facts[at];
    bool pass = facts->insn.branch || facts->insn.complex_op == GP_COMPLEX_ADDR01;
    bool here = (unit == GP_UNIT_PASS && pass) || (unit == GP_UNIT_COMPLEX && facts->addresses);
    return here || is_stored(facts, unit) || is_read_later(checker, at, unit, 1, 1) ||
           is_read_later(checker, at, unit, FAR, FAR);
}

/* Returns a successor of the instruction that uses code 22 as a second operand, or CHECK_NONE if no
 * successor does. In a second operand, code 22 is the identity, not the complex unit's result. */
static uint32_t find_identity(const struct gpc_checker *checker, uint32_t at)
{
    const struct gpc_flow *flow = &checker->flow;
    for (uint32_t i = flow->first_after[at]; i < flow->first_after[at + 1]; i++) {
        uint32_t next = flow->edges[i].to;
        const struct gpc_facts *facts = &checker->facts[next % GP_PROGRAM_MAX];
        for (unsigned k = 0; k < facts->operand_count && next < flow->count; k++)
            if (facts->operands[k].identity)
                return next;
    }
    return CHECK_NONE;
}

static void check_unread(struct gpc_checker *checker, uint32_t at, enum gp_unit unit)
{
    uint32_t doubtful = unit == GP_UNIT_COMPLEX ? find_identity(checker, at) : CHECK_NONE;
    bool late = unit == GP_UNIT_MUL0 && checker->facts[at].insn.mul_op == GP_MUL_COMPLEX1;
    if (late && !is_read_later(checker, at, unit, FAR, FAR))
        check_report_title(&checker->out, CHECK_GP_COMPLEX1_UNREAD, at, CHECK_ALONE);
    else if (late || is_used(checker, at, unit))
        return;
    else if (doubtful != CHECK_NONE)
        check_report(&checker->out, CHECK_GP_IDENTITY, doubtful, CHECK_OTHER(at, 1, 0),
                     "the second operand is the identity, and no instruction reads the complex "
                     "unit's result");
    else if (!gpc_is_move(&checker->facts[at], unit))
        check_report(&checker->out, CHECK_GP_RESULT_UNREAD, at, CHECK_SUBJECT(unit),
                     "the result of %s is never read", gp_unit_name(unit));
}

static void report_load(struct gpc_checker *checker, uint32_t at, enum gp_unit unit, bool unread)
{
    if (unread)
        check_report(&checker->out, CHECK_GP_LOAD_UNREAD, at, CHECK_SUBJECT(unit),
                     "the value that %s loads is never read",
                     unit == GP_UNIT_ROW ? "the uniform unit" : gp_unit_name(unit));
}

/* Reports loads whose value is never read. The load units load something in every instruction, so a
 * load counts as intended only if one of its fields differs from the idle value. */
static void check_loads(struct gpc_checker *checker, uint32_t at)
{
    const struct gpc_facts *facts = &checker->facts[at];
    const struct gp_insn *insn = &facts->insn;
    bool load0 = insn->register0_attribute || insn->register0_addr;
    bool row = insn->load_addr || facts->offset;
    report_load(checker, at, GP_UNIT_LOAD0,
                load0 && !gp_reads(&facts->insn, GP_UNIT_LOAD0, 0) &&
                    !is_read_later(checker, at, GP_UNIT_LOAD0, 1, 1));
    report_load(checker, at, GP_UNIT_LOAD1,
                insn->register1_addr && !gp_reads(&facts->insn, GP_UNIT_LOAD1, 0));
    report_load(checker, at, GP_UNIT_ROW, row && !gp_reads(&facts->insn, GP_UNIT_ROW, 0));
}

void gpc_check_results(struct gpc_checker *checker, uint32_t at)
{
    const struct gpc_facts *facts = &checker->facts[at];
    for (unsigned i = 0; i < facts->operand_count; i++)
        check_read(checker, at, &facts->operands[i]);
    for (unsigned unit = 0; unit < GP_UNITS; unit++)
        if (facts->makes >> unit & 1)
            check_unread(checker, at, (enum gp_unit)unit);
    check_loads(checker, at);
}
