/* SPDX-License-Identifier: MIT */
/* race.h - the part of the run-time sanitizer that looks for data races of user programs.
 *
 * In:  what programs, their DMA transfers and their read FIFOs touch; semaphores, mutex, waits.
 * Out: findings.
 *
 * Every QPU counts as four agents: the program, its DMA load, its DMA store and its read FIFO. Each has
 * a vector clock: how far it knows every other agent to be. Starting a transfer or setting up a read
 * hands the program's knowledge on; waiting for a transfer, or taking a vector, takes the agent's
 * over; a semaphore and the mutex carry it from one program to the next. Two accesses to the same
 * bytes, one of them a write, are a race if the later agent does not know of the earlier access.
 * docs/vc4/vpm.md says what is missed. */
#ifndef VC4_RACE_H
#define VC4_RACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vc4/fault.h"
#include "vc4/lanes.h"
#include "vc4/stale.h"

enum {
    RACE_QPUS = 16,
    RACE_AGENTS = 4 * RACE_QPUS,
    RACE_SEMAPHORES = 16,
    RACE_VPM_WORDS = 192 * 16,
    RACE_PAGE_WORDS = 1024,
    RACE_PAGES = 1 << 18,   /* of the 30-bit address space */
    RACE_PAGES_KEPT = 4096, /* 16 MiB of memory; what lies beyond is not looked at */
};

enum race_agent { RACE_PROGRAM, RACE_LOAD, RACE_STORE, RACE_FIFO };

struct race_clock {
    uint32_t of[RACE_AGENTS];
};

/* The latest accesses to a word; time 0: none. */
struct race_cell {
    uint32_t write_time, read_time;
    uint8_t writer, reader;          /* 4 * QPU + enum race_agent */
    uint8_t write_bytes, read_bytes; /* bit per byte */
    uint8_t ways;                    /* to memory, enum race_way */
};

/* What bus addresses have done to a word of memory: all but those from 0xc0000000 on go through the
 * SoC's level 2 cache. */
enum race_way {
    RACE_CACHED = 1 << 0,   /* it may be in that cache */
    RACE_BY_CACHE = 1 << 1, /* the latest write went there */
    RACE_PAST = 1 << 2, /* the latest write went past that cache while it may have had the word */
};

struct race_page {
    struct race_cell word[RACE_PAGE_WORDS];
};

struct race {
    struct fault_log *log;
    struct race_clock agent[RACE_AGENTS];
    struct race_clock semaphore[RACE_SEMAPHORES], mutex, host;
    uint32_t taken[RACE_QPUS]; /* vectors that left the read FIFO */
    struct race_cell vpm[RACE_VPM_WORDS];
    uint32_t pages;
    struct race_page *page[RACE_PAGES];
    struct stale stale;
};

/* One operation: many words, at most one finding. Set the first two members and zero the rest. */
struct race_access {
    uint32_t qpu;
    enum race_agent agent;
    bool found, wrote, in_memory, other_wrote;
    uint32_t where; /* address, or row << 4 | column of the VPM */
    uint32_t other; /* agent */

    bool mixed;           /* it reads a word by another way than the one of the latest write, at: */
    uint32_t mixed_where; /* bus address */
    uint32_t mixed_writer; /* agent */

    /* A stale word that the TMU reads, and the instruction that stored it; 0: none. */
    uint32_t stale_where, stale_by;
};

/* NULL when there is no memory for it. Free it with race_free(). */
struct race *race_new(struct fault_log *log);
void race_free(struct race *race);

/* The host has seen everything end; it starts a program. */
void race_host(struct race *race);
void race_start(struct race *race, uint32_t qpu);

/* A semaphore that is decremented or the mutex that is got (acquire), or else the opposite. */
void race_semaphore(struct race *race, uint32_t qpu, uint32_t number, bool acquire);
void race_mutex(struct race *race, uint32_t qpu, bool acquire);

/* A transfer begins, and the program has waited for it; a vector is going to be fetched, and is taken. */
void race_begin(struct race *race, uint32_t qpu, enum race_agent agent);
void race_wait(struct race *race, uint32_t qpu, enum race_agent agent);
void race_take(struct race *race, uint32_t qpu);
void race_take_rest(struct race *race, uint32_t qpu); /* the program ended */

/* Bytes, bit each, of a word of the VPM; size bytes of memory. */
void race_vpm(struct race *race, struct race_access *access, uint32_t word, uint32_t bytes,
              bool write);
void race_memory(struct race *race, struct race_access *access, uint32_t address, uint32_t size,
                 bool write);

/* Tells what race_vpm() and race_memory() have found. */
void race_report(struct race *race, const struct race_access *access);

/* A store has begun: what it will have written. The host has cleared the caches, or starts programs
 * anew. */
void race_stored(struct race *race, uint32_t address, uint32_t size, uint32_t pc);
void race_clear_caches(struct race *race);

/* What a program reads by a request of the TMU: size bytes at each address of the elements used, of so many taps. */
struct race_lookup {
    uint32_t qpu, unit, taps, size; /* unit: the one that serves it */
    const lanes *address;
    const lane_mask *used;
};

void race_lookup(struct race *race, const struct race_lookup *lookup);

/* Lookups to be looked at later, each as if it were made at its place. Zero-initialise it. Nothing that changes what
 * agents know may come in between. */
struct race_reads {
    struct race_read *read;
    size_t count, capacity;
};

void race_keep(struct race_reads *reads, const struct race_lookup *lookup,
               const struct tess_place *place);
void race_look_at(struct race *race, struct race_reads *reads); /* and forgets them */
void race_reads_free(struct race_reads *reads);

#endif
