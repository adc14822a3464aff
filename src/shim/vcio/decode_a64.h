/* SPDX-License-Identifier: MIT */
/* decode_a64.h - decodes loads and stores of AArch64. */
#ifndef VCIO_DECODE_A64_H
#define VCIO_DECODE_A64_H

#include <stdbool.h>
#include <stdint.h>

enum { A64_SP = 31, A64_NONE = -1 };

enum a64_kind {
    A64_LOAD,  /* from memory into registers */
    A64_STORE, /* from registers into memory */
    /* operates on memory and `source`; the previous value of the memory goes to reg[0] */
    A64_ATOMIC,
    /* CAS: writes reg[] to memory if the memory equals `source`; the previous value goes to
     * `source` */
    A64_COMPARE,
    A64_ZERO, /* DC ZVA: writes zeros to a block of memory */
    /* SVE: loads the elements that a predicate selects; the other elements become 0 */
    A64_MASKED_LOAD,
    A64_MASKED_STORE,
    A64_NOTHING, /* no memory access (a prefetch) */
};

/* Operations of A64_ATOMIC. Their values are those of the opc field. A64_SWP also has bit o3
 * set. */
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
    /* In memory, element 0 of each register comes first, then element 1 of each register, and so
     * on. */
    uint8_t registers; /* number of registers, 1 to 4 */
    /* number of elements per register; 1 except for structures of Advanced SIMD */
    uint8_t elements;
    uint8_t size; /* size of an element, in bytes */
    /* LD1 with several registers: number of registers, whose contents follow each other in memory.
     * 1 for other instructions. */
    uint8_t groups;
    bool vector; /* true if the registers are V0 to V31 */
    /* number of bytes of a register that the load writes; the rest becomes 0; 16 for LDR of a
     * vector */
    uint8_t width;
    bool is_signed;   /* true if the element is sign-extended to width */
    int8_t lane;      /* index of the only loaded or stored element, or A64_NONE for all elements */
    bool replicate;   /* true for LD1R and the like, which load one element into all lanes */
    int8_t reg[4];    /* A64_SP is the zero register, unless vector is true */
    int8_t predicate; /* for masked accesses, the number of the predicate register, P0 to P15 */
    /* for A64_ATOMIC and A64_COMPARE, the source register; 31 is the zero register */
    int8_t source;
    enum a64_operation operation;
    /* The address is a base register (31 is SP) plus an offset or an index register. */
    enum a64_address address;
    int8_t base;
    int64_t offset; /* offset in bytes; in whole vectors for masked accesses */
    int8_t index;   /* index register, or A64_NONE if `offset` is used */
    uint8_t extend; /* extension of the index register: the instruction's option field */
    uint8_t shift;
};

/* Decodes a load or store. Returns NULL. If the instruction is not supported, returns the reason,
 * as the end of a sentence that starts with "..., but". */
const char *a64_decode(uint32_t word, struct a64_instruction *instruction);

#endif
