/* SPDX-License-Identifier: MIT */
/* vertex_fetch.c - tests vertex fetches: formats, numbers, strides, ends of buffers, byte order,
 * memory.
 *
 * Expected values were calculated by hand from docs/hardware/a2xx.md, sections 14, 16, 17 and 26.
 * docs/a2xx/texture.md defines the cases that these sections leave open. */
#include "../../register.h"
#include "fetch_rig.h"

enum { ADRENO = TESS_A2XX_ADRENO, XENOS = TESS_A2XX_XENOS };
/* fractions: unsigned, signed, signed without zero; integers: unsigned, signed */
enum { U, S, N, UI, SI };

static const float inf = __builtin_inff();

struct element {
    const char *format;
    int variant, numbers;
    uint8_t bytes[16];
    float wanted[4];
};

/* Elements and their values. Components that a format lacks are 0. */
/* clang-format off */
static const struct element elements[] = {
    {"8", ADRENO, U, {51}, {0.2F}},
    {"8", ADRENO, S, {0x80}, {-1}},
    {"8", ADRENO, S, {0x81}, {-1}},
    {"8", ADRENO, N, {0x80}, {-1}}, /* (-256 + 1) / 255 */
    {"8", ADRENO, N, {0}, {1 / 255.0F}},
    {"8", ADRENO, N, {0x7f}, {1}},
    {"8", ADRENO, UI, {200}, {200}},
    {"8", ADRENO, SI, {200}, {-56}},
    {"8_A", ADRENO, U, {51}, {0.2F}},
    {"8_B", ADRENO, U, {102}, {0.4F}},
    {"8_8", ADRENO, U, {0, 255}, {0, 1}},
    {"8_8", ADRENO, SI, {0xff, 0x7f}, {-1, 127}},
    {"8_8_8", ADRENO, U, {255, 51, 102}, {1, 0.2F, 0.4F}},
    {"8_8_8_8", ADRENO, U, {255, 0, 51, 102}, {1, 0, 0.2F, 0.4F}},
    {"8_8_8_8", ADRENO, S, {127, 0, 0x81, 0x80}, {1, 0, -1, -1}},
    {"8_8_8_8", XENOS, SI, {127, 0, 0x81, 0x80}, {127, 0, -127, -128}},
    {"8_8_8_8_A", ADRENO, U, {255, 0, 51, 102}, {1, 0, 0.2F, 0.4F}},
    /* The values 31, 0, 31, 1 in fields of 5, 5, 5 and 1 bits, the lowest bits first. */
    {"1_5_5_5", ADRENO, U, {0x1f, 0xfc}, {1, 0, 1, 1}},
    {"1_5_5_5", ADRENO, UI, {0x1f, 0xfc}, {31, 0, 31, 1}},
    {"1_5_5_5", ADRENO, SI, {0x10, 0x80}, {-16, 0, 0, -1}},
    {"1_5_5_5", ADRENO, S, {0x10, 0x80}, {-1, 0, 0, -1}},
    {"5_6_5", ADRENO, UI, {0xe1, 0x0f}, {1, 63, 1}}, /* 1 + 63 * 32 + 1 * 2048 = 0x0fe1 */
    {"6_5_5", ADRENO, UI, {0xe1, 0x07}, {1, 31, 1}}, /* 1 + 31 * 32 + 1 * 1024 = 0x07e1 */
    /* 1 + 1 * 2 + 1 * 64 + 1 * 2048 = 0x0843 */
    {"5_5_5_1", ADRENO, UI, {0x43, 0x08}, {1, 1, 1, 1}},
    {"4_4_4_4", ADRENO, U, {0xf0, 0x36}, {0, 1, 0.4F, 0.2F}},
    {"2_3_3", ADRENO, UI, {0xd1}, {1, 2, 3}}, /* 1 + 2 * 8 + 3 * 64 = 209 */
    /* 1 + 1023 << 10 + 1 << 20 + 3 << 30 */
    {"2_10_10_10", ADRENO, UI, {0x01, 0xfc, 0x1f, 0xc0}, {1, 0x3ff, 1, 3}},
    {"2_10_10_10", ADRENO, S, {0xff, 0x05, 0x08, 0x40}, {1, -1, 0, 1}},
    {"2_10_10_10_AS_16_16_16_16", ADRENO, UI, {1, 0, 0, 0x80}, {1, 0, 0, 2}},
    /* 3 + 1 << 2 + 1 << 12 + 1023 << 22 */
    {"10_10_10_2", ADRENO, UI, {0x07, 0x10, 0xc0, 0xff}, {3, 1, 1, 1023}},
    {"10_10_10_2_AS_16_16_16_16", ADRENO, UI, {7, 0, 0, 0}, {3, 1, 0, 0}},
    {"24_8", ADRENO, UI, {5, 1, 0, 1}, {5, 65537}},
    {"16", ADRENO, U, {0x33, 0x33}, {0.2F}},
    {"16_16", ADRENO, S, {0xff, 0x7f, 0x00, 0x80}, {1, -1}},
    /* (65534 + 1) / 65535, (-65536 + 1) / 65535 */
    {"16_16", ADRENO, N, {0xff, 0x7f, 0x00, 0x80}, {1, -1}},
    {"16_16_16_16", ADRENO, SI, {1, 0, 0xff, 0xff, 0, 0x80, 0xff, 0x7f}, {1, -1, -32768, 32767}},
    {"16_FLOAT", ADRENO, U, {0x00, 0x3c}, {1}},
    {"16_EXPAND", ADRENO, U, {0x00, 0xc0}, {-2}},
    {"16_16_FLOAT", ADRENO, S, {0x01, 0x00, 0xff, 0x7b}, {0x1p-24F, 65504}},
    {"16_16_EXPAND", ADRENO, U, {0x00, 0x7c, 0x00, 0xfc}, {inf, -inf}},
    {"16_16_16_16_FLOAT", ADRENO, UI, {0, 0x3c, 0, 0x40, 0, 0x42, 0, 0x44}, {1, 2, 3, 4}},
    {"16_16_16_16_EXPAND", ADRENO, UI, {0, 0x3c, 0, 0x40, 0, 0x42, 0, 0x44}, {1, 2, 3, 4}},
    /* 16-bit floats of the Xenos have no infinities and no denormals. */
    {"16_16_FLOAT", XENOS, U, {0x00, 0x7c, 0xff, 0xff}, {65536, -131008}},
    {"16_16_FLOAT", XENOS, U, {0xff, 0x83, 0x00, 0x04}, {-0.0F, 0x1p-14F}},
    {"32", ADRENO, U, {0xff, 0xff, 0xff, 0xff}, {1}},
    {"32", ADRENO, UI, {0, 0, 0, 0x80}, {0x1p31F}},
    {"32", ADRENO, SI, {0, 0, 0, 0x80}, {-0x1p31F}},
    {"32", ADRENO, N, {0, 0, 0, 0x80}, {-1}},
    {"32_32", ADRENO, S, {0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0x80}, {1, -1}},
    {"32_32_32_32", ADRENO, UI, {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4}, {1, 2, 3, 4}},
    {"32_FLOAT", ADRENO, SI, {0, 0, 0x80, 0x3f}, {1}},
    {"32_32_FLOAT", ADRENO, U, {0, 0, 0x80, 0xbf, 0, 0, 0x80, 0x7f}, {-1, inf}},
    {"32_32_32_FLOAT", ADRENO, U, {0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 1}, {1, 2, 0x1p-149F}},
    {"32_32_32_32_FLOAT", XENOS, U,
     {0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40, 0, 0, 0x80, 0x40}, {1, 2, 3, 4}},
    /* The lowest component of 10_11_11 has 11 bits. The lowest component of 11_11_10 has 10
     * bits. */
    {"10_11_11", XENOS, UI, {0xff, 0x0f, 0x00, 0xc0}, {2047, 1, 768}},
    {"11_11_10", XENOS, UI, {0xff, 0x07, 0x00, 0x80}, {1023, 1, 1024}},
    {"10_11_11_AS_16_16_16_16", XENOS, UI, {1, 0, 0, 0}, {1}},
    {"11_11_10_AS_16_16_16_16", XENOS, UI, {0, 4, 0, 0}, {0, 1}},
    {"8_8_8_8_AS_16_16_16_16", XENOS, U, {255, 0, 51, 102}, {1, 0, 0.2F, 0.4F}},
};
/* clang-format on */

