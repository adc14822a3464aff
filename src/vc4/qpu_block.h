/* SPDX-License-Identifier: MIT */
/* qpu_block.h - runs of QPU instructions, translated once into small operations (qpu_ops.h) that are then
 * executed one after the other.
 *
 * A block holds instructions that follow each other and break no rule of their own; what they do outside of
 * the QPU goes through qpu_io.c (qpu_block_io.h). What the next instruction could notice of the last one
 * (the old value of a register, values left on ports) is kept for the last one only. Everything else goes
 * through qpu.c one by one, with the same effect.
 *
 * A block is used only while the words in memory are those that it was made from. */
#ifndef VC4_QPU_BLOCK_H
#define VC4_QPU_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/qpu_ops.h"

enum {
    QPU_BLOCK_LENGTH = 32, /* instructions at most */
    QPU_BLOCKS = 1024,
    QPU_BLOCK_WORDS = 8192, /* of all blocks */
    QPU_BLOCK_OPS = 16384,
};

struct qpu_block {
    uint32_t address; /* of its first instruction, without alias bits */
    uint16_t count;   /* instructions; 0: the instruction there must be stepped */
    uint16_t words;   /* to compare; 0: an unused entry */
    uint32_t first_word, first_op, ops;
    uint8_t read_a, read_b;           /* registers that the first instruction reads */
    uint8_t sfu_delay, uniform_delay; /* what is left of them at the end */
    bool ends;                        /* the program, with the last instruction */
    bool shares;                      /* ends, or touches what QPUs share (QPU_SHARES) */
    uint8_t rotated;                  /* accumulators that the first instruction rotates */
    uint64_t constants;               /* that it reads, bit per enum qpu_constant */
    uint64_t writes;                  /* registers, as struct qpu .written */
    uint8_t wait;                     /* of the first instruction (qpu_may_wait()) */
    bool branches;
};

/* Zero-initialise it. */
struct qpu_blocks {
    struct qpu_block block[QPU_BLOCKS]; /* by address, pairs of them */
    uint64_t word[QPU_BLOCK_WORDS];
    struct qpu_op op[QPU_BLOCK_OPS];
    uint32_t words_used, ops_used;
    bool portable; /* use no more of the host than its architecture promises */
};

/* A number for tables that are smaller than memory: programs begin where pages do, so neither the page nor the place in it is
 * enough. */
static inline uint32_t qpu_spread(uint32_t address)
{
    return address / 8 * UINT32_C(0x9e3779b1) >> 16; /* 2^32 by the golden ratio */
}

/* The block at an address where size bytes of code are mapped, at least one instruction. */
const struct qpu_block *qpu_block_find(struct qpu_blocks *blocks, uint32_t address,
                                       const uint8_t *code, uint32_t size);

#endif
