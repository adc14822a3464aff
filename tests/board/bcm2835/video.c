/* SPDX-License-Identifier: MIT */
/* video.c - tests the display's registers by the accesses of Linux' vc4_crtc.c and vc4_hvs.c. */
#include "../../register.h"
#include "board.h"

#include "board/bcm2835/video.h"

enum {
    CONTROL = 0x00,
    VIDEO_CONTROL = 0x04,
    INTERRUPT_ENABLE = 0x24,
    INTERRUPT_STATUS = 0x28,
    FRONT_PORCH = 1 << 7, /* PV_INT_VFP_START, which Linux takes as the vertical blanking */
    FRAME = 16666666,     /* nanoseconds, 1 / 60 s */
};

static void start(struct board *b, const struct device *device)
{
    board_open(b, device);
    board_write(b, CONTROL, 1);
    board_write(b, VIDEO_CONTROL, 3);
    board_write(b, INTERRUPT_ENABLE, FRONT_PORCH);
}

TEST(a_valve_interrupts_in_each_frame)
{
    static const struct {
        const struct device *device;
        enum device_line line; /* interrupts of bank 2 in bcm283x.dtsi: 13, 14, 10 */
    } valves[] = {{&pixel_valve0, 32 + 13}, {&pixel_valve1, 32 + 14}, {&pixel_valve2, 32 + 10}};
    for (unsigned i = 0; i < 3; i++) {
        struct board b;
        start(&b, valves[i].device);
        board_wait(&b, FRAME - 1);
        assert_false(b.lines[valves[i].line]);
        board_wait(&b, 1);
        assert_true(b.lines[valves[i].line]);
        board_write(&b, INTERRUPT_STATUS, FRONT_PORCH);
        assert_false(b.lines[valves[i].line]);
        assert_int_equal(board_read(&b, INTERRUPT_STATUS) & FRONT_PORCH, 0);
        board_wait(&b, FRAME);
        assert_true(b.lines[valves[i].line]);
        assert_int_equal(b.not_modelled, 1); /* the picture, once */
    }
}

TEST(a_stopped_valve_is_quiet)
{
    struct board b;
    start(&b, &pixel_valve1);
    board_write(&b, VIDEO_CONTROL, 2);
    board_wait(&b, 10ull * FRAME);
    assert_int_equal(board_read(&b, INTERRUPT_STATUS), 0);
    assert_false(b.lines[LINE_VALVE1]);
}

/* Linux compares SCALER_DISPLACT1 with the list that it has written to SCALER_DISPLIST1. */
TEST(the_scaler_takes_a_display_list)
{
    struct board b;
    board_open(&b, &hvs);
    board_write(&b, 0x24, 0x123);
    assert_int_equal(board_read(&b, 0x34), 0x123);
    assert_int_equal(board_read(&b, 0x30), 0);
    board_write(&b, 0x5ffc, 0x80000000); /* the last word of the display lists */
    assert_int_equal(board_read(&b, 0x5ffc), 0x80000000);
}

TEST(encoders_keep_their_registers)
{
    static const struct device *const blocks[] = {&hdmi, &hdmi_clocks, &vec, &txp};
    for (unsigned i = 0; i < 4; i++) {
        struct board b;
        board_open(&b, blocks[i]);
        board_write(&b, 0x10, 0x12345678);
        assert_int_equal(board_read(&b, 0x10), 0x12345678);
        assert_int_equal(b.finding_count + b.not_modelled, 0);
    }
}
