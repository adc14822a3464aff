/* SPDX-License-Identifier: MIT */
/* rules.c - the rule table, as programs see it.
 *
 * In:  rules.def.
 * Out: a row by number or by id. */
#include <string.h>

#include "isa/qpu/check/check.h"

enum {
    LEVEL_OFF = TESS_CHECK_OFF,
    LEVEL_NOTE = TESS_CHECK_NOTE,
    LEVEL_WARNING = TESS_CHECK_WARNING,
    LEVEL_ERROR = TESS_CHECK_ERROR
};

#define RULE(NAME, id, level, title, why, instead, source) \
    [CHECK_##NAME] = {id, (enum tess_check_level)LEVEL_##level, title, why, instead, source},
static const struct tess_check_rule rules[] = {
#include "isa/qpu/check/rules.def"
};

const struct tess_check_rule *check_rule(enum check_rule rule)
{
    return &rules[rule];
}

bool check_rule_find(const char *id, size_t length, enum check_rule *rule)
{
    for (size_t i = 0; i < CHECK_RULES; i++) {
        if (strlen(rules[i].id) == length && memcmp(rules[i].id, id, length) == 0) {
            *rule = (enum check_rule)i;
            return true;
        }
    }
    return false;
}
