/* SPDX-License-Identifier: MIT */
/* a2xx_check_state.h - the checker's state before an instruction: events that have happened on
 * every path to the instruction, or on some path. */
#ifndef CHECK_A2XX_A2XX_CHECK_STATE_H
#define CHECK_A2XX_A2XX_CHECK_STATE_H

#include "check/a2xx/a2xx_check_private.h"

/* Set of components of registers. A component is bit 4 * (register % 16) + component of the word
 * with index register / 16. */
enum { SET_WORDS = A2XX_REGISTERS * 4 / 64 };
struct a2c_set {
    uint64_t bits[SET_WORDS];
};

static inline unsigned a2c_get(const struct a2c_set *set, unsigned reg)
{
    return set->bits[reg / 16] >> 4 * (reg % 16) & 15;
}

static inline void a2c_put(struct a2c_set *set, unsigned reg, unsigned components)
{
    set->bits[reg / 16] |= (uint64_t)components << 4 * (reg % 16);
}

static inline void a2c_take(struct a2c_set *set, unsigned reg, unsigned components)
{
    set->bits[reg / 16] &= ~((uint64_t)components << 4 * (reg % 16));
}

/* Possible states of a value, as bits. Where paths merge, a value has the bits of all paths. */
enum {
    MAY_UNSET = 1, /* the initial value */
    MAY_SET = 2,
    /* for a0: the value is no longer valid. For ps: the value is the result of an idle half. For a
     * memory export: ALLOC or (S) has interrupted it */
    MAY_LOST = 4,
};

/* Replaces MAY_SET by MAY_LOST. */
static inline void a2c_lose(uint8_t *bits)
{
    if (*bits & MAY_SET)
        *bits = (uint8_t)((*bits & ~MAY_SET) | MAY_LOST);
}

enum { BUFFERS = 4, RESERVED_MAX = 255, EXPORTS = 64 };

struct a2c_state {
    bool mixed; /* true if paths inside and outside of a loop merge at this instruction */
    /* true if at least one path contains MARK_VS_FETCH_DONE; a full fetch; data of a memory
     * export */
    bool fetch_done, full_fetch, memory_data;
    /* true if, on all paths, ALLOC MEMORY follows the last export of an address */
    bool memory_ready;
    uint8_t predicate, a0, ps, memory; /* MAY_... bits */
    uint8_t loop_depth;
    uint8_t reserved[BUFFERS];       /* smallest number of reserved exports among all paths */
    uint32_t alloc_at[BUFFERS];      /* for each kind, the number of an ALLOC on one of the paths,
                                      * or CHECK_NONE */
    uint16_t loops[A2XX_STACK];      /* numbers of the LOOP_START instructions of the current
                                      * loops */
    uint16_t a0_at, memory_at;       /* slots of the instructions that have set a0 and exported the
                                      * memory address */
    struct a2c_set written;          /* components written on at least one path */
    struct a2c_set by_fetch, by_alu; /* components that fetches, and ALU instructions, have written
                                      * since the last (S) on at least one path */
    /* Slots of the instructions that have written .by_fetch and .by_alu, for each register. */
    uint16_t fetch_at[A2XX_REGISTERS], alu_at[A2XX_REGISTERS];
    uint64_t exports; /* mask of the exports on at least one path (bits 1 << number) */
    uint16_t export_at[EXPORTS];
};

/* Sets the state before the first instruction. */
void a2c_state_begin(struct a2c_state *state, const struct a2c_checker *checker);

/* Merges the state from another path into a state (struct check_paths_machine). */
bool a2c_state_merge(void *into, const void *other, bool widen);

/* Marks all results as available. */
static inline void a2c_land(struct a2c_state *state)
{
    state->by_fetch = state->by_alu = (struct a2c_set){{0}};
}

/* --- steps --- */

/* hazards.c: a2c_serialize() waits for all earlier results, as (S) does. The other two compute the
 * state after an instruction of a clause. */
void a2c_serialize(struct a2c_state *state);
void a2c_step_alu(struct a2c_walk *walk);
void a2c_step_fetch(struct a2c_walk *walk);

/* exports.c: process ALLOC, and an ALU instruction that may export. */
void a2c_step_alloc(struct a2c_walk *walk, const struct a2xx_alloc *alloc);
void a2c_step_export(struct a2c_walk *walk);

#endif
