/* SPDX-License-Identifier: MIT */
/* smi.h - the secondary memory interface (SMI), by which the firmware reports vertical
 * syncs. */
#ifndef BOARD_BCM2835_SMI_H
#define BOARD_BCM2835_SMI_H

#include "board/bcm2835/device.h"

struct smi {
    uint32_t on;      /* 1 if the firmware interrupts at vertical syncs: fake_vsync_isr=1 */
    uint32_t control; /* CS */
    uint64_t frames;  /* vertical syncs since power-on */
};

extern const struct device smi;

#endif
