/* SPDX-License-Identifier: MIT */
/* report.h - reports of accesses to registers that a peripheral does not have. */
#ifndef BOARD_BCM2835_REPORT_H
#define BOARD_BCM2835_REPORT_H

#include "board/bcm2835/device.h"
#include "board/pi/pi.h"

/* Reports an access to a register that is not modelled. offset is in bytes from the peripheral's
 * base. Returns 0, the value that a read returns. */
uint32_t report_register(const struct device_ports *ports, const struct device *device,
                         uint32_t offset);

/* Checks the password 0x5a in bits 31:24 of a value that is written. Reports a wrong password, and
 * returns false. */
bool report_password(const struct device_ports *ports, const struct device *device, uint32_t offset,
                     uint32_t value);

#endif
