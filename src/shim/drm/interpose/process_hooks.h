/* SPDX-License-Identifier: MIT */
/* process_hooks.h - hooks for the end of the process and for forks. */
#ifndef SHIM_DRM_INTERPOSE_PROCESS_HOOKS_H
#define SHIM_DRM_INTERPOSE_PROCESS_HOOKS_H

/* Installs the hooks for the end of the process. Called when the program first uses the device. */
void process_hooks_install(void);

#endif
