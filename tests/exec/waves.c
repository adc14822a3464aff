/* SPDX-License-Identifier: MIT */
/* Tests of the distribution of items to host threads. The expected sums are calculated by hand:
 * item i adds i + 1. */
#include "../register.h"

#include <fenv.h>
#include <string.h>

#include "exec/lane_mask.h"
#include "exec/pool.h"
#include "exec/waves.h"

enum { VECTOR = 48 }; /* does not divide WAVES_CHUNK */

/* A machine that sums its items. */
struct sums {
    uint64_t worker[POOL_THREADS_MAX];
    uint64_t sum, last; /* of the run; last: number of the last item that was combined, plus 1 */
    uint64_t reached[POOL_THREADS_MAX];
    uint64_t stop_at; /* item that ends the run, or UINT64_MAX */
    enum waves_end how;
    unsigned ready, can_be_ready, taken;
    bool order_is_right;
};

struct chunk {
    uint64_t sum, reached;
};

static bool ready(void *user, unsigned worker)
{
    struct sums *s = user;
    assert_int_equal(worker, s->ready);
    return s->ready < s->can_be_ready && ++s->ready;
}

static void begin(void *user, unsigned worker)
{
    struct sums *s = user;
    s->worker[worker] = s->reached[worker] = 0;
}

static enum waves_end run(void *user, unsigned worker, size_t first, unsigned count)
{
    struct sums *s = user;
    for (unsigned i = 0; i < count; i++)
        s->worker[worker] += first + i + 1;
    s->reached[worker] = first + count;
    return s->stop_at >= first && s->stop_at < first + count ? s->how : WAVES_DONE;
}

static void take(void *user, unsigned worker, void *result)
{
    const struct sums *s = user;
    *(struct chunk *)result = (struct chunk){s->worker[worker], s->reached[worker]};
}

static void combine(void *user, void *result)
{
    struct sums *s = user;
    const struct chunk *chunk = result;
    s->order_is_right &= chunk->reached > s->last;
    s->last = chunk->reached;
    s->sum += chunk->sum;
    s->taken++;
}

static void drop(void *result)
{
    memset(result, 0, sizeof(struct chunk));
}

static enum waves_end run_sums(struct sums *s, unsigned threads, size_t count)
{
    const struct waves waves = {.user = s,
                                .threads = threads,
                                .count = count,
                                .lanes = VECTOR,
                                .result = sizeof(struct chunk),
                                .ready = ready,
                                .begin = begin,
                                .run = run,
                                .take = take,
                                .combine = combine,
                                .drop = drop};
    s->order_is_right = true;
    return waves_run(&waves);
}

TEST(results_do_not_depend_on_threads)
{
    const size_t counts[] = {
        0, 1, VECTOR, WAVES_CHUNK, WAVES_CHUNK + 1, 100000, (size_t)WAVES_CHUNK * WAVES_CHUNKS + 5};
    for (unsigned threads = 1; threads <= 5; threads++)
        for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            struct sums s = {.stop_at = UINT64_MAX, .can_be_ready = threads};
            assert_int_equal(run_sums(&s, threads, counts[i]), WAVES_DONE);
            assert_int_equal(s.sum, (uint64_t)counts[i] * (counts[i] + 1) / 2);
            assert_int_equal(s.last, counts[i]);
            assert_true(s.order_is_right);
        }
}

/* The vector that contains item 5000 ends the run: chunk 4 begins at item 4096, and its vector 18
 * ends at item 4096 + 19 * 48 = 5008. Later chunks are not combined. */
TEST(a_run_ends_at_the_first_stop)
{
    const enum waves_end ends[] = {WAVES_RUNAWAY, WAVES_FAILED};
    for (unsigned threads = 1; threads <= 4; threads++)
        for (unsigned i = 0; i < 2; i++) {
            struct sums s = {.stop_at = 5000, .how = ends[i], .can_be_ready = threads};
            assert_int_equal(run_sums(&s, threads, 100000), ends[i]);
            assert_int_equal(s.last, 5008);
            assert_int_equal(s.sum, 5008 * 5009 / 2);
            assert_int_equal(s.taken, 5);
        }
}

/* Workers that are ready do everything. */
TEST(workers_may_be_missing)
{
    struct sums none = {.stop_at = UINT64_MAX}, one = {.stop_at = UINT64_MAX, .can_be_ready = 1};
    assert_int_equal(run_sums(&none, 4, 10000), WAVES_FAILED);
    assert_int_equal(none.sum, 0);
    assert_int_equal(run_sums(&one, 4, 10000), WAVES_DONE);
    assert_int_equal(one.sum, 10000 * 10001 / 2);
}

/* The caller's rounding mode is in effect again after a run. */
TEST(rounding_mode_is_restored)
{
    struct sums s = {.stop_at = UINT64_MAX, .can_be_ready = 1};
    fesetround(FE_UPWARD);
    run_sums(&s, 1, 10);
    assert_int_equal(fegetround(), FE_UPWARD);
    fesetround(FE_TONEAREST);
}

TEST(masks)
{
    uint64_t seen = 0, mask = UINT64_C(0x8000000100000009);
    assert_int_equal(first_lane(mask), 0);
    assert_int_equal(first_lane(mask - 1), 3);
    assert_int_equal(count_lanes(mask), 4);
    assert_int_equal(count_lanes(0), 0);
    assert_int_equal(count_lanes(UINT64_MAX), 64);
    FOR_LANES(lane, mask)
    {
        assert_true(lane < 64);
        seen |= UINT64_C(1) << lane;
    }
    assert_true(seen == mask);
}
