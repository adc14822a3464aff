/* SPDX-License-Identifier: MIT */
/* examples.c - see examples.h. */
#include "front/examples.h"

#include <stddef.h>
#include <string.h>

#define EXAMPLE(id, kind, wrong, right) {id, EXAMPLE_##kind, wrong, right},
/* clang-format off */
static const struct example rules[] = {
#include "front/examples/rules_qpu.def"
#include "front/examples/rules_gp.def"
#include "front/examples/rules_a2xx.def"
};

static const struct example findings[] = {
#include "front/examples/findings_vc4.def"
#include "front/examples/findings_gp.def"
#include "front/examples/findings_a2xx.def"
#include "front/examples/findings_pi.def"
};
/* clang-format on */
#undef EXAMPLE

static const struct example *find(const struct example *rows, size_t count, const char *id)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].id, id) == 0)
            return &rows[i];
    return NULL;
}

const struct example *example_of_finding(const char *id)
{
    return find(findings, sizeof findings / sizeof findings[0], id);
}

const struct example *example_of_rule(const char *id)
{
    const struct example *found = find(rules, sizeof rules / sizeof rules[0], id);
    return found ? found : example_of_finding(id);
}
