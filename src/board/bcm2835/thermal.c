/* SPDX-License-Identifier: MIT */
/* thermal.c - the temperature sensor of the AVS monitor.
 *
 * In:  register accesses.
 * Out: the temperature.
 *
 * Source: Linux' bcm2835_thermal.c: the temperature in thousandths of a degree is 407000 - 538 *
 *         code.
 * Modelled: the temperature and its valid bit.
 * Left out: interrupts and reset by temperature; changes of temperature.
 * Choices: the temperature is always 40 degrees Celsius, as that of the mailbox. */
#include "board/bcm2835/thermal.h"

enum {
    CONTROL = 0x00,
    STATUS = 0x04,
    STATUS_VALID = 1 << 10,
    CONTROL_RUNNING = 1 << 1, /* not held in reset */
    CODE = (407000 - 40000) / 538,
};

static uint32_t thermal_read(void *state, const struct device_ports *ports, uint32_t offset)
{
    const struct thermal *s = state;
    (void)ports;
    if (offset == CONTROL)
        return s->control;
    return s->control & CONTROL_RUNNING ? STATUS_VALID | CODE : 0;
}

static void thermal_write(void *state, const struct device_ports *ports, uint32_t offset,
                          uint32_t value)
{
    struct thermal *s = state;
    (void)ports;
    if (offset == CONTROL)
        s->control = value;
}

static void thermal_reset(void *state, const struct device_ports *ports)
{
    struct thermal *s = state;
    (void)ports;
    s->control = CONTROL_RUNNING; /* the firmware starts the sensor */
}

const struct device thermal = {
    .name = "temperature sensor",
    .base = 0x212000,
    .size = 8,
    .state_size = sizeof(struct thermal),
    .reset = thermal_reset,
    .read = thermal_read,
    .write = thermal_write,
};
