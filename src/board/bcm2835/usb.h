/* SPDX-License-Identifier: MIT */
/* usb.h - the USB controller, which is not modelled. */
#ifndef BOARD_BCM2835_USB_H
#define BOARD_BCM2835_USB_H

#include "board/bcm2835/device.h"

struct usb {
    uint32_t reported; /* 1 after the report */
};

extern const struct device usb;

#endif
