/* SPDX-License-Identifier: MIT */
/* nearest.h - finds the known name that is most similar to an unknown one. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

/* A search and its best name so far, NULL if no name is similar enough. */
struct nearest {
    const char *name;
    size_t length;
    const char *best;
    size_t best_length;
    /* Weight of the best name: 2 per mistake, or 1 if only the case differs. Before the first
     * match, the smallest weight that is too far. */
    unsigned least;
};

/* Begins a search. A name of one letter may differ only in case, a name of two to four letters by
 * one mistake, a longer name by two. A mistake is a letter that is missing, superfluous or
 * replaced, or two adjacent letters that are swapped. */
struct nearest nearest_begin(const char *name, size_t length);

/* Compares a known name, which must stay valid until the search ends. Among equally similar names
 * the first one is kept. */
void nearest_consider(struct nearest *search, const char *name, size_t length);

#endif
