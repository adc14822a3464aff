/* SPDX-License-Identifier: MIT */
/* refusal.c - see refusal.h.
 *
 * In:  a problem and its position.
 * Out: one sentence. */
#include "refusal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int refuse(struct refusal *why, const char *instead, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    why->instead = instead;
    return EINVAL;
}

int refused_at(struct refusal *why, int error, const char *format, ...)
{
    char place[96], text[sizeof why->text];
    va_list arguments;
    if (error != EINVAL)
        return error;
    va_start(arguments, format);
    vsnprintf(place, sizeof place, format, arguments);
    va_end(arguments);
    memcpy(text, why->text, sizeof text);
    if (snprintf(why->text, sizeof why->text, "%s: %s", place, text) >= (int)sizeof why->text)
        memcpy(why->text + sizeof why->text - 4, "...", 4);
    return error;
}
