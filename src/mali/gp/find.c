/* SPDX-License-Identifier: MIT */
/* find.c - see find.h. */
#include "mali/gp/find.h"

void gp_find_at(struct gp_machine *machine, enum fault_rule rule, uint32_t line, gp_mask lanes,
                const char *format, ...)
{
    const struct gp_group *group = machine->group;
    unsigned lane = first_lane(lanes);
    va_list arguments;
    va_start(arguments, format);
    item_log_note(&machine->faults, rule, line, machine->batch->base + machine->first_vertex + lane,
                  group->cycle + machine->offset[lane], count_lanes(lanes), format, arguments);
    va_end(arguments);
}
