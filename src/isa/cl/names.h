/* SPDX-License-Identifier: MIT */
/* names.h - matches names in a source with records and fields.
 *
 * A record or field has an identifier, aliases, and the words printed in the manual. The words
 * become a name in lower case, with "_" for each run of characters that are not letters or digits.
 * "Width (in tiles)" becomes width_in_tiles, or width without the parentheses. A source may shorten
 * names: width_in, or til_alloc_addr for tile_allocation_memory_address. */
#ifndef ISA_CL_NAMES_H
#define ISA_CL_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Ranks of a match, the best last. */
enum name_rank {
    NAME_NO,
    NAME_SOME_WORDS, /* each word of the name begins a word of the identifier or of the manual's
                      * words, in order */
    NAME_BEGINNING,
    NAME_WORDS, /* the words without text in parentheses */
    NAME_ALL_WORDS,
    NAME_IDENTIFIER, /* the identifier or an alias */
};

struct name_search {
    char name[104];
    enum name_rank rank; /* rank of the best match so far */
    size_t found, other; /* other: index of another match of the same rank, if ambiguous */
    bool ambiguous;
    const char *hint; /* hint of the most similar identifier, or NULL */
    unsigned distance;
};

/* Starts the search for a name. */
struct name_search name_search(const char *name, size_t length);

/* Compares the name with candidate number index. aliases, separated by blanks, may be NULL. If
 * words is NULL, only the identifier and the aliases are compared, which is faster. */
void name_consider(struct name_search *search, size_t index, const char *identifier,
                   const char *aliases, const char *words);

/* Keeps hint, a static string, if identifier is the most similar so far. */
void name_near(struct name_search *search, const char *identifier, const char *hint);

#endif
