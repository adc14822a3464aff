/* SPDX-License-Identifier: MIT */
/* bus.c - the accesses of ARM cores and of the DMA controller to peripherals.
 *
 * In:  accesses outside of RAM.
 * Out: accesses to registers of 32 bits.
 *
 * Source: "BCM2835 ARM Peripherals", section 1.2; "BCM2836 ARM-local peripherals". That the BCM2835
 *         repeats RAM each GiB for the ARM is known from kernels that ran on boards:
 *         dwelch67/raspberrypi, video01 (0x40040000); brianwiddas/pi-baremetal, start.s
 *         (0x80000000); Chadderz121/bakingpi-www, screen01 (the framebuffer's bus address).
 * Choices: an access of 8 or 16 bits reads or writes the whole register; a written byte has zeros
 *          beside it. An access of 64 bits is two of 32 bits. An access outside of RAM and
 *          peripherals reads 0. */
#include "board/machine/machine.h"

#include "board/pi/pi.h"

enum { PERIPHERALS = 0x01000000, LOCAL_BASE = 0x40000000, LOCAL_SIZE = 0x100 };

#define BUS_PERIPHERALS UINT32_C(0x7e000000)

static bool is_v3d(uint32_t offset)
{
    return offset - TESS_PI_V3D < 0x1000;
}

static uint32_t read_register(struct tess_pi_machine *machine, uint32_t offset)
{
    if (is_v3d(offset))
        machine_v3d_advance(machine);
    return machine_device_read(machine, offset);
}

static uint64_t mailbox_starts(const struct tess_pi_machine *machine)
{
    struct tess_pi_starts starts;
    tess_pi_get_starts(machine->pi, &starts);
    return starts.mailbox;
}

static void write_message(struct tess_pi_machine *machine, uint32_t value)
{
    machine_device_write(machine, TESS_PI_MAIL_WRITE, value);
}

/* Writes to the mailbox, which can run user programs. */
static void write_mailbox(struct tess_pi_machine *machine, uint32_t value)
{
    uint64_t before = mailbox_starts(machine), writer = machine->v3d_writer;
    machine->v3d_writer = machine->pc;
    machine_check_mailbox(machine, value, write_message);
    if (mailbox_starts(machine) == before)
        machine->v3d_writer = writer;
}

static void write_register(struct tess_pi_machine *machine, uint32_t offset, uint32_t value)
{
    if (is_v3d(offset))
        machine_v3d_advance(machine);
    if (offset == TESS_PI_MAIL_WRITE)
        write_mailbox(machine, value);
    else
        machine_device_write(machine, offset, value);
    if (is_v3d(offset))
        machine_v3d_written(machine);
}

bool machine_is_peripheral(uint32_t bus)
{
    return bus - BUS_PERIPHERALS < PERIPHERALS;
}

uint32_t machine_bus_read(void *user, uint32_t bus)
{
    uint32_t offset = bus - BUS_PERIPHERALS;
    return offset < PERIPHERALS ? read_register(user, offset & ~UINT32_C(3)) : 0;
}

void machine_bus_write(void *user, uint32_t bus, uint32_t value)
{
    uint32_t offset = bus - BUS_PERIPHERALS;
    if (offset < PERIPHERALS)
        write_register(user, offset & ~UINT32_C(3), value);
}

static bool has_local(const struct tess_pi_machine *machine)
{
    return machine->core_count > 1;
}

/* Returns the physical address at which the board sees an address of the ARM outside of RAM. The
 * BCM2835 ignores bits 30 and 31. */
static uint64_t board_address(const struct tess_pi_machine *machine, uint64_t address)
{
    return has_local(machine) ? address : address & PI_ADDRESS;
}

enum strangeness { BUS_ADDRESS, NEWER_BOARD, NOTHING };

static const struct {
    const char *hint, *message;
} strange_places[] = {
    [BUS_ADDRESS] =
        {"clear bits 31:30 of a bus address that the firmware returns, such as that of "
         "a locked memory block or of the framebuffer, before the ARM uses it",
         "an ARM core uses VideoCore's bus address of RAM, at which the ARM has no RAM"},
    [NEWER_BOARD] = {"use the peripheral base of the board (0x20000000 on a Pi 1 and a Zero, "
                     "0x3f000000 on a Pi 2, a Pi 3 and a Zero 2); 0xfe000000 is that of a Pi 4",
                     "an ARM core uses the address of a Pi 4's peripherals"},
    [NOTHING] = {"use the peripheral base of the board (0x20000000 on a Pi 1 and a Zero, "
                 "0x3f000000 on a Pi 2, a Pi 3 and a Zero 2), and check the pointer",
                 "an ARM core accesses an address that is neither RAM nor a peripheral"},
};

