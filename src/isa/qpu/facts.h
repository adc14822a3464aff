/* SPDX-License-Identifier: MIT */
/* facts.h - registers and peripherals that one instruction reads, writes and accesses. */
#ifndef ISA_QPU_FACTS_H
#define ISA_QPU_FACTS_H

#include "isa/qpu/sides.h"

/* Accesses, one bit each. Tile-buffer accesses that may share an instruction have separate bits. */
enum {
    ACCESS_UNIFORM = 1 << 0,
    ACCESS_VARYING = 1 << 1,
    ACCESS_VPM_READ = 1 << 2,
    ACCESS_VPM_WRITE = 1 << 3,
    ACCESS_READ_SETUP = 1 << 4,
    ACCESS_WRITE_SETUP = 1 << 5,
    ACCESS_DMA = 1 << 6, /* write of a DMA address, or read of the DMA state */
    ACCESS_TMU_WRITE = 1 << 7,
    ACCESS_TMU_READ = 1 << 8,
    ACCESS_TILE_COLOUR_READ = 1 << 9,
    ACCESS_TILE_READ = 1 << 10, /* load of coverage or alpha mask */
    ACCESS_TILE_COLOUR_WRITE = 1 << 11,
    ACCESS_TILE_WRITE = 1 << 12, /* write of Z, stencil setup or alpha mask */
    ACCESS_SFU = 1 << 13,
    ACCESS_MUTEX_READ = 1 << 14,
    ACCESS_MUTEX_WRITE = 1 << 15,
    ACCESS_SEMAPHORE = 1 << 16,
    ACCESS_SCOREBOARD_WAIT = 1 << 17,
    ACCESS_SCOREBOARD_UNLOCK = 1 << 18,
    ACCESS_END = 1 << 19,
    ACCESS_SWITCH = 1 << 20, /* thread switch or last thread switch */
    ACCESS_LAST_SWITCH = 1 << 21,
    ACCESS_NOSWAP = 1 << 22,
    ACCESS_UNIFORM_ADDRESS = 1 << 23,
    ACCESS_COORDINATES_READ = 1 << 24, /* read of x_coord, y_coord, ms_mask or rev_flag */
    ACCESS_COORDINATES_WRITE = 1 << 25,
    ACCESS_TMU_UNIFORM = 1 << 26, /* write of a TMU's t, r or b, which fetches a uniform */
    ACCESS_MS_READ = 1 << 27,
    ACCESS_INTERRUPT = 1 << 28,
};
#define ACCESS_TILE \
    (ACCESS_TILE_COLOUR_READ | ACCESS_TILE_READ | ACCESS_TILE_COLOUR_WRITE | ACCESS_TILE_WRITE)
#define ACCESS_VPM \
    (ACCESS_VPM_READ | ACCESS_VPM_WRITE | ACCESS_READ_SETUP | ACCESS_WRITE_SETUP | ACCESS_DMA)

enum { FACTS_FLAGS = 6 }; /* bit number of the flags in reads and sets; bits 0 to 5 are r0 to r5 */

/* One ALU's write: address, file and condition. present is false if the ALU writes nothing. */
struct qpu_write {
    uint8_t address, condition;
    bool file_b, present;
};

struct qpu_facts {
    struct qpu_insn insn;
    uint32_t accesses;
    uint8_t port[2]; /* addresses that ports A and B read; QPU_NOP for an unused port */
    /* Condition under which the value of each port, and of r0 to r5 as operands, is needed.
     * QPU_COND_NEVER if no operation uses the value. */
    uint8_t port_condition[2];
    uint8_t accumulator_condition[6];
    struct qpu_write write[2]; /* writes of the add ALU and of the mul ALU */
    uint8_t reads;             /* bits of r0 to r5 and FACTS_FLAGS that are read */
    uint8_t reads_always;      /* bits of r0 to r5 that are needed regardless of the flags */
    uint8_t sets;              /* bits of r0 to r5 and FACTS_FLAGS that are written, at least
                                  * in some elements */
    uint8_t r4_load;           /* 1 if a signal loads r4, otherwise 0 */
    bool branch_always;
    bool makes_zero; /* operations are x - x or x ^ x, so the value of x does not matter */
};

struct qpu_facts qpu_facts(uint64_t word);

/* Return the accesses of a read or write of an address from 0 to 63 of a file. Registers and
 * accumulators have none. */
uint32_t qpu_read_access(unsigned address, bool file_b);
uint32_t qpu_write_access(unsigned address, bool file_b);

/* Return true if the instruction reads or writes the register with an address from 0 to 31. file is
 * 0 for A, 1 for B. */
bool facts_reads_register(const struct qpu_facts *facts, unsigned file, unsigned address);
bool facts_writes_register(const struct qpu_facts *facts, unsigned file, unsigned address);

/* Returns true if an ALU writes to this address of either file. */
bool facts_writes(const struct qpu_facts *facts, unsigned address);

/* Returns true if the instruction reads or writes this address of either file. */
bool facts_touches(const struct qpu_facts *facts, unsigned address);

/* Returns true if an ALU writes to a register of file A or B. */
bool facts_writes_file(const struct qpu_facts *facts);

/* Returns the number of accesses to closely coupled peripherals: the TMUs, the SFU, the tile
 * buffer, the mutex and the semaphores. An instruction may have one. A colour write in the same
 * instruction as a colour load does not count (manual section 3, "Summary of Instruction
 * Restrictions"). */
unsigned facts_peripherals(const struct qpu_facts *facts);

/* Returns true if both ALUs certainly have the same result: both move the same operand, or the
 * instruction loads an immediate. */
bool facts_same_value(const struct qpu_facts *facts);

/* Returns true if two conditions can hold in the same element. */
bool facts_overlap(unsigned one, unsigned other);

/* Returns true if an assembler could have written this word. In such a word, a port that no operand
 * uses has no address from 0 to 31, and no field has a reserved value. Data words rarely meet both
 * conditions. */
bool qpu_is_plausible(const uint8_t *word);

#endif
