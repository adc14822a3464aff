/* SPDX-License-Identifier: MIT */
/* facts.h - what one instruction reads, makes and stores, as far as the rules ask. */
#ifndef ISA_GP_CHECK_FACTS_H
#define ISA_GP_CHECK_FACTS_H

#include "isa/gp/gp_isa.h"

enum {
    GPC_OPERANDS_MAX = 12,
    GPC_SOURCE_8 = 8, /* an alias of unused */
};

/* An operand of a unit that works. */
struct gpc_operand {
    enum gp_unit by;
    uint8_t number; /* 0 to 3 */
    uint8_t source;
    bool identity; /* 0 or 1 */
};

struct gpc_store {
    bool temporary, varying; /* else a register */
    uint8_t number, component;
    uint8_t source; /* enum gp_store_source */
};

struct gpc_facts {
    struct gp_insn insn;
    struct gpc_operand operands[GPC_OPERANDS_MAX];
    unsigned operand_count;
    struct gpc_store stores[4];
    unsigned store_count;
    uint32_t makes;    /* bits 1 << enum gp_unit of those with a result */
    uint8_t addresses; /* address registers that it sets, bits 1 << number */
    uint8_t offset;    /* the address register that its row adds; 0: none */
    bool stores_temporary;
};

struct gpc_facts gpc_facts(const uint32_t words[GP_WORDS]);

/* Whether a source gives nothing. */
bool gpc_is_unused(unsigned source);

/* Components, bits 1 << c, that are read of what a load unit or the row gave so many instructions before; of other units
 * bit 0. Bounds of clamp count. */
unsigned gpc_reads(const struct gpc_facts *facts, enum gp_unit unit, unsigned back);

/* Whether a unit only hands on its first operand. */
bool gpc_is_move(const struct gpc_facts *facts, enum gp_unit unit);

/* A unit's operand; NULL if it has none. */
const struct gpc_operand *gpc_operand(const struct gpc_facts *facts, enum gp_unit by,
                                      unsigned number);

/* A source as in assembly: "acc0[-1]", "unif.x". */
enum { GPC_NAME_MAX = 16 };
const char *gpc_source_name(char name[GPC_NAME_MAX], const struct gp_insn *insn, unsigned source);

/* "mul0", "load unit 0". */
const char *gpc_unit_name(enum gp_unit unit);

#endif
