/* SPDX-License-Identifier: MIT */
/* Tests of texture and memory lookups on hand-made textures. Expected values are worked out by
 * hand from manual section 4 and tables 15 to 19, JayStation's "Texturing", and OpenGL ES 2.0
 * sections 3.7.5 to 3.7.8 where the manual refers to them. A comment at each test names the
 * source. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../random.h"
#include "../../register.h"
#include "base/bits.h"
#include "vc4/memory/layout.h"
#include "vc4/tmu/texel.h"
#include "vc4/tmu/tmu.h"
#include "vc4/watch/race.h"

enum {
    MEMORY = 0x00100000, /* bus address of the mapped region */
    MEMORY_SIZE = 0x00040000,
    TEXTURE = MEMORY + 0x8000, /* base of every texture here */
    TEXTURE_AT = TEXTURE - MEMORY,
};

enum { RGBA8888 = 0, LUMINANCE = 5, ETC1 = 8, S16F = 9, S16 = 11, RGBA64 = 15, RGBA32R = 16 };
enum { REPEAT, CLAMP, MIRROR, BORDER };
enum { MIN_LINEAR, MIN_NEAREST, NEAR_MIP_NEAR, NEAR_MIP_LIN, LIN_MIP_NEAR, LIN_MIP_LIN };

static uint8_t memory[MEMORY_SIZE];

struct fixture {
    struct fault_log log;
    struct bus bus;
    struct tmu tmu;
    struct tmu_textures textures;
    struct tmu_ports ports;
    lanes result; /* the latest result */
};

static int set_up(void **state)
{
    static struct fixture fixture;
    memset(&fixture, 0, sizeof fixture);
    memset(memory, 0, sizeof memory);
    fixture.bus.log = &fixture.log;
    fixture.ports = (struct tmu_ports){
        .bus = &fixture.bus, .log = &fixture.log, .textures = &fixture.textures};
    *state = &fixture;
    return bus_map(&fixture.bus, MEMORY, MEMORY_SIZE, memory) != TESS_OK;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    bus_free(&fixture->bus);
    return 0;
}

/* Fields of a texture's parameters. */
struct image {
    uint32_t type, width, height, levels;
    uint32_t wrap_s, wrap_t, mag_nearest, min;
    uint32_t flip_y, etc_flip, cube;
};

/* Returns texture parameter 0 (manual table 15). */
static uint32_t parameter0(const struct image *texture)
{
    uint32_t levels = texture->levels ? texture->levels - 1 : 0;
    return TEXTURE | texture->cube << 9 | texture->flip_y << 8 | (texture->type & 15) << 4 | levels;
}

/* Returns texture parameter 1 (manual table 16). */
static uint32_t parameter1(const struct image *texture)
{
    return texture->type >> 4 << 31 | (texture->height & 2047) << 20 | texture->etc_flip << 19 |
           (texture->width & 2047) << 8 | texture->mag_nearest << 7 | texture->min << 4 |
           texture->wrap_t << 2 | texture->wrap_s;
}

static struct image nearest(uint32_t type, uint32_t width, uint32_t height, uint32_t wrap)
{
    return (struct image){.type = type,
                          .width = width,
                          .height = height,
                          .wrap_s = wrap,
                          .wrap_t = wrap,
                          .mag_nearest = 1,
                          .min = MIN_NEAREST};
}

static struct image linear(uint32_t type, uint32_t width, uint32_t height, uint32_t wrap)
{
    return (struct image){
        .type = type, .width = width, .height = height, .wrap_s = wrap, .wrap_t = wrap};
}

static void fill(lanes *vector, uint32_t value)
{
    for (unsigned i = 0; i < LANES; i++)
        (*vector)[i] = value;
}

static void put(struct fixture *f, enum tmu_register reg, float value, uint32_t parameter)
{
    lanes vector;
    fill(&vector, float_bits(value));
    tmu_write(&f->tmu, &f->ports, 0, reg, &vector, parameter);
}

/* Reads the oldest result into f->result, and returns the word of lane 0. */
static uint32_t take(struct fixture *f)
{
    assert_true(tmu_read(&f->tmu, 0, &f->result));
    return f->result[0];
}

/* Samples the same point in all lanes, which selects the magnification filter. Returns the word
 * of lane 0. */
static uint32_t sample(struct fixture *f, struct image texture, float s, float t)
{
    put(f, TMU_T, t, parameter0(&texture));
    put(f, TMU_S, s, parameter1(&texture));
    take(f);
    for (unsigned i = 1; i < LANES; i++)
        assert_int_equal(f->result[i], f->result[0]);
    return f->result[0];
}

static uint32_t gray(uint32_t level)
{
    return level * 0x01010101;
}

/* Writes a word at an offset from the texture's base. Levels above 0 have negative offsets. */
static void set_word(int32_t offset, uint32_t word)
{
    store_le32(memory + TEXTURE_AT + offset, word);
}

/* Returns a 32-bit texel that contains its coordinates. */
static uint32_t name_texel(uint32_t x, uint32_t y)
{
    return x | y << 16;
}

static void draw_names(enum layout layout, uint32_t width, uint32_t height)
{
    struct image_layout image;
    layout_init(&image, layout, width, height, 32);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            set_word((int32_t)layout_offset(&image, x, y, NULL), name_texel(x, y));
}

static void only_fault(struct fixture *f, enum fault_rule rule, uint64_t count)
{
    for (unsigned i = 0; i < FAULT_RULES; i++)
        assert_int_equal(f->log.count[i], i == rule ? count : 0);
    memset(f->log.count, 0, sizeof f->log.count);
}

static void no_fault(struct fixture *f)
{
    only_fault(f, FAULT_RULES, 0);
}

/* ---- requests and FIFOs ------------------------------------------------------------------------
 */

/* Manual section 4: "General-memory lookups are performed by writing to just the s parameter ... In
 * this case no uniform is read ... the bottom two bits of the address are ignored." */
TEST_WITH(lone_s_looks_up_memory, set_up, tear_down)
{
    struct fixture *f = *fixture;
    lanes address, result;
    for (uint32_t i = 0; i < LANES; i++) {
        set_word((int32_t)i * 256, 0xabcd0000 + i);
        address[i] = TEXTURE + i * 256 + i % 4;
    }
    assert_false(tmu_needs_parameter(&f->tmu, 1, TMU_S));
    tmu_write(&f->tmu, &f->ports, 1, TMU_S, &address, 0);
    assert_int_equal(tmu_pending(&f->tmu), 1);
    assert_false(tmu_read(&f->tmu, 0, &result));
    assert_true(tmu_read(&f->tmu, 1, &result));
    for (uint32_t i = 0; i < LANES; i++)
        assert_int_equal(result[i], 0xabcd0000 + i);
    assert_int_equal(f->tmu.lookups, 1);
    no_fault(f);
}

TEST_WITH(lookups_outside_memory_read_zero, set_up, tear_down)
{
    struct fixture *f = *fixture;
    lanes address;
    fill(&address, TEXTURE);
    set_word(0, 7);
    address[3] = 0x20000000;
    address[9] = MEMORY + MEMORY_SIZE;
    address[12] = TEXTURE | 0xc0000000; /* another alias of the same address */
    tmu_write(&f->tmu, &f->ports, 0, TMU_S, &address, 0);
    take(f);
    for (unsigned i = 0; i < LANES; i++)
        assert_int_equal(f->result[i], i == 3 || i == 9 ? 0 : 7);
    only_fault(f, FAULT_BUS_UNMAPPED, 1); /* one finding for each request */
}

/* "For each write of texture unit sampling vector data a uniform is automatically read". A write
 * to S completes the request. */
TEST_WITH(parameters_are_pulled_by_all_but_a_lone_s, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = nearest(RGBA8888, 4, 4, REPEAT);
    for (enum tmu_register reg = TMU_T; reg <= TMU_B; reg++) {
        assert_false(tmu_needs_parameter(&f->tmu, 0, TMU_S));
        assert_true(tmu_needs_parameter(&f->tmu, 0, reg));
        put(f, reg, 0, parameter0(&texture));
        assert_true(tmu_needs_parameter(&f->tmu, 0, TMU_S));
        assert_false(tmu_needs_parameter(&f->tmu, 1, TMU_S));
        put(f, TMU_S, 0, parameter1(&texture));
        take(f);
    }
    no_fault(f);
}

/* Mesa writes r (border colour), t, b, s. Parameters are assigned in the order of writes, not of
 * registers. */
TEST_WITH(parameters_count_by_order_of_writes, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = nearest(RGBA8888, 4, 4, REPEAT);
    draw_names(LAYOUT_LT, 4, 4);
    put(f, TMU_R, 0, parameter0(&texture));
    put(f, TMU_T, 0.625f, parameter1(&texture));
    put(f, TMU_B, 0, 0);
    put(f, TMU_S, 0.375f, 0);
    assert_int_equal(take(f), name_texel(1, 2));

    put(f, TMU_B, 0, parameter0(&texture));
    put(f, TMU_S, 0.375f, parameter1(&texture)); /* t was not written, so it is 0 */
    assert_int_equal(take(f), name_texel(1, 0));
    no_fault(f);
}

static void look_up(struct fixture *f, uint32_t address)
{
    lanes vector;
    fill(&vector, address);
    tmu_write(&f->tmu, &f->ports, 0, TMU_S, &vector, 0);
}

