/* SPDX-License-Identifier: MIT */
/* facts.h - the operands, results, stores and address registers of one GP instruction.
 *
 * In:      an instruction's fields.
 * Out:     lists and masks, for the checker, the sanitizer and the explanations.
 * Source:  docs/hardware/utgard.md, sections 3, 4 and 7; Mesa 22.3.6,
 *          src/gallium/drivers/lima/ir/gp/codegen.c. Choice: if the complex unit sets an address
 *          register from its operand, the operand is also the unit's result, as after a move.
 *          Mesa's printer numbers that result, but no known program reads it. */
#ifndef ISA_GP_FACTS_H
#define ISA_GP_FACTS_H

#include "isa/gp/gp_isa.h"

/* Returns true if the source code means "nothing". This is code 21 or code 8. */
bool gp_is_unused(unsigned source);

/* Returns true if the unit computes a result. The unit has no result if its first operand is unused
 * or if its operation has no result. Multiplier 1 has no result in operations that use both
 * multipliers. Returns false for load units and the row. */
bool gp_makes_result(const struct gp_insn *insn, enum gp_unit unit);

/* An operand that a working unit reads. */
struct gp_operand {
    enum gp_unit by;
    uint8_t number; /* 0 to 3: first to fourth operand of the unit */
    uint8_t source; /* enum gp_source */
    bool identity;  /* true if source 22 is the constant 0 or 1 in this operand */
};

enum { GP_OPERANDS_MAX = 12 };

/* Lists the operands of all units that have a result. Returns the length of the list. The bounds of
 * clamp are operands 1 and 2 of the pass unit. */
unsigned gp_operands(const struct gp_insn *insn, struct gp_operand list[GP_OPERANDS_MAX]);

/* Returns a mask of the components (bits 1 << c) that the instruction reads of a load unit or of
 * the row. The components are those that the unit loaded `back` instructions earlier. For a unit
 * with a single result, the mask is 1 if the instruction reads the result. */
unsigned gp_reads(const struct gp_insn *insn, enum gp_unit unit, unsigned back);

/* A component that a store unit writes. */
struct gp_store {
    bool temporary, varying; /* the destination is a register if both are false */
    uint8_t number;          /* number of the register or varying */
    uint8_t component;       /* 0 to 3 for x to w */
    uint8_t source;          /* enum gp_store_source */
};

enum { GP_STORES_MAX = 4 };

/* Lists the components that the store units write. Ignores components whose source is "nothing".
 * Returns the length of the list. */
unsigned gp_stores(const struct gp_insn *insn, struct gp_store list[GP_STORES_MAX]);

/* Returns the address register (1 to 3) that is added to the row, or 0 if no register is added. */
unsigned gp_row_offset(const struct gp_insn *insn);

/* Returns a mask of the address registers (bits 1 << n) that the instruction sets. */
unsigned gp_addresses_set(const struct gp_insn *insn);

/* Returns the unit's name for messages, such as "mul0" or "load unit 0". */
const char *gp_unit_name(enum gp_unit unit);

#endif
