/* SPDX-License-Identifier: MIT */
/* memory_checks.c - finds memory that another unit reads before the ARM's bytes have surely arrived
 * there, or that nothing has written; and code where there is no memory.
 *
 * In:  accesses of the cores, of the V3D, of the firmware and of DMA channels.
 * Out: findings, each once for each instruction that is its cause.
 *
 * Source: "BCM2835 ARM Peripherals", sections 1.2.4 (other bus masters reach memory around the
 *         ARM's caches) and 1.3 (order); ARM Architecture Reference Manual ARMv7-A, A3.2.1
 *         (alignment), A3.8.3 (order); ARM Architecture Reference Manual, ARM DDI 0100I, on
 *         strongly ordered memory: an access of an ARM1176 to it is a barrier.
 * Choices: the display reads the framebuffer without a check. */
#include "board/machine/machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "board/machine/shadow.h"
#include "board/pi/pi.h"

enum {
    LARGEST_REQUEST = 1 << 16, /* bytes of a property buffer that is checked */
    FRAMEBUFFER_REQUEST = 40,
    CHANNEL_FRAMEBUFFER = 1,
    CHANNEL_PROPERTY = 8,
    CONTROL_BLOCK = 24, /* bytes of a DMA control block that have a meaning */
};

/* --- reporting --- */

/* Returns true if a finding with this cause was reported before. */
static bool is_known(struct tess_pi_machine *machine, enum pi_finding kind, uint64_t pc)
{
    struct machine_checks *checks = &machine->checks;
    enum { MOST = sizeof checks->seen / sizeof checks->seen[0] };
    for (uint32_t i = 0; i < checks->count; i++)
        if (checks->seen[i].kind == (uint32_t)kind && checks->seen[i].pc == pc)
            return true;
    if (checks->count == MOST)
        return true;
    checks->seen[checks->count].kind = kind;
    checks->seen[checks->count++].pc = pc;
    return false;
}

/* Reports a finding about memory at an address, which the instruction at pc causes. */
static void report(struct tess_pi_machine *machine, enum pi_finding kind, uint64_t pc,
                   uint32_t address, const char *text)
{
    if (is_known(machine, kind, pc))
        return;
    machine->checks.writer = shadow_writer(machine->shadow, address);
    pi_fault(machine->pi, kind, address, text);
    machine->checks.writer = 0;
}

static void report_read(struct tess_pi_machine *machine, enum shadow_fault fault, uint64_t pc,
                        const char *unit, uint32_t address)
{
    static const struct {
        enum pi_finding kind;
        const char *text;
    } kinds[] = {
        [SHADOW_DIRTY] = {PI_STALE_CACHE,
                          "reads 0x%08" PRIx32 ", which the ARM wrote through its data cache and "
                          "did not clean since: the unit may read older bytes"},
        [SHADOW_EARLY] = {PI_MISSING_BARRIER,
                          "reads 0x%08" PRIx32 ", which the ARM wrote without a barrier before the "
                          "register write that starts the unit: the unit may read older bytes"},
        [SHADOW_UNWRITTEN] = {PI_UNINITIALISED,
                              "reads 0x%08" PRIx32 ", which nothing has written since power-on"},
    };
    char text[256];
    int length = snprintf(text, sizeof text, "%s ", unit);
    snprintf(text + length, sizeof text - (size_t)length, kinds[fault].text, address);
    report(machine, kinds[fault].kind, pc, address, text);
}

static void check_read(struct tess_pi_machine *machine, enum shadow_unit unit, const char *name,
                       uint64_t pc, uint32_t address, uint32_t size, bool written)
{
    uint32_t at;
    enum shadow_fault fault = shadow_unit_reads(machine->shadow, unit, address, size, written, &at);
    if (fault)
        report_read(machine, fault, pc, name, at);
}

/* binner: the V3D's binner takes the memory, and may leave parts of it unchanged. */
static void check_write(struct tess_pi_machine *machine, enum shadow_unit unit, const char *name,
                        uint64_t pc, uint32_t address, uint32_t size, bool binner)
{
    uint32_t at;
    char text[256];
    if (!shadow_unit_writes(machine->shadow, unit, address, size, &at) || binner)
        return;
    snprintf(text, sizeof text,
             "%s writes 0x%08" PRIx32 ", but the ARM's data cache contains changed bytes of the "
             "same %d bytes, which may overwrite the new ones later",
             name, at, SHADOW_LINE);
    report(machine, PI_STALE_CACHE, pc, at, text);
}

