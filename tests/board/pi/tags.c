/* SPDX-License-Identifier: MIT */
/* tags.c - tests all tags: the lengths of their replies, and the effects of the less usual tags.
 * Expected values are from the firmware wiki's page "Mailbox property interface", from
 * videocore/mailbox.py of nineties/py-videocore, which asserts lengths, and from Linux' drivers
 * for tags that the wiki omits. */
#include "../../register.h"
#include "board/pi/pi.h"
#include "machine.h"

/* A buffer in host memory that contains one tag. */
struct request {
    uint32_t size, code, id, value_size, length;
    uint32_t value[300];
};

static void prepare(struct request *request, uint32_t id, uint32_t value_size)
{
    memset(request, 0, sizeof *request);
    request->size = sizeof *request;
    request->id = id;
    request->value_size = value_size;
}

static uint32_t carry_out(struct machine *m, struct request *request)
{
    uint32_t code = tess_pi_property(m->pi, request, sizeof *request);
    assert_int_equal(request->code, code);
    return code;
}

TEST_WITH(lengths_of_replies, set_up, tear_down)
{
    struct machine *m = *fixture;
    static const uint32_t expected[][2] = {
        /* clang-format off */
        {0x00000001, 4},
        {0x00010001, 4},
        {0x00010002, 4},
        {0x00010003, 6},
        {0x00010004, 8},
        {0x00010005, 8},
        {0x00010006, 8},
        {0x00020001, 8},
        {0x00020002, 8},
        {0x00028001, 8},
        {0x00030001, 8},
        {0x00038001, 8},
        {0x00030002, 8},
        {0x00038002, 8},
        {0x00030004, 8},
        {0x00030007, 8},
        {0x00030009, 8},
        {0x00038009, 8},
        {0x00030003, 8},
        {0x00038003, 8},
        {0x00030005, 8},
        {0x00030008, 8},
        {0x00030006, 8},
        {0x0003000a, 8},
        {0x0003000c, 4},
        {0x0003000d, 4},
        {0x0003000e, 4},
        {0x0003000f, 4},
        {0x00030012, 4},
        {0x00030014, 8},
        {0x00030020, 136},
        {0x00030046, 4},
        {0x00030047, 8},
        {0x00040001, 8},
        {0x00048001, 0},
        {0x00040002, 4},
        {0x00040003, 8},
        {0x00044003, 8},
        {0x00048003, 8},
        {0x00040004, 8},
        {0x00044004, 8},
        {0x00048004, 8},
        {0x00040005, 4},
        {0x00044005, 4},
        {0x00048005, 4},
        {0x00040006, 4},
        {0x00044006, 4},
        {0x00048006, 4},
        {0x00040007, 4},
        {0x00044007, 4},
        {0x00048007, 4},
        {0x00040008, 4},
        {0x00040009, 8},
        {0x00044009, 8},
        {0x00048009, 8},
        {0x0004000a, 16},
        {0x0004400a, 16},
        {0x0004800a, 16},
        {0x0004000b, 1024},
        {0x0004400b, 4},
        {0x0004800b, 4},
        {0x00008010, 4},
        {0x00008011, 4},
        {0x00060001, 4},
        /* clang-format on */
    };
    for (unsigned i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct request request;
        prepare(&request, expected[i][0], sizeof request.value - 4);
        assert_int_equal(carry_out(m, &request), 0x80000000);
        assert_int_equal(request.length, 0x80000000 | expected[i][1]);
    }
}

/* A reply that is larger than its buffer is cut off. The reply's length is still the full
 * length. */
TEST_WITH(replies_are_cut, set_up, tear_down)
{
    struct machine *m = *fixture;
    struct request request;
    prepare(&request, 0x00010006, 4);
    assert_int_equal(carry_out(m, &request), 0x80000000);
    assert_int_equal(request.length, 0x80000008);
    assert_int_equal(request.value[0], 448 << 20);
    assert_int_equal(request.value[1], 0);
}

