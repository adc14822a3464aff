/* SPDX-License-Identifier: MIT */
/* pins.h - levels of GPIO pins that come from outside at given times: --gpio. */
#ifndef CLI_PI_PINS_H
#define CLI_PI_PINS_H

#include <stdbool.h>
#include <stdint.h>

#include <stdint.h>

enum { PINS_MOST = 256 };

struct pins {
    struct pin_change {
        uint64_t time; /* nanoseconds */
        unsigned pin;
        bool level, done;
    } changes[PINS_MOST];
    unsigned count;
};

/* Reads PIN=LEVEL or PIN=LEVEL@TIME. Returns false after an error message. */
bool pins_take(const char *title, const char *text, struct pins *pins);

/* Returns the time of the next change, or `most` if none is earlier. */
uint64_t pins_next(const struct pins *pins, uint64_t most);

/* Applies the changes up to a time, by a function that sets a pin. */
void pins_apply(struct pins *pins, uint64_t now, void (*set)(void *user, unsigned pin, bool level),
                void *user);

#endif
