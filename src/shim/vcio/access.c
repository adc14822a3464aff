/* SPDX-License-Identifier: MIT */
/* access.c - see access.h.
 *
 * In:  addresses in the program.
 * Out: 32-bit accesses to the machine's registers; bytes of ordinary memory.
 *
 * Source: BCM2835 ARM Peripherals, section 1.3 and the register tables: all registers are 32 bits
 *         wide. The peripherals' buses have no byte lanes.
 * Choices: a read of a part of a register reads the whole register. A wider access becomes one
 *          access per register, in address order. A write to a part of a register writes the whole
 *          register, with zeros in the other bytes, and is reported once. The handler copies
 *          ordinary memory with system calls, so that a bad address does not crash the handler. */
#include "access.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "guard.h"
#include "ranges.h"

static const struct access_ports *machine;

void access_use(const struct access_ports *ports)
{
    machine = ports;
}

void access_settle(void)
{
    machine->settle();
}

/* Consecutive bytes of memory of the same kind. */
struct piece {
    size_t size;
    bool registers, memory; /* memory is true for GPU memory; both are false for ordinary memory */
    uint32_t offset;
    int protection;
};

/* Returns the first piece of the `size` bytes at an address. */
static struct piece piece_at(uintptr_t address, size_t size)
{
    struct piece piece = {.size = size};
    const struct range *range;

    ranges_enter();
    range = ranges_at(address);
    if (range && range->start <= address) {
        piece.registers = range->kind == RANGE_REGISTERS;
        piece.memory = !piece.registers;
        piece.offset = range->offset + (uint32_t)(address - range->start);
        piece.protection = range->protection;
        if (range->end - address < size)
            piece.size = range->end - address;
    } else if (range && range->start - address < size) {
        piece.size = range->start - address;
    }
    ranges_leave();
    return piece;
}

/* Copies ordinary memory of the program. Returns false if that memory is not accessible. */
static bool copy(uintptr_t address, void *bytes, size_t size, bool write)
{
    struct iovec here = {bytes, size}, there = {(void *)address, size};
    ssize_t done = write ? process_vm_writev(getpid(), &here, 1, &there, 1, 0)
                         : process_vm_readv(getpid(), &here, 1, &there, 1, 0);

    if (done >= 0 || errno == EFAULT)
        return done == (ssize_t)size;
    /* The system does not have or does not permit the system call. A bad address then ends the
     * process. */
    if (write)
        memcpy((void *)address, bytes, size);
    else
        memcpy(bytes, (void *)address, size);
    return true;
}

/* Like copy(), but for memory that the guard may have closed. If another thread closes that memory
 * again before the copy, repeats the copy. */
static bool copy_guarded(uintptr_t address, void *bytes, const struct piece *piece, bool write)
{
    do {
        if (piece->memory)
            access_settle();
        if (copy(address, bytes, piece->size, write))
            return true;
    } while (piece->memory && guard_is_closed());
    return false;
}

enum access_kind access_kind(uintptr_t address, size_t size, bool reads, bool writes,
                             uint32_t *offset)
{
    const struct piece piece = piece_at(address, size);
    const int needed = (reads ? PROT_READ : 0) | (writes ? PROT_WRITE : 0);

    *offset = piece.offset;
    if (piece.size < size || address + size < address)
        return ACCESS_OTHER;
    if (!piece.registers && !piece.memory)
        return ACCESS_MEMORY;
    if ((piece.protection & needed) != needed)
        return ACCESS_OTHER;
    return piece.registers ? ACCESS_REGISTERS : ACCESS_GPU;
}

void access_open(void)
{
    if (guard_is_closed())
        access_settle();
}

bool access_watched(uintptr_t address, size_t size)
{
    while (size) {
        struct piece piece = piece_at(address, size);

        if (piece.registers)
            return true;
        address += piece.size;
        size -= piece.size;
    }
    return false;
}

bool access_allowed(uintptr_t address, size_t size, bool write, uintptr_t *bad)
{
    uint8_t probe[64];

    while (size) {
        struct piece piece = piece_at(address, size < sizeof probe ? size : sizeof probe);
        bool allowed = piece.registers ? piece.protection & (write ? PROT_WRITE : PROT_READ)
                                       : copy_guarded(address, probe, &piece, false);

        if (!allowed) {
            *bad = address;
            return false;
        }
        address += piece.size;
        size -= piece.size;
    }
    return true;
}

void access_read_registers(uint32_t offset, void *into, size_t size)
{
    uint8_t *bytes = into;

    while (size) {
        uint32_t lane = offset & 3, value = machine->read(offset - lane);
        size_t part = size < 4 - lane ? size : 4 - lane;

        memcpy(bytes, (uint8_t *)&value + lane, part);
        offset += (uint32_t)part;
        bytes += part;
        size -= part;
    }
}

static void report_of_narrow(uint32_t offset, size_t size)
{
    static bool told;

    if (__atomic_exchange_n(&told, true, __ATOMIC_RELAXED))
        return;
    dprintf(STDERR_FILENO,
            "tessera: warning: %zu-byte write to the register at peripheral offset 0x%06x: "
            "registers have 32 bits, and the other bytes become 0 (reported once)\n",
            size, (unsigned)offset);
}

void access_write_registers(uint32_t offset, const void *from, size_t size)
{
    const uint8_t *bytes = from;

    while (size) {
        uint32_t lane = offset & 3, value = 0;
        size_t part = size < 4 - lane ? size : 4 - lane;

        memcpy((uint8_t *)&value + lane, bytes, part);
        if (part < 4)
            report_of_narrow(offset, part);
        machine->write(offset - lane, value);
        offset += (uint32_t)part;
        bytes += part;
        size -= part;
    }
}

void access_read(uintptr_t address, void *bytes, size_t size)
{
    uint8_t *into = bytes;

    while (size) {
        struct piece piece = piece_at(address, size);

        if (piece.registers)
            access_read_registers(piece.offset, into, piece.size);
        else
            copy_guarded(address, into, &piece, false);
        address += piece.size;
        into += piece.size;
        size -= piece.size;
    }
}

bool access_write(uintptr_t address, const void *bytes, size_t size, uintptr_t *bad)
{
    const uint8_t *from = bytes;

    while (size) {
        struct piece piece = piece_at(address, size);

        if (piece.registers) {
            access_write_registers(piece.offset, from, piece.size);
        } else if (!copy_guarded(address, (void *)from, &piece, true)) {
            *bad = address;
            return false;
        }
        address += piece.size;
        from += piece.size;
        size -= piece.size;
    }
    return true;
}
