/* SPDX-License-Identifier: MIT */
/* rounds.h - user programs run ahead alone, slice by slice, until they meet what QPUs share; so that several host
 * threads can run them at once.
 *
 * In:  resident user programs, between two turns of the scheduler (qps.h).
 * Out: the same programs further on, and what they have counted, found and read, in the order of their numbers.
 *
 * A program that is alone computes, branches, reads uniforms and has the TMUs look up memory. It stops before a semaphore,
 * the mutex, the VPM and its DMA, the host's interrupt, and its end: so nobody writes what another one reads, and
 * nothing depends on who goes first. What QPUs of a slice share (caches, SFU) belongs to one host thread at a time, and
 * they use it in a fixed order; what slices share, the level 2 cache, each has a view of its own until all are done. Rounds are
 * the same for any number of host threads, one included. */
#ifndef VC4_ROUNDS_H
#define VC4_ROUNDS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "vc4/bus.h"
#include "vc4/fault.h"
#include "vc4/hot.h"
#include "vc4/pctr.h"
#include "vc4/qpu.h"
#include "vc4/race.h"
#include "vc4/slices.h"
#include "vc4/trips.h"

/* A slice while its programs run alone: what they would tell others is kept here. */
struct rounds_slice {
    struct bus bus;
    struct fault_log log;
    struct fault_kept kept;
    struct race_reads reads;
    struct pctr_counts counts;
    struct hot hot; /* what its programs have executed alone, in all rounds */
    uint32_t next; /* the QPU whose turn it is */
    bool taken;    /* by a host thread */
};

struct rounds_program {
    bool runs;               /* in this round */
    uint64_t left, executed; /* instructions */
    uint64_t lookups;        /* of its TMUs, before */
};

struct rounds {
    struct rounds_slice slice[SLICES];
    struct rounds_program program[QPU_COUNT];
    struct trips trips[QPU_COUNT]; /* of these programs */
    uint64_t window;      /* instructions that a program may execute alone */
    uint64_t horizon;     /* time that none starts to go on behind */
    uint32_t pause;       /* rounds to be left out: the latest was of no use */
    bool side_by_side;    /* the latest was long enough for several host threads */
    pthread_mutex_t lock; /* for .taken */
};

struct tess_vc4;

void rounds_init(struct rounds *rounds);
void rounds_free(struct rounds *rounds);

/* The first program of a phase starts. */
void rounds_reset(struct rounds *rounds);

/* Runs a round if there is reason to; else false. vc4->rounds.program[] has which programs took part, and what they executed;
 * their states say how they came out. */
bool rounds_run(struct tess_vc4 *vc4);

#endif
