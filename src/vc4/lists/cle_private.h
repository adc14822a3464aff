/* SPDX-License-Identifier: MIT */
/* cle_private.h - what the files of the Control List Executor share. cle.c executes records and
 * calls cle_primitives.c for the lists of primitives. cle_registers.c starts and stops threads. */
#ifndef VC4_LISTS_CLE_PRIVATE_H
#define VC4_LISTS_CLE_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/lists/cle_ports.h"

/* Returns the state of a thread, CLE_BINNING or CLE_RENDERING. */
static inline struct cle_thread *cle_thread_of(struct cle *cle, unsigned thread)
{
    return thread == CLE_BINNING ? &cle->thread[CLE_BINNING] : &cle->thread[CLE_RENDERING];
}

/* Stops the thread at its current address. halted is true for a halt, which V3D_CTnCS shows. */
static inline enum cle_step cle_stop_at(struct cle_thread *t, bool halted)
{
    t->running = false;
    t->halted = halted;
    return CLE_STOPPED;
}

/* Stops the thread with CTERR set. V3D_CTnCA is then the address of the record in error. The caller
 * has reported the finding. */
static inline enum cle_step cle_stop_with_error(struct cle_thread *t)
{
    t->error = true;
    t->work = CLE_RECORDS;
    t->ca = t->record_address;
    return cle_stop_at(t, false);
}

/* Returns the field CTSEMA of a thread: the value of the semaphore that the thread increments and
 * the other thread waits on. Two public programs show that CTSEMA belongs to the incrementing
 * thread. Broadcom's driver (khrn_prod_4.c) reads CT0CS before it sends the binner another list
 * with an increment. asurati/x03 (dev/v3d.c) resets thread 1 after the binner's increment and
 * before thread 1's wait. */
static inline uint32_t cle_semaphore_of(const struct cle *cle, unsigned thread)
{
    return cle->thread[thread].given - cle->thread[!thread].taken;
}

/* Each of these three functions begins a list of primitives at the thread's current record: vertex
 * numbers (records 32 and 33), coordinates (41 and 42), and a compressed list (48 and 49). data
 * points to the byte after the record's id. Later steps draw the list. */
enum cle_step cle_begin_primitives(struct cle *cle, const struct cle_ports *ports, unsigned thread,
                                   const uint8_t *data);
enum cle_step cle_begin_coordinates(struct cle *cle, const struct cle_ports *ports, unsigned thread,
                                    const uint8_t *data);
enum cle_step cle_begin_compressed(struct cle *cle, const struct cle_ports *ports, unsigned thread,
                                   const uint8_t *data);

/* Each of these three functions bins or draws the next primitive of such a list, or ends the
 * list. */
enum cle_step cle_step_primitives(struct cle *cle, const struct cle_ports *ports, unsigned thread);
enum cle_step cle_step_coordinates(struct cle *cle, const struct cle_ports *ports, unsigned thread);
enum cle_step cle_step_compressed(struct cle *cle, const struct cle_ports *ports, unsigned thread);

#endif
