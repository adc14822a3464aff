/* SPDX-License-Identifier: MIT */
/* Tests of the memory system that all programs share. Expected times are worked out by hand from
 * src/vc4/time/timing.h. A line is requested from the SDRAM 10 clocks after the cache miss. The
 * SDRAM takes 16 clocks if the line is in a closed row, and 5 if the row is open. The bus takes 8
 * clocks, and the path to the cache 10 more. The minimum is 44. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../random.h"
#include "../../register.h"
#include "vc4/qpu/deferred.h"
#include "vc4/qpu/qpu.h"
#include "vc4/time/contention.h"

/* Memory aliases, which bits 31:30 of an address select (see contention.c). */
#define ALLOCATING UINT32_C(0x40000000)
#define COHERENT   UINT32_C(0x80000000)
#define DIRECT     UINT32_C(0xc0000000)

/* --- timelines --- */

TEST(clocks_are_given_once)
{
    static struct timeline line;
    assert_int_equal(timeline_take(&line, 0, 10), 10);
    assert_int_equal(timeline_take(&line, 0, 10), 20);
    assert_int_equal(timeline_take(&line, 60, 10), 70); /* takes 4 clocks of this bucket and 6 of
                                                           the next */
    assert_int_equal(timeline_take(&line, 0, 40), 64);  /* takes the first bucket's remaining
                                                           clocks */
    assert_int_equal(timeline_take(&line, 0, 1), 71);
    assert_int_equal(timeline_take(&line, 200, 300), 500); /* takes whole buckets */
    assert_int_equal(timeline_take(&line, 300, 1), 501);
    assert_int_equal(timeline_take(&line, 64, 57 + 64 + 8), 256); /* takes the remaining clocks
                                                                     of earlier buckets */
}

TEST(old_times_are_forgotten)
{
    static struct timeline line;
    assert_int_equal(timeline_take(&line, 0, 64), 64);
    timeline_take(&line, (uint64_t)TIMELINE_CLOCKS * TIMELINE_BUCKETS, 1);
    assert_int_equal(timeline_take(&line, 5, 3), 8);
}

/* Random requests must receive the same times as from a linear search of all buckets. */
TEST(full_buckets_are_passed)
{
    static struct timeline line;
    static uint32_t taken[TIMELINE_BUCKETS];
    uint32_t random = 1;
    for (unsigned round = 0; round < 3000; round++) {
        uint64_t from = next_random(&random) % 20000;
        uint32_t clocks = 1 + next_random(&random) % 30, left = clocks, at = from % 64;
        uint64_t bucket = from / 64, end = 0;
        for (; left; bucket++, at = 0) {
            at = taken[bucket] > at ? taken[bucket] : at;
            uint32_t here = 64 - at < left ? 64 - at : left;
            taken[bucket] += here;
            left -= here;
            end = bucket * 64 + at + here;
        }
        assert_int_equal(timeline_take(&line, from, clocks), end);
    }
}

/* --- memory --- */

static struct contention *new_traffic(void)
{
    return calloc(1, sizeof(struct contention));
}

TEST(aliases_choose_the_way)
{
    struct contention *contention = new_traffic();
    assert_int_equal(contention_soonest(DIRECT, 7), 7 + 44);
    assert_int_equal(contention_soonest(ALLOCATING, 7), 7 + 36);
    assert_int_equal(contention_read(contention, DIRECT | 0x1000, 0), 44);
    assert_int_equal(contention_read(contention, DIRECT | 0x1000, 1000), 1044); /* never cached */
    assert_int_equal(contention_read(contention, COHERENT | 0x1000, 2000), 2044);
    assert_int_equal(contention_read(contention, COHERENT | 0x1000, 3000),
                     3044); /* not allocated */
    assert_int_equal(contention_read(contention, ALLOCATING | 0x1000, 4000), 4044);
    assert_int_equal(contention_read(contention, 0x1004, 5000), 5036);
    assert_int_equal(contention_read(contention, COHERENT | 0x103c, 6000), 6036);
    assert_int_equal(contention_read(contention, 0x1040, 7000), 7044);
    free(contention);
}

/* Lines 32 KiB apart share a set of four ways. A fifth line evicts the oldest. */
TEST(four_lines_of_a_set_stay)
{
    struct contention *contention = new_traffic();
    for (uint32_t i = 0; i < 4; i++)
        contention_read(contention, i << 15, i * 1000);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(contention_read(contention, i << 15, 10000 + i * 1000), 10036 + i * 1000);
    contention_read(contention, 4 << 15, 20000);
    assert_int_equal(contention_read(contention, 1 << 15, 30000), 30036);
    assert_int_equal(contention_read(contention, 0, 40000),
                     40044); /* the oldest line was evicted */
    free(contention);
}

/* Lines that are requested at the same time wait for each other: a later request waits 16 clocks
 * for another SDRAM row, and 5 for the same row. A bucket counts used clocks but not their
 * positions, so the first line's clocks count from the bucket's start. */
TEST(lines_wait_for_each_other)
{
    struct contention *contention = new_traffic();
    assert_int_equal(contention_read(contention, DIRECT | 0x10000, 0), 44);
    assert_int_equal(contention_read(contention, DIRECT | 0x20000, 0), 16 + 16 + 8 + 10);
    assert_int_equal(contention_read(contention, DIRECT | 0x20040, 0), 32 + 5 + 8 + 10);
    free(contention);
}

/* The evicted line is written back after the read, which keeps the SDRAM busy for 19 clocks. */
TEST(changed_lines_are_written_back)
{
    struct contention *contention = new_traffic();
    contention_begin(contention);
    assert_int_equal(contention_read(contention, 0x1000, 0), 44);
    assert_int_equal(contention_read(contention, DIRECT | 0x100000, 0), 16 + 19 + 16 + 8 + 10);
    free(contention);
}

