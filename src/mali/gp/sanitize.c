/* SPDX-License-Identifier: MIT */
/* sanitize.c - see sanitize.h. */
#include "mali/gp/sanitize.h"

#include <string.h>

#include "isa/gp/facts.h"
#include "mali/gp/code.h"
#include "mali/gp/find.h"

/* The current instruction, and the two instructions that were executed before it. */
struct view {
    const struct gp_machine *machine;
    struct gp_machine *noting; /* machine that records the findings, or NULL to only count them */
    const struct gp_insn *insn;
    /* [1] is the instruction before the current one, [2] the one before that; NULL before the start
     * of the program */
    const struct gp_insn *before[3];
    bool jumped[3]; /* true if a branch was taken between before[n] and the current instruction */
    /* complex-unit operation that the complex1 in before[2] has finished, or 0 */
    uint8_t function2;
    unsigned found;
};

#define FIND(view, rule, ...)                                                           \
    do {                                                                                \
        (view)->found++;                                                                \
        if ((view)->noting)                                                             \
            gp_report((view)->noting, rule, (view)->machine->group->mask, __VA_ARGS__); \
    } while (0)

static bool is_function(unsigned complex_op)
{
    return complex_op >= GP_COMPLEX_EXP2 && complex_op <= GP_COMPLEX_RCP;
}

static bool makes_function(const struct gp_insn *insn)
{
    return is_function(insn->complex_op) && gp_makes_result(insn, GP_UNIT_COMPLEX);
}

static bool makes_partial(const struct gp_insn *insn, enum gp_unit unit)
{
    return unit == GP_UNIT_COMPLEX ? makes_function(insn)
                                   : unit == GP_UNIT_MUL0 && insn->mul_op == GP_MUL_COMPLEX2;
}

/* --- operands --- */

static bool is_complex1(const struct view *view, const struct gp_operand *operand)
{
    return operand->by == GP_UNIT_MUL0 && view->insn->mul_op == GP_MUL_COMPLEX1;
}

/* Returns true if complex1 needs the complex unit's partial result as this operand. */
static bool takes_partial(const struct view *view, const struct gp_operand *operand,
                          enum gp_unit unit)
{
    unsigned wanted = unit == GP_UNIT_COMPLEX ? 0 : 1;
    return is_complex1(view, operand) && operand->number % 2 == wanted;
}

static void check_result(struct view *view, const struct gp_operand *operand, enum gp_unit unit,
                         unsigned back)
{
    const struct gp_insn *maker = view->before[back];
    const char *by = gp_unit_name(operand->by), *name = gp_unit_name(unit);
    bool late = unit == GP_UNIT_MUL0 && maker->mul_op == GP_MUL_COMPLEX1;
    if (!gp_makes_result(maker, unit))
        FIND(view, FAULT_IDLE, "%s reads %s[-%u], but %s was idle", by, name, back, name);
    else if (late && back == 1)
        FIND(view, FAULT_COMPLEX1_EARLY, "%s reads complex1's result one instruction too early",
             by);
    else if (view->jumped[back])
        FIND(view, FAULT_ACROSS_BRANCH, "%s reads %s[-%u] across a branch", by, name, back);
    else if (makes_partial(maker, unit) && !takes_partial(view, operand, unit))
        FIND(view, FAULT_TOKEN_USED,
             "%s reads %s[-%u], an intermediate result of a complex function", by, name, back);
    else if (late && view->function2 == GP_COMPLEX_LOG2 &&
             !(operand->by == GP_UNIT_PASS && view->insn->pass_op == GP_PASS_POSTLOG2))
        FIND(view, FAULT_LOG2_MOVED, "%s reads a result of log2 that postlog2 has not converted",
             by);
}

/* Checks a value from a load unit. The instruction that contains the load determines the attribute
 * or row. */
static void check_load(struct view *view, const struct gp_operand *operand,
                       const struct gp_source_row *source)
{
    const struct gp_machine *machine = view->machine;
    const struct gp_insn *loader = source->back ? view->before[1] : view->insn;
    const struct tess_gp_attribute *attributes = machine->batch->attributes;
    unsigned number = loader->register0_addr, row = loader->load_addr;
    bool attribute = source->unit == GP_UNIT_LOAD0 && loader->register0_attribute;
    bool plain_row = source->unit == GP_UNIT_ROW && !machine->code->temporaries &&
                     !gp_row_offset(loader);
    if (attribute && !(attributes && attributes[number].data))
        FIND(view, FAULT_ATTRIBUTE_MISSING, "%s reads attribute %u, which has no data",
             gp_unit_name(operand->by), number);
    if (plain_row && !machine->row_set[row])
        FIND(view, FAULT_ROW_UNSET, "%s reads row %u, which has no value",
             gp_unit_name(operand->by), row);
}

