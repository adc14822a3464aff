/* SPDX-License-Identifier: MIT */
/* gp_check_facts.h - the operands, results and stores of an instruction (isa/gp/facts.h), computed
 * once for all rules. */
#ifndef CHECK_GP_GP_CHECK_FACTS_H
#define CHECK_GP_GP_CHECK_FACTS_H

#include "isa/gp/operand.h"

struct gpc_facts {
    struct gp_insn insn;
    struct gp_operand operands[GP_OPERANDS_MAX];
    unsigned operand_count;
    struct gp_store stores[GP_STORES_MAX];
    unsigned store_count;
    uint32_t makes;    /* units with a result, bits 1 << enum gp_unit */
    uint8_t addresses; /* address registers that the instruction sets, bits 1 << number */
    uint8_t offset;    /* number of the address register that is added to the row, or 0 if no
                        * register is added */
    bool stores_temporary;
};

struct gpc_facts gpc_facts(const uint32_t words[GP_WORDS]);

/* Returns true if the unit copies its first operand unchanged. */
bool gpc_is_move(const struct gpc_facts *facts, enum gp_unit unit);

/* Returns an operand of a unit, or NULL if the unit has no such operand. */
const struct gp_operand *gpc_operand(const struct gpc_facts *facts, enum gp_unit by,
                                     unsigned number);

/* Writes a source in assembly notation, such as "acc0[-1]" or "unif.x". Returns name. */
const char *gpc_source_name(char name[GP_OPERAND_TEXT], const struct gp_insn *insn,
                            unsigned source);

#endif
