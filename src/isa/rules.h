/* SPDX-License-Identifier: MIT */
/* rules.h - the rules of all checkers in one numbering.
 *
 * In:  the rules.def of each machine, and that of the check itself.
 * Out: a row by number or by id. Ids are unique over all machines. */
#ifndef ISA_RULES_H
#define ISA_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/isa.h>

enum check_rule {
#define RULE(NAME, id, level, title, why, instead, source) CHECK_##NAME,
#include "isa/qpu/check/rules.def"
#define RULE(NAME, id, level, title, why, instead, source) CHECK_GP_##NAME,
#include "isa/gp/check/rules.def"
#define RULE(NAME, id, level, title, why, instead, source) CHECK_A2XX_##NAME,
#include "isa/a2xx/check/rules.def"
#define RULE(NAME, id, level, title, why, instead, source) CHECK_##NAME,
#include "isa/rules.def"
    CHECK_RULES
};

/* The table's row of a rule. */
const struct tess_check_rule *check_rule(enum check_rule rule);

/* Whether a rule is one of this machine's, or of the check itself. */
bool check_rule_is_for(enum check_rule rule, enum tess_machine machine);

/* Looks up a rule by its id, or by one that it had before. False if there is none. */
bool check_rule_find(const char *id, size_t length, enum check_rule *rule);

#endif
