/* SPDX-License-Identifier: MIT */
/* all.h - a board with all peripherals of src/board/bcm2835, for the test of the findings' examples
 * and for the fuzz target. New peripherals are added to all_devices. */
#ifndef TESTS_BCM2835_ALL_H
#define TESTS_BCM2835_ALL_H

#include <stdlib.h>
#include <string.h>

#include "board/bcm2835/arm_timer.h"
#include "board/bcm2835/auxiliary.h"
#include "board/bcm2835/clocks.h"
#include "board/bcm2835/dma.h"
#include "board/bcm2835/emmc.h"
#include "board/bcm2835/gpio.h"
#include "board/bcm2835/i2c.h"
#include "board/bcm2835/intc.h"
#include "board/bcm2835/local.h"
#include "board/bcm2835/otp.h"
#include "board/bcm2835/pcm.h"
#include "board/bcm2835/power.h"
#include "board/bcm2835/pwm.h"
#include "board/bcm2835/rng.h"
#include "board/bcm2835/sdhost.h"
#include "board/bcm2835/smi.h"
#include "board/bcm2835/spi.h"
#include "board/bcm2835/system_timer.h"
#include "board/bcm2835/thermal.h"
#include "board/bcm2835/uart.h"
#include "board/bcm2835/usb.h"
#include "board/bcm2835/video.h"
#include "board/pi/pi.h"

static const struct device *const all_devices[] = {
    &arm_timer,    &asb,          &aux,  &clocks, &dma,         &dma15, &emmc,
    &gpio,         &i2c0,         &i2c1, &i2c2,   &intc,        &local, &otp,
    &pcm,          &power,        &pwm,  &rng,    &sdhost,      &spi,   &system_timer,
    &thermal,      &uart,         &usb,  &hdmi,   &hdmi_clocks, &hvs,   &pixel_valve0,
    &pixel_valve1, &pixel_valve2, &txp,  &vec,    &smi,
};

enum {
    ALL_DEVICES = sizeof all_devices / sizeof *all_devices,
    ALL_RAM = 0x10000,
    ALL_CARD = 0x10000,
    ALL_CHANGES = 1000, /* most changes in one wait */
    ALL_DEPTH = 4,      /* most accesses within an access */
};

#define ALL_BUS UINT32_C(0x7e000000)

struct all {
    uint64_t time;
    void *states[ALL_DEVICES];
    struct device_ports ports;
    unsigned depth;
    unsigned findings, not_modelled;
    enum pi_finding finding; /* the latest */
    uint8_t ram[ALL_RAM], card[ALL_CARD];
};

static inline uint64_t all_now(void *user)
{
    const struct all *a = user;
    return a->time;
}

static inline void all_interrupt(void *user, enum device_line line, bool level)
{
    struct all *a = user;
    if ((unsigned)line >= LINE_COUNT)
        abort();
    for (unsigned i = 0; i < ALL_DEVICES; i++)
        if (all_devices[i]->line)
            all_devices[i]->line(a->states[i], &a->ports, line, level);
}

static inline void all_request(void *user, enum device_request request, bool level)
{
    struct all *a = user;
    if ((unsigned)request >= REQUEST_COUNT)
        abort();
    for (unsigned i = 0; i < ALL_DEVICES && a->depth < ALL_DEPTH; i++)
        if (all_devices[i]->requested) {
            a->depth++;
            all_devices[i]->requested(a->states[i], &a->ports, request, level);
            a->depth--;
        }
}

static inline uint8_t *all_ram(void *user, uint32_t bus, uint32_t size)
{
    struct all *a = user;
    uint32_t address = bus & PI_ADDRESS;
    return address < ALL_RAM && size <= ALL_RAM - address ? a->ram + address : NULL;
}

static inline void all_advance(struct all *a, unsigned i)
{
    if (all_devices[i]->advance)
        all_devices[i]->advance(a->states[i], &a->ports);
}

/* Returns the number of the device at an offset from the peripheral base, or ALL_DEVICES. */
static inline unsigned all_find(uint32_t offset)
{
    unsigned i = 0;
    while (i < ALL_DEVICES && offset - all_devices[i]->base >= all_devices[i]->size)
        i++;
    return i;
}

/* Reads or writes the register at an offset of device i. */
static inline uint32_t all_access(struct all *a, unsigned i, uint32_t offset, bool write,
                                  uint32_t value)
{
    const struct device *device = all_devices[i];
    if (a->depth >= ALL_DEPTH)
        return 0;
    a->depth++;
    all_advance(a, i);
    if (write && device->write)
        device->write(a->states[i], &a->ports, offset, value);
    else if (!write && device->read)
        value = device->read(a->states[i], &a->ports, offset);
    a->depth--;
    return value;
}

