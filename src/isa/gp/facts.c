/* SPDX-License-Identifier: MIT */
/* facts.c - see facts.h. */
#include "isa/gp/facts.h"

struct gp_source_row gp_operand_row(unsigned code, enum gp_place place)
{
    if (place == GP_SECOND && gp_is_identity(code))
        return (struct gp_source_row){.words = "the identity"};
    return place == GP_STORED ? gp_store_sources[code % 8] : gp_sources[code % GP_SOURCES];
}

bool gp_is_unused(unsigned source)
{
    return source == GP_SRC_UNUSED || source == GP_SRC_UNUSED_ALIAS;
}

/* --- results --- */

bool gp_makes_result(const struct gp_insn *insn, enum gp_unit unit)
{
    switch (unit) {
    case GP_UNIT_ACC0: return !gp_is_unused(insn->acc0_src0);
    case GP_UNIT_ACC1: return !gp_is_unused(insn->acc1_src0);
    case GP_UNIT_MUL0: return !gp_is_unused(insn->mul0_src0);
    case GP_UNIT_MUL1: return !gp_is_unused(insn->mul1_src0) && !gp_is_wide(insn->mul_op);
    case GP_UNIT_PASS: return !gp_is_unused(insn->pass_src);
    case GP_UNIT_COMPLEX:
        return !gp_is_unused(insn->complex_src) && insn->complex_op != GP_COMPLEX_NONE &&
               insn->complex_op != GP_COMPLEX_ADDR01;
    default: return false;
    }
}

/* --- operands --- */

struct listing {
    struct gp_operand *list;
    unsigned count;
};

static void list(struct listing *to, enum gp_unit by, unsigned number, unsigned source)
{
    bool paired = by == GP_UNIT_ACC0 || by == GP_UNIT_ACC1 || by == GP_UNIT_MUL0 ||
                  by == GP_UNIT_MUL1;
    to->list[to->count++] = (struct gp_operand){
        .by = by,
        .number = (uint8_t)number,
        .source = (uint8_t)source,
        .identity = paired && number % 2 == 1 && gp_is_identity(source),
    };
}

/* Lists the operands of the multipliers. An operation without a row in ops.def has no operands in
 * the list. */
static void list_multipliers(struct listing *to, const struct gp_insn *insn)
{
    const unsigned sources[] = {insn->mul0_src0, insn->mul0_src1, insn->mul1_src0, insn->mul1_src1};
    const struct gp_op *op = &gp_mul_ops[insn->mul_op];
    if (gp_makes_result(insn, GP_UNIT_MUL0))
        for (unsigned i = 0; i < op->operands; i++)
            list(to, GP_UNIT_MUL0, i, sources[i]);
    if (gp_makes_result(insn, GP_UNIT_MUL1) && op->mnemonic)
        for (unsigned i = 0; i < 2; i++)
            list(to, GP_UNIT_MUL1, i, sources[2 + i]);
}

static void list_accumulator(struct listing *to, const struct gp_insn *insn, enum gp_unit unit,
                             unsigned first, unsigned second)
{
    if (!gp_makes_result(insn, unit))
        return;
    const unsigned operands = gp_acc_ops[insn->acc_op].operands;
    if (operands > 0)
        list(to, unit, 0, first);
    if (operands > 1)
        list(to, unit, 1, second);
}

static void list_pass(struct listing *to, const struct gp_insn *insn)
{
    if (!gp_makes_result(insn, GP_UNIT_PASS) || !gp_pass_ops[insn->pass_op].mnemonic)
        return;
    list(to, GP_UNIT_PASS, 0, insn->pass_src);
    if (insn->pass_op == GP_PASS_CLAMP) {
        list(to, GP_UNIT_PASS, 1, GP_SRC_ROW_X);
        list(to, GP_UNIT_PASS, 2, GP_SRC_ROW_Y);
    }
}

unsigned gp_operands(const struct gp_insn *insn, struct gp_operand out[GP_OPERANDS_MAX])
{
    struct listing to = {.list = out};
    list_multipliers(&to, insn);
    list_accumulator(&to, insn, GP_UNIT_ACC0, insn->acc0_src0, insn->acc0_src1);
    list_accumulator(&to, insn, GP_UNIT_ACC1, insn->acc1_src0, insn->acc1_src1);
    if (gp_makes_result(insn, GP_UNIT_COMPLEX) && gp_complex_ops[insn->complex_op].mnemonic)
        list(&to, GP_UNIT_COMPLEX, 0, insn->complex_src);
    list_pass(&to, insn);
    return to.count;
}

