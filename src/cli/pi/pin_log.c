/* SPDX-License-Identifier: MIT */
/* pin_log.c - see pin_log.h.
 *
 * In:  changes of output pins.
 * Out: lines of comma-separated values: seconds since power-on, pin, level. */
#include "cli/pi/pin_log.h"

#include <inttypes.h>

#define SECOND UINT64_C(1000000000)

bool pin_log_open(struct pin_log *log, const char *title, const char *path)
{
    if (!path)
        return true;
    if (!output_open(&log->output, title, path))
        return false;
    fputs("time,pin,level\n", log->output.stream);
    return true;
}

void pin_log_add(struct pin_log *log, uint64_t time, unsigned pin, bool level)
{
    fprintf(log->output.stream, "%" PRIu64 ".%09" PRIu64 ",%u,%d\n", time / SECOND, time % SECOND,
            pin, level);
    log->latest = time;
}

bool pin_log_close(struct pin_log *log)
{
    return !log->output.stream || output_close(&log->output);
}
