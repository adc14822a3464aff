/* SPDX-License-Identifier: MIT */
/* cle.h - Control List Executor (manual sections 8 and 9): the two control list threads.
 *
 * In:  addresses from V3D_CTnCA and V3D_CTnEA, records from memory.
 * Out: the state that records set; primitives to the PTB (thread 0) or the PSE (thread 1); tile
 *      loads and stores to the TLB.
 *
 * A thread advances by one record, or by one primitive of a list, at a time. Between steps it can
 * wait for the other thread's semaphore or for binning memory. */
#ifndef VC4_LISTS_CLE_H
#define VC4_LISTS_CLE_H

#include <stdint.h>

#include "vc4/lists/cle_ports.h"

/* Advances a thread by one record or primitive. */
enum cle_step cle_step(struct cle *cle, const struct cle_ports *ports, unsigned thread);

/* Reports the reason why a thread waits forever. */
void cle_report_wait(struct cle *cle, const struct cle_ports *ports, unsigned thread);

/* Read and write the registers V3D_CTnCS, CTnEA and CTnCA of a thread. */
uint32_t cle_read_cs(const struct cle *cle, const struct cle_ports *ports, unsigned thread);
void cle_write_cs(struct cle *cle, const struct cle_ports *ports, unsigned thread, uint32_t value);
void cle_write_ea(struct cle *cle, unsigned thread, uint32_t value);
void cle_write_ca(struct cle *cle, const struct cle_ports *ports, unsigned thread, uint32_t value);

void cle_reset(struct cle *cle);

struct state_stream;

/* Lists the fields for saved states (base/state.h), after those of the draws. */
void cle_fields(struct state_stream *stream, struct cle *cle, const struct draws *draws);

#endif