static struct rig rig;

/* Makes a vertex constant a buffer with this address and size in bytes. */
static void set_buffer(unsigned number, uint32_t address, uint32_t bytes)
{
    tess_a2xx_vertex_constant(address, bytes, &rig.constants[2 * number]);
}

static struct a2xx_vertex fetch_of(const char *format, int variant, int numbers)
{
    struct a2xx_vertex insn = {.const_index = 20, .const_sel = 2, .stride = 16};
    if (!tess_a2xx_format_find(format, (enum tess_a2xx_variant)variant, &insn.format))
        fail_msg("%s is no format", format);
    insn.format_comp_all = numbers == S || numbers == N || numbers == SI;
    insn.num_format_all = numbers == UI || numbers == SI;
    insn.signed_rf_mode_all = numbers == N;
    return insn;
}

TEST(test_formats)
{
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        const struct element *element = &elements[i];
        rig_start(&rig, (enum tess_a2xx_variant)element->variant);
        set_buffer(62, RIG_ADDRESS, 16);
        memcpy(rig.bytes, element->bytes, 16);
        struct a2xx_vertex insn = fetch_of(element->format, element->variant, element->numbers);
        rig_vertex(&rig, &insn);
        rig_same(&rig, 0, element->wanted, element->format);
        rig_same(&rig, 63, element->wanted, element->format);
        rig_faults(&rig, NO_FAULT, 0);
        rig_stop(&rig);
    }
}

