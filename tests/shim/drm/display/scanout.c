/* SPDX-License-Identifier: MIT */
/* scanout.c - tests of src/shim/drm/display/scanout.c: the picture on the screen, pixel by pixel.
 *
 * Expected: values computed by hand from drm_fourcc.h (the bits of a pixel), docs/vc4/layout.md
 * (T-format), ITU-R BT.601 (colours), and the equations of DRM's properties "pixel blend mode" and
 * "alpha" (Linux, drm_blend.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <libdrm/drm_fourcc.h>

#include "../../../register.h"
#include "shim/drm/display/scanout.h"

enum { SIDE = 8 }; /* width and height of the screen in pixels */

static uint32_t screen[SIDE * SIDE];

/* Returns a plane that shows a whole image in the upper left corner of the screen. The image has
 * one part. */
static struct scanout_plane make(uint32_t fourcc, uint32_t width, uint32_t height,
                                 const void *bytes, size_t size)
{
    const struct scanout_format *format = scanout_format(fourcc);
    assert_non_null(format);
    struct scanout_plane plane = {
        .image = {.format = format, .width = width, .height = height},
        .source_width = width << 16,
        .source_height = height << 16,
        .width = width,
        .height = height,
        .alpha = 255,
    };
    plane.image.parts[0].bytes = bytes;
    plane.image.parts[0].size = size;
    plane.image.parts[0].pitch = width * format->bytes[0];
    return plane;
}

static void show(const struct scanout_plane *planes, size_t count)
{
    memset(screen, 0x55, sizeof screen);
    assert_true(scanout_compose(screen, SIDE, SIDE, planes, count));
}

/* Shows an image of one pixel. Returns the first pixel of the screen. */
static uint32_t shown(uint32_t fourcc, uint32_t pixel)
{
    uint8_t bytes[4] = {(uint8_t)pixel, (uint8_t)(pixel >> 8), (uint8_t)(pixel >> 16),
                        (uint8_t)(pixel >> 24)};
    struct scanout_plane plane = make(fourcc, 1, 1, bytes, scanout_format(fourcc)->bytes[0]);
    show(&plane, 1);
    assert_int_equal(screen[1], 0); /* the screen is black outside of the plane */
    return screen[0];
}

TEST(test_formats)
{
    assert_int_equal(shown(DRM_FORMAT_XRGB8888, 0xff112233), 0x112233);
    assert_int_equal(shown(DRM_FORMAT_XRGB8888, 0x00112233), 0x112233);
    assert_int_equal(shown(DRM_FORMAT_XBGR8888, 0x00112233), 0x332211);
    assert_int_equal(shown(DRM_FORMAT_ARGB8888, 0xff112233), 0x112233);
    assert_int_equal(shown(DRM_FORMAT_ABGR8888, 0xff112233), 0x332211);
    assert_int_equal(shown(DRM_FORMAT_RGB888, 0x112233), 0x112233);
    assert_int_equal(shown(DRM_FORMAT_BGR888, 0x112233), 0x332211);
    /* 16 of 31 are 131.6 of 255. 32 of 63 are 129.5 of 255. */
    assert_int_equal(shown(DRM_FORMAT_RGB565, 16 << 11 | 32 << 5 | 31), 0x8482ff);
    assert_int_equal(shown(DRM_FORMAT_BGR565, 16 << 11 | 32 << 5 | 31), 0xff8284);
    assert_int_equal(shown(DRM_FORMAT_XRGB1555, 16 << 10 | 1 << 5 | 31), 0x8408ff);
    assert_int_equal(shown(DRM_FORMAT_ARGB1555, 1 << 15 | 16 << 10 | 1 << 5 | 31), 0x8408ff);
    assert_null(scanout_format(DRM_FORMAT_C8));
    assert_null(scanout_format(DRM_FORMAT_XRGB2101010));
}

