/* SPDX-License-Identifier: MIT */
/* reservations.h - reservations of GPU memory by processes. Processes that fork() has created share
 * physical memory. Each process has its own machine, which allocates that memory, so it must not
 * allocate memory that another process uses. */
#ifndef SHIM_VCIO_RESERVATIONS_H
#define SHIM_VCIO_RESERVATIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Creates the list of reservations, which the process shares with children that it creates later.
 * Returns false if there is no memory. */
bool reservations_make(void);

/* Called in the child of a fork. Marks the parent's reservations as permanent, because the child
 * uses the same memory. */
void reservations_inherit(void);

/* Functions for the members claim and unclaim of tess_pi_options. `user` is not used. The
 * reservations of a process that has ended are free again, unless that process had children. */
uint32_t reservations_take(void *user, uint32_t address, uint32_t size);
void reservations_give_back(void *user, uint32_t address);

#endif
