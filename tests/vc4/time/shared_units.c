/* SPDX-License-Identifier: MIT */
/* Tests of the units that QPUs share. Expected times are worked out by hand from
 * src/vc4/time/timing.h. The bits of V3D_SLCACTL are those of manual table 72. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../../register.h"
#include "vc4/time/shared_units.h"

static struct shared_units *new_slices(void)
{
    struct shared_units *slices = calloc(1, sizeof *slices);
    shared_units_clear(slices);
    return slices;
}

/* Each slice's SFU accepts one request every four clocks, at the times when QPUs start
 * instructions. */
TEST(the_sfu_takes_requests_in_turn)
{
    struct shared_units *slices = new_slices();
    assert_int_equal(shared_units_sfu(slices, 0, 40), 40);
    assert_int_equal(shared_units_sfu(slices, 1, 40), 44);
    assert_int_equal(shared_units_sfu(slices, 4, 40), 40); /* the SFU of another slice */
    assert_int_equal(shared_units_sfu(slices, 2, 44), 48);
    assert_int_equal(shared_units_sfu(slices, 3, 36), 36); /* a later call may have an earlier
                                                              time */
    assert_int_equal(shared_units_sfu(slices, 3, 0), 0);
    assert_int_equal(shared_units_sfu(slices, 3, 40 + 4 * SFU_SLOTS), 40 + 4 * SFU_SLOTS);
    free(slices);
}

/* Two programs run in parallel on a chip of two QPUs. A third program starts after the first. */
TEST(phases_follow_each_other)
{
    struct shared_units *slices = new_slices();
    struct pctr_counts counts = {.clocks = 0};
    for (uint64_t before = 0; before <= 100; before += 100) {
        assert_int_equal(shared_units_start(slices, 0, 0), before);
        shared_units_end(slices, 0, before, before + 40);
        assert_int_equal(shared_units_start(slices, 1, before + 9),
                         before + 12); /* starts are at multiples of four */
        shared_units_end(slices, 1, before + 12, before + 100);
        assert_int_equal(shared_units_start(slices, 0, before), before + 40);
        shared_units_end(slices, 0, before + 40, before + 60);
        shared_units_close(slices, 2, &counts);
        shared_units_close(slices, 2, &counts); /* nothing was counted since the last call */
        assert_int_equal(counts.clocks, before + 100);
        assert_int_equal(counts.of[PCTR_QPU_IDLE], (before / 100 + 1) * (2 * 100 - 60 - 88));
    }
    shared_units_end(slices, 0, shared_units_start(slices, 0, 0), 1000);
    shared_units_close(slices, 0, NULL); /* NULL drops the counts */
    shared_units_close(slices, 2, &counts);
    assert_int_equal(counts.clocks, 200);
    shared_units_end(slices, 0, 1000, 1040);
    shared_units_end(slices, 0, 1000,
                     1040); /* two programs overlap on one QPU: its idle time is 0, not negative */
    shared_units_close(slices, 1, &counts);
    assert_int_equal(counts.clocks, 240);
    assert_int_equal(counts.of[PCTR_QPU_IDLE], 2 * (2 * 100 - 60 - 88));
    assert_int_equal(shared_units_quads(slices, 4), 1044);
    shared_units_hold_quads(slices, 1050);
    shared_units_hold_quads(slices, 1046);
    assert_int_equal(shared_units_quads(slices, 3), 1053);
    free(slices);
}

TEST(fetches_go_by_way_of_the_level_2_cache)
{
    struct shared_units *slices = new_slices();
    struct pctr_counts counts = {.clocks = 0};
    assert_false(shared_units_fetch(slices, 0, 0x1000, &counts));
    assert_true(shared_units_fetch(slices, 0, 0x103f, &counts));
    shared_units_clear_l2(slices);
    assert_false(shared_units_fetch(slices, 0, 0x1000, &counts));
    slices->l2_disabled = true;
    assert_false(shared_units_fetch(slices, 0, 0x1000, &counts));
    assert_int_equal(counts.of[PCTR_L2C_HITS], 1);
    assert_int_equal(counts.of[PCTR_L2C_MISSES], 2);
    struct tmu tmu = {.l2 = NULL};
    shared_units_wire(slices, 9, &tmu);
    assert_null(tmu.l2);
    assert_ptr_equal(tmu.cache[1], &slices->slice[2].tmu[1]);
    free(slices);
}

/* QPUs 1 and 6 are in different slices. QPUs 1 and 2 are in the same slice. */
TEST(slices_apart_do_not_see_each_other)
{
    struct shared_units *slices = new_slices();
    assert_false(shared_units_fetch(slices, 1, 0x1000, NULL));
    shared_units_part(slices);
    assert_true(shared_units_fetch(slices, 6, 0x1000, NULL)); /* the line was fetched before */
    assert_false(shared_units_fetch(slices, 1, 0x2000, NULL));
    assert_true(shared_units_fetch(slices, 2, 0x2000, NULL));
    assert_false(shared_units_fetch(slices, 6, 0x2000, NULL));
    assert_false(shared_units_fetch(slices, 6, 0x3000, NULL));
    struct tmu tmu = {.l2 = NULL};
    shared_units_wire(slices, 6, &tmu);
    assert_ptr_equal(tmu.l2, &slices->slice[1].l2);
    shared_units_join(slices);
    assert_true(shared_units_fetch(slices, 6, 0x2000, NULL));
    assert_true(shared_units_fetch(slices, 1, 0x3000, NULL));
    shared_units_wire(slices, 6, &tmu);
    assert_ptr_equal(tmu.l2, &slices->l2);
    free(slices);
}

/* V3D_SLCACTL has a bit per slice for each cache: instructions 3:0, uniforms 11:8, TMU0 19:16,
 * TMU1 27:24. */
TEST(each_cache_has_its_clear_bit)
{
    for (unsigned bit = 0; bit < 32; bit++) {
        struct shared_units *slices = new_slices();
        struct cache *cache[4][4];
        for (unsigned i = 0; i < 4; i++) {
            struct slice *slice = &slices->slice[i];
            cache[0][i] = &slice->instructions;
            cache[1][i] = &slice->uniforms;
            cache[2][i] = &slice->tmu[0];
            cache[3][i] = &slice->tmu[1];
        }
        for (unsigned i = 0; i < 16; i++)
            cache_touch(cache[i / 4][i % 4], 0x40);
        shared_units_clear_some(slices, UINT32_C(1) << bit);
        for (unsigned i = 0; i < 16; i++)
            assert_int_equal(cache_touch(cache[i / 4][i % 4], 0x40), bit != i / 4 * 8 + i % 4);
        free(slices);
    }
}
