/* SPDX-License-Identifier: MIT */
/* mailbox.c - tests the property mailbox with the buffers of JayStation ("Initializing the GPU
 * and Framebuffer"), the tags of public demos, and malformed buffers. Unless a comment names
 * another source, expected values are from the firmware wiki's page "Mailbox property
 * interface". */
#include "../../register.h"
#include "board/pi/pi.h"
#include "machine.h"

#include "board/pi/pi.h"
#include "finding/rules.h"

TEST_WITH(enable_qpu, set_up, tear_down)
{
    struct machine *m = *fixture;
    assert_int_equal(tess_pi_read(m->pi, TESS_PI_V3D), 0xdeadbeef);
    assert_string_equal(m->rule, "pi-v3d-off");
    assert_int_equal(tess_pi_read(m->pi, TESS_PI_MAIL_STATUS), UINT32_C(1) << 30);

    /* The buffer TAGS_STRUCT of JayStation. */
    const uint32_t tags[] = {28, 0, 0x00030012, 4, 4, 1, 0};
    put_words(m, BUFFER, tags, 7);
    send(m);
    assert_int_equal(word(m, 1), 0x80000000);
    assert_int_equal(word(m, 4), 0x80000004);
    assert_int_equal(word(m, 5), 0);
    assert_true(tess_pi_v3d_enabled(m->pi));
    assert_int_equal(tess_pi_read(m->pi, TESS_PI_V3D), 0x02443356);

    assert_int_equal(tess_pi_read(m->pi, TESS_PI_MAIL_STATUS), 0);
    assert_int_equal(tess_pi_read(m->pi, TESS_PI_MAIL_READ), BUFFER | PROPERTY);
    assert_int_equal(tess_pi_read(m->pi, TESS_PI_MAIL_STATUS), UINT32_C(1) << 30);
}

/* The steps of Linux' bcm2835-mailbox.c: the driver enables the interrupt, whose line falls when it
 * has read the answer. */
TEST_WITH(an_answer_interrupts, set_up, tear_down)
{
    struct machine *m = *fixture;
    const uint32_t tags[] = {28, 0, 0x00010002, 4, 0, 0, 0}; /* board revision */
    put_words(m, BUFFER, tags, 7);
    send(m);
    assert_false(pi_mailbox_interrupt(m->pi));
    assert_int_equal(tess_pi_read(m->pi, TESS_PI_MAIL_CONFIG), 0);
    tess_pi_write(m->pi, TESS_PI_MAIL_CONFIG, 1);
    assert_true(pi_mailbox_interrupt(m->pi));
    assert_int_equal(tess_pi_read(m->pi, TESS_PI_MAIL_CONFIG), 0x11);
    tess_pi_read(m->pi, TESS_PI_MAIL_READ);
    assert_false(pi_mailbox_interrupt(m->pi));
    assert_int_equal(tess_pi_read(m->pi, TESS_PI_MAIL_CONFIG), 1);
    assert_int_equal(m->findings, 0);
}

/* Public kernels (PeterLemon/RaspberryPi) write requests to the third copy of the register. */
TEST_WITH(registers_repeat, set_up, tear_down)
{
    struct machine *m = *fixture;
    const uint32_t tags[] = {28, 0, 0x00010002, 4, 0, 0, 0}; /* board revision */
    put_words(m, BUFFER, tags, 7);
    assert_int_equal(tess_pi_read(m->pi, TESS_PI_MAIL_STATUS_1), 0);
    tess_pi_write(m->pi, TESS_PI_MAIL_WRITE + 8, BUFFER | PROPERTY);
    assert_int_equal(word(m, 1), 0x80000000);
    assert_int_equal(tess_pi_read(m->pi, TESS_PI_MAIL_READ + 4), BUFFER | PROPERTY);
    assert_int_equal(m->findings, 0);
}

