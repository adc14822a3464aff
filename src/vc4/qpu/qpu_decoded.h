/* SPDX-License-Identifier: MIT */
/* qpu_decoded.h - a QPU instruction word, decoded for execution. The decoded form depends only on
 * the word. */
#ifndef VC4_QPU_QPU_DECODED_H
#define VC4_QPU_QPU_DECODED_H

#include <stdint.h>

#include "isa/qpu/sides.h"
#include "vc4/qpu/alu.h"

enum { QPU_NO_REGISTER = 0xff };

/* Selects the function of qpu.c that executes an instruction. */
enum qpu_path {
    QPU_PATH_NONE, /* not decoded yet */
    QPU_PATH_ALU,
    QPU_PATH_LOAD,
    QPU_PATH_SEMAPHORE,
    QPU_PATH_BRANCH,
};

/* Properties of an instruction on which rules depend. */
enum qpu_trait {
    QPU_ADD_USES_A = 1 << 0, /* the add ALU's result depends on regfile A */
    QPU_MUL_USES_A = 1 << 1,
    QPU_ADD_USES_B = 1 << 2,
    QPU_MUL_USES_B = 1 << 3,
    QPU_ADD_USES_R4 = 1 << 4,
    QPU_MUL_USES_R4 = 1 << 5,
    QPU_UNPACK_FLOAT = 1 << 6,     /* a float operation uses the output of an unpack unit */
    QPU_READS_UNIFORM = 1 << 7,    /* reads a uniform through a read port */
    QPU_READS_MUTEX = 1 << 8,      /* reads the mutex through a read port */
    QPU_VARYING_OR_VPM = 1 << 9,   /* reads a varying, or accesses a VPM or DMA register */
    QPU_WRITES_R4 = 1 << 10,       /* loads a TMU or tile buffer value, or writes an SFU register */
    QPU_TOUCHES_14 = 1 << 11,      /* accesses register 14 of either file */
    QPU_WRITES_FILE = 1 << 12,     /* writes a physical register */
    QPU_WRITES_Z = 1 << 13,        /* writes tile buffer Z */
    QPU_TWO_PERIPHERALS = 1 << 14, /* accesses two closely coupled peripherals */
    QPU_ONE_TARGET = 1 << 15,      /* both ALUs write the same register */
    QPU_RESERVED_CODE = 1 << 16,   /* contains a reserved opcode */
    QPU_ENDS = 1 << 17,            /* has the program-end signal */
    QPU_SHARES = 1 << 18,          /* accesses semaphores, mutex, VPM, DMA or the host interrupt */
    QPU_IDLES = 1 << 19,           /* the instruction has no effect */
};

/* Registers that the latest instruction wrote, with their written elements. See .wrote of struct
 * qpu. */
struct qpu_wrote {
    uint8_t a, b, accumulators,
        bytes; /* written bytes of register a in bits 0..3, of register b in bits 4..7
                  (qpu_bytes_written()) */
    lane_mask a_lanes, b_lanes, accumulator_lanes;
};

struct qpu_decoded {
    uint64_t word;
    uint8_t path;           /* value of enum qpu_path */
    uint8_t read_a, read_b; /* physical registers on the read ports, or a value above 31 */
    uint8_t used_a, used_b; /* equal to read_a and read_b if an ALU uses the register's value,
                               otherwise a value above 31 */
    uint32_t traits;        /* bits of enum qpu_trait */
    uint32_t immediate;     /* value of the small immediate */
    struct qpu_insn insn;
};

/* Returns the event for which an instruction may have to wait: a semaphore's number plus
 * QPU_MAY_ACQUIRE or QPU_MAY_RELEASE, QPU_MAY_TAKE for the mutex, or 0 if the instruction never
 * waits. */
enum { QPU_MAY_ACQUIRE = 16, QPU_MAY_RELEASE = 32, QPU_MAY_TAKE = 64 };
uint8_t qpu_may_wait(const struct qpu_decoded *decoded);

void qpu_prepare(struct qpu_decoded *decoded, uint64_t word);

#endif
