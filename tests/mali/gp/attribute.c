/* SPDX-License-Identifier: MIT */
/* attribute.c - tests attributes in memory, in each format, as a program loads them.
 *
 * Expected values were calculated by hand from docs/hardware/utgard.md, section 15. Signed
 * normalised numbers follow docs/utgard/gp.md. */
#include "../../register.h"
#include "rig.h"

static const char through[] =
    "load.attr 0; acc0.mov attr.x; acc1.mov attr.y; mul0.mov attr.z; mul1.mov attr.w\n"
    "    ; store0.varying 0, acc0, acc1; store1.varying 0, mul0, mul1\n";

struct format {
    enum tess_gp_format format;
    uint32_t components;
    uint8_t bytes[16]; /* data of one vertex */
    float wanted[4];
};

static const struct format formats[] = {
    /* clang-format off */
    /* clang-format off */
    {TESS_GP_F32,   4, {0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 1, 0, 0, 0, 0, 0, 0x80, 0x7f},
     {1, -2, 0, 0x1p127f * 2}},
    {TESS_GP_F32,   1, {0, 0, 0x40, 0x40},                      {3,       0,        0,    1}},
    {TESS_GP_F32,   3, {0, 0, 0x40, 0x40, 0, 0, 0x80, 0x3f, 0, 0, 0x80, 0x3f}, {3, 1, 1, 1}},
    {TESS_GP_I32,   2, {0xfe, 0xff, 0xff, 0xff, 1, 0, 0, 1},    {-2,      16777216, 0,    1}},
    {TESS_GP_U32,   2, {0xff, 0xff, 0xff, 0xff, 3, 0, 0, 1},    {0x1p32f, 16777220, 0,    1}},
    {TESS_GP_F16,   4, {0, 0x3c, 0x01, 0, 0, 0xfc, 0xff, 0x7b},
     {1, 0x1p-24f, -0x1p127f * 2, 65504}},
    {TESS_GP_I16,   2, {0xff, 0xff, 0, 0x80},                   {-1,      -32768,   0,    1}},
    {TESS_GP_U16,   2, {0xff, 0xff, 0, 0x80},                   {65535,   32768,    0,    1}},
    {TESS_GP_I8,    3, {0xff, 0x80, 0x7f},                      {-1,      -128,     127,  1}},
    {TESS_GP_U8,    4, {0xff, 0x80, 0x7f, 2},                   {255,     128,      127,  2}},
    {TESS_GP_I8N,   4, {0x7f, 0x80, 0x81, 0},                   {1,       -1,       -1,   0}},
    {TESS_GP_U8N,   4, {0xff, 0, 51, 102},                      {1,       0,        0.2f, 0.4f}},
    {TESS_GP_I16N,  3, {0xff, 0x7f, 0, 0x80, 1, 0x80},          {1,       -1,       -1,   1}},
    {TESS_GP_U16N,  2, {0xff, 0xff, 0x33, 0x33},                {1,       0.2f,     0,    1}},
    {TESS_GP_I32N,  2, {0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0x80}, {1,       -1,       0,    1}},
    {TESS_GP_U32N,  2, {0xff, 0xff, 0xff, 0xff, 0x33, 0x33, 0x33, 0x33}, {1, 0.2f, 0, 1}},
    {TESS_GP_FIXED, 2, {0, 0x80, 1, 0, 0, 0xc0, 0xff, 0xff},    {1.5f,    -0.25f,   0,    1}},
    /* clang-format on */
    /* clang-format on */
};

TEST(test_formats)
{
    struct rig rig = {0};
    rig_load(&rig, through);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        const struct format *format = &formats[i];
        rig.attributes[0] = (struct tess_gp_attribute){format->bytes, sizeof format->bytes, 0,
                                                       format->format, format->components};
        assert_int_equal(rig_run(&rig, 3, 2), TESS_OK);
        for (unsigned c = 0; c < 4; c++)
            if (rig.out[3][c] != format->wanted[c] || rig.out[4][c] != format->wanted[c])
                fail_msg("%s, component %u: %.9g, not %.9g", tess_gp_format_name(format->format), c,
                         (double)rig.out[3][c], (double)format->wanted[c]);
    }
    assert_int_equal(rig.findings, 0);
    rig_free(&rig);
}

/* The stride between vertices may have any value, and the data may start at any address. */
TEST(test_stride)
{
    static uint8_t bytes[5 * RIG_VERTICES + 1];
    struct rig rig = {0};
    rig_load(&rig, through);
    for (unsigned v = 0; v < RIG_VERTICES; v++) {
        bytes[1 + 5 * v] = (uint8_t)v;
        bytes[3 + 5 * v] = 7;
    }
    rig.attributes[0] = (struct tess_gp_attribute){bytes + 1, sizeof bytes - 1, 5, TESS_GP_U8, 3};
    assert_int_equal(rig_run(&rig, 10, 500), TESS_OK);
    for (unsigned v = 10; v < 510; v++) {
        assert_float_equal(rig.out[v][0], (float)(v % 256), 0);
        assert_float_equal(rig.out[v][2], 7, 0);
    }
    assert_int_equal(rig.findings, 0);
    rig_free(&rig);
}

TEST(test_missing)
{
    struct rig rig = {0};
    rig_load(&rig, through);
    rig.attributes[0].data = NULL;
    assert_int_equal(rig_run(&rig, 0, 1), TESS_OK);
    const float wanted[4] = {0, 0, 0, 1};
    assert_memory_equal(rig.out[0], wanted, sizeof wanted);
    assert_int_equal(rig.findings, 1);
    assert_string_equal(rig.rules[0], "gp-attribute-missing");
    rig_free(&rig);
}

/* The last vertex may end at the end of the buffer. No byte after the end may be read, even if a
 * vertex number is very large. */
TEST(test_end)
{
    struct rig rig = {0};
    rig_load(&rig, through);
    rig.attributes[0].size = 16 * 9 + 16;
    rig.in[9][3] = 5;
    assert_int_equal(rig_run(&rig, 0, 10), TESS_OK);
    assert_float_equal(rig.out[9][3], 5, 0);
    assert_int_equal(rig.findings, 0);
    rig.attributes[0].stride = SIZE_MAX / 2;
    rig.varyings[0].stride = SIZE_MAX / 2;
    assert_int_equal(rig_run(&rig, SIZE_MAX - 50, 40), TESS_OK);
    assert_int_equal(rig.findings,
                     5); /* findings: the load, and four components outside of the buffer */
    rig_free(&rig);
}

/* A denormal is loaded as 0, unless denormals are kept. */
TEST(test_denormals)
{
    for (int keep = 0; keep < 2; keep++) {
        struct rig rig = {.options = {.choices = {.keep_denormals = keep == 1}}};
        rig_load(&rig, through);
        rig.in[0][0] = -0x1p-149f;
        assert_int_equal(rig_run(&rig, 0, 1), TESS_OK);
        assert_true(rig.out[0][0] == (keep ? -0x1p-149f : 0));
        rig_free(&rig);
    }
}
