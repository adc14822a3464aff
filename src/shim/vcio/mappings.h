/* SPDX-License-Identifier: MIT */
/* mappings.h - what the program sees of physical addresses: RAM, and peripherals. */
#ifndef VCIO_MAPPINGS_H
#define VCIO_MAPPINGS_H

#include <stddef.h>
#include <stdint.h>

/* mmap() of physical memory, with mmap()'s arguments, results and errno. Where there is RAM, its bytes appear; accesses to
 * the rest are trapped (trap.h). fd: a descriptor of the memory's file, opened as the program did. */
void *mappings_map(void *start, size_t size, int prot, int flags, int fd, uint64_t physical);

/* mmap() of a device that shows only the peripherals, from an offset of theirs on. */
void *mappings_map_peripherals(void *start, size_t size, int prot, int flags, uint32_t offset);

#endif
