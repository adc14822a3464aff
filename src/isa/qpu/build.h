/* SPDX-License-Identifier: MIT */
/* build.h - an instruction word under construction: where the parser's operations, targets and
 * sources find their place. Calls come in the order of the text, because earlier choices bind later ones. All
 * functions that can fail return false with *error filled. */
#ifndef ISA_QPU_BUILD_H
#define ISA_QPU_BUILD_H

#include "isa/qpu/operand.h"

enum qpu_unit { QPU_ADD_UNIT, QPU_MUL_UNIT };

/* One ALU's half of the word. */
struct qpu_half {
    uint8_t op, target, condition, mux[2];
    bool exact; /* encoded as it is written: nothing of it is settled */
};

/* What a "read" asks for: a register, or a small immediate by its code. */
struct qpu_wanted_read {
    uint8_t number;
    bool small, in_a, in_b;
    bool port_b; /* where it was placed */
    size_t column;
};

/* Where in the line the parser is: one place, and one or both units. */
enum {
    QPU_AT_OPCODE = 1,
    QPU_AT_FIRST = 2,
    QPU_AT_SECOND = 4,
    QPU_AT_SOURCES = 6, /* of a move: both inputs */
    QPU_AT_TARGET = 8,
    QPU_AT_ADD = 16,
    QPU_AT_MUL = 32,
    QPU_AT_BOTH = 48,
};

enum { QPU_READS_MAX = 4 };

struct qpu_build {
    struct qpu_half half[2];
    uint8_t at, rotated, unpacked; /* sets of places: here; that rotate; that unpack */
    uint8_t sig, swapped_write, set_flags, pm;
    uint8_t pack, unpack; /* with the flags of a mode. A code of the mul ALU has bit 3 inverted */
    uint8_t raddr_a, raddr_b;                /* raddr_b is also the small immediate */
    bool ports_fixed, units_fixed, pm_fixed; /* no more exchange of files, of ALUs; of packers */
    bool nop_seen;
    uint8_t zero_moves; /* moves of zero so far */
    bool mul_flags;     /* .setf was written on a mul operation */
    uint8_t load_mode;  /* unpack field of loads */
    uint8_t branch_condition, relative, reg;
    uint32_t immediate, address;
    bool rotation_meant; /* @ "mul_used" */
    size_t column;       /* of what is being placed */
    struct qpu_wanted_read reads[QPU_READS_MAX];
    uint8_t read_count;
    const struct asm_names *names;
    struct asm_error *error;
};

void qpu_build_begin(struct qpu_build *build, uint32_t address, const struct asm_names *names,
                     struct asm_error *error);

/* Starts an ALU operation; exact keeps to unit, for anop, mv8adds and the like. */
bool qpu_build_operation(struct qpu_build *build, enum qpu_unit unit, unsigned op, bool exact);

/* Starts a move or load. units are QPU_AT_ADD, QPU_AT_MUL or both. */
bool qpu_build_move(struct qpu_build *build, unsigned units, bool two_targets);
bool qpu_build_read(struct qpu_build *build);
bool qpu_build_branch(struct qpu_build *build, bool relative);
bool qpu_build_signal(struct qpu_build *build, unsigned sig);

/* A suffix of the opcode. */
bool qpu_build_suffix(struct qpu_build *build, struct qpu_suffix suffix);

bool qpu_build_target(struct qpu_build *build, const struct asm_value *value);
bool qpu_build_source(struct qpu_build *build, const struct asm_value *value);

/* The source of a mov. *load is set, and nothing done, if the value needs a load instruction. */
bool qpu_build_move_source(struct qpu_build *build, const struct asm_value *value, bool *load);

/* The value of ldi, sacq and srel; mode as the load form's unpack field. */
bool qpu_build_load(struct qpu_build *build, const struct asm_value *value, unsigned mode,
                    bool acquire);
bool qpu_build_read_source(struct qpu_build *build, const struct asm_value *value);
bool qpu_build_branch_source(struct qpu_build *build, const struct asm_value *value);

/* Checks what an operation does to the other one. */
bool qpu_build_operation_end(struct qpu_build *build);

/* The finished word. */
uint64_t qpu_build_end(struct qpu_build *build);

#endif
