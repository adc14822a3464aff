/* SPDX-License-Identifier: MIT */
/* nearest.c - see nearest.h. The distance of two names is the optimal string alignment distance,
 * which is Levenshtein's distance with transpositions of adjacent letters. */
#include "base/nearest.h"

#include <stdbool.h>
#include <string.h>

#include "base/ascii.h"
#include "base/order.h"

enum {
    LENGTH_MAX = 40,
    FAR = 1000,
    MISTAKE = 2 /* weight of a mistake; a difference in case has weight 1 */
};

static bool same(char one, char other)
{
    return ascii_lower(one) == ascii_lower(other);
}

unsigned nearest_distance(const char *one, size_t one_length, const char *other,
                          size_t other_length)
{
    unsigned rows[3][LENGTH_MAX + 1], *before = rows[0], *last = rows[1], *row = rows[2];
    if (one_length > LENGTH_MAX || other_length > LENGTH_MAX)
        return FAR;
    for (unsigned k = 0; k <= other_length; k++)
        last[k] = k;
    for (unsigned i = 1; i <= one_length; i++) {
        row[0] = i;
        for (size_t k = 1; k <= other_length; k++) {
            unsigned changed = last[k - 1] + !same(one[i - 1], other[k - 1]);
            row[k] = least_u32(changed, least_u32(row[k - 1], last[k]) + 1);
            if (i > 1 && k > 1 && same(one[i - 1], other[k - 2]) && same(one[i - 2], other[k - 1]))
                row[k] = least_u32(row[k], before[k - 2] + 1);
        }
        unsigned *oldest = before;
        before = last;
        last = row;
        row = oldest;
    }
    return last[other_length];
}

struct nearest nearest_begin(const char *name, size_t length)
{
    unsigned allowed = length < 2 ? 0 : length < 5 ? 1 : 2;
    return (struct nearest){.name = name, .length = length, .least = (allowed + 1) * MISTAKE};
}

void nearest_consider(struct nearest *search, const char *name, size_t length)
{
    unsigned mistakes = nearest_distance(search->name, search->length, name, length);
    bool cased = length == search->length && mistakes == 0 &&
                 memcmp(search->name, name, length) != 0;
    unsigned weight = mistakes * MISTAKE + cased;
    bool identical = mistakes == 0 && !cased && length == search->length;
    /* An identical name is not a suggestion. A name that differs in every letter is not similar. */
    if (identical || weight >= search->least || (mistakes > 0 && mistakes >= length))
        return;
    search->best = name;
    search->best_length = length;
    search->least = weight;
}
