/* SPDX-License-Identifier: MIT */
/* pin_log.h - the file of --gpio-log: the changes of output pins. */
#ifndef CLI_PI_PIN_LOG_H
#define CLI_PI_PIN_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/output.h"

struct pin_log {
    struct output output; /* stream is NULL without --gpio-log */
    uint64_t latest;      /* time of the latest change in nanoseconds */
};

/* Opens the file, unless path is NULL. Returns false after an error message. */
bool pin_log_open(struct pin_log *log, const char *title, const char *path);

/* Writes a change at a time in nanoseconds. */
void pin_log_add(struct pin_log *log, uint64_t time, unsigned pin, bool level);

/* Closes the file. Returns false after an error message if the file could not be written. */
bool pin_log_close(struct pin_log *log);

#endif
