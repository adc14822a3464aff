/* SPDX-License-Identifier: MIT */
/* decode_x86.h - decodes the memory accesses of an x86 instruction, and generates a copy of the
 * instruction whose operand is at another address. */
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
    /* True if a fixed register contains the operand's address (string instructions, the stack,
     * XLAT's table). False if ModRM or an address in the instruction selects the operand. */
    bool implicit;
    bool reads, writes;
    /* True if the instruction accesses only the elements that a mask selects, or if an exception
     * may stop its store. */
    bool conditional;
    uint8_t size;    /* size in bytes */
    uint8_t below;   /* PUSH: distance from the operand up to the register's address, in bytes */
    int base, index; /* numbers of registers, or X86_NONE */
    uint8_t scale;
    int64_t displacement;
};

enum x86_repeat { X86_ONCE, X86_REP, X86_REPE, X86_REPNE };

struct x86_instruction {
    uint8_t length;
    uint8_t address_width; /* width of an address in bits */
    uint8_t stack_width;
    bool nothing; /* true if the instruction does not access a device (CLFLUSH) */
    enum x86_repeat repeat;
    unsigned operands;
    struct x86_operand operand[X86_OPERANDS];
    /* BT and the like: register that contains the bit number, which is as wide as the operand.
     * Otherwise X86_NONE. */
    int bits;
    /* Parts from which the copy is generated: the bytes before ModRM (head), the register or opcode
     * field of ModRM (field), and the bytes after the displacement (tail). */
    uint8_t head[X86_LENGTH], head_size;
    uint8_t field;
    uint8_t modrm; /* ModRM byte of the program's instruction, if it has one */
    uint8_t tail[X86_LENGTH], tail_size;
    /* true if the instruction has ModRM with a memory operand, or contains the operand's address */
    bool encoded;
};

/* Decodes the instruction at the start of `size` bytes. `wide` is true for 64-bit mode and false
 * for 32-bit mode. Returns NULL. If the instruction is not supported, returns the reason, as the
 * end of a sentence that starts with "..., but". The length is valid if it is not 0. Reads no bytes
 * after the end of the instruction. Sets *more to true if the instruction needs more than `size`
 * bytes. */
const char *x86_decode(const uint8_t *bytes, size_t size, bool wide,
                       struct x86_instruction *instruction, bool *more);

/* Generates a copy of the instruction to be executed at address `at`, whose explicit operand is at
 * `operand`, less than 2 GiB from `at`. Returns the number of bytes, at most X86_COPY. */
size_t x86_copy(const struct x86_instruction *instruction, bool wide, uint8_t *into, uintptr_t at,
                uintptr_t operand);

/* Returns the ModRM byte of the copy. It selects an operand at a fixed address. */
uint8_t x86_copy_modrm(const struct x86_instruction *instruction);

/* Writes the instruction as text. The text is empty if the instruction is unknown. */
void x86_text(const uint8_t *bytes, size_t size, bool wide, uintptr_t at, char *text,
              size_t text_size);

#endif
