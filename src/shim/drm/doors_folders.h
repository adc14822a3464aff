/* SPDX-License-Identifier: MIT */
/* doors_folders.h - the table of folders that are being listed, over a fork (shim/common/lock.h). */
#ifndef SHIM_DRM_DOORS_FOLDERS_H
#define SHIM_DRM_DOORS_FOLDERS_H

void folders_before_fork(void);
void folders_in_parent(void);
void folders_in_child(void);

#endif
