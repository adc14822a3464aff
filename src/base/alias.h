/* SPDX-License-Identifier: MIT */
/* alias.h - ids that rules and findings had before. */
#ifndef BASE_ALIAS_H
#define BASE_ALIAS_H

#include <stdbool.h>
#include <stddef.h>

/* The id that stands for an old one of length characters today; NULL if it is not an old one. */
const char *alias_find(const char *id, size_t length);

/* Old id and id by number; false after the last. */
bool alias_get(size_t number, const char **old, const char **id);

#endif
