/* SPDX-License-Identifier: MIT */
/* sort_runs.h - sorts arrays that consist of few sorted runs, such as addresses in the order of a
 * source file. */
#ifndef BASE_SORT_RUNS_H
#define BASE_SORT_RUNS_H

#include <stddef.h>

/* Sorts count items of size bytes like qsort(). Equal items keep their order. The time grows with
 * count and with the logarithm of the number of runs. Without memory for a copy of the items, the
 * function calls qsort(). */
void sort_runs(void *items, size_t count, size_t size,
               int (*compare)(const void *one, const void *other));

#endif