static void check_back(struct view *view, const struct gp_operand *operand,
                       const struct gp_source_row *source)
{
    const char *by = gp_unit_name(operand->by);
    if (!view->before[source->back])
        FIND(view, FAULT_BEFORE_START,
             "%s reads %s, which names an instruction before the start of the program", by,
             source->words);
    else if (source->unit != GP_UNIT_LOAD0)
        check_result(view, operand, source->unit, source->back);
    else if (view->jumped[1])
        FIND(view, FAULT_ACROSS_BRANCH, "%s reads %s across a branch", by, source->words);
    else
        check_load(view, operand, source);
}

static void check_operand(struct view *view, const struct gp_operand *operand)
{
    const struct gp_source_row *source = &gp_sources[operand->source];
    if (operand->identity)
        return;
    if (gp_is_unused(operand->source))
        FIND(view, FAULT_OPERAND_UNUSED, "operand %u of %s is marked as unused",
             operand->number + 1u, gp_unit_name(operand->by));
    else if (!source->words)
        FIND(view, FAULT_UNKNOWN_SOURCE, "operand %u of %s has the unknown source %u",
             operand->number + 1u, gp_unit_name(operand->by), operand->source);
    else if (source->back)
        check_back(view, operand, source);
    else
        check_load(view, operand, source);
}

/* Returns true if any instruction reads or stores the result that the complex unit computed in the
 * preceding instruction. */
static bool is_complex_used(const struct view *view)
{
    struct gp_store stores[GP_STORES_MAX];
    const struct gp_insn *maker = view->before[1];
    for (unsigned i = gp_stores(maker, stores); i-- > 0;)
        if (stores[i].source == GP_STORE_COMPLEX)
            return true;
    return gp_addresses_set(maker) || gp_reads(view->insn, GP_UNIT_COMPLEX, 1);
}

static void check_identity(struct view *view, const struct gp_operand *operand)
{
    const struct gp_insn *maker = view->before[1];
    if (operand->identity && maker && gp_makes_result(maker, GP_UNIT_COMPLEX) &&
        !is_complex_used(view))
        FIND(view, FAULT_IDENTITY, "the second operand of %s is the identity, not complex[-1]",
             gp_unit_name(operand->by));
}

static void check_operands(struct view *view)
{
    struct gp_operand list[GP_OPERANDS_MAX];
    unsigned count = gp_operands(view->insn, list);
    for (unsigned i = 0; i < count; i++) {
        check_operand(view, &list[i]);
        check_identity(view, &list[i]);
    }
}

/* --- operations --- */

static void check_unknown(struct view *view, enum gp_unit unit, const struct gp_op *op,
                          unsigned code)
{
    if (gp_makes_result(view->insn, unit) && !op->mnemonic)
        FIND(view, FAULT_UNKNOWN_OP, "unknown operation code %u of %s", code, gp_unit_name(unit));
}

static void check_operations(struct view *view)
{
    const struct gp_insn *insn = view->insn;
    check_unknown(view, GP_UNIT_MUL0, &gp_mul_ops[insn->mul_op], insn->mul_op);
    check_unknown(view, GP_UNIT_MUL1, &gp_mul_ops[insn->mul_op], insn->mul_op);
    check_unknown(view, GP_UNIT_ACC0, &gp_acc_ops[insn->acc_op], insn->acc_op);
    check_unknown(view, GP_UNIT_ACC1, &gp_acc_ops[insn->acc_op], insn->acc_op);
    check_unknown(view, GP_UNIT_PASS, &gp_pass_ops[insn->pass_op], insn->pass_op);
    check_unknown(view, GP_UNIT_COMPLEX, &gp_complex_ops[insn->complex_op], insn->complex_op);
    if (gp_reads(insn, GP_UNIT_ROW, 0) && !gp_row_offset(insn) && insn->load_offset != GP_NO_OFFSET)
        FIND(view, FAULT_LOAD_OFFSET, "unknown load offset %u", insn->load_offset);
}

