/* SPDX-License-Identifier: MIT */
/* alias.h - former ids of rules and findings. */
#ifndef BASE_ALIAS_H
#define BASE_ALIAS_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the present id for a former id of `length` characters, or NULL if id is not a former
 * id. */
const char *alias_find(const char *id, size_t length);

/* Sets *old and *id to the entry with index `number` of the list of former ids. Returns false after
 * the last entry. */
bool alias_get(size_t number, const char **old, const char **id);

#endif
