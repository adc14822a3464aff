/* SPDX-License-Identifier: MIT */
/* otp.c - the registers of the one-time programmable memory.
 *
 * In:  register accesses.
 * Out: register values, and a report that the contents are not modelled.
 *
 * Source: elinux.org's page "BCM2835 registers", for the offsets. The hardware has no public
 *         manual.
 * Modelled: registers that keep what is written; the status, which is always done.
 * Left out: the contents. All rows read as 0, and a report names the mailbox tags instead. */
#include "board/bcm2835/otp.h"

enum { STATUS = 0x10, DATA = 0x18, STATUS_DONE = 1 };

static uint32_t otp_read(void *state, const struct device_ports *ports, uint32_t offset)
{
    const struct otp *s = state;
    if (offset == STATUS)
        return STATUS_DONE;
    if (offset != DATA)
        return s->registers[offset / 4];
    ports->not_modelled(ports->user, otp.base + offset,
                        "the contents of the one-time programmable memory are not modelled",
                        "read the board's revision and serial number by the mailbox tags 0x10002 "
                        "and 0x10004, and the customer's rows by tag 0x30021");
    return 0;
}

static void otp_write(void *state, const struct device_ports *ports, uint32_t offset,
                      uint32_t value)
{
    struct otp *s = state;
    (void)ports;
    s->registers[offset / 4] = value;
}

const struct device otp = {
    .name = "one-time programmable memory",
    .base = 0x20f000,
    .size = OTP_REGISTERS * 4,
    .state_size = sizeof(struct otp),
    .read = otp_read,
    .write = otp_write,
};