TEST_WITH(results_come_in_order, set_up, tear_down)
{
    struct fixture *f = *fixture;
    for (uint32_t i = 0; i < 64; i++)
        set_word((int32_t)i * 4, i);
    for (uint32_t i = 0; i < 64; i++) {
        look_up(f, TEXTURE + i * 4);
        if (i >= 3)
            assert_int_equal(take(f), i - 3);
    }
    assert_int_equal(tmu_pending(&f->tmu), 3);
    tmu_reset(&f->tmu);
    assert_int_equal(tmu_pending(&f->tmu), 0);
    no_fault(f);
}

/* JayStation: "For 2D textures you only write to S and T, and so you can queue up four texture
 * requests. If you only need to write S, you can queue up eight. In the case where S, T, R and B
 * are all needed, ... two." */
TEST_WITH(request_slots_are_limited, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = nearest(RGBA8888, 4, 4, REPEAT);
    static const struct {
        unsigned registers, requests;
    } cases[] = {{0, 8}, {1, 4}, {3, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (unsigned request = 0; request <= cases[i].requests; request++) {
            if (cases[i].registers)
                no_fault(f);
            for (unsigned reg = 1; reg <= cases[i].registers; reg++)
                put(f, (enum tmu_register)reg, 0,
                    reg == 1   ? parameter0(&texture)
                    : reg == 2 ? parameter1(&texture)
                               : 0);
            if (cases[i].registers)
                put(f, TMU_S, 0, cases[i].registers == 1 ? parameter1(&texture) : 0);
            else
                look_up(f, TEXTURE);
        }
        f->log.count[FAULT_TMU_LOOKUPS] = 0;
        only_fault(f, FAULT_TMU_OVERFLOW, 1);
        for (unsigned request = 0; request < cases[i].requests; request++)
            take(f);
        assert_int_equal(tmu_pending(&f->tmu), 0);
    }
}

TEST_WITH(slots_come_back_with_the_result, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = nearest(RGBA8888, 4, 4, REPEAT);
    for (unsigned i = 0; i < 40; i++) {
        put(f, TMU_T, 0, parameter0(&texture));
        put(f, TMU_S, 0, parameter1(&texture));
        if (i >= 3)
            take(f);
    }
    no_fault(f);
}

/* In each unit, every write of a request uses one slot. A request's slots are free again when
 * its last word has been read. */
TEST_WITH(used_slots_are_counted, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = nearest(RGBA64, 4, 4, CLAMP);
    put(f, TMU_T, 0, parameter0(&texture));
    assert_int_equal(tmu_slots_used(&f->tmu, 0), 0);
    put(f, TMU_S, 0, parameter1(&texture));
    look_up(f, MEMORY);
    assert_int_equal(tmu_slots_used(&f->tmu, 0), 3);
    assert_int_equal(tmu_slots_used(&f->tmu, 1), 0);
    tmu_start(&f->tmu, &f->ports, 2); /* this QPU (number 2) has the TMUs swapped */
    assert_int_equal(tmu_slots_used(&f->tmu, 1), 3);
    tmu_start(&f->tmu, &f->ports, 0);
    take(f);
    assert_int_equal(tmu_slots_used(&f->tmu, 0), 3);
    take(f);
    assert_int_equal(tmu_slots_used(&f->tmu, 0), 1);
    take(f);
    assert_int_equal(tmu_slots_used(&f->tmu, 0), 0);
}

TEST_WITH(too_many_parameters_are_a_finding, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = nearest(RGBA8888, 4, 4, REPEAT);
    put(f, TMU_T, 0, parameter0(&texture));
    put(f, TMU_T, 0, parameter1(&texture));
    for (unsigned i = 0; i < 3; i++)
        put(f, TMU_R, 0, 0);
    put(f, TMU_S, 0, 0);
    only_fault(f, FAULT_TMU_PARAMETER, 1);
    take(f);
}

/* ---- data types --------------------------------------------------------------------------------
 */

/* The texel is the first of a 1x1 texture. */
TEST_WITH(types_decode_as_table_18, set_up, tear_down)
{
    struct fixture *f = *fixture;
    static const struct {
        uint32_t type, word, expected;
        const char *name;
    } cases[] = {
        {0, 0x44332211, 0x44332211, "RGBA8888"},
        {1, 0x44332211, 0xff332211, "RGBX8888"},
        {2, 0xf00a, 0xaa0000ff, "RGBA4444"}, /* R 15, G 0, B 0, A 10; the four bits are repeated */
        {2, 0x1234, 0x44332211, "RGBA4444"},
        {3, 0xf800, 0x000000ff, "RGBA5551"}, /* R 31, A 0 */
        {3, 0x0401, 0xff008400, "RGBA5551"}, /* G 16 = 10000 -> 10000100 */
        {3, 0x003f, 0xffff0000, "RGBA5551"},
        {4, 0x8410, 0xff848284, "RGB565"}, /* R 16, G 32 = 100000 -> 10000010, B 16 */
        {4, 0x07e0, 0xff00ff00, "RGB565"},
        {4, 0x0001, 0xff080000, "RGB565"}, /* B 00001 -> 00001000 */
        {5, 0x5a, 0xff5a5a5a, "LUMINANCE"},
        {6, 0x5a, 0x5a000000, "ALPHA"},
        {7, 0x8040, 0x80404040, "LUMALPHA"},
        {9, 0x3c00, 0x00003c00, "S16F"}, /* float16 1.0 in the low half */
        {10, 0xfe, 0x000000fe, "S8"},
        {11, 0x8001, 0x00008001, "S16"},
        {12, 1, 0xffffffff, "BW1"},
        {12, 2, 0xff000000, "BW1"},   /* the first texel is in bit 0 */
        {13, 0x9a, 0xaa000000, "A4"}, /* the first texel is in the low four bits */
        {14, 1, 0xff000000, "A1"},
        {14, 0xfe, 0, "A1"},
        {16, 0x44332211, 0x44332211, "RGBA32R"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        set_word(0, cases[i].word);
        assert_string_equal(texel_format(cases[i].type)->name, cases[i].name);
        assert_int_equal(sample(f, nearest(cases[i].type, 1, 1, CLAMP), 0.5f, 0.5f),
                         cases[i].expected);
    }
    no_fault(f);
}

/* Manual table 18, column Bpp. In YUYV422R, 32 bits hold two texels. */
TEST_WITH(bits_per_texel_as_table_18, set_up, tear_down)
{
    static const uint32_t bits[] = {32, 32, 16, 16, 16, 8, 8,  16, 4,
                                    16, 8,  16, 1,  4,  1, 64, 32, 16};
    for (uint32_t i = 0; i < sizeof bits / sizeof *bits; i++) {
        const struct texel_format *format = texel_format(i);
        assert_int_equal(format->number, i);
        assert_int_equal(format->bits >> (format->width_shift + format->height_shift), bits[i]);
        assert_int_equal(format->raster, i >= 16);
    }
    assert_null(texel_format(18));
    assert_null(texel_format(31));
}

/* Manual: "the first to load the packed 1616 RG data, the second to load the packed BA data". */
TEST_WITH(rgba64_returns_two_words, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = nearest(RGBA64, 2, 4, CLAMP);
    set_word(8, 0x22221111);
    set_word(12, 0x44443333);
    put(f, TMU_T, 0, parameter0(&texture));
    put(f, TMU_S, 0.75f, parameter1(&texture));
    assert_int_equal(tmu_pending(&f->tmu), 2);
    assert_int_equal(take(f), 0x22221111);
    assert_int_equal(take(f), 0x44443333);
    no_fault(f);
}

/* A word holds two luminance samples and one pair of chroma samples: Y, U, Y, V. */
TEST_WITH(yuyv_shares_chroma, set_up, tear_down)
{
    struct fixture *f = *fixture;
    set_word(16, 0x40302010); /* second row; rows are 16 bytes apart */
    assert_int_equal(sample(f, nearest(17, 2, 2, CLAMP), 0.25f, 0.75f), 0xff402010);
    assert_int_equal(sample(f, nearest(17, 2, 2, CLAMP), 0.75f, 0.75f), 0xff402030);
    no_fault(f);
}

/* A block decoded by hand by OES_compressed_ETC1_RGB8_texture. It uses the individual mode, with
 * its halves side by side. The left half has the base (0x11, 0x22, 0x33) and table 0 (2, 8). The
 * right half has the base (0xff, 0x00, 0x88) and table 7 (47, 183). Texel (0,0) adds 2 (code 0).
 * Texel (1,2), number 6, subtracts 8 (code 3). Texel (3,3), number 15, adds 183 (code 1). */
TEST_WITH(etc1_individual_block, set_up, tear_down)
{
    struct fixture *f = *fixture;
    static const uint8_t block[8] = {
        0x1f, 0x20, 0x38, 0 << 5 | 7 << 2, 0x00, 0x40, 0x80, 0x40,
    };
    memcpy(memory + TEXTURE_AT, block, sizeof block);
    struct image texture = nearest(ETC1, 4, 4, CLAMP);
    texture.etc_flip = 1;
    assert_int_equal(sample(f, texture, 0.125f, 0.125f), 0xff352413);
    assert_int_equal(sample(f, texture, 0.375f, 0.625f), 0xff2b1a09);
    assert_int_equal(sample(f, texture, 0.875f, 0.875f), 0xffffb7ff);
    texture.etc_flip = 0; /* without the flip, the rows of each block are reversed */
    assert_int_equal(sample(f, texture, 0.375f, 0.375f), 0xff2b1a09);
    no_fault(f);
}

/* Differential mode, with one half above the other. The first base is (16, 0, 31) of 31 = (0x84,
 * 0, 0xff). The second base differs by (-4, +3, -1): (12, 3, 30) = (0x63, 0x18, 0xf7). The
 * tables are 1 (5, 17) and 2 (9, 29). All codes are 2, which subtracts the smaller number. */
TEST_WITH(etc1_differential_block, set_up, tear_down)
{
    struct fixture *f = *fixture;
    static const uint8_t block[8] = {
        16 << 3 | 4, 0 << 3 | 3, 31 << 3 | 7, 1 << 5 | 2 << 2 | 3, 0xff, 0xff, 0, 0,
    };
    memcpy(memory + TEXTURE_AT + 8, block, sizeof block); /* the row's second block */
    struct image texture = nearest(ETC1, 8, 4, CLAMP);
    texture.etc_flip = 1;
    assert_int_equal(sample(f, texture, 0.9f, 0.375f), 0xfffa007f); /* 0x84-5, 0-5, 0xff-5 */
    assert_int_equal(sample(f, texture, 0.9f, 0.625f), 0xffee0f5a); /* 0x63-9, 0x18-9, 0xf7-9 */
    no_fault(f);
}

/* ---- memory layout -----------------------------------------------------------------------------
 */

static void check_names(struct fixture *f, uint32_t type, uint32_t width, uint32_t height)
{
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x += 3) {
            float s = ((float)x + 0.5f) / (float)width, t = ((float)y + 0.5f) / (float)height;
            assert_int_equal(sample(f, nearest(type, width, height, REPEAT), s, t),
                             name_texel(x, y));
        }
    no_fault(f);
}

/* Follows JayStation's picture of a texture that is three 4K tiles wide and two high.
 * tests/vc4/memory/layout.c tests the addresses in detail. */
TEST_WITH(large_textures_are_t_format, set_up, tear_down)
{
    struct fixture *f = *fixture;
    draw_names(LAYOUT_T, 96, 64);
    assert_int_equal(load_le32(memory + TEXTURE_AT + 3 * 4096), name_texel(80, 48));
    check_names(f, RGBA8888, 96, 64);
}

TEST_WITH(padded_textures_are_t_format, set_up, tear_down)
{
    struct fixture *f = *fixture;
    draw_names(LAYOUT_T, 67, 33);
    check_names(f, RGBA8888, 67, 33);
}

TEST_WITH(narrow_textures_are_lt_format, set_up, tear_down)
{
    struct fixture *f = *fixture;
    draw_names(LAYOUT_LT, 16, 100);
    /* Texel (5, 9) is at (1, 1) of the microtile in column 1 and row 2. A row has four
     * microtiles. */
    assert_int_equal(load_le32(memory + TEXTURE_AT + (2 * 4 + 1) * 64 + 4 * 4 + 4),
                     name_texel(5, 9));
    check_names(f, RGBA8888, 16, 100);
    draw_names(LAYOUT_LT, 61, 7);
    check_names(f, RGBA8888, 61, 7);
}

/* A texture that is wider and higher than four microtiles is in T-format. */
TEST_WITH(smallest_t_format, set_up, tear_down)
{
    struct fixture *f = *fixture;
    draw_names(LAYOUT_T, 17, 17);
    check_names(f, RGBA8888, 17, 17);
}

TEST_WITH(type_16_is_raster, set_up, tear_down)
{
    struct fixture *f = *fixture;
    draw_names(LAYOUT_RASTER, 64, 40); /* 256 bytes per row; bit 4 of the type is in parameter 1 */
    assert_int_equal(load_le32(memory + TEXTURE_AT + 256), name_texel(0, 1));
    check_names(f, RGBA32R, 64, 40);
}

/* Erratum HW-2898: the row pitch is that of the width rounded up to a power of two. A width of
 * 50 has the pitch of 64 texels, which is 256 bytes, or 128 for YUYV. */
TEST_WITH(raster_widths_are_checked, set_up, tear_down)
{
    struct fixture *f = *fixture;
    set_word(3 * 256 + 4 * 7, 77);
    assert_int_equal(sample(f, nearest(RGBA32R, 50, 40, REPEAT), 7.5f / 50, 3.5f / 40), 77);
    only_fault(f, FAULT_TMU_RASTER_WIDTH, 1);
    set_word(5 * 128 + 2 * 8, 0x40302010); /* a word with two texels, at texel 8 of row 5 */
    assert_int_equal(sample(f, nearest(17, 50, 40, REPEAT), 8.5f / 50, 5.5f / 40), 0xff402010);
    only_fault(f, FAULT_TMU_RASTER_WIDTH, 1);
}

/* CSWIZ, bits 11:10 of parameter 0, affects only the cache. */
TEST_WITH(cache_swizzle_changes_no_result, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = nearest(RGBA8888, 96, 64, REPEAT);
    draw_names(LAYOUT_T, 96, 64);
    for (uint32_t swizzle = 0; swizzle < 4; swizzle++) {
        put(f, TMU_T, 40.5f / 64, parameter0(&texture) | swizzle << 10);
        put(f, TMU_S, 70.5f / 96, parameter1(&texture));
        assert_int_equal(take(f), name_texel(70, 40));
    }
    no_fault(f);
}

/* Width and height 0 mean 2048. */
TEST_WITH(size_zero_is_2048, set_up, tear_down)
{
    struct fixture *f = *fixture;
    memory[TEXTURE_AT + 2047 / 8 * 64 + 7] = 0x77; /* LT format: last texel of row 0, in
                                                      microtile 255 */
    assert_int_equal(sample(f, nearest(LUMINANCE, 2048, 8, CLAMP), 2047.5f / 2048, 0), 0xff777777);
    memory[TEXTURE_AT + 2040 * 8 + 56] = 0x66; /* a texel of row 2047 */
    assert_int_equal(sample(f, nearest(LUMINANCE, 8, 2048, CLAMP), 0, 2047.5f / 2048), 0xff666666);
    no_fault(f);
}

TEST_WITH(flip_y_turns_the_image_upside_down, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = nearest(RGBA8888, 4, 3, CLAMP);
    draw_names(LAYOUT_LT, 4, 3);
    texture.flip_y = 1;
    assert_int_equal(sample(f, texture, 0.3f, 0.1f), name_texel(1, 2));
    assert_int_equal(sample(f, texture, 0.3f, 0.9f), name_texel(1, 0));
    texture.wrap_t = REPEAT;
    assert_int_equal(sample(f, texture, 0.3f, 1.1f), name_texel(1, 2));
    no_fault(f);
}

/* ---- wrap modes and filters --------------------------------------------------------------------
 */

/* Wrap modes by OpenGL ES 2.0 section 3.7.6 and manual table 16. The four texels contain 10 to
 * 13. -1 is the border. */
TEST_WITH(wrap_modes_at_and_beyond_edges, set_up, tear_down)
{
    struct fixture *f = *fixture;
    static const struct {
        float s;
        int repeat, clamp, mirror, border;
    } cases[] = {
        /* clang-format off */
        /* clang-format off */
        {-1.875f,  0, 0, 0, -1},
        {-1.125f,  3, 0, 3, -1},
        {-1.0f,    0, 0, 3, -1},
        {-0.625f,  1, 0, 2, -1},
        {-0.25f,   3, 0, 0, -1},
        {-0.01f,   3, 0, 0, -1},
        {0.0f,     0, 0, 0, 0},
        {0.125f,   0, 0, 0, 0},
        {0.25f,    1, 1, 1, 1},
        {0.49f,    1, 1, 1, 1},
        {0.5f,     2, 2, 2, 2},
        {0.99f,    3, 3, 3, 3},
        {1.0f,     0, 3, 3, -1},
        {1.125f,   0, 3, 3, -1},
        {1.375f,   1, 3, 2, -1},
        {1.875f,   3, 3, 0, -1},
        {2.0f,     0, 3, 0, -1},
        {2.3f,     1, 3, 1, -1},
        {65537.3f, 1, 3, 2, -1},
        /* clang-format on */
        /* clang-format on */
    };
    const uint32_t border_colour = 0xc0ffee11;
    for (uint32_t i = 0; i < 4; i++)
        set_word((int32_t)i * 4, 10 + i);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint32_t mode = REPEAT; mode <= BORDER; mode++) {
            struct image texture = nearest(RGBA8888, 4, 1, mode);
            const int expected[] = {cases[i].repeat, cases[i].clamp, cases[i].mirror,
                                    cases[i].border};
            lanes border;
            fill(&border, 0);
            border[0] = border_colour; /* only element 0 of the border colour is used */
            tmu_write(&f->tmu, &f->ports, 0, TMU_R, &border, parameter0(&texture));
            put(f, TMU_T, 0.5f, parameter1(&texture));
            put(f, TMU_S, cases[i].s, 0);
            assert_int_equal((take(f), f->result[7]),
                             expected[mode] < 0 ? border_colour : 10 + (uint32_t)expected[mode]);
        }
    no_fault(f);
}

