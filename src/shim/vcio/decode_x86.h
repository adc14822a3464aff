/* SPDX-License-Identifier: MIT */
/* decode_x86.h - decodes the memory accesses of an x86 instruction, and generates the instruction
 * with its operand at another address. */
#ifndef VCIO_DECODE_X86_H
#define VCIO_DECODE_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    X86_LENGTH = 15,       /* maximum length of an instruction, in bytes */
    X86_OPERAND = 64,      /* maximum size of a supported operand, in bytes */
    X86_OPERANDS = 2,      /* maximum number of operands in memory */
    X86_COPY = X86_LENGTH, /* maximum length of a copy, in bytes */
    X86_NONE = -1,         /* no register */
    X86_SP = 4,            /* registers are numbered as in ModRM and REX */
    X86_IP = 16,
};

struct x86_operand {
    /* True if a fixed register contains the address (string, stack, XLAT's table). False if ModRM
     * or an address in the instruction selects the operand. */
    bool implicit;
    bool reads, writes;
    /* True if the instruction accesses only the elements that a mask selects, or is a store that an
     * exception may stop. */
    bool conditional;
    uint8_t size;    /* size in bytes */
    uint8_t below;   /* PUSH: distance below the register, in bytes */
    int base, index; /* numbers of registers, or X86_NONE */
    uint8_t scale;
    int64_t displacement;
};

enum x86_repeat { X86_ONCE, X86_REP, X86_REPE, X86_REPNE };

struct x86_instruction {
    uint8_t length;
    uint8_t address_width; /* width of an address in bits */
    uint8_t stack_width;
    bool nothing; /* true if no access reaches a device (CLFLUSH) */
    enum x86_repeat repeat;
    unsigned operands;
    struct x86_operand operand[X86_OPERANDS];
    /* BT and the like: register with a bit number as wide as the operand, or X86_NONE. */
    int bits;
    /* Parts of the copy: bytes before ModRM; register or opcode field of ModRM; bytes after the
     * displacement. */
    uint8_t head[X86_LENGTH], head_size;
    uint8_t field;
    uint8_t modrm; /* ModRM byte of the instruction, if present */
    uint8_t tail[X86_LENGTH], tail_size;
    /* true if the instruction has ModRM with a memory operand, or contains an address */
    bool encoded;
};

/* Decodes the first of size bytes, for a processor in 64-bit mode (wide) or 32-bit mode. Returns
 * NULL, or the reason why the instruction is not supported, which continues "..., but". The length
 * is valid if it is not 0. Reads no bytes after the instruction. *more is true if the instruction
 * does not end within size. */
const char *x86_decode(const uint8_t *bytes, size_t size, bool wide,
                       struct x86_instruction *instruction, bool *more);

/* Generates the instruction for execution at address `at`, with the explicit operand at another
 * address, less than 2 GiB away. Returns the number of bytes, at most X86_COPY. */
size_t x86_copy(const struct x86_instruction *instruction, bool wide, uint8_t *into, uintptr_t at,
                uintptr_t operand);

/* Returns ModRM of the copy, whose explicit operand has a fixed address. */
uint8_t x86_copy_modrm(const struct x86_instruction *instruction);

/* Writes the instruction's text, or an empty text if it is unknown. */
void x86_text(const uint8_t *bytes, size_t size, bool wide, uintptr_t at, char *text,
              size_t text_size);

#endif
