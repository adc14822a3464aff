/* SPDX-License-Identifier: MIT */
/* word.c - rules about a single instruction, which need no other instructions of the program.
 *
 * In:     an instruction, and the interface.
 * Out:    findings.
 * Source: named in gp_rules.def for each rule. */
#include "check/gp/gp_check_private.h"

/* --- codes that no known program uses --- */

static void check_opcode(const struct gpc_walk *walk, enum gp_unit unit, const struct gp_op *op,
                         unsigned code)
{
    if (!op->mnemonic)
        REPORT(walk, CHECK_GP_UNKNOWN_OPERATION, CHECK_SUBJECT(unit),
               "unknown operation code %u of %s", code, gp_unit_name(unit));
}

void gpc_check_opcodes(const struct gpc_walk *walk)
{
    const struct gpc_facts *facts = walk->facts;
    const struct gp_insn *insn = &facts->insn;
    uint32_t makes = facts->makes;
    if (makes & (1u << GP_UNIT_ACC0 | 1u << GP_UNIT_ACC1))
        check_opcode(walk, GP_UNIT_ACC0, &gp_acc_ops[insn->acc_op], insn->acc_op);
    if (makes & (1u << GP_UNIT_MUL0 | 1u << GP_UNIT_MUL1))
        check_opcode(walk, GP_UNIT_MUL0, &gp_mul_ops[insn->mul_op], insn->mul_op);
    if (makes & 1u << GP_UNIT_PASS)
        check_opcode(walk, GP_UNIT_PASS, &gp_pass_ops[insn->pass_op], insn->pass_op);
    check_opcode(walk, GP_UNIT_COMPLEX, &gp_complex_ops[insn->complex_op], insn->complex_op);
}

/* Checks all source fields, including those of idle units. One rule is about source 8. */
void gpc_check_sources(const struct gpc_walk *walk, enum check_rule rule)
{
    for (unsigned field = 0; field < GP_FIELDS; field++) {
        enum gp_kind kind = gp_fields[field].kind;
        bool source = kind == GP_KIND_SOURCE || kind == GP_KIND_MUL_SOURCE1 ||
                      kind == GP_KIND_ACC_SOURCE1;
        unsigned value = source ? gp_field_get(&walk->facts->insn, field) : GP_SRC_UNUSED;
        if (value == GP_SRC_UNUSED_ALIAS && rule == CHECK_GP_SOURCE_8)
            TITLE(walk, rule);
        if (!gp_sources[value].words && value != GP_SRC_UNUSED_ALIAS && rule != CHECK_GP_SOURCE_8)
            REPORT(walk, rule, CHECK_SUBJECT(field), "unknown source %u in %s", value,
                   gp_fields[field].name);
    }
}

void gpc_check_store_sources(const struct gpc_walk *walk)
{
    for (unsigned field = 0; field < GP_FIELDS; field++) {
        unsigned value = gp_field_get(&walk->facts->insn, field);
        if (gp_fields[field].kind == GP_KIND_STORE_SOURCE && !gp_store_sources[value].words)
            REPORT(walk, CHECK_GP_STORE_SOURCE, CHECK_SUBJECT(field),
                   "unknown store source %u in %s", value, gp_fields[field].name);
    }
}

void gpc_check_load_offset(const struct gpc_walk *walk)
{
    unsigned offset = walk->facts->insn.load_offset;
    if (offset != GP_NO_OFFSET && !walk->facts->offset)
        REPORT(walk, CHECK_GP_LOAD_OFFSET, CHECK_ALONE, "unknown load offset %u", offset);
}

bool gpc_stores_temporary_at_branch(const struct gpc_walk *walk)
{
    return walk->facts->insn.branch && walk->facts->stores_temporary;
}

void gpc_check_flags(const struct gpc_walk *walk)
{
    const struct gp_insn *insn = &walk->facts->insn;
    bool temporary = walk->facts->stores_temporary;
    unsigned wanted = insn->branch ? GP_FLAGS_BRANCH
                      : temporary  ? GP_FLAGS_TEMPORARY
                                   : GP_FLAGS_NONE;
    bool either = insn->branch && temporary && insn->unknown_1 == GP_FLAGS_TEMPORARY;
    if (insn->unknown_1 != wanted && !either)
        REPORT(walk, CHECK_GP_FLAGS, CHECK_ALONE, "unknown_1 is %u; with %s it must be %u",
               insn->unknown_1,
               insn->branch ? "a branch"
               : temporary  ? "a store to a temporary"
                            : "neither a branch nor a store to a temporary",
               wanted);
}

/* --- operands --- */