/* The table above must contain every integer and float format. */
TEST(test_all_formats)
{
    for (int variant = ADRENO; variant <= XENOS; variant++)
        for (uint32_t code = 0; code < 64; code++) {
            const struct a2xx_format *format = &a2xx_formats[variant][code];
            bool plain = format->kind == A2XX_FORMAT_INTEGER || format->kind == A2XX_FORMAT_FLOAT;
            bool met = false;
            for (size_t i = 0; plain && i < sizeof elements / sizeof *elements; i++)
                met = met || strcmp(elements[i].format, format->name) == 0;
            if (plain && !met)
                fail_msg("%s is not tested", format->name);
        }
}

/* Sets float i of the buffer to i. */
static void fill(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        float value = (float)i;
        memcpy(rig.bytes + 4 * (size_t)i, &value, 4);
    }
}

TEST(test_stride)
{
    rig_start(&rig, TESS_A2XX_ADRENO);
    fill(1000);
    set_buffer(62, RIG_ADDRESS + 8, 4000);
    struct a2xx_vertex insn = fetch_of("32_32_FLOAT", ADRENO, U);
    for (unsigned i = 0; i < A2XX_LANES; i++)
        rig.index[i] = (float)i;
    insn.stride = 12;
    insn.offset = 4;
    rig_vertex(&rig, &insn);
    for (unsigned i = 0; i < A2XX_LANES; i++) /* the value is at byte 8 + 4 + 12 i, float 3 + 3 i */
        RIG_SAME(&rig, i, 3 + 3 * (float)i, 4 + 3 * (float)i);
    insn.stride = 0;
    rig_vertex(&rig, &insn);
    for (unsigned i = 0; i < A2XX_LANES; i++)
        RIG_SAME(&rig, i, 3, 4);
    rig_faults(&rig, NO_FAULT, 0);
    rig.unit.variant = TESS_A2XX_XENOS; /* offsets are signed and in dwords */
    insn.stride = 5;
    insn.offset = 0x3ffffe;
    insn.offset_sign = 1;
    rig_vertex(&rig, &insn);
    RIG_SAME(&rig, 0, 0, 0); /* before the start of the buffer */
    RIG_SAME(&rig, 1, 5, 6); /* float 2 + 5 - 2 */
    RIG_SAME(&rig, 63, 315, 316);
    rig_faults(&rig, A2XX_FETCH_BEYOND, 1);
    rig_stop(&rig);
}

