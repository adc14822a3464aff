/* SPDX-License-Identifier: MIT */
/* find.c - see find.h. */
#include "a2xx/shader/find.h"

void a2xx_find_at(struct a2xx_machine *machine, enum a2xx_fault fault, uint32_t line,
                  a2xx_mask lanes, const char *format, ...)
{
    unsigned lane = first_lane(lanes);
    va_list arguments;
    if (!machine->checked && fault != A2XX_FAULT_RUNAWAY)
        return;
    va_start(arguments, format);
    item_log_note(&machine->faults, fault, line, machine->batch->base + machine->first + lane,
                  machine->executed[lane] + machine->step, count_lanes(lanes), format, arguments);
    va_end(arguments);
}
