/* SPDX-License-Identifier: MIT */
/* leftovers.h - temporary files of programs that were killed. */
#ifndef CLI_LEFTOVERS_H
#define CLI_LEFTOVERS_H

/* Removes those of processes that are no more. */
void leftovers_sweep(void);

#endif
