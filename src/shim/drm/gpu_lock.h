/* SPDX-License-Identifier: MIT */
/* gpu_lock.h - the lock of the device. */
#ifndef SHIM_DRM_GPU_LOCK_H
#define SHIM_DRM_GPU_LOCK_H

/* Take and release the device's lock. Calls may nest. While a thread holds the lock, it receives no
 * signals except those that its own instructions raise. */
void gpu_lock(void);
void gpu_unlock(void);

#endif
