/* SPDX-License-Identifier: MIT */
/* leftovers.h - temporary files of programs that were killed. */
#ifndef CLI_LEFTOVERS_H
#define CLI_LEFTOVERS_H

#include <stdbool.h>

/* Removes those of processes that are no more. */
void leftovers_sweep(void);

/* Makes an empty folder for the device's files, which all processes of a program share (TESSERA_TREE): a descriptor that keeps it
 * until it is closed; -1: there is none, and each process makes one of its own. */
int leftovers_make_tree(const char *title);

#endif
