/* SPDX-License-Identifier: MIT */
/* operands.h - which units an instruction sets to work, and what they read.
 *
 * In:      an instruction.
 * Out:     lists and masks, for the decoder and the sanitizer.
 * Source:  digest utgard.md, sections 3, 4 and 7. */
#ifndef UTGARD_OPERANDS_H
#define UTGARD_OPERANDS_H

#include <stdbool.h>

#include <tessera/utgard.h>

#include "isa/gp/gp_isa.h"

/* The public units (struct tess_gp_step), and those of source codes. */
enum tess_gp_unit gp_result_unit(enum gp_unit unit);

/* Whether the unit makes a result: unused first operands, and operations without one, leave it idle. The second
 * multiplier is idle where both work together. */
bool gp_makes_result(const struct gp_insn *insn, enum tess_gp_unit unit);

/* Bits 1 << unit of those that do not. */
unsigned gp_idle_units(const struct gp_insn *insn);

/* One operand that a working unit reads. */
struct gp_operand {
    enum tess_gp_unit by;
    uint8_t number; /* 0 to 3: first to fourth operand of the unit */
    uint8_t source; /* enum gp_source */
    bool identity;  /* source 22 means 0 or 1 */
};

enum { GP_OPERANDS_MAX = 12 };

/* Lists them, and returns how many there are. Bounds of clamp count as operands 1 and 2 of the pass unit. */
unsigned gp_operands(const struct gp_insn *insn, struct gp_operand list[GP_OPERANDS_MAX]);

/* Components, bits 1 << c, that the instruction's units read of this unit's result `back` instructions ago: of the load
 * units and the row. Of other units bit 0. */
unsigned gp_reads(const struct gp_insn *insn, enum gp_unit unit, unsigned back);

/* What a store unit writes. */
struct gp_store {
    bool temporary, varying; /* else a register */
    uint8_t number;          /* of the register or varying */
    uint8_t component;       /* 0 to 3 */
    uint8_t source;          /* enum gp_store_source */
};

/* The stores of an instruction, up to 4; those of "nothing" are left out. */
unsigned gp_stores(const struct gp_insn *insn, struct gp_store list[4]);

/* The address register, 1 to 3, that is added to the row; 0: none. */
unsigned gp_row_offset(const struct gp_insn *insn);

/* Address registers, bits 1 << n, that the instruction sets. */
unsigned gp_addresses_set(const struct gp_insn *insn);

#endif