TEST_WITH(s_and_t_wrap_independently, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = nearest(RGBA8888, 4, 4, CLAMP);
    draw_names(LAYOUT_LT, 4, 4);
    texture.wrap_t = REPEAT;
    assert_int_equal(sample(f, texture, 1.3f, 1.3f), name_texel(3, 1));
    texture.wrap_t = BORDER; /* r is not written, so the border colour is 0 */
    assert_int_equal(sample(f, texture, 1.3f, 1.3f), 0);
    no_fault(f);
}

/* "Use enough precision that s = k / W hits texel k exactly". In float32, k / W may be rounded
 * down, and the lookup must still return texel k. */
TEST_WITH(texel_edges_are_exact, set_up, tear_down)
{
    struct fixture *f = *fixture;
    static const uint32_t widths[] = {1, 3, 7, 49, 100, 255, 256, 641, 1023, 2047, 2048};
    draw_names(LAYOUT_RASTER, 2048, 1);
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        for (uint32_t k = 0; k < widths[i]; k++)
            for (uint32_t wrap = REPEAT; wrap <= BORDER; wrap++)
                assert_int_equal(
                    sample(f, nearest(RGBA32R, widths[i], 1, wrap), (float)k / (float)widths[i], 0),
                    k);
    no_fault(f);
}