/* By clk-raspberrypi.c, the list has pairs of parent and clock. */
TEST_WITH(the_list_of_clocks, set_up, tear_down)
{
    struct machine *m = *fixture;
    struct request request;
    prepare(&request, 0x00010007, 1000);
    assert_int_equal(carry_out(m, &request), 0x80000000);
    unsigned pairs = (request.length & 0x7fffffff) / 8;
    bool v3d = false;
    for (unsigned i = 0; i < pairs; i++) {
        assert_int_equal(request.value[2 * i], 0);
        v3d |= request.value[2 * i + 1] == 5;
    }
    assert_true(v3d);
}

TEST_WITH(the_command_line, set_up, tear_down)
{
    struct machine *m = *fixture;
    struct request request;
    char text[1000] = "";
    prepare(&request, 0x00050001, 1000);
    assert_int_equal(carry_out(m, &request), 0x80000000);
    memcpy(text, request.value, request.length & 0x7fffffff);
    assert_int_equal(strlen(text), request.length & 0x7fffffff);
    assert_non_null(strstr(text, "vc_mem.mem_base=0x1c000000 vc_mem.mem_size=0x20000000"));
}

TEST_WITH(the_command_line_of_a_kernel, set_up, tear_down)
{
    struct machine *m = *fixture;
    struct request request;
    char text[1000] = "";
    pi_set_kernel_line(m->pi, "logdev=ttyS1");
    prepare(&request, 0x00050001, 1000);
    assert_int_equal(carry_out(m, &request), 0x80000000);
    memcpy(text, request.value, request.length & 0x7fffffff);
    assert_non_null(strstr(text, " logdev=ttyS1"));
    assert_null(strstr(text, "root="));
}

static uint32_t rate(struct machine *m, uint32_t tag, uint32_t clock, uint32_t value)
{
    struct request request;
    prepare(&request, tag, 12);
    request.value[0] = clock;
    request.value[1] = value;
    assert_int_equal(carry_out(m, &request), 0x80000000);
    assert_int_equal(request.value[0], clock);
    return request.value[1];
}

/* Clock rates of a Pi Zero by the table of raspberrypi/documentation. */
TEST_WITH(clock_rates, set_up, tear_down)
{
    struct machine *m = *fixture;
    enum { GET = 0x30002, SET = 0x38002, MOST = 0x30004, LEAST = 0x30007, MEASURED = 0x30047 };
    assert_int_equal(rate(m, GET, TESS_PI_CLOCK_V3D, 0), 300000000);
    assert_int_equal(rate(m, MOST, TESS_PI_CLOCK_V3D, 0), 300000000);
    assert_int_equal(rate(m, LEAST, TESS_PI_CLOCK_V3D, 0), 250000000);
    assert_int_equal(rate(m, LEAST, TESS_PI_CLOCK_ARM, 0), 700000000);
    /* The firmware leaves the core clock at its least rate, with which the mini UART counts. */
    assert_int_equal(rate(m, GET, TESS_PI_CLOCK_CORE, 0), 250000000);
    assert_int_equal(rate(m, MOST, TESS_PI_CLOCK_CORE, 0), 400000000);
    assert_int_equal(rate(m, SET, TESS_PI_CLOCK_V3D, 260000000), 260000000);
    assert_int_equal(rate(m, MEASURED, TESS_PI_CLOCK_V3D, 0), 260000000);
    assert_int_equal(tess_pi_clock_rate(m->pi, TESS_PI_CLOCK_V3D), 260000000);
    assert_int_equal(rate(m, SET, TESS_PI_CLOCK_V3D, UINT32_MAX), 300000000);
    assert_int_equal(rate(m, SET, TESS_PI_CLOCK_V3D, 1), 250000000);
    assert_int_equal(rate(m, GET, 99, 0), 0); /* this clock id is undefined */
    assert_int_equal(rate(m, SET, 99, 1), 0);
    /* Setting the ARM's highest rate also enables turbo if the third word ("skip setting turbo")
     * is 0. */
    assert_int_equal(rate(m, 0x30009, 0, 0), 0);
    assert_int_equal(rate(m, SET, TESS_PI_CLOCK_ARM, 1000000000), 1000000000);
    assert_int_equal(rate(m, 0x30009, 0, 0), 1);
    assert_int_equal(rate(m, 0x38009, 0, 0), 0);
}

