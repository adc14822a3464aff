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

/* The slots of an instruction. */
enum gp_slot {
    GP_SLOT_LOAD0,
    GP_SLOT_LOAD1,
    GP_SLOT_ROW,
    GP_SLOT_MUL0,
    GP_SLOT_MUL1,
    GP_SLOT_ACC0,
    GP_SLOT_ACC1,
    GP_SLOT_COMPLEX,
    GP_SLOT_PASS,
    GP_SLOT_STORE0,
    GP_SLOT_STORE1,
    GP_SLOT_BRANCH,
    GP_SLOT_NOP,
    GP_SLOTS
};

/* Position of an operand, which determines the meaning of code 22. */
enum gp_place {
    GP_FIRST,  /* first operand: code 22 is the complex unit's result */
    GP_SECOND, /* second operand of a multiplier or accumulator: code 22 is the identity */
    GP_STORED, /* source of a store: a result of the same instruction */
};

/* Returns the row of ops.def for an operand. The row's unit is GP_UNIT_NONE for the identity, for
 * "nothing", and for codes without a row. */
struct gp_source_row gp_operand_row(unsigned code, enum gp_place place);

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

enum {
    /* number of instructions from a store to the first load that reads the new value */
    GP_REGISTER_LATENCY = 3,
    GP_TEMPORARY_LATENCY = 4, /* the same number for temporaries and for address registers 1 to 3 */
};

/* A write that takes effect some instructions later. */
struct gp_delayed {
    enum gp_target { GP_TARGET_REGISTER, GP_TARGET_TEMPORARY, GP_TARGET_ADDRESS } target;
    uint8_t number;     /* number of the register or address register. For a temporary, address
                         * register 0 has the row */
    uint8_t components; /* mask of the written components; 0 for an address register */
    uint8_t latency;
};

enum { GP_DELAYED_MAX = 5 };

/* Lists the delayed writes: address registers, then the two store units. Returns the length of the
 * list. */
unsigned gp_delayed_writes(const struct gp_insn *insn, struct gp_delayed list[GP_DELAYED_MAX]);

/* Returns the address register (1 to 3) that is added to the row, or 0 if no register is added. */
unsigned gp_row_offset(const struct gp_insn *insn);

/* Returns a mask of the address registers (bits 1 << n) that the instruction sets. */
unsigned gp_addresses_set(const struct gp_insn *insn);

/* Returns the unit's name for messages, such as "mul0" or "load unit 0". */
const char *gp_unit_name(enum gp_unit unit);

#endif