/* The texture has 2 x 2 gray texels: 0 and 100 in row 0, and 200 and 40 in row 1. */
TEST_WITH(bilinear_by_hand, set_up, tear_down)
{
    struct fixture *f = *fixture;
    static const struct {
        uint32_t wrap;
        float s, t;
        uint32_t level;
    } cases[] = {
        {CLAMP, 0.25f, 0.25f, 0}, /* at the centre of a texel */
        {CLAMP, 0.75f, 0.25f, 100},
        {CLAMP, 0.25f, 0.75f, 200},
        {CLAMP, 0.75f, 0.75f, 40},
        {CLAMP, 0.5f, 0.5f, 85},      /* (0 + 100 + 200 + 40) / 4 */
        {CLAMP, 0.375f, 0.25f, 25},   /* a quarter of the way from texel 0 to texel 1 */
        {CLAMP, 0.375f, 0.625f, 126}, /* the rows give 25 and 160; three quarters of the way:
                                         126.25 */
        {CLAMP, 0.0f, 0.0f, 0},       /* beyond the edge, the outer texel repeats */
        {CLAMP, 1.0f, 1.0f, 40},
        {CLAMP, -5.0f, 9.0f, 200},
        {REPEAT, 0.0f, 0.25f, 50}, /* half of it is the texel at the opposite edge */
        {REPEAT, 1.0f, 0.75f, 120},
        {REPEAT, 0.125f, 0.25f, 25}, /* u is 0.25 - 0.5, so a quarter of texel 1 is added */
        {MIRROR, 0.0f, 0.25f, 0},    /* the texel is its own mirror image */
        {MIRROR, 1.0f, 0.25f, 100},
        {MIRROR, 1.5f, 0.25f, 50},
    };
    set_word(0, gray(0));
    set_word(4, gray(100));
    set_word(16, gray(200));
    set_word(20, gray(40));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(sample(f, linear(RGBA8888, 2, 2, cases[i].wrap), cases[i].s, cases[i].t),
                         gray(cases[i].level));
    no_fault(f);
}

/* Each channel is rounded separately, 0.5 rounds up, and 255 stays 255. */
TEST_WITH(bilinear_rounds_channels_apart, set_up, tear_down)
{
    struct fixture *f = *fixture;
    set_word(0, 0xff00ff00);
    set_word(4, 0xffff0100);
    assert_int_equal(sample(f, linear(RGBA8888, 2, 1, CLAMP), 0.5f, 0.5f), 0xff808000);
    set_word(4, 0xff01ff01);
    assert_int_equal(sample(f, linear(RGBA8888, 2, 1, CLAMP), 0.5f, 0.5f), 0xff01ff01);
    no_fault(f);
}

/* The border colour is filtered like a texel. */
TEST_WITH(bilinear_with_border, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = linear(RGBA8888, 1, 1, BORDER);
    set_word(0, gray(200));
    lanes border;
    fill(&border, gray(100));
    tmu_write(&f->tmu, &f->ports, 0, TMU_R, &border, parameter0(&texture));
    put(f, TMU_T, 0.5f, parameter1(&texture));
    put(f, TMU_S, 1.0f, 0);
    assert_int_equal(take(f), gray(150));
    no_fault(f);
}

/* ---- level of detail ---------------------------------------------------------------------------
 */

/* An 8x8 texture with all its levels, each in one gray, at descending addresses from the base.
 * 8x8 and 4x4 occupy 256 and 64 bytes; 2x2 and 1x1 occupy a microtile each. */
static void draw_levels(void)
{
    for (int32_t i = 0; i < 256; i += 4)
        set_word(i, gray(10));
    for (int32_t level = 1; level < 4; level++)
        for (int32_t i = 0; i < 64; i += 4)
            set_word(i - level * 64, gray(10 + (uint32_t)level * 40));
}

/* Manual table 17, BSLOD: "Disable automatic LOD, use bias only". */
static uint32_t sample_detail(struct fixture *f, uint32_t min, uint32_t levels, float detail)
{
    struct image texture = linear(RGBA8888, 8, 8, REPEAT);
    texture.min = min;
    texture.levels = levels;
    put(f, TMU_T, 0.5f, parameter0(&texture));
    put(f, TMU_B, detail, parameter1(&texture));
    put(f, TMU_S, 0.5f, UINT32_C(1) << 30 | 1);
    return take(f) & 0xff;
}

/* Manual table 19: the filters choose levels and texels. Levels 0 to 3 contain the grays 10, 50,
 * 90, 130. */
TEST_WITH(minification_filters_choose_levels, set_up, tear_down)
{
    struct fixture *f = *fixture;
    static const struct {
        uint32_t min, levels;
        float detail;
        uint32_t expected;
    } cases[] = {
        /* clang-format off */
        /* clang-format off */
        {LIN_MIP_NEAR,  4, -3,        10},
        {LIN_MIP_NEAR,  4, 0.25f,     10},
        {LIN_MIP_NEAR,  4, 0.75f,     50},
        {LIN_MIP_NEAR,  4, 2,         90},
        {LIN_MIP_NEAR,  4, 2.75f,     130},
        {LIN_MIP_NEAR,  4, 99,        130},
        {LIN_MIP_LIN,   4, 0.25f,     20},
        {LIN_MIP_LIN,   4, 1.5f,      70},
        {LIN_MIP_LIN,   4, 2.75f,     120},
        {LIN_MIP_LIN,   4, 3.5f,      130},
        {LIN_MIP_LIN,   2, 1.5f,      50},
        {LIN_MIP_LIN,   1, 1.5f,      10},
        {NEAR_MIP_NEAR, 4, 1.25f,     50},
        {NEAR_MIP_LIN,  4, 1.25f,     60},
        {MIN_LINEAR,    4, 2,         10},
        {MIN_NEAREST,   4, 2,         10},
        {LIN_MIP_LIN,   4, NAN,       10},
        {LIN_MIP_LIN,   4, INFINITY,  130},
        {LIN_MIP_LIN,   4, -INFINITY, 10},
        /* clang-format on */
        /* clang-format on */
    };
    draw_levels();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(sample_detail(f, cases[i].min, cases[i].levels, cases[i].detail),
                         cases[i].expected);
    no_fault(f);
}

/* Samples a quad whose neighbours are step_x and step_y texels apart. */
static uint32_t sample_quad(struct fixture *f, struct image texture, float step_x, float step_y,
                            float bias)
{
    lanes s, t;
    for (unsigned i = 0; i < LANES; i++) {
        s[i] = float_bits((i & 1 ? step_x : 0) / (float)texture.width);
        t[i] = float_bits((i & 2 ? step_y : 0) / (float)texture.height);
    }
    tmu_write(&f->tmu, &f->ports, 0, TMU_T, &t, parameter0(&texture));
    put(f, TMU_B, bias, parameter1(&texture));
    tmu_write(&f->tmu, &f->ports, 0, TMU_S, &s, 0);
    take(f);
    assert_int_equal(f->result[12], f->result[0]);
    return f->result[0] & 0xff;
}

/* The level of detail is log2 of the larger distance between neighbours, plus the bias (OpenGL
 * ES 2.0 section 3.7.7). */
TEST_WITH(detail_comes_from_quads, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = linear(RGBA8888, 8, 8, REPEAT);
    texture.levels = 4;
    texture.min = LIN_MIP_LIN;
    draw_levels();
    assert_int_equal(sample_quad(f, texture, 0, 0, 0), 10);
    assert_int_equal(sample_quad(f, texture, 1, 1, 0), 10);
    assert_int_equal(sample_quad(f, texture, 2, 0, 0), 50);
    assert_int_equal(sample_quad(f, texture, 0.5f, 4, 0), 90);
    assert_int_equal(sample_quad(f, texture, -4, 2, 0), 90);
    assert_int_equal(sample_quad(f, texture, 2, 1, 1), 90);
    assert_int_equal(sample_quad(f, texture, 4, 0, -1.5f), 30);
    assert_int_equal(sample_quad(f, texture, 8, 8, 0), 130);
    no_fault(f);
}

/* Manual section 4: "only used if the shader program writes to the 'b' setup register". A request's
 * bias does not affect the next request. */
TEST_WITH(bias_counts_only_if_written, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = linear(RGBA8888, 8, 8, REPEAT);
    texture.levels = 4;
    texture.min = LIN_MIP_LIN;
    draw_levels();
    assert_int_equal(sample_quad(f, texture, 1, 1, 2), 90);
    lanes s, t;
    for (unsigned i = 0; i < LANES; i++) {
        s[i] = float_bits(i & 1 ? 2.0f / 8 : 0);
        t[i] = float_bits(i & 2 ? 2.0f / 8 : 0);
    }
    tmu_write(&f->tmu, &f->ports, 0, TMU_T, &t, parameter0(&texture));
    tmu_write(&f->tmu, &f->ports, 0, TMU_S, &s, parameter1(&texture));
    assert_int_equal(take(f) & 0xff, 50);
    no_fault(f);
}

