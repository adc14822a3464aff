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

/* --- producers of a result --- */

static void add_maker(struct gpc_makers *makers, uint16_t at, bool taken)
{
    for (uint32_t i = 0; i < makers->count; i++)
        if (makers->items[i].at == at && makers->items[i].taken == taken)
            return;
    if (makers->count < sizeof makers->items / sizeof makers->items[0]) {
        makers->items[makers->count].at = at;
        makers->items[makers->count++].taken = taken;
    }
}

static void add_makers(const struct gpc_flow *flow, uint32_t at, unsigned back, bool taken,
                       struct gpc_makers *makers)
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
            add_makers(flow, edge->from, back - 1, taken || edge->taken, makers);
    }
}

void gpc_find_makers(const struct gpc_flow *flow, uint32_t at, struct gpc_makers makers[GPC_FAR])
{
    for (unsigned back = 1; back <= GPC_FAR; back++) {
        makers[back - 1].count = 0;
        add_makers(flow, at, back, false, &makers[back - 1]);
    }
}

/* --- reads --- */

/* A read of an earlier result. */
struct read {
    const struct gpc_walk *walk;
    enum gp_unit unit;
    unsigned source, back;
    const struct gpc_makers *makers;
};

/* Sets *read if the operand is an earlier result, and returns true. */
static bool read_of(const struct gpc_walk *walk, unsigned number, struct read *read)
{
    const struct gp_operand *operand = &walk->facts->operands[number];
    const struct gp_source_row *source = &gp_sources[operand->source];
    read->walk = walk;
    read->unit = source->unit;
    read->source = operand->source;
    read->back = source->back;
    read->makers = &walk->makers[source->back ? source->back - 1 : 0];
    return !operand->identity && source->back > 0;
}

/* Returns the rule that a read of a maker's result breaks, or CHECK_RULES if the maker has a result
 * that can be read at this distance. */
static enum check_rule broken_by(const struct read *read, uint32_t maker)
{
    const struct gpc_facts *facts = &read->walk->checker->facts[maker % GP_PROGRAM_MAX];
    bool late = read->unit == GP_UNIT_MUL0 && read->back == 1;
    if (maker == GPC_START)
        return CHECK_GP_BEFORE_START;
    if (read->unit != GP_UNIT_LOAD0 && !(facts->makes >> read->unit & 1))
        return CHECK_GP_IDLE_RESULT;
    return late && facts->insn.mul_op == GP_MUL_COMPLEX1 ? CHECK_GP_COMPLEX1_EARLY : CHECK_RULES;
}

static void report_read(const struct read *read, enum check_rule rule, uint32_t maker)
{
    const struct check_about about = CHECK_OTHER(maker, read->back, read->source);
    const char *way = read->makers->count > 1 ? " on one path" : "";
    char name[GP_OPERAND_TEXT];
    gpc_source_name(name, &read->walk->facts->insn, read->source);
    if (rule == CHECK_GP_BEFORE_START)
        REPORT(read->walk, rule, CHECK_SUBJECT(read->source),
               "%s names an instruction before the start of the program%s", name, way);
    else if (rule == CHECK_GP_IDLE_RESULT)
        REPORT(read->walk, rule, about, "%s is read, but %s has no result in that instruction%s",
               name, gp_unit_name(read->unit), way);
    else if (rule == CHECK_GP_COMPLEX1_EARLY)
        REPORT(read->walk, rule, about, "mul0[-1] is read, but the result of complex1 is mul0[-2]");
    else
        REPORT(read->walk, rule, about,
               rule == CHECK_GP_RESULT_PATH
                   ? "%s comes from different instructions, depending on the path"
                   : "%s is read across a taken branch",
               name);
}

/* Reports reads of results that do not exist, or that cannot be read at this distance. */
void gpc_check_makers(const struct gpc_walk *walk, enum check_rule rule)
{
    struct read read;
    for (unsigned i = 0; i < walk->facts->operand_count; i++)
        for (uint32_t k = 0; read_of(walk, i, &read) && k < read.makers->count; k++)
            if (broken_by(&read, read.makers->items[k].at) == rule)
                report_read(&read, rule, read.makers->items[k].at);
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

/* Returns the rule that a read breaks whose makers all have a result, because of a maker, or
 * CHECK_RULES. */
static enum check_rule path_rule(const struct read *read, uint32_t *maker)
{
    enum check_rule rule = CHECK_RULES;
    for (uint32_t i = 0; i < read->makers->count; i++) {
        uint32_t at = read->makers->items[i].at;
        if (broken_by(read, at) != CHECK_RULES)
            return CHECK_RULES;
        bool differs = !is_same(read, read->makers->items[0].at, at);
        if (rule == CHECK_GP_RESULT_PATH || (!differs && !read->makers->items[i].taken))
            continue;
        if (differs || rule == CHECK_RULES)
            *maker = at;
        rule = differs ? CHECK_GP_RESULT_PATH : CHECK_GP_ACROSS_BRANCH;
    }
    return rule;
}

/* Reports reads whose value depends on the path, or that cross a taken branch. */
void gpc_check_paths(const struct gpc_walk *walk, enum check_rule rule)
{
    struct read read;
    uint32_t maker = 0;
    for (unsigned i = 0; i < walk->facts->operand_count; i++)
        if (read_of(walk, i, &read) && path_rule(&read, &maker) == rule)
            report_read(&read, rule, maker);
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
           is_read_later(checker, at, unit, GPC_FAR, GPC_FAR);
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

static bool makes_complex1(const struct gpc_walk *walk)
{
    return walk->facts->makes >> GP_UNIT_MUL0 & 1 && walk->facts->insn.mul_op == GP_MUL_COMPLEX1;
}

bool gpc_complex1_is_unread(const struct gpc_walk *walk)
{
    return makes_complex1(walk) &&
           !is_read_later(walk->checker, walk->at, GP_UNIT_MUL0, GPC_FAR, GPC_FAR);
}

/* Returns the instruction that find_identity() finds, if the complex unit has a result that no
 * instruction reads. Otherwise returns CHECK_NONE. */
static uint32_t doubtful_reader(const struct gpc_walk *walk)
{
    bool unread = walk->facts->makes >> GP_UNIT_COMPLEX & 1 &&
                  !is_used(walk->checker, walk->at, GP_UNIT_COMPLEX);
    return unread ? find_identity(walk->checker, walk->at) : CHECK_NONE;
}

void gpc_check_identity(const struct gpc_walk *walk)
{
    uint32_t reader = doubtful_reader(walk);
    if (reader != CHECK_NONE)
        check_report(&walk->checker->out, CHECK_GP_IDENTITY, reader, CHECK_OTHER(walk->at, 1, 0),
                     "the second operand is the identity, and no instruction reads the complex "
                     "unit's result");
}

void gpc_check_results(const struct gpc_walk *walk)
{
    for (enum gp_unit unit = 0; unit < GP_UNITS; unit++) {
        bool other = (unit == GP_UNIT_MUL0 && makes_complex1(walk)) ||
                     (unit == GP_UNIT_COMPLEX && doubtful_reader(walk) != CHECK_NONE);
        if (walk->facts->makes >> unit & 1 && !other && !gpc_is_move(walk->facts, unit) &&
            !is_used(walk->checker, walk->at, unit))
            REPORT(walk, CHECK_GP_RESULT_UNREAD, CHECK_SUBJECT(unit),
                   "the result of %s is never read", gp_unit_name(unit));
    }
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
