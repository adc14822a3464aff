/* SPDX-License-Identifier: MIT */
/* boot.c - what the firmware leaves to a kernel: parameters in memory, registers, parked cores, the
 * primary UART and the pin of the ACT LED.
 *
 * In:  a kernel's description.
 * Out: memory and registers as at the kernel's first instruction.
 *
 * Source: Linux, Documentation/arm/booting.rst and arch/arm/include/uapi/asm/setup.h (ATAGs);
 *         raspberrypi/documentation, config_txt/boot (init_uart_baud) and configuration/uart (the
 *         primary UART); mrvn/RaspberryPi-baremetal, whose demos 001 to 003 use LED and UART as the
 *         firmware leaves them; armstub7.S and armstub8.S of raspberrypi/tools (Hyp mode;
 *         parked cores: mailbox 3 of the local controller, or a table at 0xd8).
 * Choices: a kernel that is loaded at address 0 replaces the firmware's stub, so that all cores
 *          start at its first instruction.
 * Left out: the stub's handler of smc, which is at address 8. */
#include "board/machine/machine.h"

#include <string.h>

#include "base/bits.h"
#include "board/pi/pi.h"

enum {
    ATAGS = 0x100,
    ATAG_NONE = 0,
    ATAG_CORE = 0x54410001,
    ATAG_MEMORY = 0x54410002,
    ATAG_COMMAND_LINE = 0x54410009,
    ATAG_INITRD = 0x54420005,
    MACHINE_TYPE = 0xc42, /* BCM2708 */
    LONGEST_COMMAND_LINE = 1024,
    LOW_MEMORY = 0x1000, /* bytes that the firmware writes: its stub, parameters */
    SPIN_TABLE = 0xd8,   /* start addresses of parked 64-bit cores */
};

static uint32_t put(struct tess_pi_machine *machine, uint32_t at, uint32_t value)
{
    store_le32(machine->ram + at, value);
    return at + 4;
}

static uint32_t put_tag(struct tess_pi_machine *machine, uint32_t at, uint32_t words, uint32_t tag)
{
    return put(machine, put(machine, at, words + 2), tag);
}

/* Writes the list of tags that a kernel without device tree reads. */
static void put_tags(struct tess_pi_machine *machine, const struct tess_pi_kernel *kernel)
{
    uint32_t at = put_tag(machine, ATAGS, 3, ATAG_CORE);
    at = put(machine, put(machine, put(machine, at, 0), 4096), 0);
    at = put_tag(machine, at, 2, ATAG_MEMORY);
    at = put(machine, put(machine, at, machine->arm_size), 0);
    if (kernel->initrd_size) {
        at = put_tag(machine, at, 2, ATAG_INITRD);
        at = put(machine, put(machine, at, kernel->initrd_address), kernel->initrd_size);
    }
    const char *line = kernel->command_line ? kernel->command_line : "";
    size_t length = strlen(line) + 1;
    if (length > LONGEST_COMMAND_LINE)
        length = LONGEST_COMMAND_LINE;
    at = put_tag(machine, at, (uint32_t)(length + 3) / 4, ATAG_COMMAND_LINE);
    memcpy(machine->ram + at, line, length - 1);
    at += (uint32_t)(length + 3) / 4 * 4;
    put_tag(machine, at, (uint32_t)-2, ATAG_NONE);
}

struct register_write {
    uint32_t offset, value;
};

static void write_registers(struct tess_pi_machine *machine, const struct register_write *writes,
                            unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        machine_device_write(machine, writes[i].offset, writes[i].value);
}

/* With enable_uart=1, the firmware switches the UART of pins 14 and 15 on
 * (raspberrypi/documentation, "Configuring UARTs"). */