/* --- the V3D --- */

static void observe(void *user, const struct tess_vc4_access *access)
{
    struct tess_pi_machine *machine = user;
    machine->checks.in_v3d = true;
    if (access->write)
        check_write(machine, SHADOW_V3D, access->unit, machine->v3d_writer, access->address,
                    access->size, access->lists);
    else
        check_read(machine, SHADOW_V3D, access->unit, machine->v3d_writer, access->address,
                   access->size, !access->code);
    machine->checks.in_v3d = false;
}

enum tess_status machine_begin_checks(struct tess_pi_machine *machine)
{
    machine->shadow = shadow_create(machine->ram_size, machine->arm_size);
    if (!machine->shadow)
        return TESS_NO_MEMORY;
    tess_vc4_observe_memory(machine->vc4, observe, machine);
    return TESS_OK;
}

/* --- the firmware --- */

/* Marks what the firmware has changed in a buffer. */
static void note_answer(struct tess_pi_machine *machine, uint32_t address, const uint8_t *before,
                        uint32_t size)
{
    for (uint32_t at = 0; at < size; at += 4)
        if (memcmp(machine->ram + address + at, before + at, 4) != 0)
            check_write(machine, SHADOW_FIRMWARE, "the firmware", machine->pc, address + at, 4,
                        false);
}

static bool is_ram(const struct tess_pi_machine *machine, uint32_t address, uint32_t size)
{
    return address < machine->ram_size && size <= machine->ram_size - address;
}

/* Returns the size of the request at an address of RAM, or 0 if there is none. */
static uint32_t request_size(struct tess_pi_machine *machine, uint32_t channel, uint32_t address)
{
    if (!is_ram(machine, address, FRAMEBUFFER_REQUEST))
        return 0;
    if (channel == CHANNEL_FRAMEBUFFER)
        return FRAMEBUFFER_REQUEST;
    uint32_t size = load_le32(machine->ram + address) & ~UINT32_C(3);
    bool good = channel == CHANNEL_PROPERTY && size <= LARGEST_REQUEST &&
                is_ram(machine, address, size);
    return good ? size : 0;
}

void machine_check_mailbox(struct tess_pi_machine *machine, uint32_t value,
                           void (*write)(struct tess_pi_machine *machine, uint32_t value))
{
    uint32_t address = value & PI_ADDRESS & ~UINT32_C(15);
    uint32_t size = machine->shadow ? request_size(machine, value & 15, address) : 0;
    uint8_t *before = size ? malloc(size) : NULL;
    if (!before) {
        write(machine, value);
        return;
    }
    shadow_start(machine->shadow, SHADOW_FIRMWARE);
    check_read(machine, SHADOW_FIRMWARE, "the firmware", machine->pc, address, size, false);
    memcpy(before, machine->ram + address, size);
    write(machine, value);
    note_answer(machine, address, before, size);
    free(before);
}

/* --- DMA --- */

void machine_dma_touches(void *user, uint32_t bus, uint32_t size, bool write)
{
    struct tess_pi_machine *machine = user;
    uint32_t address = bus & PI_ADDRESS;
    if (!machine->shadow)
        return;
    if (write)
        check_write(machine, SHADOW_DMA, "a DMA channel", machine->dma_writer, address, size,
                    false);
    else
        check_read(machine, SHADOW_DMA, "a DMA channel", machine->dma_writer, address, size,
                   size == CONTROL_BLOCK);
}

static bool starts_dma(uint32_t offset, uint32_t value)
{
    enum { DMA = 0x7000, DMA_SIZE = 0xf00, DMA15 = 0xe05000, CHANNEL = 0x100, ACTIVE = 1 };
    bool control = offset - DMA < DMA_SIZE ? offset % CHANNEL == 0 : offset == DMA15;
    return control && (value & ACTIVE);
}

static bool starts_v3d(uint32_t offset)
{
    enum { CT0CS = 0x100, CT1EA = 0x10c, SRQPC = 0x430 };
    return (offset >= TESS_PI_V3D + CT0CS && offset <= TESS_PI_V3D + CT1EA) ||
           offset == TESS_PI_V3D + SRQPC;
}