/* Returns true if the source is the complex unit's partial result from the preceding
 * instruction. */
static bool is_looked_up(const struct view *view, unsigned source)
{
    return source == GP_SRC_COMPLEX_P1 && view->before[1] && makes_function(view->before[1]);
}

static bool is_preexp2(const struct view *view, unsigned source)
{
    const struct gp_source_row *row = &gp_sources[source];
    const struct gp_insn *maker = row->unit == GP_UNIT_PASS ? view->before[row->back] : NULL;
    return maker && maker->pass_op == GP_PASS_PREEXP2;
}

static void check_functions(struct view *view)
{
    const struct gp_insn *insn = view->insn;
    bool first = is_looked_up(view, insn->mul0_src0), third = is_looked_up(view, insn->mul1_src0);
    if (gp_makes_result(insn, GP_UNIT_MUL0) && insn->mul_op == GP_MUL_COMPLEX1 && !(first && third))
        FIND(view, FAULT_COMPLEX1_TOKEN,
             "the %s operand of complex1 is not the preceding result of exp2, log2, rsqrt or rcp",
             first ? "third" : "first");
    if (gp_makes_result(insn, GP_UNIT_COMPLEX) && insn->complex_op == GP_COMPLEX_EXP2 &&
        !is_preexp2(view, insn->complex_src))
        FIND(view, FAULT_EXP2_OPERAND, "the operand of exp2 is not a result of preexp2");
    if (gp_makes_result(insn, GP_UNIT_PASS) && insn->pass_op == GP_PASS_POSTLOG2 &&
        !(insn->pass_src == GP_SRC_MUL0_P2 && view->function2 == GP_COMPLEX_LOG2))
        FIND(view, FAULT_POSTLOG2_OPERAND, "the operand of postlog2 is not a result of log2");
}

/* --- uses in the same instruction --- */

static void check_store(struct view *view, const struct gp_store *store)
{
    enum gp_unit unit = gp_store_sources[store->source].unit;
    char component = "xyzw"[store->component];
    if (unit == GP_UNIT_NONE)
        FIND(view, FAULT_STORE_UNKNOWN, "component %c is stored from the unknown source %u",
             component, store->source);
    else if (!gp_makes_result(view->insn, unit))
        FIND(view, FAULT_STORE_IDLE, "component %c is stored from %s, which is idle", component,
             gp_unit_name(unit));
    else if (unit == GP_UNIT_MUL0 && view->insn->mul_op == GP_MUL_COMPLEX1)
        FIND(view, FAULT_STORE_LATE,
             "component %c is stored from complex1, whose result is available later", component);
    else if (makes_partial(view->insn, unit))
        FIND(view, FAULT_TOKEN_USED,
             "component %c is stored from %s, an intermediate result of a complex function",
             component, gp_unit_name(unit));
    if (store->temporary && (store->number || store->varying))
        FIND(view, FAULT_TEMPORARY_FIELDS, "component %c of a temporary also names %s %u",
             component, store->varying ? "varying" : "register", store->number);
}

static void check_flags(struct view *view, bool temporary)
{
    const struct gp_insn *insn = view->insn;
    unsigned wanted = insn->branch ? GP_FLAGS_BRANCH : temporary ? GP_FLAGS_TEMPORARY : 0;
    if (insn->unknown_1 != wanted || (insn->branch && temporary))
        FIND(view, FAULT_FLAGS, "unknown_1 is %u with %s%s%s", insn->unknown_1,
             temporary ? "a store to a temporary" : "", temporary && insn->branch ? " and " : "",
             insn->branch ? "a branch"
             : temporary  ? ""
                          : "neither a temporary nor a branch");
}

static void check_uses(struct view *view)
{
    const struct gp_insn *insn = view->insn;
    struct gp_store stores[GP_STORES_MAX];
    bool temporary = false;
    for (unsigned i = gp_stores(insn, stores); i-- > 0;) {
        check_store(view, &stores[i]);
        temporary |= stores[i].temporary;
    }
    check_flags(view, temporary);
    bool idle = !gp_makes_result(insn, GP_UNIT_PASS);
    if (insn->branch && (idle || insn->pass_op != GP_PASS_MOV))
        FIND(view, FAULT_BRANCH_CONDITION, "the pass unit %s",
             idle ? "is idle, so the branch has no condition"
                  : "does not move the branch's condition");
    if (insn->complex_op == GP_COMPLEX_ADDR01 && idle)
        FIND(view, FAULT_STORE_IDLE, "addr01 takes the result of the pass unit, which is idle");
}

