/* SPDX-License-Identifier: MIT */
/* facts.h - what one instruction of the GP reads, makes, stores and sets.
 *
 * In:      an instruction's fields.
 * Out:     lists and masks: the one home of these facts, for the checker, the sanitizer and the accounts.
 * Source:  digest utgard.md, sections 3, 4 and 7; Mesa 22.3.6, src/gallium/drivers/lima/ir/gp/codegen.c.
 * Choice:  a complex unit that sets an address register from its operand has the operand as its result, too, as after a
 *          move: Mesa's printer numbers that result, but nobody is known to read it. */
#ifndef ISA_GP_FACTS_H
#define ISA_GP_FACTS_H

#include "isa/gp/gp_isa.h"

/* Whether a source gives nothing: the code for it, or its alias. */
bool gp_is_unused(unsigned source);

/* Whether the unit makes a result: unused first operands, and operations without one, leave it idle. The second
 * multiplier is idle where both work together. False for load units and the row. */
bool gp_makes_result(const struct gp_insn *insn, enum gp_unit unit);

/* One operand that a working unit reads. */
struct gp_operand {
    enum gp_unit by;
    uint8_t number; /* 0 to 3: first to fourth operand of the unit */
    uint8_t source; /* enum gp_source */
    bool identity;  /* source 22 means 0 or 1 */
};

enum { GP_OPERANDS_MAX = 12 };

/* Lists them, and returns how many there are. Bounds of clamp count as operands 1 and 2 of the pass unit. */
unsigned gp_operands(const struct gp_insn *insn, struct gp_operand list[GP_OPERANDS_MAX]);

/* Components, bits 1 << c, that the instruction's units read of what a load unit or the row gave `back` instructions ago;
 * of other units bit 0. */
unsigned gp_reads(const struct gp_insn *insn, enum gp_unit unit, unsigned back);

/* A component that a store unit writes. */
struct gp_store {
    bool temporary, varying; /* else a register */
    uint8_t number;          /* of the register or varying */
    uint8_t component;       /* 0 to 3 */
    uint8_t source;          /* enum gp_store_source */
};

enum { GP_STORES_MAX = 4 };

/* Lists them, and returns how many there are; those of "nothing" are left out. */
unsigned gp_stores(const struct gp_insn *insn, struct gp_store list[GP_STORES_MAX]);

/* The address register, 1 to 3, that is added to the row; 0: none. */
unsigned gp_row_offset(const struct gp_insn *insn);

/* Address registers, bits 1 << n, that the instruction sets. */
unsigned gp_addresses_set(const struct gp_insn *insn);

/* "mul0", "load unit 0". */
const char *gp_unit_name(enum gp_unit unit);

#endif
