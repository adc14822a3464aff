/* SPDX-License-Identifier: MIT */
/* mappings.h - the program's mappings of physical addresses: RAM and peripherals. */
#ifndef VCIO_MAPPINGS_H
#define VCIO_MAPPINGS_H

#include <stddef.h>
#include <stdint.h>

/* Maps physical memory, with the arguments, results and errors of mmap(). RAM is mapped directly.
 * Accesses to other addresses are trapped (trap.h). `fd` is a descriptor of the memory's file, with
 * the access mode of the program's descriptor. */
void *mappings_map(void *start, size_t size, int prot, int flags, int fd, uint64_t physical);

/* Maps registers of the peripherals, starting at `offset` bytes from the peripheral base, for a
 * device that shows only peripherals. */
void *mappings_map_peripherals(void *start, size_t size, int prot, int flags, uint32_t offset);

#endif
