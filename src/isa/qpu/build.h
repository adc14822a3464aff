/* SPDX-License-Identifier: MIT */
/* build.h - builds an instruction word. The parser passes operations, targets and sources, and each
 * function encodes one of them in the word.
 *
 * Calls come in the order of the text because earlier choices restrict later ones. Functions that
 * can fail return false and fill *error. */
#ifndef ISA_QPU_BUILD_H
#define ISA_QPU_BUILD_H

#include "isa/qpu/operand.h"

enum qpu_unit { QPU_ADD_UNIT, QPU_MUL_UNIT };

/* One ALU's part of the word. */
struct qpu_half {
    uint8_t op, target, condition, mux[2];
    bool exact; /* true if .exact is written, so that qpu_build_end() keeps the part as it is */
};

/* Operand of "read". number is a register's address, or the code of a small immediate if small is
 * set. */
struct qpu_wanted_read {
    uint8_t number;
    bool small, in_a, in_b;
    bool port_b; /* the read uses port B */
    size_t column;
};

/* Position of the parser in the line: the part of the operation that is parsed, and the ALUs that
 * may execute the operation. */
enum {
    QPU_AT_OPCODE = 1,
    QPU_AT_FIRST = 2,
    QPU_AT_SECOND = 4,
    QPU_AT_SOURCES = 6, /* both inputs, for a move */
    QPU_AT_TARGET = 8,
    QPU_AT_ADD = 16,
    QPU_AT_MUL = 32,
    QPU_AT_BOTH = 48,
};

enum { QPU_READS_MAX = 4 };

struct qpu_build {
    struct qpu_half half[2];
    /* Sets of QPU_AT_ bits: the parser's position, the positions that have a rotation, and the
     * positions that have an unpack mode. */
    uint8_t at, rotated, unpacked;
    uint8_t sig, swapped_write, set_flags, pm;
    uint8_t pack, unpack;     /* modes as in operand.h; bit 3 is inverted in codes 4 to 7 of the
                               * mul ALU */
    uint8_t raddr_a, raddr_b; /* raddr_b may also be a small immediate */
    bool ports_fixed, units_fixed, pm_fixed; /* true if the read ports, the ALUs or the packers can
                                              * no longer be exchanged */
    bool nop_seen;
    uint8_t zero_moves; /* number of moves of the constant 0 in the line so far */
    bool mul_flags;     /* .setf was written on a mul operation */
    uint8_t load_mode;  /* unpack field of a load */
    uint8_t branch_condition, relative, reg;
    uint32_t immediate, address;
    bool rotation_meant; /* an annotation such as @ "mul_used" shows that a rotation within four
                          * elements is intended */
    size_t column;       /* column of the operand or operation in progress */
    struct qpu_wanted_read reads[QPU_READS_MAX];
    uint8_t read_count;
    const struct asm_names *names;
    struct asm_error *error;
};

void qpu_build_begin(struct qpu_build *build, uint32_t address, const struct asm_names *names,
                     struct asm_error *error);

/* Starts an ALU operation. If exact is set, the operation stays on unit, as for anop or mv8adds. */
bool qpu_build_operation(struct qpu_build *build, enum qpu_unit unit, unsigned op, bool exact);

/* Starts a move or load. units is QPU_AT_ADD, QPU_AT_MUL or both. */
bool qpu_build_move(struct qpu_build *build, unsigned units, bool two_targets);
bool qpu_build_read(struct qpu_build *build);
bool qpu_build_branch(struct qpu_build *build, bool relative);
bool qpu_build_signal(struct qpu_build *build, unsigned sig);

/* Applies a suffix of the opcode. */
bool qpu_build_suffix(struct qpu_build *build, struct qpu_suffix suffix);

bool qpu_build_target(struct qpu_build *build, const struct asm_value *value);
bool qpu_build_source(struct qpu_build *build, const struct asm_value *value);

/* Adds the source of a mov. If the value needs a load instruction, sets *load and changes
 * nothing. */
bool qpu_build_move_source(struct qpu_build *build, const struct asm_value *value, bool *load);

/* Adds the value of ldi, sacq or srel. mode is the load form's unpack field. acquire is true for
 * sacq. */
bool qpu_build_load(struct qpu_build *build, const struct asm_value *value, unsigned mode,
                    bool acquire);
bool qpu_build_read_source(struct qpu_build *build, const struct asm_value *value);
bool qpu_build_branch_source(struct qpu_build *build, const struct asm_value *value);

/* Checks the effects of an operation on the other ALU's operation. */
bool qpu_build_operation_end(struct qpu_build *build);

/* Returns the finished word. */
uint64_t qpu_build_end(struct qpu_build *build);

#endif
