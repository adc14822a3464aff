/* SPDX-License-Identifier: MIT */
/* shader_names.c - see shader_names.h. */
#include "cli/run/shader_names.h"

#include <stdio.h>
#include <string.h>

static bool parse_number(const char *text, size_t length, uint32_t *number)
{
    enum { MOST_DIGITS = 6 };
    *number = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        *number = *number * 10 + (uint32_t)(text[i] - '0');
    }
    return length > 0 && length <= MOST_DIGITS;
}

/* Parses a number with or without a prefix, such as "12" or "C12". Returns false if the text is not
 * a number in range. */
static bool find_number(const struct shader_names *names, const char *text, size_t length,
                        uint32_t *number)
{
    const struct shader_prefix *prefix = names->prefixes;
    if (parse_number(text, length, number))
        return *number < names->limit;
    for (; prefix && prefix->text; prefix++) {
        size_t skip = strlen(prefix->text);
        if (length <= skip || memcmp(text, prefix->text, skip) != 0 ||
            !parse_number(text + skip, length - skip, number) || *number >= prefix->count)
            continue;
        *number += prefix->first;
        return true;
    }
    return false;
}

bool shader_names_find(const struct shader_names *names, const char *text, size_t length,
                       struct shader_name *found)
{
    uint32_t number;
    for (size_t i = 0; i < names->count; i++) {
        *found = names->items[i];
        if (strlen(found->name) == length && memcmp(found->name, text, length) == 0)
            return true;
    }
    if (!find_number(names, text, length, &number))
        return false;
    const struct shader_name *known = shader_names_of(names, number);
    *found = known ? *known : (struct shader_name){NULL, number, 1, SHADER_COMPONENTS};
    return true;
}

const struct shader_name *shader_names_of(const struct shader_names *names, uint32_t number)
{
    for (size_t i = 0; i < names->count; i++)
        if (names->items[i].number == number)
            return &names->items[i];
    return NULL;
}

unsigned shader_component(char letter)
{
    static const char letters[] = "xyzw";
    const char *found = letter ? strchr(letters, letter) : NULL;
    return found ? (unsigned)(found - letters) : SHADER_COMPONENTS;
}

const char *shader_names_list(const struct shader_names *names, char *text, size_t size)
{
    const char *format = names->count ? "the program's %ss are " : "the program names no %ss; ";
    size_t length = (size_t)snprintf(text, size, format, names->what);
    if (names->count == 0)
        snprintf(text + length, size - length, "use a number below %u", (unsigned)names->limit);
    for (size_t i = 0; i < names->count && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, "%s%s", i ? ", " : "",
                                   names->items[i].name);
    return text;
}
