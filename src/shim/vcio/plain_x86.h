/* SPDX-License-Identifier: MIT */
/* plain_x86.h - plain instructions of x86: moves, integer arithmetic, comparisons and branches that
 * change only general registers, flags and one operand in memory. follow_x86.c executes them one
 * after the other without the host's processor. The assembler includes this file, too
 * (plain_x86.S). */
#ifndef VCIO_PLAIN_X86_H
#define VCIO_PLAIN_X86_H

/* Offsets in struct plain_alu, in words of the processor. */
#define PLAIN_A     0
#define PLAIN_B     1
#define PLAIN_FLAGS 2

/* plain_x86.S contains the code of each operation for each operand size in a slot of this size, in
 * bytes. */
#define PLAIN_SLOT 64

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PLAIN_LENGTH = 15, PLAIN_GPRS = 16, PLAIN_NONE = -1, PLAIN_IP = 16 };

enum plain_kind {
    PLAIN_UNKNOWN, /* not a plain instruction */
    PLAIN_NOTHING, /* NOP, PAUSE and fences */
    PLAIN_JUMP,    /* to a fixed address, if the condition is true */
    PLAIN_MOVE,    /* zero-extended */
    PLAIN_EXTEND,  /* sign-extended */
    PLAIN_ADDRESS, /* LEA */
    PLAIN_SET,     /* SETcc */
    PLAIN_CHOOSE,  /* CMOVcc */
    PLAIN_OPERATE, /* computes with `to` and `from`, and writes `to` */
    PLAIN_COMPARE, /* computes with `to` and `from`, and changes only flags */
    PLAIN_SCALE,   /* IMUL with three operands: computes with `from` and `value` */
};

/* The rows are in the order of the slots of plain_x86.S. */
enum plain_operation {
    PLAIN_ADD,
    PLAIN_OR,
    PLAIN_ADC,
    PLAIN_SBB,
    PLAIN_AND,
    PLAIN_SUB,
    PLAIN_XOR,
    PLAIN_TEST,
    PLAIN_INC,
    PLAIN_DEC,
    PLAIN_NEG,
    PLAIN_NOT,
    PLAIN_SHL,
    PLAIN_SHR,
    PLAIN_SAR,
    PLAIN_IMUL,
    PLAIN_BT,
    PLAIN_OPERATIONS,
};

enum plain_place { PLAIN_ABSENT, PLAIN_REGISTER, PLAIN_VALUE, PLAIN_MEMORY };

struct plain_operand {
    enum plain_place place;
    uint8_t size;    /* in bytes: 1, 2, 4 or 8 */
    int8_t reg;      /* number of the register, as in ModRM and REX */
    uintptr_t value; /* constant */
};

struct plain {
    enum plain_kind kind;
    enum plain_operation operation;
    uint8_t length;    /* length of the instruction in bytes */
    uint8_t condition; /* of a branch, SETcc or CMOVcc, as in the opcode; PLAIN_ALWAYS for JMP */
    struct plain_operand to, from;
    uintptr_t value; /* distance of a jump; third operand of IMUL */
    /* address of the operand in memory, and of LEA */
    int8_t base, index; /* numbers of registers, PLAIN_IP or PLAIN_NONE */
    uint8_t scale;
    uint8_t address_width; /* in bits */
    uintptr_t displacement;
};

enum { PLAIN_ALWAYS = 16 };

/* Registers of the program. */
struct plain_state {
    uintptr_t gpr[PLAIN_GPRS], ip, flags;
};

/* Decodes the instruction at the start of `size` bytes. Sets the kind to PLAIN_UNKNOWN for other
 * instructions, and for instructions that need more than `size` bytes. `wide` is true for 64-bit
 * mode. */
void plain_decode(const uint8_t *bytes, size_t size, bool wide, struct plain *plain);

/* Returns the operand in memory, or NULL if there is none. */
const struct plain_operand *plain_memory(const struct plain *plain);

/* plain_reads() returns true if the instruction reads its operand in memory. plain_writes() returns
 * true if it writes that operand. */
bool plain_reads(const struct plain *plain);
bool plain_writes(const struct plain *plain);

/* Returns the address of the operand in memory, or the result of LEA. */
uintptr_t plain_address(const struct plain *plain, const struct plain_state *state);

/* Executes an instruction. `memory` is the value of the operand in memory, which the caller reads
 * before and writes afterwards. */
void plain_execute(const struct plain *plain, struct plain_state *state, uintptr_t *memory);

/* Operands and flags of an operation of plain_x86.S. */
struct plain_alu {
    uintptr_t a, b, flags;
};

/* Start of the slots. The slots of an operation are those for operands of 1, 2, 4 and 8 bytes. */
extern const char plain_slots[];

/* Copies 1, 2, 4 or 8 bytes if *permitted is true. Returns false if it is false, or if an address
 * is bad. careful_x86.c explains how. */
bool plain_copy(void *to, const void *from, size_t size, const volatile bool *permitted);

/* Addresses of the code that may fault in plain_copy(), and the address at which plain_copy() then
 * continues. */
extern const char plain_copy_start[], plain_copy_end[], plain_copy_failed[];
#endif

#endif