/* --- the cores --- */

void machine_check_start(struct tess_pi_machine *machine, const struct arm_access *access,
                         uint32_t offset, uint32_t value)
{
    bool v3d = starts_v3d(offset), channel = starts_dma(offset, value);
    if (v3d)
        machine->v3d_writer = machine->pc;
    if (channel)
        machine->dma_writer = machine->pc;
    if (!machine->shadow)
        return;
    /* The order of architecture version 6. */
    if (machine->core_count == 1 && access->memory == ARM_MEMORY_ORDERED)
        shadow_barrier(machine->shadow);
    if (v3d)
        shadow_start(machine->shadow, SHADOW_V3D);
    if (channel)
        shadow_start(machine->shadow, SHADOW_DMA);
}

void machine_check_alignment(struct tess_pi_machine *machine, const struct arm_access *access,
                             uint64_t pc)
{
    bool wide = machine->options.engine->is_64(machine->cores[access->core]);
    unsigned least = !wide && access->size > 4 ? 4 : access->size;
    char text[160];
    if (access->address % least == 0 || is_known(machine, PI_UNALIGNED, pc))
        return;
    snprintf(text, sizeof text,
             "core %u accesses %u bytes at 0x%08" PRIx64 " of %s, which is not aligned",
             access->core, access->size, access->address,
             access->address < machine->ram_size ? "memory without translation or mapped as device"
                                                 : "a peripheral");
    uint64_t before = machine->access;
    machine->access = pc;
    pi_fault(machine->pi, PI_UNALIGNED, (uint32_t)access->address, text);
    machine->access = before;
}

/* The ARM reads memory that another unit has written. */
static void report_old(struct tess_pi_machine *machine, const struct arm_access *access,
                       enum shadow_unit unit)
{
    static const char *const names[] = {[SHADOW_V3D] = "the V3D",
                                        [SHADOW_FIRMWARE] = "the firmware",
                                        [SHADOW_DMA] = "a DMA channel"};
    uint64_t pc = machine->options.engine->accessing(machine->cores[access->core]);
    char text[200];
    snprintf(text, sizeof text,
             "core %u reads 0x%08" PRIx64 ", which %s has written, but its data cache may contain "
             "older bytes",
             access->core, access->address, names[unit]);
    machine->access = pc;
    report(machine, PI_STALE_CACHE, pc, (uint32_t)access->address, text);
    machine->access = 0;
}

void machine_touch(void *user, const struct arm_access *access, bool store)
{
    struct tess_pi_machine *machine = user;
    struct arm_core *core = machine->cores[access->core];
    enum shadow_unit unit;
    bool unaligned = access->address % access->size && machine->core_count > 1 &&
                     access->memory <= ARM_MEMORY_DEVICE;
    uint64_t pc = store || unaligned ? machine->options.engine->accessing(core) : 0;
    if (unaligned)
        machine_check_alignment(machine, access, pc);
    if (store)
        shadow_store(machine->shadow, access, pc);
    else if (shadow_read(machine->shadow, access, &unit))
        report_old(machine, access, unit);
}

void machine_barrier(void *user, unsigned core)
{
    struct tess_pi_machine *machine = user;
    (void)core;
    shadow_barrier(machine->shadow);
}

void machine_maintained(void *user, unsigned core, unsigned what, uint64_t address, uint32_t size)
{
    struct tess_pi_machine *machine = user;
    (void)core;
    if (machine->shadow && address < machine->ram_size)
        shadow_maintain(machine->shadow, what, (uint32_t)address, size);
}

void machine_nowhere(void *user, unsigned core, uint64_t pc, uint64_t from)
{
    struct tess_pi_machine *machine = user;
    char text[160];
    snprintf(text, sizeof text, "core %u executes at 0x%08" PRIx64 ", where there is no memory",
             core, pc);
    machine->checks.from = from;
    pi_fault(machine->pi, PI_NO_CODE, (uint32_t)pc, text);
    machine->checks.from = 0;
    machine->end.core = core;
    machine->end.pc = pc;
    machine_end(machine, TESS_PI_END_BROKEN, NULL);
}

void machine_loaded(struct tess_pi_machine *machine, uint32_t address, uint32_t size)
{
    if (machine->shadow)
        shadow_load(machine->shadow, address, size);
}
