/* SPDX-License-Identifier: MIT */
/* address.c - tests texture constants, and the addresses of texels: rows, tiles, levels, faces,
 * packed levels.
 *
 * Expected values were calculated by hand from docs/hardware/a2xx.md, section 16, from xenia's
 * pictures of packed levels (src/xenia/gpu/texture_util.cc), and from its bits of tiled addresses
 * (texture_address.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/a2xx.h>

#include "../../register.h"
#include "a2xx/fetch/address.h"

enum { D1, D2, D3, CUBE };
enum {
    FMT_8 = 2,
    FMT_8_8 = 10,
    FMT_8_8_8_8 = 6,
    FMT_DXT1 = 18,
    FMT_32_32_32_32 = 35,
    FMT_32_32_32_FLOAT = 57
};

static struct tess_a2xx_texture texture_of(uint32_t format, uint32_t dimension, uint32_t width,
                                           uint32_t height)
{
    return (struct tess_a2xx_texture){.address = 0x10000,
                                      .mip_address = 0x80000,
                                      .width = width,
                                      .height = height,
                                      .format = format,
                                      .dimension = dimension};
}

static void expect_sizes(const struct tess_a2xx_texture *texture, size_t base, size_t mips)
{
    size_t got_base, got_mips;
    tess_a2xx_texture_size(texture, &got_base, &got_mips);
    assert_int_equal(got_base, base);
    assert_int_equal(got_mips, mips);
}

/* Each field must be at its position in Mesa's a2xx.xml. */
TEST(test_constant)
{
    uint32_t words[6];
    struct tess_a2xx_texture texture = {
        .address = 0x12345000,
        .mip_address = 0x6789a000,
        .width = 100,
        .height = 50,
        .pitch = 160,
        .format = FMT_8_8_8_8,
        .dimension = D2,
        .levels = 7,
        .tiled = true,
        .endian = 2,
        .clamp = {1, 2, 6},
        .mag = 1,
        .min = 1,
        .mip = 2,
        .swizzled = true,
        .swizzle = {2, 1, 0, 5},
        .sign = {0, 1, 2, 3},
        .whole_numbers = true,
        .lod_bias = -3,
        .white_border = true,
    };
    assert_int_equal(tess_a2xx_texture_constant(&texture, words), TESS_OK);
    assert_int_equal(words[0], 2U | 1U << 4 | 2U << 6 | 3U << 8 | 1U << 10 | 2U << 13 | 6U << 16 |
                                   5U << 22 | 1U << 31);
    assert_int_equal(words[1], 6U | 2U << 6 | 1U << 11 | 0x12345000U);
    assert_int_equal(words[2], 99U | 49U << 13);
    assert_int_equal(words[3],
                     1U | 2U << 1 | 1U << 4 | 0U << 7 | 5U << 10 | 1U << 19 | 1U << 21 | 2U << 23);
    assert_int_equal(words[4], 1U | 1U << 1 | 6U << 6 | 0x3fdU << 12);
    assert_int_equal(words[5], 1U | 1U << 9 | 0x6789a000U);

    texture = texture_of(FMT_8, D3, 2048, 5);
    texture.depth = 1024;
    assert_int_equal(tess_a2xx_texture_constant(&texture, words), TESS_OK);
    assert_int_equal(words[2], 2047U | 4U << 11 | 1023U << 22);
    texture = texture_of(FMT_8, D1, 1 << 24, 1);
    assert_int_equal(tess_a2xx_texture_constant(&texture, words), TESS_OK);
    assert_int_equal(words[2], 0xffffff);
    texture = texture_of(FMT_8, CUBE, 64, 64);
    assert_int_equal(tess_a2xx_texture_constant(&texture, words), TESS_OK);
    assert_int_equal(words[2], 63U | 63U << 13 | 5U << 26);
    assert_int_equal(words[3], 0x688U << 1); /* identity swizzle: x, y, z, w */
    texture.swizzled = true;
    assert_int_equal(tess_a2xx_texture_constant(&texture, words), TESS_OK);
    assert_int_equal(words[3], 0); /* swizzle xxxx */
}

