/* SPDX-License-Identifier: MIT */
/* decode_x86.h - what an instruction of x86 does with memory, and the same instruction with its operand elsewhere. */
#ifndef VCIO_DECODE_X86_H
#define VCIO_DECODE_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    X86_LENGTH = 15,       /* the most bytes that an instruction can have */
    X86_OPERAND = 64,      /* the most bytes of an operand that are dealt with */
    X86_OPERANDS = 2,      /* the most operands in memory */
    X86_COPY = X86_LENGTH, /* the most bytes of a copy */
    X86_NONE = -1,         /* no register */
    X86_SP = 4,            /* registers are numbered as in ModRM and REX */
    X86_IP = 16,
};

struct x86_operand {
    /* At a fixed register: a string, the stack, XLAT's table; else ModRM or the instruction says where. */
    bool implicit;
    bool reads, writes;
    /* It accesses only the elements that a mask selects, or it is a store that an exception may stop. */
    bool conditional;
    uint8_t size;     /* bytes */
    uint8_t below;    /* PUSH: it lies that far below the register */
    int base, index;  /* X86_NONE: none */
    uint8_t scale;
    int64_t displacement;
};

enum x86_repeat { X86_ONCE, X86_REP, X86_REPE, X86_REPNE };

struct x86_instruction {
    uint8_t length;
    uint8_t address_width; /* bits */
    uint8_t stack_width;
    bool nothing; /* it touches memory, but no access reaches a device: CLFLUSH */
    enum x86_repeat repeat;
    unsigned operands;
    struct x86_operand operand[X86_OPERANDS];
    /* BT and the like: the register that counts bits from the operand on, in units of the operand. X86_NONE: none. */
    int bits;
    /* Of the copy: what stands before ModRM, ModRM's register or opcode field; what follows the displacement. */
    uint8_t head[X86_LENGTH], head_size;
    uint8_t field;
    uint8_t modrm; /* of the instruction itself, if it has one */
    uint8_t tail[X86_LENGTH], tail_size;
    bool encoded; /* it has ModRM with an operand in memory, or an address in place of it */
};

/* Decodes the first of size bytes, for a processor in 64-bit mode (wide) or 32-bit mode. NULL, or why the instruction
 * cannot be carried out elsewhere: "but ...". The length is valid if it is not 0. More bytes are never looked at than
 * the instruction has; *more tells that it does not end within size. */
const char *x86_decode(const uint8_t *bytes, size_t size, bool wide,
                       struct x86_instruction *instruction, bool *more);

/* Writes the instruction as it is to be run at an address "at", with the explicit operand at another; at most X86_COPY bytes. The
 * two must be less than 2 GiB apart. The number of bytes. */
size_t x86_copy(const struct x86_instruction *instruction, bool wide, uint8_t *into, uintptr_t at,
                uintptr_t operand);

/* ModRM of that copy, whose explicit operand is at a fixed address. */
uint8_t x86_copy_modrm(const struct x86_instruction *instruction);

/* The instruction's text, or an empty one. */
void x86_text(const uint8_t *bytes, size_t size, bool wide, uintptr_t at, char *text,
              size_t text_size);

#endif
