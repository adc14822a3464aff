/* SPDX-License-Identifier: MIT */
/* gpu.h - the modelled VideoCore IV of this process, and the lock that everything behind the doors is done with.
 *
 * In:  what the environment asks for (options.h). Out: a device; findings, statistics and captures at the end. */
#ifndef SHIM_DRM_GPU_H
#define SHIM_DRM_GPU_H

#include <stdbool.h>

#include <tessera/vc4.h>

/* Nobody else gets in between. Nests. */
void gpu_lock(void);
void gpu_unlock(void);

/* The device, made at the first call; NULL: there is no memory for one, and standard error has been told. With the lock. */
struct tess_vc4 *gpu_get(void);

/* The same, but NULL if nobody has needed it so far. */
struct tess_vc4 *gpu_there(void);

#endif
