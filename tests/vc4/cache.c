/* SPDX-License-Identifier: MIT */
/* Which lines a cache holds, counted by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../random.h"
#include "vc4/cache.h"

static void a_line_is_fetched_once(void **state)
{
    (void)state;
    struct cache cache;
    cache_init(&cache, 4096, 4, 64);
    assert_false(cache_touch(&cache, 0));
    assert_true(cache_touch(&cache, 63));
    assert_false(cache_touch(&cache, 64));
    assert_true(cache_touch(&cache, 0));
    cache_clear(&cache);
    assert_false(cache_touch(&cache, 0));
}

/* 4 KB with one way: addresses 4 KB apart share a place. */
static void one_way_holds_one_of_two(void **state)
{
    (void)state;
    struct cache cache;
    cache_init(&cache, 4096, 1, 64);
    for (unsigned i = 0; i < 3; i++) {
        assert_false(cache_touch(&cache, 0x100));
        assert_false(cache_touch(&cache, 0x1100));
    }
    assert_true(cache_touch(&cache, 0x1100));
}

/* 4 KB with four ways: lines 1 KB apart share a set. The one not used for longest goes. */
static void the_least_recently_used_line_goes(void **state)
{
    (void)state;
    struct cache cache;
    cache_init(&cache, 4096, 4, 64);
    for (uint32_t i = 0; i < 4; i++)
        assert_false(cache_touch(&cache, i * 1024));
    assert_true(cache_touch(&cache, 0)); /* order of use now 0, 3, 2, 1 */
    assert_false(cache_touch(&cache, 4 * 1024));
    assert_true(cache_touch(&cache, 0));
    assert_true(cache_touch(&cache, 2 * 1024));
    assert_true(cache_touch(&cache, 3 * 1024));
    assert_false(cache_touch(&cache, 1 * 1024));
}

/* A working set as large as the cache stays, in any order. */
static void all_of_it_is_used(void **state)
{
    (void)state;
    struct cache cache;
    uint32_t seed = 1;
    cache_init(&cache, 32768, 4, 64);
    for (uint32_t at = 0; at < 32768; at += 64)
        assert_false(cache_touch(&cache, 0x3fff8000 + at));
    for (unsigned i = 0; i < 10000; i++)
        assert_true(cache_touch(&cache, 0x3fff8000 + next_random(&seed) % 32768));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_fetched_once),
        cmocka_unit_test(one_way_holds_one_of_two),
        cmocka_unit_test(the_least_recently_used_line_goes),
        cmocka_unit_test(all_of_it_is_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
