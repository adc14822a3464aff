/* SPDX-License-Identifier: MIT */
/* flow.h - control flow of a program, and its consequences for results, loads and pending writes.
 *
 * In:      all instructions.
 * Out:     results that may be missing where they are read, values of load unit 0 that a later
 *          instruction reads, and writes whose delay some load may observe.
 * Source:  docs/hardware/utgard.md, sections 6 and 10. */
#ifndef UTGARD_FLOW_H
#define UTGARD_FLOW_H

#include "isa/gp/gp_isa.h"

/* Members of struct gp_set that are read: units as bits 1 << enum tess_gp_unit, and the bits
 * below. */
enum gp_need {
    GP_NEED_LOAD0 = 1 << 6,
    GP_NEED_OPERAND = 1 << 7, /* operand of the complex unit, for the check of complex1 */
    GP_NEED_ALL = 0xff,
};

struct gp_flow {
    const struct gp_insn *insn;
    uint32_t count;
    /* units, bits 1 << enum tess_gp_unit, that may have no result one instruction back */
    uint8_t idle1[GP_PROGRAM_MAX];
    uint8_t idle2[GP_PROGRAM_MAX]; /* units that may have no result two instructions back */
    /* components of load unit 0 that an instruction executed next reads */
    uint8_t kept[GP_PROGRAM_MAX];
    uint8_t held; /* units with a result that may be missing where some instruction reads it */
    /* true if mul0 is in .held, since an instruction may read mul0 before complex1's result is
     * visible */
    bool early;
    /* register components, bits 1 << (4 * register + component), that a load may read within the
     * delay of a store */
    uint64_t watched_registers;
    /* address registers, bits 1 << number, that a load may read within their delay */
    uint8_t watched_addresses;
    /* bits of enum gp_need: results of one instruction back that instruction k or the next one
     * reads */
    uint8_t needed1[GP_PROGRAM_MAX];
    /* bits of enum gp_need: results of two instructions back that instruction k reads */
    uint8_t needed2[GP_PROGRAM_MAX];
    uint64_t unset_registers; /* register components that may be read before they are written */
    /* address registers that may be read before they are written; stores to temporaries read
     * register 0 */
    uint8_t unset_addresses;
};

void gp_flow_find(struct gp_flow *flow, const struct gp_insn *insn, uint32_t count);

/* Returns the register components, bits 1 << (4 * register + component), that the instruction
 * loads for itself or for the next one. */
uint64_t gp_flow_registers_loaded(const struct gp_flow *flow, uint32_t k);

/* Lists the instructions that may follow number k. Returns their number, 0 to 2. */
unsigned gp_flow_next(const struct gp_flow *flow, uint32_t k, uint32_t next[2]);

#endif
