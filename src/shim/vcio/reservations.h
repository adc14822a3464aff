/* SPDX-License-Identifier: MIT */
/* reservations.h - reservations of GPU memory between processes. Processes related by fork() share
 * physical memory, but each has its own machine that allocates it. */
#ifndef SHIM_VCIO_RESERVATIONS_H
#define SHIM_VCIO_RESERVATIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Creates the list that the process shares with its later children. Returns false if there is no
 * memory. */
bool reservations_make(void);

/* Called in the child after a fork. The reservations of the parent become permanent. */
void reservations_inherit(void);

/* Functions for claim and unclaim of tess_pi_options; `user` is not used. Memory of a process that
 * has ended may be reserved, unless that process had children. */
uint32_t reservations_take(void *user, uint32_t address, uint32_t size);
void reservations_give_back(void *user, uint32_t address);

#endif
