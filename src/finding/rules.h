/* SPDX-License-Identifier: MIT */
/* rules.h - the table of all rules (tessera/finding.h), for the parts that report findings.
 *
 * In:      the tables of the checkers, which number their rules in one enumeration, and of the
 *          models, which number their rules from 0 in the order of their .def file.
 * Out:     the row of a rule, found by number or by id. */
#ifndef FINDING_RULES_H
#define FINDING_RULES_H

#include <stdbool.h>

#include <tessera/finding.h>

/* Rules of the checkers. */
enum check_rule {
#define RULE(NAME, ...) CHECK_##NAME,
#include "check/qpu/qpu_rules.def"
#define RULE(NAME, ...) CHECK_GP_##NAME,
#include "check/gp/gp_rules.def"
#define RULE(NAME, ...) CHECK_A2XX_##NAME,
#include "check/a2xx/a2xx_rules.def"
#define RULE(NAME, ...) CHECK_##NAME,
#include "check/frame/rules.def"
    CHECK_RULES
};

/* Index of each rule in the table: enum check_rule, then RULE_VC4_BUDGET and so on.
 * RULE_VC4_FIRST is the first rule of a model. */
enum rule_number {
    RULE_CHECK_END = CHECK_RULES - 1,
#define FAULT(name, ...) RULE_VC4_##name,
    RULE_VC4_FIRST,
    RULE_VC4_BEFORE = RULE_VC4_FIRST - 1,
#include "vc4/fault/faults.def"
#undef FAULT
#define FAULT(name, ...) RULE_PI_##name,
    RULE_PI_FIRST,
    RULE_PI_BEFORE = RULE_PI_FIRST - 1,
#include "board/pi/findings.def"
#undef FAULT
#define FAULT(name, ...) RULE_GP_##name,
    RULE_GP_FIRST,
    RULE_GP_BEFORE = RULE_GP_FIRST - 1,
#include "mali/gp/faults.def"
#undef FAULT
#define FAULT(name, ...) RULE_A2XX_##name,
    RULE_A2XX_FIRST,
    RULE_A2XX_BEFORE = RULE_A2XX_FIRST - 1,
#include "a2xx/shader/faults.def"
#undef FAULT
    RULES
};

extern const struct tess_rule rule_table[RULES];

/* Sets level, id, hint, setting and machine of *finding, and its count to 1. number is an index in
 * the table. If strict is true, the level TESS_ERROR replaces TESS_WARNING. */
void rule_describe(unsigned number, bool strict, struct tess_finding *finding);

/* Reports the note that further findings of a rule are not shown. */
void rule_note_more(struct tess_sink sink, unsigned number, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns the rule whose id or former id consists of `length` characters at id, or NULL. */
const struct tess_rule *rule_find(const char *id, size_t length, enum tess_rules among);

/* Returns the row of a rule of the checkers. */
const struct tess_rule *check_rule(enum check_rule rule);

/* Returns true if a rule of the checkers is about this machine or about the check itself. */
bool check_rule_is_for(enum check_rule rule, enum tess_machine machine);

/* Looks up a rule of the checkers as rule_find() does. Returns false if there is no such rule. */
bool check_rule_find(const char *id, size_t length, enum check_rule *rule);

/* Returns the present id of a finding of a machine's runs, whose present or former id is word, or
 * NULL. Comments in sources can allow such findings as well as rules of the checker. The same
 * finding always has the same pointer. */
const char *finding_id(enum tess_machine machine, const char *word, size_t length);

#endif
