/* SPDX-License-Identifier: MIT */
/* rules.h - the table of the models' rules (tessera/finding.h), for the models. A model numbers its
 * rules from 0, in the order of its .def file. */
#ifndef FINDING_RULES_H
#define FINDING_RULES_H

#include <tessera/finding.h>

/* Index of each rule in the table: RULE_VC4_BUDGET and so on, and RULE_VC4_FIRST for the first rule
 * of a model. */
enum rule_number {
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

extern const struct tess_rule rules_of_models[RULES];

/* Sets severity, rule, hint and setting of *diag. number is an index in the table. */
void rule_describe(unsigned number, struct tess_diag *diag);

#endif
