/* SPDX-License-Identifier: MIT */
/* slots.c - see slots.h. */
#include "isa/gp/slots.h"

_Static_assert(GP_FIELDS <= 64, "a bit for each field");

static const char *const slot_names[GP_SLOTS] = {
    [GP_SLOT_LOAD0] = "load unit 0 (attr, reg0)",
    [GP_SLOT_LOAD1] = "load unit 1 (reg1)",
    [GP_SLOT_ROW] = "the memory unit (unif, temp)",
    [GP_SLOT_MUL0] = "mul0",
    [GP_SLOT_MUL1] = "mul1",
    [GP_SLOT_ACC0] = "acc0",
    [GP_SLOT_ACC1] = "acc1",
    [GP_SLOT_COMPLEX] = "complex",
    [GP_SLOT_PASS] = "pass",
    [GP_SLOT_STORE0] = "store0",
    [GP_SLOT_STORE1] = "store1",
    [GP_SLOT_BRANCH] = "branch",
    [GP_SLOT_NOP] = "nop",
};

static bool has_slot(const struct gp_build *build, enum gp_slot slot)
{
    return build->slots >> slot & 1;
}

void gp_build_begin(struct gp_build *build)
{
    *build = (struct gp_build){.insn = gp_nop()};
}

bool gp_build_slot(struct gp_build *build, enum gp_slot slot, size_t offset,
                   struct asm_error *error)
{
    if (has_slot(build, slot))
        return asm_fail(error, "gp-slot-twice", offset,
                        "use another unit, or begin the next instruction with a line without ';'",
                        "%s is already used in this instruction", slot_names[slot]);
    if (slot == GP_SLOT_MUL1 && has_slot(build, GP_SLOT_MUL0) && gp_is_wide(build->insn.mul_op))
        return asm_fail(error, "gp-wide", offset, "move the operation to another instruction",
                        "mul0.%s uses both multipliers, so mul1 is not free",
                        gp_mul_ops[build->insn.mul_op].mnemonic);
    unsigned nop = 1u << GP_SLOT_NOP;
    if (build->slots != 0 && (slot == GP_SLOT_NOP || (build->slots & nop)))
        return asm_fail(error, "gp-nop", offset, "remove nop; units without a slot are idle",
                        "nop must be the only slot of its instruction");
    build->slots |= 1u << slot;
    return true;
}

static enum gp_slot other_acc(enum gp_slot slot)
{
    return slot == GP_SLOT_ACC0 ? GP_SLOT_ACC1 : GP_SLOT_ACC0;
}

bool gp_build_acc_op(struct gp_build *build, enum gp_slot slot, enum gp_acc_op op, size_t offset,
                     struct asm_error *error)
{
    enum gp_slot other = other_acc(slot);
    if (has_slot(build, other) && build->insn.acc_op != op)
        return asm_fail(error, "gp-acc-op", offset,
                        "move one of the two operations to another instruction; mov counts as add",
                        "the two accumulators share one operation; %s has '%s'", slot_names[other],
                        gp_acc_ops[build->insn.acc_op].mnemonic);
    build->insn.acc_op = (uint16_t)op;
    return true;
}

bool gp_build_mul_op(struct gp_build *build, enum gp_slot slot, enum gp_mul_op op, size_t offset,
                     struct asm_error *error)
{
    if (gp_is_wide(op) && has_slot(build, GP_SLOT_MUL1))
        return asm_fail(
            error, "gp-wide", offset, "move one of the two operations to another instruction",
            "mul0.%s uses both multipliers, but mul1 is already used", gp_mul_ops[op].mnemonic);
    /* mul1 always multiplies, independent of mul0's operation. */
    if (slot == GP_SLOT_MUL0)
        build->insn.mul_op = (uint16_t)op;
    return true;
}

bool gp_build_flags(struct gp_build *build, unsigned flags, size_t offset, struct asm_error *error)
{
    if (build->insn.unknown_1 != GP_FLAGS_NONE && build->insn.unknown_1 != flags)
        return asm_fail(error, "gp-unknown-1", offset,
                        "move one of the two operations to another instruction",
                        "a branch needs unknown_1 = %d, but a temporary store needs %d",
                        GP_FLAGS_BRANCH, GP_FLAGS_TEMPORARY);
    build->insn.unknown_1 = (uint16_t)flags;
    return true;
}

