/* SPDX-License-Identifier: MIT */
/* pins.c - levels of GPIO pins that come from outside at given times.
 *
 * In:  values of --gpio.
 * Out: calls of a function that sets a pin. */
#include "cli/pi/pins.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/pi/until.h"

enum { LAST_PIN = 53 };

static bool read_change(const char *text, struct pin_change *change)
{
    char *end;
    unsigned long pin = strtoul(text, &end, 10);
    if (end == text || pin > LAST_PIN || *end != '=' || (end[1] != '0' && end[1] != '1'))
        return false;
    *change = (struct pin_change){.pin = (unsigned)pin, .level = end[1] == '1'};
    return !end[2] || (end[2] == '@' && until_time(end + 3, &change->time));
}

bool pins_take(const char *title, const char *text, struct pins *pins)
{
    if (pins->count == PINS_MOST) {
        cli_usage_error(title, "more than %d options --gpio", PINS_MOST);
        return false;
    }
    if (read_change(text, &pins->changes[pins->count])) {
        pins->count++;
        return true;
    }
    cli_usage_error(title,
                    "invalid value '%s' for --gpio; expected PIN=LEVEL or PIN=LEVEL@TIME, such as "
                    "17=1@2s, with pins 0 to %d and levels 0 and 1",
                    text, LAST_PIN);
    return false;
}

uint64_t pins_next(const struct pins *pins, uint64_t most)
{
    for (unsigned i = 0; i < pins->count; i++)
        if (!pins->changes[i].done && pins->changes[i].time < most)
            most = pins->changes[i].time;
    return most;
}

void pins_apply(struct pins *pins, uint64_t now, void (*set)(void *user, unsigned pin, bool level),
                void *user)
{
    for (unsigned i = 0; i < pins->count; i++) {
        struct pin_change *change = &pins->changes[i];
        if (change->done || change->time > now)
            continue;
        change->done = true;
        set(user, change->pin, change->level);
    }
}
