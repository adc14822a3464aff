/* SPDX-License-Identifier: MIT */
/* nearest.h - which of many known names comes nearest to one that means nothing. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

/* A search, and the best name so far: NULL if none is near enough. */
struct nearest {
    const char *name;
    size_t length;
    const char *best;
    size_t best_length;
    unsigned
        least; /* twice the mistakes of the best name, plus 1 for case; at first, what is too far */
};

/* Begins a search. Names of one letter must be the same but for case, names of two to four letters
 * may differ by one mistake, longer ones by two: a letter too many, too few, another one, or two
 * that changed places. */
struct nearest nearest_begin(const char *name, size_t length);

/* Looks at a known name, which must live as long as the search. Of equally near ones the first is
 * best. */
void nearest_consider(struct nearest *search, const char *name, size_t length);

#endif
