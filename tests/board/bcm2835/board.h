/* SPDX-License-Identifier: MIT */
/* board.h - a board with one peripheral, for tests of src/board/bcm2835. It records what the
 * peripheral does to its ports, and advances the time from change to change, as the board does. */
#ifndef TESTS_BCM2835_BOARD_H
#define TESTS_BCM2835_BOARD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "board/bcm2835/device.h"
#include "board/pi/pi.h"

enum {
    BOARD_RAM = 0x10000,
    BOARD_CARD = 0x10000,
    BOARD_STATE = 0x8000,
    BOARD_OUTPUTS = 256,
    BOARD_REGISTERS = 16,
    BOARD_CHANGES = 100000, /* most changes in one wait */
};

/* A value that leaves the board, and the time at which it does. */
struct board_output {
    enum device_output output;
    uint32_t value;
    uint64_t time;
};

/* A register of another peripheral, for the ports read() and write(). */
struct board_register {
    uint32_t bus, value;
};

struct board {
    const struct device *device;
    struct device_ports ports;
    uint64_t time;
    bool lines[LINE_COUNT];
    bool requests[REQUEST_COUNT];
    uint32_t clock_rates[TESS_PI_CLOCKS];
    struct board_output outputs[BOARD_OUTPUTS];
    unsigned output_count;
    unsigned finding_count;
    enum pi_finding finding; /* the latest */
    uint32_t finding_offset;
    unsigned not_modelled; /* number of reports */
    char text[256];        /* of the latest finding or report */
    struct board_register registers[BOARD_REGISTERS];
    unsigned register_count;
    uint8_t ram[BOARD_RAM];
    uint8_t card[BOARD_CARD];
    uint64_t state[BOARD_STATE / 8];
};

static inline uint64_t board_now(void *user)
{
    const struct board *b = user;
    return b->time;
}

static inline void board_interrupt(void *user, enum device_line line, bool level)
{
    struct board *b = user;
    assert_in_range(line, 0, LINE_COUNT - 1);
    b->lines[line] = level;
}

static inline void board_request(void *user, enum device_request request, bool level)
{
    struct board *b = user;
    assert_in_range(request, 0, REQUEST_COUNT - 1);
    b->requests[request] = level;
}

static inline uint8_t *board_ram(void *user, uint32_t bus, uint32_t size)
{
    struct board *b = user;
    uint32_t address = bus & PI_ADDRESS;
    return address < BOARD_RAM && size <= BOARD_RAM - address ? b->ram + address : NULL;
}

static inline struct board_register *board_register(struct board *b, uint32_t bus)
{
    for (unsigned i = 0; i < b->register_count; i++)
        if (b->registers[i].bus == bus)
            return &b->registers[i];
    return NULL;
}

/* Sets a register of another peripheral. */
static inline void board_set_register(struct board *b, uint32_t bus, uint32_t value)
{
    struct board_register *found = board_register(b, bus);
    if (!found) {
        assert_in_range(b->register_count, 0, BOARD_REGISTERS - 1);
        found = &b->registers[b->register_count++];
    }
    *found = (struct board_register){bus, value};
}

static inline uint32_t board_bus_read(void *user, uint32_t bus)
{
    const struct board_register *found = board_register(user, bus);
    return found ? found->value : 0;
}

static inline void board_bus_write(void *user, uint32_t bus, uint32_t value)
{
    board_set_register(user, bus, value);
}

static inline void board_output(void *user, enum device_output output, uint32_t value)
{
    struct board *b = user;
    if (b->output_count < BOARD_OUTPUTS)
        b->outputs[b->output_count] = (struct board_output){output, value, b->time};
    b->output_count++;
}

static inline uint32_t board_clock_rate(void *user, unsigned clock)
{
    const struct board *b = user;
    return clock < TESS_PI_CLOCKS ? b->clock_rates[clock] : 0;
}

