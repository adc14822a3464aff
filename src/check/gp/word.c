/* SPDX-License-Identifier: MIT */
/* word.c - rules about a single instruction, which need no other instructions of the program.
 *
 * In:     an instruction, and the interface.
 * Out:    findings.
 * Source: named in gp_rules.def for each rule. */
#include "check/gp/gp_check_private.h"

/* --- codes that no known program uses --- */

static void check_opcode(struct gpc_checker *checker, uint32_t at, enum gp_unit unit,
                         const struct gp_op *op, unsigned code)
{
    if (!op->mnemonic)
        check_report(&checker->out, CHECK_GP_UNKNOWN_OPERATION, at, CHECK_SUBJECT(unit),
                     "unknown operation code %u of %s", code, gp_unit_name(unit));
}

static void check_opcodes(struct gpc_checker *checker, uint32_t at)
{
    const struct gpc_facts *facts = &checker->facts[at];
    const struct gp_insn *insn = &facts->insn;
    uint32_t makes = facts->makes;
    if (makes & (1u << GP_UNIT_ACC0 | 1u << GP_UNIT_ACC1))
        check_opcode(checker, at, GP_UNIT_ACC0, &gp_acc_ops[insn->acc_op], insn->acc_op);
    if (makes & (1u << GP_UNIT_MUL0 | 1u << GP_UNIT_MUL1))
        check_opcode(checker, at, GP_UNIT_MUL0, &gp_mul_ops[insn->mul_op], insn->mul_op);
    if (makes & 1u << GP_UNIT_PASS)
        check_opcode(checker, at, GP_UNIT_PASS, &gp_pass_ops[insn->pass_op], insn->pass_op);
    check_opcode(checker, at, GP_UNIT_COMPLEX, &gp_complex_ops[insn->complex_op], insn->complex_op);
}

/* Checks all source fields, including those of idle units. */
static void check_sources(struct gpc_checker *checker, uint32_t at)
{
    const struct gp_insn *insn = &checker->facts[at].insn;
    for (unsigned field = 0; field < GP_FIELDS; field++) {
        enum gp_kind kind = gp_fields[field].kind;
        unsigned value = gp_field_get(insn, field);
        bool source = kind == GP_KIND_SOURCE || kind == GP_KIND_MUL_SOURCE1 ||
                      kind == GP_KIND_ACC_SOURCE1;
        if (kind == GP_KIND_STORE_SOURCE && !gp_store_sources[value].words)
            check_report(&checker->out, CHECK_GP_STORE_SOURCE, at, CHECK_SUBJECT(field),
                         "unknown store source %u in %s", value, gp_fields[field].name);
        if (source && value == GP_SRC_UNUSED_ALIAS)
            check_report_title(&checker->out, CHECK_GP_SOURCE_8, at, CHECK_ALONE);
        else if (source && !gp_sources[value].words)
            check_report(&checker->out, CHECK_GP_UNKNOWN_SOURCE, at, CHECK_SUBJECT(field),
                         "unknown source %u in %s", value, gp_fields[field].name);
    }
    if (insn->load_offset != GP_NO_OFFSET && !checker->facts[at].offset)
        check_report(&checker->out, CHECK_GP_LOAD_OFFSET, at, CHECK_ALONE, "unknown load offset %u",
                     insn->load_offset);
}

static void check_flags(struct gpc_checker *checker, uint32_t at)
{
    const struct gpc_facts *facts = &checker->facts[at];
    const struct gp_insn *insn = &facts->insn;
    bool temporary = facts->stores_temporary;
    unsigned wanted = insn->branch ? GP_FLAGS_BRANCH
                      : temporary  ? GP_FLAGS_TEMPORARY
                                   : GP_FLAGS_NONE;
    if (insn->branch && temporary)
        check_report_title(&checker->out, CHECK_GP_BRANCH_TEMPORARY, at, CHECK_ALONE);
    bool either = insn->branch && temporary && insn->unknown_1 == GP_FLAGS_TEMPORARY;
    if (insn->unknown_1 != wanted && !either)
        check_report(&checker->out, CHECK_GP_FLAGS, at, CHECK_ALONE,
                     "unknown_1 is %u; with %s it must be %u", insn->unknown_1,
                     insn->branch ? "a branch"
                     : temporary  ? "a store to a temporary"
                                  : "neither a branch nor a store to a temporary",
                     wanted);
}

/* --- operands --- */

static void check_operands(struct gpc_checker *checker, uint32_t at)
{
    const struct gpc_facts *facts = &checker->facts[at];
    const struct gp_insn *insn = &facts->insn;
    for (unsigned i = 0; i < facts->operand_count; i++) {
        const struct gp_operand *operand = &facts->operands[i];
        if (gp_is_unused(operand->source))
            check_report(&checker->out, CHECK_GP_OPERAND_UNUSED, at,
                         CHECK_SUBJECT(operand->by * 4u + operand->number),
                         "operand %u of %s is unused", operand->number + 1u,
                         gp_unit_name(operand->by));
    }
    bool wide = gp_is_wide(insn->mul_op), idle = gp_is_unused(insn->mul0_src0);
    bool others = !gp_is_unused(insn->mul0_src1) || !gp_is_unused(insn->mul1_src0);
    if (wide && idle && others)
        check_report(&checker->out, CHECK_GP_OPERAND_UNUSED, at, CHECK_SUBJECT(GP_UNIT_MUL0 * 4u),
                     "operand 1 of mul0 is unused");
    bool fourth = !gp_is_unused(insn->mul1_src1) || insn->mul1_neg;
    if (insn->mul_op == GP_MUL_SELECT && !idle && fourth)
        check_report_title(&checker->out, CHECK_GP_SELECT_OPERAND, at, CHECK_ALONE);
}

