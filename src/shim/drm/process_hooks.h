/* SPDX-License-Identifier: MIT */
/* process_hooks.h - hooks for the end and for forks of the process. */
#ifndef SHIM_DRM_PROCESS_HOOKS_H
#define SHIM_DRM_PROCESS_HOOKS_H

/* Called when the program begins to use the device. Installs the hooks for the end of the
 * process. */
void process_hooks_install(void);

#endif
