/* SPDX-License-Identifier: MIT */
/* claims.h - which process has which GPU memory. Processes that come from one by fork() share physical memory, but each has a
 * machine of its own that gives it out. */
#ifndef VCIO_CLAIMS_H
#define VCIO_CLAIMS_H

#include <stdbool.h>
#include <stdint.h>

/* Makes the list that the process and its children to come share. False: no memory. */
bool claims_make(void);

/* The process has been forked, and this is the child: what its parent had is in use for good. */
void claims_inherit(void);

/* claim() and unclaim() of tess_pi_options; user is not used. What a process had that is gone may be taken, unless it had
 * children. */
uint32_t claims_take(void *user, uint32_t address, uint32_t size);
void claims_give_back(void *user, uint32_t address);

#endif
