/* SPDX-License-Identifier: MIT */
/* intc.c - tests the interrupt controller by "BCM2835 ARM Peripherals", chapter 7. */
#include "../../register.h"
#include "board.h"

#include "board/bcm2835/intc.h"

enum {
    BASIC_PENDING = 0x00,
    PENDING_1 = 0x04,
    PENDING_2 = 0x08,
    FIQ_CONTROL = 0x0c,
    ENABLE_1 = 0x10,
    ENABLE_2 = 0x14,
    ENABLE_BASIC = 0x18,
    DISABLE_1 = 0x1c,
    DISABLE_2 = 0x20,
    DISABLE_BASIC = 0x24,
};

static void set_line(struct board *b, unsigned line, bool level)
{
    intc.line(b->state, &b->ports, (enum device_line)line, level);
}

static bool irq(const struct board *b)
{
    return intc_irq((const void *)b->state);
}

static bool fiq(const struct board *b)
{
    return intc_fiq((const void *)b->state);
}

TEST(an_interrupt_needs_level_and_enable)
{
    struct board b;
    board_open(&b, &intc);
    set_line(&b, 1, true);
    assert_false(irq(&b));
    assert_int_equal(board_read(&b, PENDING_1), 0);
    board_write(&b, ENABLE_1, 2);
    assert_true(irq(&b));
    assert_int_equal(board_read(&b, PENDING_1), 2);
    assert_int_equal(board_read(&b, BASIC_PENDING), 0x100);
    board_write(&b, DISABLE_1, 1); /* another interrupt */
    assert_true(irq(&b));
    board_write(&b, DISABLE_1, 2);
    assert_false(irq(&b));
    board_write(&b, ENABLE_1, 2);
    set_line(&b, 1, false);
    assert_false(irq(&b));
}

TEST(shortcuts_do_not_set_bits_8_and_9)
{
    static const uint8_t shortcuts[] = {7, 9, 10, 18, 19, 53, 54, 55, 56, 57, 62};
    struct board b;
    board_open(&b, &intc);
    board_write(&b, ENABLE_1, 0xffffffff);
    board_write(&b, ENABLE_2, 0xffffffff);
    for (unsigned i = 0; i < sizeof shortcuts; i++) {
        set_line(&b, shortcuts[i], true);
        assert_int_equal(board_read(&b, BASIC_PENDING), 1u << (10 + i));
        assert_int_equal(board_read(&b, shortcuts[i] < 32 ? PENDING_1 : PENDING_2),
                         1u << shortcuts[i] % 32);
        set_line(&b, shortcuts[i], false);
    }
    set_line(&b, 49, true);
    assert_int_equal(board_read(&b, BASIC_PENDING), 0x200);
    set_line(&b, 57, true);
    assert_int_equal(board_read(&b, BASIC_PENDING), 0x200 | 1 << 19);
    assert_int_equal(board_read(&b, PENDING_2), 1 << 17 | 1 << 25);
}

TEST(the_arms_own_interrupts)
{
    struct board b;
    board_open(&b, &intc);
    set_line(&b, LINE_ARM_TIMER, true);
    set_line(&b, LINE_ARM_DOORBELL1, true);
    assert_int_equal(board_read(&b, BASIC_PENDING), 0);
    board_write(&b, ENABLE_BASIC, 0xffffffff);
    assert_int_equal(board_read(&b, ENABLE_BASIC), 0xff);
    assert_int_equal(board_read(&b, BASIC_PENDING), 0x09);
    assert_true(irq(&b));
    board_write(&b, DISABLE_BASIC, 0x09);
    assert_false(irq(&b));
}

TEST(fiq_ignores_the_enables)
{
    struct board b;
    board_open(&b, &intc);
    set_line(&b, 57, true);
    board_write(&b, FIQ_CONTROL, 57);
    assert_false(fiq(&b)); /* bit 7 enables */
    board_write(&b, FIQ_CONTROL, 0x80 | 57);
    assert_true(fiq(&b));
    assert_false(irq(&b));
    set_line(&b, 57, false);
    assert_false(fiq(&b));
    board_write(&b, FIQ_CONTROL, 0x80 | 64);
    set_line(&b, LINE_ARM_TIMER, true);
    assert_true(fiq(&b));
    board_write(&b, FIQ_CONTROL, 0xff); /* there is no source 127 */
    assert_false(fiq(&b));
    assert_int_equal(board_read(&b, FIQ_CONTROL), 0xff);
}

/* raspberrypi/firmware, issue 67: the firmware triggers interrupt 48 only with fake_vsync_isr=1. */
TEST(waiting_for_vertical_syncs_without_them)
{
    struct board b;
    board_open(&b, &intc);
    board_write(&b, ENABLE_2, 0xffffffff); /* of all interrupts, not of this one */
    assert_int_equal(b.finding_count, 0);
    board_write(&b, ENABLE_2, 1 << 16);
    assert_int_equal(b.finding_count, 1);
    assert_int_equal(b.finding, PI_VSYNC_OFF);
    assert_int_equal(b.finding_offset, 0xb214);
    ((struct intc *)b.state)->vsync = 1;
    board_write(&b, ENABLE_2, 1 << 16);
    assert_int_equal(b.finding_count, 1);
}

TEST(other_registers_are_reported)
{
    struct board b;
    board_open(&b, &intc);
    assert_int_equal(board_read(&b, 0x28), 0);
    assert_int_equal(b.not_modelled, 1);
    assert_int_equal(b.finding_offset, 0xb228);
}
