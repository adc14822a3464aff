/* SPDX-License-Identifier: MIT */
/* levels.c - see levels.h. */
#include "levels.h"

#include <stdlib.h>
#include <string.h>

#include <tessera/finding.h>
#include <tessera/isa.h>

#include "base/array.h"
#include "cli.h"
#include "explain.h"
#include "front/policy.h"

bool levels_add(struct levels *levels, const char *title, const char *id, enum tess_level level)
{
    if (!ARRAY_GROW(levels->items, levels->count))
        return cli_no_memory(title);
    const struct tess_rule *rule = tess_rule_find(id,
                                                  TESS_RULES_OF_CHECKS); /* accepts old ids, too */
    levels->items[levels->count++] = (struct level){rule ? rule->id : id, level};
    return true;
}

bool levels_take(struct levels *levels, const char *title, char *text)
{
    char *equals = strchr(text, '=');
    const char *name = equals ? equals + 1 : "";
    enum tess_level level;
    if (equals)
        *equals = '\0';
    if (strcmp(text, "all") != 0 && !explain_knows(text)) {
        explain_unknown(title, "rule", text, "tessera help --ids");
        return false;
    }
    if (policy_level(name, &level))
        return levels_add(levels, title, text, level);
    return cli_refuse(title, "unknown level '%s'; expected off, note, warning or error", name);
}

bool levels_apply(const struct levels *levels, struct tess_finding *diag)
{
    if (diag->level == TESS_ERROR || !diag->id)
        return true;
    for (size_t i = levels->count; i-- > 0;) {
        const struct level *item = &levels->items[i];
        if (strcmp(item->id, "all") != 0 && strcmp(item->id, diag->id) != 0)
            continue;
        diag->level = item->level;
        return item->level != TESS_OFF;
    }
    return true;
}

void levels_free(struct levels *levels)
{
    free(levels->items);
    *levels = (struct levels){0};
}