/* Even if a texture has only one level, magnification and minification select different filters. */
TEST_WITH(magnification_and_minification_filter, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = linear(RGBA8888, 4, 1, CLAMP);
    for (int32_t i = 0; i < 4; i++)
        set_word(i * 4, gray(i == 0 ? 0 : 100));
    texture.wrap_s = REPEAT; /* u is 0: linear gives half of texel 3, nearest texel 0 */
    texture.min = MIN_NEAREST;
    assert_int_equal(sample_quad(f, texture, 0.5f, 0, 0), 50);
    assert_int_equal(sample_quad(f, texture, 2, 0, 0), 0);
    texture.mag_nearest = 1;
    texture.min = MIN_LINEAR;
    assert_int_equal(sample_quad(f, texture, 0.5f, 0, 0), 0);
    assert_int_equal(sample_quad(f, texture, 2, 0, 0), 50);
    no_fault(f);
}

/* Manual section 4: "the mipmap levels greater than 0 must be padded to fit within a power of 2
 * container image". The container of a 100x40 image is 128x64. Level 1 is 64x32 texels in
 * T-format, 8 KB. Level 2 is 32x16 texels in LT format, 2 KB. */
TEST_WITH(levels_of_other_sizes_are_padded, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = nearest(RGBA8888, 100, 40, CLAMP);
    texture.levels = 3;
    texture.min = NEAR_MIP_NEAR;
    set_word(-8192, 111);
    set_word(-8192 - 2048, 222);
    /* Level 2 of the image itself is 25x10. Its last texel, (24, 9), is the first of the second row
     * of microtile (6, 2). A row has eight microtiles. */
    set_word(-8192 - 2048 + (2 * 8 + 6) * 64 + 4 * 4, 333);
    for (uint32_t level = 1; level < 3; level++) {
        put(f, TMU_T, 0, parameter0(&texture));
        put(f, TMU_B, (float)level, parameter1(&texture));
        put(f, TMU_S, 0, UINT32_C(1) << 30 | 1);
        assert_int_equal(take(f), level * 111);
    }
    put(f, TMU_T, 0.99f, parameter0(&texture));
    put(f, TMU_B, 2, parameter1(&texture));
    put(f, TMU_S, 0.99f, UINT32_C(1) << 30 | 1);
    assert_int_equal(take(f), 333);
    no_fault(f);
}

/* ---- cube maps and child images ----------------------------------------------------------------
 */

/* OpenGL ES 2.0 table 3.10: faces are in the order +X -X +Y -Y +Z -Z. The 4x4 faces are 4 KB
 * apart. */
TEST_WITH(cube_faces, set_up, tear_down)
{
    struct fixture *f = *fixture;
    static const struct {
        float s, t, r;
        uint32_t face, x, y;
    } cases[] = {
        /* Columns and rows of the four texels follow from (sc + 1) / 2 and (tc + 1) / 2. */
        {1, -0.75f, 0.75f, 0, 0, 3},  /* sc = -r, tc = -t */
        {-1, -0.75f, 0.75f, 1, 3, 3}, /* sc = r, tc = -t */
        {0.25f, 1, -0.75f, 2, 2, 0},  /* sc = s, tc = r */
        {0.25f, -1, -0.75f, 3, 2, 3}, /* sc = s, tc = -r */
        {-0.25f, 0.75f, 1, 4, 1, 0},  /* sc = s, tc = -t */
        {-0.25f, 0.75f, -1, 5, 2, 0}, /* sc = -s, tc = -t */
        {1, 1, 1, 0, 0, 0},           /* of equal components, the first selects the face */
    };
    struct image texture = nearest(RGBA8888, 4, 4, REPEAT);
    texture.cube = 1;
    for (uint32_t face = 0; face < 6; face++)
        for (uint32_t i = 0; i < 16; i++)
            set_word((int32_t)(face * 4096 + i * 4), face << 8 | i);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put(f, TMU_R, cases[i].r, parameter0(&texture));
        put(f, TMU_T, cases[i].t, parameter1(&texture));
        put(f, TMU_S, cases[i].s, UINT32_C(1) << 30 | 4096);
        assert_int_equal(take(f), cases[i].face << 8 | (cases[i].y * 4 + cases[i].x));
    }
    no_fault(f);
}

static uint32_t sample_child(struct fixture *f, float s, float t, uint32_t size, uint32_t offset)
{
    struct image texture = nearest(RGBA8888, 16, 8, REPEAT);
    put(f, TMU_T, t, parameter0(&texture));
    put(f, TMU_R, 0, parameter1(&texture));
    put(f, TMU_B, 0, UINT32_C(3) << 30 | offset);
    put(f, TMU_S, s, UINT32_C(2) << 30 | size);
    return take(f);
}

/* OpenGL ES 2.0, section 3.7.5: the selected face is sampled like any two-dimensional texture,
 * so at its edge a linear filter uses a texel that the wrap mode selects on the same face. On
 * face -X, sc = r and tc = -t, so (-1, 0.75, 1) is the right edge of row 0, half a texel from
 * column 3 and from the texel to the right. */
TEST_WITH(cube_faces_wrap, set_up, tear_down)
{
    struct fixture *f = *fixture;
    static const struct {
        uint32_t wrap, result;
    } cases[] = {{REPEAT, 100}, {CLAMP, 200}, {MIRROR, 200}};
    set_word(4096 + 3 * 4, 200); /* the last texel of row 0 */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct image texture = linear(RGBA8888, 4, 4, cases[i].wrap);
        texture.cube = 1;
        put(f, TMU_R, 1, parameter0(&texture));
        put(f, TMU_T, 0.75f, parameter1(&texture));
        put(f, TMU_S, -1, UINT32_C(1) << 30 | 4096);
        assert_int_equal(take(f), cases[i].result);
    }
    no_fault(f);
}

/* Lane 0 points to (1, 0, 0.9) on face +X, lane 1 to (1, 0, 2), past the face's edge. Projected
 * on the plane of +X, the distance of the lanes is (2 - 0.9) / 2 of the face's four texels,
 * which is 2.2 texels. The level nearest to log2(2.2) is 1. Each direction is divided by its
 * largest component. */
TEST_WITH(detail_over_an_edge_of_a_cube, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = nearest(RGBA8888, 4, 4, CLAMP);
    texture.cube = 1;
    texture.levels = 2;
    texture.min = NEAR_MIP_NEAR;
    for (int32_t i = 0; i < 4; i++) /* level 1: the microtile before the base */
        set_word(-64 + 4 * (i / 2 * 4 + i % 2), 1);
    lanes s, t = {0}, r;
    for (unsigned i = 0; i < LANES; i++) {
        s[i] = float_bits(i % 4 == 1 ? 0.5f : 1);
        r[i] = float_bits(i % 4 == 1 ? 1 : 0.9f);
    }
    tmu_write(&f->tmu, &f->ports, 0, TMU_R, &r, parameter0(&texture));
    tmu_write(&f->tmu, &f->ports, 0, TMU_T, &t, parameter1(&texture));
    tmu_write(&f->tmu, &f->ports, 0, TMU_S, &s, UINT32_C(1) << 30 | 4096);
    assert_int_equal(take(f), 1);
    assert_int_equal(f->result[2], 1);
    no_fault(f);
}

/* A cube map's face is drawn over 3x3 pixels. Half a pixel from its corner, lane 3 points to (1,
 * 2/3, 2/3), and lanes 0 to 2 point past one or two of the face's edges. On +X each step is 2/3,
 * which is 16 of 48 texels: level 4. piglit's "cubemap npot" draws such a face, and passes on a
 * board. */
TEST_WITH(detail_at_a_corner_of_a_cube, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = nearest(RGBA8888, 48, 48, CLAMP);
    texture.cube = 1;
    texture.levels = 6;
    texture.min = NEAR_MIP_NEAR;
    /* Levels 1 to 4 of 64x64 are 4096, 1024, 256 and 64 bytes, in descending addresses. (1, 2/3,
     * 2/3) is texel (0, 0) of 3x3. */
    set_word(-4096 - 1024 - 256 - 64, 1);
    static const float y[4] = {4, 2, 4, 2}, z[4] = {4, 4, 2, 2};
    lanes s, t, r;
    for (unsigned i = 0; i < LANES; i++) {
        float largest = fmaxf(3, fmaxf(y[i % 4], z[i % 4]));
        s[i] = float_bits(3 / largest);
        t[i] = float_bits(y[i % 4] / largest);
        r[i] = float_bits(z[i % 4] / largest);
    }
    tmu_write(&f->tmu, &f->ports, 0, TMU_R, &r, parameter0(&texture));
    tmu_write(&f->tmu, &f->ports, 0, TMU_T, &t, parameter1(&texture));
    tmu_write(&f->tmu, &f->ports, 0, TMU_S, &s, UINT32_C(1) << 30 | 16384);
    take(f);
    assert_int_equal(f->result[3], 1);
    no_fault(f);
}

/* Manual section 4: in a child image, coordinates are "mapped to a programmable window on the
 * texture image". */