TEST(test_unaligned)
{
    rig_start(&rig, TESS_A2XX_ADRENO);
    for (unsigned i = 0; i < 1000; i++)
        rig.bytes[i] = (uint8_t)i;
    set_buffer(62, RIG_ADDRESS, 200);
    struct a2xx_vertex insn = fetch_of("8_8_8", ADRENO, UI);
    insn.stride = 3;
    for (unsigned i = 0; i < A2XX_LANES; i++)
        rig.index[i] = (float)i;
    rig_vertex(&rig, &insn);
    for (unsigned i = 0; i < A2XX_LANES; i++)
        RIG_SAME(&rig, i, 3 * (float)i, 3 * (float)i + 1, 3 * (float)i + 2);
    rig_faults(&rig, A2XX_FETCH_ALIGN, ALL_LANES);
    rig_stop(&rig);
}

TEST(test_index)
{
    static const float indices[] = {1.75F, 1.5F, 1.25F, -0.25F, 0.5F, 1e9F, -1e20F, 1e20F};
    static const float down[] = {1, 1, 1, 0, 0, 0, 0, 0}, nearest[] = {2, 2, 1, 0, 1, 0, 0, 0};
    rig_start(&rig, TESS_A2XX_ADRENO);
    fill(10);
    set_buffer(62, RIG_ADDRESS, 40);
    struct a2xx_vertex insn = fetch_of("32_FLOAT", ADRENO, U);
    insn.stride = 4;
    memcpy(rig.index, indices, sizeof indices);
    rig_vertex(&rig, &insn);
    for (unsigned i = 0; i < 8; i++)
        RIG_SAME(&rig, i, down[i]);
    rig_faults(&rig, A2XX_FETCH_BEYOND, 0xe8); /* the index -1 and indices far outside of the
                                                  buffer */
    insn.index_round = 1;
    rig_vertex(&rig, &insn);
    for (unsigned i = 0; i < 8; i++)
        RIG_SAME(&rig, i, nearest[i]);
    rig_faults(&rig, A2XX_FETCH_BEYOND, 0xe0);
    rig.index[5] = rig.index[6] = rig.index[7] = __builtin_nanf("");
    rig_vertex(&rig, &insn);
    RIG_SAME(&rig, 7, 0);
    rig_faults(&rig, A2XX_FETCH_INDEX, 0xe0);
    rig_stop(&rig);
}

/* Dwords outside of the buffer's size read as 0. */
TEST(test_end)
{
    rig_start(&rig, TESS_A2XX_ADRENO);
    fill(100);
    set_buffer(62, RIG_ADDRESS, 24);
    struct a2xx_vertex insn = fetch_of("32_32_32_32_FLOAT", ADRENO, U);
    for (unsigned i = 0; i < 3; i++)
        rig.index[i] = (float)i;
    rig_vertex(&rig, &insn);
    RIG_SAME(&rig, 0, 0, 1, 2, 3);
    RIG_SAME(&rig, 1, 4, 5, 0, 0);
    RIG_SAME(&rig, 2, 0, 0, 0, 0);
    rig_faults(&rig, A2XX_FETCH_BEYOND, 6);
    rig_stop(&rig);
}

TEST(test_unmapped)
{
    rig_start(&rig, TESS_A2XX_ADRENO);
    float tail = 5, next[2] = {6, 7};
    memcpy(rig.bytes + RIG_BYTES - 4, &tail, 4);
    uint32_t end = RIG_ADDRESS + RIG_BYTES;
    set_buffer(62, end - 4, 64);
    struct a2xx_vertex insn = fetch_of("32_32_32_FLOAT", ADRENO, U);
    rig.index[1] = 1;
    rig_vertex(&rig, &insn);
    RIG_SAME(&rig, 0, 5, 0, 0);
    RIG_SAME(&rig, 1, 0, 0, 0);
    rig_faults(&rig, A2XX_FETCH_UNMAPPED, ALL_LANES);
    assert_int_equal(rig.report.address, end - 4);
    assert_int_equal(a2xx_memory_map(&rig.memory, end, next, 8, false), TESS_OK);
    rig_vertex(&rig, &insn); /* one vertex lies in two ranges of memory */
    RIG_SAME(&rig, 0, 5, 6, 7);
    rig_faults(&rig, A2XX_FETCH_UNMAPPED, 2);
    rig_stop(&rig);
}

