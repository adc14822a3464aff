/* SPDX-License-Identifier: MIT */
/* refusal.c - see refusal.h.
 *
 * In:  what is wrong, and where. Out: one sentence. */
#include "refusal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

int refuse(struct refusal *why, const char *instead, const char *format, ...)
{
    const int place = snprintf(why->text, sizeof why->text, "%s%s", why->where,
                               *why->where ? ": " : "");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why->text + place, sizeof why->text - (size_t)place, format, arguments);
    va_end(arguments);
    why->instead = instead;
    return EINVAL;
}

void refusal_at(struct refusal *why, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why->where, sizeof why->where, format, arguments);
    va_end(arguments);
}
