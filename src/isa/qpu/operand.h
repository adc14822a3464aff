/* SPDX-License-Identifier: MIT */
/* operand.h - registers, semaphores and per-element constants as values of expressions, and the
 * suffixes that registers and opcodes take. */
#ifndef ISA_QPU_OPERAND_H
#define ISA_QPU_OPERAND_H

#include "asm/expr.h"

/* What a register name stands for. The numbers are part of the dialect: ":[number, uses]". */
enum {
    QPU_REGISTER_A = 1, /* it exists in file A, in file B */
    QPU_REGISTER_B = 2,
    QPU_REGISTER_AB = 3,
    QPU_REGISTER_READ = 4, /* through a file's read port; without it, 32..37 are r0..r5 */
    QPU_REGISTER_WRITE = 8,
    QPU_REGISTER_ACQUIRE = 16, /* a semaphore: sacq0..15, srel0..15 */
    QPU_REGISTER_RELEASE = 32,
    QPU_REGISTER_SEMAPHORE = 48,
};

/* A pack or unpack mode as written: the code (pack 0..15, unpack 0..7) and flags. Also part of the
 * dialect: ":[number, uses, rotation, mode]". */
enum {
    QPU_MODE_CODE = 15,
    QPU_MODE_SATURATE = 8,
    QPU_MODE_INTEGER = 0x10,
    QPU_MODE_REAL = 0x20,
    QPU_MODE_UNPACK = 0x40, /* for sources only */
    QPU_MODE_PACK = 0x80,   /* for targets only */
};

/* The rotation "<< r5"; ">> r5" is its negative. */
enum { QPU_ROTATE_R5 = 16 };

enum qpu_operand_kind {
    QPU_OPERAND_REGISTER,
    QPU_OPERAND_ELEMENTS,          /* [..] of 0 and 1 only */
    QPU_OPERAND_ELEMENTS_SIGNED,   /* [..] with -2 or -1 */
    QPU_OPERAND_ELEMENTS_UNSIGNED, /* [..] with 2 or 3 */
};

struct qpu_operand {
    enum qpu_operand_kind kind;
    uint8_t number, uses;
    int8_t rotation; /* elements as written: 0 to 15 for "<<", or +-QPU_ROTATE_R5 */
    uint8_t mode;
    bool set_flags, conditional;
    uint8_t condition;
    uint32_t elements; /* the low word of the load */
};

/* The integer of a value of kind ASM_OPERAND, and back. */
int64_t qpu_operand_pack(const struct qpu_operand *operand);
struct qpu_operand qpu_operand_unpack(int64_t integer);

/* What asm_evaluate needs. The second and third take the suffixes of a target and of a source. */
extern const struct asm_operands qpu_operands, qpu_target_operands, qpu_source_operands;

/* Looks up a register, with any of its names ("ra3", "unif", "uniform_read", "sacq7"). */
bool qpu_register_find(const char *name, size_t length, struct qpu_operand *operand);

enum qpu_suffix_kind {
    QPU_SUFFIX_NONE,
    QPU_SUFFIX_SET_FLAGS,
    QPU_SUFFIX_CONDITION,
    QPU_SUFFIX_BRANCH_CONDITION,
    QPU_SUFFIX_MODE,
    QPU_SUFFIX_EXACT, /* encode the operation as it is written */
};

/* Where a suffix stands. */
enum { QPU_ON_OPCODE = 1, QPU_ON_TARGET = 2, QPU_ON_SOURCE = 4 };

struct qpu_suffix {
    enum qpu_suffix_kind kind;
    uint8_t code, places;
};

/* Looks up a suffix without its dot; kind is NONE if there is none. */
struct qpu_suffix qpu_suffix_find(const char *name, size_t length);

/* The suffix that was probably meant, with its dot; NULL if none comes near. Modes have too many
 * forms for that. */
const char *qpu_suffix_near(const char *name, size_t length);

#endif