TEST_WITH(seed_framebuffer, set_up, tear_down)
{
    struct machine *m = *fixture;
    /* The buffer FB_STRUCT of JayStation, word for word. The request length of its physical
     * display tag is 0. */
    const uint32_t fb[] = {
        36 * 4 + 4, 0,          0x00048003, 8, 0, 640, 480,        0x00048004, 8, 8,
        640,        480,        0x00048005, 4, 4, 32,  0x00048009, 8,          8, 0,
        0,          0x00010006, 8,          0, 0, 0,   0x00010005, 8,          0, 0,
        0,          0x00040001, 8,          8, 0, 0,   0,
    };
    put_words(m, BUFFER, fb, sizeof fb / sizeof *fb);
    send(m);
    assert_int_equal(word(m, 1), 0x80000000);
    assert_int_equal(word(m, 4), 0x80000008);
    assert_int_equal(word(m, 5), 640);
    assert_int_equal(word(m, 6), 480);
    uint32_t vc_base = word(m, 24), arm_size = word(m, 30);
    assert_int_equal(vc_base, arm_size);
    uint32_t address = word(m, 34), size = word(m, 35);
    assert_int_equal(size, 640 * 480 * 4);
    assert_int_equal(address & 0xc0000000, 0xc0000000);
    assert_true((address & 0x3fffffff) >= vc_base);
    assert_non_null(tess_vc4_memory(m->vc4, address, size));

    struct tess_pi_framebuffer shown;
    tess_pi_get_framebuffer(m->pi, &shown);
    assert_int_equal(shown.address, address);
    assert_int_equal(shown.pitch, 2560);
    assert_int_equal(shown.depth, 32);
    assert_int_equal(m->findings, 0);
}

/* All four cores of Bigenvesim/PacmanAnimation send one buffer. The second request has the
 * framebuffer's address as its alignment. */
TEST_WITH(framebuffer_allocated_again, set_up, tear_down)
{
    struct machine *m = *fixture;
    send_tag(m, 0x40001, 8, 16, 0, 0, 0);
    uint32_t address = word(m, VALUE), size = word(m, VALUE + 1);
    assert_int_not_equal(address & (address - 1), 0);
    send_tag(m, 0x40001, 8, address, size, 0, 0);
    assert_int_equal(word(m, VALUE), address);
    assert_int_equal(word(m, VALUE + 1), size);
}

TEST_WITH(clocks_and_power, set_up, tear_down)
{
    struct machine *m = *fixture;
    /* PeterLemon's demos set the V3D clock (id 5) to 250 MHz before they enable the QPUs. */
    send_tag(m, 0x38002, 8, 5, 250000000, 0, 0);
    assert_int_equal(word(m, REQUEST), 0x80000008);
    assert_int_equal(word(m, VALUE + 1), 250000000);
    send_tag(m, 0x30002, 8, 5, 0, 0, 0);
    assert_int_equal(word(m, VALUE + 1), 250000000);
    /* asurati/x03 switches on power domain 11. */
    send_tag(m, 0x38030, 8, 11, 1, 0, 0);
    assert_int_equal(word(m, VALUE + 1), 1);
    assert_true(tess_pi_v3d_enabled(m->pi));
    send_tag(m, 0x28001, 8, 3, 3, 0, 0);
    assert_int_equal(word(m, VALUE + 1), 1);
    send_tag(m, 0x20001, 8, 77, 0, 0, 0);
    assert_int_equal(word(m, VALUE + 1), 2); /* this device id is undefined */
}

TEST_WITH(display_settings, set_up, tear_down)
{
    struct machine *m = *fixture;
    send_tag(m, 0x48006, 4, 0, 0, 0, 0);
    assert_int_equal(word(m, VALUE), 0);
    send_tag(m, 0x40006, 4, 7, 0, 0, 0);
    assert_int_equal(word(m, VALUE), 0);
    send_tag(m, 0x48005, 4, 16, 0, 0, 0);
    assert_int_equal(word(m, VALUE), 16);
    send_tag(m, 0x48005, 4, 13, 0, 0, 0); /* refused: the reply has the old value */
    assert_int_equal(word(m, VALUE), 16);
    send_tag(m, 0x40008, 4, 0, 0, 0, 0);
    assert_int_equal(word(m, VALUE), 1280); /* a row has 640 pixels of 2 bytes */
    send_tag(m, 0x48009, 8, 4, 5, 0, 0);
    assert_int_equal(word(m, VALUE), 4);
    assert_int_equal(word(m, VALUE + 1), 5);
}

