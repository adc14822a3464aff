/* SPDX-License-Identifier: MIT */
/* Tests of the profile, a table of the cost of each program: sums, order, and limits. Expected
 * values are worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../../register.h"
#include "vc4/qpu/profile.h"

static void add(struct profile *profile, enum tess_vc4_shader_kind kind, uint32_t start,
                uint64_t instructions)
{
    const struct tess_vc4_shader_stats run = {
        .kind = kind, .start = start, .runs = 1, .instructions = instructions, .stalls = {1, 2}};
    profile_add(profile, &run);
}

TEST(runs_add_up_in_the_order_of_first_ends)
{
    struct profile *profile = calloc(1, sizeof *profile);
    add(profile, TESS_VC4_FRAGMENT, 0x1000, 7);
    add(profile, TESS_VC4_VERTEX, 0x1000, 5);
    add(profile, TESS_VC4_FRAGMENT, 0x800, 3);
    add(profile, TESS_VC4_FRAGMENT, 0x1000, 8);
    assert_int_equal(profile->count, 3);
    assert_int_equal(profile->shader[0].kind, TESS_VC4_FRAGMENT);
    assert_int_equal(profile->shader[0].start, 0x1000);
    assert_int_equal(profile->shader[0].runs, 2);
    assert_int_equal(profile->shader[0].instructions, 15);
    assert_int_equal(profile->shader[0].stalls[TESS_VC4_STALL_SFU], 4);
    assert_int_equal(profile->shader[1].kind, TESS_VC4_VERTEX);
    assert_int_equal(profile->shader[2].start, 0x800);
    free(profile);
}

/* The table has 256 rows for programs. When the table is full, all further programs are counted in
 * one row. */
TEST(what_finds_no_room_is_one_row)
{
    struct profile *profile = calloc(2, sizeof *profile), *sum = profile + 1;
    for (uint32_t i = 0; i < 1000; i++)
        add(profile, TESS_VC4_USER, i * 8, 2);
    add(profile, TESS_VC4_USER, 8, 2);
    assert_int_equal(profile->count, PROFILE_SHADERS);
    assert_int_equal(profile->shader[1].runs, 2);
    assert_int_equal(profile->shader[PROFILE_SHADERS].start, TESS_VC4_OTHER_SHADERS);
    assert_int_equal(profile->shader[PROFILE_SHADERS].runs, 1000 - PROFILE_SHADERS);
    profile_merge(sum, profile);
    assert_memory_equal(sum, profile, sizeof *sum);
    profile_merge(sum, profile);
    assert_int_equal(sum->shader[1].runs, 4);
    assert_int_equal(sum->shader[PROFILE_SHADERS].instructions, 4 * (1000 - PROFILE_SHADERS));
    free(profile);
}

TEST(names)
{
    assert_string_equal(tess_vc4_stall_name(TESS_VC4_STALL_TMU), "tmu");
    assert_null(tess_vc4_stall_name(TESS_VC4_STALLS));
    assert_string_equal(tess_vc4_shader_kind_name(TESS_VC4_COORDINATE), "coordinate");
    assert_null(tess_vc4_shader_kind_name((enum tess_vc4_shader_kind)4));
    for (uint32_t id = 0; id < TESS_VC4_COUNTERS; id++)
        assert_true(tess_vc4_counter_name(id) && tess_vc4_counter_unit(id));
    assert_string_equal(tess_vc4_counter_name(3), "valid quads"); /* name in manual table 82 */
    assert_null(tess_vc4_counter_name(30));
    assert_null(tess_vc4_counter_unit(30));
}
