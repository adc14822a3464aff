/* SPDX-License-Identifier: MIT */
/* names.c - see names.h. */
#include "isa/cl/names.h"

#include <string.h>

#include "base/ascii.h"
#include "base/order.h"

enum { NAME_SIZE = sizeof((struct name_search *)0)->name, NEAR = 4 };

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* Returns true at the 'u' of "colour", which is dropped so that both spellings match. */
static bool is_british(const char *out, size_t size, const char *rest, size_t length)
{
    return size >= 4 && memcmp(out + size - 4, "colo", 4) == 0 && length >= 2 &&
           ascii_lower(rest[0]) == 'u' && ascii_lower(rest[1]) == 'r';
}

/* Converts text to a name, as names.h describes. Writes an empty string if the name is too long.
 * Drops text in parentheses unless parentheses is set. */
static void normalise(const char *text, size_t length, bool parentheses, char out[NAME_SIZE])
{
    size_t size = 0;
    bool gap = false;
    for (size_t i = 0; i < length; i++) {
        char c = ascii_lower(text[i]);
        if (c == '(' && !parentheses)
            while (i < length && text[i] != ')')
                i++;
        if (c == 'u' && !gap && is_british(out, size, text + i, length - i))
            continue;
        if (!is_word(c)) {
            gap = true;
            continue;
        }
        if (size + 3 > NAME_SIZE) {
            size = 0;
            break;
        }
        if (gap && size > 0)
            out[size++] = '_';
        gap = false;
        out[size++] = c;
    }
    out[size] = '\0';
}

static bool begins(const char *name, const char *full)
{
    return strncmp(name, full, strlen(name)) == 0;
}

/* Returns true if each word of name begins a word of full, in the same order. */
static bool has_words(const char *name, const char *full)
{
    while (*name) {
        size_t length = strcspn(name, "_");
        while (*full && strncmp(name, full, length) != 0) {
            full += strcspn(full, "_");
            full += *full == '_';
        }
        if (!*full)
            return false;
        full += strcspn(full, "_");
        full += *full == '_';
        name += length;
        name += *name == '_';
    }
    return true;
}

static bool is_alias(const char *name, const char *aliases)
{
    size_t length = strlen(name);
    while (aliases && *aliases) {
        size_t word = strcspn(aliases, " ");
        if (word == length && memcmp(name, aliases, length) == 0)
            return true;
        aliases += word;
        aliases += *aliases == ' ';
    }
    return false;
}

static enum name_rank rank_of(const char *name, const char *identifier, const char *aliases,
                              const char *words)
{
    char all[NAME_SIZE], some[NAME_SIZE];
    if (!*name)
        return NAME_NO;
    if (strcmp(name, identifier) == 0 || is_alias(name, aliases))
        return NAME_IDENTIFIER;
    if (!words)
        return NAME_NO;
    normalise(words, strlen(words), true, all);
    normalise(words, strlen(words), false, some);
    if (strcmp(name, all) == 0)
        return NAME_ALL_WORDS;
    if (strcmp(name, some) == 0)
        return NAME_WORDS;
    if (begins(name, identifier) || begins(name, all))
        return NAME_BEGINNING;
    return has_words(name, identifier) || has_words(name, all) ? NAME_SOME_WORDS : NAME_NO;
}

/* Returns the Levenshtein distance of two names. */
static unsigned distance(const char *one, const char *other)
{
    unsigned row[NAME_SIZE + 1];
    size_t length = strlen(other);
    if (length > NAME_SIZE)
        return NAME_SIZE;
    for (unsigned k = 0; k <= length; k++)
        row[k] = k;
    for (unsigned i = 0; one[i]; i++) {
        unsigned diagonal = row[0];
        row[0] = i + 1;
        for (size_t k = 0; k < length; k++) {
            unsigned changed = diagonal + (one[i] != other[k]);
            diagonal = row[k + 1];
            row[k + 1] = least_u32(changed, least_u32(row[k], diagonal) + 1);
        }
    }
    return row[length];
}

struct name_search name_search(const char *name, size_t length)
{
    struct name_search search = {.distance = NEAR};
    normalise(name, length, true, search.name);
    return search;
}

void name_consider(struct name_search *search, size_t index, const char *identifier,
                   const char *aliases, const char *words)
{
    enum name_rank rank = rank_of(search->name, identifier, aliases, words);
    if (rank > search->rank) {
        search->rank = rank;
        search->found = index;
        search->ambiguous = false;
    } else if (rank == search->rank && rank != NAME_NO) {
        search->other = index;
        search->ambiguous = true;
    }
}

void name_near(struct name_search *search, const char *identifier, const char *hint)
{
    unsigned far = distance(search->name, identifier);
    if (far < search->distance) {
        search->distance = far;
        search->hint = hint;
    }
}
