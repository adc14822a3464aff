/* SPDX-License-Identifier: MIT */
/* smi.c - the secondary memory interface (SMI), by which the firmware reports vertical
 * syncs.
 *
 * In:  time; register accesses.
 * Out: the SMI's interrupt at each vertical sync, until CS is cleared.
 *
 * Source: raspberrypi/firmware, issue 67: with fake_vsync_isr=1 in config.txt, the firmware
 *         triggers the SMI's interrupt (48) at each vertical sync, and the handler writes 0 to CS.
 *         Linux' vc4_firmware_kms.c: bits 11:9 of CS are 1 then.
 * Modelled: this interrupt.
 * Left out: transfers, and all registers but CS.
 * Choices: the display has 60 frames a second; the first one begins at power-on. */
#include "board/bcm2835/smi.h"

#include "board/bcm2835/rate.h"
#include "board/bcm2835/report.h"

enum { CS = 0x00, INTERRUPTS = 7 << 9, FRAME_RATE = 60 };

static uint64_t smi_next(const void *state)
{
    const struct smi *s = state;
    return s->on && !s->control ? rate_time(s->frames + 1, FRAME_RATE) : DEVICE_NEVER;
}

static void smi_advance(void *state, const struct device_ports *ports)
{
    struct smi *s = state;
    uint64_t frames = rate_ticks(ports->now(ports->user), FRAME_RATE);
    bool begins = s->on && frames > s->frames;
    s->frames = frames;
    if (!begins || s->control)
        return;
    s->control = INTERRUPTS;
    ports->interrupt(ports->user, LINE_SMI, true);
}

static uint32_t smi_read(void *state, const struct device_ports *ports, uint32_t offset)
{
    const struct smi *s = state;
    return offset == CS ? s->control : report_register(ports, &smi, offset);
}

static void smi_write(void *state, const struct device_ports *ports, uint32_t offset,
                      uint32_t value)
{
    struct smi *s = state;
    if (offset != CS) {
        report_register(ports, &smi, offset);
        return;
    }
    if (value != 0)
        ports->not_modelled(ports->user, smi.base + CS,
                            "SMI: CS is written, but transfers are not modelled",
                            "write 0 to CS, after an interrupt at a vertical sync");
    s->control = 0;
    ports->interrupt(ports->user, LINE_SMI, false);
}

const struct device smi = {
    .name = "secondary memory interface (SMI)",
    .base = 0x600000,
    .size = 0x1000,
    .state_size = sizeof(struct smi),
    .read = smi_read,
    .write = smi_write,
    .next = smi_next,
    .advance = smi_advance,
};
