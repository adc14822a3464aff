/* SPDX-License-Identifier: MIT */
/* Tests of the options that all machines have: defaults, ranges, and options of other versions of
 * the header. */
#include "../register.h"

#include <string.h>

#include <tessera/a2xx.h>
#include <tessera/utgard.h>
#include <tessera/vc4.h>

#include "exec/machine_options.h"

/* The options of a machine, in this version and in a newer one with another member. */
struct options {
    struct tess_machine_options machine;
    uint32_t choice;
};

struct newer {
    struct options old;
    uint32_t other[2];
};

static const struct machine_defaults defaults = {1000, true};

TEST(defaults_replace_zeros)
{
    struct options taken;
    const struct options zero = {0};
    assert_true(machine_options_take(&taken, sizeof taken, NULL, &defaults));
    assert_int_equal(taken.machine.threads, 1);
    assert_int_equal(taken.machine.max_instructions, 1000);
    assert_true(machine_sanitizes(&taken.machine));
    assert_int_equal(taken.choice, 0);
    assert_true(machine_options_take(&taken, sizeof taken, &zero, &defaults));
    assert_int_equal(taken.machine.threads, 1);
}

TEST(options_are_taken)
{
    struct options taken;
    const struct options given = {{.strict = true,
                                   .sanitize = TESS_SANITIZE_OFF,
                                   .threads = 3,
                                   .max_instructions = 7,
                                   .shown = 2},
                                  9};
    assert_true(machine_options_take(&taken, sizeof taken, &given, &defaults));
    assert_true(taken.machine.strict);
    assert_false(machine_sanitizes(&taken.machine));
    assert_int_equal(taken.machine.max_instructions, 7);
    assert_int_equal(taken.machine.shown, 2);
    assert_int_equal(taken.choice, 9);
}

TEST(ranges)
{
    struct options taken;
    struct options given = {.machine.threads = TESS_MAX_THREADS + 1};
    assert_false(machine_options_take(&taken, sizeof taken, &given, &defaults));
    given.machine.threads = TESS_ALL_PROCESSORS;
    assert_true(machine_options_take(&taken, sizeof taken, &given, &defaults));
    assert_in_range(taken.machine.threads, 1, TESS_MAX_THREADS);
    given.machine.sanitize = 3;
    assert_false(machine_options_take(&taken, sizeof taken, &given, &defaults));
}

/* A caller with an older header has fewer members; what follows them in memory is not read. */
TEST(older_options)
{
    struct options taken;
    struct options given = {.machine.size = sizeof given.machine, .choice = 5};
    assert_true(machine_options_take(&taken, sizeof taken, &given, &defaults));
    assert_int_equal(taken.choice, 0);
    given.machine.size = 4; /* smaller than the common options ever were */
    assert_false(machine_options_take(&taken, sizeof taken, &given, &defaults));
}

/* A caller with a newer header may not use members that the library lacks. */
TEST(newer_options)
{
    struct options taken;
    struct newer given = {.old = {.machine.size = sizeof given, .choice = 5}};
    assert_true(machine_options_take(&taken, sizeof taken, &given, &defaults));
    assert_int_equal(taken.choice, 5);
    given.other[1] = 1;
    assert_false(machine_options_take(&taken, sizeof taken, &given, &defaults));
}

TEST(all_machines_check_them)
{
    const struct tess_vc4_options vc4_options = {.machine.threads = 65};
    const struct tess_gp_options gp_options = {.machine.threads = 65};
    const struct tess_a2xx_options a2xx_options = {.machine.threads = 65};
    struct tess_vc4 *vc4 = (void *)1;
    struct tess_gp *gp = (void *)1;
    struct tess_a2xx *a2xx = (void *)1;
    assert_int_equal(tess_vc4_create(&vc4, &vc4_options), TESS_INVALID);
    assert_int_equal(tess_gp_create(&gp, &gp_options), TESS_INVALID);
    assert_int_equal(tess_a2xx_create(&a2xx, &a2xx_options), TESS_INVALID);
    assert_true(!vc4 && !gp && !a2xx);
}
