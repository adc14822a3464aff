/* SPDX-License-Identifier: MIT */
/* rules.c - see rules.h. */
#include "finding/rules.h"

#include <string.h>

#include "base/alias.h"

const struct tess_rule rules_of_models[RULES] = {
#define ROW(index, of, id, severity, title, hardware, model, instead, source, setting, ...) \
    [index] = {id, of, TESS_##severity, title, hardware, model, instead, source, setting},
#define FAULT(name, ...) ROW(RULE_VC4_##name, TESS_RULE_VC4, __VA_ARGS__, TESS_SETTING_NONE, 0)
#include "vc4/fault/faults.def"
#undef FAULT
#define FAULT(name, ...) ROW(RULE_PI_##name, TESS_RULE_PI, __VA_ARGS__, TESS_SETTING_NONE, 0)
#include "board/pi/findings.def"
#undef FAULT
#define FAULT(name, ...) ROW(RULE_GP_##name, TESS_RULE_GP, __VA_ARGS__, TESS_SETTING_NONE, 0)
#include "mali/gp/faults.def"
#undef FAULT
#define FAULT(name, ...) ROW(RULE_A2XX_##name, TESS_RULE_A2XX, __VA_ARGS__, TESS_SETTING_NONE, 0)
#include "a2xx/shader/faults.def"
#undef FAULT
};

size_t tess_rule_count(void)
{
    return RULES;
}

const struct tess_rule *tess_rule_get(size_t number)
{
    return number < RULES ? &rules_of_models[number] : NULL;
}

static const struct tess_rule *find(const char *id)
{
    for (size_t i = 0; id && i < RULES; i++)
        if (strcmp(rules_of_models[i].id, id) == 0)
            return &rules_of_models[i];
    return NULL;
}

const struct tess_rule *tess_rule_find(const char *id)
{
    const struct tess_rule *found = find(id);
    return found || !id ? found : find(alias_find(id, strlen(id)));
}

void rule_describe(unsigned number, struct tess_diag *diag)
{
    const struct tess_rule *rule = &rules_of_models[number];
    diag->severity = rule->severity;
    diag->rule = rule->id;
    diag->hint = rule->instead;
    diag->setting = rule->setting;
}
