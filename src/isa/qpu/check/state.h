/* SPDX-License-Identifier: MIT */
/* state.h - what may and what must have happened before an instruction, merged from all ways that
 * lead to it.
 *
 * Numbers are ranges; those that grow in a loop become unlimited. */
#ifndef ISA_QPU_CHECK_STATE_H
#define ISA_QPU_CHECK_STATE_H

#include "isa/qpu/check/internal.h"

/* What a state says of a register that is followed (numbers as those of constants): never
 * written, or in part. */
enum { PARTIAL_OTHER_FLAGS = 8 }; /* beside a condition: the flags have changed since */

enum {
    UNLIMITED = 255,
    QUEUE_MAX = 16, /* requests whose slots are counted one by one */
    ROW_UNKNOWN = 255,
    RAISED_ZERO = 64,        /* a semaphore that is at its start */
    ALL_ACCUMULATORS = 0x7f, /* with the flags */
    PARAMETERS_MAX = 4,      /* of a texture */
    CONSTANTS = 68,          /* registers whose values are followed: ra, rb, r0 ... r3 */
};

struct range {
    uint8_t low, high;
};

/* Requests to a TMU that wait for their results to be collected. */
struct queue {
    struct range results; /* words that can be collected: one or two for a texture */
    uint8_t slots[QUEUE_MAX], count;
    uint32_t asked[QUEUE_MAX]; /* the instructions that made the requests; FLOW_NONE: one of several */
    uint32_t last_asked, parameter_at;
    bool exact;              /* slots and count are right, whichever way led here */
    struct range parameters; /* t, r, b written since the last s */
    uint8_t at[PARAMETERS_MAX]; /* which uniforms they fetched; UNLIMITED: unknown */
};

/* Rows of the VPM, read or written one after the other. */
struct rows {
    uint64_t must, may;
    uint8_t row, stride; /* the next one; ROW_UNKNOWN */
    uint8_t part;        /* of narrow vectors: the part of the row */
    uint8_t parts_log2;  /* elements of a word: 0 for 32 bits, 1 for 16, 2 for 8 */
};

/* A setup word that is the same on all ways. */
struct setup {
    uint32_t value, at; /* at: the instruction that writes it; FLOW_NONE: one of several */
    bool known;
};

/* A DMA load or store that may be under way. */
struct transfer {
    uint64_t rows; /* VPM rows that it moves; 0: not known */
    struct setup setup, stride;
    uint32_t at;
    bool busy;
    bool may_setup; /* some way has written a setup */
};

/* Registers by their places, as CONSTANTS counts them; r4, r5 and the flags come behind r0 ...
 * r3. */
struct places {
    uint64_t files;
    uint8_t accumulators; /* bits of r0 ... r5 and FACTS_FLAGS */
};

struct state {
    uint64_t reached;    /* 1: some way leads here */
    uint32_t defined[2]; /* registers of file A and B that may have been written */
    uint8_t accumulators_defined, accumulators_lost;
    struct places surely;   /* registers that have been written on all ways, in whole or in part */
    struct places told;     /* those whose read before any write was reported on all ways */
    struct places integers; /* those that hold an integer on all ways */
    struct places varying;  /* those whose elements may differ */
    uint32_t lost_at;            /* word of the switch that lost them */
    uint8_t constant[CONSTANTS]; /* number of each register's value in the checker's; 0: unknown */
    uint8_t partial[CONSTANTS];  /* the only condition that each was written under; 0: none or several */
    struct queue tmu[2];
    struct range old_results, new_results; /* requested before and after the last switch */
    struct range varyings, varyings_used;  /* read, and read by an operation */
    struct range vpm_left;
    uint64_t loaded; /* rows that DMA loads may have filled */
    uint8_t vpm_age; /* instructions since a read setup with nothing left before it; 0: long ago */
    struct range uniforms; /* read so far; unlimited once the address was written */
    uint8_t uniform_age; /* instructions since the uniform address was written; 0: long ago */
    uint32_t uniform_at;
    uint32_t vpm_setup_at;
    bool vpm_may_setup, vpm_may_write_setup;
    bool vpm_may_block; /* a stride setup may be in block mode */
    bool may_share;     /* a semaphore or the mutex was used: other QPUs may have written the VPM */
    bool must_interrupt;
    struct range raised[16]; /* semaphores: RAISED_ZERO + releases - acquires */
    struct rows inputs, outputs;
    struct rows queued; /* of a setup after the one vector that is left; ROW_UNKNOWN: none */
    struct transfer load, store;
    bool may_test, may_colour; /* Z was written; colour was, and no Z before */
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

/* Adds low to high more, and takes one away. Both stay within 0 and UNLIMITED. */
struct range range_add(struct range range, unsigned low, unsigned high);
struct range range_take(struct range range);

/* Whether some way has written a register that is followed. */
bool state_is_defined(const struct state *state, unsigned place);

/* A register of a set. place as in struct places: 64 to 69 r0 to r5, 70 the flags. */
bool places_have(const struct places *set, unsigned place);
void places_put(struct places *set, unsigned place, bool in);

/* Gives up counting slots one by one. */
void queue_forget(struct queue *queue);

/* Takes over a fact that may hold, and where it came from: the first place is kept. */
void state_may(bool *to, uint32_t *to_at, bool from, uint32_t from_at);

/* Merges what comes along another way; with widen set, ranges that grow become unlimited.
 * Returns whether anything changed. */
bool state_merge(struct state *to, const struct state *from, bool widen);

/* The start of a program: nothing has happened. */
void state_begin(struct state *state, enum tess_shader_kind kind);

/* Anything may have happened: what has not been seen cannot be counted on. */
void state_anything(struct state *state);

#endif
