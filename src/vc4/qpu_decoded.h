/* SPDX-License-Identifier: MIT */
/* qpu_decoded.h - a QPU instruction word, prepared for execution. It depends on the word alone. */
#ifndef VC4_QPU_DECODED_H
#define VC4_QPU_DECODED_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/qpu/qpu_isa.h"
#include "vc4/alu.h"

enum { QPU_NO_REGISTER = 0xff };

/* How an instruction is executed. */
enum qpu_path {
    QPU_PATH_NONE, /* not decoded yet */
    QPU_PATH_ALU,
    QPU_PATH_LOAD,
    QPU_PATH_SEMAPHORE,
    QPU_PATH_BRANCH,
};

/* What an instruction does, as far as rules ask. */
enum qpu_trait {
    QPU_ADD_USES_A = 1 << 0, /* the add ALU's result depends on regfile A */
    QPU_MUL_USES_A = 1 << 1,
    QPU_ADD_USES_B = 1 << 2,
    QPU_MUL_USES_B = 1 << 3,
    QPU_ADD_USES_R4 = 1 << 4,
    QPU_MUL_USES_R4 = 1 << 5,
    QPU_UNPACK_FLOAT = 1 << 6,     /* a float operation takes the unpacked value */
    QPU_READS_UNIFORM = 1 << 7,    /* through a port */
    QPU_READS_MUTEX = 1 << 8,      /* likewise */
    QPU_VARYING_OR_VPM = 1 << 9,   /* varying read or any VPM or DMA register */
    QPU_WRITES_R4 = 1 << 10,       /* TMU or tile buffer load, SFU */
    QPU_TOUCHES_14 = 1 << 11,      /* register 14 of either file */
    QPU_WRITES_FILE = 1 << 12,     /* a physical register */
    QPU_WRITES_Z = 1 << 13,        /* tile buffer Z */
    QPU_TWO_PERIPHERALS = 1 << 14, /* closely coupled ones */
    QPU_ONE_TARGET = 1 << 15,      /* both ALUs write the same thing */
    QPU_RESERVED_CODE = 1 << 16,   /* an opcode without meaning */
    QPU_ENDS = 1 << 17,            /* program end signal */
    QPU_SHARES = 1 << 18,          /* semaphores, mutex, VPM and its DMA, the host's interrupt */
    QPU_IDLES = 1 << 19,           /* it does nothing at all */
};

/* Registers written; see struct qpu. */
struct qpu_wrote {
    uint8_t a, b, accumulators,
        bytes; /* bytes: of a, and of b from bit 4 on (qpu_bytes_written()) */
    lane_mask a_lanes, b_lanes, accumulator_lanes;
};

struct qpu_decoded {
    uint64_t word;
    uint8_t path;           /* enum qpu_path */
    uint8_t read_a, read_b; /* physical registers on the ports of an ALU instruction */
    uint8_t used_a, used_b; /* the same, if an ALU uses the value */
    uint32_t traits;        /* enum qpu_trait */
    uint32_t immediate;     /* small immediate */
    struct qpu_insn insn;
};

/* One of the two ALUs' share of an instruction. */
struct qpu_side {
    bool add;
    uint8_t op, waddr, cond, a, b;
    uint8_t sources; /* operands it takes */
    bool file_a;     /* where its physical writes go */
};

struct qpu_side qpu_add_side(const struct qpu_insn *insn);
struct qpu_side qpu_mul_side(const struct qpu_insn *insn);

/* Whether its result depends on what a mux selects. */
bool qpu_takes(const struct qpu_side *side, unsigned mux);

/* Whether it makes a zero of whatever it takes: x ^ x and its like. */
bool qpu_zeroes(const struct qpu_side *side);

/* What it may have to wait for other QPUs for: a semaphore's number, and QPU_MAY_ACQUIRE or QPU_MAY_RELEASE; QPU_MAY_TAKE: the
 * mutex. 0: nothing. */
enum { QPU_MAY_ACQUIRE = 16, QPU_MAY_RELEASE = 32, QPU_MAY_TAKE = 64 };
uint8_t qpu_may_wait(const struct qpu_decoded *decoded);

void qpu_prepare(struct qpu_decoded *decoded, uint64_t word);

#endif