TEST_WITH(unknown_tag_is_a_partial_response, set_up, tear_down)
{
    struct machine *m = *fixture;
    const uint32_t tags[] = {48, 0, 0x00099999, 4, 4, 7, 0x00010005, 8, 0, 0, 0, 0};
    put_words(m, BUFFER, tags, 12);
    send(m);
    assert_int_equal(word(m, 1), 0x80000001);
    assert_int_equal(word(m, 4), 4);
    assert_int_equal(word(m, 8), 0x80000008);
}

TEST_WITH(malformed_buffers, set_up, tear_down)
{
    struct machine *m = *fixture;
    static const uint32_t cases[][6] = {
        /* clang-format off */
        /* the value buffer is larger than the whole buffer */
        {24,         0, 0x00010005, 0xffffffff, 0, 0},
        {24,         0, 0x00010005, 8,          0, 1}, /* truncated inside the tag */
        {12,         0, 5,          0,          0, 0}, /* consists of a tag id only */
        {0,          0, 0,          0,          0, 0}, /* a size of 0 is impossible */
        {0x7fffffff, 0, 0,          0,          0, 0},
        {0xffffffff, 0, 0x00010005, 8,          0, 0},
        /* clang-format on */
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_words(m, BUFFER, cases[i], 6);
        send(m);
        assert_int_equal(word(m, 1), 0x80000001);
        assert_string_equal(m->rule, "pi-mailbox-buffer");
    }
    tess_pi_write(m->pi, TESS_PI_MAIL_WRITE, 0x3ffffff0 | PROPERTY);
    assert_string_equal(m->rule, "pi-mailbox-buffer");
    tess_pi_write(m->pi, TESS_PI_MAIL_WRITE, BUFFER | 4);
    assert_string_equal(m->rule, "not-modelled");
    tess_pi_write(m->pi, 0x200000, 1);
    assert_string_equal(m->rule, "not-modelled");
}

TEST_WITH(unread_replies_are_bounded, set_up, tear_down)
{
    struct machine *m = *fixture;
    for (unsigned i = 0; i < 20; i++)
        send_tag(m, 1, 4, 0, 0, 0, 0);
    assert_string_equal(m->rule, "pi-mailbox-full");
    assert_int_equal(m->findings, 8 + 1); /* eight findings of one kind, and a note about further
                                             ones */
    assert_int_equal(tess_pi_read(m->pi, TESS_PI_MAIL_STATUS), UINT32_C(1) << 31);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(tess_pi_read(m->pi, TESS_PI_MAIL_READ), BUFFER | PROPERTY);
    assert_int_equal(tess_pi_read(m->pi, TESS_PI_MAIL_READ), 0);
    assert_string_equal(m->rule, "pi-mailbox-empty");
}

TEST_WITH(answers_are_no_requests, set_up, tear_down)
{
    struct machine *m = *fixture;
    const uint32_t again[7] = {28, UINT32_C(0x80000000), 1, 4};
    put_words(m, BUFFER, again, 7);
    send(m);
    assert_int_equal(word(m, 1), 0x80000000);
    assert_string_equal(m->rule, "pi-mailbox-request");
    assert_int_equal(m->place.address, BUFFER + 4); /* the word that must be 0 in a request */
}

TEST(kinds_of_findings)
{
    for (size_t i = 0; i < PI_FINDINGS; i++) {
        const struct tess_rule *finding = tess_rule_get(RULE_PI_FIRST + i);
        assert_ptr_equal(tess_rule_find(finding->id, TESS_RULES_OF_RUNS), finding);
        assert_memory_equal(finding->id, "pi-", 3);
    }
    assert_int_equal(tess_rule_find("pi-v3d-off", TESS_RULES_OF_RUNS)->level, TESS_ERROR);
    assert_null(tess_rule_find("pi-nothing", TESS_RULES_OF_RUNS));
    assert_null(tess_rule_find(NULL, TESS_RULES_OF_RUNS));
}
