/* SPDX-License-Identifier: MIT */
/* steps.c - see steps.h.
 *
 * Pending writes are kept in a ring of four landings, one for each of the next four instructions.
 * Delays are at most four instructions, so the ring never overflows.
 * Source:  docs/hardware/utgard.md, sections 6 to 8. */
#include "mali/gp/steps.h"

#include <string.h>

#include "base/bits.h"

enum { ROW_BITS = TESS_GP_ROWS - 1 };

/* --- rows --- */

uint32_t gp_row_component(const struct gp_machine *machine, uint32_t row, unsigned component,
                          unsigned lane)
{
    uint32_t bits;
    if (machine->stored[row])
        return machine->temporaries[row][component][lane];
    memcpy(&bits, &machine->rows[row][component], sizeof bits);
    return gp_number(machine, bits);
}

static uint32_t row_of_lane(const struct gp_machine *machine, const struct gp_step *step,
                            unsigned lane)
{
    uint32_t offset = step->b ? machine->memory->address[step->b][lane] : 0;
    return (step->value + offset) & ROW_BITS;
}

void gp_step_load_row(struct gp_machine *machine, const struct gp_step *step)
{
    struct gp_set *now = (struct gp_set *)machine->base[GP_BASE_NOW];
    FOR_LANES(lane, machine->group->mask)
    {
        uint32_t row = row_of_lane(machine, step, (unsigned)lane);
        for (unsigned c = 0; c < GP_COMPONENTS; c++)
            if (step->more >> c & 1)
                gp_each(&now->row[c])[lane] = gp_row_component(machine, row, c, (unsigned)lane);
    }
}

/* Creates a separate copy of the row for each lane. Called before the first store to the row. */
static void own_row(struct gp_machine *machine, uint32_t row)
{
    if (machine->stored[row])
        return;
    for (unsigned c = 0; c < GP_COMPONENTS; c++) {
        gp_lanes zero = {0};
        machine->temporaries[row][c] = zero + gp_row_component(machine, row, c, 0);
    }
    machine->stored[row] = true;
    machine->stored_rows[machine->stored_count++] = (uint16_t)row;
}

/* --- delayed writes --- */

static struct gp_landing *landing(struct gp_machine *machine, unsigned instructions)
{
    struct gp_group *group = machine->group;
    group->pending = true;
    return &group->landing[(group->cycle + instructions) % 4];
}

static void blend(gp_lanes *to, const gp_lanes *from, gp_mask mask)
{
    FOR_LANES(lane, mask)
    gp_each(to)[lane] = (*from)[lane];
}

void gp_step_send_register(struct gp_machine *machine, const struct gp_step *step)
{
    struct gp_landing *to = landing(machine, GP_REGISTER_LATENCY);
    to->register_value[to->registers] = *(const gp_lanes *)gp_at(machine, step->a);
    to->cell[to->registers++] = (uint8_t)step->value;
}

void gp_step_send_temporary(struct gp_machine *machine, const struct gp_step *step)
{
    struct gp_landing *to = landing(machine, GP_TEMPORARY_LATENCY);
    to->row = machine->memory->address[0];
    FOR_LANES(lane, machine->group->mask)
    own_row(machine, to->row[lane] & ROW_BITS);
    to->temporary_value[to->temporaries] = *(const gp_lanes *)gp_at(machine, step->a);
    to->component[to->temporaries++] = (uint8_t)step->value;
}

/* Rounds a number down to an integer. NaN becomes 0. Numbers outside of -2^30 to 2^30 become -2^30
 * or 2^30. Both limits are far outside of the range of row numbers. */
static int32_t whole_number(uint32_t bits)
{
    const float limit = 0x1p30f;
    float value = bits_float(bits);
    if (value != value)
        return 0;
    if (value >= limit)
        return (int32_t)limit;
    if (value <= -limit)
        return (int32_t)-limit;
    int32_t whole = (int32_t)value;
    return whole - ((float)whole > value);
}

static void whole_numbers(gp_lanes *whole, const gp_lanes *value)
{
    for (unsigned lane = 0; lane < GP_LANES; lane++)
        gp_each(whole)[lane] = (uint32_t)whole_number((*value)[lane]);
}

void gp_step_set_address(struct gp_machine *machine, const struct gp_step *step)
{
    gp_lanes value;
    whole_numbers(&value, gp_at(machine, step->a));
    blend(&machine->memory->address[step->value], &value, machine->group->mask);
}

void gp_step_send_address(struct gp_machine *machine, const struct gp_step *step)
{
    struct gp_landing *to = landing(machine, GP_TEMPORARY_LATENCY);
    whole_numbers(&to->address_value[to->addresses], gp_at(machine, step->a));
    to->address[to->addresses++] = (uint8_t)step->value;
}

static void land_temporaries(struct gp_machine *machine, const struct gp_landing *from,
                             gp_mask mask)
{
    FOR_LANES(lane, mask)
    {
        uint32_t row = from->row[lane] & ROW_BITS;
        for (unsigned i = 0; i < from->temporaries; i++)
            gp_each(&machine->temporaries[row][from->component[i]])[lane] =
                from->temporary_value[i][lane];
    }
}

static void land(struct gp_machine *machine, const struct gp_landing *from, gp_mask mask)
{
    for (unsigned i = 0; i < from->registers; i++)
        blend(&machine->memory->registers[from->cell[i]], &from->register_value[i], mask);
    for (unsigned i = 0; i < from->addresses; i++)
        blend(&machine->memory->address[from->address[i]], &from->address_value[i], mask);
    if (from->temporaries)
        land_temporaries(machine, from, mask);
}

static bool is_empty(const struct gp_landing *landing)
{
    return !landing->registers && !landing->temporaries && !landing->addresses;
}

static void empty(struct gp_landing *landing)
{
    landing->registers = landing->temporaries = landing->addresses = 0;
}

void gp_land(struct gp_machine *machine, struct gp_group *group)
{
    struct gp_landing *due = &group->landing[group->cycle % 4];
    land(machine, due, group->mask);
    empty(due);
    group->pending = false;
    for (unsigned i = 0; i < 4; i++)
        group->pending |= !is_empty(&group->landing[i]);
}

/* Performs all pending writes, the oldest first. All writes of one kind have the same delay, so an
 * older write also takes effect first. */
void gp_land_all(struct gp_machine *machine, const struct gp_group *group, gp_mask lanes)
{
    for (unsigned i = 0; i < 4; i++)
        land(machine, &group->landing[(group->cycle + i) % 4], lanes);
}

void gp_landing_clear(struct gp_group *group)
{
    for (unsigned i = 0; i < 4; i++)
        empty(&group->landing[i]);
    group->pending = false;
}
