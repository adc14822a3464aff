/* SPDX-License-Identifier: MIT */
/* sanitize_steps.c - see sanitize_steps.h. */
#include "mali/gp/sanitize_steps.h"

#include "base/bits.h"
#include "mali/gp/code.h"
#include "mali/gp/find.h"
#include "mali/gp/steps.h"

/* Declares the mask `to`, and sets it to the group's lanes for which `condition` is true.
 * `condition` is an expression that contains `lane`. */
#define LANES_WHERE(machine, to, condition)                               \
    gp_mask to = 0;                                                       \
    for (gp_mask left = (machine)->group->mask; left; left &= left - 1) { \
        unsigned lane = first_lane(left);                                 \
        to |= (gp_mask)(condition) << lane;                               \
    }

static float number(const gp_lanes *value, unsigned lane)
{
    return bits_float(((const uint32_t *)value)[lane]);
}

/* --- registers --- */

static bool is_register_on_its_way(const struct gp_group *group, uint32_t cell)
{
    for (unsigned i = 0; i < 4; i++)
        for (unsigned r = 0; r < group->landing[i].registers; r++)
            if (group->landing[i].cell[r] == cell)
                return true;
    return false;
}

void gp_step_check_register(struct gp_machine *machine, const struct gp_step *step)
{
    const struct gp_group *group = machine->group;
    gp_mask unset = group->mask & ~machine->registers_set[step->value];
    unsigned number = step->value / 4;
    char component = "xyzw"[step->value % 4];
    if (group->pending && is_register_on_its_way(group, step->value))
        gp_report(machine, FAULT_REGISTER_EARLY, group->mask,
                  "register %u.%c is read while a store to it is pending", number, component);
    if (unset)
        gp_report(machine, FAULT_REGISTER_UNSET, unset, "register %u.%c has not been written",
                  number, component);
}

void gp_step_mark_register(struct gp_machine *machine, const struct gp_step *step)
{
    machine->registers_set[step->value] |= machine->group->mask;
}

/* --- rows --- */

void gp_step_mark_address(struct gp_machine *machine, const struct gp_step *step)
{
    machine->addresses_set[step->value] |= machine->group->mask;
}

static bool is_address_on_its_way(const struct gp_group *group, uint32_t address)
{
    for (unsigned i = 0; i < 4; i++)
        for (unsigned a = 0; a < group->landing[i].addresses; a++)
            if (group->landing[i].address[a] == address)
                return true;
    return false;
}

static void check_offset(struct gp_machine *machine, uint32_t address)
{
    const struct gp_group *group = machine->group;
    gp_mask unset = group->mask & ~machine->addresses_set[address];
    if (group->pending && is_address_on_its_way(group, address))
        gp_report(machine, FAULT_ADDRESS_EARLY, group->mask,
                  "addr%u is used while a new value is pending", address);
    if (unset && machine->code->unset_addresses >> address & 1)
        gp_report(machine, FAULT_ADDRESS_UNSET, unset, "addr%u has not been set", address);
}

static uint32_t row_of(uint32_t row)
{
    return row % TESS_GP_ROWS;
}

static bool is_temporary_on_its_way(const struct gp_group *group, uint32_t row, unsigned lane)
{
    for (unsigned i = 0; i < 4; i++)
        if (group->landing[i].temporaries && row_of(group->landing[i].row[lane]) == row)
            return true;
    return false;
}

static bool is_unset(const struct gp_machine *machine, uint32_t row, unsigned lane)
{
    return !machine->row_set[row] && !(machine->stored_by[row] >> lane & 1);
}

void gp_step_check_row(struct gp_machine *machine, const struct gp_step *step)
{
    const struct gp_group *group = machine->group;
    gp_lanes row = machine->memory->address[step->b];
    if (step->b)
        check_offset(machine, step->b);
    else
        row = (gp_lanes){0};
    row += step->value;
    LANES_WHERE(machine, outside, row[lane] >= TESS_GP_ROWS)
    if (outside)
        gp_report(machine, FAULT_ROW_WRAP, outside, "row %d is loaded, but there are only %d rows",
                  (int)row[first_lane(outside)], TESS_GP_ROWS);
    LANES_WHERE(machine, unset, is_unset(machine, row_of(row[lane]), lane))
    if (unset)
        gp_report(machine, FAULT_ROW_UNSET, unset, "row %u is loaded, but has no value",
                  row_of(row[first_lane(unset)]));
    if (!group->pending)
        return;
    LANES_WHERE(machine, early, is_temporary_on_its_way(group, row_of(row[lane]), lane))
    if (early)
        gp_report(machine, FAULT_TEMPORARY_EARLY, early,
                  "row %u is loaded while a store to it is pending",
                  row_of(row[first_lane(early)]));
}

