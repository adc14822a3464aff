/* SPDX-License-Identifier: MIT */
/* decode_a64.h - decodes loads and stores of AArch64. */
#ifndef VCIO_DECODE_A64_H
#define VCIO_DECODE_A64_H

#include <stdbool.h>
#include <stdint.h>

enum { A64_SP = 31, A64_NONE = -1 };

enum a64_kind {
    A64_LOAD,        /* from memory into registers */
    A64_STORE,       /* from registers into memory */
    A64_ATOMIC,      /* operates on memory and source; the old value goes to reg[0] */
    A64_COMPARE,     /* CAS: writes reg[] if memory equals source; the old value goes to source */
    A64_ZERO,        /* DC ZVA: writes zeros to a block of memory */
    A64_MASKED_LOAD, /* SVE: loads the elements that a predicate selects; the others become 0 */
    A64_MASKED_STORE,
    A64_NOTHING, /* no access (a prefetch) */
};

/* Operations of A64_ATOMIC, numbered like the instructions' opc field. SWP sets o3 as well. */
enum a64_operation {
    A64_ADD,
    A64_CLR,
    A64_EOR,
    A64_SET,
    A64_SMAX,
    A64_SMIN,
    A64_UMAX,
    A64_UMIN,
    A64_SWP,
};

enum a64_address { A64_OFFSET, A64_PRE, A64_POST, A64_LITERAL };

struct a64_instruction {
    enum a64_kind kind;
    /* Memory contains, for each element index, one element of each register. */
    uint8_t registers; /* number of registers, 1 to 4 */
    uint8_t elements;  /* elements per register; 1 except for structures of Advanced SIMD */
    uint8_t size;      /* size of an element, in bytes */
    /* LD1 with several registers: number of registers, which follow each other in memory; else
     * 1. */
    uint8_t groups;
    bool vector;   /* true if the registers are V0 to V31 */
    uint8_t width; /* bytes of a register that change, the rest becomes 0; 16 for LDR of a vector */
    bool is_signed;   /* true if the element is sign-extended to width */
    int8_t lane;      /* index of a single element, or A64_NONE for all */
    bool replicate;   /* true for LD1R and the like, which load into all lanes */
    int8_t reg[4];    /* A64_SP is the zero register, unless vector is true */
    int8_t predicate; /* masked accesses: the predicate register, P0 to P15 */
    int8_t source;    /* A64_ATOMIC, A64_COMPARE: the source register; 31 is the zero register */
    enum a64_operation operation;
    /* The address: a base register (31 is SP), and an offset or an index register. */
    enum a64_address address;
    int8_t base;
    int64_t offset; /* offset in bytes; for masked accesses in whole vectors */
    int8_t index;   /* index register, or A64_NONE to use offset */
    uint8_t extend; /* extension of the index register: the instruction's option field */
    uint8_t shift;
};

/* Decodes a load or store. Returns NULL, or the reason why it is not supported, which continues
 * "..., but". */
const char *a64_decode(uint32_t word, struct a64_instruction *instruction);

#endif