/* Shows two pixels with the same Y that share U and V. Returns the first pixel of the screen. */
static uint32_t shown_yuv(uint32_t fourcc, uint8_t y, uint8_t u, uint8_t v, bool full)
{
    const uint8_t light[2] = {y, y}, pairs[2] = {u, v}, swapped[2] = {v, u}, first[1] = {u},
                  second[1] = {v};
    struct scanout_plane plane = make(fourcc, 2, 1, light, 2);
    bool is_pair = plane.image.format->parts == 2;
    const uint8_t *parts[2] = {is_pair ? fourcc == DRM_FORMAT_NV21 ? swapped : pairs : first,
                               second};
    if (fourcc == DRM_FORMAT_YVU420) {
        parts[0] = second;
        parts[1] = first;
    }
    for (unsigned i = 1; i < plane.image.format->parts; i++) {
        plane.image.parts[i].bytes = parts[i - 1];
        plane.image.parts[i].size = is_pair ? 2 : 1;
        plane.image.parts[i].pitch = 2;
    }
    plane.full_range = full;
    show(&plane, 1);
    assert_int_equal(screen[0], screen[1]);
    return screen[0];
}

TEST(test_yuv)
{
    static const uint32_t formats[] = {DRM_FORMAT_NV12, DRM_FORMAT_NV21, DRM_FORMAT_YUV420,
                                       DRM_FORMAT_YVU420};
    for (unsigned i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        assert_int_equal(shown_yuv(formats[i], 16, 128, 128, false), 0x000000);
        assert_int_equal(shown_yuv(formats[i], 235, 128, 128, false), 0xffffff);
        /* Red of the colour bars: red is 1.164 * 65 + 1.596 * 112 = 254.4, green -0.5 and blue
         * -1.0. */
        assert_int_equal(shown_yuv(formats[i], 81, 90, 240, false), 0xfe0000);
        assert_int_equal(shown_yuv(formats[i], 77, 128, 128, true), 0x4d4d4d);
        /* Red is 77 + 1.402 * 100 = 217.2. Green is 77 - 0.714 * 100 = 5.6. Blue is 77. */
        assert_int_equal(shown_yuv(formats[i], 77, 128, 228, true), 0xd9064d);
    }
}

/* Returns the shown pixel at x, y of an image of 64 x 64 pixels, which has four tiles. The value of
 * each word in memory is the word's index. */
static uint32_t tiled_word(uint32_t x, uint32_t y)
{
    static uint32_t words[64 * 64];
    for (uint32_t i = 0; i < 64 * 64; i++)
        words[i] = i;
    struct scanout_plane plane = make(DRM_FORMAT_XRGB8888, 64, 64, words, sizeof words);
    plane.image.tiled = true;
    plane.source_x = x << 16;
    plane.source_y = y << 16;
    plane.source_width = plane.source_height = 1 << 16;
    plane.width = plane.height = 1;
    show(&plane, 1);
    return screen[0];
}

TEST(test_tiled)
{
    assert_int_equal(tiled_word(0, 0), 0);
    assert_int_equal(tiled_word(3, 3), 15);    /* a microtile has 4 x 4 pixels */
    assert_int_equal(tiled_word(4, 0), 16);    /* the next microtile of the subtile */
    assert_int_equal(tiled_word(0, 4), 64);    /* the next row of microtiles */
    assert_int_equal(tiled_word(0, 16), 256);  /* the next subtile is below */
    assert_int_equal(tiled_word(16, 16), 512); /* the third subtile is at the right of the second */
    assert_int_equal(tiled_word(16, 0), 768);  /* the fourth subtile is above the third */
    assert_int_equal(tiled_word(32, 0), 1024); /* the next tile */
    /* The second row of tiles begins at the right. Its subtiles are numbered from the lower right
     * corner: then up, then left, then down. */
    assert_int_equal(tiled_word(48, 48), 2048);
    assert_int_equal(tiled_word(63, 32), 2048 + 256 + 3 * 16 + 3);
    assert_int_equal(tiled_word(0, 32), 3072 + 512);
}