/* --- paths --- */

static struct view view_of(const struct gp_machine *machine)
{
    const struct gp_group *group = machine->group;
    const struct gp_line *line = machine->code->line;
    return (struct view){
        .machine = machine,
        .insn = &line[group->pc].insn,
        .before = {NULL, group->p1 == GP_NOWHERE ? NULL : &line[group->p1].insn,
                   group->p2 == GP_NOWHERE ? NULL : &line[group->p2].insn},
        .jumped = {false, group->jumped1, group->jumped1 || group->jumped2},
        .function2 = group->function2,
    };
}

/* Checks all rules that depend on the path. Returns the number of findings. `noting` is the
 * machine, or NULL to only count the findings. */
static unsigned check_path(const struct gp_machine *machine, struct gp_machine *noting)
{
    struct view view = view_of(machine);
    view.noting = noting;
    check_operands(&view);
    check_operations(&view);
    check_functions(&view);
    check_uses(&view);
    return view.found;
}

/* Reports components of attributes that are outside the buffer. */
static void check_beyond(struct gp_machine *machine, int32_t loader, unsigned components)
{
    const struct gp_insn *insn = &machine->code->line[loader].insn;
    unsigned number = insn->register0_addr;
    for (unsigned c = 0; c < GP_COMPONENTS && insn->register0_attribute; c++) {
        gp_mask lanes = machine->attributes_beyond[number][c] & machine->group->mask;
        if (components >> c & 1 && lanes)
            gp_report(machine, FAULT_ATTRIBUTE_BEYOND, lanes,
                      "component %c of attribute %u is beyond the end of its buffer", "xyzw"[c],
                      number);
    }
}

static void check_all_beyond(struct gp_machine *machine)
{
    const struct gp_group *group = machine->group;
    const struct gp_insn *insn = &machine->code->line[group->pc].insn;
    check_beyond(machine, (int32_t)group->pc, gp_reads(insn, GP_UNIT_LOAD0, 0));
    if (group->p1 != GP_NOWHERE)
        check_beyond(machine, group->p1, gp_reads(insn, GP_UNIT_LOAD0, 1));
}

/* Returns the complex-unit operation that the instruction's complex1 finishes. Returns 0 if the
 * instruction has no complex1, or if that complex1 does not read a result of the complex unit. */
static uint8_t function_of(const struct gp_machine *machine)
{
    struct view view = view_of(machine);
    bool last = gp_makes_result(view.insn, GP_UNIT_MUL0) && view.insn->mul_op == GP_MUL_COMPLEX1;
    return last && is_looked_up(&view, view.insn->mul0_src0) ? (uint8_t)view.before[1]->complex_op
                                                             : 0;
}

/* Makes the group's path the latest path to its instruction. */
static void find_way(struct gp_machine *machine)
{
    const struct gp_group *group = machine->group;
    struct gp_way *way = &machine->way[group->pc], *before = &machine->way_before[group->pc];
    const struct gp_way latest = *way;
    *way = *before;
    *before = latest;
    if (gp_is_known(way, group))
        return;
    *way = (struct gp_way){
        .known = true,
        .p1 = group->p1,
        .p2 = group->p2,
        .function2 = group->function2,
        .jumped1 = group->jumped1,
        .jumped2 = group->jumped2,
        .clean = check_path(machine, NULL) == 0,
        .function = function_of(machine),
    };
}

void gp_check_path(struct gp_machine *machine)
{
    struct gp_group *group = machine->group;
    struct gp_way *way = &machine->way[group->pc];
    if (!gp_is_known(way, group))
        find_way(machine);
    if (!way->clean)
        check_path(machine, machine);
    if (machine->any_beyond)
        check_all_beyond(machine);
}

void gp_check_reset(struct gp_machine *machine)
{
    memset(machine->way, 0, sizeof machine->way);
    memset(machine->way_before, 0, sizeof machine->way_before);
}
