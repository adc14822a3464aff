/* SPDX-License-Identifier: MIT */
/* gpu.h - the modelled VideoCore IV of this process, and the lock that everything behind the doors is done with.
 *
 * In:  what the environment asks for (options.h). Out: a device; findings and statistics at the end. */
#ifndef SHIM_DRM_GPU_H
#define SHIM_DRM_GPU_H

#include <stdbool.h>
#include <stdint.h>

#include <tessera/vc4.h>

/* Nobody else gets in between. Nests. The thread gets no signals meanwhile, but those that its own instructions raise. */
void gpu_lock(void);
void gpu_unlock(void);

/* Lets others get in for so long. The caller must not have the lock more than once. */
void gpu_give_way(uint32_t nanoseconds);

/* The device, made at the first call; NULL: there is no memory for one, and standard error has been told. With the lock. */
struct tess_vc4 *gpu_get(void);

/* The same, but NULL if nobody has needed it so far. */
struct tess_vc4 *gpu_there(void);

/* As tess_vc4_run(); signals that end programs get through meanwhile. With the lock. */
enum tess_vc4_stop gpu_run(void);

/* Tells of a finding that is not one of the model's as its own are told. If the device is strict, warnings are errors. */
void gpu_report(const struct tess_diag *diag);

/* The process ends, or becomes another program: findings are summed up. May come more than once. The second one is for a copy
 * of a process that a signal kills. */
void gpu_end(void);
void gpu_end_copy(void);

/* Around fork(): before; in the child, which gets a device of its own unless that of the parent was whole. */
void gpu_before_fork(void);
void gpu_in_child(bool whole);

#endif