TEST(test_invalid)
{
    const struct tess_a2xx_texture good = texture_of(FMT_8, D2, 64, 64);
    struct tess_a2xx_texture bad[20];
    uint32_t words[6];
    unsigned count = 0;
    for (unsigned i = 0; i < 20; i++)
        bad[i] = good;
    bad[count++].width = 0;
    bad[count++].height = 0;
    bad[count++].width = 8193;
    bad[count++].address = 0x10010;
    bad[count++].mip_address = 4;
    bad[count++].pitch = 33;
    bad[count++].pitch = 512 * 32;
    bad[count++].format = 64;
    bad[count++].dimension = 4;
    bad[count++].dimension = D3; /* a 3D texture of depth 0 */
    bad[count++].dimension = D1; /* a 1D texture with a height */
    bad[count++].levels = 17;
    bad[count++].endian = 4;
    bad[count++].clamp[1] = 8;
    bad[count++].mag = 2;
    bad[count].swizzled = true;
    bad[count++].swizzle[3] = 6;
    bad[count++].sign[0] = 4;
    bad[count++].lod_bias = 512;
    bad[count++].depth = 2;
    for (unsigned i = 0; i < count; i++)
        if (tess_a2xx_texture_constant(&bad[i], words) != TESS_INVALID)
            fail_msg("bad texture %u has a constant", i);
    bad[19].levels = 2;
    bad[19].mip_address = 0;
    assert_int_equal(tess_a2xx_texture_constant(&bad[19], words), TESS_INVALID);
    expect_sizes(&bad[0], 0, 0);
    assert_int_equal(tess_a2xx_texture_constant(&good, words), TESS_OK);
    size_t base = 0;
    tess_a2xx_texture_size(&good, &base, NULL); /* a level has 64 rows of 64 bytes */
    assert_int_equal(base, 4096);
    tess_a2xx_texture_size(&good, NULL, NULL);
    tess_a2xx_vertex_constant(0, 0, NULL);
}

TEST(test_rows)
{
    struct tess_a2xx_texture texture = texture_of(FMT_8_8_8_8, D2, 100, 50);
    assert_int_equal(tess_a2xx_texture_offset(&texture, 0, 99, 49, 0), 49 * 128 * 4 + 99 * 4);
    expect_sizes(&texture, 128 * 4 * 64, 0);
    texture.pitch = 256;
    assert_int_equal(tess_a2xx_texture_offset(&texture, 0, 3, 2, 0), 2 * 1024 + 12);
    texture = texture_of(FMT_DXT1, D2, 130, 8); /* 33 blocks in rows of 64 blocks */
    assert_int_equal(tess_a2xx_texture_offset(&texture, 0, 129, 7, 0), 64 * 8 + 32 * 8);
    expect_sizes(&texture, 64 * 8 * 32, 0);
    texture = texture_of(FMT_8, D2, 10, 10); /* on the Xenos, rows have 256 bytes */
    assert_int_equal(tess_a2xx_texture_offset(&texture, 0, 1, 1, 0), 33);
    texture.variant = TESS_A2XX_XENOS;
    assert_int_equal(tess_a2xx_texture_offset(&texture, 0, 1, 1, 0), 257);
    texture = texture_of(FMT_8_8, D1, 5000, 1);
    assert_int_equal(tess_a2xx_texture_offset(&texture, 0, 4999, 0, 0), 9998);
    assert_int_equal(tess_a2xx_texture_offset(&texture, 0, 5000, 0, 0), 0);
}

/* Level 1 of 64 x 16 texels of 4 bytes has 32 x 8 texels, padded to 32 x 32. Each level begins
 * at a multiple of 4096. */
TEST(test_levels)
{
    struct tess_a2xx_texture texture = texture_of(FMT_8_8_8_8, D2, 64, 16);
    texture.levels = 7;
    expect_sizes(&texture, 64 * 4 * 32, 6 * 4096);
    assert_int_equal(tess_a2xx_texture_offset(&texture, 1, 31, 7, 0), 7 * 128 + 31 * 4);
    assert_int_equal(tess_a2xx_texture_offset(&texture, 6, 0, 0, 0), 5 * 4096);
    assert_int_equal(tess_a2xx_texture_offset(&texture, 2, 16, 0, 0),
                     0);               /* level 2 is beyond the last level */
    texture.variant = TESS_A2XX_XENOS; /* rows have 256 bytes, so a level has 8192 */
    assert_int_equal(tess_a2xx_texture_offset(&texture, 1, 31, 7, 0), 7 * 256 + 31 * 4);
    assert_int_equal(tess_a2xx_texture_offset(&texture, 2, 0, 0, 0), 8192);
    /* Level 1 of a 130 x 70 texture has 65 x 35 texels, padded to 128 x 64. */
    texture = texture_of(FMT_8_8_8_8, D2, 130, 70);
    texture.levels = 3;
    assert_int_equal(tess_a2xx_texture_offset(&texture, 1, 64, 34, 0), 34 * 512 + 256);
    assert_int_equal(tess_a2xx_texture_offset(&texture, 2, 0, 0, 0), 512 * 64);
}