TEST(test_tiled_16_bits)
{
    static uint16_t words[64 * 32];
    words[8 * 4] = 0xf800;   /* the second microtile, of 8 x 4 pixels */
    words[3 * 512] = 0x001f; /* the fourth subtile, of 32 x 16 pixels */
    struct scanout_plane plane = make(DRM_FORMAT_RGB565, 64, 32, words, sizeof words);
    plane.image.tiled = true;
    plane.source_x = 8 << 16;
    plane.source_width = plane.source_height = 1 << 16;
    plane.width = plane.height = 1;
    show(&plane, 1);
    assert_int_equal(screen[0], 0xff0000);
    plane.source_x = 32 << 16;
    show(&plane, 1);
    assert_int_equal(screen[0], 0x0000ff);
}

/* Pixels after the end of the memory must be black. Memory after the end must not be read. */
TEST(test_short_memory)
{
    uint32_t *words = malloc(6 * sizeof *words);
    memset(words, 0xff, 6 * sizeof *words);
    struct scanout_plane plane = make(DRM_FORMAT_XRGB8888, 4, 4, words, 6 * sizeof *words);
    show(&plane, 1);
    assert_int_equal(screen[SIDE + 1], 0xffffff);
    assert_int_equal(screen[SIDE + 2], 0);
    assert_int_equal(screen[3 * SIDE], 0);
    plane.image.tiled = true;
    plane.image.parts[0].pitch = 128;
    show(&plane, 1);
    assert_int_equal(screen[0], 0xffffff);
    assert_int_equal(screen[2 * SIDE], 0);
    free(words);
}

TEST(test_places)
{
    static const uint32_t words[4] = {1, 2, 3, 4};
    struct scanout_plane plane = make(DRM_FORMAT_XRGB8888, 2, 2, words, sizeof words);
    plane.x = -1;
    plane.y = SIDE - 1;
    show(&plane, 1);
    assert_int_equal(screen[(SIDE - 1) * SIDE], 2);
    assert_int_equal(screen[(SIDE - 1) * SIDE + 1], 0);
    plane.x = SIDE - 1;
    plane.y = -1;
    show(&plane, 1);
    assert_int_equal(screen[SIDE - 1], 3);
    assert_int_equal(screen[SIDE], 0);
    plane.x = SIDE;
    show(&plane, 1);
    plane.x = INT32_MIN;
    show(&plane, 1);
    for (unsigned i = 0; i < SIDE * SIDE; i++)
        assert_int_equal(screen[i], 0);
}

TEST(test_mirrors)
{
    static const uint32_t words[4] = {1, 2, 3, 4};
    struct scanout_plane plane = make(DRM_FORMAT_XRGB8888, 2, 2, words, sizeof words);
    plane.mirror_x = true;
    show(&plane, 1);
    assert_int_equal(screen[0], 2);
    assert_int_equal(screen[SIDE + 1], 3);
    plane.mirror_y = true;
    show(&plane, 1);
    assert_int_equal(screen[0], 4);
    assert_int_equal(screen[SIDE + 1], 1);
}

/* Returns the result of blending a pixel over white. */
static uint32_t blended(uint32_t pixel, uint8_t alpha, enum scanout_blend blend)
{
    static const uint32_t white = 0xffffffff;
    struct scanout_plane planes[2] = {make(DRM_FORMAT_XRGB8888, 1, 1, &white, 4),
                                      make(DRM_FORMAT_ARGB8888, 1, 1, &pixel, 4)};
    planes[1].alpha = alpha;
    planes[1].blend = blend;
    show(planes, 2);
    return screen[0];
}

