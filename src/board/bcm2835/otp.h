/* SPDX-License-Identifier: MIT */
/* otp.h - the one-time programmable memory. */
#ifndef BOARD_BCM2835_OTP_H
#define BOARD_BCM2835_OTP_H

#include "board/bcm2835/device.h"

enum { OTP_REGISTERS = 0x80 / 4 };

struct otp {
    uint32_t registers[OTP_REGISTERS];
};

extern const struct device otp;

#endif
