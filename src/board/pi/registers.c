/* SPDX-License-Identifier: MIT */
/* registers.c - the peripherals whose registers programs can access: mailbox 0, V3D and the
 * system timer.
 *
 * In:  register accesses.
 * Out: register values; replies in property buffers.
 *
 * Source: "BCM2835 ARM Peripherals", chapters 12 (system timer) and 1.2 (addresses); the mailbox
 *         page of the firmware's wiki; Linux' bcm2835-mailbox.c for the interrupt of mailbox 0;
 *         asurati/x03 for 0xdeadbeef.
 * Left out: all other peripherals; mailbox channels other than 0, 1 and 8. */
#include "board/pi/pi.h"

#include <stdio.h>

#include "base/bits.h"

enum {
    CHANNEL_POWER = 0,
    CHANNEL_FRAMEBUFFER = 1,
    CHANNEL_PROPERTY = 8,
    CHANNEL_MASK = 15,
    STATUS_FULL = -0x7fffffff - 1,
    STATUS_EMPTY = 1 << 30,
    MAX_BUFFER = 1 << 20, /* bytes; real requests are below 4 KiB */
    CONFIG_DATA_INTERRUPT = 1 << 0,
    CONFIG_DATA_PENDING = 1 << 4,
    TIMER_SIZE = 0x1c,
    V3D_SIZE = 0x1000,
};

#define V3D_OFF UINT32_C(0xdeadbeef)

static void property_request(struct tess_pi *pi, uint32_t address)
{
    uint8_t *head = tess_vc4_memory(pi->vc4, address, 8);
    uint32_t size = head ? load_le32(head) : 0;
    uint8_t *buffer = size >= 12 && size <= MAX_BUFFER ? tess_vc4_memory(pi->vc4, address, size)
                                                       : NULL;
    if (buffer) {
        pi_property(pi, buffer, size, address);
        return;
    }
    pi_fault(pi, PI_MAILBOX_BUFFER, address,
             "the property buffer is not mapped or has an invalid size");
    if (head)
        store_le32(head + 4, PI_RESPONSE_ERROR);
}

static uint32_t mail_read(struct tess_pi *pi)
{
    if (pi->count == 0) {
        pi_fault(pi, PI_MAILBOX_EMPTY, TESS_PI_MAIL_READ, "mailbox 0 is read while it is empty");
        return 0;
    }
    uint32_t value = pi->queue[pi->first];
    pi->first = (pi->first + 1) % PI_MAIL_QUEUE;
    pi->count--;
    return value;
}

/* Queues an answer of a channel. */
static void answer(struct tess_pi *pi, uint32_t value)
{
    if (pi->count == PI_MAIL_QUEUE) {
        pi_fault(pi, PI_MAILBOX_FULL, TESS_PI_MAIL_WRITE,
                 "mailbox 0 is full of unread answers; the oldest answer is lost");
        pi->first = (pi->first + 1) % PI_MAIL_QUEUE;
        pi->count--;
    }
    pi->queue[(pi->first + pi->count++) % PI_MAIL_QUEUE] = value;
}

static void mail_write(struct tess_pi *pi, uint32_t value)
{
    uint32_t channel = value & CHANNEL_MASK, data = value & ~(uint32_t)CHANNEL_MASK;
    switch (channel) {
    case CHANNEL_POWER: answer(pi, pi_legacy_power(pi, data) | channel); break;
    case CHANNEL_FRAMEBUFFER: answer(pi, pi_legacy_framebuffer(pi, data) | channel); break;
    case CHANNEL_PROPERTY:
        property_request(pi, data);
        answer(pi, value);
        break;
    default:
        pi_not_modelled(
            pi, "use the property interface, channel 8", TESS_PI_MAIL_WRITE,
            "only mailbox channels 0 (power), 1 (framebuffer) and 8 (property tags, ARM "
            "to VideoCore) are modelled");
    }
}

static uint32_t mail_status(const struct tess_pi *pi)
{
    return (pi->count == 0 ? (uint32_t)STATUS_EMPTY : 0) |
           (pi->count == PI_MAIL_QUEUE ? (uint32_t)STATUS_FULL : 0);
}

