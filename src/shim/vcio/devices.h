/* SPDX-License-Identifier: MIT */
/* devices.h - requests to the devices of a Raspberry Pi: /dev/vcio (mailbox.c), /dev/vcsm (vcsm.c),
 * /dev/vcsm-cma and /dev/dma_heap, which create dma-bufs of VideoCore memory (dma_buf.c).
 *
 * The functions for ioctl() return 0, or -1 with errno set. `argument` may be any value. */
#ifndef VCIO_DEVICES_H
#define VCIO_DEVICES_H

#include <stddef.h>
#include <stdint.h>

#include "files.h"

int mailbox_ioctl(unsigned long request, uintptr_t argument);
int vcsm_device_ioctl(unsigned long request, uintptr_t argument);
int vcsm_cma_ioctl(unsigned long request, uintptr_t argument);
int dma_heap_ioctl(unsigned long request, uintptr_t argument);

/* Carries out mmap() of /dev/vcsm. The offset is a handle. */
void *vcsm_device_map(void *start, size_t size, int prot, int flags, uint64_t offset);

/* Returns the kind of the faked file of a descriptor, or FILE_NONE. */
enum file_kind dma_buf_file_kind(int fd);

/* dma_buf_ioctl() and dma_buf_map() carry out ioctl() and mmap() of a dma-buf. */
int dma_buf_ioctl(unsigned long request, uintptr_t argument);
void *dma_buf_map(int fd, void *start, size_t size, int prot, int flags, uint64_t offset);

/* Maps physical memory, with the arguments, results and errors of mmap(). RAM is mapped directly.
 * Accesses to other addresses are trapped (trap.h). `fd` is a descriptor of the memory's file, with
 * the access mode of the program's descriptor. */
void *mappings_map(void *start, size_t size, int prot, int flags, int fd, uint64_t physical);

/* Maps registers of the peripherals, starting at `offset` bytes from the peripheral base, for a
 * device that shows only peripherals. */
void *mappings_map_peripherals(void *start, size_t size, int prot, int flags, uint32_t offset);

#endif
