/* SPDX-License-Identifier: MIT */
/* ports.c - what peripherals and cores can ask of the board.
 *
 * In:  calls of the ports' functions.
 * Out: lines, requests, RAM, findings, and what leaves the board. */
#include "board/machine/machine.h"

#include <inttypes.h>
#include <stdio.h>

#include "board/pi/pi.h"

static uint64_t now(void *user)
{
    return machine_now(user);
}

static void interrupt(void *user, enum device_line line, bool level)
{
    machine_line(user, line, level);
}

static void request(void *user, enum device_request number, bool level)
{
    machine_request(user, number, level);
}

uint8_t *machine_ram(void *user, uint32_t bus, uint32_t size)
{
    struct tess_pi_machine *machine = user;
    uint32_t address = bus & PI_ADDRESS;
    if (machine_is_peripheral(bus) || address >= machine->ram_size ||
        size > machine->ram_size - address)
        return NULL;
    return machine->ram + address;
}

static void output(void *user, enum device_output kind, uint32_t value)
{
    struct tess_pi_machine *machine = user;
    const struct tess_pi_machine_options *options = &machine->options;
    switch (kind) {
    case OUTPUT_UART:
    case OUTPUT_MINI_UART:
        if (options->uart)
            options->uart(options->user, kind == OUTPUT_MINI_UART, (uint8_t)value);
        break;
    case OUTPUT_PIN:
        if (options->pin)
            options->pin(options->user, machine_now(machine), value / 2, value & 1);
        break;
    case OUTPUT_AUDIO:
        machine_sample(machine, (int16_t)value, (int16_t)(value >> 16));
        if (options->audio)
            options->audio(options->user, (int16_t)value, (int16_t)(value >> 16));
        break;
    case OUTPUT_RESET:
        machine_end(machine, TESS_PI_END_RESET, "the watchdog resets the board");
        break;
    }
}

static uint32_t clock_rate(void *user, unsigned clock)
{
    const struct tess_pi_machine *machine = user;
    return tess_pi_clock_rate(machine->pi, clock);
}

static void finding(void *user, enum pi_finding kind, uint32_t offset, const char *text)
{
    struct tess_pi_machine *machine = user;
    pi_fault(machine->pi, kind, offset, text);
}

static void not_modelled(void *user, uint32_t offset, const char *text, const char *instead)
{
    struct tess_pi_machine *machine = user;
    pi_not_modelled(machine->pi, instead, offset, text);
}

static bool card_read(void *user, uint64_t position, void *to, uint32_t size)
{
    const struct tess_pi_machine_options *options = &((struct tess_pi_machine *)user)->options;
    return options->card_read && position + size <= options->card_size &&
           options->card_read(options->user, position, to, size);
}

static bool card_write(void *user, uint64_t position, const void *from, uint32_t size)
{
    const struct tess_pi_machine_options *options = &((struct tess_pi_machine *)user)->options;
    return options->card_write && position + size <= options->card_size &&
           options->card_write(options->user, position, from, size);
}

/* --- of the cores --- */

static bool counter_at(void *user, uint64_t address, uint64_t cycle, uint64_t *count)
{
    const struct tess_pi_machine *machine = user;
    uint64_t time = machine_nanoseconds(machine, cycle);
    return machine_counter_at(machine, address, time > machine->horizon ? time : machine->horizon,
                              count);
}

static uint64_t count_at(void *user, uint64_t cycle)
{
    const struct tess_pi_machine *machine = user;
    return local_count(&machine->states.local, machine_nanoseconds(machine, cycle));
}

static uint64_t counter(void *user, unsigned core)
{
    (void)core;
    return machine_count(user);
}

static void timer_changed(void *user, unsigned core)
{
    machine_timers_update(user, core);
    machine_hurry(user);
}

static void event(void *user, unsigned core)
{
    struct tess_pi_machine *machine = user;
    (void)core;
    for (unsigned i = 0; i < machine->core_count; i++)
        machine->cores[i]->event = true;
    machine_wake_parked(machine);
    machine_hurry(machine);
}

static bool watch(void *user)
{
    struct tess_pi_machine *machine = user;
    if (!machine->watch || !machine->watch(machine->watch_user))
        return false;
    machine_end(machine, TESS_PI_END_WATCH, "a watched access");
    return true;
}

static void code_changed(void *user, unsigned core, uint64_t physical, uint64_t size)
{
    struct tess_pi_machine *machine = user;
    for (unsigned i = 0; i < machine->core_count; i++)
        if (i != core)
            machine->options.engine->forget_code(machine->cores[i], physical, size);
    machine_forget_spins(machine);
    machine_hurry(machine);
}

static void exception_loop(void *user, unsigned core, uint64_t pc, uint64_t from)
{
    struct tess_pi_machine *machine = user;
    char text[256];
    snprintf(text, sizeof text,
             "the instruction at 0x%" PRIx64 " causes an exception on core %u; what the vector at "
             "0x%" PRIx64 " executes causes exceptions forever",
             from, core, pc);
    pi_fault(machine->pi, PI_EXCEPTION_LOOP, (uint32_t)pc, text);
}

static void broken(void *user, unsigned core, uint64_t pc, const char *text)
{
    struct tess_pi_machine *machine = user;
    machine->end.core = core;
    machine->end.pc = pc;
    machine_end(machine, TESS_PI_END_BROKEN, text);
}

void machine_fill_ports(struct tess_pi_machine *machine)
{
    machine->ports = (struct device_ports){
        .user = machine,
        .now = now,
        .interrupt = interrupt,
        .request = request,
        .ram = machine_ram,
        .touches = machine_dma_touches,
        .read = machine_bus_read,
        .write = machine_bus_write,
        .output = output,
        .clock_rate = clock_rate,
        .finding = finding,
        .not_modelled = not_modelled,
        .card_read = card_read,
        .card_write = card_write,
    };
    machine->arm_ports = (struct arm_ports){
        .user = machine,
        .read = machine_read,
        .write = machine_write,
        .counter_at = counter_at,
        .counter = counter,
        .count_at = count_at,
        .timer_frequency = MACHINE_TIMER_RATE,
        .timer_changed = timer_changed,
        .watch = watch,
        .event = event,
        .maintained = machine_maintained,
        .touch = machine->shadow ? machine_touch : NULL,
        .barrier = machine_barrier,
        .nowhere = machine_nowhere,
        .code_changed = code_changed,
        .exception_loop = exception_loop,
        .broken = broken,
    };
}
