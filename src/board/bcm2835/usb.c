/* SPDX-License-Identifier: MIT */
/* usb.c - the USB controller (DesignWare Core, DWC2), which is not modelled.
 *
 * In:  register accesses.
 * Out: a report at the first access to another register than the core's identification. All other
 *      registers read as 0.
 *
 * Kernels read the identification to find the base of the peripherals (LdB-ECM/Raspberry-Pi,
 * SmartStart32.S), before they know the board.
 *
 * Source: Linux' bcm283x.dtsi, for the addresses; rsta2/circle, lib/usb/dwhcidevice.cpp, for the
 *         identification.
 * Left out: everything else. */
#include "board/bcm2835/usb.h"

static uint32_t usb_read(void *state, const struct device_ports *ports, uint32_t offset)
{
    enum { GSNPSID = 0x40, IDENTIFICATION = 0x4f54280a };
    struct usb *s = state;
    if (offset == GSNPSID)
        return IDENTIFICATION;
    if (!s->reported)
        ports->not_modelled(ports->user, usb.base + offset, "USB is not modelled",
                            "use the UART for input and output; keyboards, mice, storage and the "
                            "Ethernet of boards with USB are not available");
    s->reported = 1;
    return 0;
}

static void usb_write(void *state, const struct device_ports *ports, uint32_t offset,
                      uint32_t value)
{
    (void)value;
    usb_read(state, ports, offset);
}

const struct device usb = {
    .name = "USB controller",
    .base = 0x980000,
    .size = 0x10000,
    .state_size = sizeof(struct usb),
    .read = usb_read,
    .write = usb_write,
};
