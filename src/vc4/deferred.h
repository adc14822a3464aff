/* SPDX-License-Identifier: MIT */
/* deferred.h - deferred requests: accesses to memory of programs that run ahead, collected until
 * the accesses of all programs are known.
 *
 * In:  each program's requests, with the times that they have without contention.
 * Out: the delay of each program by contention.
 *
 * While programs run ahead (run_ahead.h), a program cannot know the accesses of the others at the
 * same time. Each program therefore assumes the earliest possible time for all its accesses, and
 * records the requests and the times at which it needed the results. Afterwards the requests of all
 * programs are settled in the order of time, and the programs that would have had to wait are
 * delayed accordingly. */
#ifndef VC4_DEFERRED_H
#define VC4_DEFERRED_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/bus.h"
#include "vc4/instruction_profile.h"
#include "vc4/qpu_cycles.h"
#include "vc4/contention.h"

enum deferred_kind {
    DEFERRED_FETCH,   /* a line that the program waits for at once */
    DEFERRED_REQUEST, /* a request of a TMU; its lines from memory follow as DEFERRED_LINE */
    DEFERRED_LINE,
    DEFERRED_TAKE,   /* the oldest result of a TMU is read */
    DEFERRED_SWITCH, /* a thread switch: all results count as arrived */
};

struct deferred_request {
    uint64_t time;
    uint64_t ready; /* DEFERRED_FETCH, DEFERRED_REQUEST: time of arrival that the program assumed */
    uint32_t address; /* DEFERRED_FETCH, DEFERRED_LINE: bus address, whose alias selects the path to
                         memory */
    uint32_t pc;      /* DEFERRED_FETCH, DEFERRED_TAKE: address of the instruction that waits */
    uint8_t kind, unit, words, cause;
};

/* The deferred requests of one program. Must be zero-initialised. */
struct deferred_requests {
    struct deferred_request *request;
    uint32_t count, room, next;
    /* True once a line has been requested from memory. Earlier results cannot be late. */
    bool left;
    struct qpu *qpu;
    struct bus *bus;
    struct instruction_profile *insn_profile; /* profile; NULL if instructions are not counted */
    struct qpu_tmu_times tmu[TMU_UNITS]; /* at the run-ahead's start; while settling, with delays */
    uint64_t late, late_by[QPU_STALLS];  /* delay so far, in total and by cause */
};

void deferred_free(struct deferred_requests *deferred);

/* Starts a new run-ahead, with the program's current state. bus contains its code. insn_profile is
 * the profile, or NULL. */
void deferred_begin(struct deferred_requests *deferred, struct qpu *qpu, struct bus *bus,
                    struct instruction_profile *insn_profile);

/* Returns a new request, for the caller to fill in the fields of its kind, or NULL if the request
 * need not be recorded. leaves is true if the request fetches a line from memory, or if requests
 * that do so follow it. */
struct deferred_request *deferred_add(struct deferred_requests *deferred, enum deferred_kind kind,
                                      bool leaves);

/* Settles the requests of count programs, and delays each program by its waits. */
void deferred_settle(struct deferred_requests *const all[], unsigned count,
                     struct contention *contention);

#endif
