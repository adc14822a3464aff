/* SPDX-License-Identifier: MIT */
/* sort_runs.c - tests of the sort of arrays with few sorted runs: every order of few items, and
 * arrays of random runs. A correct result is in order, and equal keys keep the order of their
 * numbers. */
#include "base/sort_runs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "../register.h"

struct item {
    uint32_t key, number;
};

static int compare(const void *one, const void *other)
{
    uint32_t a = ((const struct item *)one)->key, b = ((const struct item *)other)->key;
    return a < b ? -1 : a > b;
}

/* Sorts the items and expects each of the numbers 0 to count - 1 once. */
static void check(struct item *items, uint32_t count)
{
    bool *seen = calloc(count + 1, sizeof *seen);
    assert_non_null(seen);
    for (uint32_t i = 0; i < count; i++)
        items[i].number = i;
    sort_runs(items, count, sizeof *items, compare);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(items[i].number < count && !seen[items[i].number]);
        seen[items[i].number] = true;
        if (i > 0)
            assert_true(items[i - 1].key < items[i].key || (items[i - 1].key == items[i].key &&
                                                            items[i - 1].number < items[i].number));
    }
    free(seen);
}

TEST(every_order_of_few_items)
{
    enum { ITEMS = 6, KEYS = 4 };
    for (uint32_t orders = 1, count = 0; count <= ITEMS; orders *= KEYS, count++)
        for (uint32_t order = 0; order < orders; order++) {
            struct item items[ITEMS + 1];
            for (uint32_t i = 0, rest = order; i < count; i++, rest /= KEYS)
                items[i].key = rest % KEYS;
            check(items, count);
        }
    (void)fixture;
}

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

TEST(random_runs)
{
    enum { ARRAYS = 400, ITEMS = 500 };
    static struct item items[ITEMS];
    uint32_t seed = 1;
    for (uint32_t array = 0; array < ARRAYS; array++) {
        const uint32_t count = next(&seed) % ITEMS, run = 1 + next(&seed) % 200;
        for (uint32_t i = 0, key = 0; i < count; i++) {
            key = next(&seed) % run == 0 ? next(&seed) % 1000 : key + next(&seed) % 3;
            items[i].key = key;
        }
        check(items, count);
    }
    (void)fixture;
}
