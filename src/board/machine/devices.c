/* SPDX-License-Identifier: MIT */
/* devices.c - the peripherals of the board: the table of devices, and the calls of their functions.
 *
 * In:  accesses, lines, requests, the present time.
 * Out: the same, passed to the devices that they concern. */
#include "board/machine/machine.h"

#include <stdio.h>
#include <string.h>

#include "board/bcm2835/names.h"
#include "board/pi/pi.h"

#define STATE(member) offsetof(struct machine_states, member)

/* The devices, in the order in which they advance. The interrupt controllers receive lines. */
static const struct {
    const struct device *device;
    size_t state;
} table[] = {
    {&intc, STATE(intc)},
    {&system_timer, STATE(system_timer)},
    {&arm_timer, STATE(arm_timer)},
    {&dma, STATE(dma)},
    {&dma15, STATE(dma15)},
    {&gpio, STATE(gpio)},
    {&uart, STATE(uart)},
    {&power, STATE(power)},
    {&asb, STATE(asb)},
    {&emmc, STATE(emmc)},
    {&sdhost, STATE(sdhost)},
    {&aux, STATE(aux)},
    {&clocks, STATE(clocks)},
    {&otp, STATE(otp)},
    {&pcm, STATE(pcm)},
    {&pwm, STATE(pwm)},
    {&rng, STATE(rng)},
    {&thermal, STATE(thermal)},
    {&usb, STATE(usb)},
    {&i2c0, STATE(i2c[0])},
    {&i2c1, STATE(i2c[1])},
    {&i2c2, STATE(i2c[2])},
    {&spi, STATE(spi)},
    {&smi, STATE(smi)},
    {&hvs, STATE(hvs)},
    {&pixel_valve0, STATE(valve[0])},
    {&pixel_valve1, STATE(valve[1])},
    {&pixel_valve2, STATE(valve[2])},
    {&hdmi, STATE(hdmi)},
    {&hdmi_clocks, STATE(hdmi_clocks)},
    {&vec, STATE(vec)},
    {&txp, STATE(txp)},
};

enum { DEVICES = sizeof table / sizeof table[0], FIQ_ENABLE = 1 << 7 };

static void *state_of(struct tess_pi_machine *machine, unsigned index)
{
    return (char *)&machine->states + table[index].state;
}

static const void *const_state_of(const struct tess_pi_machine *machine, unsigned index)
{
    return (const char *)&machine->states + table[index].state;
}

void machine_reset_devices(struct tess_pi_machine *machine)
{
    memset(&machine->states, 0, sizeof machine->states);
    if (local.reset)
        local.reset(&machine->states.local, &machine->ports);
    for (unsigned i = 0; i < DEVICES; i++)
        if (table[i].device->reset)
            table[i].device->reset(state_of(machine, i), &machine->ports);
}

/* Returns the index of the device at an offset, or DEVICES. */
static unsigned device_at(uint32_t offset)
{
    unsigned i = 0;
    while (i < DEVICES && offset - table[i].device->base >= table[i].device->size)
        i++;
    return i;
}

static void advance_one(struct tess_pi_machine *machine, unsigned index)
{
    if (table[index].device->advance)
        table[index].device->advance(state_of(machine, index), &machine->ports);
}

static bool is_mailbox(uint32_t offset)
{
    return offset - TESS_PI_MAILBOX < 0x40;
}

/* Returns true for the registers of the mailboxes and of the V3D. */
static bool is_of_firmware(uint32_t offset)
{
    return is_mailbox(offset) || offset - TESS_PI_V3D < 0x1000;
}

static void update_mailbox(struct tess_pi_machine *machine, uint32_t offset)
{
    if (is_mailbox(offset))
        machine_line(machine, LINE_ARM_MAILBOX, pi_mailbox_interrupt(machine->pi));
}

/* The board has one SD card, on the pins of both controllers. Its state is with the controller that
 * has used it last. */
static void move_card(struct tess_pi_machine *machine, const struct device *user)
{
    struct machine_states *states = &machine->states;
    if (user == &sdhost && !states->card_in_sdhost)
        states->sdhost.card = states->emmc.card;
    if (user == &emmc && states->card_in_sdhost)
        states->emmc.card = states->sdhost.card;
    if (user == &sdhost || user == &emmc)
        states->card_in_sdhost = user == &sdhost;
}

static void report_unknown(struct tess_pi_machine *machine, uint32_t offset)
{
    char text[128];
    const char *name = peripheral_name(offset);
    snprintf(text, sizeof text, "the kernel accesses %s, which is not modelled",
             name ? name : "an address without a peripheral");
    pi_not_modelled(machine->pi,
                    "docs/pi-machine.md lists the peripherals that the model has; use one of them",
                    offset, text);
}