void gpc_check_operands(const struct gpc_walk *walk)
{
    const struct gpc_facts *facts = walk->facts;
    const struct gp_insn *insn = &facts->insn;
    for (unsigned i = 0; i < facts->operand_count; i++) {
        const struct gp_operand *operand = &facts->operands[i];
        if (gp_is_unused(operand->source))
            REPORT(walk, CHECK_GP_OPERAND_UNUSED, CHECK_SUBJECT(operand->by * 4u + operand->number),
                   "operand %u of %s is unused", operand->number + 1u, gp_unit_name(operand->by));
    }
    bool wide = gp_is_wide(insn->mul_op), idle = gp_is_unused(insn->mul0_src0);
    bool others = !gp_is_unused(insn->mul0_src1) || !gp_is_unused(insn->mul1_src0);
    if (wide && idle && others)
        REPORT(walk, CHECK_GP_OPERAND_UNUSED, CHECK_SUBJECT(GP_UNIT_MUL0 * 4u),
               "operand 1 of mul0 is unused");
}

bool gpc_selects_fourth_operand(const struct gpc_walk *walk)
{
    const struct gp_insn *insn = &walk->facts->insn;
    bool fourth = !gp_is_unused(insn->mul1_src1) || insn->mul1_neg;
    return insn->mul_op == GP_MUL_SELECT && !gp_is_unused(insn->mul0_src0) && fourth;
}

static void report_idle(const struct gpc_walk *walk, enum gp_unit unit, bool wrong)
{
    if (wrong)
        REPORT(walk, CHECK_GP_IDLE_OPERAND, CHECK_SUBJECT(unit),
               "%s is idle, but has an operand or an operation", gp_unit_name(unit));
}

void gpc_check_idle(const struct gpc_walk *walk)
{
    const struct gp_insn *insn = &walk->facts->insn;
    bool wide = gp_is_wide(insn->mul_op), no_source = gp_is_unused(insn->complex_src);
    bool complex = insn->complex_op == GP_COMPLEX_NONE
                       ? !no_source
                       : insn->complex_op != GP_COMPLEX_ADDR01 && no_source;
    report_idle(walk, GP_UNIT_ACC0,
                gp_is_unused(insn->acc0_src0) && !gp_is_unused(insn->acc0_src1));
    report_idle(walk, GP_UNIT_ACC1,
                gp_is_unused(insn->acc1_src0) && !gp_is_unused(insn->acc1_src1));
    report_idle(walk, GP_UNIT_MUL0,
                !wide && gp_is_unused(insn->mul0_src0) && !gp_is_unused(insn->mul0_src1));
    report_idle(walk, GP_UNIT_MUL1,
                !wide && gp_is_unused(insn->mul1_src0) && !gp_is_unused(insn->mul1_src1));
    report_idle(walk, GP_UNIT_COMPLEX, complex);
}

static bool clamps(const struct gpc_walk *walk)
{
    return walk->facts->makes >> GP_UNIT_PASS & 1 && walk->facts->insn.pass_op == GP_PASS_CLAMP;
}

/* Returns true if an operand other than clamp's bounds reads x or y of the row. */
bool gpc_shares_bounds_of_clamp(const struct gpc_walk *walk)
{
    for (unsigned i = 0; i < walk->facts->operand_count && clamps(walk); i++) {
        const struct gp_operand *operand = &walk->facts->operands[i];
        bool bound = operand->by == GP_UNIT_PASS && operand->number > 0;
        if (!bound && (operand->source == GP_SRC_ROW_X || operand->source == GP_SRC_ROW_Y))
            return true;
    }
    return false;
}

void gpc_check_clamp(const struct gpc_walk *walk)
{
    float low, high;
    if (clamps(walk) && gpc_constant(walk->checker, walk->at, GP_SRC_ROW_X, &low) &&
        gpc_constant(walk->checker, walk->at, GP_SRC_ROW_Y, &high) && low > high)
        REPORT(walk, CHECK_GP_CLAMP_BOUNDS, CHECK_ALONE,
               "clamp has the lower bound %g and the upper bound %g", (double)low, (double)high);
}

/* --- stores --- */

static bool has_result(const struct gpc_facts *facts, enum gp_unit unit)
{
    return facts->makes >> unit & 1;
}

void gpc_check_stores(const struct gpc_walk *walk)
{
    const struct gpc_facts *facts = walk->facts;
    for (unsigned i = 0; i < facts->store_count; i++) {
        const struct gp_store *store = &facts->stores[i];
        enum gp_unit unit = gp_store_sources[store->source].unit;
        if (gp_store_sources[store->source].words && !has_result(facts, unit))
            REPORT(walk, CHECK_GP_STORE_IDLE, CHECK_SUBJECT(store->component),
                   "%s is stored to %c, but %s", gp_unit_name(unit), "xyzw"[store->component],
                   unit == GP_UNIT_MUL1 && gp_is_wide(facts->insn.mul_op)
                       ? "mul0 uses both multipliers"
                       : "has no result");
    }
    if (facts->insn.complex_op == GP_COMPLEX_ADDR01 && !has_result(facts, GP_UNIT_PASS))
        REPORT(walk, CHECK_GP_STORE_IDLE, CHECK_SUBJECT(GP_UNITS),
               "addr01 takes the result of the pass unit, which is idle");
}

