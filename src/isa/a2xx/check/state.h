/* SPDX-License-Identifier: MIT */
/* state.h - what may and what must have happened before an instruction, merged from all ways that lead to it. */
#ifndef ISA_A2XX_CHECK_STATE_H
#define ISA_A2XX_CHECK_STATE_H

#include "isa/a2xx/check/internal.h"

/* Components of all registers: bit 4 * (register % 16) + component of word register / 16. */
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

/* What a value may be, bits; the ways together have all of theirs. */
enum {
    MAY_UNSET = 1, /* as at the start */
    MAY_SET = 2,
    MAY_LOST = 4, /* a0: not kept; ps: that of an idle half; memory export: interrupted */
};

/* What was set is not kept. */
static inline void a2c_lose(uint8_t *bits)
{
    if (*bits & MAY_SET)
        *bits = (uint8_t)((*bits & ~MAY_SET) | MAY_LOST);
}

enum { BUFFERS = 4, RESERVED_MAX = 255, EXPORTS = 64 };

struct a2c_state {
    bool reached;
    bool mixed; /* inside and outside of a loop, here and not before */
    bool fetch_done, full_fetch, memory_data; /* on some way */
    bool memory_ready;                        /* on all ways: ALLOC MEMORY, and no address since */
    uint8_t predicate, a0, ps, memory;        /* what they may be */
    uint8_t loop_depth;
    uint8_t reserved[BUFFERS];       /* at least so many exports, on all ways */
    uint32_t alloc_at[BUFFERS];      /* control-flow instruction on one way; A2C_NONE */
    uint16_t loops[A2XX_STACK];      /* control-flow instructions that began the loops */
    uint16_t a0_at, memory_at;       /* slots */
    struct a2c_set written;          /* components that something has written on some way */
    struct a2c_set by_fetch, by_alu; /* since the last (S), on some way */
    uint16_t fetch_at[A2XX_REGISTERS], alu_at[A2XX_REGISTERS]; /* slots that did */
    uint64_t exports;                                          /* on some way, bits 1 << number */
    uint16_t export_at[EXPORTS];
};

/* The start of a program. */
void a2c_state_begin(struct a2c_state *state, const struct a2c_checker *checker);

/* Merges what comes along another way. Returns whether anything changed. */
bool a2c_state_merge(struct a2c_state *to, const struct a2c_state *from);

/* All results have landed. */
static inline void a2c_land(struct a2c_state *state)
{
    state->by_fetch = state->by_alu = (struct a2c_set){{0}};
}

/* --- an instruction with the state before it --- */

struct a2c_walk {
    struct a2c_checker *checker;
    struct a2c_state *state;
    uint32_t cf;   /* control-flow instruction */
    uint32_t slot; /* of an instruction of its clause */
    bool serialized, report;
};

/* hazards.c: an instruction of a clause; reports if walk->report, then changes the state. */
void a2c_step_alu(struct a2c_walk *walk, const struct a2xx_exec *exec);
void a2c_step_fetch(struct a2c_walk *walk);

/* The predicate is tested by a control-flow instruction. */
void a2c_step_test(struct a2c_walk *walk);

/* exports.c: ALLOC, an ALU instruction that exports, an end of the program. */
void a2c_step_alloc(struct a2c_walk *walk, const struct a2xx_alloc *alloc);
void a2c_step_export(struct a2c_walk *walk, const struct a2xx_alu *alu);
void a2c_check_end(struct a2c_walk *walk);

#endif