static void switch_uart_on(struct tess_pi_machine *machine)
{
    enum { GPFSEL1 = 0x200004, UART = 0x201000, AUX = 0x215000, ALT0 = 4, ALT5 = 2, BAUD = 115200 };
    const struct tess_pi_board *board = machine->options.board;
    uint32_t divider = tess_pi_clock_rate(machine->pi, TESS_PI_CLOCK_UART) * 4 /
                       BAUD; /* in 64ths */
    uint32_t mini_divider = tess_pi_clock_rate(machine->pi, TESS_PI_CLOCK_CORE) / (8 * BAUD);
    const struct register_write full_uart[] = {
        {GPFSEL1, ALT0 << 12 | ALT0 << 15},
        {UART + 0x24, divider / 64}, /* IBRD */
        {UART + 0x28, divider % 64}, /* FBRD */
        {UART + 0x2c, 0x70},         /* LCRH: 8 bits, FIFOs */
        {UART + 0x30, 0x301},        /* CR: receiver, transmitter, UART */
    };
    const struct register_write mini_uart[] = {
        {GPFSEL1, ALT5 << 12 | ALT5 << 15},
        {AUX + 0x04, 1},                /* enables */
        {AUX + 0x4c, 3},                /* LCR: 8 bits */
        {AUX + 0x68, mini_divider - 1}, /* baud */
        {AUX + 0x60, 3},                /* CNTL: receiver, transmitter */
    };
    if (board->mini_uart)
        write_registers(machine, mini_uart, sizeof mini_uart / sizeof mini_uart[0]);
    else
        write_registers(machine, full_uart, sizeof full_uart / sizeof full_uart[0]);
}

/* The firmware uses the activity LED, so its pin is an output (raspberrypi/firmware,
 * extra/dt-blob.dts). */
static void set_activity_pin(struct tess_pi_machine *machine)
{
    enum { FUNCTIONS = 0x200000, PINS_PER_REGISTER = 10, OUTPUT = 1 };
    uint32_t pin = machine->options.board->activity_pin;
    uint32_t offset = FUNCTIONS + 4 * (pin / PINS_PER_REGISTER);
    uint32_t functions = machine_device_read(machine, offset);
    if (pin)
        machine_device_write(machine, offset,
                             functions | (uint32_t)OUTPUT << pin % PINS_PER_REGISTER * 3);
}

void machine_start(struct tess_pi_machine *machine, const struct tess_pi_kernel *kernel,
                   uint32_t entry)
{
    const struct tess_arm_engine *engine = machine->options.engine;
    machine_loaded(machine, 0, LOW_MEMORY);
    if (!kernel->no_tags)
        put_tags(machine, kernel);
    if (kernel->uart)
        switch_uart_on(machine);
    machine->states.smi.on = machine->states.intc.vsync = kernel->vsync;
    set_activity_pin(machine);
    if (kernel->command_line)
        pi_set_kernel_line(machine->pi, kernel->command_line);
    for (unsigned i = 0; i < machine->core_count; i++) {
        engine->start(machine->cores[i], entry, kernel->no_stub);
        machine->parked[i] = i != 0 && !kernel->no_stub;
        machine->running[i] = !machine->parked[i];
    }
    if (machine->options.wide) {
        engine->set(machine->cores[0], 0, kernel->device_tree);
        return;
    }
    engine->set(machine->cores[0], 0, 0);
    engine->set(machine->cores[0], 1, MACHINE_TYPE);
    engine->set(machine->cores[0], 2, kernel->device_tree ? kernel->device_tree : ATAGS);
}

/* Takes the start address of a parked core, or returns 0. */
static uint64_t start_address(struct tess_pi_machine *machine, unsigned core)
{
    if (machine->options.wide)
        return load_le64(machine->ram + SPIN_TABLE + 8 * core);
    uint32_t *mailbox = &machine->states.local.mailbox[core * LOCAL_MAILBOXES + 3];
    uint32_t address = *mailbox;
    *mailbox = 0;
    return address;
}

void machine_wake_parked(struct tess_pi_machine *machine)
{
    for (unsigned i = 1; i < machine->core_count; i++) {
        uint64_t address = machine->parked[i] ? start_address(machine, i) : 0;
        if (!address)
            continue;
        machine->options.engine->start(machine->cores[i], address, false);
        machine->parked[i] = false;
        machine->running[i] = true;
        machine->cores[i]->cycles = machine->cycles;
    }
}