TEST_WITH(child_images_are_windows, set_up, tear_down)
{
    struct fixture *f = *fixture;
    draw_names(LAYOUT_LT, 16, 8);
    uint32_t size = 2 << 12 | 4, offset = 3 << 12 | 5; /* 4x2 texels at (5, 3) */
    assert_int_equal(sample_child(f, 0, 0, size, offset), name_texel(5, 3));
    assert_int_equal(sample_child(f, 0.9f, 0.9f, size, offset), name_texel(8, 4));
    assert_int_equal(sample_child(f, 1.3f, 1.1f, size, offset), name_texel(6, 3));
    no_fault(f);
    assert_int_equal(sample_child(f, 0, 0, size, 3 << 12 | 13),
                     0); /* the window extends past the right edge */
    only_fault(f, FAULT_TMU_PARAMETER, 1);
}

/* Erratum HW-2753: child images of size 2048 fail. */
TEST_WITH(child_images_of_2048_are_found, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = nearest(LUMINANCE, 2048, 8, REPEAT);
    put(f, TMU_T, 0, parameter0(&texture));
    put(f, TMU_R, 0, parameter1(&texture));
    put(f, TMU_B, 0, UINT32_C(3) << 30);
    put(f, TMU_S, 0, UINT32_C(2) << 30 | 8 << 12);
    assert_int_equal(take(f), 0);
    only_fault(f, FAULT_TMU_CHILD_2048, 1);
}

/* ---- whole lookups against plain arithmetic
 * ---------------------------------------------------- */

/* Returns the index of a texel by the wrap modes of OpenGL ES 2.0 section 3.7.6. The border is
 * -1. */
static int64_t plain_wrap(int64_t at, int64_t size, uint32_t wrap)
{
    int64_t period = ((at % (2 * size)) + 2 * size) % (2 * size);
    switch (wrap) {
    case REPEAT: return period % size;
    case CLAMP: return at < 0 ? 0 : at >= size ? size - 1 : at;
    case MIRROR: return period < size ? period : 2 * size - 1 - period;
    default: return at < 0 || at >= size ? -1 : at;
    }
}

enum { PLAIN_WIDTH = 37, PLAIN_HEIGHT = 21, PLAIN_BORDER = 0x40c08020 };

static uint32_t plain_texels[PLAIN_HEIGHT][PLAIN_WIDTH];

static uint32_t plain_fetch(int64_t x, int64_t y, uint32_t wrap)
{
    x = plain_wrap(x, PLAIN_WIDTH, wrap);
    y = plain_wrap(y, PLAIN_HEIGHT, wrap);
    return x < 0 || y < 0 ? PLAIN_BORDER : plain_texels[y][x];
}

/* Returns a coordinate in texels, rounded to steps of 1/4096 as in docs/vc4/tmu.md. */
static double plain_position(float coordinate, double size)
{
    return floor((double)coordinate * size * 4096 + 0.5) / 4096;
}

static uint32_t plain_sample(float s, float t, uint32_t wrap, bool linear)
{
    double x = plain_position(s, PLAIN_WIDTH), y = plain_position(t, PLAIN_HEIGHT);
    if (!linear)
        return plain_fetch((int64_t)floor(x), (int64_t)floor(y), wrap);
    x -= 0.5;
    y -= 0.5;
    double right = floor((x - floor(x)) * 256 + 0.5) / 256;
    double lower = floor((y - floor(y)) * 256 + 0.5) / 256;
    int64_t column = (int64_t)floor(x), row = (int64_t)floor(y);
    uint32_t result = 0;
    for (unsigned shift = 0; shift < 32; shift += 8) {
        double sum = 0;
        for (unsigned i = 0; i < 4; i++)
            sum += (plain_fetch(column + (i & 1), row + (i >> 1), wrap) >> shift & 0xff) *
                   (i & 1 ? right : 1 - right) * (i >> 1 ? lower : 1 - lower);
        result |= (uint32_t)floor(sum + 0.5) << shift;
    }
    return result;
}

/* Every lane samples its own position. Positions extend over two images in x and y. */
TEST_WITH(sampling_equals_plain_arithmetic, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image_layout image;
    uint32_t seed = 7;
    layout_init(&image, LAYOUT_T, PLAIN_WIDTH, PLAIN_HEIGHT, 32);
    for (uint32_t y = 0; y < PLAIN_HEIGHT; y++)
        for (uint32_t x = 0; x < PLAIN_WIDTH; x++) {
            plain_texels[y][x] = next_random(&seed);
            set_word((int32_t)layout_offset(&image, x, y, NULL), plain_texels[y][x]);
        }
    for (uint32_t wrap = REPEAT; wrap <= BORDER; wrap++)
        for (unsigned round = 0; round < 200; round++) {
            bool is_linear = round & 1;
            struct image texture = is_linear ? linear(RGBA8888, PLAIN_WIDTH, PLAIN_HEIGHT, wrap)
                                             : nearest(RGBA8888, PLAIN_WIDTH, PLAIN_HEIGHT, wrap);
            lanes s, t, border;
            fill(&border, PLAIN_BORDER);
            for (unsigned i = 0; i < LANES; i++) {
                s[i] = float_bits((float)(next_random(&seed) % 5000) / 1000.f - 2.5f);
                t[i] = float_bits((float)(next_random(&seed) % 5000) / 1000.f - 2.5f);
            }
            tmu_write(&f->tmu, &f->ports, 0, TMU_R, &border, parameter0(&texture));
            tmu_write(&f->tmu, &f->ports, 0, TMU_T, &t, parameter1(&texture));
            tmu_write(&f->tmu, &f->ports, 0, TMU_S, &s, 0);
            take(f);
            for (unsigned i = 0; i < LANES; i++)
                assert_int_equal(f->result[i],
                                 plain_sample(bits_float(s[i]), bits_float(t[i]), wrap, is_linear));
        }
    no_fault(f);
}

/* ---- 16-bit floats -----------------------------------------------------------------------------
 */

/* Linear filtering of 16-bit floats, worked out by hand. The encodings are 3c00 for 1, 4000 for
 * 2, 4200 for 3, bc00 for -1, and 7c00 for infinity. */
TEST_WITH(halves_are_blended, set_up, tear_down)
{
    struct fixture *f = *fixture;
    static const struct {
        uint32_t left, right;
        float s;
        uint32_t expected;
    } cases[] = {
        {0x3c00, 0x4200, 0.5f, 0x4000},   /* half-way from 1 to 3: 2 */
        {0x3c00, 0x4200, 0.375f, 0x3e00}, /* a quarter of the way from 1 to 3: 1.5 */
        {0x3c00, 0xbc00, 0.5f, 0},
        {0xbe00, 0x3c00, 0.25f, 0xbe00}, /* -1.5 only */
        {0x3c00, 0x3c01, 0.5f, 0x3c01},  /* ties round away from zero */
        {0xbc00, 0xbc01, 0.5f, 0xbc01},
        {0x0001, 0x0003, 0.5f, 0x0002}, /* denormal halves */
        {0x0400, 0x0000, 0.5f, 0x0200}, /* half of the smallest normal number */
        {0x7bff, 0x7bff, 0.5f, 0x7bff}, /* the largest half stays finite */
        {0x7c00, 0x3c00, 0.5f, 0x7c00},
        {0x7c00, 0xfc00, 0.5f, 0x7e00}, /* infinities of both signs give NaN */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        set_word(0, cases[i].right << 16 | cases[i].left);
        assert_int_equal(sample(f, linear(S16F, 2, 1, CLAMP), cases[i].s, 0.5f), cases[i].expected);
    }
    no_fault(f);
}

TEST_WITH(rgba64_is_filtered, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = linear(RGBA64, 2, 1, CLAMP);
    set_word(0, 0x40003c00);
    set_word(4, 0x3c000000);
    set_word(8, 0x40004200);
    set_word(12, 0x42004000);
    put(f, TMU_T, 0.5f, parameter0(&texture));
    put(f, TMU_S, 0.5f, parameter1(&texture));
    assert_int_equal(take(f), 0x40004000); /* G is 2 and 2, R is 1 and 3 */
    assert_int_equal(take(f), 0x40003c00); /* A is 1 and 3, B is 0 and 2 */
    no_fault(f);
}

/* Manual appendix A. HW-2619: "discards the sign bit of sample components which are precise
 * negative powers of two". Only exact powers are affected: -1.5 keeps its sign. */
TEST_WITH(errata_of_halves, set_up, tear_down)
{
    struct fixture *f = *fixture;
    set_word(0, 0xbe00bc00);
    assert_int_equal(sample(f, linear(S16F, 2, 1, CLAMP), 0.25f, 0.5f), 0x3c00);
    only_fault(f, FAULT_TMU_HALF_BLEND, 1);
    assert_int_equal(sample(f, nearest(S16F, 2, 1, CLAMP), 0.25f, 0.5f), 0xbc00);
    assert_int_equal(sample(f, linear(S16F, 2, 1, CLAMP), 0.75f, 0.5f), 0xbe00);
    no_fault(f);
}

/* HW-2645, "does not work for INF + negative values". Level 0 is infinite, and level 1 is -3. */
TEST_WITH(errata_of_levels, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = linear(S16F, 2, 2, CLAMP);
    texture.levels = 2;
    texture.min = LIN_MIP_LIN;
    set_word(0, 0x7c007c00);
    set_word(16, 0x7c007c00);
    set_word(-64, 0xc200);
    put(f, TMU_T, 0.5f, parameter0(&texture));
    put(f, TMU_B, 0.5f, parameter1(&texture));
    put(f, TMU_S, 0.5f, UINT32_C(1) << 30 | 1);
    assert_int_equal(take(f), 0xfc00);
    only_fault(f, FAULT_TMU_HALF_BLEND, 1);
}