static inline void board_finding(void *user, enum pi_finding finding, uint32_t offset,
                                 const char *text)
{
    struct board *b = user;
    b->finding_count++;
    b->finding = finding;
    b->finding_offset = offset;
    strncpy(b->text, text, sizeof b->text - 1);
}

static inline void board_not_modelled(void *user, uint32_t offset, const char *text,
                                      const char *instead)
{
    struct board *b = user;
    assert_non_null(instead);
    b->not_modelled++;
    b->finding_offset = offset;
    strncpy(b->text, text, sizeof b->text - 1);
}

static inline bool board_card_read(void *user, uint64_t position, void *to, uint32_t size)
{
    const struct board *b = user;
    bool inside = position < BOARD_CARD && size <= BOARD_CARD - position;
    if (inside)
        memcpy(to, b->card + position, size);
    return inside;
}

static inline bool board_card_write(void *user, uint64_t position, const void *from, uint32_t size)
{
    struct board *b = user;
    bool inside = position < BOARD_CARD && size <= BOARD_CARD - position;
    if (inside)
        memcpy(b->card + position, from, size);
    return inside;
}

/* Creates the board with a peripheral after power-on. */
static inline void board_open(struct board *b, const struct device *device)
{
    *b = (struct board){.device = device};
    b->ports = (struct device_ports){
        .user = b,
        .now = board_now,
        .interrupt = board_interrupt,
        .request = board_request,
        .ram = board_ram,
        .read = board_bus_read,
        .write = board_bus_write,
        .output = board_output,
        .clock_rate = board_clock_rate,
        .finding = board_finding,
        .not_modelled = board_not_modelled,
        .card_read = board_card_read,
        .card_write = board_card_write,
    };
    b->clock_rates[TESS_PI_CLOCK_UART] = 48000000;
    b->clock_rates[TESS_PI_CLOCK_CORE] = 250000000;
    b->clock_rates[TESS_PI_CLOCK_EMMC] = 200000000;
    assert_in_range(device->state_size, 0, BOARD_STATE);
    if (device->reset)
        device->reset(b->state, &b->ports);
}

static inline void board_advance(struct board *b)
{
    if (b->device->advance)
        b->device->advance(b->state, &b->ports);
}

static inline uint32_t board_read(struct board *b, uint32_t offset)
{
    board_advance(b);
    return b->device->read ? b->device->read(b->state, &b->ports, offset) : 0;
}

static inline void board_write(struct board *b, uint32_t offset, uint32_t value)
{
    board_advance(b);
    if (b->device->write)
        b->device->write(b->state, &b->ports, offset, value);
}

static inline void board_input(struct board *b, enum device_input input, uint32_t value)
{
    board_advance(b);
    if (b->device->input)
        b->device->input(b->state, &b->ports, input, value);
}

static inline uint64_t board_next(struct board *b)
{
    return b->device->next ? b->device->next(b->state) : DEVICE_NEVER;
}

/* Lets time pass, with all changes in it. */
static inline void board_wait(struct board *b, uint64_t nanoseconds)
{
    uint64_t end = b->time + nanoseconds;
    unsigned changes = 0;
    for (uint64_t next; (next = board_next(b)) <= end; board_advance(b)) {
        assert_in_range(changes++, 0, BOARD_CHANGES);
        if (next > b->time)
            b->time = next;
    }
    b->time = end;
    board_advance(b);
}

/* Expects that a register is a counter whose later counts, at a number of steps, are known now, are
 * what it reads then, and do not come again. */
static inline void board_expect_counts(struct board *b, uint32_t offset, uint64_t step,
                                       unsigned steps)
{
    const struct device *device = b->device;
    for (uint64_t before = UINT64_MAX, count; steps; steps--, before = count) {
        assert_true(device->counter_at(b->state, offset, b->time + step, &count));
        assert_true(count != before);
        board_wait(b, step);
        assert_int_equal(board_read(b, offset), (uint32_t)count);
    }
}

static inline bool board_is_counter(struct board *b, uint32_t offset)
{
    uint64_t count;
    return b->device->counter_at(b->state, offset, b->time, &count);
}

#endif