TEST(test_layers)
{
    struct tess_a2xx_texture texture = texture_of(FMT_8_8_8_8, CUBE, 16, 16);
    texture.levels = 2;
    expect_sizes(&texture, 6 * 4096, 6 * 4096);
    assert_int_equal(tess_a2xx_texture_offset(&texture, 0, 1, 1, 5), 5 * 4096 + 128 + 4);
    assert_int_equal(tess_a2xx_texture_offset(&texture, 1, 7, 0, 3), 3 * 4096 + 28);
    /* Layers of a volume are stored without gaps. */
    texture = texture_of(FMT_8, D3, 8, 8);
    texture.depth = 5;
    texture.levels = 3;
    expect_sizes(&texture, 8 * 1024, 2 * 4096);
    assert_int_equal(tess_a2xx_texture_offset(&texture, 0, 7, 7, 4), 4 * 1024 + 7 * 32 + 7);
    assert_int_equal(tess_a2xx_texture_offset(&texture, 2, 1, 1, 0), 4096 + 33);
}

/* Bits of a tiled address, worked out by hand. */
TEST(test_tiles)
{
    static const struct {
        uint32_t format, x, y;
        size_t offset;
    } wanted[] = {
        /* clang-format off */
        /* clang-format off */
        {FMT_8_8_8_8,     1,  0,  4},     /* adjacent blocks */
        {FMT_8_8_8_8,     0,  1,  16},    /* bit 0 of y */
        {FMT_8_8_8_8,     4,  0,  32},    /* byte 16 of a row of 256 is bit 5 */
        /* 8 blocks have 32 bytes, and byte 32 is bit 8 */
        {FMT_8_8_8_8,     0,  2,  256},
        {FMT_8_8_8_8,     8,  0,  64},    /* pipe: bit 6 */
        {FMT_8_8_8_8,     16, 0,  128},
        /* byte 128 is bit 10; y bit 3 also changes the pipe */
        {FMT_8_8_8_8,     0,  8,  1024 | 128},
        {FMT_8_8_8_8,     0,  16, 2048},  /* bank */
        /* 64 blocks have 256 bytes, and byte 256 is bit 12 */
        {FMT_8_8_8_8,     32, 0,  4096},
        {FMT_8_8_8_8,     0,  32, 8192},  /* a row has two tiles */
        /* block 255: byte 1020 is page 3, 7 << 8, 1 << 5 and 12; bank, pipe 1, odd row */
        {FMT_8_8_8_8,     63, 63, 3 * 4096 + 2048 + 1792 + 64 + 32 + 16 + 12},
        {FMT_8,           32, 0,  512},   /* byte 64 */
        /* block 63: 15, 1 << 5, 1 << 8; odd row, pipe 2 */
        {FMT_8,           7,  15, 15 | 16 | 32 | 128 | 256},
        {FMT_32_32_32_32, 1,  0,  32},    /* byte 16 is bit 5 */
        {FMT_32_32_32_32, 32, 0,  16384}, /* byte 1024 is in page 4 */
        /* clang-format on */
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        struct tess_a2xx_texture texture = texture_of(wanted[i].format, D2, 64, 64);
        texture.tiled = true;
        size_t got = tess_a2xx_texture_offset(&texture, 0, wanted[i].x, wanted[i].y, 0);
        if (got != wanted[i].offset)
            fail_msg("row %zu: %zu, not %zu", i, got, wanted[i].offset);
    }
    struct tess_a2xx_texture volume = texture_of(FMT_8_8_8_8, D3, 32, 32);
    volume.tiled = true;
    volume.depth = 8;
    assert_int_equal(tess_a2xx_texture_offset(&volume, 0, 0, 0, 1),
                     1024); /* 32 blocks have 128 bytes, and byte 128 is bit 10 */
}

/* Computes the 3D address bit by bit, in the order of xenia's comment. */
static size_t tiled_3d(uint32_t x, uint32_t y, uint32_t z, uint32_t pitch, uint32_t height,
                       unsigned log2_bytes)
{
    size_t outer =
        ((size_t)(x >> 5) + (size_t)(pitch / 32) * ((y >> 4) + (height / 16) * (size_t)(z >> 2)))
        << 7;
    size_t inner = (size_t)((z & 3) << 5 | (y >> 1 & 3) << 3 | (x & 7));
    size_t bytes = (outer + inner) << log2_bytes, result = 0;
    unsigned bank = (y >> 3 & 1) ^ (z >> 2 & 1);
    for (unsigned i = 0; i < 4; i++)
        result |= (bytes >> i & 1) << i;
    result |= (size_t)(y & 1) << 4;
    result |= (bytes >> 4 & 1) << 5;
    result |= (size_t)(x >> 3 & 1) << 6;
    result |= (size_t)((x >> 4 & 1) ^ bank) << 7;
    for (unsigned i = 0; i < 3; i++)
        result |= (bytes >> (5 + i) & 1) << (8 + i);
    result |= (size_t)bank << 11;
    return result + (bytes >> 8) * 4096;
}