TEST_WITH(rgba64_borders_fill_both_words, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = nearest(RGBA64, 2, 1, BORDER);
    put(f, TMU_R, bits_float(0x12345678), parameter0(&texture));
    put(f, TMU_T, 0.5f, parameter1(&texture));
    put(f, TMU_S, 1.5f, 0);
    assert_int_equal(take(f), 0x12345678);
    assert_int_equal(take(f), 0x12345678);
    no_fault(f);
}

/* ---- child images of levels and faces ----------------------------------------------------------
 */

/* The child image is an 8x4 window at (8, 4) of a 16x8 image. In level 1, which has 8x4 texels,
 * the window is 4x2 texels at (4, 2). */
TEST_WITH(child_images_shrink_with_their_levels, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = nearest(RGBA8888, 16, 8, CLAMP);
    texture.levels = 2;
    texture.min = NEAR_MIP_NEAR;
    struct image_layout image;
    layout_init(&image, LAYOUT_LT, 8, 4, 32);
    for (uint32_t y = 0; y < 4; y++)
        for (uint32_t x = 0; x < 8; x++)
            set_word((int32_t)layout_offset(&image, x, y, NULL) - 128, name_texel(x, y));
    lanes s, t;
    for (unsigned i = 0; i < LANES; i++) { /* lanes are two texels apart, which selects level 1 */
        s[i] = float_bits((float)(i & 1) * 0.25f + 0.5f);
        t[i] = float_bits((float)(i >> 1 & 1) * 0.5f + 0.25f);
    }
    tmu_write(&f->tmu, &f->ports, 0, TMU_T, &t, parameter0(&texture));
    put(f, TMU_R, 0, parameter1(&texture));
    put(f, TMU_B, 0, UINT32_C(3) << 30 | 4 << 12 | 8);
    tmu_write(&f->tmu, &f->ports, 0, TMU_S, &s, UINT32_C(2) << 30 | 4 << 12 | 8);
    assert_int_equal(take(f), name_texel(6, 2));
    assert_int_equal(f->result[1], name_texel(7, 2));
    assert_int_equal(f->result[2], name_texel(6, 3));
    no_fault(f);
}

TEST_WITH(child_images_of_cube_maps, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = nearest(RGBA8888, 4, 4, CLAMP);
    texture.cube = 1;
    for (uint32_t i = 0; i < 16; i++)
        set_word((int32_t)(4 * 4096 + i * 4), i);
    put(f, TMU_R, 1, parameter0(&texture)); /* the direction is on face +Z: sc = s, tc = -t */
    put(f, TMU_T, -0.75f, parameter1(&texture));
    put(f, TMU_B, 0, UINT32_C(1) << 30 | 4096);
    put(f, TMU_S, -0.75f, UINT32_C(2) << 30 | 2 << 12 | 2); /* child image of 2x2 texels at (0,
                                                               0) */
    assert_int_equal(take(f), 1 * 4 + 0);
    only_fault(f, FAULT_TMU_CHILD_HALF, 1); /* the stride occupies the parameter of the offsets */
}

/* ---- units and caches --------------------------------------------------------------------------
 */

/* Manual section 4: TMU0 and TMU1 are "automatically swapped for accesses by QPU2 and QPU3". */
TEST_WITH(units_swap_for_two_qpus_of_a_slice, set_up, tear_down)
{
    struct fixture *f = *fixture;
    for (uint32_t qpu = 0; qpu < 12; qpu++) {
        tmu_start(&f->tmu, &f->ports, qpu);
        look_up(f, TEXTURE);
        assert_int_equal(f->tmu.last.unit, qpu % 4 >= 2);
        take(f);
    }
    tmu_start(&f->tmu, &f->ports, 6);
    tmu_noswap(&f->tmu, 0);
    look_up(f, TEXTURE);
    assert_int_equal(f->tmu.last.unit, 1);
    take(f);
    tmu_noswap(&f->tmu, 2);
    look_up(f, TEXTURE);
    assert_int_equal(f->tmu.last.unit, 0);
    take(f);
    no_fault(f);
}

static struct shared_units slices;
static struct pctr_counts counts;

static void add_caches(struct fixture *f)
{
    shared_units_clear(&slices);
    memset(&counts, 0, sizeof counts);
    f->ports.slices = &slices;
    f->ports.counts = &counts;
}

/* The caches that the TMUs of the first slice use. */
struct caches {
    struct cache tmu[TMU_UNITS], l2;
};

static struct caches save_caches(void)
{
    return (struct caches){{slices.slice[0].tmu[0], slices.slice[0].tmu[1]}, slices.l2};
}

static void restore_caches(const struct caches *saved)
{
    memcpy(slices.slice[0].tmu, saved->tmu, sizeof saved->tmu);
    slices.l2 = saved->l2;
}

/* vc4asm's addendum: "if you load the same value twice into another element this will cause a cache
 * miss if a memory address with 4 k offset is in between". */
TEST_WITH(lookups_miss_in_the_order_of_elements, set_up, tear_down)
{
    struct fixture *f = *fixture;
    lanes address;
    add_caches(f);
    look_up(f, TEXTURE);
    assert_int_equal(f->tmu.last.misses, 1);
    assert_int_equal(f->tmu.last.l2_misses, 1);
    take(f);
    look_up(f, TEXTURE + 60);
    assert_int_equal(f->tmu.last.misses, 0);
    take(f);
    for (unsigned i = 0; i < LANES; i++)
        address[i] = TEXTURE + (i & 1) * 4096;
    tmu_write(&f->tmu, &f->ports, 0, TMU_S, &address, 0);
    take(f);
    assert_int_equal(f->tmu.last.misses, 15); /* all lookups but the first miss */
    assert_int_equal(f->tmu.last.l2_misses, 1);
    assert_int_equal(counts.of[PCTR_TMU_QUADS], 12);
    assert_int_equal(counts.of[PCTR_TMU_MISSES], 16);
    assert_int_equal(counts.of[PCTR_L2C_MISSES], 2);
    assert_int_equal(counts.of[PCTR_L2C_HITS], 14);
    no_fault(f);
}

/* The engine has a quiet path for simple lookups. The path must return the same words, misses
 * and counts as a full lookup. For other lookups, the path must not change any state. */
TEST_WITH(quiet_lookups_are_the_same, set_up, tear_down)
{
    struct fixture *f = *fixture;
    uint32_t random = 7;
    for (unsigned i = 0; i < MEMORY_SIZE; i++)
        memory[i] = (uint8_t)(i * 7 + (i >> 8));
    add_caches(f);
    for (unsigned round = 0; round < 600; round++) {
        const uint32_t steps[] = {4, 0, 8, 1, 4096};
        uint32_t first = MEMORY - 200 + next_random(&random) % (MEMORY_SIZE + 400),
                 step = steps[round % 5];
        lanes address;
        for (unsigned i = 0; i < LANES; i++)
            address[i] = round % 7 ? first + i * step
                                   : MEMORY + (next_random(&random) % MEMORY_SIZE & ~UINT32_C(3));
        if (round % 3 == 0)
            address |= UINT32_C(0xc0000000); /* alias bits do not matter */
        const struct caches before = save_caches();
        const struct pctr_counts counted = counts;
        bool quietly = tmu_look_up_quietly(&f->tmu, &f->ports, 0, &address);
        bool inside = true;
        for (unsigned i = 0; i < LANES; i++)
            inside &= (address[i] & BUS_ADDRESS_MASK & ~UINT32_C(3)) - MEMORY < MEMORY_SIZE;
        assert_true(quietly == inside);
        if (!quietly) {
            const struct caches after = save_caches();
            assert_memory_equal(&after, &before, sizeof before);
            assert_memory_equal(&counts, &counted, sizeof counted);
            continue;
        }
        take(f);
        const lanes result = f->result;
        const struct tmu_cost cost = f->tmu.last;
        const struct caches after = save_caches();
        const struct pctr_counts counts_after = counts;
        restore_caches(&before);
        counts = counted;
        tmu_write(&f->tmu, &f->ports, 0, TMU_S, &address, 0);
        take(f);
        assert_memory_equal(&result, &f->result, sizeof result);
        assert_memory_equal(&cost, &f->tmu.last, sizeof cost);
        const struct caches again = save_caches();
        assert_memory_equal(&after, &again, sizeof after);
        assert_memory_equal(&counts_after, &counts, sizeof counts);
    }
    no_fault(f);
}

/* A microtile is a cache line: 8x4 texels of 32 bits are two lines. The other unit fetches the
 * lines into its own cache. */
TEST_WITH(texels_miss_by_microtiles, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = linear(RGBA8888, 8, 4, CLAMP);
    add_caches(f);
    sample(f, texture, 0.5f, 0.5f); /* on the edge of both microtiles */
    assert_int_equal(f->tmu.last.texels, 4 * LANES);
    assert_int_equal(f->tmu.last.misses, 2);
    sample(f, texture, 0.2f, 0.5f);
    assert_int_equal(f->tmu.last.misses, 0);
    tmu_start(&f->tmu, &f->ports, 3);
    sample(f, texture, 0.2f, 0.5f);
    assert_int_equal(f->tmu.last.misses, 1);
    assert_int_equal(f->tmu.last.l2_misses, 0);
    no_fault(f);
}

/* The model keeps data between requests. When parameters or memory change, it must not use data
 * from before the change. */
