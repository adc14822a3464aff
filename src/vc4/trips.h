/* SPDX-License-Identifier: MIT */
/* trips.h - ways to memory of programs that go on alone, kept until all of them are known.
 *
 * In:  what each program asks of memory, with times that it has if nobody else does.
 * Out: how much later it is because others do.
 *
 * While programs run alone (rounds.h), none can know what the others fetch at the same time. So each takes for granted that it
 * gets all as soon as can be, and writes down what it asked for and when it needed that. Afterwards all of it is carried out
 * in the order of time, and who would have had to wait is put back by that much. */
#ifndef VC4_TRIPS_H
#define VC4_TRIPS_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/bus.h"
#include "vc4/hot.h"
#include "vc4/qpu_cycles.h"
#include "vc4/traffic.h"

enum trip_kind {
    TRIP_FETCH,   /* a line that the program waits for at once */
    TRIP_REQUEST, /* of a TMU; the lines that it needs from memory follow */
    TRIP_LINE,
    TRIP_TAKE,   /* the oldest result of a TMU is taken */
    TRIP_SWITCH, /* results count as there */
};

struct trip {
    uint64_t time;
    uint64_t ready;   /* TRIP_FETCH, TRIP_REQUEST: when the program took it to be there */
    uint32_t address; /* TRIP_FETCH, TRIP_LINE: with the bits for the way to memory */
    uint32_t pc;      /* TRIP_FETCH, TRIP_TAKE: of the instruction that waits */
    uint8_t kind, unit, words, cause;
};

/* Those of one program. Zero-initialise it. */
struct trips {
    struct trip *trip;
    uint32_t count, room, next;
    /* Memory has been asked for something: before, nothing that it waits for can be late. */
    bool left;
    struct qpu *qpu;
    struct bus *bus;
    struct hot *hot;                     /* NULL: instructions are not counted one by one */
    struct qpu_tmu_times tmu[TMU_UNITS]; /* as they were; as they turn out */
    uint64_t late, late_by[QPU_STALLS];  /* so far */
};

void trips_free(struct trips *trips);

/* Begins anew, with the program as it stands; bus: where its code is. */
void trips_begin(struct trips *trips, struct qpu *qpu, struct bus *bus, struct hot *hot);

/* The next trip, for the caller to fill in all that its kind has; NULL: it need not be kept. leaves: it asks memory for a line, or
 * such trips follow it. */
struct trip *trips_add(struct trips *trips, enum trip_kind kind, bool leaves);

/* Carries out what so many programs have asked for; each has waited for it then. */
void trips_settle(struct trips *const all[], unsigned count, struct traffic *traffic);

#endif
