/* SPDX-License-Identifier: MIT */
/* finding_id.c - see finding_id.h. The ids are those of the models' rules, and three ids that runs
 * of a scene report. */
#include "finding/finding_id.h"

#include <string.h>

#include <tessera/finding.h>

#include "base/alias.h"

static const enum tess_rule_model models[] = {
#define MACHINE(NAME, name, extension, prefix, MODEL) [TESS_MACHINE_##NAME] = TESS_RULE_##MODEL,
#include "isa/machines.def"
};

static const char *const of_scenes[] = {"list-halted", "list-not-flushed", "frame-not-ended"};

static bool is_word(const char *id, const char *word, size_t length)
{
    return strlen(id) == length && memcmp(id, word, length) == 0;
}

static const char *find(enum tess_machine machine, const char *word, size_t length)
{
    const struct tess_rule *rule;
    for (size_t i = 0; (rule = tess_rule_get(i)) != NULL; i++)
        if (rule->of == models[machine] && is_word(rule->id, word, length))
            return rule->id;
    for (size_t i = 0; machine == TESS_MACHINE_QPU && i < sizeof of_scenes / sizeof of_scenes[0];
         i++)
        if (is_word(of_scenes[i], word, length))
            return of_scenes[i];
    return NULL;
}

const char *finding_id(enum tess_machine machine, const char *word, size_t length)
{
    const char *id = find(machine, word, length), *today = alias_find(word, length);
    return id || !today ? id : find(machine, today, strlen(today));
}
