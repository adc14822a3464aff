/* SPDX-License-Identifier: MIT */
/* access.h - carries out the memory accesses of an instruction: accesses to registers of
 * peripherals, and to ordinary memory next to registers. */
#ifndef VCIO_ACCESS_H
#define VCIO_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Memory that contains all bytes of an access. ACCESS_GPU is GPU memory, which may be closed.
 * ACCESS_OTHER is an access to several kinds of memory, and an access that the program's protection
 * of registers or GPU memory forbids. */
enum access_kind { ACCESS_REGISTERS, ACCESS_MEMORY, ACCESS_GPU, ACCESS_OTHER };

/* The machine, as accesses see it: reads and writes of a register of a peripheral (`offset` is in
 * bytes from the peripheral base), and its pending work. */
struct access_ports {
    uint32_t (*read)(uint32_t offset);
    void (*write)(uint32_t offset, uint32_t value);
    void (*settle)(void); /* does pending work */
};

/* Sets the machine. Called once, before main(). */
void access_use(const struct access_ports *ports);

/* Lets the machine do its pending work. */
void access_settle(void);

/* True if at least one of `size` bytes at an address belongs to registers. */
bool access_watched(uintptr_t address, size_t size);

/* True if the program may read the bytes, or, if `write` is true, may write them. Otherwise sets
 * *bad to the first address that the program may not access. Does not access registers. */
bool access_allowed(uintptr_t address, size_t size, bool write, uintptr_t *bad);

/* Read and write bytes. Registers are accessed 32 bits at a time, in address order. Called after
 * access_allowed(), which cannot detect that ordinary memory is read-only. For read-only memory,
 * access_write() returns false and sets *bad to the memory's address. */
void access_read(uintptr_t address, void *bytes, size_t size);
bool access_write(uintptr_t address, const void *bytes, size_t size, uintptr_t *bad);

/* Returns the kind of memory at an address. Takes little time. For ACCESS_REGISTERS, sets *offset
 * to the distance from the peripheral base. For ACCESS_MEMORY, the bytes may not be accessible. */
enum access_kind access_kind(uintptr_t address, size_t size, bool reads, bool writes,
                             uint32_t *offset);

/* Lets the machine do its pending work, so that GPU memory can be accessed. Another thread may
 * close that memory again. */
void access_open(void);

/* Like access_read() and access_write(), for bytes of registers. */
void access_read_registers(uint32_t offset, void *bytes, size_t size);
void access_write_registers(uint32_t offset, const void *bytes, size_t size);

#endif
