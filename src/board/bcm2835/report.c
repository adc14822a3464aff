/* SPDX-License-Identifier: MIT */
/* report.c - reports of accesses that several peripherals share.
 *
 * In:  a peripheral, an offset, a value.
 * Out: findings and reports by the board's ports.
 *
 * Source: "BCM2835 ARM Peripherals", section 6.3, for the password. */
#include "board/bcm2835/report.h"

#include <stdio.h>

enum { PASSWORD = 0x5a, TEXT = 160 };

uint32_t report_register(const struct device_ports *ports, const struct device *device,
                         uint32_t offset)
{
    char text[TEXT];
    snprintf(text, sizeof text, "%s: the register at 0x%03x is not modelled", device->name,
             (unsigned)offset);
    ports->not_modelled(ports->user, device->base + offset, text,
                        "use only registers that the peripheral's manual describes");
    return 0;
}

bool report_password(const struct device_ports *ports, const struct device *device, uint32_t offset,
                     uint32_t value)
{
    char text[TEXT];
    if (value >> 24 == PASSWORD)
        return true;
    snprintf(text, sizeof text, "%s: 0x%08x is written to 0x%03x without the password 0x5a",
             device->name, (unsigned)value, (unsigned)offset);
    ports->finding(ports->user, PI_PASSWORD, device->base + offset, text);
    return false;
}