uint32_t machine_device_read(struct tess_pi_machine *machine, uint32_t offset)
{
    unsigned i = device_at(offset);
    if (i == DEVICES && is_of_firmware(offset)) {
        uint32_t value = tess_pi_read(machine->pi, offset);
        update_mailbox(machine, offset);
        return value;
    }
    if (i == DEVICES) {
        report_unknown(machine, offset);
        return 0;
    }
    advance_one(machine, i);
    const struct device *device = table[i].device;
    move_card(machine, device);
    return device->read ? device->read(state_of(machine, i), &machine->ports, offset - device->base)
                        : 0;
}

bool machine_device_counter_at(const struct tess_pi_machine *machine, uint32_t offset,
                               uint64_t time, uint64_t *count)
{
    unsigned i = device_at(offset);
    const struct device *device = i == DEVICES ? NULL : table[i].device;
    return device && device->counter_at &&
           device->counter_at(const_state_of(machine, i), offset - device->base, time, count);
}

void machine_device_write(struct tess_pi_machine *machine, uint32_t offset, uint32_t value)
{
    unsigned i = device_at(offset);
    if (i == DEVICES) {
        if (is_of_firmware(offset))
            tess_pi_write(machine->pi, offset, value);
        else
            report_unknown(machine, offset);
        update_mailbox(machine, offset);
        return;
    }
    advance_one(machine, i);
    const struct device *device = table[i].device;
    move_card(machine, device);
    if (device->write)
        device->write(state_of(machine, i), &machine->ports, offset - device->base, value);
    if (device == &intc)
        machine_update_lines(machine);
}

void machine_advance(struct tess_pi_machine *machine)
{
    for (unsigned i = 0; i < DEVICES; i++)
        advance_one(machine, i);
    if (local.advance)
        local.advance(&machine->states.local, &machine->ports);
    machine_update_lines(machine);
}

static uint64_t next_of(const struct device *device, const void *state)
{
    return device->next ? device->next(state) : DEVICE_NEVER;
}

uint64_t machine_next(const struct tess_pi_machine *machine)
{
    uint64_t next = next_of(&local, &machine->states.local);
    for (unsigned i = 0; i < DEVICES; i++) {
        uint64_t own = next_of(table[i].device, const_state_of(machine, i));
        if (own < next)
            next = own;
    }
    return next;
}

bool machine_devices_are_quiet(const struct tess_pi_machine *machine)
{
    const struct intc *lines = &machine->states.intc;
    bool interrupts = lines->enabled || lines->arm_enabled || (lines->fiq & FIQ_ENABLE);
    for (unsigned i = 0; i < DEVICES; i++) {
        const struct device *device = table[i].device;
        bool timer = device == &system_timer || device == &arm_timer || device == &smi;
        if ((!timer || interrupts) && next_of(device, const_state_of(machine, i)) != DEVICE_NEVER)
            return false;
    }
    return !interrupts && next_of(&local, &machine->states.local) == DEVICE_NEVER;
}

void machine_input(struct tess_pi_machine *machine, enum device_input input, uint32_t value)
{
    for (unsigned i = 0; i < DEVICES; i++)
        if (table[i].device->input) {
            advance_one(machine, i);
            table[i].device->input(state_of(machine, i), &machine->ports, input, value);
        }
    machine_update_lines(machine);
}

void machine_line(struct tess_pi_machine *machine, enum device_line line, bool level)
{
    for (unsigned i = 0; i < DEVICES; i++)
        if (table[i].device->line)
            table[i].device->line(state_of(machine, i), &machine->ports, line, level);
    machine_update_lines(machine);
}

void machine_request(struct tess_pi_machine *machine, enum device_request request, bool level)
{
    for (unsigned i = 0; i < DEVICES; i++)
        if (table[i].device->requested)
            table[i].device->requested(state_of(machine, i), &machine->ports, request, level);
}

void machine_update_lines(struct tess_pi_machine *machine)
{
    bool irq = intc_irq(&machine->states.intc), fiq = intc_fiq(&machine->states.intc);
    unsigned levels = (irq ? ARM_IRQ : 0) | (fiq ? ARM_FIQ : 0);
    local_gpu(&machine->states.local, irq, fiq);
    for (unsigned i = 0; i < machine->core_count; i++)
        if (machine->cores[i])
            machine->cores[i]->lines = machine->core_count == 1
                                           ? levels
                                           : local_levels(&machine->states.local, i);
}