TEST_WITH(memory_may_change_between_requests, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = nearest(ETC1, 4, 4, CLAMP);
    texture.etc_flip = 1;
    set_word(0, 0x00000000); /* black base colours, table 0: +2 */
    set_word(4, 0);
    assert_int_equal(sample(f, texture, 0.1f, 0.1f), 0xff020202);
    set_word(4, 0xffff); /* sign bits of all texels: -2 */
    assert_int_equal(sample(f, texture, 0.1f, 0.1f), 0xff000000);
    bus_unmap(&f->bus, MEMORY);
    sample(f, texture, 0.1f, 0.1f);
    only_fault(f, FAULT_BUS_UNMAPPED, 1);
}

/* ---- findings ----------------------------------------------------------------------------------
 */

static char latest[400];

/* Another QPU's DMA has stored to the second microtile. The lookups are not synchronised with
 * the store. */
TEST_WITH(texels_take_part_in_races, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct race_access store = {.qpu = 1, .agent = RACE_STORE};
    struct race *race = race_new(&f->log);
    assert_non_null(race);
    race_start(race, 0);
    race_start(race, 1);
    race_begin(race, 1, RACE_STORE);
    race_memory(race, &store, TEXTURE + 64, 4, true);
    f->ports.race = race;
    sample(f, nearest(RGBA8888, 8, 8, REPEAT), 3.5f / 8, 0);        /* a texel of the first
                                                                       microtile */
    sample(f, nearest(RGBA8888, 8, 8, REPEAT), 4.5f / 8, 1.5f / 8); /* row 1 of the second
                                                                       microtile */
    no_fault(f);
    sample(f, linear(RGBA8888, 8, 8, REPEAT), 4 / 8.f, 0); /* filters two texels of each
                                                              microtile */
    only_fault(f, FAULT_MEMORY_RACE, 1);
    race_free(race);
}

static void keep_text(void *user, const struct tess_finding *diag)
{
    (void)user;
    strncpy(latest, diag->text, sizeof latest - 1);
}

TEST_WITH(findings_say_how_far_outside, set_up, tear_down)
{
    struct fixture *f = *fixture;
    f->log.sink.report = keep_text;
    look_up(f, MEMORY + MEMORY_SIZE + 0x10);
    take(f);
    assert_non_null(strstr(latest, "16 bytes after the memory at 0x00100000 to 0x0013ffff"));
    look_up(f, MEMORY - 4);
    take(f);
    assert_non_null(strstr(latest, "4 bytes before the memory"));
    look_up(f, UINT32_C(0xc0000000) + MEMORY -
                   4); /* the finding prints both addresses, with the alias that the program uses */
    take(f);
    assert_non_null(
        strstr(latest, "at 0xc00ffffc, 4 bytes before the memory at 0xc0100000 to 0xc013ffff"));
    only_fault(f, FAULT_BUS_UNMAPPED, 3);
}

TEST_WITH(more_than_four_lookups_are_found, set_up, tear_down)
{
    struct fixture *f = *fixture;
    for (unsigned i = 0; i < 4; i++)
        look_up(f, TEXTURE);
    no_fault(f);
    look_up(f, TEXTURE);
    only_fault(f, FAULT_TMU_LOOKUPS, 1);
}

TEST_WITH(parameters_that_do_not_fit_are_found, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = nearest(RGBA8888, 8, 4, CLAMP);
    texture.levels = 4; /* sizes 8, 4, 2, 1 */
    sample(f, texture, 0, 0);
    no_fault(f);
    texture.levels = 5;
    sample(f, texture, 0, 0);
    only_fault(f, FAULT_TMU_LEVELS, 1);
    sample(f, texture, 0, 0); /* each request reports the finding */
    only_fault(f, FAULT_TMU_LEVELS, 1);
    texture.levels = 1;
    put(f, TMU_T, 0, parameter0(&texture));
    put(f, TMU_B, 0, parameter1(&texture));
    put(f, TMU_S, 0, UINT32_C(1) << 30 | 0x1800); /* the stride of a cube map is 6 KB */
    take(f);
    only_fault(f, FAULT_TMU_RESERVED, 1);
}

TEST_WITH(unfinished_requests_are_seen, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = nearest(RGBA8888, 4, 4, CLAMP);
    assert_false(tmu_unfinished(&f->tmu));
    put(f, TMU_T, 0, parameter0(&texture));
    assert_true(tmu_unfinished(&f->tmu));
    put(f, TMU_S, 0, parameter1(&texture));
    assert_false(tmu_unfinished(&f->tmu));
}

/* ---- errors
 * ------------------------------------------------------------------------------------ */

TEST_WITH(mistakes_are_found_and_give_zero, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image cube = nearest(RGBA8888, 4, 4, BORDER);
    cube.cube = 1;
    struct image flat_cube = nearest(RGBA8888, 4, 4, CLAMP); /* the stride is missing; the kernel
                                                                rejects this */
    flat_cube.cube = 1;
    const struct {
        struct image texture;
        enum fault_rule rule;
    } cases[] = {
        {nearest(18, 4, 4, REPEAT), FAULT_TMU_TYPE},
        {nearest(31, 4, 4, REPEAT), FAULT_TMU_TYPE},
        {{.width = 4, .height = 4, .min = 6}, FAULT_TMU_PARAMETER},
        {{.width = 4, .height = 4, .min = 7}, FAULT_TMU_PARAMETER},
        {linear(S16, 4, 4, REPEAT), FAULT_TMU_PARAMETER}, /* the manual allows "point sampling
                                                             only" */
        {cube, FAULT_TMU_PARAMETER},
        {flat_cube, FAULT_TMU_PARAMETER},
    };
    memset(memory, 0xff, sizeof memory);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(sample(f, cases[i].texture, 0.5f, 0.5f), 0);
        only_fault(f, cases[i].rule, 1);
        tmu_reset(&f->tmu);
    }
}

TEST_WITH(unmapped_textures_read_zero, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = nearest(RGBA8888, 64, 64, REPEAT);
    put(f, TMU_T, 0, 0x20000000);
    put(f, TMU_S, 0, parameter1(&texture));
    assert_int_equal(take(f), 0);
    only_fault(f, FAULT_BUS_UNMAPPED, 1);
}

/* A texture lies partly in unmapped memory. Only texels in unmapped memory cause a finding and
 * read as 0. */
TEST_WITH(partly_mapped_textures_read_what_is_there, set_up, tear_down)
{
    struct fixture *f = *fixture;
    struct image texture = nearest(LUMINANCE, 32, 16, REPEAT);
    memset(memory + MEMORY_SIZE - 4096, 0x42, 4096);
    bus_unmap(&f->bus, MEMORY);
    assert_int_equal(bus_map(&f->bus, TEXTURE, 100, memory + MEMORY_SIZE - 4096), TESS_OK);
    assert_int_equal(sample(f, texture, 0, 0), 0xff424242);
    assert_int_equal(sample(f, texture, 9.f / 32, 0), 0xff424242); /* byte 65, in microtile 1 */
    no_fault(f);
    assert_int_equal(sample(f, texture, 9.f / 32, 5.f / 16), 0xff000000); /* byte 105 */
    only_fault(f, FAULT_BUS_UNMAPPED, 1);
}

/* Coordinates with all bits set, NaNs, infinities and huge values must not cause accesses
 * outside of the image, or findings. */
TEST_WITH(strange_coordinates_are_harmless, set_up, tear_down)
{
    struct fixture *f = *fixture;
    static const uint32_t strange[] = {
        0x7fc00000, 0x7f800001, 0xffffffff, 0x7f800000, 0xff800000, 0x7f7fffff, 0xff7fffff,
        0x00000001, 0x80000001, 0x80000000, 0x4effffff, 0xcf000000, 0x33800000, 0xb3800000,
    };
    draw_names(LAYOUT_T, 33, 17);
    for (uint32_t wrap = REPEAT; wrap <= MIRROR; wrap++)
        for (uint32_t filter = 0; filter < 2; filter++)
            for (size_t i = 0; i < sizeof strange / sizeof *strange; i++)
                for (size_t j = 0; j < sizeof strange / sizeof *strange; j++) {
                    float s = bits_float(strange[i]), t = bits_float(strange[j]);
                    struct image texture = filter ? linear(RGBA8888, 33, 17, wrap)
                                                  : nearest(RGBA8888, 33, 17, wrap);
                    uint32_t texel = sample(f, texture, s, t);
                    assert_in_range(texel & 0xffff, 0, 32);
                    assert_in_range(texel >> 16, 0, 16);
                }
    no_fault(f);
}

/* With random parameters and coordinates, requests complete and access only their memory.
 * Sanitizers check this. */
TEST_WITH(random_requests_are_harmless, set_up, tear_down)
{
    struct fixture *f = *fixture;
    uint32_t seed = 1;
    for (unsigned i = 0; i < 20000; i++) {
        enum tmu_register reg = next_random(&seed) % 4;
        lanes value, result;
        for (unsigned lane = 0; lane < LANES; lane++)
            value[lane] = next_random(&seed);
        uint32_t parameter = next_random(&seed);
        if (f->tmu.unit[0].parameters == 0 && parameter & 1)
            parameter = (parameter & 0x3fff) | MEMORY;
        tmu_write(&f->tmu, &f->ports, 0, reg, &value, parameter);
        while (next_random(&seed) % 4 && tmu_read(&f->tmu, 0, &result))
            continue;
    }
    assert_true(f->tmu.lookups > 1000);
}
