/* SPDX-License-Identifier: MIT */
/* policy_settings.c - see policy_settings.h.
 *
 * In:  TESSERA_RULES ("ID=LEVEL:ID=LEVEL"), TESSERA_FAIL_ON, TESSERA_BASELINE, TESSERA_LEARN,
 *      TESSERA_COLOR, TESSERA_MAX_MESSAGES.
 * Out: a policy. */
#include "policy_settings.h"

#include <stdlib.h>
#include <string.h>

#include "front/colour.h"
#include "front/message_limit.h"
#include "settings.h"

enum { RULES_MOST = 256 };

static struct policy_rule rules[RULES_MOST];

/* Splits "ID=LEVEL" in place and adds the rule to the policy. Returns false if the text is
 * invalid. */
static bool take_rule(struct policy *policy, char *text)
{
    char *equals = strchr(text, '=');
    struct policy_rule *rule = &rules[policy->rule_count];
    if (!equals || policy->rule_count == RULES_MOST || !policy_level(equals + 1, &rule->level))
        return false;
    *equals = 0;
    rule->id = text;
    policy->rule_count++;
    return true;
}

static void read_rules(struct policy *policy)
{
    static char *text; /* copy of the setting; the policy's rules point into this text */
    const char *given = setting_text("TESSERA_RULES");
    text = given ? strdup(given) : NULL;
    char *rest = NULL;
    for (char *one = text ? strtok_r(text, ":", &rest) : NULL; one;
         one = strtok_r(NULL, ":", &rest))
        if (!take_rule(policy, one))
            setting_complain("TESSERA_RULES", given, "expected pairs ID=LEVEL separated by colons");
    policy->rules = rules;
}

static void read_colour(void)
{
    enum colour_when when;
    const char *name = setting("TESSERA_COLOR");
    if (name && colour_find(name, &when))
        colour_choose(when);
    else if (name)
        setting_complain("TESSERA_COLOR", name, "expected auto, always or never");
}

static void read_max_messages(void)
{
    const char *text = setting("TESSERA_MAX_MESSAGES");
    if (text && text[strspn(text, "0123456789")] == 0)
        message_limit_choose(strtoull(text, NULL, 10));
    else if (text)
        setting_complain("TESSERA_MAX_MESSAGES", text, "expected a number, or 0 for all");
}

static void read_baseline(struct policy *policy, struct tess_sink sink)
{
    const char *path = setting_text("TESSERA_BASELINE");
    policy->learn = setting("TESSERA_LEARN") != NULL;
    policy->baseline = path ? baseline_new(path) : NULL;
    if (policy->baseline && !policy->learn)
        baseline_read(policy->baseline, path, sink);
}

void policy_settings_read(struct policy *policy, struct tess_sink sink)
{
    const char *fail_on = setting("TESSERA_FAIL_ON");
    policy->has_fail_on = fail_on && policy_severity(fail_on, &policy->fail_on);
    if (fail_on && !policy->has_fail_on)
        setting_complain("TESSERA_FAIL_ON", fail_on, "expected error, warning or note");
    read_colour();
    read_max_messages();
    read_rules(policy);
    read_baseline(policy, sink);
}