TEST(test_endian)
{
    static const uint8_t bytes[4] = {1, 2, 3, 4};
    static const float wanted[4][4] = {{1, 2, 3, 4}, {2, 1, 4, 3}, {4, 3, 2, 1}, {3, 4, 1, 2}};
    for (uint32_t endian = 0; endian < 4; endian++) {
        rig_start(&rig, TESS_A2XX_ADRENO);
        memcpy(rig.bytes, bytes, 4);
        set_buffer(62, RIG_ADDRESS, 4);
        rig.constants[125] |= endian;
        struct a2xx_vertex insn = fetch_of("8_8_8_8", ADRENO, UI);
        rig_vertex(&rig, &insn);
        rig_same(&rig, 5, wanted[endian], "8_8_8_8");
        insn = fetch_of("8", ADRENO, UI); /* endian swaps whole dwords */
        rig_vertex(&rig, &insn);
        RIG_SAME(&rig, 5, wanted[endian][0]);
        rig_stop(&rig);
    }
}

TEST(test_exponent)
{
    rig_start(&rig, TESS_A2XX_ADRENO);
    memcpy(rig.bytes, (uint8_t[]){0, 0x80, 1, 0}, 4);
    set_buffer(62, RIG_ADDRESS, 4);
    struct a2xx_vertex insn = fetch_of("32", ADRENO, SI); /* 16.16 fixed point, which Mesa uses */
    insn.exp_adjust_all = 64 - 16;
    rig_vertex(&rig, &insn);
    RIG_SAME(&rig, 0, 1.5F);
    insn.exp_adjust_all = 3;
    rig_vertex(&rig, &insn);
    RIG_SAME(&rig, 0, 98304 * 8.0F);
    rig_stop(&rig);
}

/* On the Xenos, a mini fetch uses the constant, stride and rounding of the preceding full fetch.
 * On Adreno the mini-fetch bit has no effect. */
TEST(test_mini)
{
    for (int variant = ADRENO; variant <= XENOS; variant++) {
        rig_start(&rig, (enum tess_a2xx_variant)variant);
        fill(100);
        set_buffer(62, RIG_ADDRESS, 400);
        set_buffer(0, RIG_ADDRESS + 40, 400);
        struct a2xx_vertex full = fetch_of("32_FLOAT", variant, U), mini = full;
        full.stride = variant == XENOS ? 4 : 16;
        mini.stride = mini.const_index = mini.const_sel = 0;
        mini.offset = variant == XENOS ? 1 : 4;
        mini.mini_fetch = 1;
        rig.index[3] = 3;
        a2xx_vertex_fetch(&rig.unit, &mini, &full, rig.index, 8, rig.data, &rig.report);
        RIG_SAME(&rig, 3, variant == XENOS ? 13 : 11);
        RIG_SAME(&rig, 2, 0); /* this lane is inactive */
        rig_stop(&rig);
    }
}

static void expect_nothing(const struct a2xx_vertex *insn, unsigned fault)
{
    rig_vertex(&rig, insn);
    RIG_SAME(&rig, 9, 0, 0, 0, 0);
    rig_faults(&rig, fault, ALL_LANES);
}

TEST(test_faults)
{
    rig_start(&rig, TESS_A2XX_ADRENO);
    struct a2xx_vertex insn = fetch_of("32_FLOAT", ADRENO, U);
    expect_nothing(&insn, A2XX_FETCH_UNSET);
    set_buffer(62, RIG_ADDRESS, 16);
    insn.format = 17; /* only the Xenos has this format */
    expect_nothing(&insn, A2XX_FETCH_FORMAT);
    insn.format = 0; /* format 1_REVERSE */
    expect_nothing(&insn, A2XX_FETCH_FORMAT);
    insn.format = 18; /* format DXT1 */
    expect_nothing(&insn, A2XX_FETCH_KIND);
    insn.format = 36;
    rig.constants[124] &= ~1U;
    expect_nothing(&insn, A2XX_FETCH_TYPE); /* the fetch is executed and reads 0 */
    insn.const_index = 31; /* with selector 3, the index wraps to the first constant */
    insn.const_sel = 3;
    set_buffer(0, RIG_ADDRESS, 16);
    rig_vertex(&rig, &insn);
    rig_faults(&rig, NO_FAULT, 0);
    rig_stop(&rig);
}