TEST(writes)
{
    struct contention *contention = new_traffic();
    assert_int_equal(contention_write(contention, DIRECT | 0x10000, 64, 0), 19);
    assert_int_equal(contention_write(contention, DIRECT | 0x10040, 64, 0), 19 + 5);
    assert_int_equal(contention_write(contention, DIRECT | 0x10080, 4, 0), 19 + 5 + 1);
    assert_int_equal(contention_write(contention, DIRECT | 0x100a0, 64, 1024),
                     1024 + 3 + 3); /* touches two lines */
    assert_int_equal(contention_write(contention, 0x20000, 64, 2048),
                     2048); /* the cache accepts it */
    assert_int_equal(contention_read(contention, 0x20000, 3072), 3072 + 36);
    assert_int_equal(contention_read(contention, COHERENT | 0x10000, 4096), 4096 + 44);
    free(contention);
}

/* A changed line in the cache accepts further writes at once, and they do not change its state. */
TEST(a_written_line_is_held)
{
    struct contention *contention = new_traffic();
    assert_false(contention_holds(contention, 0x20000));
    contention_read(contention, 0x20000, 0);
    assert_false(contention_holds(contention, 0x20000)); /* the line is unchanged */
    contention_write(contention, 0x20000, 4, 100);
    assert_true(contention_holds(contention, 0x2003c));
    assert_true(contention_holds(contention, COHERENT | 0x20000));
    assert_false(contention_holds(contention, DIRECT | 0x20000));
    assert_false(contention_holds(contention, 0x20040));
    const struct contention before = *contention;
    assert_int_equal(contention_write(contention, 0x20004, 4, 200), 200);
    assert_memory_equal(contention, &before, sizeof before);
    contention_write(contention, 0x20000 + (TRAFFIC_SETS << 6), 4, 300);
    assert_false(contention_holds(contention, 0x20000)); /* the line is no longer the latest of
                                                            its set */
    free(contention);
}

TEST(tmus_of_a_slice)
{
    struct contention *contention = new_traffic();
    assert_int_equal(contention_tmu(contention, 0, 0, 0), 0);
    assert_int_equal(contention_tmu(contention, 3, 0, 0), 16);
    assert_int_equal(contention_tmu(contention, 3, 1, 0), 0);
    assert_int_equal(contention_tmu(contention, 4, 0, 0), 0); /* the TMU of another slice */
    free(contention);
}

/* --- deferred requests --- */

static void keep(struct deferred_requests *trips, const struct deferred_request *trip, bool leaves)
{
    struct deferred_request *kept = deferred_add(trips, (enum deferred_kind)trip->kind, leaves);
    if (kept)
        *kept = *trip;
}

/* Two programs fetch at the same time. The second fetch takes 16 + 16 + 8 + 10 clocks, 6 more
 * than the minimum. The program's next lookup starts 6 clocks later, and is then on time. */
TEST(who_is_late_is_put_back_once)
{
    static struct qpu qpu[2];
    static struct deferred_requests trips[2];
    struct deferred_requests *all[2] = {&trips[0], &trips[1]};
    struct contention *contention = new_traffic();
    struct qpu_tmu_times *tmu = &qpu[1].times.tmu[0];
    for (unsigned i = 0; i < 2; i++) {
        deferred_begin(&trips[i], &qpu[i], NULL, NULL);
        keep(&trips[i],
             &(struct deferred_request){.kind = DEFERRED_FETCH,
                                        .ready = 44,
                                        .address = DIRECT | i << 16,
                                        .cause = QPU_STALL_UNIFORM},
             true);
    }
    keep(&trips[1],
         &(struct deferred_request){
             .kind = DEFERRED_REQUEST, .time = 128, .ready = 128 + 36, .words = 1},
         true);
    keep(&trips[1],
         &(struct deferred_request){
             .kind = DEFERRED_LINE, .time = 128, .address = DIRECT | 0x40000, .words = 1},
         true);
    keep(
        &trips[1],
        &(struct deferred_request){.kind = DEFERRED_TAKE, .time = 128 + 80, .cause = QPU_STALL_TMU},
        false);
    keep(&trips[1],
         &(struct deferred_request){
             .kind = DEFERRED_REQUEST, .time = 256, .ready = 256 + 36, .words = 1},
         false);
    deferred_settle(all, 2, contention);
    assert_int_equal(qpu[0].times.stalled, 0);
    assert_int_equal(qpu[1].times.stalled, 6);
    assert_int_equal(qpu[1].times.stall[QPU_STALL_UNIFORM], 6);
    assert_int_equal(qpu[1].times.stall[QPU_STALL_TMU], 0);
    assert_int_equal(tmu->count, 1); /* the second result has not been read yet */
    assert_int_equal(tmu->ready[tmu->first], 256 + 36 + 6);
    deferred_free(&trips[0]);
    deferred_free(&trips[1]);
    free(contention);
}

/* A program without memory requests is never late. */
TEST(who_stays_is_in_time)
{
    static struct qpu qpu;
    static struct deferred_requests trips;
    struct deferred_requests *all[1] = {&trips};
    struct contention *contention = new_traffic();
    deferred_begin(&trips, &qpu, NULL, NULL);
    keep(&trips, &(struct deferred_request){.kind = DEFERRED_REQUEST, .ready = 36, .words = 1},
         false);
    keep(&trips, &(struct deferred_request){.kind = DEFERRED_TAKE, .time = 4}, false);
    assert_int_equal(trips.count, 0);
    deferred_settle(all, 1, contention);
    assert_int_equal(qpu.times.stalled, 0);
    deferred_free(&trips);
    free(contention);
}
