/* SPDX-License-Identifier: MIT */
/* names.h - names of peripherals by address, for reports of those that are not modelled. */
#ifndef BOARD_BCM2835_NAMES_H
#define BOARD_BCM2835_NAMES_H

#include <stdint.h>

/* Returns the name of the peripheral at an offset in bytes from the peripheral base, or NULL if no
 * peripheral is known there. */
const char *peripheral_name(uint32_t offset);

#endif