TEST(test_tiles_3d)
{
    static const uint32_t formats[] = {FMT_8, FMT_8_8, FMT_8_8_8_8, 26, FMT_32_32_32_32};
    for (unsigned log2_bytes = 0; log2_bytes < 5; log2_bytes++) {
        struct tess_a2xx_texture texture = texture_of(formats[log2_bytes], D3, 64, 40);
        texture.tiled = true;
        texture.depth = 10;
        for (uint32_t z = 0; z < 10; z++)
            for (uint32_t y = 0; y < 40; y += 3)
                for (uint32_t x = 0; x < 64; x++)
                    assert_int_equal(tess_a2xx_texture_offset(&texture, 0, x, y, z),
                                     tiled_3d(x, y, z, 64, 64, log2_bytes));
    }
}

/* Checks that no two blocks share bytes, and that all blocks are within the size. */
static void expect_apart(const struct tess_a2xx_texture *texture, uint32_t bytes)
{
    size_t base, mips;
    tess_a2xx_texture_size(texture, &base, &mips);
    uint8_t *used = calloc(base, 1);
    assert_non_null(used);
    for (uint32_t z = 0; z < (texture->depth ? texture->depth : 1); z++)
        for (uint32_t y = 0; y < texture->height; y++)
            for (uint32_t x = 0; x < texture->width; x++) {
                size_t offset = tess_a2xx_texture_offset(texture, 0, x, y, z);
                assert_true(offset + bytes <= base);
                for (uint32_t i = 0; i < bytes; i++)
                    assert_int_equal(used[offset + i]++, 0);
            }
    free(used);
}

TEST(test_apart)
{
    static const uint32_t formats[] = {FMT_8, FMT_8_8, FMT_8_8_8_8, FMT_32_32_32_32,
                                       FMT_32_32_32_FLOAT};
    static const uint32_t bytes[] = {1, 2, 4, 16, 12};
    for (unsigned i = 0; i < 5; i++) {
        struct tess_a2xx_texture texture = texture_of(formats[i], D2, 96, 72);
        texture.tiled = true;
        expect_apart(&texture, bytes[i]);
        texture = texture_of(formats[i], D3, 40, 36);
        texture.tiled = true;
        texture.depth = 9;
        expect_apart(&texture, bytes[i]);
        texture.tiled = false;
        expect_apart(&texture, bytes[i]);
    }
}

static void layout_of(struct a2xx_layout *layout, uint32_t format, uint32_t width, uint32_t height)
{
    struct a2xx_texture_constant constant = {.format = format,
                                             .dimension = D2,
                                             .width = width - 1,
                                             .height = height - 1,
                                             .pitch = (width + 31) / 32,
                                             .max_level = 15,
                                             .mip_address = 1,
                                             .packed_mips = 1};
    a2xx_layout(layout, &constant, TESS_A2XX_XENOS);
}

static void expect_place(const struct a2xx_layout *layout, unsigned level, uint32_t x, uint32_t y,
                         uint64_t offset)
{
    assert_int_equal(layout->level[level].x, x);
    assert_int_equal(layout->level[level].y, y);
    assert_int_equal(layout->level[level].offset, offset);
}

/* Positions in the picture of xenia's texture_util.cc: 16 x 16 texels at x 16, 8 x 8 at x 8, 4 x
 * 4 at x 4, 2 x 2 at y 8, and 1 x 1 at y 4. */
TEST(test_packed)
{
    struct a2xx_layout layout;
    layout_of(&layout, FMT_8_8_8_8, 64, 64);
    assert_int_equal(layout.last, 6);
    expect_place(&layout, 0, 0, 0, 0);
    expect_place(&layout, 1, 0, 0, 0);         /* level 1, 32 x 32, has its own tile */
    expect_place(&layout, 2, 16, 0, 32 * 256); /* level 2 follows level 1, in rows of 256 bytes */
    expect_place(&layout, 3, 8, 0, 32 * 256);
    expect_place(&layout, 4, 4, 0, 32 * 256);
    expect_place(&layout, 5, 0, 8, 32 * 256);
    expect_place(&layout, 6, 0, 4, 32 * 256);
    assert_int_equal(layout.mip_bytes, 2 * 32 * 256);
    layout_of(&layout, FMT_8_8_8_8, 8, 8); /* level 0 is also packed, at the base address */
    expect_place(&layout, 0, 16, 0, 0);
    expect_place(&layout, 1, 8, 0, 0);
    expect_place(&layout, 3, 0, 4, 0);    /* y is 8 >> 1 */
    layout_of(&layout, FMT_DXT1, 64, 16); /* if wider than high, levels are below each other, in
                                             blocks */
    expect_place(&layout, 0, 0, 4, 0);
    expect_place(&layout, 1, 0, 2, 0);
    expect_place(&layout, 2, 0, 1, 0);
    expect_place(&layout, 3, 8, 0, 0);
}
