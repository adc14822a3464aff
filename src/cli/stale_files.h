/* SPDX-License-Identifier: MIT */
/* stale_files.h - creates temporary files for a program's processes, and removes the temporary
 * files of programs that have ended. */
#ifndef CLI_STALE_FILES_H
#define CLI_STALE_FILES_H

#include <stddef.h>

/* Removes the temporary files of programs that have ended. */
void stale_files_sweep(void);

/* Creates an empty file to which the processes of a program append, and writes its name to path.
 * Returns a descriptor that protects the file from stale_files_sweep() until the descriptor is
 * closed, or -1 after an error message. The caller removes the file. */
int stale_files_make_file(const char *title, char *path, size_t size);

/* Creates an empty folder for the device's files, which all processes of a program share
 * (TESSERA_TREE). Returns a descriptor that protects the folder until the descriptor is closed, or
 * -1 if no folder could be created. Each process then creates a folder for itself. */
int stale_files_make_tree(const char *title);

#endif
