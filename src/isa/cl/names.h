/* SPDX-License-Identifier: MIT */
/* names.h - how a source names a record or a field.
 *
 * A thing has an identifier, other names, and the words that the manual prints. Written as a name, words are in
 * lower case, with "_" for everything that is neither letter nor digit: "Width (in tiles)" is width_in_tiles, or
 * just width. A source may shorten names: width_in, or til_alloc_addr for tile_allocation_memory_address. */
#ifndef ISA_CL_NAMES_H
#define ISA_CL_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* How well a name fits; the best one wins. */
enum name_rank {
    NAME_NO,
    NAME_SOME_WORDS, /* beginnings of some of the words, in order */
    NAME_BEGINNING,
    NAME_WORDS, /* the words without what is in parentheses */
    NAME_ALL_WORDS,
    NAME_IDENTIFIER, /* or another name */
};

struct name_search {
    char name[104];
    enum name_rank rank; /* of the best so far */
    size_t found, other; /* other: fits equally well, if ambiguous */
    bool ambiguous;
    const char *hint; /* of what comes nearest, or NULL */
    unsigned distance;
};

/* Starts to look for a name. */
struct name_search name_search(const char *name, size_t length);

/* Compares it with thing number index. aliases, separated by blanks, may be NULL. Without words, only the
 * identifier and the aliases count, which is quick. */
void name_consider(struct name_search *search, size_t index, const char *identifier,
                   const char *aliases, const char *words);

/* Takes hint, a static text, if identifier is what comes nearest so far. */
void name_near(struct name_search *search, const char *identifier, const char *hint);

#endif
