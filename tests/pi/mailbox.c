/* SPDX-License-Identifier: MIT */
/* The property mailbox: the buffers of JayStation ("Initializing the GPU and Framebuffer"), the tags of the
 * public demos, and malformed buffers. Expected values: the firmware wiki's page
 * "Mailbox property interface" unless a comment says otherwise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <tessera/pi.h>

#include "base/bits.h"

enum { BUFFER = 0x1000, MEMORY = 0x10000, PROPERTY = 8 };

struct machine {
    struct tess_vc4 *vc4;
    struct tess_pi *pi;
    uint8_t *memory;
    unsigned findings;
    const char *rule;
};

static void count(void *user, const struct tess_diag *diag)
{
    struct machine *m = user;
    m->findings++;
    m->rule = diag->rule;
}

static int set_up(void **state)
{
    static struct machine m;
    m = (struct machine){0};
    assert_int_equal(tess_vc4_create(&m.vc4, NULL), TESS_OK);
    assert_int_equal(tess_vc4_map(m.vc4, 0, MEMORY, NULL), TESS_OK);
    m.memory = tess_vc4_memory(m.vc4, 0, MEMORY);
    struct tess_pi_options options = {
        .sink = {count, &m}
    };
    assert_int_equal(tess_pi_create(&m.pi, m.vc4, &options), TESS_OK);
    *state = &m;
    return 0;
}

static int tear_down(void **state)
{
    struct machine *m = *state;
    tess_pi_destroy(m->pi);
    tess_vc4_destroy(m->vc4);
    return 0;
}

static void put(struct machine *m, const uint32_t *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        store_le32(m->memory + BUFFER + 4 * i, words[i]);
}

static uint32_t word(const struct machine *m, unsigned index)
{
    return load_le32(m->memory + BUFFER + 4 * index);
}

static void send(struct machine *m)
{
    tess_pi_write(m->pi, TESS_PI_MAIL_WRITE, BUFFER | PROPERTY);
}

/* Sends one tag with up to four words; afterwards words 4.. of the buffer are the request word and values. */
static void send_tag(struct machine *m, uint32_t id, uint32_t bytes, uint32_t a, uint32_t b,
                     uint32_t c, uint32_t d)
{
    uint32_t words[] = {40, 0, id, bytes, bytes, a, b, c, d, 0};
    words[5 + bytes / 4] = 0;
    const uint32_t values[] = {a, b, c, d};
    for (unsigned i = 0; i < bytes / 4; i++)
        words[5 + i] = values[i];
    put(m, words, 10);
    send(m);
}

enum { REQUEST = 4, VALUE = 5 };

