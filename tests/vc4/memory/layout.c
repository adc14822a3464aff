/* SPDX-License-Identifier: MIT */
/* Tests of the positions of pixels in memory. The expected addresses come from a walk through
 * memory in the order that the manual (section 11) and JayStation's text on the T-format describe,
 * never from src/vc4/memory/layout.c: "4K tiles left to right for even rows, right to left for odd
 * rows; subtiles clockwise from lower left on even rows, from upper right on odd rows; microtiles
 * raster inside a subtile; texels raster inside a microtile". Row 0 is the lowest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../register.h"
#include "vc4/memory/layout.h"

/* Sizes of microtiles by bits per pixel (manual section 11, "Micro-tiles"). */
static const struct {
    uint32_t bits, width, height;
} utiles[] = {
    /* clang-format off */
    {64, 2,  4},
    {32, 4,  4},
    {16, 8,  4},
    {8,  8,  8},
    {4,  16, 8},
    {1,  32, 16},
    /* clang-format on */
};

enum { KINDS = sizeof utiles / sizeof *utiles };

/* State of a walk through memory in address order: each visited pixel must directly follow the
 * previous one. */
struct walk {
    const struct image_layout *image;
    uint32_t kind;
    uint64_t bits; /* bits of memory passed so far */
};

static void visit_utile(struct walk *walk, uint32_t x, uint32_t y)
{
    for (uint32_t row = 0; row < utiles[walk->kind].height; row++)
        for (uint32_t column = 0; column < utiles[walk->kind].width; column++) {
            uint32_t bit = 99;
            uint64_t byte = layout_offset(walk->image, x + column, y + row, &bit);
            assert_true(bit < 8);
            assert_int_equal(byte * 8 + bit, walk->bits);
            assert_int_equal(layout_offset(walk->image, x + column, y + row, NULL), byte);
            walk->bits += utiles[walk->kind].bits;
        }
}

static void visit_subtile(struct walk *walk, uint32_t x, uint32_t y)
{
    for (uint32_t row = 0; row < 4; row++)
        for (uint32_t column = 0; column < 4; column++)
            visit_utile(walk, x + column * utiles[walk->kind].width,
                        y + row * utiles[walk->kind].height);
}

static void visit_tile(struct walk *walk, uint32_t x, uint32_t y, bool odd)
{
    static const struct {
        uint32_t right, up;
    } clockwise[4] = {{0, 0},
                      {0, 1},
                      {1, 1},
                      {1, 0}}; /* order of subtiles on even rows of tiles, from lower left */
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t at = odd ? (i + 2) % 4 : i; /* odd rows begin at upper right */
        visit_subtile(walk, x + clockwise[at].right * 4 * utiles[walk->kind].width,
                      y + clockwise[at].up * 4 * utiles[walk->kind].height);
    }
}

static void walk_t_format(uint32_t kind, uint32_t columns, uint32_t rows, uint32_t trim)
{
    uint32_t tile_width = 8 * utiles[kind].width, tile_height = 8 * utiles[kind].height;
    struct image_layout image;
    layout_init(&image, LAYOUT_T, columns * tile_width - trim, rows * tile_height - trim,
                utiles[kind].bits);
    assert_int_equal(image.size_bytes, columns * rows * 4096);
    assert_int_equal(image.stride_px, columns * tile_width);
    struct walk walk = {.image = &image, .kind = kind};
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t i = 0; i < columns; i++) {
            uint32_t column = row % 2 ? columns - 1 - i : i;
            visit_tile(&walk, column * tile_width, row * tile_height, row % 2);
        }
    assert_int_equal(walk.bits, (uint64_t)image.size_bytes * 8);
}

TEST(t_format_follows_the_manual)
{
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        walk_t_format(kind, 1, 1, 0);
        walk_t_format(kind, 3, 2, 0);
        walk_t_format(kind, 2, 5, 0);
        walk_t_format(kind, 4, 3, 1);         /* the width is padded by one pixel */
        walk_t_format(kind, 3, 3, 8 * 2 - 1); /* leaves one pixel of the last tile unused at 64
                                                 bits */
    }
}

TEST(lt_format_is_microtiles_in_raster_order)
{
    for (uint32_t kind = 0; kind < KINDS; kind++)
        for (uint32_t trim = 0; trim < 2; trim++) {
            uint32_t width = utiles[kind].width, height = utiles[kind].height;
            struct image_layout image;
            layout_init(&image, LAYOUT_LT, 5 * width - trim, 7 * height - trim, utiles[kind].bits);
            assert_int_equal(image.size_bytes, 5 * 7 * 64);
            struct walk walk = {.image = &image, .kind = kind};
            for (uint32_t row = 0; row < 7; row++)
                for (uint32_t column = 0; column < 5; column++)
                    visit_utile(&walk, column * width, row * height);
            assert_int_equal(walk.bits, image.size_bytes * 8);
        }
}

/* Rows are multiples of 16 bytes (layout.h). Within a byte, the leftmost pixel has the lowest
 * bits. */
TEST(raster_rows_are_padded_to_16_bytes)
{
    static const struct {
        uint32_t bits, width, stride;
    } cases[] = {
        /* clang-format off */
        {64, 2,   16},
        {64, 3,   32},
        {32, 1,   16},
        {32, 4,   16},
        {32, 5,   32},
        {16, 8,   16},
        {16, 9,   32},
        {8,  16,  16},
        {8,  17,  32},
        {4,  32,  16},
        {4,  33,  32},
        {1,  128, 16},
        {1,  1,   16},
        {1,  129, 32},
        {32, 640, 2560},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct image_layout image;
        layout_init(&image, LAYOUT_RASTER, cases[i].width, 3, cases[i].bits);
        assert_int_equal(image.stride_bytes, cases[i].stride);
        assert_int_equal(image.size_bytes, 3 * cases[i].stride);
        for (uint32_t y = 0; y < 3; y++)
            for (uint32_t x = 0; x < cases[i].width; x++) {
                uint32_t bit;
                uint32_t byte = layout_offset(&image, x, y, &bit);
                assert_int_equal(byte * 8 + bit, y * cases[i].stride * 8 + x * cases[i].bits);
            }
    }
}

