/* SPDX-License-Identifier: MIT */
/* i2c.c - tests the I2C masters by "BCM2835 ARM Peripherals", chapter 3. */
#include "../../register.h"
#include "board.h"

#include "board/bcm2835/i2c.h"

enum { C = 0x00, S = 0x04, DLEN = 0x08, A = 0x0c, FIFO = 0x10, DIV = 0x14 };

TEST(values_after_power_on)
{
    struct board b;
    board_open(&b, &i2c1);
    assert_int_equal(board_read(&b, S), 0x50);
    assert_int_equal(board_read(&b, DIV), 0x5dc);
    assert_int_equal(board_read(&b, 0x18), 0x00300030);
    assert_int_equal(board_read(&b, 0x1c), 0x40);
}

TEST(nothing_acknowledges)
{
    struct board b;
    board_open(&b, &i2c1);
    board_write(&b, DIV, 2500); /* 100 kHz */
    board_write(&b, A, 0x68);
    board_write(&b, DLEN, 1);
    board_write(&b, FIFO, 0);
    assert_int_equal(board_read(&b, S), 0x10);
    board_write(&b, C, 1 << 15 | 1 << 8 | 1 << 7);
    assert_int_equal(board_read(&b, S) & 3, 1); /* TA */
    assert_false(b.lines[LINE_I2C]);
    board_wait(&b, 99999);
    assert_int_equal(board_read(&b, S) & 3, 1);
    board_wait(&b, 1);
    assert_int_equal(board_read(&b, S) & 0x103, 0x102); /* ERR, DONE */
    assert_true(b.lines[LINE_I2C]);
    board_write(&b, S, 0x302);
    assert_int_equal(board_read(&b, S), 0x10);
    assert_false(b.lines[LINE_I2C]);
    board_write(&b, C, 1 << 15 | 1 << 4); /* clears the FIFO */
    assert_int_equal(board_read(&b, S), 0x50);
}

TEST(masters_have_their_addresses)
{
    static const struct device *const masters[] = {&i2c0, &i2c1, &i2c2};
    static const uint32_t bases[] = {0x205000, 0x804000, 0x805000};
    struct board b;
    for (unsigned i = 0; i < 3; i++) {
        board_open(&b, masters[i]);
        assert_int_equal(masters[i]->base, bases[i]);
        board_read(&b, 0x20);
        assert_int_equal(b.finding_offset, bases[i] + 0x20);
    }
}
