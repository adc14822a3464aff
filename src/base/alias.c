/* SPDX-License-Identifier: MIT */
/* alias.c - see alias.h. */
#include "base/alias.h"

#include <stdbool.h>
#include <string.h>

static const struct {
    const char *old, *id;
} aliases[] = {
#define ALIAS(old, id) {old, id},
#include "base/aliases.def"
};

bool alias_get(size_t number, const char **old, const char **id)
{
    if (number >= sizeof aliases / sizeof aliases[0])
        return false;
    *old = aliases[number].old;
    *id = aliases[number].id;
    return true;
}

const char *alias_find(const char *id, size_t length)
{
    const char *old, *today;
    for (size_t i = 0; alias_get(i, &old, &today); i++)
        if (strlen(old) == length && memcmp(old, id, length) == 0)
            return today;
    return NULL;
}
