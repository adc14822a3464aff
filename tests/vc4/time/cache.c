/* SPDX-License-Identifier: MIT */
/* Tests of the cache model. The lines that a cache contains are counted by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../random.h"
#include "../../register.h"
#include "vc4/time/cache.h"

TEST(a_line_is_fetched_once)
{
    struct cache cache;
    cache_init(&cache, 4096, 4, 64);
    assert_false(cache_touch(&cache, 0));
    assert_true(cache_touch(&cache, 63));
    assert_false(cache_touch(&cache, 64));
    assert_true(cache_touch(&cache, 0));
    cache_clear(&cache);
    assert_false(cache_touch(&cache, 0));
}

/* A cache of 4 KB with one way: lines at addresses 4 KB apart replace each other. */
TEST(one_way_holds_one_of_two)
{
    struct cache cache;
    cache_init(&cache, 4096, 1, 64);
    for (unsigned i = 0; i < 3; i++) {
        assert_false(cache_touch(&cache, 0x100));
        assert_false(cache_touch(&cache, 0x1100));
    }
    assert_true(cache_touch(&cache, 0x1100));
}

/* A cache of 4 KB with four ways: lines 1 KB apart share a set. The least recently used line is
 * evicted. */
TEST(the_least_recently_used_line_goes)
{
    struct cache cache;
    cache_init(&cache, 4096, 4, 64);
    for (uint32_t i = 0; i < 4; i++)
        assert_false(cache_touch(&cache, i * 1024));
    assert_true(cache_touch(&cache, 0)); /* lines from latest to earliest use: 0, 3, 2, 1 */
    assert_false(cache_touch(&cache, 4 * 1024));
    assert_true(cache_touch(&cache, 0));
    assert_true(cache_touch(&cache, 2 * 1024));
    assert_true(cache_touch(&cache, 3 * 1024));
    assert_false(cache_touch(&cache, 1 * 1024));
}

/* A working set as large as the cache fits into the cache, in any order of accesses. */
TEST(all_of_it_is_used)
{
    struct cache cache;
    uint32_t seed = 1;
    cache_init(&cache, 32768, 4, 64);
    for (uint32_t at = 0; at < 32768; at += 64)
        assert_false(cache_touch(&cache, 0x3fff8000 + at));
    for (unsigned i = 0; i < 10000; i++)
        assert_true(cache_touch(&cache, 0x3fff8000 + next_random(&seed) % 32768));
}

/* Merges three copies of a cache with four ways, whose set contains the lines 0 to 3 (addresses
 * are 1 KB apart). The first copy fetches 4 and then 5, the second stays unchanged, and the
 * third fetches 6. The merged set contains the new lines of the copies alternately, the latest
 * first. Address 64 is in another set, which stays unchanged. */
TEST(copies_are_merged)
{
    struct cache cache, copy[3];
    const struct cache *const copies[] = {&copy[0], &copy[1], &copy[2]};
    cache_init(&cache, 4096, 4, 64);
    for (uint32_t i = 0; i < 4; i++)
        cache_touch(&cache, i * 1024);
    cache_touch(&cache, 64);
    for (unsigned i = 0; i < 3; i++)
        copy[i] = cache;
    cache_touch(&copy[0], 4 * 1024);
    cache_touch(&copy[0], 5 * 1024); /* the set now has 5, 4, 3, 2 */
    cache_touch(&copy[2], 6 * 1024); /* the set now has 6, 3, 2, 1 */
    cache_merge(&cache, copies, 3);
    static const uint32_t expected[] = {5, 6, 4, 3};
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(cache.tag[i], expected[i] * 1024 / 64 + 1);
    assert_true(cache_touch(&cache, 64));
}

/* If a single copy has changed a set, the merged cache has that copy's set. If no copy has
 * changed the set, the set stays as before. */
TEST(one_copy_that_changed)
{
    struct cache cache, copy[2];
    const struct cache *const copies[] = {&copy[0], &copy[1]};
    cache_init(&cache, 4096, 4, 64);
    cache_touch(&cache, 0);
    copy[0] = copy[1] = cache;
    cache_merge(&cache, copies, 2);
    assert_memory_equal(&cache, &copy[0], sizeof cache);
    for (uint32_t at = 0; at < 8192; at += 64)
        cache_touch(&copy[1], at);
    cache_merge(&cache, copies, 2);
    assert_memory_equal(&cache, &copy[1], sizeof cache);
}
