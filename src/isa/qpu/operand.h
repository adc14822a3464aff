/* SPDX-License-Identifier: MIT */
/* operand.h - registers, semaphores and per-element constants as values of expressions, and the
 * suffixes of registers and opcodes. */
#ifndef ISA_QPU_OPERAND_H
#define ISA_QPU_OPERAND_H

#include "asm/expr.h"

/* Uses of a register. The numbers are part of the dialect: ":[number, uses]". */
enum {
    QPU_REGISTER_A = 1, /* exists in file A */
    QPU_REGISTER_B = 2,
    QPU_REGISTER_AB = 3,
    QPU_REGISTER_READ = 4, /* readable through a file's read port; without this bit, 32
                            * to 37 are r0 to r5 */
    QPU_REGISTER_WRITE = 8,
    QPU_REGISTER_ACQUIRE = 16, /* the semaphores sacq0 to sacq15 */
    QPU_REGISTER_RELEASE = 32,
    QPU_REGISTER_SEMAPHORE = 48,
};

/* A pack or unpack mode as written: the code (pack 0 to 15, unpack 0 to 7) and flags. The numbers
 * are part of the dialect: ":[number, uses, rotation, mode]". */
enum {
    QPU_MODE_CODE = 15,
    QPU_MODE_SATURATE = 8,
    QPU_MODE_INTEGER = 0x10,
    QPU_MODE_REAL = 0x20,
    QPU_MODE_UNPACK = 0x40, /* for sources only */
    QPU_MODE_PACK = 0x80,   /* for targets only */
};

/* The rotation "<< r5". The rotation ">> r5" is its negative. */
enum { QPU_ROTATE_R5 = 16 };

enum qpu_operand_kind {
    QPU_OPERAND_REGISTER,
    QPU_OPERAND_ELEMENTS,          /* [..] with 0 and 1 only */
    QPU_OPERAND_ELEMENTS_SIGNED,   /* [..] with -2 or -1 */
    QPU_OPERAND_ELEMENTS_UNSIGNED, /* [..] with 2 or 3 */
};

struct qpu_operand {
    enum qpu_operand_kind kind;
    uint8_t number, uses;
    int8_t rotation; /* rotation as written, in elements: 0 to 15 for "<<", or +-QPU_ROTATE_R5 */
    uint8_t mode;
    bool set_flags, conditional;
    uint8_t condition;
    uint32_t elements; /* immediate of a load of elements, or 0 for a register */
};

/* Convert between an operand and the integer of a value of kind ASM_OPERAND. */
int64_t qpu_operand_pack(const struct qpu_operand *operand);
struct qpu_operand qpu_operand_unpack(int64_t integer);

/* Callbacks for asm_evaluate(). qpu_target_operands accepts the suffixes of targets,
 * qpu_source_operands accepts the suffixes of sources, and qpu_operands accepts both. */
extern const struct asm_operands qpu_operands, qpu_target_operands, qpu_source_operands;

/* Looks up a register by any of its names ("ra3", "unif", "uniform_read", "sacq7"). */
bool qpu_register_find(const char *name, size_t length, struct qpu_operand *operand);

/* Returns name number index of the registers, or NULL after the last one. Register families such as
 * "ra3" and "sacq7" are not included. */
const char *qpu_register_name(size_t index);

enum qpu_suffix_kind {
    QPU_SUFFIX_NONE,
    QPU_SUFFIX_SET_FLAGS,
    QPU_SUFFIX_CONDITION,
    QPU_SUFFIX_BRANCH_CONDITION,
    QPU_SUFFIX_MODE,
    QPU_SUFFIX_EXACT, /* the operation is encoded exactly as written */
};

/* Places where a suffix is allowed. */
enum { QPU_ON_OPCODE = 1, QPU_ON_TARGET = 2, QPU_ON_SOURCE = 4 };

struct qpu_suffix {
    enum qpu_suffix_kind kind;
    uint8_t code, places;
};

/* Looks up a suffix without its dot. kind is QPU_SUFFIX_NONE if the suffix is unknown. */
struct qpu_suffix qpu_suffix_find(const char *name, size_t length);

/* Returns the suffix most similar to name, with its dot, or NULL if none is similar. Modes are not
 * suggested because they have too many forms. */
const char *qpu_suffix_near(const char *name, size_t length);

#endif
