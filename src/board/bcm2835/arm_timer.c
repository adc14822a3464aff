/* SPDX-License-Identifier: MIT */
/* arm_timer.c - the ARM's timer, and the free-running counter beside it.
 *
 * In:  register accesses; the core clock's rate.
 * Out: register values; the interrupt line LINE_ARM_TIMER.
 *
 * Source: "BCM2835 ARM Peripherals", chapter 14, and its errata; "ARM Dual-Timer Module (SP804)".
 * Modelled: the timer with pre-divider, prescaler and reload; the free-running counter.
 * Left out: the stop in debug mode.
 * Choices: a period has one tick more than the load value, since the reload takes a tick. A change
 *          of the core clock has an effect from the next access. */
#include "board/bcm2835/arm_timer.h"

#include "board/bcm2835/rate.h"
#include "board/bcm2835/report.h"

enum {
    LOAD = 0x00,
    VALUE = 0x04,
    CONTROL = 0x08,
    CLEAR = 0x0c,
    RAW = 0x10,
    MASKED = 0x14,
    RELOAD = 0x18,
    DIVIDER = 0x1c,
    FREE_COUNTER = 0x20,

    CONTROL_32_BITS = 1 << 1,
    CONTROL_INTERRUPT = 1 << 5,
    CONTROL_ENABLE = 1 << 7,
    CONTROL_FREE = 1 << 9,
    CONTROL_BITS = 0x00ff03ae,
    CONTROL_RESET = 0x003e0020,
    DIVIDER_BITS = 0x3ff,
    DIVIDER_RESET = 0x7d,
};

/* Returns the number of core clocks in a tick of the timer. */
static uint64_t tick_clocks(const struct arm_timer *s)
{
    static const uint32_t prescalers[] = {1, 16, 256, 1}; /* by bits 3:2 of the control register */
    return ((uint64_t)s->divider + 1) * prescalers[s->control >> 2 & 3];
}

static uint32_t limited(const struct arm_timer *s, uint32_t value)
{
    return s->control & CONTROL_32_BITS ? value : value & 0xffff;
}

static uint64_t period(const struct arm_timer *s)
{
    return (uint64_t)limited(s, s->load) + 1;
}

static uint64_t ticks(const struct arm_timer *s, uint64_t now)
{
    return rate_ticks(now - s->start, s->rate) / tick_clocks(s);
}

static uint32_t value(const struct arm_timer *s, uint64_t now)
{
    if (!(s->control & CONTROL_ENABLE))
        return limited(s, s->stopped);
    uint64_t left = s->zero - ticks(s, now);
    return left == period(s) ? 0 : (uint32_t)left; /* a whole period before 0 is the last 0 */
}

static uint32_t free_counter(const struct arm_timer *s, uint64_t now)
{
    uint32_t divider = (s->control >> 16 & 0xff) + 1;
    if (!(s->control & CONTROL_FREE))
        return s->free_count;
    return s->free_count + (uint32_t)(rate_ticks(now - s->free_start, s->rate) / divider);
}

static void set_line(const struct arm_timer *s, const struct device_ports *ports)
{
    ports->interrupt(ports->user, LINE_ARM_TIMER, s->pending && s->control & CONTROL_INTERRUPT);
}

/* Lets both counters continue from these values with the present settings. */
static void restart(struct arm_timer *s, const struct device_ports *ports, uint32_t count,
                    uint32_t free_count)
{
    s->rate = ports->clock_rate(ports->user, TESS_PI_CLOCK_CORE);
    s->start = s->free_start = ports->now(ports->user);
    s->stopped = count;
    s->zero = limited(s, count);
    s->free_count = free_count;
}

static void arm_timer_reset(void *state, const struct device_ports *ports)
{
    struct arm_timer *s = state;
    s->control = CONTROL_RESET;
    s->divider = DIVIDER_RESET;
    restart(s, ports, 0, 0);
}

