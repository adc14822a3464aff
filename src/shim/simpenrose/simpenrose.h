/* SPDX-License-Identifier: MIT */
/* simpenrose.h - a VideoCore IV for drivers that allocate its memory. Mesa's vc4 driver links this
 * library when it is built for a simulator.
 *
 * In:     memory, and control lists in it.
 * Out:    the drawn pictures, in the same memory; findings on standard error
 *         (docs/simpenrose.md).
 * Source: Mesa, src/gallium/drivers/vc4/vc4_simulator.c, for names, arguments and meaning.
 *
 * Bus addresses are offsets into the memory. All functions may be called from any thread. Jobs run
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

/* Creates the GPU with size bytes of the caller's memory, at most 1 GiB, at bus address 0. The
 * memory must stay valid until the next call or the end of the process. A further call replaces the
 * memory and drops the overflow memory. Errors are printed on standard error. */
SIMPENROSE_API void simpenrose_init_hardware_supply_mem(void *memory, uint32_t size);

/* Sets the memory for tile lists that do not fit into the memory that the list specifies.
 * `offset` is the bus address, `size` is in bytes. Each list for the binner starts with all of the
 * overflow memory. */
SIMPENROSE_API void simpenrose_supply_overflow_mem(uint32_t offset, uint32_t size);

/* Returns the bus address of a pointer into the memory, or UINT32_MAX for other pointers. */
SIMPENROSE_API uint32_t simpenrose_hw_addr(const void *place);

/* Run a list for the binner or the renderer, from bus address `address` up to `end`. Return the
 * number of flushes or frames that the list has completed, modulo 256. A driver's job completes
 * one. A list that hangs completes fewer, and the GPU is reset. Without memory, the functions print
 * an error and return 0. */
SIMPENROSE_API int simpenrose_do_binning(uint32_t address, uint32_t end);
SIMPENROSE_API int simpenrose_do_rendering(uint32_t address, uint32_t end);

#ifdef __cplusplus
}
#endif

#endif
