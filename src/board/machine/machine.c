/* SPDX-License-Identifier: MIT */
/* machine.c - creates and destroys a machine, and loads a kernel.
 *
 * In:  options; a kernel.
 * Out: a machine at the kernel's first instruction. */
#include "board/machine/machine.h"

#include <stdlib.h>
#include <string.h>

#include "board/machine/shadow.h"

enum { DEFAULT_VC_MIB = 64, PAGE_64K = 0x10000 };

static enum arm_model model_of(const struct tess_pi_machine_options *options)
{
    const char *soc = options->board->soc;
    if (strcmp(soc, "brcm,bcm2835") == 0)
        return ARM_1176;
    if (strcmp(soc, "brcm,bcm2836") == 0)
        return ARM_CORTEX_A7;
    return options->wide ? ARM_CORTEX_A53 : ARM_CORTEX_A53_32;
}

static bool complete(struct tess_pi_machine_options *set)
{
    if (!set->board)
        set->board = tess_pi_board_find("zero");
    uint32_t end = tess_pi_board_memory_end(set->board);
    if (!set->vc_size)
        set->vc_size = (uint32_t)DEFAULT_VC_MIB << 20;
    if (!set->arm_rate)
        set->arm_rate = set->board->clock_rates[TESS_PI_CLOCK_ARM];
    if (!set->engine || !set->arm_rate || set->vc_size % PAGE_64K || set->vc_size >= end)
        return false;
    return !set->wide || model_of(set) == ARM_CORTEX_A53;
}

static enum tess_status create_cores(struct tess_pi_machine *machine)
{
    machine->core_count = model_of(&machine->options) == ARM_1176 ? 1 : MACHINE_CORES;
    for (unsigned i = 0; i < machine->core_count; i++) {
        const struct arm_options options = {
            .model = model_of(&machine->options),
            .number = i,
            .ram = {machine->ram, machine->ram_size},
            .ports = &machine->arm_ports,
        };
        machine->cores[i] = machine->options.engine->create(&options, &machine->end.text);
        if (!machine->cores[i])
            return TESS_INVALID;
    }
    return TESS_OK;
}

static uint64_t timer_time(void *user)
{
    return machine_now(user) / DEVICE_MICROSECOND;
}

static void expander_pin(void *user, unsigned pin, bool level)
{
    struct tess_pi_machine *machine = user;
    const struct tess_pi_machine_options *options = &machine->options;
    if (options->pin)
        options->pin(options->user, machine_now(machine), pin, level);
}

static enum tess_status create_v3d(struct tess_pi_machine *machine)
{
    const struct tess_pi_machine_options *options = &machine->options;
    struct tess_vc4_options vc4 = options->vc4 ? *options->vc4 : (struct tess_vc4_options){0};
    vc4.machine.sink = options->sink;
    enum tess_status status = tess_vc4_create(&machine->vc4, &vc4);
    if (status != TESS_OK)
        return status;
    status = tess_vc4_map(machine->vc4, 0, machine->arm_size, machine->ram);
    if (status != TESS_OK)
        return status;
    const struct tess_pi_options pi = {
        .sink = options->sink,
        .board = options->board,
        .arm_size = machine->arm_size,
        .vc_size = options->vc_size,
        .memory = machine->ram + machine->arm_size,
        .display = options->display,
        .time = timer_time,
        .time_user = machine,
        .pin = expander_pin,
        .pin_user = machine,
    };
    if (options->vc4 && options->vc4->machine.sanitize == TESS_SANITIZE_ON)
        status = machine_begin_checks(machine);
    return status == TESS_OK ? tess_pi_create(&machine->pi, machine->vc4, &pi) : status;
}

static enum tess_status build(struct tess_pi_machine *machine)
{
    machine->ram_size = tess_pi_board_memory_end(machine->options.board);
    machine->arm_size = machine->ram_size - machine->options.vc_size;
    machine->allocation = calloc(1, (size_t)machine->ram_size + PAGE_64K);
    if (!machine->allocation)
        return TESS_NO_MEMORY;
    machine->ram = machine->allocation + (PAGE_64K - (uintptr_t)machine->allocation % PAGE_64K);
    enum tess_status status = create_v3d(machine);
    if (status != TESS_OK)
        return status;
    machine_fill_ports(machine);
    machine_reset_devices(machine);
    return create_cores(machine);
}

enum tess_status tess_pi_machine_create(struct tess_pi_machine **out,
                                        const struct tess_pi_machine_options *options)
{
    if (!out || !options)
        return TESS_INVALID;
    *out = NULL;
    struct tess_pi_machine_options set = *options;
    if (!complete(&set))
        return TESS_INVALID;
    struct tess_pi_machine *machine = calloc(1, sizeof *machine);
    if (!machine)
        return TESS_NO_MEMORY;
    machine->options = set;
    enum tess_status status = build(machine);
    if (status == TESS_OK)
        *out = machine;
    else
        tess_pi_machine_destroy(machine);
    return status;
}

void tess_pi_machine_destroy(struct tess_pi_machine *machine)
{
    if (!machine)
        return;
    for (unsigned i = 0; i < MACHINE_CORES; i++)
        if (machine->cores[i])
            machine->options.engine->destroy(machine->cores[i]);
    free(machine->sound);
    shadow_free(machine->shadow);
    tess_pi_destroy(machine->pi);
    tess_vc4_destroy(machine->vc4);
    free(machine->allocation);
    free(machine);
}

enum tess_status tess_pi_machine_start(struct tess_pi_machine *machine,
                                       const struct tess_pi_kernel *kernel)
{
    if (kernel->entry >= machine->arm_size)
        return TESS_INVALID;
    machine_start(machine, kernel, kernel->entry);
    return TESS_OK;
}

uint32_t tess_pi_machine_arm_size(const struct tess_pi_machine *machine)
{
    return machine->arm_size;
}

uint64_t tess_pi_machine_time(const struct tess_pi_machine *machine)
{
    bool inside = machine->turn.on && machine->alone;
    uint64_t own = inside ? machine->cores[machine->current]->cycles : 0;
    return machine_nanoseconds(machine, own > machine->cycles ? own : machine->cycles);
}

void tess_pi_machine_send(struct tess_pi_machine *machine, bool mini, uint8_t byte)
{
    machine_input(machine, mini ? INPUT_MINI_UART : INPUT_UART, byte);
}

unsigned tess_pi_machine_send_room(const struct tess_pi_machine *machine)
{
    unsigned pl011 = serial_room(&machine->states.uart.serial);
    unsigned mini = serial_room(&machine->states.aux.serial);
    return pl011 < mini ? pl011 : mini;
}

void tess_pi_machine_set_pin(struct tess_pi_machine *machine, unsigned pin, bool level)
{
    machine_input(machine, INPUT_PIN, pin * 2 + level);
}

struct tess_pi *tess_pi_machine_pi(struct tess_pi_machine *machine)
{
    return machine->pi;
}

struct tess_vc4 *tess_pi_machine_vc4(struct tess_pi_machine *machine)
{
    return machine->vc4;
}

uint64_t tess_pi_machine_cycles(const struct tess_pi_machine *machine)
{
    return machine->cores[0]->cycles;
}

const uint8_t *tess_pi_machine_memory(const struct tess_pi_machine *machine, uint32_t address,
                                      uint32_t size)
{
    bool inside = address < machine->ram_size && size <= machine->ram_size - address;
    return inside ? machine->ram + address : NULL;
}
