/* SPDX-License-Identifier: MIT */
/* leftovers.h - temporary files of programs that were killed. */
#ifndef CLI_LEFTOVERS_H
#define CLI_LEFTOVERS_H

#include <stdbool.h>
#include <stddef.h>

/* Removes the temporary files of programs that have ended. */
void leftovers_sweep(void);

/* Creates an empty file that the processes of a program append to, and writes its name to path. Returns a descriptor that keeps
 * the file from leftovers_sweep() until the descriptor is closed, or -1 after an error message. The caller removes the file. */
int leftovers_make_file(const char *title, char *path, size_t size);

/* Makes an empty folder for the device's files, which all processes of a program share (TESSERA_TREE): a descriptor that keeps it
 * until it is closed; -1: there is none, and each process makes one of its own. */
int leftovers_make_tree(const char *title);

#endif
