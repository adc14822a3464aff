/* SPDX-License-Identifier: MIT */
/* flow_analysis.h - analyses the control flow of a program, and its consequences for results, loads
 * and pending writes.
 *
 * In:      all instructions.
 * Out:     results that an instruction may read although they were not computed; values of load
 *          unit 0 that the next instruction reads; writes whose delay a load may observe.
 * Source:  docs/hardware/utgard.md, sections 6 and 10. */
#ifndef MALI_GP_FLOW_ANALYSIS_H
#define MALI_GP_FLOW_ANALYSIS_H

#include "isa/gp/gp_isa.h"

/* Members of struct gp_set that instructions read: units as bits 1 << enum tess_gp_unit, and the
 * bits below. */
enum gp_need {
    GP_NEED_LOAD0 = 1 << 6,
    GP_NEED_OPERAND = 1 << 7, /* operand of the complex unit, which the check of complex1 reads */
    GP_NEED_ALL = 0xff,
};

struct gp_flow {
    const struct gp_insn *insn;
    uint32_t count;
    /* units that may have no result one instruction back, as bits 1 << enum tess_gp_unit */
    uint8_t idle1[GP_PROGRAM_MAX];
    uint8_t idle2[GP_PROGRAM_MAX]; /* units that may have no result two instructions back */
    /* components of load unit 0 that the next instruction reads */
    uint8_t kept[GP_PROGRAM_MAX];
    uint8_t held; /* units with a result that may be missing when an instruction reads it */
    /* true if mul0 is in .held because an instruction may read mul0 before the result of complex1
     * is visible */
    bool early;
    /* register components that a load may read within the delay of a store, as bits 1 << (4 *
     * register + component) */
    uint64_t watched_registers;
    /* address registers that a load may read within the delay of a write, as bits 1 << number */
    uint8_t watched_addresses;
    /* results of one instruction back that instruction k or the next one reads; bits of enum
     * gp_need */
    uint8_t needed1[GP_PROGRAM_MAX];
    /* results of two instructions back that instruction k reads; bits of enum gp_need */
    uint8_t needed2[GP_PROGRAM_MAX];
    uint64_t unset_registers; /* register components that may be read before they are written */
    /* address registers that may be read before they are written; a store to a temporary reads
     * address register 0 */
    uint8_t unset_addresses;
};

void gp_flow_find(struct gp_flow *flow, const struct gp_insn *insn, uint32_t count);

/* Returns the register components that the instruction loads for itself or for the next
 * instruction, as bits 1 << (4 * register + component). */
uint64_t gp_flow_registers_loaded(const struct gp_flow *flow, uint32_t k);

/* Lists the instructions that may follow instruction k. Returns the number of these instructions, 0
 * to 2. */
unsigned gp_flow_next(const struct gp_flow *flow, uint32_t k, uint32_t next[2]);

/* --- unit numbers of the public interface. The machine stores results in the order of these
 * numbers. --- */

/* Returns the unit's public number. Returns TESS_GP_UNITS for load units, the row, and
 * GP_UNIT_NONE. */
enum tess_gp_unit gp_result_unit(enum gp_unit unit);

/* Returns the units that have no result in this instruction, as bits 1 << enum tess_gp_unit. */
unsigned gp_idle_units(const struct gp_insn *insn);

#endif
