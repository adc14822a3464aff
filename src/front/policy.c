/* SPDX-License-Identifier: MIT */
/* policy.c - see policy.h.
 *
 * Choices: levels are applied first, then comments, then the baseline. A finding that is off or
 *          allowed is therefore not added to the baseline. A comment must be at the source line of
 *          the finding. */
#include "front/policy.h"

#include <stdlib.h>
#include <string.h>

#include <tessera/finding.h>
#include <tessera/isa.h>

const char *policy_level_name(enum tess_level level)
{
    static const char *const names[] = {"off", "note", "warning", "error"};
    return names[level - TESS_OFF];
}

bool policy_level(const char *name, enum tess_level *level)
{
    for (int i = TESS_OFF; i <= TESS_ERROR; i++) {
        if (strcmp(name, policy_level_name((enum tess_level)i)) != 0)
            continue;
        *level = (enum tess_level)i;
        return true;
    }
    return false;
}

bool policy_severity(const char *name, enum tess_level *severity)
{
    enum tess_level level;
    if (!policy_level(name, &level) || level == TESS_OFF)
        return false;
    *severity = level;
    return true;
}

bool policy_chooses(const struct policy *policy)
{
    return policy && (policy->rule_count || policy->baseline || policy->has_fail_on);
}

/* --- levels --- */

/* Returns true if name is `id` itself, or a former id of the rule or finding whose present id is
 * `id`. */
static bool is_named(const char *id, const char *name)
{
    const struct tess_rule *rule = tess_rule_find(name, TESS_RULES_ALL);
    return strcmp(name, id) == 0 || (rule && strcmp(rule->id, id) == 0);
}

/* Sets the severity of a finding from the last entry of policy->rules that matches it. Returns
 * false if the entry's level is "off". */
static bool set_level(const struct policy *policy, struct tess_finding *diag)
{
    for (size_t i = policy->rule_count; diag->id && i-- > 0;) {
        const struct policy_rule *rule = &policy->rules[i];
        if (strcmp(rule->id, "all") != 0 && !is_named(diag->id, rule->id))
            continue;
        diag->level = rule->level;
        return rule->level != TESS_OFF;
    }
    return true;
}

/* --- comments --- */

enum tess_machine policy_machine(const char *path)
{
    struct tess_file_kind kind;
    tess_file_recognise(NULL, 1, path, &kind);
    return kind.machine;
}

/* Returns the comments of a source, or NULL if the file cannot be read or too many sources have
 * been read. */
static const struct tess_remarks *remarks_of(struct policy *policy, const char *path)
{
    size_t i = 0;
    while (i < policy->source_count && strcmp(policy->sources[i].path, path) != 0)
        i++;
    if (i < policy->source_count)
        return policy->sources[i].remarks;
    if (i == POLICY_SOURCES || !(policy->sources[i].path = strdup(path)))
        return NULL;
    policy->source_count++;
    if (tess_remarks_read(&policy->sources[i].remarks, path, policy_machine(path)) != TESS_OK)
        policy->sources[i].remarks = NULL;
    return policy->sources[i].remarks;
}

static bool is_allowed(struct policy *policy, const struct tess_finding *diag)
{
    return diag->id && diag->file && diag->line &&
           tess_remarks_allow(remarks_of(policy, diag->file), diag->id, diag->line);
}

/* --- findings --- */

/* Ids of findings that are not in the table of a model. These findings are about scenes, about data
 * for programs, and about the DRM device. */
static const char *const others[] = {
    "list-halted",
    "list-not-flushed",
    "frame-not-ended",
    "expect-differs",
    "expect-met",
    "hang-state",
    "hang-not-repeated",
    "run-overlap",
    "draw-nothing",
    "source-unused",
    "run-uniform-missing",
    "run-texture-missing",
    "run-attribute-missing",
    "drm-bin-list",
    "drm-capture",
    "drm-hang",
    "drm-memory",
    "drm-no-model",
    "drm-render",
    "drm-shader",
    "drm-shader-record",
    "drm-submit",
    "drm-texture",
    "gpu-unused",
};

static bool is_other(const char *id)
{
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(id, others[i]) == 0)
            return true;
    return false;
}

bool policy_is_finding(const char *id)
{
    return is_other(id) || tess_rule_find(id, TESS_RULES_ALL);
}

bool policy_known(struct policy *policy, const struct tess_finding *diag, const char *key)
{
    bool known = false;
    if (policy->baseline && policy->learn)
        known = baseline_add(policy->baseline, diag, key);
    else if (policy->baseline)
        known = baseline_has(policy->baseline, diag, key);
    policy->lost |= policy->learn && policy->baseline && !known;
    policy->hidden += known && !policy->learn;
    return known;
}

bool policy_judge(struct policy *policy, struct tess_finding *diag, const char *key)
{
    if (diag->id &&
        (!set_level(policy, diag) || is_allowed(policy, diag) || policy_known(policy, diag, key)))
        return false;
    policy->failures += diag->level >= (policy->has_fail_on ? policy->fail_on : TESS_ERROR);
    return true;
}

void policy_free(struct policy *policy)
{
    for (size_t i = 0; i < policy->source_count; i++) {
        free(policy->sources[i].path);
        tess_remarks_free(policy->sources[i].remarks);
    }
    *policy = (struct policy){0};
}
