/* SPDX-License-Identifier: MIT */
/* gpio.c - tests the pins by "BCM2835 ARM Peripherals", chapter 6. */
#include "../../register.h"
#include "board.h"

#include "board/bcm2835/gpio.h"

enum {
    GPFSEL1 = 0x04,
    GPFSEL4 = 0x10,
    GPSET0 = 0x1c,
    GPSET1 = 0x20,
    GPCLR0 = 0x28,
    GPCLR1 = 0x2c,
    GPLEV0 = 0x34,
    GPLEV1 = 0x38,
    GPEDS0 = 0x40,
    GPEDS1 = 0x44,
    GPREN0 = 0x4c,
    GPREN1 = 0x50,
    GPFEN0 = 0x58,
    GPHEN0 = 0x64,
    GPLEN0 = 0x70,
    GPAREN0 = 0x7c,
    GPAFEN1 = 0x8c,
    GPPUD = 0x94,
    GPPUDCLK0 = 0x98,
};

static void drive(struct board *b, unsigned pin, bool level)
{
    board_input(b, INPUT_PIN, pin * 2 + level);
}

TEST(outputs)
{
    struct board b;
    board_open(&b, &gpio);
    board_write(&b, GPFSEL1, 1 << 18); /* pin 16, the activity light of the first boards */
    assert_int_equal(board_read(&b, GPFSEL1), 1 << 18);
    board_write(&b, GPSET0, 1 << 16);
    assert_int_equal(b.output_count, 1);
    assert_int_equal(b.outputs[0].output, OUTPUT_PIN);
    assert_int_equal(b.outputs[0].value, 16 * 2 + 1);
    assert_int_equal(board_read(&b, GPLEV0) >> 16 & 1, 1);
    board_write(&b, GPSET0, 1 << 16); /* no change */
    board_write(&b, GPCLR0, 0xffff);
    assert_int_equal(b.output_count, 1);
    board_write(&b, GPCLR0, 1 << 16);
    assert_int_equal(b.output_count, 2);
    assert_int_equal(b.outputs[1].value, 16 * 2);
    assert_int_equal(board_read(&b, GPSET0), 0);
}

TEST(a_level_waits_for_the_function)
{
    struct board b;
    board_open(&b, &gpio);
    board_write(&b, GPSET1, 1 << (47 - 32));
    board_write(&b, GPCLR1, 1 << (46 - 32));
    assert_int_equal(b.output_count, 0);
    board_write(&b, GPFSEL4, 1 << 18); /* pin 46, which was pulled up */
    assert_int_equal(b.output_count, 1);
    assert_int_equal(b.outputs[0].value, 46 * 2);
    board_write(&b, GPFSEL4, 1 << 21); /* pin 47, which was pulled up and is set */
    assert_int_equal(b.output_count, 1);
    board_write(&b, GPCLR1, 1 << (47 - 32));
    assert_int_equal(b.outputs[1].value, 47 * 2);
}

TEST(changes_of_inputs_are_reported)
{
    struct board b;
    board_open(&b, &gpio);
    board_write(&b, GPSET0, 1 << 16);
    assert_int_equal(b.finding_count, 0); /* the pin may become an output later */
    board_write(&b, GPCLR0, 1 << 16 | 1 << 17);
    assert_int_equal(b.finding, PI_GPIO_OUTPUT);
    assert_int_equal(b.finding_count, 1);
    assert_string_equal(b.text, "pin 16 is set and cleared, but is not an output");
}

TEST(pulls)
{
    struct board b;
    board_open(&b, &gpio);
    /* Table 6-31: pins 0 to 8, 34 to 36 and 46 to 53 are pulled up. */
    assert_int_equal(board_read(&b, GPLEV0), 0x1ff);
    assert_int_equal(board_read(&b, GPLEV1), 0x3fc01c);
    board_write(&b, GPPUD, 2);
    board_write(&b, GPPUDCLK0, 1 << 17);
    board_write(&b, GPPUD, 0);
    board_write(&b, GPPUDCLK0, 0);
    assert_int_equal(board_read(&b, GPLEV0), 1 << 17 | 0x1ff);
    board_write(&b, GPPUD, 1);
    board_write(&b, GPPUDCLK0, 1 << 17 | 1);
    assert_int_equal(board_read(&b, GPLEV0), 0x1fe);
    drive(&b, 0, true); /* stronger than a pull */
    assert_int_equal(board_read(&b, GPLEV0), 0x1ff);
}

TEST(edges)
{
    struct board b;
    board_open(&b, &gpio);
    board_write(&b, GPREN0, 1 << 17);
    board_write(&b, GPFEN0, 1 << 18);
    drive(&b, 18, true);
    assert_int_equal(board_read(&b, GPEDS0), 0);
    drive(&b, 17, true);
    assert_int_equal(board_read(&b, GPEDS0), 1 << 17);
    assert_true(b.lines[49]);
    assert_false(b.lines[50]);
    assert_false(b.lines[51]);
    assert_true(b.lines[52]);
    drive(&b, 18, false);
    assert_int_equal(board_read(&b, GPEDS0), 3 << 17);
    board_write(&b, GPEDS0, 1 << 17);
    assert_true(b.lines[49]);
    board_write(&b, GPEDS0, 1 << 18);
    assert_false(b.lines[49]);
    assert_false(b.lines[52]);
}

TEST(levels_are_detected_again)
{
    struct board b;
    board_open(&b, &gpio);
    board_write(&b, GPHEN0, 1 << 20);
    assert_int_equal(board_read(&b, GPEDS0), 0);
    drive(&b, 20, true);
    board_write(&b, GPEDS0, 1 << 20);
    assert_int_equal(board_read(&b, GPEDS0), 1 << 20);
    drive(&b, 20, false);
    board_write(&b, GPEDS0, 1 << 20);
    assert_int_equal(board_read(&b, GPEDS0), 0);
    board_write(&b, GPLEN0, 1 << 20);
    assert_int_equal(board_read(&b, GPEDS0), 1 << 20);
}

TEST(lines_of_the_pins)
{
    struct board b;
    board_open(&b, &gpio);
    board_write(&b, GPREN1, 0xffffffff);
    assert_int_equal(board_read(&b, GPREN1), 0x3fffff); /* 54 pins */
    drive(&b, 40, true);
    assert_true(b.lines[50]);
    assert_false(b.lines[51]);
    board_write(&b, GPEDS1, 0xffffffff);
    board_write(&b, GPAFEN1, 1 << (50 - 32));
    drive(&b, 50, false);
    assert_true(b.lines[51]);
    assert_false(b.lines[50]);
    board_write(&b, GPAREN0, 1 << 30);
    board_write(&b, GPEDS1, 0xffffffff);
    drive(&b, 30, true);
    assert_true(b.lines[50]); /* pins 28 to 45 */
    assert_false(b.lines[49]);
}

TEST(own_outputs_are_detected)
{
    struct board b;
    board_open(&b, &gpio);
    board_write(&b, GPFSEL1, 1 << 18);
    board_write(&b, GPREN0, 1 << 16);
    board_write(&b, GPSET0, 1 << 16);
    assert_int_equal(board_read(&b, GPEDS0), 1 << 16);
}

TEST(other_registers_are_reported)
{
    struct board b;
    board_open(&b, &gpio);
    board_read(&b, 0x18); /* the reserved words of the table of registers */
    board_read(&b, 0x24);
    board_read(&b, 0x90);
    assert_int_equal(b.not_modelled, 0);
    board_write(&b, 0xb0, 1);
    assert_int_equal(b.not_modelled, 1);
}
