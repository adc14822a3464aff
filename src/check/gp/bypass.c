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
    for (uint32_t i = flow->into[at]; i; i = flow->edges[i - 1].next) {
        const struct gpc_edge *edge = &flow->edges[i - 1];
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
    const struct gpc_walk *walk;
    enum gp_unit unit;
    unsigned source, back;
    const char *name; /* the source in assembly notation */
};

/* If the instruction maker has no result that can be read at this distance, reports a finding and
 * returns true. `way` is the end of the message, such as " on one path". */
static bool lacks_result(const struct read *read, uint32_t maker, const char *way)
{
    const struct gpc_facts *facts = &read->walk->checker->facts[maker % GP_PROGRAM_MAX];
    const struct check_about about = CHECK_OTHER(maker, read->back, read->source);
    bool late = read->unit == GP_UNIT_MUL0 && read->back == 1;
    if (maker == GPC_START)
        REPORT(read->walk, CHECK_GP_BEFORE_START, CHECK_SUBJECT(read->source),
               "%s names an instruction before the start of the program%s", read->name, way);
    else if (read->unit != GP_UNIT_LOAD0 && !(facts->makes >> read->unit & 1))
        REPORT(read->walk, CHECK_GP_IDLE_RESULT, about,
               "%s is read, but %s has no result in that instruction%s", read->name,
               gp_unit_name(read->unit), way);
    else if (late && facts->insn.mul_op == GP_MUL_COMPLEX1)
        REPORT(read->walk, CHECK_GP_COMPLEX1_EARLY, about,
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
    const struct gp_insn *a = &read->walk->checker->facts[one].insn,
                         *b = &read->walk->checker->facts[other].insn;
    return one == other || (read->unit == GP_UNIT_LOAD0 && a->register0_addr == b->register0_addr &&
                            a->register0_attribute == b->register0_attribute);
}

static void check_paths(const struct read *read, const struct makers *makers)
{
    for (uint32_t i = 0; i < makers->count; i++) {
        if (is_same(read, makers->items[0].at, makers->items[i].at))
            continue;
        REPORT(read->walk, CHECK_GP_RESULT_PATH,
               CHECK_OTHER(makers->items[i].at, read->back, read->source),
               "%s comes from different instructions, depending on the path", read->name);
        return;
    }
    for (uint32_t i = 0; i < makers->count; i++) {
        if (!makers->items[i].taken)
            continue;
        REPORT(read->walk, CHECK_GP_ACROSS_BRANCH,
               CHECK_OTHER(makers->items[i].at, read->back, read->source),
               "%s is read across a taken branch", read->name);
        return;
    }
}

static void check_read(const struct gpc_walk *walk, const struct gp_operand *operand)
{
    const struct gp_source_row *source = &gp_sources[operand->source];
    struct makers makers;
    char name[GP_OPERAND_TEXT];
    if (operand->identity || source->back == 0)
        return;
    const struct read read = {
        .walk = walk,
        .unit = source->unit,
        .source = operand->source,
        .back = source->back,
        .name = gpc_source_name(name, &walk->facts->insn, operand->source),
    };
    makers.count = 0;
    find_makers(&walk->checker->flow, walk->at, source->back, false, &makers);
    if (!lacks_results(&read, &makers))
        check_paths(&read, &makers);
}

void gpc_check_reads(const struct gpc_walk *walk)
{
    for (unsigned i = 0; i < walk->facts->operand_count; i++)
        check_read(walk, &walk->facts->operands[i]);
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

static void check_result(const struct gpc_walk *walk, enum gp_unit unit)
{
    const struct gpc_checker *checker = walk->checker;
    uint32_t doubtful = unit == GP_UNIT_COMPLEX ? find_identity(checker, walk->at) : CHECK_NONE;
    bool late = unit == GP_UNIT_MUL0 && walk->facts->insn.mul_op == GP_MUL_COMPLEX1;
    if (late && !is_read_later(checker, walk->at, unit, FAR, FAR))
        TITLE(walk, CHECK_GP_COMPLEX1_UNREAD);
    else if (late || is_used(checker, walk->at, unit))
        return;
    else if (doubtful != CHECK_NONE)
        check_report(&walk->checker->out, CHECK_GP_IDENTITY, doubtful, CHECK_OTHER(walk->at, 1, 0),
                     "the second operand is the identity, and no instruction reads the complex "
                     "unit's result");
    else if (!gpc_is_move(walk->facts, unit))
        REPORT(walk, CHECK_GP_RESULT_UNREAD, CHECK_SUBJECT(unit), "the result of %s is never read",
               gp_unit_name(unit));
}

void gpc_check_results(const struct gpc_walk *walk)
{
    for (unsigned unit = 0; unit < GP_UNITS; unit++)
        if (walk->facts->makes >> unit & 1)
            check_result(walk, (enum gp_unit)unit);
}

static void report_load(const struct gpc_walk *walk, enum gp_unit unit, bool unread)
{
    if (unread)
        REPORT(walk, CHECK_GP_LOAD_UNREAD, CHECK_SUBJECT(unit),
               "the value that %s loads is never read",
               unit == GP_UNIT_ROW ? "the uniform unit" : gp_unit_name(unit));
}

/* Reports loads whose value is never read. The load units load something in every instruction, so a
 * load counts as intended only if one of its fields differs from the idle value. */
void gpc_check_loads(const struct gpc_walk *walk)
{
    const struct gp_insn *insn = &walk->facts->insn;
    bool load0 = insn->register0_attribute || insn->register0_addr;
    bool row = insn->load_addr || walk->facts->offset;
    report_load(walk, GP_UNIT_LOAD0,
                load0 && !gp_reads(insn, GP_UNIT_LOAD0, 0) &&
                    !is_read_later(walk->checker, walk->at, GP_UNIT_LOAD0, 1, 1));
    report_load(walk, GP_UNIT_LOAD1, insn->register1_addr && !gp_reads(insn, GP_UNIT_LOAD1, 0));
    report_load(walk, GP_UNIT_ROW, row && !gp_reads(insn, GP_UNIT_ROW, 0));
}
