/* SPDX-License-Identifier: MIT */
/* local.h - the local controller of the BCM2836's ARM cores, at ARM address 0x40000000. */
#ifndef BOARD_BCM2835_LOCAL_H
#define BOARD_BCM2835_LOCAL_H

#include "board/bcm2835/device.h"

enum { LOCAL_CORES = 4, LOCAL_MAILBOXES = 4 };

struct local {
    uint32_t control, prescaler;
    uint32_t gpu_routing, pmu_routing, timer_routing;
    uint32_t timer_control[LOCAL_CORES], mailbox_control[LOCAL_CORES];
    uint32_t timers[LOCAL_CORES]; /* levels of the generic timers, bits 3:0 */
    uint32_t mailbox[LOCAL_CORES * LOCAL_MAILBOXES];
    uint32_t gpu; /* levels from the interrupt controller: bit 0 IRQ, bit 1 FIQ */

    /* The core timer had the value core_count at core_time, and counts core_rate per second. */
    uint64_t core_count, core_time;
    uint32_t core_rate;
    uint32_t core_high, core_low; /* halves that wait for the second access */

    /* The local timer has ended `local_periods` times since local_time. */
    uint32_t local_control, local_periods;
    uint64_t local_time;
};

extern const struct device local;

/* Returns the value of the core timer at a time in nanoseconds, which the generic timers of all
 * cores count. Times before the latest change of a setting have the value of the change. */
uint64_t local_count(const struct local *s, uint64_t now);

/* Returns the earliest time at which the core timer has a value, or DEVICE_NEVER. */
uint64_t local_time_of(const struct local *s, uint64_t count);

/* Returns the levels of a core's inputs: bit 0 IRQ, bit 1 FIQ. */
uint32_t local_levels(const struct local *s, unsigned core);

/* Sets the levels that come from the interrupt controller. */
void local_gpu(struct local *s, bool irq, bool fiq);

/* Sets the level of a generic timer of a core: 0 secure physical, 1 non-secure physical,
 * 2 hypervisor, 3 virtual. */
void local_timer(struct local *s, unsigned core, unsigned timer, bool level);

#endif
