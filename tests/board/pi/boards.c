/* SPDX-License-Identifier: MIT */
/* boards.c - tests the boards: the properties that programs can query, and the address of the
 * GPU memory. Expected properties are the revision codes and default clocks of
 * raspberrypi/documentation, and values of bcm_host.c of raspberrypi/userland. The address is
 * calculated by hand. */
#include "../../register.h"
#include "machine.h"

TEST(what_each_board_is)
{
    static const struct {
        const char *name, *model, *compatible;
        uint32_t revision, peripherals, sdram, memory_mib, v3d_mhz;
    } expected[] = {
        {"zero", "Raspberry Pi Zero W Rev 1.1", "raspberrypi,model-zero-w", 0x9000c1, 0x20000000,
         0x40000000, 512, 300},
        {"pi1", "Raspberry Pi Model B Rev 2", "raspberrypi,model-b-rev2", 0x00000e, 0x20000000,
         0x40000000, 512, 250},
        {"pi2", "Raspberry Pi 2 Model B Rev 1.1", "raspberrypi,2-model-b", 0xa01041, 0x3f000000,
         0xc0000000, 1024, 250},
        {"pi3", "Raspberry Pi 3 Model B Rev 1.2", "raspberrypi,3-model-b", 0xa02082, 0x3f000000,
         0xc0000000, 1024, 400},
        {"zero2", "Raspberry Pi Zero 2 W Rev 1.0", "raspberrypi,model-zero-2-w", 0x902120,
         0x3f000000, 0xc0000000, 512, 300},
    };
    for (unsigned i = 0; i < 5; i++) {
        const struct tess_pi_board *board = tess_pi_board_find(expected[i].name);
        assert_non_null(board);
        assert_ptr_equal(board, tess_pi_board_get(i));
        assert_string_equal(board->model, expected[i].model);
        assert_string_equal(board->compatible, expected[i].compatible);
        assert_int_equal(board->revision, expected[i].revision);
        assert_int_equal(board->peripheral_base, expected[i].peripherals);
        assert_int_equal(board->peripheral_size, 16 << 20);
        assert_int_equal(board->sdram_address, expected[i].sdram);
        assert_int_equal(board->memory_size, expected[i].memory_mib << 20);
        assert_int_equal(board->clock_rates[TESS_PI_CLOCK_V3D], expected[i].v3d_mhz * 1000000);
    }
    assert_null(tess_pi_board_get(5));
    assert_null(tess_pi_board_find("pi4"));
    assert_null(tess_pi_board_find(NULL));
}

/* GPU memory is at the top of the memory below the peripherals. It ends at 512 MiB, or at 1008
 * MiB on boards of 1 GiB, where the peripherals hide the last 16 MiB. */
TEST(where_gpu_memory_is)
{
    static const uint32_t starts[] = {0x10000000, 0x10000000, 0x2f000000, 0x2f000000, 0x10000000};
    for (unsigned i = 0; i < 5; i++) {
        struct machine m;
        const struct tess_pi_options options = {.board = tess_pi_board_get(i),
                                                .vc_size = 256u << 20};
        machine_open(&m, &options, 1);
        send_tag(&m, 0x10006, 8, 0, 0, 0, 0);
        assert_int_equal(word(&m, VALUE), starts[i]);
        assert_int_equal(word(&m, VALUE + 1), 256 << 20);
        send_tag(&m, 0x10005, 8, 0, 0, 0, 0);
        assert_int_equal(word(&m, VALUE), 0);
        assert_int_equal(word(&m, VALUE + 1), starts[i]);
        send_tag(&m, 0x10002, 4, 0, 0, 0, 0);
        assert_int_equal(word(&m, VALUE), options.board->revision);
        uint32_t all = tess_pi_allocate(m.pi, 256u << 20, 0, 1 << 5);
        uint32_t address = tess_pi_lock(m.pi, all) & 0x3fffffff;
        assert_true(address + (256u << 20) <= tess_pi_board_memory_end(options.board));
        machine_close(&m);
    }
}