static void report_idle(struct gpc_checker *checker, uint32_t at, enum gp_unit unit, bool wrong)
{
    if (wrong)
        check_report(&checker->out, CHECK_GP_IDLE_OPERAND, at, CHECK_SUBJECT(unit),
                     "%s is idle, but has an operand or an operation", gp_unit_name(unit));
}

static void check_idle(struct gpc_checker *checker, uint32_t at)
{
    const struct gp_insn *insn = &checker->facts[at].insn;
    bool wide = gp_is_wide(insn->mul_op), no_source = gp_is_unused(insn->complex_src);
    bool complex = insn->complex_op == GP_COMPLEX_NONE
                       ? !no_source
                       : insn->complex_op != GP_COMPLEX_ADDR01 && no_source;
    report_idle(checker, at, GP_UNIT_ACC0,
                gp_is_unused(insn->acc0_src0) && !gp_is_unused(insn->acc0_src1));
    report_idle(checker, at, GP_UNIT_ACC1,
                gp_is_unused(insn->acc1_src0) && !gp_is_unused(insn->acc1_src1));
    report_idle(checker, at, GP_UNIT_MUL0,
                !wide && gp_is_unused(insn->mul0_src0) && !gp_is_unused(insn->mul0_src1));
    report_idle(checker, at, GP_UNIT_MUL1,
                !wide && gp_is_unused(insn->mul1_src0) && !gp_is_unused(insn->mul1_src1));
    report_idle(checker, at, GP_UNIT_COMPLEX, complex);
}

/* Returns true if an operand other than clamp's bounds reads x or y of the row. */
static bool shares_row(const struct gpc_facts *facts)
{
    for (unsigned i = 0; i < facts->operand_count; i++) {
        const struct gp_operand *operand = &facts->operands[i];
        bool bound = operand->by == GP_UNIT_PASS && operand->number > 0;
        if (!bound && (operand->source == GP_SRC_ROW_X || operand->source == GP_SRC_ROW_Y))
            return true;
    }
    return false;
}

static void check_clamp(struct gpc_checker *checker, uint32_t at)
{
    const struct gpc_facts *facts = &checker->facts[at];
    float low, high;
    if (!(facts->makes >> GP_UNIT_PASS & 1) || facts->insn.pass_op != GP_PASS_CLAMP)
        return;
    if (gpc_constant(checker, at, GP_SRC_ROW_X, &low) &&
        gpc_constant(checker, at, GP_SRC_ROW_Y, &high) && low > high)
        check_report(&checker->out, CHECK_GP_CLAMP_BOUNDS, at, CHECK_ALONE,
                     "clamp has the lower bound %g and the upper bound %g", (double)low,
                     (double)high);
    if (shares_row(facts))
        check_report_title(&checker->out, CHECK_GP_CLAMP_SHARED, at, CHECK_ALONE);
}

/* --- stores --- */

static enum gp_unit unit_of(const struct gp_store *store)
{
    return gp_store_sources[store->source].unit;
}

static void check_stores(struct gpc_checker *checker, uint32_t at)
{
    const struct gpc_facts *facts = &checker->facts[at];
    for (unsigned i = 0; i < facts->store_count; i++) {
        const struct gp_store *store = &facts->stores[i];
        enum gp_unit unit = unit_of(store);
        if (!gp_store_sources[store->source].words)
            continue;
        if (!(facts->makes >> unit & 1))
            check_report(&checker->out, CHECK_GP_STORE_IDLE, at, CHECK_SUBJECT(store->component),
                         "%s is stored to %c, but %s", gp_unit_name(unit), "xyzw"[store->component],
                         unit == GP_UNIT_MUL1 && gp_is_wide(facts->insn.mul_op)
                             ? "mul0 uses both multipliers"
                             : "has no result");
        else if (unit == GP_UNIT_MUL0 && facts->insn.mul_op == GP_MUL_COMPLEX1)
            check_report_title(&checker->out, CHECK_GP_STORE_COMPLEX1, at, CHECK_ALONE);
    }
    if (facts->insn.complex_op == GP_COMPLEX_ADDR01 && !(facts->makes >> GP_UNIT_PASS & 1))
        check_report(&checker->out, CHECK_GP_STORE_IDLE, at, CHECK_SUBJECT(GP_UNITS),
                     "addr01 takes the result of the pass unit, which is idle");
}