TEST(test_constant)
{
    uint32_t words[2];
    tess_a2xx_vertex_constant(0x12345678, 0x1003, words);
    assert_int_equal(words[0], 0x1234567b);
    assert_int_equal(words[1], 0x1004); /* size rounded up to a whole dword */
    tess_a2xx_vertex_constant(0, UINT32_MAX, words);
    assert_int_equal(words[1], 0x3fffffc);
}

/* --- packing --- */

TEST(test_pack)
{
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        const struct element *element = &elements[i];
        uint8_t bytes[16] = {0};
        uint32_t code;
        enum tess_a2xx_variant variant = (enum tess_a2xx_variant)element->variant;
        assert_true(tess_a2xx_format_find(element->format, variant, &code));
        const struct a2xx_format *format = &a2xx_formats[variant][code];
        bool is_signed = element->numbers == S || element->numbers == SI;
        bool denormal = variant == TESS_A2XX_XENOS && element->bytes[1] == 0x83;
        if (element->numbers == N || denormal)
            continue; /* packing never produces these encodings */
        size_t size = tess_a2xx_format_pack(code, variant, is_signed, element->numbers < UI,
                                            element->wanted, bytes);
        assert_int_equal(size, format->bytes);
        /* -1 has two encodings. Packing must produce the one with the smaller magnitude. */
        for (size_t b = 0; b < size; b++)
            if (bytes[b] != element->bytes[b] && element->numbers != S)
                fail_msg("%s: byte %zu is %02x, not %02x", element->format, b, bytes[b],
                         element->bytes[b]);
    }
}

TEST(test_pack_rounds)
{
    uint8_t bytes[16];
    const float halves[4] = {1 + 0x1p-11F, 1 + 3 * 0x1p-11F, 1e6F,
                             0x1p-25F}; /* ties are rounded to even */
    assert_int_equal(tess_a2xx_format_pack(32, TESS_A2XX_ADRENO, false, false, halves, bytes), 8);
    assert_memory_equal(bytes, ((uint8_t[]){0x00, 0x3c, 0x02, 0x3c, 0x00, 0x7c, 0x00, 0x00}), 8);
    assert_int_equal(tess_a2xx_format_pack(32, TESS_A2XX_XENOS, false, false, halves, bytes), 8);
    assert_memory_equal(bytes + 4, ((uint8_t[]){0xff, 0x7f}), 2);
    const float bytes4[4] = {2, -1, 0.5F, __builtin_nanf("")};
    assert_int_equal(tess_a2xx_format_pack(6, TESS_A2XX_ADRENO, false, true, bytes4, bytes), 4);
    assert_memory_equal(bytes, ((uint8_t[]){255, 0, 128, 0}), 4); /* 127.5 is rounded to even */
    assert_int_equal(tess_a2xx_format_pack(6, TESS_A2XX_ADRENO, true, true, bytes4, bytes), 4);
    assert_memory_equal(bytes, ((uint8_t[]){127, 0x81, 64, 0}), 4);
    assert_int_equal(tess_a2xx_format_pack(18, TESS_A2XX_ADRENO, false, true, bytes4, bytes), 0);
    assert_int_equal(tess_a2xx_format_pack(64, TESS_A2XX_ADRENO, false, true, bytes4, bytes), 0);
}

TEST(test_names)
{
    uint32_t code = 99;
    assert_true(tess_a2xx_format_find("FMT_32_32_32_FLOAT", TESS_A2XX_ADRENO, &code));
    assert_int_equal(code, 57);
    assert_true(tess_a2xx_format_find("8_8_8", TESS_A2XX_ADRENO, &code));
    assert_false(tess_a2xx_format_find("8_8_8", TESS_A2XX_XENOS, &code));
    assert_string_equal(tess_a2xx_format_name(16, TESS_A2XX_XENOS), "10_11_11");
    assert_null(tess_a2xx_format_name(17, TESS_A2XX_ADRENO));
    assert_null(tess_a2xx_format_name(64, TESS_A2XX_ADRENO));
}