static bool is_whole(float value)
{
    return value >= -0x1p30f && value <= 0x1p30f && (float)(int32_t)value == value;
}

void gp_step_check_address(struct gp_machine *machine, const struct gp_step *step)
{
    const gp_lanes *value = gp_at(machine, step->a);
    LANES_WHERE(machine, broken, !is_whole(number(value, lane)))
    if (broken)
        gp_report(machine, FAULT_ADDRESS_FRACTION, broken, "an address register is set to %g",
                  (double)number(value, first_lane(broken)));
}

/* Reports lanes that store to a row that the program has declared as a uniform or constant. */
static void check_owner(struct gp_machine *machine, const gp_lanes *row, gp_mask lanes)
{
    LANES_WHERE(machine, owned, machine->owner[row_of((*row)[lane])] != NULL)
    owned &= lanes;
    if (!owned)
        return;
    uint32_t first = row_of((*row)[first_lane(owned)]);
    const struct tess_gp_symbol *owner = machine->owner[first];
    gp_report(machine, FAULT_TEMPORARY_ROW, owned, "the store overwrites row %u, %s '%s'", first,
              owner->kind == TESS_GP_CONSTANT ? "constant" : "uniform", owner->name);
}

void gp_step_check_temporary(struct gp_machine *machine, const struct gp_step *step)
{
    (void)step;
    const gp_lanes *row = &machine->memory->address[0];
    gp_mask unset = machine->group->mask & ~machine->addresses_set[0];
    unset = machine->code->unset_addresses & 1 ? unset : 0;
    if (unset)
        gp_report(machine, FAULT_TEMPORARY_ADDRESS, unset, "addr0 has not been set");
    LANES_WHERE(machine, outside, (*row)[lane] >= TESS_GP_ROWS)
    if (outside)
        gp_report(machine, FAULT_ROW_WRAP, outside, "row %d is stored, but there are only %d rows",
                  (int)(*row)[first_lane(outside)], TESS_GP_ROWS);
    check_owner(machine, row, ~unset);
    for (gp_mask left = machine->group->mask; left; left &= left - 1) {
        unsigned lane = first_lane(left);
        machine->stored_by[row_of((*row)[lane])] |= (gp_mask)1 << lane;
    }
}

/* --- infinities and NaN --- */

/* Returns true if no lane contains an infinity or NaN. This test is fast, and usually succeeds. */
static bool all_finite(const gp_lanes *value)
{
    const uint32_t *bits = (const uint32_t *)value;
    uint32_t odd = 0;
    for (unsigned lane = 0; lane < GP_LANES; lane++)
        odd |= (bits[lane] & 0x7f800000) == 0x7f800000;
    return !odd;
}

void gp_step_note_function(struct gp_machine *machine, const struct gp_step *step)
{
    const uint32_t *from = gp_at(machine, step->a), *made = gp_at(machine, step->b);
    if (all_finite(gp_at(machine, step->b)))
        return;
    for (gp_mask left = machine->group->mask; left; left &= left - 1) {
        unsigned lane = first_lane(left);
        if (float_bits_finite(made[lane]) || !float_bits_finite(from[lane]) ||
            machine->odd_line[lane])
            continue;
        machine->odd_line[lane] = (uint16_t)(machine->group->pc + 1);
        machine->odd_operand[lane] = from[lane];
    }
}

/* Reports a value that is not finite. If the complex unit has computed the lane's first infinity or
 * NaN, the finding is at that instruction. Otherwise the finding is at the store. */
static void find_odd(struct gp_machine *machine, const struct gp_step *step, float value,
                     unsigned lane)
{
    const char *what = step->more ? "gl_Position" : "the varying";
    uint16_t made = machine->odd_line[lane];
    uint32_t here = machine->group->pc;
    gp_mask mask = (gp_mask)1 << lane;
    if (!made) {
        gp_report(machine, FAULT_VARYING_NUMBER, mask, "%s becomes %g", what, (double)value);
        return;
    }
    machine->group->pc = made - 1u;
    gp_report(machine, FAULT_VARYING_NUMBER, mask, "%s of %g is not finite, and %s becomes %g",
              gp_complex_ops[machine->code->line[made - 1].insn.complex_op].mnemonic,
              (double)bits_float(machine->odd_operand[lane]), what, (double)value);
    machine->group->pc = here;
}

/* Checks a value that is stored to a varying. A position must be finite. Other varyings must not be
 * NaN, but may be infinite, because a later stage may limit them. */