TEST_WITH(the_palette, set_up, tear_down)
{
    struct machine *m = *fixture;
    struct request request;
    static const struct {
        uint32_t first, count, bytes, answer;
    } cases[] = {
        /* clang-format off */
        /* clang-format off */
        {0,          2,          16,   0},
        {255,        1,          12,   0},
        {255,        2,          16,   1},
        {256,        1,          12,   1},
        {0,          0,          8,    1},
        {0,          2,          12,   1}, /* the last colour is missing */
        {0,          256,        1032, 0},
        {1,          UINT32_MAX, 16,   1},
        {UINT32_MAX, 1,          16,   1},
        /* clang-format on */
        /* clang-format on */
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (uint32_t tag = 0x4400b; tag <= 0x4800b; tag += 0x4000) {
            prepare(&request, tag, cases[i].bytes);
            request.value[0] = cases[i].first;
            request.value[1] = cases[i].count;
            if (cases[i].bytes > 8)
                request.value[2] = 0xff00ff00 + i;
            assert_int_equal(carry_out(m, &request), 0x80000000);
            assert_int_equal(request.value[0], cases[i].answer);
        }
    }
    prepare(&request, 0x4000b, 1024);
    carry_out(m, &request);
    assert_int_equal(request.value[0], 0xff00ff06);
}

/* By gpio-raspberrypi-exp.c, the reply has 0 in place of the pin's number. If the pin does not
 * exist, the reply has the number. */
TEST_WITH(pins, set_up, tear_down)
{
    struct machine *m = *fixture;
    struct request request;
    prepare(&request, 0x38043, 24);
    memcpy(request.value, (const uint32_t[]){130, 1, 1, 0, 1, 1}, 24);
    assert_int_equal(carry_out(m, &request), 0x80000000);
    assert_int_equal(request.value[0], 0);
    prepare(&request, 0x30043, 20);
    request.value[0] = 130;
    carry_out(m, &request);
    assert_memory_equal(request.value, ((const uint32_t[]){0, 1, 1, 0, 1}), 20);
    prepare(&request, 0x30041, 8);
    request.value[0] = 130;
    carry_out(m, &request);
    assert_int_equal(request.value[1], 1);
    /* No monitor is connected: HDMI_HPD_N, pin 4 of the expander, is high. */
    prepare(&request, 0x30041, 8);
    request.value[0] = 132;
    carry_out(m, &request);
    assert_int_equal(request.value[1], 1);
    prepare(&request, 0x38041, 8);
    request.value[0] = 4000;
    carry_out(m, &request);
    assert_int_equal(request.value[0], 4000);
}

static void note_pin(void *user, unsigned pin, bool level)
{
    uint32_t *changes = user;
    *changes = *changes << 16 | pin << 1 | level;
}

/* Changes of the I/O expander's pins are reported: 130 goes to 1, and then to 0 by tag 0x38043. Pin
 * 47 is not on the expander. */
TEST(expander_pins)
{
    static const uint32_t states[][2] = {{130, 1}, {130, 1}, {47, 1}};
    uint32_t changes = 0;
    const struct tess_pi_options options = {.pin = note_pin, .pin_user = &changes};
    struct machine m;
    struct request request;
    machine_open(&m, &options, 1);
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        prepare(&request, 0x38041, 8);
        memcpy(request.value, states[i], 8);
        carry_out(&m, &request);
        assert_int_equal(changes, 130 << 1 | 1);
    }
    prepare(&request, 0x38043, 24);
    request.value[0] = 130;
    carry_out(&m, &request);
    assert_int_equal(changes, (130 << 1 | 1) << 16 | 130 << 1);
    machine_close(&m);
}

