/* SPDX-License-Identifier: MIT */
/* timer.c - the system timer, which counts the microseconds since power-on.
 *
 * In:  register accesses; the caller's clock, if the options have one.
 * Out: register values.
 *
 * Source: "BCM2835 ARM Peripherals", chapter 12.
 * Left out: interrupts. A compare register only stores the value that a program writes.
 * Choices: without a clock from the caller, the time is derived from V3D's clock, which stops while
 *          no program runs. Each read therefore adds a microsecond, so that waiting loops end. */
#include "board/pi/pi.h"

enum { CONTROL = TESS_PI_TIMER, COMPARE = TESS_PI_TIMER + 0x0c };

static uint64_t now(struct tess_pi *pi)
{
    if (pi->options.time)
        return pi->options.time(pi->options.time_user);
    struct tess_vc4_stats stats;
    tess_vc4_get_stats(pi->vc4, &stats);
    uint32_t clocks = tess_pi_clock_rate(pi, TESS_PI_CLOCK_V3D) / 1000000;
    return stats.clocks / (clocks ? clocks : 1) + pi->timer_reads++;
}

uint32_t pi_timer_read(struct tess_pi *pi, uint32_t offset)
{
    switch (offset) {
    case CONTROL: return 0;
    case TESS_PI_TIMER_LOW: return (uint32_t)now(pi);
    case TESS_PI_TIMER_HIGH: return (uint32_t)(now(pi) >> 32);
    default: return pi->timer_compare[(offset - COMPARE) / 4];
    }
}

void pi_timer_write(struct tess_pi *pi, uint32_t offset, uint32_t value)
{
    if (offset >= COMPARE)
        pi->timer_compare[(offset - COMPARE) / 4] = value;
}
