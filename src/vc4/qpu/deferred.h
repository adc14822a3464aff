/* SPDX-License-Identifier: MIT */
/* deferred.h - deferred requests: memory accesses of programs that run ahead. The requests are
 * collected until the accesses of all programs are known.
 *
 * In:  each program's requests, with their times without contention.
 * Out: the delay of each program by contention.
 *
 * While programs run ahead (run_ahead.h), the model runs one program at a time, and does not know
 * the accesses of later programs. It assumes the earliest possible time for each access, and
 * records the request and the time at which the program needed the result. Afterwards
 * deferred_settle() processes the requests of all programs in the order of time, and delays each
 * program that had to wait. */
#ifndef VC4_QPU_DEFERRED_H
#define VC4_QPU_DEFERRED_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/memory/bus.h"
#include "vc4/qpu/qpu_times.h"
#include "vc4/time/contention.h"
#include "vc4/watch/instruction_profile.h"

enum deferred_kind {
    DEFERRED_FETCH,   /* a line of code or uniforms, for which the program waits immediately */
    DEFERRED_REQUEST, /* a request of a TMU; a DEFERRED_LINE follows for each line from memory */
    DEFERRED_LINE,    /* a line from memory for the latest DEFERRED_REQUEST */
    DEFERRED_TAKE,    /* the oldest result of a TMU is read */
    DEFERRED_SWITCH,  /* a thread switch: all results count as arrived */
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
    struct instruction_profile *insn_profile; /* NULL if instructions are not counted */
    /* State of the TMUs when the first line was requested. deferred_settle() updates this state,
     * with the delays included. */
    struct qpu_tmu_times tmu[TMU_UNITS];
    uint64_t late, late_by[QPU_STALLS]; /* delay so far in clocks, in total and by cause */
};

void deferred_free(struct deferred_requests *deferred);

/* Starts a new run-ahead of the program that runs on qpu. bus contains the program's code.
 * insn_profile is the profile, or NULL. */
void deferred_begin(struct deferred_requests *deferred, struct qpu *qpu, struct bus *bus,
                    struct instruction_profile *insn_profile);

/* Adds a request. The caller fills in the fields of the request's kind. Returns NULL if the request
 * need not be recorded or the host is out of memory. leaves is true if the request, or a request
 * that belongs to it, fetches a line from memory. */
struct deferred_request *deferred_add(struct deferred_requests *deferred, enum deferred_kind kind,
                                      bool leaves);

/* Processes the requests of count programs in the order of time, and delays each program by its
 * waits for memory. */
void deferred_settle(struct deferred_requests *const all[], unsigned count,
                     struct contention *contention);

#endif