/* A bit of one-time memory can be set but not cleared. */
TEST_WITH(one_time_memory, set_up, tear_down)
{
    struct machine *m = *fixture;
    struct request request;
    for (uint32_t i = 1; i <= 2; i++) {
        prepare(&request, 0x38021, 16);
        memcpy(request.value, (const uint32_t[]){6, 2, i, 0x10 * i}, 16);
        assert_int_equal(carry_out(m, &request), 0x80000000);
        assert_int_equal(request.length, 0x80000010);
    }
    prepare(&request, 0x30021, 16);
    memcpy(request.value, (const uint32_t[]){6, 2}, 8);
    carry_out(m, &request);
    assert_int_equal(request.value[2], 3);
    assert_int_equal(request.value[3], 0x30);
    prepare(&request, 0x30021, 40);
    memcpy(request.value, (const uint32_t[]){7, 2}, 8); /* continues beyond the last row */
    carry_out(m, &request);
    assert_int_equal(request.length, 0x80000008);
}

/* librpimemmgr passes the bus address, not the handle, to the unlock tag. */
TEST_WITH(unlocking_by_address, set_up, tear_down)
{
    struct machine *m = *fixture;
    struct request request;
    uint32_t handle = tess_pi_allocate(m->pi, 1, 0, 4), address = tess_pi_lock(m->pi, handle);
    prepare(&request, 0x3000e, 4);
    request.value[0] = address;
    carry_out(m, &request);
    assert_int_equal(request.value[0], 0);
    prepare(&request, 0x3000e, 4);
    request.value[0] = address;
    carry_out(m, &request);
    assert_int_equal(request.value[0], UINT32_MAX); /* the memory is already unlocked */
}

TEST_WITH(power_domains, set_up, tear_down)
{
    struct machine *m = *fixture;
    assert_int_equal(rate(m, 0x38030, 4, 1), 1);
    assert_int_equal(rate(m, 0x30030, 4, 0), 1);
    assert_int_equal(rate(m, 0x30030, 5, 0), 0);
    assert_int_equal(rate(m, 0x38030, 4, 0), 0);
    assert_int_equal(rate(m, 0x38030, 77, 1), 0);
    assert_false(tess_pi_v3d_enabled(m->pi));
}

/* A buffer in host memory. The first word is its size. */
TEST_WITH(sizes_of_host_buffers, set_up, tear_down)
{
    struct machine *m = *fixture;
    uint32_t words[8] = {32, 0, 0x10002, 4, 0, 0, 0, 0};
    assert_int_equal(tess_pi_property(m->pi, words, 32), 0x80000000);
    assert_int_equal(words[5], 0x9000c1);
    static const uint32_t wrong[] = {0, 4, 8, 11, 33, UINT32_MAX};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        words[0] = wrong[i];
        words[1] = 0;
        m->rule = "";
        assert_int_equal(tess_pi_property(m->pi, words, 32), 0x80000001);
        assert_int_equal(words[1], 0x80000001);
        assert_string_equal(m->rule, "pi-mailbox-buffer");
    }
    assert_int_equal(tess_pi_property(m->pi, words, 4), 0x80000001);
    assert_int_equal(tess_pi_property(m->pi, words, 0), 0x80000001);
}

/* fraka3000/Mandelbrot-qpu sends 0x48009 in this form: 28 bytes, without an end tag. */
TEST_WITH(tags_that_fill_the_buffer, set_up, tear_down)
{
    struct machine *m = *fixture;
    uint32_t words[7] = {28, 0, 0x48009, 8, 8, 0, 0};
    m->rule = "";
    assert_int_equal(tess_pi_property(m->pi, words, sizeof words), 0x80000000);
    assert_int_equal(words[4], 0x80000008);
    assert_string_equal(m->rule, "pi-mailbox-end");
    assert_int_equal(m->place.known, 0); /* a buffer in host memory has no bus address */
}
