/* SPDX-License-Identifier: MIT */
/* state.c - saves and restores whole machines at random moments of a small kernel, which draws in
 * its framebuffer, sends bytes and takes timer interrupts. A restored machine must send the same
 * bytes, show the same picture and have the same time as the machine that was saved, and its state
 * must be the same, byte for byte. */
#include <stdlib.h>
#include <string.h>

#include <tessera/arm.h>
#include <tessera/isa.h>
#include <tessera/pi.h>

#include "../../random.h"
#include "../../register.h"
#include "base/bits.h"
#include "base/state.h"
#include "kernel.h"

enum { MOMENTS = 6, DAMAGES = 40, SENT = 4096, MICROSECOND = 1000 };

struct world {
    struct tess_pi_machine *machine;
    uint8_t sent[SENT];
    unsigned count;
};

static void take_byte(void *user, bool mini, uint8_t byte)
{
    struct world *world = user;
    assert_false(mini);
    assert_true(world->count < SENT);
    world->sent[world->count++] = byte;
}

static void open_checked(struct world *world, const char *board, bool sanitize)
{
    const struct tess_vc4_options vc4 = {.machine.sanitize = sanitize};
    *world = (struct world){0};
    const struct tess_pi_machine_options options = {
        .board = tess_pi_board_find(board),
        .engine = tess_arm_unicorn(),
        .user = world,
        .uart = take_byte,
        .vc4 = &vc4,
    };
    assert_int_equal(tess_pi_machine_create(&world->machine, &options), TESS_OK);
}

static void open_world(struct world *world, const char *board)
{
    open_checked(world, board, false);
}

static void start_kernel(struct world *world)
{
    uint8_t image[sizeof kernel_words];
    for (size_t i = 0; i < sizeof image / 4; i++)
        store_le32(image + 4 * i, kernel_words[i]);
    assert_int_equal(tess_pi_machine_load(world->machine, KERNEL_ADDRESS, image, sizeof image),
                     TESS_OK);
    const struct tess_pi_kernel kernel = {.entry = KERNEL_ADDRESS};
    assert_int_equal(tess_pi_machine_start(world->machine, &kernel), TESS_OK);
}

static void run(struct world *world, uint64_t microseconds)
{
    assert_int_equal(tess_pi_machine_run(world->machine, microseconds * MICROSECOND),
                     TESS_PI_END_TIME);
}

static uint8_t *save(const struct world *world, size_t *size)
{
    uint8_t *bytes;
    assert_int_equal(tess_pi_machine_save(world->machine, &bytes, size), TESS_OK);
    return bytes;
}

static void check_same_picture(const struct world *one, const struct world *other)
{
    uint32_t width, height, other_width, other_height;
    uint8_t *rgba, *other_rgba;
    assert_int_equal(tess_pi_machine_picture(one->machine, &width, &height, &rgba), TESS_OK);
    assert_int_equal(
        tess_pi_machine_picture(other->machine, &other_width, &other_height, &other_rgba), TESS_OK);
    assert_non_null(rgba);
    assert_int_equal(width, KERNEL_WIDTH);
    assert_int_equal(height, KERNEL_WIDTH);
    assert_int_equal(other_width, width);
    assert_int_equal(other_height, height);
    assert_memory_equal(rgba, other_rgba, 4 * width * height);
    tess_free(rgba);
    tess_free(other_rgba);
}

static void check_same(const struct world *one, const struct world *other, unsigned from)
{
    size_t size, other_size;
    assert_int_equal(other->count, one->count - from);
    assert_memory_equal(one->sent + from, other->sent, other->count);
    assert_int_equal(tess_pi_machine_time(one->machine), tess_pi_machine_time(other->machine));
    assert_int_equal(tess_pi_machine_cycles(one->machine), tess_pi_machine_cycles(other->machine));
    check_same_picture(one, other);
    uint8_t *bytes = save(one, &size), *other_bytes = save(other, &other_size);
    assert_int_equal(size, other_size);
    assert_memory_equal(bytes, other_bytes, size);
    tess_free(bytes);
    tess_free(other_bytes);
}

TEST(random_moments)
{
    uint32_t seed = 7;
    struct world plain, saved, restored;
    open_world(&plain, "zero");
    start_kernel(&plain);
    run(&plain, 6000);
    open_world(&restored, "zero");
    for (unsigned i = 0; i < MOMENTS; i++) {
        size_t size;
        uint64_t moment = 20 + next_random(&seed) % 5000, between = moment / 3;
        open_world(&saved, "zero");
        start_kernel(&saved);
        run(&saved, between);
        run(&saved, moment);
        uint8_t *bytes = save(&saved, &size);
        unsigned from = saved.count;
        run(&saved, 6000);
        /* The restored machine has run another part of the kernel before. */
        assert_int_equal(tess_pi_machine_restore(restored.machine, bytes, size), TESS_OK);
        restored.count = 0;
        run(&restored, 6000);
        check_same(&plain, &saved, 0);
        check_same(&saved, &restored, from);
        tess_free(bytes);
        tess_pi_machine_destroy(saved.machine);
    }
    assert_true(plain.count > 8);
    tess_pi_machine_destroy(plain.machine);
    tess_pi_machine_destroy(restored.machine);
}

