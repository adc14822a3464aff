/* SPDX-License-Identifier: MIT */
/* race.h - the part of the run-time sanitizer that finds data races of user programs.
 *
 * In:  accesses by programs, their DMA transfers and their read FIFOs; semaphores, mutex, waits.
 * Out: findings.
 *
 * Every QPU counts as four agents: the program, its DMA load, its DMA store and its read FIFO. Each
 * agent has a vector clock. For every other agent, the clock contains the time up to which that
 * agent's accesses are ordered before those of the clock's agent. Starting a transfer or setting up
 * a read copies the program's clock to the transfer's or FIFO's agent. Waiting for a transfer, or
 * taking a vector, copies the agent's clock to the program. Semaphores and the mutex pass clocks
 * between programs. Two accesses to the same bytes, at least one of them a write, are a race if the
 * later agent's clock does not include the earlier access. docs/vc4/vpm.md lists the races that are
 * not found. */
#ifndef VC4_WATCH_RACE_H
#define VC4_WATCH_RACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vc4/fault/fault.h"
#include "vc4/lanes/lanes.h"
#include "vc4/watch/stale.h"

enum {
    RACE_QPUS = 16,
    RACE_AGENTS = 4 * RACE_QPUS,
    RACE_SEMAPHORES = 16,
    RACE_VPM_WORDS = 192 * 16,
    RACE_PAGE_WORDS = 1024,
    RACE_PAGES = 1 << 18,   /* pages of the 30-bit address space */
    RACE_PAGES_KEPT = 4096, /* limit of pages that are checked (16 MiB of memory); accesses to other
                               pages are ignored */
};

enum race_agent { RACE_PROGRAM, RACE_LOAD, RACE_STORE, RACE_FIFO };

struct race_clock {
    uint32_t of[RACE_AGENTS];
};

/* The latest read and the latest write of a word. A time of 0 means that there was none. */
struct race_cell {
    uint32_t write_time, read_time;
    uint8_t writer, reader;          /* agents of these accesses: 4 * QPU + enum race_agent */
    uint8_t write_bytes, read_bytes; /* accessed bytes of the word, one bit each */
    uint8_t ways;                    /* paths of the accesses to memory, bits of enum race_way */
};

/* Paths of bus accesses to a word of memory. Accesses to addresses below 0xc0000000 go through the
 * SoC's level 2 cache. */
enum race_way {
    RACE_CACHED = 1 << 0,   /* the word may be in the SoC's level 2 cache */
    RACE_BY_CACHE = 1 << 1, /* the latest write went to that cache */
    RACE_PAST = 1 << 2,     /* the latest write bypassed that cache, while the word may have been in
                               the cache */
};

struct race_page {
    struct race_cell word[RACE_PAGE_WORDS];
};

struct race {
    struct fault_log *log;
    struct race_clock agent[RACE_AGENTS];
    struct race_clock semaphore[RACE_SEMAPHORES], mutex, host;
    uint32_t taken[RACE_QPUS]; /* number of vectors that have left the read FIFO */
    struct race_cell vpm[RACE_VPM_WORDS];
    uint32_t pages;
    struct race_page *page[RACE_PAGES];
    struct stale stale;
};

/* An operation on one or more words, and the first race that was found in the operation. The caller
 * sets .qpu and .agent and zeroes the other members. */
struct race_access {
    uint32_t qpu;
    enum race_agent agent;
    bool found, wrote, in_memory, other_wrote;
    uint32_t where; /* bus address, or VPM row << 4 | column */
    uint32_t other; /* agent of the other access */

    bool mixed;            /* true if a word is read on another path than the one on which it was
                              last written */
    uint32_t mixed_where;  /* bus address of that word */
    uint32_t mixed_writer; /* agent of the latest write */

    /* Address of a stale word that the TMU reads, and address of the instruction that stored the
     * word. Both are 0 if there is none. */
    uint32_t stale_where, stale_by;
};

/* Returns a new sanitizer, or NULL if the host is out of memory. Free it with race_free(). */
struct race *race_new(struct fault_log *log);
void race_free(struct race *race);

struct state_stream;

/* Lists everything for saved states (base/state.h). When reading, *race must be new. */
void race_fields(struct state_stream *stream, struct race *race);

/* race_host() records that all agents have finished and that the host continues. race_start()
 * records that the host starts a program. */
void race_host(struct race *race);
void race_start(struct race *race, uint32_t qpu);

/* Record that a program acquires (if acquire is true) or releases a semaphore, or the mutex. */
void race_semaphore(struct race *race, uint32_t qpu, uint32_t number, bool acquire);
void race_mutex(struct race *race, uint32_t qpu, bool acquire);

/* race_begin() records that a transfer, or the fetch of a vector, begins. race_wait() records that
 * the program has waited for a transfer. race_take() records that the program takes a vector from
 * the read FIFO. */
void race_begin(struct race *race, uint32_t qpu, enum race_agent agent);
void race_wait(struct race *race, uint32_t qpu, enum race_agent agent);
void race_take(struct race *race, uint32_t qpu);
void race_take_rest(struct race *race, uint32_t qpu); /* called when the program has ended */

/* race_vpm() adds an access to a word of the VPM. Bit n of bytes is 1 if byte n of the word is
 * accessed. race_memory() adds an access to size bytes of memory. */
void race_vpm(struct race *race, struct race_access *access, uint32_t word, uint32_t bytes,
              bool write);
void race_memory(struct race *race, struct race_access *access, uint32_t address, uint32_t size,
                 bool write);

/* Reports the race that race_vpm() or race_memory() has found in an operation. Does nothing if
 * there is none. */
void race_report(struct race *race, const struct race_access *access);

/* race_stored() records that the instruction at pc has started a DMA store of size bytes.
 * race_clear_caches() records that the host has cleared the caches, or that it starts new
 * programs. */
void race_stored(struct race *race, uint32_t address, uint32_t size, uint32_t pc);
void race_clear_caches(struct race *race);

/* Reads of one TMU request. Each of the `taps` taps reads size bytes at the addresses of the
 * elements that are set in its `used` mask. */
struct race_lookup {
    uint32_t qpu, unit, taps, size; /* unit is the number of the TMU that serves the request */
    const lanes *address;
    const lane_mask *used;
};

void race_lookup(struct race *race, const struct race_lookup *lookup);

/* Lookups that are stored and checked later. The findings are the same as those of immediate
 * checks, because agents' clocks must not change between race_keep() and race_look_at(). Must be
 * zero-initialised. */
struct race_reads {
    struct race_read *read;
    size_t count, capacity;
};

void race_keep(struct race_reads *reads, const struct race_lookup *lookup,
               const struct tess_place *place);
void race_look_at(struct race *race, struct race_reads *reads); /* also empties the list */
void race_reads_free(struct race_reads *reads);

#endif
