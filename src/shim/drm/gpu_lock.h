/* SPDX-License-Identifier: MIT */
/* gpu_lock.h - the lock of the device. */
#ifndef SHIM_DRM_GPU_LOCK_H
#define SHIM_DRM_GPU_LOCK_H

/* Takes and releases the lock of the device; calls nest. Meanwhile the thread receives no signals
 * except those that its own instructions raise. */
void gpu_lock(void);
void gpu_unlock(void);

#endif