void gp_step_check_number(struct gp_machine *machine, const struct gp_step *step)
{
    const gp_lanes *value = gp_at(machine, step->a);
    const uint32_t *bits = (const uint32_t *)value;
    if (all_finite(value))
        return;
    LANES_WHERE(machine, odd,
                step->more ? !float_bits_finite(bits[lane])
                           : (bits[lane] & 0x7fffffff) > 0x7f800000)
    for (; odd; odd &= odd - 1)
        find_odd(machine, step, number(value, first_lane(odd)), first_lane(odd));
}

void gp_step_check_w(struct gp_machine *machine, const struct gp_step *step)
{
    const gp_lanes *value = gp_at(machine, step->a);
    LANES_WHERE(machine, zero, number(value, lane) == 0)
    if (zero)
        gp_report(machine, FAULT_POSITION_ZERO, zero, "gl_Position.w, which is 1/w, becomes 0");
}

/* --- operands --- */

void gp_step_check_bounds(struct gp_machine *machine, const struct gp_step *step)
{
    const gp_lanes *low = gp_at(machine, step->a), *high = gp_at(machine, step->b);
    LANES_WHERE(machine, crossed, !(number(low, lane) <= number(high, lane)))
    if (crossed)
        gp_report(machine, FAULT_CLAMP_BOUNDS, crossed,
                  "the lower bound of clamp is %g, but the upper one is %g",
                  (double)number(low, first_lane(crossed)),
                  (double)number(high, first_lane(crossed)));
}

/* Returns true if two operands are equal as numbers, with denormals flushed. One of them may have
 * been flushed by a move. */
static bool is_same(const struct gp_machine *machine, uint32_t a, uint32_t b)
{
    return gp_number(machine, a) == gp_number(machine, b);
}

void gp_step_check_complex2(struct gp_machine *machine, const struct gp_step *step)
{
    const gp_lanes *a = gp_at(machine, step->a), *b = gp_at(machine, step->b);
    LANES_WHERE(machine, differ, !is_same(machine, (*a)[lane], (*b)[lane]))
    if (differ)
        gp_report(machine, FAULT_COMPLEX2_OPERANDS, differ,
                  "the operands of complex2 are %g and %g", (double)number(a, first_lane(differ)),
                  (double)number(b, first_lane(differ)));
}

void gp_step_keep_operand(struct gp_machine *machine, const struct gp_step *step)
{
    *(gp_lanes *)gp_at(machine, step->b) = *(const gp_lanes *)gp_at(machine, step->a);
}

static bool is_square(const struct gp_machine *machine, uint32_t square, uint32_t of)
{
    float x = bits_float(gp_number(machine, of));
    return is_same(machine, square, float_bits(x * x));
}

/* Returns true if, in all lanes, `square` is exactly the square of `of`, and `same` is exactly
 * `of`. This test is fast, and usually succeeds. */
static bool is_chain(const gp_lanes *square, const gp_lanes *same, const gp_lanes *of)
{
    const uint32_t *b = (const uint32_t *)square, *d = (const uint32_t *)same;
    const uint32_t *x = (const uint32_t *)of;
    uint32_t differ = 0;
    for (unsigned lane = 0; lane < GP_LANES; lane++)
        differ |= (float_bits(bits_float(x[lane]) * bits_float(x[lane])) ^ b[lane]) |
                  (d[lane] ^ x[lane]);
    return !differ;
}

void gp_step_check_complex1(struct gp_machine *machine, const struct gp_step *step)
{
    const struct gp_set *p1 = (const struct gp_set *)machine->base[GP_BASE_P1];
    const gp_lanes *b = gp_at(machine, step->a), *d = gp_at(machine, step->b);
    const gp_lanes *x = &p1->operand;
    /* FAULT_COMPLEX1_TOKEN has already reported a complex1 without a result of the complex unit */
    if (!machine->way[machine->group->pc].function)
        return;
    if (is_chain(b, d, x))
        return;
    LANES_WHERE(machine, wrong, !is_same(machine, (*d)[lane], (*x)[lane]))
    if (wrong)
        gp_report(machine, FAULT_COMPLEX1_OPERANDS, wrong,
                  "the fourth operand is %g, but the complex unit has read %g",
                  (double)number(d, first_lane(wrong)), (double)number(x, first_lane(wrong)));
    LANES_WHERE(machine, other, !is_square(machine, (*b)[lane], (*x)[lane]))
    if (other & ~wrong)
        gp_report(machine, FAULT_COMPLEX1_OPERANDS, other & ~wrong,
                  "the second operand is %g, not complex2 of %g",
                  (double)number(b, first_lane(other & ~wrong)),
                  (double)number(x, first_lane(other & ~wrong)));
}