TEST(test_blending)
{
    /* colour + (1 - alpha) * white: red 128 + 127, green and blue 0 + 127 */
    assert_int_equal(blended(0x80800000, 255, SCANOUT_PREMULTIPLIED), 0xff7f7f);
    /* alpha * colour + (1 - alpha) * white: the same result for a colour that is not
     * premultiplied */
    assert_int_equal(blended(0x80ff0000, 255, SCANOUT_COVERAGE), 0xff7f7f);
    assert_int_equal(blended(0x80ff0000, 255, SCANOUT_OPAQUE), 0xff0000);
    /* The alpha of the plane is 51 / 255 = 0.2. Red is 0.2 * 128 = 25.6 plus the rest of white. The
     * rest of white is 1 - 0.2 * 128 / 255 = 229 / 255. */
    assert_int_equal(blended(0x80800000, 51, SCANOUT_PREMULTIPLIED), 0xffe5e5);
    assert_int_equal(blended(0x80ff0000, 51, SCANOUT_COVERAGE), 0xffe5e5);
    assert_int_equal(blended(0x80ff0000, 51, SCANOUT_OPAQUE), 0xffcccc);
    assert_int_equal(blended(0x00000000, 255, SCANOUT_PREMULTIPLIED), 0xffffff);
}

/* The format has no alpha, so only the alpha of the plane must be used. */
TEST(test_blending_without_alpha)
{
    static const uint32_t white = 0xffffffff, black = 0x00000000;
    struct scanout_plane planes[2] = {make(DRM_FORMAT_XRGB8888, 1, 1, &white, 4),
                                      make(DRM_FORMAT_XRGB8888, 1, 1, &black, 4)};
    planes[1].alpha = 51;
    show(planes, 2);
    assert_int_equal(screen[0], 0xcccccc);
}

TEST(test_larger)
{
    static const uint32_t words[2] = {0x000000, 0xff00ff};
    struct scanout_plane plane = make(DRM_FORMAT_XRGB8888, 2, 1, words, sizeof words);
    plane.width = 4;
    plane.height = 3;
    show(&plane, 1);
    /* The centres of the screen's pixels are at -1/4, 1/4, 3/4 and 5/4 of the image. Values: 0,
     * 63.75, 191.25, 255. */
    for (unsigned y = 0; y < 3; y++) {
        assert_int_equal(screen[y * SIDE], 0x000000);
        assert_int_equal(screen[y * SIDE + 1], 0x400040);
        assert_int_equal(screen[y * SIDE + 2], 0xbf00bf);
        assert_int_equal(screen[y * SIDE + 3], 0xff00ff);
    }
}

TEST(test_smaller)
{
    static const uint32_t words[4] = {0, 100, 200, 100};
    struct scanout_plane across = make(DRM_FORMAT_XRGB8888, 4, 1, words, sizeof words);
    across.width = 2;
    show(&across, 1);
    /* The weights around the centres 1/2 and 5/2 are 1/8, 3/8, 3/8, 1/8. Outside the image, the
     * pixel at the edge is repeated. Values: 62.5, 137.5. */
    assert_int_equal(screen[0], 63);
    assert_int_equal(screen[1], 138);
    struct scanout_plane down = make(DRM_FORMAT_XRGB8888, 1, 4, words, sizeof words);
    down.height = 2;
    show(&down, 1);
    assert_int_equal(screen[0], 63);
    assert_int_equal(screen[SIDE], 138);
}

TEST(test_correction)
{
    static struct scanout_colour colour = {.has_matrix = true, .has_curve = true};
    uint32_t pixel = 0x804020;
    for (unsigned i = 0; i < 256; i++)
        colour.curve[0][i] = colour.curve[1][i] = colour.curve[2][i] = (uint8_t)(255 - i);
    colour.matrix[2] = 0x10000;  /* red becomes blue: 32 */
    colour.matrix[3] = 0x8000;   /* green becomes half of red: 64 */
    colour.matrix[8] = -0x10000; /* blue becomes negative, which is clamped to 0 */
    scanout_correct(&pixel, 1, &colour);
    assert_int_equal(pixel, 0xdfbfff);
}
