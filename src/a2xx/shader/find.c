/* SPDX-License-Identifier: MIT */
/* find.c - see find.h. */
#include "a2xx/shader/find.h"

static void note(struct a2xx_machine *machine, enum a2xx_fault fault, uint32_t line,
                 a2xx_mask lanes, const char *format, va_list arguments)
{
    unsigned lane = first_lane(lanes);
    if (!machine->checked && fault != A2XX_FAULT_RUNAWAY)
        return;
    item_log_note(&machine->faults, fault, line, machine->batch->base + machine->first + lane,
                  machine->executed[lane] + machine->step, count_lanes(lanes), format, arguments);
}

void a2xx_find(struct a2xx_machine *machine, enum a2xx_fault fault, a2xx_mask lanes,
               const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    note(machine, fault, machine->line, lanes, format, arguments);
    va_end(arguments);
}

void a2xx_find_export(struct a2xx_machine *machine, enum a2xx_fault fault, unsigned number,
                      a2xx_mask lanes, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    note(machine, fault, A2XX_FAULT_NO_LINE + number, lanes, format, arguments);
    va_end(arguments);
}
