/* SPDX-License-Identifier: MIT */
/* nearest.h - finds the known name that is most similar to an unknown name. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

/* A search. */
struct nearest {
    const char *name; /* the unknown name */
    size_t length;
    const char *best; /* most similar name so far, or NULL if no name is similar enough */
    size_t best_length;
    /* Weight of the best name, which is 2 per mistake, or 1 if only the case differs. Before the
     * first match, the smallest weight that is not similar enough. */
    unsigned least;
};

/* Begins a search. A known name is similar enough to a name of one letter if they differ only in
 * case. For a name of two to four letters, one mistake is allowed. For a longer name, two mistakes
 * are allowed. A mistake is a missing, superfluous or replaced letter, or a swap of two adjacent
 * letters. */
struct nearest nearest_begin(const char *name, size_t length);

/* Compares a known name with the unknown name. The known name must stay valid until the search
 * ends. Keeps the first of several equally similar names. */
void nearest_consider(struct nearest *search, const char *name, size_t length);

/* Returns the number of mistakes between two names, regardless of case. Returns a large number for
 * names of more than 40 letters. */
unsigned nearest_distance(const char *one, size_t one_length, const char *other,
                          size_t other_length);

#endif