static uint64_t arm_timer_next(const void *state)
{
    const struct arm_timer *s = state;
    if (!(s->control & CONTROL_ENABLE) || s->pending || s->zero > UINT64_MAX / tick_clocks(s))
        return DEVICE_NEVER;
    return rate_after(s->start, rate_time(s->zero * tick_clocks(s), s->rate));
}

static void arm_timer_advance(void *state, const struct device_ports *ports)
{
    struct arm_timer *s = state;
    uint64_t now = ports->now(ports->user);
    uint64_t passed = ticks(s, now);
    if (s->control & CONTROL_ENABLE && passed >= s->zero) {
        s->zero += ((passed - s->zero) / period(s) + 1) * period(s);
        s->pending = 1;
        set_line(s, ports);
    }
    if (s->rate != ports->clock_rate(ports->user, TESS_PI_CLOCK_CORE))
        restart(s, ports, value(s, now), free_counter(s, now));
}

static uint32_t arm_timer_read(void *state, const struct device_ports *ports, uint32_t offset)
{
    const struct arm_timer *s = state;
    switch (offset) {
    case LOAD:
    case RELOAD: return s->load;
    case VALUE: return value(s, ports->now(ports->user));
    case CONTROL: return s->control;
    case CLEAR: return 0; /* write-only */
    case RAW: return s->pending;
    case MASKED: return s->pending && s->control & CONTROL_INTERRUPT;
    case DIVIDER: return s->divider;
    case FREE_COUNTER: return free_counter(s, ports->now(ports->user));
    default: return report_register(ports, &arm_timer, offset);
    }
}

/* Stores the value that the counter has at a time, now or later, and the number of later reloads
 * above it. */
static bool value_at(const struct arm_timer *s, uint64_t time, uint64_t *count)
{
    struct arm_timer later = *s;
    uint64_t passed = ticks(s, time);
    uint64_t reloads = passed < s->zero ? 0 : (passed - s->zero) / period(s) + 1;
    later.zero += reloads * period(s);
    *count = reloads << 32 | value(&later, time);
    return s->control & CONTROL_ENABLE;
}

static bool arm_timer_counter_at(const void *state, uint32_t offset, uint64_t time, uint64_t *count)
{
    const struct arm_timer *s = state;
    if (offset == VALUE)
        return value_at(s, time, count);
    *count = free_counter(s, time);
    return offset == FREE_COUNTER;
}

/* Changes the control register or the divider. Both counters continue from their values. */
static void set_setting(struct arm_timer *s, const struct device_ports *ports, uint32_t *setting,
                        uint32_t word)
{
    uint64_t now = ports->now(ports->user);
    uint32_t count = s->control & CONTROL_ENABLE ? value(s, now) : s->stopped;
    uint32_t free_count = free_counter(s, now);
    *setting = word;
    restart(s, ports, count, free_count);
    set_line(s, ports);
}

static void arm_timer_write(void *state, const struct device_ports *ports, uint32_t offset,
                            uint32_t word)
{
    struct arm_timer *s = state;
    switch (offset) {
    case LOAD:
        s->load = word;
        restart(s, ports, word, free_counter(s, ports->now(ports->user)));
        return;
    case RELOAD: s->load = word; return;
    case CONTROL: set_setting(s, ports, &s->control, word & CONTROL_BITS); return;
    case DIVIDER: set_setting(s, ports, &s->divider, word & DIVIDER_BITS); return;
    case CLEAR:
        s->pending = 0;
        set_line(s, ports);
        return;
    case VALUE:
    case RAW:
    case MASKED:
    case FREE_COUNTER: return; /* read-only */
    default: report_register(ports, &arm_timer, offset);
    }
}

const struct device arm_timer = {
    .name = "ARM timer",
    .base = 0xb400,
    .size = 0x100,
    .state_size = sizeof(struct arm_timer),
    .reset = arm_timer_reset,
    .read = arm_timer_read,
    .write = arm_timer_write,
    .counter_at = arm_timer_counter_at,
    .next = arm_timer_next,
    .advance = arm_timer_advance,
};