void gp_build_branch(struct gp_build *build, unsigned target)
{
    build->insn.branch = 1;
    gp_set_branch_target(&build->insn, target);
}

bool gp_build_field(struct gp_build *build, unsigned field, unsigned value, size_t offset,
                    struct asm_error *error)
{
    uint64_t bit = UINT64_C(1) << field;
    if (build->fields & bit)
        return asm_fail(error, "gp-slot-twice", offset, NULL,
                        "field.%s is already set in this instruction", gp_fields[field].name);
    build->fields |= bit;
    gp_field_set(&build->forced, field, value);
    return true;
}

struct gp_insn gp_build_end(const struct gp_build *build)
{
    struct gp_insn insn = build->insn;
    for (unsigned i = 0; i < GP_FIELDS; i++)
        if (build->fields >> i & 1)
            gp_field_set(&insn, i, gp_field_get(&build->forced, i));
    return insn;
}

/* The load units. `instead` names the register or row that is loaded if the instruction has no slot
 * for the unit. */
static const struct {
    enum gp_unit unit;
    enum gp_slot slot;
    unsigned field; /* a "field." slot that sets this field also counts as the load */
    const char *operand, *instead, *hint;
} loads[] = {
    {GP_UNIT_LOAD0, GP_SLOT_LOAD0, GP_FIELD_register0_addr, "attr (or reg0)", "register 0",
     "add load.attr or load.reg0 to the instruction"},
    {GP_UNIT_LOAD1, GP_SLOT_LOAD1, GP_FIELD_register1_addr, "reg1", "register 0",
     "add load.reg1 to the instruction"},
    {GP_UNIT_ROW, GP_SLOT_ROW, GP_FIELD_load_addr, "unif (or temp)", "row 0",
     "add load.unif to the instruction"},
};

bool gp_build_has_loads(const struct gp_build *build, struct asm_error *error)
{
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++) {
        bool named = has_slot(build, loads[i].slot) || build->fields >> loads[i].field & 1;
        if (!named && gp_reads(&build->insn, loads[i].unit, 0))
            return asm_fail(
                error, "gp-load-missing", 0, loads[i].hint,
                "the instruction reads %s, but has no load for it; without a load, it reads %s",
                loads[i].operand, loads[i].instead);
    }
    return true;
}

/* Returns the name of a load that the instruction reads but only the preceding instruction has.
 * Returns NULL if there is no such load. */
static const char *load_before(const struct gp_build *build, const struct gp_build *before)
{
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++)
        if (!has_slot(build, loads[i].slot) && has_slot(before, loads[i].slot) &&
            gp_reads(&build->insn, loads[i].unit, 0))
            return loads[i].operand;
    return NULL;
}

/* Returns the name of a unit whose result the instruction stores, but which has a result only in
 * the preceding instruction. Returns NULL if there is no such unit. */
static const char *result_before(const struct gp_build *build, const struct gp_build *before)
{
    struct gp_store stores[GP_STORES_MAX];
    unsigned count = gp_stores(&build->insn, stores);
    for (unsigned i = 0; i < count; i++) {
        enum gp_unit unit = gp_store_sources[stores[i].source].unit;
        if (gp_store_sources[stores[i].source].words && !gp_makes_result(&build->insn, unit) &&
            gp_makes_result(&before->insn, unit))
            return gp_unit_name(unit);
    }
    return NULL;
}

bool gp_build_stands_alone(const struct gp_build *build, const struct gp_build *before,
                           struct asm_error *error)
{
    if (build->slots & before->slots)
        return true;
    const char *load = load_before(build, before), *unit = result_before(build, before);
    static const char hint[] = "begin the line with ';' to continue the preceding instruction";
    if (load)
        return asm_fail(error, "gp-line-alone", 0, hint,
                        "this line begins an instruction that reads %s, which only the preceding "
                        "instruction loads",
                        load);
    return !unit || asm_fail(error, "gp-line-alone", 0, hint,
                             "this line begins an instruction that stores %s, which has a result "
                             "only in the preceding instruction",
                             unit);
}
