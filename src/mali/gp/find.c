/* SPDX-License-Identifier: MIT */
/* find.c - see find.h. */
#include "mali/gp/find.h"

static void note(struct gp_machine *machine, enum fault_rule rule, uint32_t line, gp_mask lanes,
                 const char *format, va_list arguments)
{
    const struct gp_group *group = machine->group;
    unsigned lane = first_lane(lanes);
    item_log_note(&machine->faults, rule, line, machine->batch->base + machine->first_vertex + lane,
                  group->cycle + machine->offset[lane], count_lanes(lanes), format, arguments);
}

void gp_report(struct gp_machine *machine, enum fault_rule rule, gp_mask lanes, const char *format,
               ...)
{
    va_list arguments;
    va_start(arguments, format);
    note(machine, rule, machine->group->pc, lanes, format, arguments);
    va_end(arguments);
}

void gp_find_at(struct gp_machine *machine, enum fault_rule rule, unsigned number, gp_mask lanes,
                const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    note(machine, rule, FAULT_NO_LINE + number, lanes, format, arguments);
    va_end(arguments);
}
