/* SPDX-License-Identifier: MIT */
/* facts.h - what one instruction reads, makes and stores (gp/facts.h), found once for all rules. */
#ifndef ISA_GP_CHECK_FACTS_H
#define ISA_GP_CHECK_FACTS_H

#include "isa/gp/facts.h"

struct gpc_facts {
    struct gp_insn insn;
    struct gp_operand operands[GP_OPERANDS_MAX];
    unsigned operand_count;
    struct gp_store stores[GP_STORES_MAX];
    unsigned store_count;
    uint32_t makes;    /* bits 1 << enum gp_unit of those with a result */
    uint8_t addresses; /* address registers that it sets, bits 1 << number */
    uint8_t offset;    /* the address register that its row adds; 0: none */
    bool stores_temporary;
};

struct gpc_facts gpc_facts(const uint32_t words[GP_WORDS]);

/* Whether a unit only hands on its first operand. */
bool gpc_is_move(const struct gpc_facts *facts, enum gp_unit unit);

/* A unit's operand; NULL if it has none. */
const struct gp_operand *gpc_operand(const struct gpc_facts *facts, enum gp_unit by,
                                     unsigned number);

/* A source as in assembly: "acc0[-1]", "unif.x". */
enum { GPC_NAME_MAX = 16 };
const char *gpc_source_name(char name[GPC_NAME_MAX], const struct gp_insn *insn, unsigned source);

#endif