unsigned gp_reads(const struct gp_insn *insn, enum gp_unit unit, unsigned back)
{
    struct gp_operand list[GP_OPERANDS_MAX];
    unsigned count = gp_operands(insn, list), components = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct gp_source_row *source = &gp_sources[list[i].source];
        if (!list[i].identity && source->unit == unit && source->back == back)
            components |= source->component ? 1u << (list[i].source & 3) : 1u;
    }
    return components;
}

/* --- stores, rows, address registers --- */

unsigned gp_stores(const struct gp_insn *insn, struct gp_store stores[GP_STORES_MAX])
{
    const unsigned sources[GP_STORES_MAX] = {insn->store0_src_x, insn->store0_src_y,
                                             insn->store1_src_z, insn->store1_src_w};
    unsigned count = 0;
    for (unsigned component = 0; component < GP_STORES_MAX; component++) {
        bool first = component < 2;
        if (sources[component] == GP_STORE_NONE)
            continue;
        stores[count++] = (struct gp_store){
            .temporary = first ? insn->store0_temporary : insn->store1_temporary,
            .varying = first ? insn->store0_varying : insn->store1_varying,
            .number = (uint8_t)(first ? insn->store0_addr : insn->store1_addr),
            .component = (uint8_t)component,
            .source = (uint8_t)sources[component],
        };
    }
    return count;
}

/* Adds a component to the delayed write of its store unit. */
static unsigned add_delayed(struct gp_delayed *list, unsigned count, const struct gp_store *store)
{
    struct gp_delayed delayed = {
        .target = store->temporary ? GP_TARGET_TEMPORARY : GP_TARGET_REGISTER,
        .number = store->temporary ? 0 : store->number,
        .latency = store->temporary ? GP_TEMPORARY_LATENCY : GP_REGISTER_LATENCY,
    };
    unsigned half = 3u << (store->component & 2);
    if (count == 0 || !(list[count - 1].components & half))
        list[count++] = delayed;
    list[count - 1].components |= (uint8_t)(1u << store->component);
    return count;
}

unsigned gp_delayed_writes(const struct gp_insn *insn, struct gp_delayed list[GP_DELAYED_MAX])
{
    struct gp_store stores[GP_STORES_MAX];
    unsigned count = 0, components = gp_stores(insn, stores), set = gp_addresses_set(insn);
    for (unsigned n = 1; n <= 3; n++)
        if (set >> n & 1)
            list[count++] = (struct gp_delayed){GP_TARGET_ADDRESS, (uint8_t)n, 0,
                                                GP_TEMPORARY_LATENCY};
    for (unsigned i = 0; i < components; i++)
        if (stores[i].temporary || !stores[i].varying)
            count = add_delayed(list, count, &stores[i]);
    return count;
}

unsigned gp_row_offset(const struct gp_insn *insn)
{
    return insn->load_offset >= 1 && insn->load_offset <= 3 ? insn->load_offset : 0;
}

unsigned gp_addresses_set(const struct gp_insn *insn)
{
    if (insn->complex_op == GP_COMPLEX_ADDR01)
        return 1u << 0 | 1u << 1;
    bool sets = gp_makes_result(insn, GP_UNIT_COMPLEX) && insn->complex_op >= GP_COMPLEX_ADDR0;
    return sets ? 1u << (insn->complex_op - GP_COMPLEX_ADDR0) : 0;
}

/* --- names --- */

const char *gp_unit_name(enum gp_unit unit)
{
    static const char *const names[GP_UNITS] = {
        [GP_UNIT_NONE] = "nothing",      [GP_UNIT_LOAD0] = "load unit 0",
        [GP_UNIT_LOAD1] = "load unit 1", [GP_UNIT_ROW] = "the row load",
        [GP_UNIT_ACC0] = "acc0",         [GP_UNIT_ACC1] = "acc1",
        [GP_UNIT_MUL0] = "mul0",         [GP_UNIT_MUL1] = "mul1",
        [GP_UNIT_COMPLEX] = "complex",   [GP_UNIT_PASS] = "pass",
    };
    return names[unit];
}
