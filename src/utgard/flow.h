/* SPDX-License-Identifier: MIT */
/* flow.h - what can come before and after each instruction of a program, as far as the way results go is concerned.
 *
 * In:      all instructions.
 * Out:     which results may be missing where they are read, which values of load unit 0 are read later, and which
 *          writes may be watched while they are on their way.
 * Source:  digest utgard.md, sections 6 and 10. */
#ifndef UTGARD_FLOW_H
#define UTGARD_FLOW_H

#include "isa/gp/gp_isa.h"

/* Results in struct gp_set: units, bits 1 << enum tess_gp_unit, and others. */
enum gp_need {
    GP_NEED_LOAD0 = 1 << 6,
    GP_NEED_OPERAND = 1 << 7, /* of the complex unit: complex1 is compared with it */
    GP_NEED_ALL = 0xff,
};

struct gp_flow {
    const struct gp_insn *insn;
    uint32_t count;
    uint8_t idle1
        [GP_PROGRAM_MAX]; /* units, bits 1 << enum tess_gp_unit, that may not have had a result one back */
    uint8_t idle2[GP_PROGRAM_MAX]; /* the same two back */
    uint8_t kept[GP_PROGRAM_MAX];  /* components of load unit 0 that a next instruction reads */
    uint8_t held; /* units whose result is read somewhere where it may be missing */
    bool early;   /* so may be complex1's, before it is there */
    uint64_t
        watched_registers;     /* bits 1 << (4 * register + component): a load may come too early */
    uint8_t watched_addresses; /* the same, bits 1 << address register */
    uint8_t needed1
        [GP_PROGRAM_MAX]; /* bits of enum gp_need: what was made one back and is still read, at k or behind */
    uint8_t needed2[GP_PROGRAM_MAX]; /* the same two back */
    uint64_t unset_registers;        /* those that may be read before they are written */
    uint8_t unset_addresses;         /* the same; register 0 is read by stores to temporaries */
};

void gp_flow_find(struct gp_flow *flow, const struct gp_insn *insn, uint32_t count);

/* Components of registers, bits 1 << (4 * register + component), that the instruction loads for itself or the next one. */
uint64_t gp_flow_registers_loaded(const struct gp_flow *flow, uint32_t k);

/* The instructions that may follow number k: 0 to 2 of them. */
unsigned gp_flow_next(const struct gp_flow *flow, uint32_t k, uint32_t next[2]);

#endif