static inline uint32_t all_read(void *user, uint32_t bus)
{
    uint32_t offset = (bus - ALL_BUS) & ~UINT32_C(3);
    unsigned i = all_find(offset);
    return i < ALL_DEVICES ? all_access(user, i, offset - all_devices[i]->base, false, 0) : 0;
}

static inline void all_write(void *user, uint32_t bus, uint32_t value)
{
    uint32_t offset = (bus - ALL_BUS) & ~UINT32_C(3);
    unsigned i = all_find(offset);
    if (i < ALL_DEVICES)
        all_access(user, i, offset - all_devices[i]->base, true, value);
}

static inline void all_output(void *user, enum device_output output, uint32_t value)
{
    (void)user;
    (void)output;
    (void)value;
}

static inline uint32_t all_clock_rate(void *user, unsigned clock)
{
    (void)user;
    return clock == TESS_PI_CLOCK_UART ? 48000000 : 250000000;
}

static inline void all_finding(void *user, enum pi_finding finding, uint32_t offset,
                               const char *text)
{
    struct all *a = user;
    (void)offset;
    (void)text;
    if ((unsigned)finding >= PI_FINDINGS)
        abort();
    a->finding = finding;
    a->findings++;
}

static inline void all_not_modelled(void *user, uint32_t offset, const char *text,
                                    const char *instead)
{
    struct all *a = user;
    (void)offset;
    if (!text || !instead)
        abort();
    a->not_modelled++;
}

static inline bool all_card_read(void *user, uint64_t position, void *to, uint32_t size)
{
    const struct all *a = user;
    bool inside = position < ALL_CARD && size <= ALL_CARD - position;
    if (inside)
        memcpy(to, a->card + position, size);
    return inside;
}

static inline bool all_card_write(void *user, uint64_t position, const void *from, uint32_t size)
{
    struct all *a = user;
    bool inside = position < ALL_CARD && size <= ALL_CARD - position;
    if (inside)
        memcpy(a->card + position, from, size);
    return inside;
}

static inline void all_close(struct all *a)
{
    for (unsigned i = 0; i < ALL_DEVICES; i++)
        free(a->states[i]);
}

/* Creates the board after power-on. */
static inline void all_open(struct all *a)
{
    memset(a, 0, sizeof *a);
    a->ports = (struct device_ports){
        .user = a,
        .now = all_now,
        .interrupt = all_interrupt,
        .request = all_request,
        .ram = all_ram,
        .read = all_read,
        .write = all_write,
        .output = all_output,
        .clock_rate = all_clock_rate,
        .finding = all_finding,
        .not_modelled = all_not_modelled,
        .card_read = all_card_read,
        .card_write = all_card_write,
    };
    for (unsigned i = 0; i < ALL_DEVICES; i++)
        if (!(a->states[i] = calloc(1, all_devices[i]->state_size + 1)))
            abort();
    for (unsigned i = 0; i < ALL_DEVICES; i++)
        if (all_devices[i]->reset)
            all_devices[i]->reset(a->states[i], &a->ports);
}

/* Gives an input to all peripherals. */
static inline void all_input(struct all *a, enum device_input input, uint32_t value)
{
    for (unsigned i = 0; i < ALL_DEVICES; i++)
        if (all_devices[i]->input)
            all_devices[i]->input(a->states[i], &a->ports, input, value);
}

static inline uint64_t all_next(const struct all *a)
{
    uint64_t least = DEVICE_NEVER;
    for (unsigned i = 0; i < ALL_DEVICES; i++) {
        uint64_t next = all_devices[i]->next ? all_devices[i]->next(a->states[i]) : DEVICE_NEVER;
        least = next < least ? next : least;
    }
    return least;
}

/* Lets time pass, with at most ALL_CHANGES changes before its end. */
static inline void all_wait(struct all *a, uint64_t nanoseconds)
{
    uint64_t end = a->time + nanoseconds, next;
    for (unsigned n = 0; n < ALL_CHANGES && (next = all_next(a)) <= end; n++) {
        a->time = next > a->time ? next : a->time;
        for (unsigned i = 0; i < ALL_DEVICES; i++)
            all_advance(a, i);
    }
    a->time = end;
    for (unsigned i = 0; i < ALL_DEVICES; i++)
        all_advance(a, i);
}

#endif
