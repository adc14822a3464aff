/* SPDX-License-Identifier: MIT */
/* gpio.c - the general-purpose pins.
 *
 * In:  register accesses; levels of pins from outside.
 * Out: levels of output pins; interrupt lines 49 to 52; register values.
 *
 * Source: "BCM2835 ARM Peripherals", chapter 6; Linux' pinctrl-bcm2835.c for the pins of each
 *         interrupt line.
 * Modelled: functions, outputs, levels, pulls with their clocks, event detection.
 * Left out: levels that peripherals drive on pins with an alternate function; such a pin shows its
 *           level from outside. The time of the pulls' sequence. Pads.
 * Choices: synchronous and asynchronous edges are the same. A pin that nothing drives or pulls is
 *          0. */
#include "board/bcm2835/gpio.h"

#include <stdio.h>

#include "board/bcm2835/report.h"

enum {
    FUNCTIONS = 0x00,
    SET = 0x1c,
    CLEAR = 0x28,
    LEVEL = 0x34,
    EVENTS = 0x40,
    DETECT = 0x4c, /* first of GPIO_DETECTS pairs of registers, each 12 bytes after the previous */
    PULL = 0x94,
    PULL_CLOCK = 0x98,
    TEST = 0xb0,
    PAIR = 12, /* bytes from a pair of registers to the next; the third word is reserved */

    PINS_PER_REGISTER = 10,
    FUNCTION_OUTPUT = 1,
    PULL_DOWN = 1,
    PULL_UP = 2,
    LINES = 3, /* lines with pins of their own */
};

#define PINS ((UINT64_C(1) << GPIO_PINS) - 1)

/* Returns a mask of the pins from first to last. */
#define PINS_FROM(first, last) ((UINT64_C(2) << (last)) - (UINT64_C(1) << (first)))

/* The pins of the lines LINE_GPIO0, LINE_GPIO0 + 1 and LINE_GPIO0 + 2. */
static const uint64_t line_pins[LINES] = {PINS_FROM(0, 27), PINS_FROM(28, 45), PINS_FROM(46, 53)};

static uint64_t find_outputs(const struct gpio *s)
{
    uint64_t found = 0;
    for (unsigned pin = 0; pin < GPIO_PINS; pin++) {
        uint32_t function = s->functions[pin / PINS_PER_REGISTER] >> pin % PINS_PER_REGISTER * 3;
        found |= (uint64_t)((function & 7) == FUNCTION_OUTPUT) << pin;
    }
    return found;
}

uint64_t gpio_levels(const struct gpio *s)
{
    uint64_t out = s->outputs;
    uint64_t in = (s->driven & s->outside) | (~s->driven & s->pull_up);
    return ((out & s->latch) | (~out & in)) & PINS;
}

static void update_lines(const struct gpio *s, const struct device_ports *ports)
{
    for (unsigned i = 0; i < LINES; i++)
        ports->interrupt(ports->user, (enum device_line)(LINE_GPIO0 + i),
                         (s->events & line_pins[i]) != 0);
    ports->interrupt(ports->user, LINE_GPIO3, s->events != 0);
}

/* Detects events after a change of levels. */
static void detect(struct gpio *s, const struct device_ports *ports, uint64_t before)
{
    uint64_t now = gpio_levels(s);
    uint64_t rising = s->detect[GPIO_RISING] | s->detect[GPIO_ASYNC_RISING];
    uint64_t falling = s->detect[GPIO_FALLING] | s->detect[GPIO_ASYNC_FALLING];
    s->events |= (now & ~before & rising) | (before & ~now & falling);
    s->events |= (now & s->detect[GPIO_HIGH]) | (~now & s->detect[GPIO_LOW] & PINS);
    update_lines(s, ports);
}

/* Reports changed levels of output pins. */
static void report_outputs(const struct gpio *s, const struct device_ports *ports, uint64_t before)
{
    uint64_t now = gpio_levels(s);
    uint64_t changed = (now ^ before) & s->outputs;
    for (unsigned pin = 0; changed >> pin; pin++)
        if (changed >> pin & 1)
            ports->output(ports->user, OUTPUT_PIN, pin * 2 + (uint32_t)(now >> pin & 1));
}

/* --- registers --- */

/* Returns the number of a register in a pair that begins at an offset: 0, 1, or 2 for others. */
static uint32_t half(uint32_t offset, uint32_t pair)
{
    return (offset - pair) / 4 < 2 ? (offset - pair) / 4 : 2;
}

static uint32_t word(uint64_t pins, uint32_t half)
{
    return (uint32_t)(pins >> 32 * half);
}

/* Replaces a half of 64 pins. */
static uint64_t with_word(uint64_t pins, uint32_t half, uint32_t value)
{
    uint64_t mask = UINT64_C(0xffffffff) << 32 * half;
    return ((pins & ~mask) | (uint64_t)value << 32 * half) & PINS;
}

/* Returns the number of the register's pair of event detection, or GPIO_DETECTS. */
static uint32_t detect_pair(uint32_t offset)
{
    uint32_t pair = (offset - DETECT) / PAIR;
    return offset >= DETECT && pair < GPIO_DETECTS && (offset - DETECT) % PAIR < 8 ? pair
                                                                                   : GPIO_DETECTS;
}

