/* SPDX-License-Identifier: MIT */
/* errata.c - public functions for the table of errata.
 *
 * In:  errata.def.
 * Out: a row by index or by id. */
#include <strings.h>

#include <tessera/isa.h>

static const struct tess_erratum errata[] = {
#define ERRATUM(id, block, silicon, what, model, findings, rules, source) \
    {id, block, silicon, what, model, findings, rules, source},
#include "isa/errata.def"
#undef ERRATUM
};
enum { ERRATA = sizeof errata / sizeof errata[0] };

size_t tess_erratum_count(void)
{
    return ERRATA;
}

const struct tess_erratum *tess_erratum_get(size_t number)
{
    return number < ERRATA ? &errata[number] : NULL;
}

const struct tess_erratum *tess_erratum_find(const char *id)
{
    for (size_t i = 0; id && i < ERRATA; i++)
        if (strcasecmp(errata[i].id, id) == 0)
            return &errata[i];
    return NULL;
}