/* Going back in the same machine, which has translated code of another time. */
TEST(code_that_changes)
{
    struct world world;
    size_t size;
    uint8_t word[4];
    open_world(&world, "zero");
    start_kernel(&world);
    run(&world, 1000);
    uint8_t *bytes = save(&world, &size);
    run(&world, 3000);
    struct world first = world;
    store_le32(word, 0xe2844003); /* add r4, r4, #3 in place of #1 */
    assert_int_equal(tess_pi_machine_restore(world.machine, bytes, size), TESS_OK);
    assert_int_equal(tess_pi_machine_load(world.machine, KERNEL_COUNT, word, 4), TESS_OK);
    world.count = 0;
    run(&world, 3000);
    assert_int_equal(tess_pi_machine_restore(world.machine, bytes, size), TESS_OK);
    world.count = 0;
    run(&world, 3000);
    assert_true(world.count > 0);
    assert_true(world.count <= first.count);
    assert_memory_equal(first.sent + (first.count - world.count), world.sent, world.count);
    tess_free(bytes);
    tess_pi_machine_destroy(world.machine);
}

/* A machine that refuses a state is unchanged. */
static void check_refused(const struct world *world, const uint8_t *bytes, size_t size,
                          enum tess_status expected)
{
    size_t before_size, after_size;
    uint8_t *before = save(world, &before_size);
    assert_int_equal(tess_pi_machine_restore(world->machine, bytes, size), expected);
    uint8_t *after = save(world, &after_size);
    assert_int_equal(before_size, after_size);
    assert_memory_equal(before, after, before_size);
    tess_free(before);
    tess_free(after);
}

TEST(other_machines)
{
    struct world zero, pi2;
    size_t size;
    open_world(&zero, "zero");
    open_world(&pi2, "pi2");
    start_kernel(&zero);
    run(&zero, 500);
    uint8_t *bytes = save(&zero, &size);
    check_refused(&pi2, bytes, size, TESS_MISMATCH);
    check_refused(&zero, bytes, size - 1, TESS_BAD_INPUT);
    check_refused(&zero, bytes, 0, TESS_BAD_INPUT);
    bytes[size / 2] ^= 1;
    check_refused(&zero, bytes, size, TESS_BAD_INPUT);
    tess_free(bytes);
    tess_pi_machine_destroy(zero.machine);
    tess_pi_machine_destroy(pi2.machine);
}

/* Returns the contents of a section of a state. */
static uint8_t *section_of(uint8_t *bytes, size_t size, uint32_t tag, size_t *length)
{
    size_t at = STATE_HEADER;
    while (at < size && load_le32(bytes + at) != tag)
        at += 12 + (size_t)load_le64(bytes + at + 4);
    assert_true(at < size);
    *length = (size_t)load_le64(bytes + at + 4);
    return bytes + at + 12;
}

/* Changed bytes with a right checksum: the machine refuses them, or goes on in some way. */
static void check_damaged(uint32_t tag, unsigned least)
{
    uint32_t seed = 99;
    struct world world;
    size_t size, length;
    open_world(&world, "zero");
    start_kernel(&world);
    run(&world, 700);
    uint8_t *bytes = save(&world, &size), *damaged = malloc(size);
    assert_non_null(damaged);
    unsigned refused = 0;
    for (unsigned i = 0; i < DAMAGES; i++) {
        memcpy(damaged, bytes, size);
        uint8_t *body = section_of(damaged, size, tag, &length);
        for (unsigned n = 0; n < 32; n++)
            body[next_random(&seed) % length] = (uint8_t)next_random(&seed);
        state_fix_checksum(damaged, size);
        enum tess_status status = tess_pi_machine_restore(world.machine, damaged, size);
        assert_true(status == TESS_OK || status == TESS_BAD_INPUT);
        refused += status != TESS_OK;
        world.count = 0;
        tess_pi_machine_run(world.machine, tess_pi_machine_time(world.machine) + 50 * MICROSECOND);
    }
    assert_true(refused >= least);
    free(damaged);
    tess_free(bytes);
    tess_pi_machine_destroy(world.machine);
}

TEST(damaged_peripherals)
{
    check_damaged(STATE_TAG('D', 'E', 'V', 'S'), 1);
}

TEST(damaged_firmware)
{
    check_damaged(STATE_TAG('P', 'I', 'F', 'W'), 1);
}

/* Most values of a core's registers are possible. */
TEST(damaged_cores)
{
    check_damaged(STATE_TAG('C', 'O', 'R', 'E'), 0);
}

/* What the sanitizer knows is a part of the state. */
TEST(sanitizer)
{
    struct world saved, restored, plain;
    size_t size;
    open_checked(&saved, "zero", true);
    open_checked(&restored, "zero", true);
    open_world(&plain, "zero");
    start_kernel(&saved);
    run(&saved, 500);
    uint8_t *bytes = save(&saved, &size);
    unsigned from = saved.count;
    check_refused(&plain, bytes, size, TESS_MISMATCH);
    assert_int_equal(tess_pi_machine_restore(restored.machine, bytes, size), TESS_OK);
    run(&saved, 3000);
    run(&restored, 3000);
    check_same(&saved, &restored, from);
    tess_free(bytes);
    tess_pi_machine_destroy(saved.machine);
    tess_pi_machine_destroy(restored.machine);
    tess_pi_machine_destroy(plain.machine);
}