/* Returns what a kernel may have meant by an address without RAM or peripheral. The GPIO, mailbox
 * and UARTs of a Pi 4 are in the first 4 MiB of its peripherals. A framebuffer's bus address may
 * be there, too: once the firmware has allocated one, the kernel probably means it. */
static enum strangeness strangeness_of(const struct tess_pi_machine *machine, uint64_t address)
{
    enum { NEWER_SIZE = 4 << 20 };
    const uint64_t newer_base = 0xfe000000;
    if (address - newer_base < NEWER_SIZE && machine->pi->framebuffer.address == 0)
        return NEWER_BOARD;
    bool is_bus = address >> 32 == 0 && address > PI_ADDRESS &&
                  (address & PI_ADDRESS) < machine->ram_size;
    return is_bus ? BUS_ADDRESS : NOTHING;
}

static void unmapped(struct tess_pi_machine *machine, uint64_t address)
{
    enum strangeness strangeness = strangeness_of(machine, address);
    pi_not_modelled(machine->pi, strange_places[strangeness].hint, (uint32_t)address,
                    strange_places[strangeness].message);
}

static uint32_t read_word(struct tess_pi_machine *machine, uint64_t address)
{
    uint64_t offset = address - machine->options.board->peripheral_base;
    if (offset < PERIPHERALS)
        return read_register(machine, (uint32_t)offset);
    if (has_local(machine) && address - LOCAL_BASE < LOCAL_SIZE) {
        uint32_t value = local.read(&machine->states.local, &machine->ports,
                                    (uint32_t)(address - LOCAL_BASE));
        machine_update_lines(machine);
        return value;
    }
    unmapped(machine, address);
    return 0;
}

bool machine_counter_at(const struct tess_pi_machine *machine, uint64_t address, uint64_t time,
                        uint64_t *count)
{
    address = board_address(machine, address);
    uint64_t offset = address - machine->options.board->peripheral_base;
    if (offset < PERIPHERALS)
        return machine_device_counter_at(machine, (uint32_t)offset, time, count);
    return has_local(machine) && address - LOCAL_BASE < LOCAL_SIZE &&
           local.counter_at(&machine->states.local, (uint32_t)(address - LOCAL_BASE), time, count);
}

static void write_word(struct tess_pi_machine *machine, const struct arm_access *access,
                       uint64_t address, uint32_t value)
{
    uint64_t offset = address - machine->options.board->peripheral_base;
    if (offset < PERIPHERALS) {
        machine_check_start(machine, access, (uint32_t)offset, value);
        write_register(machine, (uint32_t)offset, value);
    } else if (has_local(machine) && address - LOCAL_BASE < LOCAL_SIZE) {
        local.write(&machine->states.local, &machine->ports, (uint32_t)(address - LOCAL_BASE),
                    value);
        machine_update_lines(machine);
        machine_wake_parked(machine);
    } else {
        unmapped(machine, address);
    }
    machine_hurry(machine);
}

uint64_t machine_read(void *user, const struct arm_access *access)
{
    struct tess_pi_machine *machine = user;
    machine->pc = machine->access = access->pc;
    machine_check_alignment(machine, access, access->pc);
    uint64_t address = board_address(machine, access->address) & ~UINT64_C(3);
    uint64_t value = read_word(machine, address);
    if (access->size == 8)
        value |= (uint64_t)read_word(machine, address + 4) << 32;
    machine->access = 0;
    return value >> (access->address & 3) * 8;
}

void machine_write(void *user, const struct arm_access *access, uint64_t value)
{
    struct tess_pi_machine *machine = user;
    machine->pc = machine->access = access->pc;
    machine_check_alignment(machine, access, access->pc);
    uint64_t address = board_address(machine, access->address) & ~UINT64_C(3);
    write_word(machine, access, address, (uint32_t)(value << (access->address & 3) * 8));
    if (access->size == 8)
        write_word(machine, access, address + 4, (uint32_t)(value >> 32));
    machine->access = 0;
}