static void mark_cell(uint8_t *used, uint32_t size_bytes, uint64_t first, uint32_t bits)
{
    assert_true(first + bits <= (uint64_t)size_bytes * 8);
    for (uint64_t bit = first; bit < first + bits; bit++) {
        assert_false(used[bit / 8] >> (bit % 8) & 1);
        used[bit / 8] |= (uint8_t)(1 << (bit % 8));
    }
}

static void check_own_cells(enum layout layout, uint32_t width, uint32_t height, uint32_t bits)
{
    struct image_layout image;
    layout_init(&image, layout, width, height, bits);
    uint8_t *used = calloc(1, image.size_bytes);
    assert_non_null(used);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            uint32_t bit;
            uint64_t byte = layout_offset(&image, x, y, &bit);
            mark_cell(used, image.size_bytes, byte * 8 + bit, bits);
        }
    free(used);
}

TEST(every_pixel_has_its_own_cell_inside_the_image)
{
    static const uint32_t sizes[][2] = {{1, 1}, {17, 3}, {3, 65}, {61, 83}, {130, 70}, {257, 33}};
    for (enum layout layout = LAYOUT_RASTER; layout <= LAYOUT_LT; layout++)
        for (uint32_t kind = 0; kind < KINDS; kind++)
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
                check_own_cells(layout, sizes[i][0], sizes[i][1], utiles[kind].bits);
}

/* Tests the largest texture, 2048 x 2048 pixels of 64 bits, and the frame buffer of a screen
 * that is 2048 pixels wide. */
TEST(largest_images_stay_inside)
{
    for (enum layout layout = LAYOUT_RASTER; layout <= LAYOUT_LT; layout++) {
        struct image_layout image;
        layout_init(&image, layout, 2048, 2048, 64);
        assert_int_equal(image.size_bytes, 32 << 20);
        for (uint32_t y = 0; y < 2048; y += 89)
            for (uint32_t x = 0; x < 2048; x += 89)
                assert_true(layout_offset(&image, x, y, NULL) <= image.size_bytes - 8);
    }
}

/* Addresses worked out by hand for 32 bits per pixel. A microtile is 4x4, a subtile 16x16, and a 4K
 * tile 32x32 pixels. The image is 96x64, three by two tiles as in the article's picture. */
TEST(addresses_by_hand)
{
    static const struct {
        uint32_t x, y, offset;
    } cases[] = {
        {0, 0, 0},
        {1, 0, 4},
        {0, 1, 16},
        {4, 0, 64},
        {0, 4, 256},
        {0, 16, 1024},                            /* second subtile: upper left */
        {16, 16, 2048},                           /* third: upper right */
        {16, 0, 3072},                            /* fourth: lower right */
        {32, 0, 4096},                            /* first pixel of the next tile */
        {95, 31, 2 * 4096 + 2 * 1024 + 1023 - 3}, /* the last pixel of the last tile in row 0 */
        {80, 48, 3 * 4096},                       /* row 1 begins at upper right */
        {80, 32, 3 * 4096 + 1024},                /* second subtile: lower right */
        {64, 32, 3 * 4096 + 2048},                /* third: lower left */
        {64, 48, 3 * 4096 + 3072},                /* fourth: upper left */
        {0, 32, 5 * 4096 + 2048},                 /* the leftmost tile is last */
        {15, 63, 5 * 4096 + 3072 + 1024 - 4},     /* the last bytes of the image */
    };
    struct image_layout image;
    layout_init(&image, LAYOUT_T, 96, 64, 32);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(layout_offset(&image, cases[i].x, cases[i].y, NULL), cases[i].offset);
}

/* Mesa vc4_tiling.c, vc4_size_is_lt(). A level uses the LT format if its width or height is at
 * most four microtiles. */
TEST(small_levels_are_lt)
{
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        uint32_t width = 4 * utiles[kind].width, height = 4 * utiles[kind].height;
        assert_true(layout_is_lt(1, 1, utiles[kind].bits));
        assert_true(layout_is_lt(width, 2048, utiles[kind].bits));
        assert_true(layout_is_lt(2048, height, utiles[kind].bits));
        assert_true(layout_is_lt(width, height, utiles[kind].bits));
        assert_false(layout_is_lt(width + 1, height + 1, utiles[kind].bits));
        assert_false(layout_is_lt(2048, 2048, utiles[kind].bits));
    }
}

/* The sum of the address parts for x and y must equal the address that is computed in one step. */
TEST(addresses_by_axes)
{
    static const uint32_t bits[] = {64, 32, 16, 8, 4, 1};
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
        for (enum layout layout = LAYOUT_RASTER; layout <= LAYOUT_LT; layout++) {
            struct image_layout image;
            layout_init(&image, layout, 150, 70, bits[i]);
            for (uint32_t y = 0; y < 70; y++)
                for (uint32_t x = 0; x < 150; x++) {
                    lanes xs = {x}, ys = {y}, column;
                    struct layout_rows rows;
                    layout_columns(&image, &xs, &column);
                    layout_rows(&image, &ys, &rows);
                    assert_int_equal(rows.base[0] + (column[0] ^ rows.mix[0]),
                                     layout_offset(&image, x, y, NULL));
                }
        }
}