static bool is_reserved(uint32_t offset)
{
    return offset < TEST && (offset - SET + 4) % PAIR == 0; /* the word after each pair */
}

static uint32_t gpio_read(void *state, const struct device_ports *ports, uint32_t offset)
{
    const struct gpio *s = state;
    uint32_t pair = detect_pair(offset);
    if (offset < FUNCTIONS + GPIO_FUNCTION_REGISTERS * 4)
        return s->functions[offset / 4];
    if (half(offset, SET) < 2 || half(offset, CLEAR) < 2)
        return 0; /* write-only */
    if (half(offset, LEVEL) < 2)
        return word(gpio_levels(s), half(offset, LEVEL));
    if (half(offset, EVENTS) < 2)
        return word(s->events, half(offset, EVENTS));
    if (pair < GPIO_DETECTS)
        return word(s->detect[pair], half(offset, DETECT + pair * PAIR));
    if (offset == PULL)
        return s->pull;
    if (half(offset, PULL_CLOCK) < 2)
        return word(s->pull_clock, half(offset, PULL_CLOCK));
    return is_reserved(offset) ? 0 : report_register(ports, &gpio, offset);
}

/* Sets the pulls of the pins whose clocks rise. */
static void write_pull_clock(struct gpio *s, uint32_t half, uint32_t value)
{
    uint64_t before = s->pull_clock;
    s->pull_clock = with_word(before, half, value);
    uint64_t pins = s->pull_clock & ~before;
    s->pull_up = (s->pull_up & ~pins) | (s->pull == PULL_UP ? pins : 0);
    s->pull_down = (s->pull_down & ~pins) | (s->pull == PULL_DOWN ? pins : 0);
}

/* Sets the levels of pins. Reports a pin that is set to 1 and then to 0 while it is not an output:
 * a program may set a level before it makes the pin an output, but not change it. */
static void write_latch(struct gpio *s, const struct device_ports *ports, uint32_t offset,
                        uint64_t pins, bool level)
{
    char text[120];
    uint64_t idle = pins & ~s->outputs, mistakes = level ? 0 : idle & s->set_as_input & s->latch;
    s->latch = level ? s->latch | pins : s->latch & ~pins;
    s->set_as_input = level ? s->set_as_input | idle : s->set_as_input & ~pins;
    for (unsigned pin = 0; mistakes; pin++, mistakes >>= 1)
        if (mistakes & 1) {
            snprintf(text, sizeof text, "pin %u is set and cleared, but is not an output", pin);
            ports->finding(ports->user, PI_GPIO_OUTPUT, gpio.base + offset, text);
        }
}

static void write_register(struct gpio *s, const struct device_ports *ports, uint32_t offset,
                           uint32_t value)
{
    uint32_t pair = detect_pair(offset);
    if (offset < FUNCTIONS + GPIO_FUNCTION_REGISTERS * 4) {
        s->functions[offset / 4] = value & 0x3fffffff;
        s->outputs = find_outputs(s);
    } else if (half(offset, SET) < 2)
        write_latch(s, ports, offset, with_word(0, half(offset, SET), value), true);
    else if (half(offset, CLEAR) < 2)
        write_latch(s, ports, offset, with_word(0, half(offset, CLEAR), value), false);
    else if (half(offset, EVENTS) < 2)
        s->events &= ~with_word(0, half(offset, EVENTS), value);
    else if (pair < GPIO_DETECTS)
        s->detect[pair] = with_word(s->detect[pair], half(offset, DETECT + pair * PAIR), value);
    else if (offset == PULL)
        s->pull = value & 3;
    else if (half(offset, PULL_CLOCK) < 2)
        write_pull_clock(s, half(offset, PULL_CLOCK), value);
    else if (half(offset, LEVEL) == 2 && !is_reserved(offset))
        report_register(ports, &gpio, offset);
}

static void gpio_write(void *state, const struct device_ports *ports, uint32_t offset,
                       uint32_t value)
{
    struct gpio *s = state;
    uint64_t before = gpio_levels(s);
    write_register(s, ports, offset, value);
    detect(s, ports, before);
    report_outputs(s, ports, before);
}

static void gpio_input(void *state, const struct device_ports *ports, enum device_input input,
                       uint32_t value)
{
    struct gpio *s = state;
    uint32_t pin = value / 2;
    if (input != INPUT_PIN || pin >= GPIO_PINS)
        return;
    uint64_t before = gpio_levels(s), bit = UINT64_C(1) << pin;
    s->driven |= bit;
    s->outside = value & 1 ? s->outside | bit : s->outside & ~bit;
    detect(s, ports, before);
}

static void gpio_reset(void *state, const struct device_ports *ports)
{
    struct gpio *s = state;
    (void)ports;
    /* Section 6.2, table 6-31. */
    s->pull_up = PINS_FROM(0, 8) | PINS_FROM(34, 36) | PINS_FROM(46, 53);
    s->pull_down = PINS_FROM(9, 27) | PINS_FROM(30, 33) | PINS_FROM(37, 43);
}

const struct device gpio = {
    .name = "GPIO",
    .base = 0x200000,
    .size = 0x1000,
    .state_size = sizeof(struct gpio),
    .reset = gpio_reset,
    .read = gpio_read,
    .write = gpio_write,
    .input = gpio_input,
};
