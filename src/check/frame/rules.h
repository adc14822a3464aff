/* SPDX-License-Identifier: MIT */
/* rules.h - rules of all checkers, in one enumeration.
 *
 * In:  the tables of the machines (qpu_rules.def, gp_rules.def, a2xx_rules.def), and rules.def with
 *      rules about the check itself.
 * Out: the row of a rule, found by number or by id. Ids are unique across machines. */
#ifndef CHECK_FRAME_RULES_H
#define CHECK_FRAME_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/isa.h>

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

/* When a checker calls the function of a rule (asks.h). */
enum check_when {
    CHECK_WHEN_NONE,
    CHECK_WHEN_WORD, /* for each instruction */
    CHECK_WHEN_ALU,  /* for each instruction of one kind (A2xx) */
    CHECK_WHEN_FETCH,
    CHECK_WHEN_CONTROL,
    CHECK_WHEN_PAIR,    /* for each two instructions that are close on a path */
    CHECK_WHEN_PATH,    /* for each instruction that a path reaches, with the state before it */
    CHECK_WHEN_END,     /* for each end of the program that a path reaches, with the state there */
    CHECK_WHEN_PROGRAM, /* once for the program, after its paths */
};

/* A function with this attribute is compiled once for each value of enum check_when. */
#define CHECK_ASKS static inline __attribute__((always_inline)) void

/* Returns the table's row of a rule. */
const struct tess_check_rule *check_rule(enum check_rule rule);

/* Returns true if a rule belongs to this machine or to the check itself. */
bool check_rule_is_for(enum check_rule rule, enum tess_machine machine);

/* Looks up a rule by its id or by a former id. Returns false if there is no such rule. */
bool check_rule_find(const char *id, size_t length, enum check_rule *rule);

#endif
