/* SPDX-License-Identifier: MIT */
/* intc.h - the ARM's interrupt controller. */
#ifndef BOARD_BCM2835_INTC_H
#define BOARD_BCM2835_INTC_H

#include "board/bcm2835/device.h"

struct intc {
    uint64_t level, enabled;         /* bit n: GPU interrupt n */
    uint32_t arm_level, arm_enabled; /* bit n: line LINE_ARM_TIMER + n */
    uint32_t fiq;                    /* the register FIQ control */
    uint32_t vsync;                  /* 1 if the firmware triggers LINE_SMI: fake_vsync_isr=1 */
};

extern const struct device intc;

/* Return the levels of the ARM's inputs IRQ and FIQ. */
bool intc_irq(const struct intc *s);
bool intc_fiq(const struct intc *s);

#endif
