/* SPDX-License-Identifier: MIT */
/* simpenrose.h - a VideoCore IV for drivers that allocate its memory. Mesa's vc4 driver links this
 * library when it is built for a simulator.
 *
 * In:     memory, and control lists in that memory.
 * Out:    the drawn pictures, in the same memory; findings on standard error
 *         (docs/simpenrose.md).
 * Source: Mesa, src/gallium/drivers/vc4/vc4_simulator.c, for names, arguments and meaning.
 *
 * A bus address is an offset into the memory. All functions may be called from any thread. Jobs run
 * one at a time. */
#ifndef SIMPENROSE_H
#define SIMPENROSE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SIMPENROSE_API __attribute__((visibility("default")))
#else
#define SIMPENROSE_API
#endif

/* Creates the GPU. `size` bytes of the caller's memory, at most 1 GiB, become the GPU's memory at
 * bus address 0. The memory must stay valid until the next call or the end of the process. A
 * further call replaces the memory and drops the overflow memory. Errors are printed on standard
 * error. */
SIMPENROSE_API void simpenrose_init_hardware_supply_mem(void *memory, uint32_t size);

/* Sets the overflow memory: memory for tile lists that do not fit in the memory that the control
 * list specifies. `offset` is a bus address, and `size` is in bytes. All of the overflow memory is
 * free when a list for the binner starts. */
SIMPENROSE_API void simpenrose_supply_overflow_mem(uint32_t offset, uint32_t size);

/* Returns the bus address of a pointer into the memory, or UINT32_MAX for another pointer. */
SIMPENROSE_API uint32_t simpenrose_hw_addr(const void *place);

/* Run the binner (simpenrose_do_binning) or the renderer (simpenrose_do_rendering) on the control
 * list from bus address `address` up to `end`. Return the number of flushes or frames, modulo 256,
 * that the list has completed. A driver's job completes one. A list that hangs completes fewer, and
 * the GPU is then reset. If there is no memory, the functions print an error and return 0. */
SIMPENROSE_API int simpenrose_do_binning(uint32_t address, uint32_t end);
SIMPENROSE_API int simpenrose_do_rendering(uint32_t address, uint32_t end);

#ifdef __cplusplus
}
#endif

#endif
