/* SPDX-License-Identifier: MIT */
/* qpu_check_state.h - facts that may hold and facts that must hold before an instruction, merged
 * from all paths that lead to the instruction.
 *
 * Numbers are ranges. The upper limit of a number that grows in a loop becomes unlimited. */
#ifndef CHECK_QPU_QPU_CHECK_STATE_H
#define CHECK_QPU_QPU_CHECK_STATE_H

#include "check/qpu/qpu_check_private.h"

/* Bit that is set in partial[] if the flags have changed since the write. */
enum { PARTIAL_OTHER_FLAGS = 8 };

enum {
    UNLIMITED = 255,
    QUEUE_MAX = 16, /* most requests that are recorded one by one */
    ROW_UNKNOWN = 255,
    RAISED_ZERO = 64,        /* value of state.raised for a semaphore's initial count */
    ALL_ACCUMULATORS = 0x7f, /* r0 to r5 and the flags */
    PARAMETERS_MAX = 4,      /* parameters of one texture request */
    CONSTANTS = 68,          /* registers whose values are tracked: ra0 to ra31, rb0
                              * to rb31, r0 to r3 */
};

struct range {
    uint8_t low, high;
};

/* Requests to a TMU whose results have not been collected. */
struct queue {
    struct range results; /* number of words to collect; a texture request returns one or two */
    uint8_t slots[QUEUE_MAX], count;
    uint32_t asked[QUEUE_MAX]; /* word of the instruction that made each request; CHECK_NONE if the
                                * instruction differs between paths */
    uint32_t last_asked, parameter_at;
    bool exact;                 /* slots and count are the same on every path */
    struct range parameters;    /* number of writes to t, r and b since the last write to s */
    uint8_t at[PARAMETERS_MAX]; /* index of the uniform that each parameter fetched, or
                                 * UNLIMITED if unknown */
};

/* VPM rows that are read or written in sequence. */
struct rows {
    uint64_t must, may;  /* rows used on every path, and rows used on some path */
    uint8_t row, stride; /* row: next row, or ROW_UNKNOWN */
    uint8_t part;        /* part of the row that the next vector of bytes or 16-bit halves uses; 0
                          * for whole words */
    uint8_t parts_log2;  /* log2 of the elements in a word: 0 for 32 bits, 1 for 16, 2 for 8 */
};

/* A setup word that is the same on all paths. */
struct setup {
    uint32_t value, at; /* at: word of the instruction that writes the setup, or
                         * CHECK_NONE if paths differ */
    bool known;
};

/* A DMA load or store that may be in progress. */
struct transfer {
    uint64_t rows; /* VPM rows that the transfer moves; 0 if unknown */
    struct setup setup, stride;
    uint32_t at;
    bool busy;
    bool may_setup; /* some path has written a setup */
};

/* A set of registers. Place 0 to 31 is file A, 32 to 63 file B, 64 to 69 r0 to r5, 70 the flags. */
struct places {
    uint64_t files;
    uint8_t accumulators; /* bits of r0 to r5 and bit FACTS_FLAGS */
};

struct state {
    uint32_t defined[2]; /* registers of file A and file B that may have been written */
    uint8_t accumulators_defined, accumulators_lost;
    struct places surely;        /* registers written on all paths, at least in some elements */
    struct places told;          /* registers whose undefined read was reported on all paths */
    struct places integers;      /* registers that hold an integer on all paths */
    struct places varying;       /* registers whose elements may differ */
    uint32_t lost_at;            /* word of the thread switch that lost the accumulators */
    uint8_t constant[CONSTANTS]; /* index of each register's value in checker.values; 0 if
                                  * unknown */
    uint8_t partial[CONSTANTS];  /* condition of all writes of each register; 0 if the register is
                                  * not written or the conditions differ */
    struct queue tmu[2];
    struct range old_results, new_results; /* uncollected results that were requested before and
                                            * after the last thread switch */
    struct range varyings, varyings_used;  /* number of varyings read, and of those that an
                                            * operation uses */
    struct range vpm_left; /* number of vectors that are set up for reading and not read yet */
    uint64_t loaded;       /* rows that DMA loads may have filled */
    /* Number of instructions since the latest read setup; 0 after a VPM read, after VPM_DISTANCE
     * instructions, and if vectors of an earlier setup may have been left unread. */
    uint8_t vpm_age;
    struct range uniforms; /* number of uniforms read so far; any number after a write of the
                            * uniform address */
    uint8_t uniform_age;   /* number of instructions since the uniform address was written; 0 after
                            * UNIFORM_DISTANCE */
    uint32_t uniform_at;
    uint32_t vpm_setup_at;
    bool vpm_may_setup, vpm_may_write_setup;
    bool vpm_may_block; /* a stride setup may have selected block mode */
    bool may_share;     /* a semaphore or the mutex was used, so other QPUs may have written the
                         * VPM */
    bool must_interrupt;
    struct range raised[16]; /* count of each semaphore: RAISED_ZERO + releases - acquires */
    struct rows inputs, outputs;
    struct rows queued; /* rows of a read setup that waits for the last vector of the previous
                         * setup; queued.row is ROW_UNKNOWN if no setup waits */
    struct transfer load, store;
    bool may_test, may_colour; /* Z may have been written; colour may have been written
                                * before any write of Z */
    uint32_t colour_at;
    bool may_lock, may_unlock;
    uint32_t unlock_at;
    bool may_hold, must_hold;
    uint32_t hold_at;
    bool may_switch, may_last;
    uint32_t switch_at, last_at;
    bool may_use_tmu;
    uint32_t tmu_at;
};

/* range_add() returns the range with low added to its lower limit and high to its upper limit.
 * range_take() returns the range with 1 subtracted from both limits. Results stay within 0 and
 * UNLIMITED. */
struct range range_add(struct range range, unsigned low, unsigned high);
struct range range_take(struct range range);

/* Returns true if some path has written the register at place. */
bool state_is_defined(const struct state *state, unsigned place);

/* places_have() returns true if the set contains the register at place. places_put() adds the
 * register to the set if in is true and removes it otherwise. place is numbered as in struct
 * places. */
bool places_have(const struct places *set, unsigned place);
void places_put(struct places *set, unsigned place, bool in);

/* Drops the records of the individual requests. The range of the number of results is kept. */
void queue_forget(struct queue *queue);

/* Sets *to if from is set. If *to was clear before, *to_at becomes from_at. */
void state_may(bool *to, uint32_t *to_at, bool from, uint32_t from_at);

/* Merges the state of another path into a state (struct check_paths_machine). If widen is set,
 * ranges that grow become unlimited. */
bool state_merge(void *into, const void *other, bool widen);

/* Initialises the state at the start of a program. */
void state_begin(struct state *state, enum tess_shader_kind kind);

/* Initialises a state in which anything may have happened before. */
void state_anything(struct state *state);

#endif