TEST(sizes_that_do_not_fit)
{
    struct tess_vc4 *vc4;
    struct tess_pi *pi;
    assert_int_equal(tess_vc4_create(&vc4, NULL), TESS_OK);
    struct tess_pi_options options = {.board = tess_pi_board_find("pi2"), .vc_size = 1008u << 20};
    assert_int_equal(tess_pi_create(&pi, vc4, &options), TESS_INVALID);
    assert_null(pi);
    options.vc_size = 512u << 20;
    options.arm_size = 512u << 20; /* 16 MiB too large */
    assert_int_equal(tess_pi_create(&pi, vc4, &options), TESS_INVALID);
    options.arm_size = 496u << 20;
    assert_int_equal(tess_pi_create(&pi, vc4, &options), TESS_OK);
    tess_pi_destroy(pi);
    tess_vc4_destroy(vc4);
}

/* Memory with the flags 0xc has alias 0x4 on boards where the ARM uses the L2 cache, and alias
 * 0x8 on a Pi 2, 3 and Zero 2 (rpimemmgr.c of Idein/librpimemmgr). The framebuffer has the same
 * alias. */
TEST(aliases_of_the_boards)
{
    for (unsigned i = 0; i < 5; i++) {
        struct machine m;
        const struct tess_pi_options options = {.board = tess_pi_board_get(i)};
        machine_open(&m, &options, 1);
        bool by_l2 = i < 2;
        uint32_t cached = tess_pi_lock(m.pi, tess_pi_allocate(m.pi, 1, 0, 0xc));
        uint32_t direct = tess_pi_lock(m.pi, tess_pi_allocate(m.pi, 1, 0, 0x4));
        assert_int_equal(cached >> 30, by_l2 ? 1 : 2);
        assert_int_equal(direct >> 30, 3);
        send_tag(&m, 0x40001, 8, 16, 0, 0, 0);
        assert_int_equal(word(&m, VALUE) >> 30, by_l2 ? 1 : 3);
        machine_close(&m);
    }
}

static uint64_t fixed_time(void *user)
{
    return *(const uint64_t *)user;
}

/* "BCM2835 ARM Peripherals", chapter 12: the timer counts microseconds, in two words. */
TEST(the_system_timer)
{
    struct machine m;
    uint64_t now = UINT64_C(0x123456789a);
    const struct tess_pi_options options = {.time = fixed_time, .time_user = &now};
    machine_open(&m, &options, 1);
    assert_int_equal(tess_pi_read(m.pi, 0x3004), 0x3456789a);
    assert_int_equal(tess_pi_read(m.pi, 0x3008), 0x12);
    tess_pi_write(m.pi, 0x3010, 77);
    assert_int_equal(tess_pi_read(m.pi, 0x3010), 77);
    assert_int_equal(m.findings, 0);
    machine_close(&m);
    machine_open(&m, NULL, 1);
    uint32_t before = tess_pi_read(m.pi, TESS_PI_TIMER_LOW);
    assert_true(tess_pi_read(m.pi, TESS_PI_TIMER_LOW) >
                before); /* each read advances the time, so that wait loops end */
    machine_close(&m);
}

/* What tags report before a program has set it: the settings of config.txt, or the firmware's. */
TEST(initial_framebuffer)
{
    static const struct tess_pi_options options = {
        .display = {.width = 800,
                    .height = 600,
                    .depth = 16,
                    .rgb = true,
                    .alpha = true,
                    .overscan = {1, 2, 3, 4}},
    };
    static const struct {
        uint32_t tag, values[4], defaults[4];
        uint32_t count;
    } expected[] = {
        {0x40003, {800, 600}, {640, 480}, 2},
        {0x40004, {800, 600}, {640, 480}, 2},
        {0x40005, {16}, {32}, 1},
        {0x40006, {1}, {0}, 1},
        {0x40007, {0}, {2}, 1},
        {0x4000a, {1, 2, 3, 4}, {0}, 4},
        {0x40008, {1600}, {2560}, 1},
    };
    struct machine own, usual;
    machine_open(&own, &options, 1);
    machine_open(&usual, NULL, 1);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        send_tag(&own, expected[i].tag, 16, 0, 0, 0, 0);
        send_tag(&usual, expected[i].tag, 16, 0, 0, 0, 0);
        for (uint32_t k = 0; k < expected[i].count; k++) {
            assert_int_equal(word(&own, VALUE + k), expected[i].values[k]);
            assert_int_equal(word(&usual, VALUE + k), expected[i].defaults[k]);
        }
    }
    machine_close(&own);
    machine_close(&usual);
}