bool pi_mailbox_interrupt(const struct tess_pi *pi)
{
    return pi->mail_config & CONFIG_DATA_INTERRUPT && pi->count != 0;
}

static uint32_t mail_config(const struct tess_pi *pi)
{
    return pi->mail_config | (pi_mailbox_interrupt(pi) ? CONFIG_DATA_PENDING : 0);
}

static void unknown_peripheral(struct tess_pi *pi, uint32_t offset)
{
    pi_not_modelled(pi, "only mailbox 0, the system timer and V3D are modelled", offset,
                    "access to a peripheral that is not modelled");
}

static bool is_v3d(uint32_t offset)
{
    return offset - TESS_PI_V3D < V3D_SIZE;
}

static bool is_timer(uint32_t offset)
{
    return offset - TESS_PI_TIMER < TIMER_SIZE && offset % 4 == 0;
}

/* Returns true if an offset is that of a mailbox's read or write register. The register repeats in
 * 16 bytes; PeterLemon/RaspberryPi writes at MAIL_WRITE + 8. */
static bool is_mail(uint32_t offset, uint32_t mail)
{
    return offset - mail < 16 && offset % 4 == 0;
}

/* Returns true if V3D is switched on. Otherwise reports a finding, since V3D's registers do not
 * respond while V3D is switched off. */
static bool v3d_on(struct tess_pi *pi, uint32_t offset)
{
    const char *name = tess_vc4_register_name(offset - TESS_PI_V3D);
    char text[96];
    if (tess_pi_v3d_enabled(pi))
        return true;
    snprintf(text, sizeof text, "access to %s while V3D is switched off",
             name ? name : "an unknown register of V3D");
    pi_fault(pi, PI_V3D_OFF, offset, text);
    return false;
}

static uint32_t v3d_read(struct tess_pi *pi, uint32_t offset)
{
    pi->starting = false;
    return v3d_on(pi, offset) ? tess_vc4_read(pi->vc4, offset - TESS_PI_V3D) : V3D_OFF;
}

/* Counts starts of programs. Several programs queued in a row count as one start. */
static void note_start(struct tess_pi *pi, uint32_t v3d_offset)
{
    if (v3d_offset == V3D_SRQUA || v3d_offset == V3D_SRQUL)
        return;
    bool starts = v3d_offset == V3D_SRQPC;
    pi->starts.registers += starts && !pi->starting;
    pi->starting = starts;
}

static void v3d_write(struct tess_pi *pi, uint32_t offset, uint32_t value)
{
    if (!v3d_on(pi, offset))
        return;
    note_start(pi, offset - TESS_PI_V3D);
    tess_vc4_write(pi->vc4, offset - TESS_PI_V3D, value);
}

uint32_t tess_pi_read(struct tess_pi *pi, uint32_t offset)
{
    if (is_v3d(offset))
        return v3d_read(pi, offset);
    if (is_timer(offset))
        return pi_timer_read(pi, offset);
    if (is_mail(offset, TESS_PI_MAIL_READ))
        return mail_read(pi);
    switch (offset) {
    case TESS_PI_MAIL_STATUS: return mail_status(pi);
    case TESS_PI_MAIL_CONFIG: return mail_config(pi);
    case TESS_PI_MAIL_STATUS_1: return 0; /* neither full nor empty: requests execute at once */
    default: unknown_peripheral(pi, offset); return 0;
    }
}

void tess_pi_write(struct tess_pi *pi, uint32_t offset, uint32_t value)
{
    if (is_v3d(offset)) {
        v3d_write(pi, offset, value);
    } else if (is_timer(offset)) {
        pi_timer_write(pi, offset, value);
    } else if (is_mail(offset, TESS_PI_MAIL_WRITE)) {
        mail_write(pi, value);
    } else if (offset == TESS_PI_MAIL_CONFIG) {
        pi->mail_config = value & CONFIG_DATA_INTERRUPT;
    } else {
        unknown_peripheral(pi, offset);
    }
}
