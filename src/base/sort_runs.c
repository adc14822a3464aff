/* SPDX-License-Identifier: MIT */
/* sort_runs.c - see sort_runs.h: a merge sort of the runs that the items already have. */
#include "base/sort_runs.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct sorter {
    size_t count, size;
    int (*compare)(const void *one, const void *other);
};

/* Returns the end of the run that begins at item `from`. */
static size_t run_end(const struct sorter *sorter, const char *items, size_t from)
{
    size_t end = from + 1;
    while (end < sorter->count &&
           sorter->compare(items + (end - 1) * sorter->size, items + end * sorter->size) <= 0)
        end++;
    return end < sorter->count ? end : sorter->count;
}

/* Merges the run from `first` to `second` with the run from `second` to `end`. */
static void merge(const struct sorter *sorter, const char *from, char *to, size_t first,
                  size_t second, size_t end)
{
    const size_t size = sorter->size;
    const char *one = from + first * size, *one_end = from + second * size, *other = one_end,
               *other_end = from + end * size;
    to += first * size;
    while (one < one_end && other < other_end) {
        const char **next = sorter->compare(one, other) <= 0 ? &one : &other;
        memcpy(to, *next, size);
        *next += size;
        to += size;
    }
    memcpy(to, one, (size_t)(one_end - one));
    memcpy(to + (one_end - one), other, (size_t)(other_end - other));
}

/* Merges each run with the next run. Returns false if there is only one run, and copies nothing. */
static bool merge_runs(const struct sorter *sorter, const char *from, char *to)
{
    size_t second = run_end(sorter, from, 0);
    if (second == sorter->count)
        return false;
    for (size_t first = 0; first < sorter->count;) {
        size_t end = second < sorter->count ? run_end(sorter, from, second) : second;
        merge(sorter, from, to, first, second, end);
        first = end;
        second = first < sorter->count ? run_end(sorter, from, first) : first;
    }
    return true;
}

void sort_runs(void *items, size_t count, size_t size,
               int (*compare)(const void *one, const void *other))
{
    const struct sorter sorter = {count, size, compare};
    if (count < 2)
        return;
    char *copy = malloc(count * size), *from = items, *to = copy;
    if (!copy) {
        qsort(items, count, size, compare);
        return;
    }
    while (merge_runs(&sorter, from, to)) {
        char *merged = to;
        to = from;
        from = merged;
    }
    if (from == copy)
        memcpy(items, copy, count * size);
    free(copy);
}
