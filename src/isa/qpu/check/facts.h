/* SPDX-License-Identifier: MIT */
/* facts.h - what one instruction reads, writes and accesses, as far as the rules ask. */
#ifndef ISA_QPU_CHECK_FACTS_H
#define ISA_QPU_CHECK_FACTS_H

#include "isa/qpu/qpu_isa.h"

/* Accesses, one bit each. Tile-buffer accesses that can go together have bits of their own. */
enum {
    ACCESS_UNIFORM = 1 << 0,
    ACCESS_VARYING = 1 << 1,
    ACCESS_VPM_READ = 1 << 2,
    ACCESS_VPM_WRITE = 1 << 3,
    ACCESS_READ_SETUP = 1 << 4,
    ACCESS_WRITE_SETUP = 1 << 5,
    ACCESS_DMA = 1 << 6, /* a DMA address is written, or its state read */
    ACCESS_TMU_WRITE = 1 << 7,
    ACCESS_TMU_READ = 1 << 8,
    ACCESS_TILE_COLOUR_READ = 1 << 9,
    ACCESS_TILE_READ = 1 << 10, /* coverage, alpha mask */
    ACCESS_TILE_COLOUR_WRITE = 1 << 11,
    ACCESS_TILE_WRITE = 1 << 12, /* Z, stencil set-up, alpha mask */
    ACCESS_SFU = 1 << 13,
    ACCESS_MUTEX_READ = 1 << 14,
    ACCESS_MUTEX_WRITE = 1 << 15,
    ACCESS_SEMAPHORE = 1 << 16,
    ACCESS_SCOREBOARD_WAIT = 1 << 17,
    ACCESS_SCOREBOARD_UNLOCK = 1 << 18,
    ACCESS_END = 1 << 19,
    ACCESS_SWITCH = 1 << 20, /* either thread switch */
    ACCESS_LAST_SWITCH = 1 << 21,
    ACCESS_NOSWAP = 1 << 22,
    ACCESS_UNIFORM_ADDRESS = 1 << 23,
    ACCESS_COORDINATES_READ = 1 << 24, /* x_coord, y_coord, ms_mask, rev_flag */
    ACCESS_COORDINATES_WRITE = 1 << 25,
    ACCESS_TMU_UNIFORM = 1 << 26, /* t, r or b of a TMU is written: this fetches a uniform */
    ACCESS_MS_READ = 1 << 27,
    ACCESS_INTERRUPT = 1 << 28,
};
#define ACCESS_TILE \
    (ACCESS_TILE_COLOUR_READ | ACCESS_TILE_READ | ACCESS_TILE_COLOUR_WRITE | ACCESS_TILE_WRITE)
#define ACCESS_VPM \
    (ACCESS_VPM_READ | ACCESS_VPM_WRITE | ACCESS_READ_SETUP | ACCESS_WRITE_SETUP | ACCESS_DMA)

enum { FACTS_FLAGS = 6 }; /* the flags' bit beside the accumulators r0 ... r5 */

/* A write that happens: its address, file and condition. */
struct check_write {
    uint8_t address, condition;
    bool file_b, present;
};

struct check_facts {
    struct qpu_insn insn;
    uint32_t accesses;
    uint8_t port[2]; /* address read by port A and B; QPU_NOP if none */
    uint8_t
        port_condition[2]; /* when the value is needed: QPU_COND_NEVER if no operation takes it */
    struct check_write write[2]; /* of the add and the mul ALU */
    uint8_t reads;               /* bits of r0 ... r5 and FACTS_FLAGS */
    uint8_t reads_always; /* those of r0 ... r5 whose value is needed whatever the flags are */
    uint8_t sets;                /* the same, as far as they are written in whole or in part */
    uint8_t r4_load;             /* a signal loads r4 */
    bool branch_always;
    bool makes_zero; /* x - x or x ^ x: what x is does not matter */
};

struct check_facts check_facts(uint64_t word);

/* Whether file (0 A, 1 B) register address 0 ... 31 is read or written. */
bool facts_reads_register(const struct check_facts *facts, unsigned file, unsigned address);
bool facts_writes_register(const struct check_facts *facts, unsigned file, unsigned address);

/* Whether a write goes to this address; any file. */
bool facts_writes(const struct check_facts *facts, unsigned address);

/* Whether both ALUs surely give the same value: moves of one operand, or one immediate. */
bool facts_same_value(const struct check_facts *facts);

/* Whether the condition of one can hold together with that of the other. */
bool facts_overlap(unsigned one, unsigned other);

#endif
