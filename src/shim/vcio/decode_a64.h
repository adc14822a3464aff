/* SPDX-License-Identifier: MIT */
/* decode_a64.h - what a load or store of AArch64 does. */
#ifndef VCIO_DECODE_A64_H
#define VCIO_DECODE_A64_H

#include <stdbool.h>
#include <stdint.h>

enum { A64_SP = 31, A64_NONE = -1 };

enum a64_kind {
    A64_LOAD,        /* memory into registers */
    A64_STORE,       /* registers into memory */
    A64_ATOMIC,      /* the old value into reg[0]; an operation of it and source into memory */
    A64_COMPARE,     /* CAS: the old value into source; reg[] into memory if it was equal to that */
    A64_ZERO,        /* DC ZVA: zeros into a block of memory */
    A64_MASKED_LOAD, /* SVE: elements that a predicate selects; the others become 0 */
    A64_MASKED_STORE,
    A64_NOTHING, /* no access: a prefetch */
};

/* Operations of A64_ATOMIC, numbered as the instructions' opc; SWP has o3 before it. */
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
    /* Memory holds, one after another: elements times (one element of each register). */
    uint8_t registers; /* 1 to 4 */
    uint8_t elements;  /* of each register; 1 but for the structures of Advanced SIMD */
    uint8_t size;      /* bytes of an element */
    /* LD1 with several registers: it has all elements of one before those of the next; else 1. */
    uint8_t groups;
    bool vector;      /* the registers are V0 to V31 */
    uint8_t width;    /* bytes of a register: the rest becomes 0. LDR of a vector: 16 */
    bool is_signed;   /* the element is sign-extended to width */
    int8_t lane;      /* a single element: which; A64_NONE: all */
    bool replicate;   /* LD1R and the like: into all lanes */
    int8_t reg[4];    /* A64_SP: the zero register, if not vector */
    int8_t predicate; /* masked: P0 to P15 */
    int8_t source;    /* A64_ATOMIC, A64_COMPARE: 31 is the zero register */
    enum a64_operation operation;
    /* The address: a base register, of which 31 is SP, and an offset or a register. */
    enum a64_address address;
    int8_t base;
    int64_t offset; /* masked: in whole vectors */
    int8_t index;   /* A64_NONE: offset counts */
    uint8_t extend; /* of index: the instruction's option */
    uint8_t shift;
};

/* Decodes a load or store. NULL, or why it cannot be carried out: "but ...". */
const char *a64_decode(uint32_t word, struct a64_instruction *instruction);

#endif
