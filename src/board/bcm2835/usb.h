/* SPDX-License-Identifier: MIT */
/* usb.h - the USB controller, whose port is empty. */
#ifndef BOARD_BCM2835_USB_H
#define BOARD_BCM2835_USB_H

#include "board/bcm2835/device.h"

enum { USB_CHANNELS = 8, USB_REGISTERS = 40 };

struct usb_channel {
    uint32_t control, split, interrupt, mask, size, address;
};

struct usb {
    uint32_t registers[USB_REGISTERS]; /* values, in the order of the table of usb.c */
    struct usb_channel channel[USB_CHANNELS];
    uint32_t port;     /* HPRT */
    uint32_t level;    /* of the interrupt line */
    uint32_t reported; /* 1 after the report that the port is empty */
};

extern const struct device usb;

#endif