static void check_store_unit(struct gpc_checker *checker, uint32_t at, unsigned unit)
{
    const struct gp_insn *insn = &checker->facts[at].insn;
    bool temporary = unit ? insn->store1_temporary : insn->store0_temporary;
    bool varying = unit ? insn->store1_varying : insn->store0_varying;
    unsigned address = unit ? insn->store1_addr : insn->store0_addr;
    /* The address of an empty store is not checked, because Mesa does not clear the field when it
     * removes a store. */
    bool empty = unit ? insn->store1_src_z == GP_STORE_NONE && insn->store1_src_w == GP_STORE_NONE
                      : insn->store0_src_x == GP_STORE_NONE && insn->store0_src_y == GP_STORE_NONE;
    if (empty && (temporary || varying))
        check_report(&checker->out, CHECK_GP_STORE_EMPTY, at, CHECK_SUBJECT(unit),
                     "store unit %u is set to write a %s, but stores nothing", unit,
                     temporary ? "temporary" : "varying");
    if (empty || !temporary)
        return;
    if (varying || address)
        check_report(&checker->out, CHECK_GP_TEMPORARY_FIELDS, at, CHECK_SUBJECT(unit),
                     "store unit %u stores a temporary, but also names %s %u", unit,
                     varying ? "varying" : "register", address);
}

static void check_store_units(struct gpc_checker *checker, uint32_t at)
{
    const struct gp_insn *insn = &checker->facts[at].insn;
    check_store_unit(checker, at, 0);
    check_store_unit(checker, at, 1);
    bool both = insn->store0_temporary && insn->store1_temporary;
    if (both && insn->store0_addr != insn->store1_addr)
        check_report_title(&checker->out, CHECK_GP_TEMPORARY_ROWS, at, CHECK_ALONE);
}

/* --- the interface --- */

static void check_row(struct gpc_checker *checker, uint32_t at)
{
    const struct gpc_facts *facts = &checker->facts[at];
    uint32_t row = facts->insn.load_addr;
    if (!gp_reads(&facts->insn, GP_UNIT_ROW, 0))
        return;
    if (row >= GP_ROWS_DRIVER)
        check_report(&checker->out, CHECK_GP_ROW_DRIVER, at, CHECK_ALONE,
                     "row %u is loaded, but Mesa's driver has only %u rows", row, GP_ROWS_DRIVER);
    if (checker->interface.declared && !checker->interface.rows[row])
        check_report(&checker->out, CHECK_GP_ROW_UNDECLARED, at, CHECK_ALONE,
                     "row %u is loaded, but not declared", row);
}

static void check_attribute(struct gpc_checker *checker, uint32_t at)
{
    const struct gp_insn *insn = &checker->facts[at].insn;
    if (checker->interface.declared && insn->register0_attribute &&
        !(checker->interface.attributes >> insn->register0_addr & 1))
        check_report(&checker->out, CHECK_GP_ATTRIBUTE_UNDECLARED, at, CHECK_ALONE,
                     "attribute %u is loaded, but not declared", insn->register0_addr);
}

static void check_varying(struct gpc_checker *checker, uint32_t at, const struct gp_store *store)
{
    const struct tess_gp_symbol *varying = checker->interface.varyings[store->number];
    unsigned subject = store->number * 4u;
    if (!varying) /* all components have the same subject, so that only one finding is reported */
        check_report(&checker->out, CHECK_GP_VARYING_UNDECLARED, at, CHECK_SUBJECT(subject),
                     "varying %u is written, but not declared", store->number);
    else if (store->component >= varying->components)
        check_report(&checker->out, CHECK_GP_VARYING_UNDECLARED, at,
                     CHECK_SUBJECT(subject + store->component),
                     "%c of %s is written, but the varying is declared with %u component%s",
                     "xyzw"[store->component], varying -> name, varying -> components,
                     varying -> components == 1 ? "" : "s");
}

static bool has_temporaries(const struct gpc_interface *interface)
{
    for (unsigned i = 0; i < GP_ROWS; i++)
        if (interface->rows[i] && interface->rows[i]->kind == TESS_GP_TEMPORARY)
            return true;
    return false;
}

static void check_declared(struct gpc_checker *checker, uint32_t at)
{
    const struct gpc_facts *facts = &checker->facts[at];
    if (!checker->interface.declared)
        return;
    for (unsigned i = 0; i < facts->store_count; i++)
        if (facts->stores[i].varying && !facts->stores[i].temporary)
            check_varying(checker, at, &facts->stores[i]);
    if (facts->stores_temporary && !has_temporaries(&checker->interface))
        check_report_title(&checker->out, CHECK_GP_TEMPORARY_UNDECLARED, at, CHECK_ALONE);
}

void gpc_check_word(struct gpc_checker *checker, uint32_t at)
{
    check_opcodes(checker, at);
    check_sources(checker, at);
    check_flags(checker, at);
    check_operands(checker, at);
    check_idle(checker, at);
    check_clamp(checker, at);
    check_stores(checker, at);
    check_store_units(checker, at);
    check_row(checker, at);
    check_attribute(checker, at);
    check_declared(checker, at);
}
