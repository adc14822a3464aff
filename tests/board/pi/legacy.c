/* SPDX-License-Identifier: MIT */
/* legacy.c - tests the mailbox channels 0 and 1. Expected values are from the firmware's wiki pages
 * "Mailbox framebuffer interface" and "Mailboxes". */
#include "../../register.h"
#include "machine.h"

enum { POWER = 0, FRAMEBUFFER = 1, USB = 1 << 3 };

static uint32_t exchange(struct machine *m, uint32_t message)
{
    tess_pi_write(m->pi, TESS_PI_MAIL_WRITE, message);
    assert_int_equal(tess_pi_read(m->pi, TESS_PI_MAIL_STATUS), 0);
    return tess_pi_read(m->pi, TESS_PI_MAIL_READ);
}

TEST_WITH(framebuffer, set_up, tear_down)
{
    struct machine *m = *fixture;
    /* The structure of the Baking Pi course: 1024x768 with 16 bits. */
    const uint32_t request[10] = {1024, 768, 1024, 768, 0, 16, 0, 0, 0, 0};
    put_words(m, BUFFER, request, 10);
    assert_int_equal(exchange(m, 0x40000000 | BUFFER | FRAMEBUFFER), FRAMEBUFFER);
    assert_int_equal(word(m, 4), 2048);
    assert_int_equal(word(m, 9), 2048 * 768);
    assert_non_null(tess_vc4_memory(m->vc4, word(m, 8), word(m, 9)));
    struct tess_pi_framebuffer shown;
    tess_pi_get_framebuffer(m->pi, &shown);
    assert_int_equal(shown.address, word(m, 8));
    assert_int_equal(shown.width, 1024);
    assert_int_equal(shown.depth, 16);
    /* A virtual screen of twice the height, from its second half. */
    const uint32_t second[10] = {640, 480, 640, 960, 0, 32, 0, 480, 0, 0};
    put_words(m, BUFFER, second, 10);
    assert_int_equal(exchange(m, BUFFER | FRAMEBUFFER), FRAMEBUFFER);
    tess_pi_get_framebuffer(m->pi, &shown);
    assert_int_equal(shown.offset_y, 480);
    assert_int_equal(shown.size, 640 * 960 * 4);
    assert_int_equal(m->findings, 0);
}

TEST_WITH(framebuffer_errors, set_up, tear_down)
{
    struct machine *m = *fixture;
    const uint32_t depth[10] = {640, 480, 640, 480, 0, 17, 0, 0, 1, 0};
    put_words(m, BUFFER, depth, 10);
    assert_int_not_equal(exchange(m, BUFFER | FRAMEBUFFER), FRAMEBUFFER);
    assert_int_equal(word(m, 8), 0);
    assert_int_equal(m->findings, 0);
    assert_int_not_equal(exchange(m, 0x30000000 | FRAMEBUFFER), FRAMEBUFFER);
    assert_string_equal(m->rule, "pi-mailbox-buffer");
}

TEST_WITH(power, set_up, tear_down)
{
    struct machine *m = *fixture;
    /* csud switches USB on by the message 0x80. */
    assert_int_equal(exchange(m, USB << 4 | POWER), 0x80);
    send_tag(m, 0x20001, 8, 3, 0, 0, 0);
    assert_int_equal(word(m, VALUE + 1), 1);
    tess_pi_read(m->pi, TESS_PI_MAIL_READ);
    assert_int_equal(exchange(m, 0xfffffff0 | POWER), 0x1ff0); /* nine devices */
    assert_int_equal(exchange(m, POWER), 0);
    assert_int_equal(m->findings, 0);
}
