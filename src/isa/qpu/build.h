/* SPDX-License-Identifier: MIT */
/* build.h - an instruction word under construction: where the parser's operations, targets and
 * sources find their place. All functions that can fail return false with *error filled. */
#ifndef ISA_QPU_BUILD_H
#define ISA_QPU_BUILD_H

#include "isa/qpu/operand.h"

enum qpu_unit { QPU_ADD_UNIT, QPU_MUL_UNIT };

/* One ALU's half of the word. */
struct qpu_half {
    uint8_t op, target, condition, mux[2];
    bool target_fixed; /* the target exists in one file only */
    bool conditioned;  /* a condition was written */
    bool is_move;
    bool unpack[2]; /* the source asked for the word's unpack mode */
};

struct qpu_build {
    struct qpu_half half[2];
    enum qpu_unit unit;       /* that of the current operation */
    enum qpu_unit flags_unit; /* that of the operation with .setf */
    uint8_t sig, swapped_write, set_flags, pm, pack, unpack;
    uint8_t raddr_a, raddr_b; /* raddr_b is also the small immediate */
    bool port_a_used, port_b_used, ports_fixed;
    bool units_fixed; /* no more exchange of add and mul */
    bool pm_fixed, nop_seen, unknown;
    bool unpack_integer, unpack_real;
    uint8_t load_mode; /* unpack field of loads */
    uint8_t branch_condition, relative, reg;
    uint32_t immediate;
    uint32_t address;
    size_t column; /* of what is being placed */
    struct qpu_parse_error *error;
};

void qpu_build_begin(struct qpu_build *build, uint32_t address, struct qpu_parse_error *error);

/* Chooses a unit for an opcode; exact keeps to unit, for anop, mv8adds and the like. */
bool qpu_build_operation(struct qpu_build *build, enum qpu_unit unit, unsigned op, bool exact);

/* Chooses a unit for a move. */
bool qpu_build_move(struct qpu_build *build, bool add_allowed, bool mul_allowed);

bool qpu_build_condition(struct qpu_build *build, unsigned condition);
bool qpu_build_set_flags(struct qpu_build *build);
bool qpu_build_target(struct qpu_build *build, const struct qpu_operand *operand);
bool qpu_build_pack(struct qpu_build *build, struct qpu_pack pack);
bool qpu_build_source(struct qpu_build *build, unsigned index, const struct qpu_operand *operand);
bool qpu_build_operation_end(struct qpu_build *build, const struct qpu_suffixes *suffixes);

/* The source of a mov. *load is set if the value needs a load instruction. */
bool qpu_build_move_source(struct qpu_build *build, const struct qpu_operand *operand, bool *load);

/* The value of ldi, sacq and srel; mode as the load form's unpack field. */
bool qpu_build_load(struct qpu_build *build, const struct qpu_operand *operand, unsigned mode,
                    bool acquire);

bool qpu_build_read(struct qpu_build *build, const struct qpu_operand *operand);
bool qpu_build_signal(struct qpu_build *build, unsigned sig);
bool qpu_build_branch(struct qpu_build *build, bool relative, const struct qpu_suffixes *suffixes);
bool qpu_build_branch_source(struct qpu_build *build, const struct qpu_operand *operand);

/* The finished word. */
bool qpu_build_end(struct qpu_build *build, uint64_t *word);

#endif