static void enable_qpu(void **state)
{
    struct machine *m = *state;
    assert_int_equal(tess_pi_read(m->pi, TESS_PI_V3D), 0xdeadbeef);
    assert_string_equal(m->rule, "pi-v3d-off");
    assert_int_equal(tess_pi_read(m->pi, TESS_PI_MAIL_STATUS), UINT32_C(1) << 30);

    /* JayStation's TAGS_STRUCT. */
    const uint32_t tags[] = {28, 0, 0x00030012, 4, 4, 1, 0};
    put(m, tags, 7);
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

static void seed_framebuffer(void **state)
{
    struct machine *m = *state;
    /* JayStation's FB_STRUCT, word for word; its physical display tag says request length 0. */
    const uint32_t fb[] = {
        36 * 4 + 4, 0,          0x00048003, 8, 0, 640, 480,        0x00048004, 8, 8,
        640,        480,        0x00048005, 4, 4, 32,  0x00048009, 8,          8, 0,
        0,          0x00010006, 8,          0, 0, 0,   0x00010005, 8,          0, 0,
        0,          0x00040001, 8,          8, 0, 0,   0,
    };
    put(m, fb, sizeof fb / sizeof *fb);
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

static void memory_life(void **state)
{
    struct machine *m = *state;
    /* flags 0x4 direct -> 0xC alias, 0x8 coherent -> 0x8, 0xC -> 0x4, 0 -> 0x0 (GPU_FFT gpu_fft_base.c) */
    static const struct {
        uint32_t flags, alias;
    } cases[] = {
        {0x4, 0xc0000000},
        {0x8, 0x80000000},
        {0xc, 0x40000000},
        {0,   0         }
    };
    for (unsigned i = 0; i < 4; i++) {
        send_tag(m, 0x3000c, 12, 5000, 4096, cases[i].flags, 0);
        uint32_t handle = word(m, VALUE);
        assert_int_not_equal(handle, 0);
        assert_int_equal(word(m, REQUEST), 0x80000004);
        send_tag(m, 0x3000d, 4, handle, 0, 0, 0);
        uint32_t address = word(m, VALUE);
        assert_int_equal(address & 0xc0000000, cases[i].alias);
        assert_int_equal(address % 4096, 0);
        assert_non_null(tess_vc4_memory(m->vc4, address, 5000));
        send_tag(m, 0x3000e, 4, handle, 0, 0, 0);
        assert_int_equal(word(m, VALUE), 0);
        send_tag(m, 0x3000f, 4, handle, 0, 0, 0);
        assert_int_equal(word(m, VALUE), 0);
        assert_null(tess_vc4_memory(m->vc4, address, 1));
        send_tag(m, 0x3000f, 4, handle, 0, 0, 0);
        assert_int_equal(word(m, VALUE), UINT32_MAX);
    }
}

static void refused_memory(void **state)
{
    struct machine *m = *state;
    static const uint32_t sizes[] = {0, 0x7fffffff, UINT32_MAX, 65u << 20};
    for (unsigned i = 0; i < 4; i++) {
        send_tag(m, 0x3000c, 12, sizes[i], 4096, 4, 0);
        assert_int_equal(word(m, VALUE), 0);
    }
    send_tag(m, 0x3000c, 12, 4096, 3, 4, 0); /* alignment that is no power of two */
    assert_int_equal(word(m, VALUE), 0);
    send_tag(m, 0x3000d, 4, 99, 0, 0, 0);
    assert_int_equal(word(m, VALUE), 0);
}

static void clocks_and_power(void **state)
{
    struct machine *m = *state;
    /* PeterLemon's demos set the V3D clock (id 5) to 250 MHz before enabling the QPUs. */
    send_tag(m, 0x38002, 8, 5, 250000000, 0, 0);
    assert_int_equal(word(m, REQUEST), 0x80000008);
    assert_int_equal(word(m, VALUE + 1), 250000000);
    send_tag(m, 0x30002, 8, 5, 0, 0, 0);
    assert_int_equal(word(m, VALUE + 1), 250000000);
    /* asurati x03 switches domain 11 on. */
    send_tag(m, 0x38030, 8, 11, 1, 0, 0);
    assert_int_equal(word(m, VALUE + 1), 1);
    assert_true(tess_pi_v3d_enabled(m->pi));
    send_tag(m, 0x28001, 8, 3, 3, 0, 0);
    assert_int_equal(word(m, VALUE + 1), 1);
    send_tag(m, 0x20001, 8, 77, 0, 0, 0);
    assert_int_equal(word(m, VALUE + 1), 2); /* no such device */
}

static void display_settings(void **state)
{
    struct machine *m = *state;
    send_tag(m, 0x48006, 4, 0, 0, 0, 0);
    assert_int_equal(word(m, VALUE), 0);
    send_tag(m, 0x40006, 4, 7, 0, 0, 0);
    assert_int_equal(word(m, VALUE), 0);
    send_tag(m, 0x48005, 4, 16, 0, 0, 0);
    assert_int_equal(word(m, VALUE), 16);
    send_tag(m, 0x48005, 4, 13, 0, 0, 0); /* refused: the old value comes back */
    assert_int_equal(word(m, VALUE), 16);
    send_tag(m, 0x40008, 4, 0, 0, 0, 0);
    assert_int_equal(word(m, VALUE), 1280); /* 640 pixels of 2 bytes */
    send_tag(m, 0x48009, 8, 4, 5, 0, 0);
    assert_int_equal(word(m, VALUE), 4);
    assert_int_equal(word(m, VALUE + 1), 5);
}

/* A program that only raises the host interrupt and ends, through tag 0x30011. */
static void execute_program(void **state)
{
    struct machine *m = *state;
    /* mov irq, 1 is the NV demo's word for "ori host_int, 1, 1"; then program end and two nops. */
    static const uint32_t code[] = {0x159c1fc0, 0xd00209a7, 0x009e7000, 0x300009e7,
                                    0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7};
    for (unsigned i = 0; i < 8; i++)
        store_le32(m->memory + 0x2000 + 4 * i, code[i]);
    store_le32(m->memory + 0x3000, 0);
    store_le32(m->memory + 0x3004, 0x2000);
    send_tag(m, 0x30011, 16, 1, 0x3000, 1, 1000);
    assert_int_equal(word(m, 1), 0x80000000);
    assert_int_equal(word(m, VALUE), 0);
    struct tess_vc4_stats stats;
    tess_vc4_get_stats(m->vc4, &stats);
    assert_int_equal(stats.instructions, 4);
    assert_int_equal(tess_vc4_read(m->vc4, V3D_DBQITC), 0);
    assert_int_equal(m->findings, 0);
    /* Without the interrupt, the firmware waits until its time is over. */
    store_le32(m->memory + 0x3004, 0x2008);
    send_tag(m, 0x30011, 16, 1, 0x3000, 0, 1000);
    assert_int_equal(word(m, VALUE), 0x80000000);
    assert_string_equal(m->rule, "pi-execute-no-interrupt");
}

/* More programs than QPUs and places in the queue: py-videocore's driver of 2015 allows 1024 at once. Each takes its
 * place in a semaphore, of which there are 15, and the last one lets the first go. */
static void execute_many_programs(void **state)
{
    struct machine *m = *state;
    static const uint32_t code[] = {0x159c1fc0, 0xd00209a7, 0x009e7000, 0x300009e7,
                                    0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7};
    for (unsigned i = 0; i < 8; i++)
        store_le32(m->memory + 0x2000 + 4 * i, code[i]);
    store_le32(m->memory + 0x1ff8, 0x00000010); /* acquires semaphore 0 */
    store_le32(m->memory + 0x1ffc, 0xe80009e7);
    store_le32(m->memory + 0x1ff0, 0x00000000); /* releases it, in front of that */
    store_le32(m->memory + 0x1ff4, 0xe80009e7);
    for (unsigned i = 0; i < 100; i++) {
        store_le32(m->memory + 0x3000 + 8 * i, 0);
        store_le32(m->memory + 0x3004 + 8 * i, i == 0 ? 0x1ff8 : i == 99 ? 0x1ff0 : 0x2000);
    }
    /* The last one takes what it gave, so that one of the two waits for ever. */
    send_tag(m, 0x30011, 16, 100, 0x3000, 1, 1000);
    assert_int_equal(word(m, VALUE), 0x80000000);
    assert_int_equal(tess_vc4_read(m->vc4, V3D_SRQCS) & 0xffff3f, 99u << 16 | 100u << 8);
    m->findings = 0;
    send_tag(m, 0x30011, 16, 5000, 0x3000, 1, 1000);
    assert_int_equal(word(m, VALUE), 0x80000000);
    assert_string_equal(m->rule, "pi-execute-qpu");
}

/* GPU_FFT and py-videocore use 64 rows of the VPM after tag 0x30012; bare metal has what it writes
 * itself. */
static void enabling_reserves_vpm_rows(void **state)
{
    struct machine *m = *state;
    assert_int_equal(tess_vc4_read(m->vc4, V3D_VPMBASE), 0);
    send_tag(m, 0x30012, 4, 1, 0, 0, 0);
    assert_int_equal(tess_vc4_read(m->vc4, V3D_VPMBASE), 16);
    tess_vc4_write(m->vc4, V3D_VPMBASE, 8);
    send_tag(m, 0x30012, 4, 1, 0, 0, 0);
    assert_int_equal(tess_vc4_read(m->vc4, V3D_VPMBASE), 8);
}

static void unknown_tag_is_a_partial_response(void **state)
{
    struct machine *m = *state;
    const uint32_t tags[] = {48, 0, 0x00099999, 4, 4, 7, 0x00010005, 8, 0, 0, 0, 0};
    put(m, tags, 12);
    send(m);
    assert_int_equal(word(m, 1), 0x80000001);
    assert_int_equal(word(m, 4), 4);
    assert_int_equal(word(m, 8), 0x80000008);
}

static void malformed_buffers(void **state)
{
    struct machine *m = *state;
    static const uint32_t cases[][6] = {
        {24,         0, 0x00010005, 0xffffffff, 0, 0}, /* value buffer larger than the buffer */
        {24,         0, 0x00010005, 8,          0, 1}, /* cut off inside the tag */
        {12,         0, 5,          0,          0, 0}, /* a tag id and nothing else */
        {0,          0, 0,          0,          0, 0}, /* impossible size */
        {0x7fffffff, 0, 0,          0,          0, 0},
        {0xffffffff, 0, 0x00010005, 8,          0, 0},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        put(m, cases[i], 6);
        send(m);
        assert_int_equal(word(m, 1), 0x80000001);
        assert_string_equal(m->rule, "pi-mailbox-buffer");
    }
    tess_pi_write(m->pi, TESS_PI_MAIL_WRITE, 0x3ffffff0 | PROPERTY);
    assert_string_equal(m->rule, "pi-mailbox-buffer");
    tess_pi_write(m->pi, TESS_PI_MAIL_WRITE, BUFFER | 1);
    assert_string_equal(m->rule, "not-modelled");
    tess_pi_write(m->pi, 0x200000, 1);
    assert_string_equal(m->rule, "not-modelled");
}

static void unread_replies_are_bounded(void **state)
{
    struct machine *m = *state;
    for (unsigned i = 0; i < 20; i++)
        send_tag(m, 1, 4, 0, 0, 0, 0);
    assert_int_equal(tess_pi_read(m->pi, TESS_PI_MAIL_STATUS), UINT32_C(1) << 31);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(tess_pi_read(m->pi, TESS_PI_MAIL_READ), BUFFER | PROPERTY);
    assert_int_equal(tess_pi_read(m->pi, TESS_PI_MAIL_READ), 0);
    assert_string_equal(m->rule, "pi-mailbox-empty");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(enable_qpu),
        TEST(seed_framebuffer),
        TEST(memory_life),
        TEST(refused_memory),
        TEST(clocks_and_power),
        TEST(display_settings),
        TEST(enabling_reserves_vpm_rows),
        TEST(execute_program),
        TEST(execute_many_programs),
        TEST(unknown_tag_is_a_partial_response),
        TEST(malformed_buffers),
        TEST(unread_replies_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
