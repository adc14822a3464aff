/* SPDX-License-Identifier: MIT */
/* qpu_cache.h - decoded QPU instructions, and blocks of instructions (qpu_block.h). The cache can
 * be rebuilt from memory. */
#ifndef VC4_QPU_QPU_CACHE_H
#define VC4_QPU_QPU_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/qpu/qpu_decoded.h"
#include "vc4/qpu/qpu_op.h"

enum {
    QPU_BLOCK_LENGTH = 32, /* limit of instructions per block */
    QPU_BLOCKS = 1024,
    QPU_BLOCK_WORDS = 8192, /* limit of instruction words of all blocks together */
    QPU_BLOCK_OPS = 16384,
};

struct qpu_block {
    uint32_t address; /* bus address of the first instruction, without alias bits */
    uint16_t count;   /* number of instructions; 0 if step() must execute the first instruction */
    uint16_t words;   /* number of instruction words to compare with memory; 0 marks an unused
                         entry */
    uint32_t first_word, first_op, ops;
    uint8_t read_a, read_b;           /* registers that the first instruction reads */
    uint8_t sfu_delay, uniform_delay; /* delays that remain at the end of the block */
    bool ends;                        /* true if the program ends with the block's last
                                         instruction */
    bool shares;                      /* true if the block ends the program or accesses shared units
                                         (QPU_SHARES) */
    uint8_t rotated;                  /* bit per accumulator that the first instruction rotates */
    uint64_t constants;               /* bit per constant that the block reads (enum
                                         qpu_constant) */
    uint64_t writes;                  /* registers that the block writes, in the format of .written
                                         in struct qpu */
    uint8_t wait;                     /* possible waits of the first instruction (qpu_may_wait()) */
    bool branches;
};

/* All blocks. Must be zero-initialised. */
struct qpu_blocks {
    struct qpu_block block[QPU_BLOCKS]; /* hash table by address; a block is stored in one of two
                                           adjacent entries */
    uint64_t word[QPU_BLOCK_WORDS];
    struct qpu_op op[QPU_BLOCK_OPS];
    uint32_t words_used, ops_used;
    bool portable; /* true to use only the host architecture's baseline instructions */
};

/* Returns a hash of an address for tables. Programs often begin at page boundaries, so the page
 * number and the offset in the page are poor indices. */
static inline uint32_t qpu_spread(uint32_t address)
{
    return address / 8 * UINT32_C(0x9e3779b1) >> 16; /* 2^32 divided by the golden ratio */
}

/* Decoded instructions and blocks of instructions, by address. Must be zero-initialised. QPUs that
 * one host thread runs in turns can share one cache. An entry is used only if the word in memory
 * still equals the entry's instruction word. */
enum { QPU_CACHE = 1024 };

struct qpu_cache {
    struct qpu_decoded entry[QPU_CACHE];
    struct qpu_blocks blocks;
};

#endif
