/* SPDX-License-Identifier: MIT */
/* board.h - what differs between boards, and access to peripherals. */
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns true on a Pi Zero or 1 (BCM2835), false on a Pi 2 or 3. The part number of the ARM core
 * shows it: 0xb76 is an ARM1176. */
static inline bool board_is_bcm2835(void)
{
    uint32_t id;
    asm("mrc p15, 0, %0, c0, c0, 0" : "=r"(id));
    return (id >> 4 & 0xfff) == 0xb76;
}

/* Returns the address of the peripherals. */
static inline uint32_t peripheral_base(void)
{
    return board_is_bcm2835() ? 0x20000000 : 0x3f000000;
}

/* A register by its offset from the peripherals' address. */
#define PERIPHERAL(offset) (*(volatile uint32_t *)(peripheral_base() + (offset)))

/* Returns the bus address of memory, for the GPU. On a BCM2835 the ARM's accesses pass through the
 * GPU's L2 cache, so the GPU must use the alias that passes through it too. On later boards they do
 * not, and the GPU uses the alias that bypasses the cache. */
static inline uint32_t bus_address(const volatile void *memory)
{
    return (uint32_t)memory | (board_is_bcm2835() ? 0x40000000 : 0xc0000000);
}

/* Returns ARM memory by its bus address. */
static inline void *arm_address(uint32_t bus)
{
    return (void *)(bus & 0x3fffffff);
}

/* Waits until all accesses so far have been done. Needed between two peripherals, and before the
 * GPU reads memory that the ARM has written. */
static inline void barrier(void)
{
    asm volatile("mcr p15, 0, %0, c7, c10, 4" ::"r"(0) : "memory");
}

/* Microseconds since power-on, from the system timer. */
static inline uint32_t microseconds(void)
{
    return PERIPHERAL(0x3004);
}

/* start.S: waits for a pending interrupt; stops for ever. */
void wait_for_interrupt(void);
_Noreturn void halt(void);

#endif