bool gpc_stores_complex1(const struct gpc_walk *walk)
{
    const struct gpc_facts *facts = walk->facts;
    bool complex1 = has_result(facts, GP_UNIT_MUL0) && facts->insn.mul_op == GP_MUL_COMPLEX1;
    for (unsigned i = 0; i < facts->store_count && complex1; i++)
        if (gp_store_sources[facts->stores[i].source].words &&
            gp_store_sources[facts->stores[i].source].unit == GP_UNIT_MUL0)
            return true;
    return false;
}

/* Reports a store unit that stores nothing, or whose fields contradict a store to a temporary. Mesa
 * does not clear the address when it removes a store. */
void gpc_check_store_units(const struct gpc_walk *walk, enum check_rule rule)
{
    const struct gp_insn *insn = &walk->facts->insn;
    for (unsigned unit = 0; unit < 2; unit++) {
        bool temporary = unit ? insn->store1_temporary : insn->store0_temporary;
        bool varying = unit ? insn->store1_varying : insn->store0_varying;
        unsigned address = unit ? insn->store1_addr : insn->store0_addr;
        unsigned first = unit ? insn->store1_src_z : insn->store0_src_x;
        unsigned second = unit ? insn->store1_src_w : insn->store0_src_y;
        bool empty = first == GP_STORE_NONE && second == GP_STORE_NONE;
        if (rule == CHECK_GP_STORE_EMPTY && empty && (temporary || varying))
            REPORT(walk, rule, CHECK_SUBJECT(unit),
                   "store unit %u is set to write a %s, but stores nothing", unit,
                   temporary ? "temporary" : "varying");
        if (rule == CHECK_GP_TEMPORARY_FIELDS && !empty && temporary && (varying || address))
            REPORT(walk, rule, CHECK_SUBJECT(unit),
                   "store unit %u stores a temporary, but also names %s %u", unit,
                   varying ? "varying" : "register", address);
    }
}

bool gpc_stores_two_rows(const struct gpc_walk *walk)
{
    const struct gp_insn *insn = &walk->facts->insn;
    return insn->store0_temporary && insn->store1_temporary &&
           insn->store0_addr != insn->store1_addr;
}

/* --- the interface --- */

void gpc_check_row_driver(const struct gpc_walk *walk)
{
    uint32_t row = walk->facts->insn.load_addr;
    if (row >= GP_ROWS_DRIVER && gp_reads(&walk->facts->insn, GP_UNIT_ROW, 0))
        REPORT(walk, CHECK_GP_ROW_DRIVER, CHECK_ALONE,
               "row %u is loaded, but Mesa's driver has only %u rows", row, GP_ROWS_DRIVER);
}

void gpc_check_row(const struct gpc_walk *walk)
{
    const struct gpc_interface *interface = &walk->checker->interface;
    uint32_t row = walk->facts->insn.load_addr;
    if (interface->declared && !interface->rows[row] &&
        gp_reads(&walk->facts->insn, GP_UNIT_ROW, 0))
        REPORT(walk, CHECK_GP_ROW_UNDECLARED, CHECK_ALONE, "row %u is loaded, but not declared",
               row);
}

void gpc_check_attribute(const struct gpc_walk *walk)
{
    const struct gpc_interface *interface = &walk->checker->interface;
    const struct gp_insn *insn = &walk->facts->insn;
    if (interface->declared && insn->register0_attribute &&
        !(interface->attributes >> insn->register0_addr & 1))
        REPORT(walk, CHECK_GP_ATTRIBUTE_UNDECLARED, CHECK_ALONE,
               "attribute %u is loaded, but not declared", insn->register0_addr);
}

static void check_varying(const struct gpc_walk *walk, const struct gp_store *store)
{
    const struct tess_gp_symbol *varying = walk->checker->interface.varyings[store->number];
    unsigned subject = store->number * 4u;
    if (!varying) /* all components have the same subject, so that only one finding is reported */
        REPORT(walk, CHECK_GP_VARYING_UNDECLARED, CHECK_SUBJECT(subject),
               "varying %u is written, but not declared", store->number);
    else if (store->component >= varying->components)
        REPORT(walk, CHECK_GP_VARYING_UNDECLARED, CHECK_SUBJECT(subject + store->component),
               "%c of %s is written, but the varying is declared with %u component%s",
               "xyzw"[store->component], varying -> name, varying -> components,
               varying -> components == 1 ? "" : "s");
}

void gpc_check_stored_varyings(const struct gpc_walk *walk)
{
    const struct gpc_facts *facts = walk->facts;
    for (unsigned i = 0; i < facts->store_count && walk->checker->interface.declared; i++)
        if (facts->stores[i].varying && !facts->stores[i].temporary)
            check_varying(walk, &facts->stores[i]);
}

bool gpc_stores_undeclared_temporary(const struct gpc_walk *walk)
{
    const struct gpc_interface *interface = &walk->checker->interface;
    bool declared = false;
    for (unsigned i = 0; i < GP_ROWS; i++)
        declared |= interface->rows[i] && interface->rows[i]->kind == TESS_GP_TEMPORARY;
    return walk->facts->stores_temporary && interface->declared && !declared;
}
