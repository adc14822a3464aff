/* SPDX-License-Identifier: MIT */
/* rules.c - see rules.h. */
#include "check/frame/rules.h"

#include <string.h>

#include "base/alias.h"

enum {
    LEVEL_OFF = TESS_CHECK_OFF,
    LEVEL_NOTE = TESS_CHECK_NOTE,
    LEVEL_WARNING = TESS_CHECK_WARNING,
    LEVEL_ERROR = TESS_CHECK_ERROR
};

#define ROW(number, machines, id, level, WHEN, HOW, function, title, why, instead, source) \
    [number] = {id, (enum tess_check_level)LEVEL_##level, title, why, instead, source, machines},

static const struct tess_check_rule rules[] = {
#define RULE(NAME, ...) ROW(CHECK_##NAME, 1u << TESS_MACHINE_QPU, __VA_ARGS__)
#include "check/qpu/qpu_rules.def"
#define RULE(NAME, ...) ROW(CHECK_GP_##NAME, 1u << TESS_MACHINE_GP, __VA_ARGS__)
#include "check/gp/gp_rules.def"
#define RULE(NAME, ...) ROW(CHECK_A2XX_##NAME, 1u << TESS_MACHINE_A2XX, __VA_ARGS__)
#include "check/a2xx/a2xx_rules.def"
#define RULE(NAME, ...) ROW(CHECK_##NAME, UINT32_MAX, __VA_ARGS__)
#include "check/frame/rules.def"
};

const struct tess_check_rule *check_rule(enum check_rule rule)
{
    return &rules[rule];
}

bool check_rule_is_for(enum check_rule rule, enum tess_machine machine)
{
    return rules[rule].machines >> machine & 1;
}

static bool find(const char *id, size_t length, enum check_rule *rule)
{
    for (size_t i = 0; i < CHECK_RULES; i++) {
        if (strlen(rules[i].id) == length && memcmp(rules[i].id, id, length) == 0) {
            *rule = (enum check_rule)i;
            return true;
        }
    }
    return false;
}

bool check_rule_find(const char *id, size_t length, enum check_rule *rule)
{
    const char *today = alias_find(id, length);
    return find(id, length, rule) || (today && find(today, strlen(today), rule));
}
