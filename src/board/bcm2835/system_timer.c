/* SPDX-License-Identifier: MIT */
/* system_timer.c - the system timer, which counts the microseconds since power-on.
 *
 * In:  register accesses; the board's time.
 * Out: register values; interrupt lines 0 to 3.
 *
 * Source: "BCM2835 ARM Peripherals", chapter 12; Linux' bcm2835_timer.c.
 * Modelled: the counter, and the four compare registers with their match bits and lines.
 * Left out: the firmware's own use of compare registers 0 and 2.
 * Choices: a compare register matches at once if it is set to the present count. */
#include "board/bcm2835/system_timer.h"

#include <stdio.h>

#include "board/bcm2835/report.h"

enum {
    CONTROL = 0x00,
    LOW = 0x04,
    HIGH = 0x08,
    COMPARE = 0x0c,
    END = 0x1c,
    MATCHES = (1 << SYSTEM_TIMER_COMPARES) - 1,
    FIRMWARE_MATCHES = 0x5, /* compare registers 0 and 2 */
    LATE = 1000000,         /* microseconds */
};

static void set_match(struct system_timer *s, const struct device_ports *ports, unsigned i)
{
    s->matches |= UINT32_C(1) << i;
    ports->interrupt(ports->user, (enum device_line)(LINE_TIMER0 + i), true);
}

/* Returns the microseconds from the present count to the next match, 1 to 2^32. */
static uint64_t distance(const struct system_timer *s, unsigned i)
{
    return (uint64_t)(uint32_t)(s->compare[i] - (uint32_t)s->count - 1) + 1;
}

static uint64_t timer_next(const void *state)
{
    const struct system_timer *s = state;
    uint64_t least = DEVICE_NEVER;
    for (unsigned i = 0; i < SYSTEM_TIMER_COMPARES; i++)
        if (!(s->matches >> i & 1) && distance(s, i) < least)
            least = distance(s, i);
    return least == DEVICE_NEVER || s->count + least > DEVICE_NEVER / DEVICE_MICROSECOND
               ? DEVICE_NEVER
               : (s->count + least) * DEVICE_MICROSECOND;
}

static void timer_advance(void *state, const struct device_ports *ports)
{
    struct system_timer *s = state;
    uint64_t count = ports->now(ports->user) / DEVICE_MICROSECOND;
    for (unsigned i = 0; i < SYSTEM_TIMER_COMPARES; i++)
        if (!(s->matches >> i & 1) && count - s->count >= distance(s, i))
            set_match(s, ports, i);
    s->count = count;
}

static uint32_t timer_read(void *state, const struct device_ports *ports, uint32_t offset)
{
    const struct system_timer *s = state;
    switch (offset) {
    case CONTROL: return s->matches;
    case LOW: return (uint32_t)s->count;
    case HIGH: return (uint32_t)(s->count >> 32);
    default:
        return offset < END ? s->compare[(offset - COMPARE) / 4]
                            : report_register(ports, &system_timer, offset);
    }
}

static bool timer_counter_at(const void *state, uint32_t offset, uint64_t time, uint64_t *count)
{
    (void)state;
    *count = time / DEVICE_MICROSECOND >> (offset == HIGH ? 32 : 0);
    return offset == LOW || offset == HIGH;
}

static void clear_matches(struct system_timer *s, const struct device_ports *ports, uint32_t value)
{
    for (unsigned i = 0; i < SYSTEM_TIMER_COMPARES; i++)
        if (s->matches & value & UINT32_C(1) << i)
            ports->interrupt(ports->user, (enum device_line)(LINE_TIMER0 + i), false);
    s->matches &= ~value;
}

static void check_compare(const struct system_timer *s, const struct device_ports *ports,
                          unsigned i)
{
    char text[160];
    uint32_t offset = system_timer.base + COMPARE + i * 4;
    uint32_t late = (uint32_t)s->count - s->compare[i];
    if (FIRMWARE_MATCHES >> i & 1) {
        snprintf(text, sizeof text, "compare register %u of the system timer is written", i);
        ports->finding(ports->user, PI_TIMER_FIRMWARE, offset, text);
    }
    if (s->compare[i] != 0 && late != 0 && late <= LATE) {
        snprintf(text, sizeof text, "compare register %u is set to a time %u microseconds ago", i,
                 (unsigned)late);
        ports->finding(ports->user, PI_TIMER_PAST, offset, text);
    }
}

static void timer_write(void *state, const struct device_ports *ports, uint32_t offset,
                        uint32_t value)
{
    struct system_timer *s = state;
    if (offset == CONTROL) {
        clear_matches(s, ports, value & MATCHES);
    } else if (offset >= COMPARE && offset < END) {
        unsigned i = (offset - COMPARE) / 4;
        s->compare[i] = value;
        check_compare(s, ports, i);
        if (value == (uint32_t)s->count)
            set_match(s, ports, i);
    } else if (offset >= END) {
        report_register(ports, &system_timer, offset);
    }
}

const struct device system_timer = {
    .name = "system timer",
    .base = 0x3000,
    .size = 0x1000,
    .state_size = sizeof(struct system_timer),
    .read = timer_read,
    .write = timer_write,
    .counter_at = timer_counter_at,
    .next = timer_next,
    .advance = timer_advance,
};
