/* SPDX-License-Identifier: MIT */
/* simpenrose.h - a VideoCore IV for drivers that bring their own memory: what Mesa's vc4 driver links when it is built for a
 * simulator.
 *
 * In:  memory, control lists in it. Out: what the lists draw, in the same memory; findings on standard error
 * (docs/simpenrose.md).
 *
 * Bus addresses are offsets into the memory. All functions may be called from any thread; jobs run one at a time.
 * Source: Mesa, src/gallium/drivers/vc4/vc4_simulator.c, for names, arguments and meaning. */
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

/* Makes the GPU, with size bytes of the caller's memory from bus address 0 on, at most 1 GiB. The memory must stay. What a
 * GPU made earlier had is given up. */
SIMPENROSE_API void simpenrose_init_hardware_supply_mem(void *memory, uint32_t size);

/* Memory for tile lists that do not fit in where a list puts them: each list for the binner begins with all of it. */
SIMPENROSE_API void simpenrose_supply_overflow_mem(uint32_t offset, uint32_t size);

/* The bus address of a place in the memory; UINT32_MAX for any other. */
SIMPENROSE_API uint32_t simpenrose_hw_addr(const void *place);

/* Run a list for the binner, and one for the renderer, from address to end. They return how many flushes, or frames, the list
 * has ended: 1 for a job as drivers make it; fewer if the GPU hung, which is reset then. */
SIMPENROSE_API int simpenrose_do_binning(uint32_t address, uint32_t end);
SIMPENROSE_API int simpenrose_do_rendering(uint32_t address, uint32_t end);

#ifdef __cplusplus
}
#endif

#endif
